// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-responder.h"

#include "psn.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MrcResponder");

namespace
{

constexpr uint32_t LEAST_COUNTED = 1024;      //!< bytes that a packet counts at least for a SACK
constexpr uint32_t MOST_OUT_OF_ORDER = 32767; //!< that MrcHeader::outOfOrder can tell

/// @param bits of PSNs, empty or a power of two of them @param psn a PSN @return whether its is set
bool
Test(const std::vector<uint64_t>& bits, int64_t psn)
{
    const uint64_t bit = psn & static_cast<int64_t>(bits.size() * 64 - 1);
    return !bits.empty() && (bits[bit / 64] >> bit % 64 & 1);
}

/// Set or clear the bit of a PSN. @param bits as of Test() @param psn the PSN @param value of the
/// bit
void
Put(std::vector<uint64_t>& bits, int64_t psn, bool value)
{
    const uint64_t bit = psn & static_cast<int64_t>(bits.size() * 64 - 1);
    bits[bit / 64] = (bits[bit / 64] & ~(uint64_t{1} << bit % 64)) | uint64_t{value} << bit % 64;
}

/// @param frame turned into its answer @param opcode of the answer @param psn of the answer
/// @param header of the answer @return the same
Frame*
Turn(Frame* frame, RoceOpcode opcode, int64_t psn, const MrcHeader& header)
{
    frame->opcode = opcode;
    frame->psn = Psn::Truncate(static_cast<uint64_t>(psn));
    frame->payloadBytes = 0;
    frame->telemetry.mrc = header;
    return frame;
}

} // namespace

MrcResponder::MrcResponder(const RdmaEnd& end, const MrcTerms& terms, MrcCounters& counters)
    : m_end(end),
      m_terms(terms),
      m_counters(counters)
{
}

void
MrcResponder::PostReceive(uint32_t count)
{
    m_receives += count;
}

uint32_t
MrcResponder::NominalBytes(const Frame& frame)
{
    constexpr uint32_t BESIDE = ETHERNET_OVERHEAD_BYTES + 20 + 8; // Ethernet, IPv4 and UDP
    constexpr uint32_t ADDED = 40;
    return RoceFrameBytes(frame.opcode, frame.payloadBytes, 4, false, frame.GetTelemetryBytes()) -
           BESIDE + ADDED;
}

Frame*
MrcResponder::Receive(Frame* frame, int64_t now)
{
    const int64_t distance = Psn::Distance(frame->psn, m_cack);
    const int64_t psn = m_cack + distance;
    frame->psn = static_cast<uint64_t>(psn);
    if (distance == -int64_t{Psn::HALF})
    {
        frame->Release(); // too old to be told from one to come
        return nullptr;
    }
    if (distance <= 0 || Has(psn))
    {
        m_end.counters->duplicates++;
        return Sack(frame);
    }
    if (frame->trim != Trim::NONE)
    {
        if (m_terms.trimNack)
        {
            return Nack(frame,
                        frame->trim == Trim::ON_PATH ? MrcReason::TRIMMED
                                                     : MrcReason::TRIMMED_LAST_HOP);
        }
        frame->Release();
        return nullptr;
    }
    if (distance > int64_t{m_terms.window} * MrcTerms::WINDOW_UNIT)
    {
        m_counters.outOfWindow++;
        return Nack(frame, MrcReason::OUT_OF_WINDOW);
    }
    // In the order of the messages: else a late one could find all receives taken by its followers,
    // which wait for the late one.
    const auto earlier = static_cast<uint16_t>(frame->telemetry.mrc.rqMsn - m_immediates);
    if (HasImmediate(frame->opcode) && earlier >= m_receives)
    {
        return Nack(frame, MrcReason::NO_RESOURCE);
    }
    if (distance > 1)
    {
        m_end.counters->NoteOutOfOrder(distance - 1);
    }
    NoteMessage(*frame, now);
    m_end.counters->payloadDelivered += frame->payloadBytes;
    m_received += NominalBytes(*frame);
    m_sackCount += std::max(frame->payloadBytes, LEAST_COUNTED);
    Place(psn);
    const bool wantsSack = m_sackCount > m_terms.sackBytes || frame->ackRequest ||
                           frame->telemetry.mrc.repeated || frame->ecn == Ecn::CE;
    const uint64_t before = m_messages;
    EndMessages(now); // user code
    if (wantsSack)
    {
        return Sack(frame);
    }
    if (m_messages == before || !m_terms.transportAcks)
    {
        frame->Release();
        return nullptr;
    }
    m_end.counters->acksSent++;
    frame->syndrome = aeth::ACK;
    frame->msn = Psn::Truncate(m_messages);
    return Turn(frame, RoceOpcode::MRC_ACKNOWLEDGE, m_cack, {});
}

bool
MrcResponder::Has(int64_t psn) const
{
    return psn <= m_highest && Test(m_here, psn);
}

