// SPDX-License-Identifier: GPL-2.0-only

// The sending half of MRC: which packets a SACK shows to be lost, how long timeouts last, and that
// whatever becomes of packets, both halves end each message once, with no byte left in flight.

#include "ns3/mrc-probes.h"
#include "ns3/mrc-requester.h"
#include "ns3/mrc-responder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr int64_t US = 1000000; //!< ticks in a microsecond

/// What belongs to a queue pair of MRC, without ports.
struct MrcTestEnd : public RdmaCompletionSink
{
    MrcTestEnd()
    {
        end.connection.mtu = 4096;
        end.connection.ticksPerSecond = 1000000 * US;
        end.counters = &counters;
        end.sink = this;
        terms.ticksPerSecond = end.connection.ticksPerSecond;
        terms.timeoutTicks = 65536 * US / 1000;
        terms.reorderThreshold = 6;
    }

    void RequestCompleted(const RdmaCompletion& completion) override
    {
        completed.push_back(completion);
    }

    void MessageReceived(const RdmaCompletion& completion) override
    {
        received.push_back(completion);
    }

    /// @param count planes @param evs of each, all in rotation
    void MakePlanes(uint32_t count, uint32_t evs)
    {
        for (uint32_t plane = 0; plane < count; ++plane)
        {
            std::vector<uint32_t> values;
            for (uint32_t i = 0; i < evs; ++i)
            {
                values.push_back(plane << 8 | i);
            }
            planes.emplace_back(values, evs, 1, 3, nullptr);
        }
    }

    RdmaEnd end;
    RdmaCounters counters;
    MrcTerms terms;
    MrcCounters mrc;
    std::vector<MrcPlaneEvs> planes;
    std::vector<RdmaCompletion> completed;
    std::vector<RdmaCompletion> received;
};

/// A requester that has sent packets, one EV for each.
struct Sender : public MrcTestEnd
{
    explicit Sender(uint32_t packets, uint32_t evs = 64)
    {
        MakePlanes(1, evs);
        requester = std::make_unique<MrcRequester>(end, terms, mrc, planes);
        RdmaWorkRequest request;
        request.bytes = uint64_t{packets} * 4096;
        requester->Post(request, 0);
        for (uint32_t i = 0; i < packets; ++i)
        {
            Build(0);
        }
    }

    /// @param now tick @return PSN of the packet that is sent next, and whether a repeat
    std::pair<uint64_t, bool> Build(int64_t now)
    {
        Frame* frame = requester->Build(0, planes[0].Choose(), 0, now);
        const std::pair<uint64_t, bool> built{frame->psn, frame->telemetry.mrc.repeated};
        frame->Release();
        return built;
    }

    /// @param cack highest PSN before which nothing is missing @param bitmap of those from cack + 1
    /// on
    /// @param now tick @return what the requester makes of it
    MrcRequester::Outcome Sack(int64_t cack, uint64_t bitmap, int64_t now = 10 * US)
    {
        Frame frame;
        frame.opcode = RoceOpcode::MRC_SACK;
        frame.psn = cack & 0xffffff;
        frame.telemetryKind = TelemetryKind::MRC;
        frame.telemetry.mrc = {};
        frame.telemetry.mrc.base = 1;
        frame.telemetry.mrc.bitmap = bitmap;
        const auto outcome = requester->OnSack(frame, 0, now);
        requester->Complete(now);
        return outcome;
    }

    std::unique_ptr<MrcRequester> requester;
};

TEST(MrcRequester, ThresholdVectors)
{
    // Sheet 16, section 4: sent 0..20, cack 4, SACKed 6 7 9..14.
    const std::map<uint32_t, std::vector<uint64_t>> lost{{6, {5, 8}}, {8, {5}}, {9, {}}};
    for (const auto& [threshold, expected] : lost)
    {
        Sender sender(21);
        sender.terms.lossRule = MrcTerms::THRESHOLD;
        sender.requester->SetReorderThreshold(threshold);
        sender.Sack(4, 0x3f6 >> 1 << 1);
        std::vector<uint64_t> repeats;
        while (sender.mrc.lost > repeats.size())
        {
            const auto [psn, isRepeat] = sender.Build(20 * US);
            EXPECT_TRUE(isRepeat);
            repeats.push_back(psn);
        }
        EXPECT_EQ(repeats, expected) << threshold;
    }
}

