// SPDX-License-Identifier: GPL-2.0-only

// The receiving half of MRC (sheet 16, sections 2 and 5): what it keeps, what its SACKs tell and
// when it sends them, and that messages end in order whatever the order of packets.

#include "case-budget.h"

#include "ns3/frame-trim.h"
#include "ns3/mrc-responder.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <iostream>
#include <optional>
#include <random>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t MTU = 4096;

/// A packet to give to the responder. Of one message that never ends, if the test does not say.
struct Given
{
    uint64_t psn{0};
    RoceOpcode opcode{RoceOpcode::MRC_WRITE_MIDDLE};
    uint32_t payload{MTU};
    uint16_t msn{0};
    uint16_t rqMsn{0};
    uint64_t dmaBytes{1 << 20};
    uint32_t immediate{0};
    bool ackRequest{false};
    bool repeated{false};
    bool marked{false};
    Trim trim{Trim::NONE};
    uint16_t time{0};
    uint32_t ev{0};
    uint8_t ipVersion{6};
};

/// @param given a packet @return its frame, as it comes from the wire
Frame*
MakeFrame(const Given& given)
{
    auto frame = new Frame;
    frame->opcode = given.opcode;
    frame->psn = given.psn & 0xffffff;
    frame->payloadBytes = given.payload;
    frame->dmaBytes = given.dmaBytes;
    frame->immediate = given.immediate;
    frame->ackRequest = given.ackRequest;
    frame->ecn = given.marked ? Ecn::CE : Ecn::ECT0;
    frame->ipVersion = given.ipVersion;
    frame->srcPort = given.ev & 0xffff;
    frame->flowLabel = given.ev >> 16;
    frame->telemetryKind = TelemetryKind::MRC;
    MrcHeader& header = frame->telemetry.mrc = {};
    header.stamped = true;
    header.time = given.time;
    header.repeated = given.repeated;
    header.msn = given.msn;
    header.rqMsn = given.rqMsn;
    if (given.trim != Trim::NONE)
    {
        TrimFrame(*frame, LEAST_TRIM_BYTES, given.trim);
    }
    return frame;
}

/// What an answer says.
struct Answer
{
    RoceOpcode opcode;
    uint64_t psn;
    uint32_t msn;
    uint8_t syndrome;
    uint32_t payload;
    MrcHeader header;
};

/// A responder, and what its user sees.
struct Receiver : public RdmaCompletionSink
{
    Receiver()
        : responder(end, terms, mrc)
    {
        end.connection.ticksPerSecond = terms.ticksPerSecond = 1000000000;
        end.counters = &counters;
        end.sink = this;
        terms.transportAcks = false;
    }

    void RequestCompleted(const RdmaCompletion&) override
    {
    }

    void MessageReceived(const RdmaCompletion& completion) override
    {
        ended.push_back(completion);
        if (onEnd)
        {
            onEnd();
        }
    }

    /// @param frame the answer, or null @return what it says
    static std::optional<Answer> Read(Frame* frame)
    {
        if (!frame)
        {
            return std::nullopt;
        }
        const Answer answer{frame->opcode,
                            frame->psn,
                            frame->msn,
                            frame->syndrome,
                            frame->payloadBytes,
                            frame->telemetry.mrc};
        EXPECT_EQ(answer.payload, 0U);
        frame->Release();
        return answer;
    }

    std::optional<Answer> Give(const Given& given)
    {
        return Read(responder.Receive(MakeFrame(given), now));
    }

    /// @param first PSN @param last PSN, likewise given
    void GiveAll(uint64_t first, uint64_t last)
    {
        for (uint64_t psn = first; psn <= last; ++psn)
        {
            Give({psn});
        }
    }

    /// @return a SACK, for which nothing has come
    Answer Sack()
    {
        Given probe;
        probe.opcode = RoceOpcode::MRC_PROBE;
        probe.payload = 0;
        return *Read(responder.AnswerProbe(MakeFrame(probe)));
    }

    RdmaEnd end;
    RdmaCounters counters;
    MrcTerms terms;
    MrcCounters mrc;
    MrcResponder responder;
    int64_t now{0};
    std::vector<RdmaCompletion> ended;
    std::function<void()> onEnd;
};