void
MrcResponder::Place(int64_t psn)
{
    m_highest = std::max(m_highest, psn);
    if (psn > m_cack + 1)
    {
        if (m_here.empty())
        {
            std::size_t words = 1;
            while (words * 64 < std::size_t{m_terms.window} * MrcTerms::WINDOW_UNIT)
            {
                words *= 2;
            }
            m_here.resize(words);
            m_told.resize(words);
        }
        Put(m_here, psn, true);
        Put(m_told, psn, false);
        ++m_outOfOrder;
        ++m_untold;
        return;
    }
    for (++m_cack; Has(m_cack + 1); ++m_cack)
    {
        Put(m_here, m_cack + 1, false);
        --m_outOfOrder;
        m_untold -= !Test(m_told, m_cack + 1);
    }
}

void
MrcResponder::NoteMessage(const Frame& frame, int64_t now)
{
    const auto index =
        static_cast<int16_t>(frame.telemetry.mrc.msn - static_cast<uint16_t>(m_messages));
    NS_ASSERT_MSG(index >= 0, "a message that has ended has a packet that is new");
    while (m_open.Size() <= static_cast<uint32_t>(index))
    {
        m_open.Push({});
    }
    Message& message = m_open[index];
    message.firstAt = message.firstAt < 0 ? now : message.firstAt;
    message.bytes = frame.dmaBytes;
    if (IsLast(frame.opcode))
    {
        message.last = static_cast<int64_t>(frame.psn);
        message.isImmediate = HasImmediate(frame.opcode);
        message.immediate = message.isImmediate ? frame.immediate : 0;
    }
}

void
MrcResponder::EndMessages(int64_t now)
{
    while (!m_open.IsEmpty() && m_open[0].last >= 0 && m_open[0].last <= m_cack)
    {
        const Message message = m_open[0];
        m_open.PopFront();
        m_receives -= message.isImmediate;
        m_immediates += message.isImmediate;
        RdmaCompletion completion;
        completion.id = m_messages++;
        completion.verb = message.isImmediate ? RdmaVerb::WRITE_IMM : RdmaVerb::WRITE;
        completion.immediate = message.immediate;
        completion.bytes = message.bytes;
        completion.posted = TimeStep(message.firstAt);
        completion.firstSent = completion.posted;
        completion.completed = TimeStep(now);
        m_end.sink->MessageReceived(completion);
    }
}

Frame*
MrcResponder::Sack(Frame* frame)
{
    MrcHeader answer;
    const MrcHeader& of = frame->telemetry.mrc;
    answer.time = of.time;
    answer.repeated = of.repeated;
    answer.mark = frame->ecn == Ecn::CE ? MrcMark::SKIP_ONCE : MrcMark::NONE;
    answer.ev = EvOf(*frame);
    // Of a packet that is older than the field can tell: one before cack, too.
    answer.acked = static_cast<int16_t>(
        std::max<int64_t>(static_cast<int64_t>(frame->psn) - m_cack, INT16_MIN));
    // The lowest packet that no SACK has told of; without one the highest that has arrived.
    int64_t low = m_highest;
    for (int64_t psn = m_cack + 1; m_untold > 0 && psn < m_highest; ++psn)
    {
        if (Has(psn) && !Test(m_told, psn))
        {
            low = psn;
            break;
        }
    }
    const int64_t base = std::max(m_cack + 1, std::min(low, m_highest - MrcTerms::BITMAP + 1));
    for (int64_t i = 0; i < MrcTerms::BITMAP && base + i <= m_highest; ++i)
    {
        if (Has(base + i))
        {
            answer.bitmap |= uint64_t{1} << i;
            m_untold -= !Test(m_told, base + i);
            Put(m_told, base + i, true);
        }
    }
    m_sackCount = m_untold == 0 ? 0 : m_sackCount;
    answer.base = static_cast<int16_t>(base - m_cack);
    answer.outOfOrder = static_cast<uint16_t>(std::min(m_outOfOrder, MOST_OUT_OF_ORDER));
    constexpr uint32_t UNIT = MrcTerms::RECEIVED_UNIT;
    answer.received = Psn::Truncate((m_received + UNIT - 1) / UNIT);
    m_counters.sacksSent++;
    m_end.counters->acksSent++;
    return Turn(frame, RoceOpcode::MRC_SACK, m_cack, answer);
}

Frame*
MrcResponder::AnswerProbe(Frame* frame)
{
    const uint16_t probe = frame->telemetry.mrc.probe;
    Sack(frame);
    frame->telemetry.mrc.answersProbe = true;
    frame->telemetry.mrc.probe = probe;
    frame->telemetry.mrc.acked = 0;
    return frame;
}

Frame*
MrcResponder::Nack(Frame* frame, MrcReason reason)
{
    MrcHeader answer;
    answer.time = frame->telemetry.mrc.time;
    answer.repeated = frame->telemetry.mrc.repeated;
    answer.reason = reason;
    answer.ev = EvOf(*frame);
    m_counters.nacksSent++;
    m_end.counters->naksSent++;
    return Turn(frame, RoceOpcode::MRC_NACK, static_cast<int64_t>(frame->psn), answer);
}

} // namespace ns3
