// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-responder.h"

#include "psn.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaResponder");

namespace
{

/// @return whether the packet is a SEND
bool
IsSend(RoceOpcode opcode)
{
    return opcode <= RoceOpcode::SEND_ONLY_IMM;
}

/// @return the verb that a packet is of
RdmaVerb
VerbOf(RoceOpcode opcode)
{
    if (IsSend(opcode))
    {
        return HasImmediate(opcode) ? RdmaVerb::SEND_IMM : RdmaVerb::SEND;
    }
    return HasImmediate(opcode) ? RdmaVerb::WRITE_IMM : RdmaVerb::WRITE;
}

} // namespace

RdmaResponder::RdmaResponder(const RdmaEnd& end)
    : m_end(end)
{
}

Frame*
RdmaResponder::Receive(Frame* frame, int64_t now)
{
    // The answer goes back by the UDP port of what it answers, also where others are answered too.
    const uint16_t port = frame->srcPort;
    Frame* const answer = Respond(frame, now);
    if (answer)
    {
        answer->srcPort = port;
    }
    return answer;
}

Frame*
RdmaResponder::Respond(Frame* frame, int64_t now)
{
    frame->psn = Psn::Extend(frame->psn, m_expected);
    // An answer tells of all packets since the last one, or of an entropy value.
    m_ceSeen = frame->ecn == Ecn::CE || (m_ceSeen && !m_end.Entropy());
    if (frame->trim != Trim::NONE)
    {
        return ReceiveTrimmed(frame, now);
    }
    if (m_end.receiver)
    {
        return ReceiveSelective(frame, now);
    }
    if (frame->psn == m_expected)
    {
        return Accept(frame, now);
    }
    if (frame->psn > m_expected)
    {
        return OutOfOrder(frame, now);
    }
    return Duplicate(frame, now);
}

Frame*
RdmaResponder::ReceiveTrimmed(Frame* frame, int64_t now)
{
    const uint64_t psn = frame->psn;
    const Trim trim = frame->trim;
    if (psn < m_expected)
    {
        m_end.counters->duplicates++;
        m_end.counters->acksSent++;
        return Answer(frame, aeth::ACK, m_expected - 1);
    }
    if (m_end.receiver && m_end.receiver->Has(psn))
    {
        return KeepForLater(frame); // which tells that it is here
    }
    if (!m_end.receiver && IsToldOfTrimmed(*frame, now))
    {
        frame->Release();
        return nullptr;
    }
    m_end.counters->naksSent++;
    Answer(frame, aeth::NAK_SEQUENCE, m_expected);
    frame->trim = trim;
    frame->sackFirst = psn & 0xffffff;
    frame->sackPackets = 1;
    frame->bytes += SACK_BYTES;
    return frame;
}

bool
RdmaResponder::IsToldOfTrimmed(const Frame& frame, int64_t now)
{
    const bool isNext = frame.psn == m_expected;
    const uint64_t from = m_nak == Nak::AHEAD ? m_trimmed : m_expected;
    const bool isTold =
        m_nak != Nak::NONE && frame.psn > from && now - m_lastNak < m_end.connection.nackTicks;
    // Of the last packet it is told in any case: that it is sent again may have been seen to
    // already, and none behind it would show the gap.
    if ((m_rnrSent && !isNext) || (isTold && !frame.ackRequest))
    {
        return true;
    }
    if (!isTold)
    {
        m_nak = isNext ? Nak::GAP : Nak::AHEAD;
        m_trimmed = frame.psn;
        m_lastNak = now;
    }
    return false;
}

void
RdmaResponder::UpdateNak()
{
    const bool isAhead = m_nak == Nak::AHEAD && m_expected <= m_trimmed;
    m_nak = !isAhead ? Nak::NONE : m_expected == m_trimmed ? Nak::GAP : Nak::AHEAD;
}

Frame*
RdmaResponder::ReceiveSelective(Frame* frame, int64_t now)
{
    if (frame->psn > m_expected)
    {
        return KeepForLater(frame);
    }
    return AcceptKept(frame->psn == m_expected ? Accept(frame, now) : Duplicate(frame, now), now);
}