/// @param answer of a responder @param reason why @param psn of the packet
void
ExpectNack(const std::optional<Answer>& answer, MrcReason reason, uint64_t psn)
{
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->opcode, RoceOpcode::MRC_NACK);
    EXPECT_EQ(answer->header.reason, reason);
    EXPECT_EQ(answer->psn, psn);
}

/// @param answer of a responder @return whether it is a SACK
bool
IsSack(const std::optional<Answer>& answer)
{
    return answer && answer->opcode == RoceOpcode::MRC_SACK;
}

/// @param sack a SACK @param cack as of the sheet @param base likewise @param bitmap likewise
/// @param outOfOrder likewise
void
ExpectSack(const Answer& sack, int64_t cack, int64_t base, uint64_t bitmap, uint32_t outOfOrder)
{
    EXPECT_EQ(sack.opcode, RoceOpcode::MRC_SACK);
    EXPECT_EQ(sack.psn, static_cast<uint64_t>(cack) & 0xffffff);
    EXPECT_EQ(sack.header.base, base - cack);
    EXPECT_EQ(sack.header.bitmap, bitmap);
    EXPECT_EQ(sack.header.outOfOrder, outOfOrder);
}

/// @param number of the message, a WRITE of one packet @return its packet
Given
OnlyPacket(uint64_t number)
{
    Given given;
    given.psn = number;
    given.opcode = RoceOpcode::MRC_WRITE_ONLY;
    given.msn = number & 0xffff;
    given.payload = given.dmaBytes = 8;
    return given;
}

/// @param number of the message, a WRITE_IMM of one packet, as are all others @return its packet
Given
OnlyImmediate(uint64_t number)
{
    Given given = OnlyPacket(number);
    given.opcode = RoceOpcode::MRC_WRITE_ONLY_IMM;
    given.rqMsn = given.msn;
    given.immediate = 100 + number;
    return given;
}

/// A message of which packets are sent.
struct Message
{
    int64_t last;
    uint64_t bytes;
    uint32_t immediate;
    bool isImmediate;
};

/// Random messages of a requester, as packets.
class Sender
{
  public:
    explicit Sender(std::mt19937& random)
        : m_random(random)
    {
    }

    /// @param psn of a packet @return the packet
    const Given& Packet(int64_t psn)
    {
        while (psn >= static_cast<int64_t>(m_packets.size()))
        {
            Post();
        }
        return m_packets[psn];
    }

    /// @return packets of all messages so far
    int64_t GetPackets() const
    {
        return m_packets.size();
    }

    std::vector<Message> messages;

  private:
    void Post()
    {
        const uint32_t packets = 1 + m_random() % 12;
        const uint32_t rest = 1 + m_random() % MTU;
        const bool isImmediate = m_random() % 2;
        const uint32_t immediate = isImmediate ? m_random() : 0;
        const uint64_t bytes = uint64_t{packets - 1} * MTU + rest;
        for (uint32_t i = 0; i < packets; ++i)
        {
            const bool isLast = i + 1 == packets;
            Given given{m_packets.size()};
            given.opcode =
                !isLast ? (i > 0 ? RoceOpcode::MRC_WRITE_MIDDLE : RoceOpcode::MRC_WRITE_FIRST)
                : i > 0
                    ? (isImmediate ? RoceOpcode::MRC_WRITE_LAST_IMM : RoceOpcode::MRC_WRITE_LAST)
                    : (isImmediate ? RoceOpcode::MRC_WRITE_ONLY_IMM : RoceOpcode::MRC_WRITE_ONLY);
            given.payload = isLast ? rest : MTU;
            given.msn = messages.size();
            given.rqMsn = m_immediates;
            given.dmaBytes = bytes;
            given.immediate = immediate;
            m_packets.push_back(given);
        }
        messages.push_back({GetPackets() - 1, bytes, immediate, isImmediate});
        m_immediates += isImmediate;
    }

    std::mt19937& m_random;
    std::vector<Given> m_packets;
    uint16_t m_immediates{0};
};

/// What a responder should do: class Responder of the sheet's script, with messages.
struct Model
{
    int64_t cack{-1};
    int64_t high{-1};
    std::set<int64_t> have;
    std::set<int64_t> told;
    uint64_t nominal{0};
    uint64_t payload{0};
    uint64_t count{0};
    uint64_t duplicates{0};
    std::size_t ended{0};
    uint32_t immediates{0}; //!< of these