TEST(MrcRequester, LaterPacketOfTheSameEv)
{
    Sender sender(12, 4); // PSN p has EV p mod 4
    sender.terms.lossRule = MrcTerms::PER_EV;
    sender.Sack(0, 1 << 8); // PSN 9 has come: 1 and 5 were before it on its path
    EXPECT_EQ(sender.mrc.lost, 2U);
    EXPECT_EQ(sender.planes[0].GetState(1), MrcPlaneEvs::ASSUMED_BAD);
    EXPECT_EQ(sender.Build(20 * US), std::make_pair(uint64_t{1}, true));
    EXPECT_EQ(sender.Build(20 * US), std::make_pair(uint64_t{5}, true));
}

TEST(MrcRequester, AProbeThatCameThroughShowsALostTail)
{
    // Ten packets, each with an EV of its own; the last is lost, and nothing comes after it.
    Sender sender(10);
    sender.Sack(8, 0);
    EXPECT_EQ(sender.mrc.lost, 0U);
    EXPECT_EQ(sender.requester->WaitsSince(), 0);
    const auto waiting = sender.requester->GetWaiting();
    ASSERT_TRUE(waiting);
    EXPECT_EQ(waiting->ev, 9U) << "the way of the packet that waits";

    sender.requester->ProbePassed(*waiting);
    EXPECT_GT(sender.Sack(8, 0).lost, 0);
    EXPECT_EQ(sender.planes[0].GetState(9), MrcPlaneEvs::ASSUMED_BAD);
    EXPECT_EQ(sender.Build(20 * US), std::pair(uint64_t{9}, true));

    // The repeat left after the probe, in another class: another answer says nothing of it.
    sender.requester->ProbePassed(*waiting);
    EXPECT_EQ(sender.Sack(8, 0).lost, 0);
    sender.Sack(9, 0);
    EXPECT_FALSE(sender.requester->GetWaiting()) << "nothing is in flight";
    EXPECT_EQ(sender.requester->WaitsSince(), RDMA_NEVER);
}

TEST(MrcProbes, AsksOnceInASilence)
{
    MrcTestEnd end;
    end.MakePlanes(2, 4);
    MrcProbes probes(end.planes, end.mrc);
    probes.SetTimes(1000 * US, 36 * US);
    EXPECT_EQ(probes.NextAt(RDMA_NEVER), RDMA_NEVER) << "nothing is in flight";
    EXPECT_EQ(probes.NextAt(10 * US), 46 * US) << "from the packet that waits longest";
    probes.Heard(20 * US);
    EXPECT_EQ(probes.NextAt(10 * US), 56 * US) << "or from the last answer";
    MrcHeader answer;
    answer.answersProbe = true;
    const auto send = [&](uint32_t plane, uint32_t value, uint16_t number) {
        EXPECT_EQ(value, end.planes[plane].GetValue(2));
        answer.probe = number;
        return true;
    };
    const MrcRequester::Waiting waiting{1, 2, 3, 10 * US};
    probes.Ask(56 * US - 1, waiting, send);
    EXPECT_EQ(end.mrc.probesSent, 0U);
    probes.Ask(56 * US, waiting, send);
    EXPECT_EQ(end.mrc.probesSent, 1U);
    EXPECT_EQ(probes.NextAt(10 * US), RDMA_NEVER);
    MrcHeader other = answer;
    ++other.probe;
    EXPECT_FALSE(probes.TakeQuestion(other)) << "an answer to another probe";
    EXPECT_EQ(probes.TakeQuestion(answer)->ev, 2U);
    EXPECT_FALSE(probes.TakeQuestion(answer)) << "an answer that came twice";
    probes.Heard(70 * US);
    EXPECT_EQ(probes.NextAt(60 * US), 106 * US);
}