Frame*
RdmaResponder::AcceptKept(Frame* answer, int64_t now)
{
    const uint64_t before = m_expected;
    while (Frame* kept = m_end.receiver->Take(m_expected))
    {
        Frame* next = Accept(kept, now);
        if (!next)
        {
            continue;
        }
        if (!answer)
        {
            answer = next;
        }
        else if (next->syndrome == aeth::ACK)
        {
            // One ACK for all; the telemetry is that of the packet that has just come.
            answer->psn = next->psn;
            answer->msn = next->msn;
            next->Release();
            m_end.counters->acksSent--;
        }
        else
        {
            answer->Release();
            m_end.counters->acksSent--;
            answer = next; // an RNR NAK acknowledges what is before it, too
        }
    }
    if (!answer && m_expected != before)
    {
        // The peer has had NAKs of these packets, and waits to hear that the gap is closed.
        m_end.counters->acksSent++;
        answer = Answer(new Frame, aeth::ACK, m_expected - 1);
    }
    return answer;
}

Frame*
RdmaResponder::Accept(Frame* frame, int64_t now)
{
    if (frame->opcode == RoceOpcode::READ_REQUEST)
    {
        return ExecuteRead(frame, now);
    }
    if (!TakeReceive(frame->opcode))
    {
        m_rnrSent = true;
        m_end.counters->rnrNaksSent++;
        return Answer(frame, aeth::RNR | m_end.connection.rnrTimerCode, m_expected);
    }
    m_rnrSent = false;
    if (IsFirst(frame->opcode))
    {
        m_start = m_expected;
        m_bytes = 0;
        m_firstAt = now;
    }
    m_expected++;
    if (m_nak != Nak::NONE)
    {
        UpdateNak();
    }
    m_bytes += frame->payloadBytes;
    m_end.counters->payloadDelivered += frame->payloadBytes;
    bool last = IsLast(frame->opcode);
    if (last)
    {
        EndMessage(*frame, now); // may post or close
    }
    if (!last && !AsksForAnswer(*frame))
    {
        frame->Release();
        return nullptr;
    }
    m_end.counters->acksSent++;
    return Answer(frame, aeth::ACK, m_expected - 1);
}

bool
RdmaResponder::AsksForAnswer(const Frame& frame) const
{
    return frame.ackRequest || (frame.ecn == Ecn::CE && m_end.Entropy());
}

bool
RdmaResponder::TakeReceive(RoceOpcode opcode)
{
    // A SEND takes its receive with its first packet, a WRITE_IMM with its last.
    bool needs = IsSend(opcode) ? IsFirst(opcode) && !m_receiveTaken : HasImmediate(opcode);
    if (!needs)
    {
        return true;
    }
    if (m_receives == 0)
    {
        return false;
    }
    m_receives--;
    m_receiveTaken = true;
    return true;
}

void
RdmaResponder::EndMessage(const Frame& frame, int64_t now)
{
    RdmaCompletion completion;
    completion.id = m_messages++;
    completion.verb = VerbOf(frame.opcode);
    completion.immediate = HasImmediate(frame.opcode) ? frame.immediate : 0;
    completion.bytes = m_bytes;
    completion.posted = TimeStep(m_firstAt);
    completion.firstSent = completion.posted;
    completion.completed = TimeStep(now);
    m_start = m_expected;
    m_bytes = 0;
    m_receiveTaken = false;
    m_end.sink->MessageReceived(completion);
}

Frame*
RdmaResponder::OutOfOrder(Frame* frame, int64_t now)
{
    NS_LOG_DEBUG("PSN " << frame->psn << " came, " << m_expected << " is missing");
    m_end.counters->NoteOutOfOrder(frame->psn - m_expected);
    // After an RNR NAK the rest of the message is dropped without a word, and a gap is told once.
    bool told = m_nak == Nak::GAP && now - m_lastNak < m_end.connection.nackTicks;
    if (m_rnrSent || told)
    {
        frame->Release();
        return nullptr;
    }
    m_nak = Nak::GAP;
    m_lastNak = now;
    StartAgain(m_end.recovery->RestartPoint(m_expected, m_start, m_end.connection.mtu));
    m_end.counters->naksSent++;
    return Answer(frame, aeth::NAK_SEQUENCE, m_expected);
}