    /// @param psn a PSN @return whether its packet has arrived
    bool Has(int64_t psn) const
    {
        return psn <= cack || have.count(psn);
    }

    /// @param given a new packet
    void Place(const Given& given)
    {
        const auto psn = static_cast<int64_t>(given.psn);
        have.insert(psn);
        high = std::max(high, psn);
        for (; have.erase(cack + 1); ++cack)
        {
            told.erase(cack + 1);
        }
        count += std::max(given.payload, 1024U);
        payload += given.payload;
        // BTH, METH, TSETH, RETH, ICRC; immediate data
        nominal += (given.payload + 3) / 4 * 4 + 12 + 4 + 4 + 16 + 4 + 40 +
                   (HasImmediate(given.opcode) ? 4 : 0);
    }

    /// @param sack what the responder sends
    void CheckSack(const Answer& sack)
    {
        std::vector<int64_t> fresh;
        std::set_difference(have.begin(),
                            have.end(),
                            told.begin(),
                            told.end(),
                            std::back_inserter(fresh));
        const int64_t low = fresh.empty() ? high : fresh[0];
        const int64_t base = std::max(cack + 1, std::min(low, high - 63));
        uint64_t bits = 0;
        for (int i = 0; i < 64; ++i)
        {
            if (have.count(base + i))
            {
                bits |= uint64_t{1} << i;
                told.insert(base + i);
            }
        }
        count = have == told ? 0 : count;
        ExpectSack(sack, cack, base, bits, have.size());
        EXPECT_EQ(sack.header.received, (nominal + 255) / 256);
    }
};

/// @param random source @return a packet that arrives next: the one that is missing, another one of
/// the window, an old one, or one beyond @param model what has arrived @param window packets
int64_t
DrawPsn(std::mt19937& random, const Model& model, int64_t window)
{
    const uint32_t draw = random() % 100;
    const int64_t psn = draw < 35   ? model.cack + 1
                        : draw < 75 ? model.cack + 1 + random() % 100
                        : draw < 80 ? model.cack + window + 1 + random() % 5
                        : draw < 90 ? model.cack - random() % 200
                                    : model.cack + window - random() % 3;
    return std::max<int64_t>(psn, 0);
}

/// Give a packet to a responder, and check all that the responder does.
/// @param receiver the responder @param model of the receiver @param given the packet @param sender
/// of the packet
void
Step(Receiver& receiver, Model& model, const Given& given, const Sender& sender)
{
    const auto psn = static_cast<int64_t>(given.psn);
    const uint32_t receives = receiver.responder.GetReceives();
    const std::size_t endedBefore = model.ended;
    const auto answer = receiver.Give(given);
    if (model.Has(psn))
    {
        ++model.duplicates;
        ASSERT_TRUE(IsSack(answer));
    }
    else if (given.trim != Trim::NONE)
    {
        ExpectNack(answer,
                   given.trim == Trim::ON_PATH ? MrcReason::TRIMMED : MrcReason::TRIMMED_LAST_HOP,
                   psn);
    }
    else if (psn > model.cack + int64_t{receiver.terms.window} * 128)
    {
        ExpectNack(answer, MrcReason::OUT_OF_WINDOW, psn);
    }
    else if (HasImmediate(given.opcode) && given.rqMsn - model.immediates >= receives)
    {
        ExpectNack(answer, MrcReason::NO_RESOURCE, psn);
    }
    else
    {
        model.Place(given);
        for (; sender.messages[model.ended].last <= model.cack; ++model.ended)
        {
            model.immediates += sender.messages[model.ended].isImmediate;
        }
        const bool wantsSack = given.ackRequest || given.repeated || given.marked ||
                               model.count > receiver.terms.sackBytes;
        const bool wantsAck = receiver.terms.transportAcks && model.ended > endedBefore;
        ASSERT_EQ(IsSack(answer), wantsSack);
        ASSERT_EQ(answer.has_value(), wantsSack || wantsAck);
        if (answer && !wantsSack)
        {
            ASSERT_EQ(answer->opcode, RoceOpcode::MRC_ACKNOWLEDGE);
            ASSERT_EQ(answer->psn, static_cast<uint64_t>(model.cack));
            ASSERT_EQ(answer->msn, model.ended);
        }
    }
    if (IsSack(answer))
    {
        model.CheckSack(*answer);
        EXPECT_EQ(answer->header.acked, psn - model.cack);
        EXPECT_EQ(answer->header.mark, given.marked ? MrcMark::SKIP_ONCE : MrcMark::NONE);
    }
    ASSERT_TRUE(!answer || answer->opcode == RoceOpcode::MRC_ACKNOWLEDGE ||
                (answer->header.ev == given.ev && answer->header.repeated == given.repeated));
    ASSERT_EQ(receiver.responder.GetCack(), model.cack);
    ASSERT_EQ(receiver.responder.GetOutOfOrder(), model.have.size());
    ASSERT_EQ(receiver.counters.duplicates, model.duplicates);
    ASSERT_EQ(receiver.counters.payloadDelivered, model.payload);
    ASSERT_EQ(receiver.ended.size(), model.ended);
    for (std::size_t i = endedBefore; i < model.ended; ++i)
    {
        const RdmaCompletion& ended = receiver.ended[i];
        const Message& message = sender.messages[i];
        ASSERT_EQ(ended.id, i);
        ASSERT_EQ(ended.bytes, message.bytes);
        ASSERT_EQ(ended.immediate, message.immediate);
        ASSERT_EQ(ended.verb, message.isImmediate ? RdmaVerb::WRITE_IMM : RdmaVerb::WRITE);
    }
}

} // namespace