TEST(MrcRequester, TimeoutsOfOnePacket)
{
    // Sheet 16, section 4: t 6, 3 + 2 retries: 65.536 us x 4, then 131.072 and 262.144.
    Sender sender(1);
    sender.terms.linearRetries = 3;
    sender.terms.expRetries = 2;
    std::vector<int64_t> waits;
    for (int64_t now = 0;;)
    {
        const int64_t deadline = sender.requester->Deadline();
        waits.push_back((deadline - now) / (US / 1000));
        now = deadline;
        if (sender.requester->OnTimer(now).failed)
        {
            break;
        }
        ASSERT_LT(waits.size(), 10U);
        EXPECT_EQ(sender.Build(now), std::make_pair(uint64_t{0}, true));
    }
    EXPECT_EQ(waits, (std::vector<int64_t>{65536, 65536, 65536, 65536, 131072, 262144}));
}

TEST(MrcRequester, TimeoutsWithoutAPlane)
{
    Sender sender(1);
    sender.terms.linearRetries = 0;
    sender.terms.expRetries = 0;
    sender.requester->SetBlocked(true, 7 * US);
    const int64_t deadline = sender.requester->Deadline();
    EXPECT_EQ(deadline, 7 * US + sender.terms.timeoutTicks);
    EXPECT_TRUE(sender.requester->OnTimer(deadline).failed);
}

TEST(MrcRequester, OnlyWrites)
{
    Sender sender(1);
    RdmaWorkRequest request;
    request.bytes = 1;
    for (const RdmaVerb verb : {RdmaVerb::READ, RdmaVerb::SEND, RdmaVerb::SEND_IMM})
    {
        request.verb = verb;
        EXPECT_THROW(sender.requester->Post(request, 0), std::invalid_argument);
    }
}

/// Both halves, and between them paths that are FIFOs, each late by a time of its own, which lose,
/// trim and mark.
class MrcChannel
{
  public:
    explicit MrcChannel(uint32_t seed)
        : m_random(seed)
    {
        m_sender.MakePlanes(1 + Draw(4), 1 + Draw(12));
        m_sender.terms.lossRule =
            std::array{MrcTerms::THRESHOLD, MrcTerms::PER_EV, MrcTerms::BOTH}[Draw(3)];
        m_sender.terms.sackBytes = Draw(2) ? 16384 : 4096;
        m_sender.terms.transportAcks = Draw(2);
        m_sender.terms.trimNack = Draw(4);
        m_sender.terms.reorderThreshold = 5 + Draw(60);
        m_receiver.terms = m_sender.terms;
        m_loss = 0.05 * Draw(4) / 3;
        m_trim = m_sender.terms.trimNack ? 0.1 * Draw(3) / 2 : 0;
        m_requester = std::make_unique<MrcRequester>(m_sender.end,
                                                     m_sender.terms,
                                                     m_sender.mrc,
                                                     m_sender.planes);
        m_responder =
            std::make_unique<MrcResponder>(m_receiver.end, m_receiver.terms, m_receiver.mrc);
        m_responder->PostReceive(1000);
    }

    ~MrcChannel()
    {
        for (auto& [when, item] : m_flying)
        {
            item.frame->Release();
        }
    }

    void Run()
    {
        uint64_t bytes = 0;
        const uint32_t messages = 1 + Draw(30);
        for (uint32_t i = 0; i < messages; ++i)
        {
            RdmaWorkRequest request;
            request.verb = Draw(4) ? RdmaVerb::WRITE : RdmaVerb::WRITE_IMM;
            request.immediate = request.verb == RdmaVerb::WRITE_IMM ? i : 0;
            request.bytes = Draw(5) ? Draw(300000) : 0;
            bytes += request.bytes;
            m_requester->Post(request, m_now);
        }
        for (uint32_t steps = 0; m_requester->IsBusy(); ++steps)
        {
            ASSERT_LT(steps, 1000000U) << "it does not end";
            Step();
        }
        EXPECT_EQ(m_requester->InFlight(), 0U);
        EXPECT_EQ(m_receiver.counters.payloadDelivered, bytes);
        ASSERT_EQ(m_sender.completed.size(), messages);
        ASSERT_EQ(m_receiver.received.size(), messages);
        for (uint32_t i = 0; i < messages; ++i)
        {
            EXPECT_EQ(m_sender.completed[i].id, i + 1);
            EXPECT_EQ(m_sender.completed[i].status, RdmaStatus::SUCCESS);
            EXPECT_EQ(m_receiver.received[i].id, i);
            EXPECT_EQ(m_receiver.received[i].bytes, m_sender.completed[i].bytes);
            EXPECT_EQ(m_receiver.received[i].immediate, m_sender.completed[i].immediate);
            EXPECT_LE(m_receiver.received[i].completed, m_sender.completed[i].completed);
        }
    }