Frame*
RdmaResponder::KeepForLater(Frame* frame)
{
    RdmaCounters& counters = *m_end.counters;
    counters.NoteOutOfOrder(frame->psn - m_expected);
    const auto verdict = m_end.receiver->Keep(*frame, m_expected);
    counters.mostKept = std::max<uint64_t>(counters.mostKept, m_end.receiver->Count());
    m_end.counters->duplicates += verdict == RdmaSelectiveReceiver::HAD;
    m_end.counters->naksSent++;
    const bool read = frame->opcode == RoceOpcode::READ_REQUEST;
    const uint64_t first = frame->psn;
    const uint64_t packets = read ? m_end.connection.Packets(frame->dmaBytes) : 1;
    Answer(frame, aeth::NAK_SEQUENCE, m_expected);
    if (verdict != RdmaSelectiveReceiver::NOT_KEPT)
    {
        frame->sackFirst = first & 0xffffff;
        frame->sackPackets = packets;
        frame->bytes += SACK_BYTES;
    }
    return frame;
}

void
RdmaResponder::StartAgain(uint64_t psn)
{
    // What go-back-0 throws away will come again, and must not count twice.
    uint64_t kept = (psn - m_start) * m_end.connection.mtu;
    if (psn < m_expected)
    {
        m_end.counters->payloadDelivered -= m_bytes - kept;
        m_bytes = kept;
        m_expected = psn;
    }
}

Frame*
RdmaResponder::Duplicate(Frame* frame, int64_t now)
{
    m_end.counters->duplicates++;
    if (frame->opcode == RoceOpcode::READ_REQUEST)
    {
        return ExecuteRead(frame, now);
    }
    if (m_expected > m_start &&
        frame->psn == m_end.recovery->RestartPoint(m_expected, m_start, m_end.connection.mtu))
    {
        StartAgain(frame->psn); // go-back-0: the requester has begun again after a timeout
        return Accept(frame, now);
    }
    if (!AsksForAnswer(*frame) && !IsLast(frame->opcode))
    {
        frame->Release();
        return nullptr;
    }
    m_end.counters->acksSent++;
    return Answer(frame, aeth::ACK, m_expected - 1);
}

Frame*
RdmaResponder::ExecuteRead(Frame* frame, int64_t now)
{
    const uint64_t psn = frame->psn;
    if (!m_reads)
    {
        m_reads = std::make_unique<RdmaReadResponses>(m_end);
    }
    if (!m_reads->MakeRoom(psn) || m_end.connection.refusesReads)
    {
        m_end.counters->naksSent++;
        return Answer(frame, aeth::NAK_INVALID, m_expected);
    }
    m_reads->Add(psn, frame->dmaBytes, m_expected, now);
    const uint64_t end = psn + m_end.connection.Packets(frame->dmaBytes);
    if (end > m_expected)
    {
        ReadAccepted(*frame, end, now);
    }
    frame->Release();
    return nullptr;
}

void
RdmaResponder::ReadAccepted(const Frame& frame, uint64_t end, int64_t now)
{
    // A repeated request may reach beyond what was executed.
    m_bytes += frame.dmaBytes - (m_expected - frame.psn) * m_end.connection.mtu;
    m_expected = end;
    m_start = end;
    m_nak = Nak::NONE;
    m_rnrSent = false;
    if (!frame.ackRequest)
    {
        return; // the READ goes on
    }
    RdmaCompletion completion;
    completion.id = m_messages++;
    completion.verb = RdmaVerb::READ;
    completion.bytes = m_bytes;
    completion.posted = completion.firstSent = completion.completed = TimeStep(now);
    m_bytes = 0;
    m_end.sink->MessageReceived(completion);
}

Frame*
RdmaResponder::Answer(Frame* frame, uint8_t syndrome, uint64_t psn)
{
    frame->payloadBytes = 0;
    m_end.connection.Address(*frame, RoceOpcode::ACKNOWLEDGE, m_end.connection.ack);
    frame->syndrome = syndrome;
    frame->psn = psn;
    frame->msn = m_messages & 0xffffff;
    frame->becn = m_end.connection.echoCe && m_ceSeen;
    m_ceSeen = false;
    return frame;
}

uint64_t
RdmaResponder::OnReadAcknowledge(const Frame& frame)
{
    m_end.counters->acksReceived++;
    return m_reads ? m_reads->OnAcknowledge(frame) : 0;
}

void
RdmaResponder::Clear()
{
    if (m_reads)
    {
        m_reads->Clear();
    }
    if (m_end.receiver)
    {
        m_end.receiver->Clear();
    }
}

} // namespace ns3