TEST(MrcResponder, NominalBytes)
{
    const auto nominal = [](uint32_t payload, bool stamped, RoceOpcode opcode, uint8_t ipVersion) {
        Given given;
        given.payload = payload;
        given.opcode = opcode;
        given.ipVersion = ipVersion;
        Frame* frame = MakeFrame(given);
        frame->telemetry.mrc.stamped = stamped;
        const uint32_t bytes = MrcResponder::NominalBytes(*frame);
        frame->Release();
        return bytes;
    };
    EXPECT_EQ(nominal(4096, true, RoceOpcode::MRC_WRITE_MIDDLE, 6), 4176U);
    EXPECT_EQ(nominal(4096, true, RoceOpcode::MRC_WRITE_FIRST, 4), 4176U);
    EXPECT_EQ(nominal(4096, false, RoceOpcode::MRC_WRITE_LAST, 6), 4172U);
    EXPECT_EQ(nominal(1024, true, RoceOpcode::MRC_WRITE_MIDDLE, 6), 1104U);
    EXPECT_EQ(nominal(2, true, RoceOpcode::MRC_WRITE_ONLY, 6), 84U);
    EXPECT_EQ(nominal(2, true, RoceOpcode::MRC_WRITE_ONLY_IMM, 6), 88U);
}

TEST(MrcResponder, Window)
{
    Receiver receiver;
    receiver.GiveAll(0, 99);
    EXPECT_EQ(receiver.responder.GetCack(), 99);
    receiver.Give({100});
    receiver.Give({1124});
    EXPECT_EQ(receiver.responder.GetOutOfOrder(), 1U); // the last of the window
    ExpectNack(receiver.Give({1125}), MrcReason::OUT_OF_WINDOW, 1125);
    EXPECT_EQ(receiver.counters.duplicates, 0U);
    EXPECT_TRUE(IsSack(receiver.Give({99})));
    EXPECT_TRUE(IsSack(receiver.Give({1124})));
    EXPECT_EQ(receiver.counters.duplicates, 2U);
    receiver.GiveAll(102, 103);
    EXPECT_EQ(receiver.responder.GetCack(), 100);
    EXPECT_EQ(receiver.responder.GetOutOfOrder(), 3U);
    EXPECT_EQ(receiver.mrc.outOfWindow, 1U);
    EXPECT_EQ(receiver.mrc.nacksSent, 1U);
    EXPECT_EQ(receiver.counters.naksSent, 1U);
    EXPECT_EQ(receiver.counters.outOfOrder, 3U);
    EXPECT_EQ(receiver.counters.reorderDistance, 1023U);
    EXPECT_EQ(receiver.counters.payloadDelivered, 104U * MTU);
    // Half the number space behind, a packet cannot be told from one to come: not a word.
    EXPECT_FALSE(receiver.Give({100 + (1 << 23)}));
    ExpectNack(receiver.Give({99 + (1 << 23)}), MrcReason::OUT_OF_WINDOW, 99 + (1 << 23));
}