  private:
    /// A frame on its way.
    struct Item
    {
        Frame* frame;
        uint32_t plane;
        bool isAnswer;
    };

    uint64_t Draw(uint64_t below)
    {
        return m_random() % below;
    }

    bool Happens(double share)
    {
        return Draw(1000000) < share * 1e6;
    }

    /// One packet is sent, or time goes on to what comes next.
    void Step()
    {
        constexpr uint64_t WINDOW = 400000;
        const auto plane = static_cast<uint32_t>(Draw(m_sender.planes.size()));
        if (m_requester->CanSend(WINDOW) && m_sender.planes[plane].HasEv())
        {
            const uint16_t ev = m_sender.planes[plane].Choose();
            if (ev != MrcPlaneEvs::NONE)
            {
                Frame* frame = m_requester->Build(plane, ev, WINDOW, m_now);
                frame->srcPort = m_sender.planes[plane].GetValue(ev);
                Launch(frame, plane);
            }
            m_now += US / 10;
        }
        else
        {
            m_now += US;
        }
        while (!m_flying.empty() && m_flying.begin()->first <= m_now)
        {
            const Item item = m_flying.begin()->second;
            m_flying.erase(m_flying.begin());
            Arrive(item);
        }
        if (m_requester->Deadline() <= m_now)
        {
            m_requester->OnTimer(m_now);
            m_requester->Complete(m_now);
        }
    }

    void Launch(Frame* frame, uint32_t plane)
    {
        if (Happens(m_loss))
        {
            frame->Release();
            return;
        }
        frame->ecn = Happens(0.1) ? Ecn::CE : frame->ecn;
        frame->trim = !Happens(m_trim) ? Trim::NONE : Draw(2) ? Trim::ON_PATH : Trim::LAST_HOP;
        const int64_t delay = (1 + frame->srcPort % 7) * 2 * US;
        m_flying.insert({m_now + delay, {frame, plane, false}});
    }

    void Arrive(const Item& item)
    {
        if (!item.isAnswer)
        {
            Frame* answer = m_responder->Receive(item.frame, m_now);
            if (answer && Happens(m_loss))
            {
                answer->Release();
            }
            else if (answer)
            {
                const auto delay = static_cast<int64_t>(Draw(8) + 1) * US;
                m_flying.insert({m_now + delay, {answer, item.plane, true}});
            }
            return;
        }
        if (item.frame->opcode == RoceOpcode::MRC_SACK)
        {
            m_requester->OnSack(*item.frame, item.plane, m_now);
        }
        else if (item.frame->opcode == RoceOpcode::MRC_NACK)
        {
            m_requester->OnNack(*item.frame, m_now);
        }
        else
        {
            m_requester->OnAcknowledge(*item.frame);
        }
        m_requester->Complete(m_now);
        item.frame->Release();
    }

    std::mt19937_64 m_random;
    MrcTestEnd m_sender;
    MrcTestEnd m_receiver;
    std::unique_ptr<MrcRequester> m_requester;
    std::unique_ptr<MrcResponder> m_responder;
    std::multimap<int64_t, Item> m_flying;
    double m_loss{0};
    double m_trim{0};
    int64_t m_now{0};
};

TEST(MrcRequester, RandomChannels)
{
    for (uint32_t seed = 0; seed < 300; ++seed)
    {
        SCOPED_TRACE(seed);
        MrcChannel(seed).Run();
        if (HasFatalFailure())
        {
            return;
        }
    }
}

} // namespace