TEST(MrcResponder, WindowOfItsTerms)
{
    Receiver receiver;
    receiver.terms.window = 9; // not a power of two
    receiver.Give({1151});
    ExpectNack(receiver.Give({1152}), MrcReason::OUT_OF_WINDOW, 1152);
    receiver.GiveAll(0, 1150);
    EXPECT_EQ(receiver.responder.GetCack(), 1151);
    EXPECT_EQ(receiver.responder.GetOutOfOrder(), 0U);
}

TEST(MrcResponder, SackContents)
{
    constexpr uint64_t ALL = ~uint64_t{0};
    Receiver two; // 5 and 8 of 0 .. 11 are lost
    two.terms.sackBytes = 1 << 30;
    for (uint64_t psn : {0, 1, 2, 3, 4, 6, 7, 9, 10, 11})
    {
        two.Give({psn});
    }
    ExpectSack(two.Sack(), 4, 5, 0x76, 5);
    Receiver none;
    none.GiveAll(0, 7);
    ExpectSack(none.Sack(), 7, 8, 0, 0);
    Receiver many; // 0 is lost
    many.terms.sackBytes = 1 << 30;
    many.GiveAll(1, 70);
    ExpectSack(many.Sack(), -1, 1, ALL, 70);
    ExpectSack(many.Sack(), -1, 7, ALL, 70);
    ExpectSack(many.Sack(), -1, 7, ALL, 70);
    Receiver far; // 0 is lost, 1 and 200 arrive
    far.terms.sackBytes = 1 << 30;
    far.Give({1});
    far.Give({200});
    ExpectSack(far.Sack(), -1, 1, 1, 2);
    ExpectSack(far.Sack(), -1, 137, 0x8000000000000000, 2);
    ExpectSack(far.Sack(), -1, 137, 0x8000000000000000, 2);
    // 1025 has the place of 1, of which a SACK has told.
    far.Give({0});
    far.GiveAll(2, 199);
    far.Give({1025});
    far.Give({1200});
    ExpectSack(far.Sack(), 200, 1025, 1, 2);
}

TEST(MrcResponder, SackTrigger)
{
    const auto packet = [](uint32_t payload) {
        Receiver receiver;
        Given given;
        given.payload = payload;
        while (!receiver.Give(given))
        {
            ++given.psn;
        }
        EXPECT_EQ(receiver.mrc.sacksSent, 1U);
        EXPECT_EQ(receiver.counters.acksSent, 1U);
        const uint64_t first = given.psn;
        do // The count begins anew.
        {
            ++given.psn;
        } while (!receiver.Give(given));
        EXPECT_EQ(given.psn, 2 * first + 1);
        return first + 1;
    };
    EXPECT_EQ(packet(4096), 5U);
    EXPECT_EQ(packet(512), 17U);
    for (auto cause : {&Given::ackRequest, &Given::repeated, &Given::marked})
    {
        Receiver receiver;
        Given given;
        EXPECT_FALSE(receiver.Give(given));
        given.psn = 1;
        given.*cause = true;
        EXPECT_TRUE(IsSack(receiver.Give(given)));
    }
}

TEST(MrcResponder, SacksGoOnUntilAllIsTold)
{
    Receiver receiver;
    receiver.terms.sackBytes = 1 << 30;
    receiver.GiveAll(1, 100); // 0 is lost
    receiver.terms.sackBytes = 16384;
    EXPECT_TRUE(IsSack(receiver.Give({101})));
    EXPECT_TRUE(IsSack(receiver.Give({102}))); // tells of 65 .. 102
    EXPECT_FALSE(receiver.Give({103}));
}

TEST(MrcResponder, SackTellsOfItsCause)
{
    Receiver receiver; // as the bytes of sheet 16, section 2
    for (uint64_t psn : {0, 1, 2, 3, 4, 6, 7, 9, 10})
    {
        receiver.Give({psn});
    }
    Given cause{11};
    cause.marked = true;
    cause.time = 0x1234;
    cause.ev = 0x50003;
    const auto sack = receiver.Give(cause);
    ASSERT_TRUE(sack);
    ExpectSack(*sack, 4, 5, 0x76, 5);
    EXPECT_EQ(sack->header.acked, 7);
    EXPECT_EQ(sack->header.mark, MrcMark::SKIP_ONCE);
    EXPECT_EQ(sack->header.ev, 0x50003U);
    EXPECT_EQ(sack->header.time, 0x1234);
    EXPECT_EQ(sack->header.received, 164U); // 41760 bytes
    EXPECT_EQ(sack->header.window, 0);
    EXPECT_FALSE(sack->header.repeated);
    EXPECT_FALSE(sack->header.answersProbe);
    cause.marked = false;
    cause.repeated = true;
    cause.ipVersion = 4;
    const auto again = receiver.Give(cause);
    ASSERT_TRUE(IsSack(again));
    EXPECT_TRUE(again->header.repeated);
    EXPECT_EQ(again->header.mark, MrcMark::NONE);
    EXPECT_EQ(again->header.ev, 3U);
    EXPECT_EQ(again->header.received, 164U); // each packet once
    EXPECT_EQ(receiver.counters.payloadDelivered, 10U * MTU);
}

TEST(MrcResponder, AnswersAProbe)
{
    Receiver receiver;
    receiver.GiveAll(0, 1);
    receiver.Give({3});
    Given probe;
    probe.opcode = RoceOpcode::MRC_PROBE;
    probe.payload = 0;
    probe.time = 0x100;
    probe.ev = 0x20007;
    probe.marked = true;
    Frame* frame = MakeFrame(probe);
    frame->telemetry.mrc.probe = 9;
    const auto sack = Receiver::Read(receiver.responder.AnswerProbe(frame));
    ASSERT_TRUE(sack);
    ExpectSack(*sack, 1, 2, 2, 1);
    EXPECT_TRUE(sack->header.answersProbe);
    EXPECT_EQ(sack->header.probe, 9);
    EXPECT_EQ(sack->header.time, 0x100);
    EXPECT_EQ(sack->header.ev, 0x20007U);
    EXPECT_EQ(sack->header.mark, MrcMark::SKIP_ONCE);
    EXPECT_EQ(receiver.mrc.sacksSent, 1U);
}

TEST(MrcResponder, NacksTrimmedPackets)
{
    Receiver receiver;
    receiver.Give({0});
    Given given{5};
    given.trim = Trim::ON_PATH;
    given.time = 0x1234;
    given.ev = 0x50003;
    given.repeated = true;
    const auto nack = receiver.Give(given);
    ExpectNack(nack, MrcReason::TRIMMED, 5);
    EXPECT_EQ(nack->header.ev, 0x50003U);
    EXPECT_EQ(nack->header.time, 0x1234);
    EXPECT_TRUE(nack->header.repeated);
    given.trim = Trim::LAST_HOP;
    ExpectNack(receiver.Give(given), MrcReason::TRIMMED_LAST_HOP, 5);
    EXPECT_EQ(receiver.responder.GetOutOfOrder(), 0U);
    EXPECT_EQ(receiver.counters.payloadDelivered, uint64_t{MTU});
    // Of a packet that is here, a SACK says so.
    receiver.Give({5});
    EXPECT_TRUE(IsSack(receiver.Give(given)));
    given.psn = 0;
    EXPECT_TRUE(IsSack(receiver.Give(given)));
    EXPECT_EQ(receiver.counters.duplicates, 2U);
    receiver.terms.trimNack = false;
    given.psn = 1;
    EXPECT_FALSE(receiver.Give(given));
    EXPECT_EQ(receiver.mrc.nacksSent, 2U);
    EXPECT_EQ(receiver.responder.GetCack(), 0);
}

TEST(MrcResponder, MessagesEndInOrder)
{
    Receiver receiver;
    receiver.terms.transportAcks = true;
    receiver.responder.PostReceive(1);
    // Message 0: PSN 0 to 2; message 1: PSN 3, a WRITE_IMM; message 2: PSN 4 and 5.
    receiver.now = 10;
    Given third{5, RoceOpcode::MRC_WRITE_LAST};
    third.msn = 2;
    EXPECT_FALSE(receiver.Give(third));
    Given second = OnlyImmediate(3);
    second.msn = 1;
    second.rqMsn = 0;
    receiver.now = 20;
    EXPECT_FALSE(receiver.Give(second));
    Given first{2, RoceOpcode::MRC_WRITE_LAST};
    first.dmaBytes = 2 * MTU + 100;
    first.payload = 100;
    receiver.now = 30;
    EXPECT_FALSE(receiver.Give(first));
    first.payload = MTU;
    first.psn = 0;
    first.opcode = RoceOpcode::MRC_WRITE_FIRST;
    EXPECT_FALSE(receiver.Give(first));
    EXPECT_TRUE(receiver.ended.empty());
    EXPECT_EQ(receiver.responder.GetReceives(), 1U);
    first.psn = 1;
    first.opcode = RoceOpcode::MRC_WRITE_MIDDLE;
    receiver.now = 40;
    const auto ack = receiver.Give(first);
    ASSERT_TRUE(ack);
    EXPECT_EQ(ack->opcode, RoceOpcode::MRC_ACKNOWLEDGE);
    EXPECT_EQ(ack->syndrome, 0x1f);
    EXPECT_EQ(ack->psn, 3U);
    EXPECT_EQ(ack->msn, 2U);
    ASSERT_EQ(receiver.ended.size(), 2U);
    EXPECT_EQ(receiver.ended[0].id, 0U);
    EXPECT_EQ(receiver.ended[0].verb, RdmaVerb::WRITE);
    EXPECT_EQ(receiver.ended[0].bytes, 2U * MTU + 100);
    EXPECT_EQ(receiver.ended[0].posted, TimeStep(30));
    EXPECT_EQ(receiver.ended[0].firstSent, TimeStep(30));
    EXPECT_EQ(receiver.ended[0].completed, TimeStep(40));
    EXPECT_EQ(receiver.ended[1].id, 1U);
    EXPECT_EQ(receiver.ended[1].verb, RdmaVerb::WRITE_IMM);
    EXPECT_EQ(receiver.ended[1].immediate, 103U);
    EXPECT_EQ(receiver.ended[1].bytes, 8U);
    EXPECT_EQ(receiver.ended[1].posted, TimeStep(20));
    EXPECT_EQ(receiver.responder.GetReceives(), 0U);
    EXPECT_EQ(receiver.responder.GetMessages(), 2U);
    EXPECT_EQ(receiver.responder.GetOutOfOrder(), 1U);
    EXPECT_EQ(receiver.counters.acksSent, 1U);
    EXPECT_EQ(receiver.mrc.sacksSent, 0U);
}

TEST(MrcResponder, ASackTakesThePlaceOfATransportAck)
{
    Receiver receiver;
    EXPECT_FALSE(receiver.Give(OnlyPacket(0)));
    receiver.terms.transportAcks = true;
    EXPECT_EQ(receiver.Give(OnlyPacket(1))->opcode, RoceOpcode::MRC_ACKNOWLEDGE);
    Given given = OnlyPacket(2);
    given.ackRequest = true;
    EXPECT_TRUE(IsSack(receiver.Give(given)));
    EXPECT_EQ(receiver.ended.size(), 3U);
}

TEST(MrcResponder, AWriteWithImmediateNeedsAReceive)
{
    Receiver receiver;
    ExpectNack(receiver.Give(OnlyImmediate(0)), MrcReason::NO_RESOURCE, 0);
    EXPECT_EQ(receiver.responder.GetCack(), -1);
    EXPECT_EQ(receiver.counters.payloadDelivered, 0U);
    receiver.responder.PostReceive(1);
    // The receive is for message 0, whichever comes first.
    ExpectNack(receiver.Give(OnlyImmediate(1)), MrcReason::NO_RESOURCE, 1);
    receiver.onEnd = [&receiver] { receiver.responder.PostReceive(2); };
    EXPECT_FALSE(receiver.Give(OnlyImmediate(0)));
    EXPECT_FALSE(receiver.Give(OnlyImmediate(2)));
    ExpectNack(receiver.Give(OnlyImmediate(3)), MrcReason::NO_RESOURCE, 3);
    EXPECT_EQ(receiver.responder.GetReceives(), 2U);
    EXPECT_FALSE(receiver.Give(OnlyImmediate(1)));
    EXPECT_EQ(receiver.responder.GetReceives(), 4U);
    ASSERT_EQ(receiver.ended.size(), 3U);
    for (uint32_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(receiver.ended[i].immediate, 100 + i);
    }
}

TEST(MrcResponder, NumbersOfMessagesWrap)
{
    constexpr uint64_t MESSAGES = 70000; // of 65536
    Receiver receiver;
    receiver.terms.sackBytes = 1 << 30;
    receiver.responder.PostReceive(3);
    receiver.onEnd = [&receiver] { receiver.responder.PostReceive(1); };
    for (uint64_t number = 0; number < MESSAGES; number += 2)
    {
        receiver.Give(OnlyImmediate(number + 1));
        receiver.Give(OnlyImmediate(number));
    }
    ASSERT_EQ(receiver.ended.size(), MESSAGES);
    EXPECT_EQ(receiver.ended.back().id, MESSAGES - 1);
    EXPECT_EQ(receiver.ended.back().immediate, 100 + MESSAGES - 1);
    EXPECT_EQ(receiver.counters.naksSent, 0U);
    // An offset of 16 bits cannot tell of an old packet: it must not name one that is yet to come.
    const int64_t cack = receiver.responder.GetCack();
    EXPECT_EQ(receiver.Give(OnlyImmediate(cack - 32768))->header.acked, -32768);
    EXPECT_LT(receiver.Give(OnlyImmediate(cack - 65530))->header.acked, 0);
}

TEST(MrcResponder, NumbersOfPacketsWrap)
{
    constexpr int64_t SPACE = 1 << 24;
    Receiver receiver;
    receiver.terms.sackBytes = 1 << 30;
    for (int64_t psn = 0; psn < SPACE - 3; ++psn)
    {
        receiver.Give({static_cast<uint64_t>(psn)});
    }
    ASSERT_EQ(receiver.responder.GetCack(), SPACE - 4);
    Given beyond{SPACE + 1};
    beyond.ackRequest = true;
    const auto sack = receiver.Give(beyond);
    ASSERT_TRUE(sack);
    ExpectSack(*sack, SPACE - 4, SPACE - 3, 0x10, 1);
    EXPECT_EQ(sack->header.acked, 5);
    EXPECT_TRUE(IsSack(receiver.Give({SPACE + 1})));
    EXPECT_TRUE(IsSack(receiver.Give({SPACE - 5})));
    EXPECT_EQ(receiver.counters.duplicates, 2U);
    receiver.GiveAll(SPACE - 3, SPACE);
    EXPECT_EQ(receiver.responder.GetCack(), SPACE + 1);
    const Answer last = receiver.Sack();
    EXPECT_EQ(last.psn, 1U);
    // 2^24 + 2 packets of 4176 bytes, in units of 256 bytes, mod 2^24
    EXPECT_EQ(last.header.received, ((((SPACE + 2) * 4176 + 255) / 256) & 0xffffff));
}

TEST(MrcResponder, RandomArrivals)
{
    constexpr uint32_t SEEDS = 8;
    constexpr int ARRIVALS = 10000;
    const uint32_t seeds = tests::GetCases(SEEDS);
    std::cout << seeds << " cases of " << SEEDS << '\n';
    for (uint32_t seed = 0; seed < seeds; ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        Sender sender(random);
        Receiver receiver;
        receiver.terms.window = 1 + seed % 3;
        receiver.terms.sackBytes = seed % 2 ? 16384 : 100000;
        receiver.terms.transportAcks = seed / 2 % 2;
        receiver.onEnd = [&receiver, &random] { receiver.responder.PostReceive(random() % 2); };
        Model model;
        for (int i = 0; i < ARRIVALS; ++i)
        {
            Given given = sender.Packet(DrawPsn(random, model, receiver.terms.window * 128));
            given.ackRequest = random() % 20 == 0;
            given.repeated = random() % 20 == 0;
            given.marked = random() % 20 == 0;
            given.trim = random() % 10 ? Trim::NONE : random() % 2 ? Trim::ON_PATH : Trim::LAST_HOP;
            given.ev = random();
            ASSERT_NO_FATAL_FAILURE(Step(receiver, model, given, sender));
            ASSERT_FALSE(testing::Test::HasFailure());
            receiver.responder.PostReceive(random() % 20 == 0);
        }
        EXPECT_GT(model.cack, ARRIVALS / 5);
        // Now the rest comes.
        const int64_t all = sender.GetPackets();
        const std::size_t messages = sender.messages.size();
        sender.Packet(all); // one more message, which Step() sees not to be there
        receiver.responder.PostReceive(messages);
        for (int64_t psn = model.cack + 1; psn < all; ++psn)
        {
            ASSERT_NO_FATAL_FAILURE(Step(receiver, model, sender.Packet(psn), sender));
        }
        EXPECT_EQ(receiver.ended.size(), messages);
    }
}
