// SPDX-License-Identifier: GPL-2.0-only

#include "rdma-requester.h"

#include "psn.h"

#include "ns3/log.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaRequester");

RdmaRequester::RdmaRequester(const RdmaEnd& end)
    : m_end(end)
{
}

// ---- sending

uint64_t
RdmaRequester::Post(const RdmaWorkRequest& request, int64_t now)
{
    if (request.bytes > MAX_MESSAGE)
    {
        throw std::invalid_argument("RdmaQueuePair: a message of " + std::to_string(request.bytes) +
                                    " bytes is longer than 2^40 bytes");
    }
    if (request.immediate && !HasImmediate(request.verb))
    {
        throw std::invalid_argument(std::string("RdmaQueuePair: a ") + ToString(request.verb) +
                                    " carries no immediate data; take " +
                                    (request.verb == RdmaVerb::SEND ? "SEND_IMM" : "WRITE_IMM"));
    }
    if (m_blocked && !HasAsked() && !HasUnsent())
    {
        Postpone(now); // the timeout runs although nothing is transmitted
    }
    const uint32_t index = m_requests.Size();
    const RdmaRequest& entry = m_requests.Post(request, m_end.connection, now);
    if (request.verb == RdmaVerb::READ && m_reads++ == 0)
    {
        m_readIndex = index;
        m_readPsn = entry.first;
    }
    const uint64_t id = entry.id;
    if (index == m_cursor)
    {
        HoldMessage(now);
    }
    return id;
}

void
RdmaRequester::Sent(int64_t leftAt, int64_t now)
{
    if (m_cursor > 0 && m_next == m_requests[m_cursor - 1].end)
    {
        m_end.times->gapEnd = leftAt + m_end.times->gapTicks;
        HoldMessage(now);
    }
}

void
RdmaRequester::HoldMessage(int64_t now)
{
    // What is sent again is in the NIC.
    if (m_end.times && m_cursor < m_requests.Size() && m_next == m_requests[m_cursor].first &&
        m_next >= m_highest)
    {
        const RdmaHostTimes& times = *m_end.times;
        m_held.Set(std::max(m_requests[m_cursor].posted + times.txTicks, times.gapEnd), now);
    }
}

bool
RdmaRequester::CanSend(uint64_t window) const
{
    if (m_end.sender)
    {
        return CanSendSelective(window);
    }
    if (m_cursor >= m_requests.Size() || !IsReady() || m_next - m_unacked >= MAX_OUTSTANDING)
    {
        return false;
    }
    const RdmaRequest& request = m_requests[m_cursor];
    if (request.verb == RdmaVerb::READ)
    {
        // The later requests of a long READ, and repeated ones, start where the data ends.
        return m_next == request.first ? m_readsOutstanding < m_end.connection.maxReads
                                       : m_next == m_readPsn;
    }
    return m_asks.LetPass(window, BytesInFlight(), m_unacked);
}

uint32_t
RdmaRequester::HeadWireBytes() const
{
    const uint64_t psn = HasLost() ? m_end.sender->FirstLost() : m_next;
    const uint32_t index = HasLost() ? m_requests.IndexOf(psn) : m_cursor;
    return m_requests[index].WireBytes(m_end.connection, psn);
}

Frame*
RdmaRequester::Build(uint64_t window, int64_t now)
{
    if (HasLost())
    {
        return BuildLost(now);
    }
    RdmaRequest& request = m_requests[m_cursor];
    if (request.firstSent < 0)
    {
        request.firstSent = now;
    }
    if (!HasAsked())
    {
        m_quietSince = now; // the timeout is armed by transmission, not by Post()
    }
    m_sent.Sent(m_next, m_unacked, now);
    if (request.verb == RdmaVerb::READ)
    {
        return BuildRead(request);
    }
    Frame* frame = MakeData(request, m_next, now);
    bool last = m_next + 1 == request.end;
    if (m_end.sender)
    {
        m_end.sender->Sent({m_next, m_next + 1}, static_cast<uint16_t>(frame->payloadBytes));
    }
    Passed(m_next + 1, frame->payloadBytes);
    frame->ackRequest = WantsAck(window, last);
    return frame;
}

Frame*
RdmaRequester::MakeData(const RdmaRequest& request, uint64_t psn, int64_t now) const
{
    Frame* frame = request.MakeData(m_end.connection, psn, now);
    if (m_end.Entropy())
    {
        frame->srcPort = m_end.Entropy()->NextPort(now);
    }
    m_end.counters->dataPackets++;
    if (psn < m_highest)
    {
        m_end.counters->retransmitted++;
    }
    return frame;
}

bool
RdmaRequester::WantsAck(uint64_t window, bool last)
{
    const bool full = (window && Windowed() >= window) || (m_end.sender && !m_end.sender->Room());
    const bool closed = full && !m_asks.AreOpen(m_unacked);
    return m_asks.Sent(m_next, last || closed, m_end.connection.ackInterval);
}

uint64_t
RdmaRequester::NewReadPackets(const RdmaRequest& request) const
{
    uint64_t packets = std::min(request.end - m_next, MAX_READ_PACKETS);
    return m_end.sender ? std::min(packets, m_end.sender->Room()) : packets;
}

Frame*
RdmaRequester::BuildRead(RdmaRequest& request)
{
    const RdmaPsnRange range{m_next, m_next + NewReadPackets(request)};
    Frame* frame = request.MakeRead(m_end.connection, range);
    // Where responses are asked for as room gets free, a READ counts once.
    m_readsOutstanding += !m_end.sender || range.first == request.first;
    if (m_end.sender)
    {
        m_end.sender->Sent(range);
    }
    Passed(range.end, 0);
    SkipAcked();
    return frame;
}

void
RdmaRequester::Passed(uint64_t psn, uint64_t bytes)
{
    m_next = psn;
    m_nextBytes += bytes;
    m_highest = std::max(m_highest, m_next);
    if (m_next == m_requests[m_cursor].end)
    {
        m_cursor++;
    }
}

void
RdmaRequester::SkipAcked()
{
    // Gone back to a READ, past requests that the peer has acknowledged since: not sent again.
    while (m_next < m_ackedTo && m_cursor < m_requests.Size() &&
           m_requests[m_cursor].verb != RdmaVerb::READ)
    {
        uint64_t to = std::min(m_ackedTo, m_requests[m_cursor].end);
        Passed(to, BytesBefore(m_cursor, to) - m_nextBytes);
    }
}

// ---- timer

bool
RdmaRequester::HasAsked() const
{
    return m_asks.AreOpen(m_unacked) || (m_reads && m_readPsn < m_next);
}

bool
RdmaRequester::AwaitsAnswer() const
{
    // The peer owes no answer to packets that asked for none, and none is late while packets that
    // will ask are still to come: a closed window lets one pass.
    return HasAsked() || (m_blocked && HasUnsent());
}

int64_t
RdmaRequester::Deadline() const
{
    if (!m_refused.IsOver())
    {
        return m_refused.Deadline(); // until then nothing can be sent again
    }
    // With selective repeat, how many are in flight decides which timeout it is: not known when the
    // time begins.
    const int64_t timeout =
        m_end.sender ? m_end.sender->TimeoutTicks(m_retries) : m_end.connection.retransmitTicks;
    return std::min(timeout > 0 && AwaitsAnswer() ? m_quietSince + timeout : RDMA_NEVER,
                    m_held.Deadline());
}

void
RdmaRequester::Postpone(int64_t now)
{
    m_quietSince = now;
}

void
RdmaRequester::SetBlocked(bool blocked, int64_t now)
{
    if (blocked && !HasAsked() && !m_blocked)
    {
        Postpone(now);
    }
    m_blocked = blocked;
}

RdmaRequester::Outcome
RdmaRequester::OnTimer(int64_t now)
{
    Outcome outcome;
    if (m_refused.OnTimer(now))
    {
        Postpone(now);
    }
    m_held.OnTimer(now);
    if (Deadline() > now || !AwaitsAnswer())
    {
        return outcome;
    }
    m_end.counters->timeouts++;
    if (m_end.Entropy())
    {
        m_end.Entropy()->TimedOut(now);
    }
    m_wentBackTo = m_quietSince;
    m_wentBackBy = 0;
    outcome.timedOut = true;
    if (m_retries >= m_end.connection.retryLimit)
    {
        outcome.failed = true;
        outcome.status = RdmaStatus::RETRY_EXCEEDED;
        return outcome;
    }
    m_retries++;
    m_gapSeen = false;
    outcome.wentBack = true;
    if (m_blocked)
    {
        Postpone(now); // no transmission does
    }
    if (m_unacked == m_next)
    {
        return outcome;
    }
    if (m_end.sender)
    {
        Postpone(now);
        NoteLost(m_ackedTo);
        m_end.sender->OnTimeout(m_ackedTo);
        return outcome;
    }
    GoBack(RestartOf(m_requests[m_done], m_unacked));
    return outcome;
}

// ---- completions

void
RdmaRequester::Complete(int64_t now)
{
    while (m_done)
    {
        const RdmaRequest request = m_requests.Take();
        m_done--;
        m_cursor--;
        m_readIndex -= m_reads ? 1 : 0;
        m_end.counters->messagesCompleted++;
        Tell(request, RdmaStatus::SUCCESS, now); // may post or fail: all is consistent here
    }
}

void
RdmaRequester::Fail(RdmaStatus status, int64_t now)
{
    RdmaRing<RdmaRequest> requests = m_requests.TakeAll();
    m_cursor = 0;
    m_done = 0;
    m_reads = 0;
    m_readsOutstanding = 0;
    m_next = m_unacked = m_ackedTo = m_requests.EndPsn();
    m_nextBytes = m_unackedBytes = m_requests.EndBytes();
    m_refused.Clear();
    m_held.Clear();
    if (m_end.sender)
    {
        m_end.sender->Clear(m_requests.EndPsn());
    }
    while (!requests.IsEmpty())
    {
        const RdmaRequest request = requests.Front();
        requests.PopFront();
        m_end.counters->messagesFailed++;
        Tell(request, status, now);
        status = RdmaStatus::FLUSHED;
    }
}

void
RdmaRequester::Tell(const RdmaRequest& request, RdmaStatus status, int64_t now)
{
    m_end.sink->RequestCompleted(request.Complete(status, now));
}

// ---- what answers mean

RdmaRequester::Outcome
RdmaRequester::OnAck(const Frame& frame, int64_t now)
{
    if (m_end.Entropy())
    {
        m_end.Entropy()->Answered(frame, now);
    }
    if (m_end.sender)
    {
        const RdmaByteTally before = m_end.sender->GetTally();
        Outcome outcome = Judge(frame, now);
        Count(before, outcome);
        return outcome;
    }
    Outcome outcome = Judge(frame, now);
    outcome.deliveredBytes = outcome.ackedBytes;
    return outcome;
}

void
RdmaRequester::Count(const RdmaByteTally& before, Outcome& outcome) const
{
    const RdmaByteTally& after = m_end.sender->GetTally();
    outcome.deliveredBytes = after.delivered - before.delivered;
    outcome.lostBytes = after.lost - before.lost;
}

RdmaRequester::Outcome
RdmaRequester::Judge(const Frame& frame, int64_t now)
{
    uint64_t psn = Psn::Extend(frame.psn, m_unacked);
    const bool isAck = (frame.syndrome & aeth::TYPE_MASK) == 0;
    if (psn + isAck > m_highest)
    {
        (isAck ? m_end.counters->acksReceived : m_end.counters->naksReceived)++;
        return {}; // acknowledges what was never sent: of an earlier queue pair of this number
    }
    switch (frame.syndrome & aeth::TYPE_MASK)
    {
    case 0:
        m_end.counters->acksReceived++;
        return Acknowledge(psn + 1, now);
    case aeth::RNR: {
        m_end.counters->rnrNaksReceived++;
        return OnRnr(psn, frame.syndrome & aeth::VALUE_MASK, now);
    }
    default:
        m_end.counters->naksReceived++;
        if (frame.syndrome != aeth::NAK_SEQUENCE)
        {
            Outcome outcome;
            outcome.failed = true;
            outcome.status = RdmaStatus::REMOTE_INVALID;
            return outcome;
        }
        Outcome outcome = Acknowledge(psn, now);
        if (frame.trim != Trim::NONE)
        {
            OnTrimmed(frame, now, outcome);
            return outcome;
        }
        if (m_end.sender)
        {
            outcome.wentBack = OnSack(frame, psn);
            return outcome;
        }
        Outcome nak = OnNak(psn);
        outcome.wentBack = nak.wentBack;
        outcome.lostBytes = nak.lostBytes;
        return outcome;
    }
}

RdmaRequester::Outcome
RdmaRequester::Acknowledge(uint64_t to, int64_t now)
{
    Outcome outcome;
    if (m_reads && m_end.sender)
    {
        MarkAcked(to);
    }
    m_ackedTo = std::max(m_ackedTo, to);
    uint64_t before = m_unacked;
    uint64_t bytesBefore = m_unackedBytes;
    UpdateUnacked();
    if (m_unacked > before)
    {
        outcome.progress = true;
        outcome.ackedBytes = m_unackedBytes - bytesBefore;
        m_quietSince = now;
        m_retries = 0;
        m_rnrRetries = 0;
    }
    return outcome;
}

void
RdmaRequester::UpdateUnacked()
{
    uint64_t to = m_reads ? std::min(m_ackedTo, m_readPsn) : m_ackedTo;
    if (to <= m_unacked)
    {
        return;
    }
    m_unacked = to;
    while (m_done < m_requests.Size() && m_requests[m_done].end <= to)
    {
        m_done++;
    }
    m_unackedBytes = BytesBefore(m_done, to);
    if (m_end.sender)
    {
        m_end.sender->Acknowledged(to);
    }
    if (m_next < m_unacked)
    {
        // A late ACK after going back: what it covers need not be sent again.
        m_next = m_unacked;
        m_nextBytes = m_unackedBytes;
        m_cursor = m_done;
    }
}

RdmaRequester::Outcome
RdmaRequester::OnNak(uint64_t psn)
{
    Outcome outcome;
    if (psn >= m_next || m_done >= m_requests.Size())
    {
        return outcome; // nothing was sent since the last time
    }
    if (psn < m_unacked)
    {
        // Old, unless the peer threw acknowledged packets away (go-back-0).
        const RdmaRequest& oldest = m_requests[m_done];
        uint64_t restart =
            m_end.recovery->RestartPoint(m_unacked, oldest.first, m_end.connection.mtu);
        if (psn < restart)
        {
            return outcome;
        }
    }
    const uint64_t before = m_nextBytes;
    GoBack(psn);
    outcome.wentBack = true;
    outcome.lostBytes = before - m_nextBytes; // the peer has dropped all of it
    return outcome;
}

RdmaRequester::Outcome
RdmaRequester::OnRnr(uint64_t psn, uint8_t code, int64_t now)
{
    NS_LOG_DEBUG("RNR NAK of PSN " << psn << ", try " << +m_rnrRetries);
    uint8_t tries = m_rnrRetries;
    Outcome outcome = Acknowledge(psn, now);
    if (psn >= m_next || psn < m_unacked)
    {
        return outcome; // of a packet that was sent again already
    }
    if (outcome.progress)
    {
        tries = 0;
    }
    constexpr uint8_t NO_LIMIT = 7;
    uint8_t limit = m_end.connection.rnrRetryLimit;
    if (limit != NO_LIMIT && tries >= limit)
    {
        outcome.failed = true;
        outcome.status = RdmaStatus::RNR_RETRY_EXCEEDED;
        return outcome;
    }
    m_rnrRetries = std::min<uint8_t>(tries + 1, NO_LIMIT);
    if (m_end.sender)
    {
        NoteLost(psn);
        m_end.sender->OnRefused(psn);
    }
    else
    {
        GoBack(psn);
    }
    outcome.wentBack = true;
    constexpr double NANOSECONDS = 1e-9;
    const double ticks =
        RdmaConnection::RnrNanoSeconds(code) * NANOSECONDS * m_end.connection.ticksPerSecond;
    m_refused.Set(now + static_cast<int64_t>(ticks), now);
    return outcome;
}

RdmaRequester::Outcome
RdmaRequester::OnReadResponse(const Frame& frame, int64_t now)
{
    Outcome outcome;
    m_ceSeen = m_ceSeen || frame.ecn == Ecn::CE;
    uint64_t psn = Psn::Extend(frame.psn, m_reads ? m_readPsn : m_unacked);
    if (frame.trim != Trim::NONE)
    {
        return OnTrimmedResponse(psn, now);
    }
    if (m_end.sender)
    {
        return OnSelectiveResponse(frame, psn, now);
    }
    if (!m_reads || psn < m_readPsn)
    {
        m_end.counters->duplicates++;
        return outcome;
    }
    if (psn > m_readPsn)
    {
        m_end.counters->NoteOutOfOrder(psn - m_readPsn);
        outcome.gap = true;
        if (!m_gapSeen && m_readPsn < m_next)
        {
            // A gap: ask again from the first missing response on, once.
            GoBack(RestartOf(m_requests[m_readIndex], m_readPsn));
            m_gapSeen = true;
            outcome.wentBack = true;
        }
        return outcome;
    }
    m_end.counters->payloadDelivered += frame.payloadBytes;
    ReadArrived(psn);
    outcome = Acknowledge(psn + 1, now); // a response acknowledges all before it
    outcome.deliveredBytes = outcome.ackedBytes;
    m_quietSince = now;
    return outcome;
}

uint64_t
RdmaRequester::RestartOf(const RdmaRequest& request, uint64_t psn)
{
    const uint64_t restart = m_end.recovery->RestartPoint(psn, request.first, m_end.connection.mtu);
    if (request.verb == RdmaVerb::READ && restart < m_readPsn)
    {
        // Go-back-0: the responses that are here will come again, and must not count twice.
        m_end.counters->payloadDelivered -= (m_readPsn - restart) * m_end.connection.mtu;
        m_readPsn = restart;
    }
    return restart;
}

void
RdmaRequester::ReadArrived(uint64_t psn)
{
    m_gapSeen = false;
    m_retries = 0;
    m_readPsn = psn + 1;
    bool whole = m_readPsn == m_requests[m_readIndex].end;
    bool piece = !m_end.sender && m_cursor == m_readIndex && m_readPsn == m_next;
    bool answered = whole || piece;
    if (answered && m_readsOutstanding)
    {
        m_readsOutstanding--;
    }
    if (whole && --m_reads)
    {
        while (m_requests[++m_readIndex].verb != RdmaVerb::READ)
        {
        }
        m_readPsn = m_requests[m_readIndex].first;
    }
}

void
RdmaRequester::NoteLost(uint64_t psn)
{
    if (const int64_t sent = m_sent.TimeOf(psn, m_next); sent >= 0)
    {
        m_wentBackTo = sent;
    }
}

void
RdmaRequester::GoBack(uint64_t psn)
{
    NS_LOG_LOGIC("back to PSN " << psn << " from " << m_next);
    m_wentBackBy = m_next - psn;
    NoteLost(psn);
    m_sent.Clear();
    m_held.Clear();
    m_next = psn;
    m_cursor = m_requests.IndexOf(psn);
    m_nextBytes = BytesBefore(m_cursor, psn);
    m_asks.GoBack(psn);
    if (psn < m_unacked) // go-back-0: the peer no longer has what it acknowledged
    {
        m_unacked = psn;
        m_unackedBytes = m_nextBytes;
        m_ackedTo = psn;
    }
    m_readsOutstanding = 0;
    for (uint32_t i = m_readIndex; m_reads && i < m_cursor; i++)
    {
        m_readsOutstanding += m_requests[i].verb == RdmaVerb::READ;
    }
}

// ---- what switches have trimmed

void
RdmaRequester::OnTrimmed(const Frame& frame, int64_t now, Outcome& outcome)
{
    const uint64_t psn = Psn::Extend(frame.sackFirst, m_unacked);
    if (psn < std::max(m_unacked, m_ackedTo) || psn >= m_next ||
        (m_end.sender && !m_end.sender->OnTrimmed(psn)))
    {
        return; // acknowledged since, or to be sent again in any case
    }
    const uint32_t index = m_requests.IndexOf(psn);
    outcome.trimmedBytes = BytesBefore(index, psn + 1) - BytesBefore(index, psn);
    outcome.wentBack = true;
    m_quietSince = now; // the peer has answered
    if (m_end.sender)
    {
        NoteLost(psn);
        return;
    }
    GoBack(RestartOf(m_requests[index], psn));
}

RdmaRequester::Outcome
RdmaRequester::OnTrimmedResponse(uint64_t psn, int64_t now)
{
    Outcome outcome;
    if (!m_reads || psn < m_readPsn || psn >= m_next)
    {
        m_end.counters->duplicates++;
        return outcome;
    }
    outcome.gap = true;
    m_quietSince = now;
    if (m_end.sender)
    {
        outcome.wentBack = m_end.sender->OnTrimmed(psn);
        NoteLost(psn);
    }
    else if (!m_gapSeen || psn == m_readPsn)
    {
        GoBack(RestartOf(m_requests[m_readIndex], m_readPsn));
        m_gapSeen = true;
        outcome.wentBack = true;
    }
    return outcome;
}

// ---- where only lost packets are sent again

bool
RdmaRequester::CanSendSelective(uint64_t window) const
{
    if (!IsReady())
    {
        return false;
    }
    if (m_end.sender->HasLost())
    {
        // The window has let it pass once; but what has left the network has made room for others.
        return !m_end.sender->ExpectsReordering() || m_asks.LetPass(window, Windowed(), m_unacked);
    }
    if (m_cursor >= m_requests.Size() || m_next - m_unacked >= MAX_OUTSTANDING ||
        m_end.sender->Room() == 0)
    {
        return false;
    }
    const RdmaRequest& request = m_requests[m_cursor];
    if (request.verb == RdmaVerb::READ)
    {
        // A READ that has begun asks for more whenever there is room.
        return m_next != request.first || m_readsOutstanding < m_end.connection.maxReads;
    }
    return m_asks.LetPass(window, Windowed(), m_unacked);
}

Frame*
RdmaRequester::BuildLost(int64_t now)
{
    RdmaSelectiveSender& sender = *m_end.sender;
    const uint64_t psn = sender.FirstLost();
    const RdmaRequest& request = m_requests[m_requests.IndexOf(psn)];
    const bool read = request.verb == RdmaVerb::READ;
    const uint64_t limit = std::min(request.end, psn + MAX_READ_PACKETS);
    const RdmaPsnRange range = read ? sender.FirstLost(limit) : RdmaPsnRange{psn, psn + 1};
    Frame* frame = read ? request.MakeRead(m_end.connection, range) : MakeData(request, psn, now);
    sender.SentAgain(range);
    if (!read)
    {
        frame->ackRequest = true; // what is beyond the gap is acknowledged with it
        if (!HasAsked())
        {
            m_quietSince = now;
        }
        m_asks.Asked(range.end);
    }
    return frame;
}

bool
RdmaRequester::OnSack(const Frame& frame, uint64_t missing)
{
    RdmaSelectiveSender& sender = *m_end.sender;
    uint64_t seen = missing + 1; // without a SACK: something beyond it came
    if (frame.sackPackets)
    {
        const uint64_t first = Psn::Extend(frame.sackFirst, m_unacked);
        const RdmaPsnRange range{first, first + frame.sackPackets};
        seen = first;
        if (first <= m_unacked || range.end > m_next)
        {
            return false; // late, or of what was never sent
        }
        const bool read = m_requests[m_requests.IndexOf(first)].verb == RdmaVerb::READ;
        read ? sender.Kept(range) : sender.Done(range);
    }
    const uint64_t from = std::max({missing, m_ackedTo, m_unacked});
    const bool lost = from < seen && seen <= m_next && sender.OnNak(from, seen);
    if (lost)
    {
        NoteLost(from);
    }
    return lost;
}

void
RdmaRequester::MarkAcked(uint64_t to)
{
    // A READ that lacks responses holds m_unacked back: what is acknowledged beyond it is done.
    const uint64_t from = std::max(m_ackedTo, m_unacked);
    for (uint32_t i = m_requests.IndexOf(from); i < m_requests.Size(); ++i)
    {
        const RdmaRequest& request = m_requests[i];
        const RdmaPsnRange range{std::max(from, request.first), std::min(to, request.end)};
        if (range.first >= to)
        {
            return;
        }
        if (request.verb != RdmaVerb::READ)
        {
            m_end.sender->Done(range);
        }
    }
}

RdmaRequester::Outcome
RdmaRequester::OnSelectiveResponse(const Frame& frame, uint64_t psn, int64_t now)
{
    RdmaSelectiveSender& sender = *m_end.sender;
    if (!m_reads || psn < m_readPsn || psn >= m_next || sender.IsDone(psn))
    {
        m_end.counters->duplicates++;
        return {};
    }
    const RdmaByteTally before = sender.GetTally();
    m_end.counters->payloadDelivered += frame.payloadBytes;
    sender.Responded(psn);
    bool lost = false;
    const bool gap = psn > m_readPsn;
    if (gap)
    {
        m_end.counters->NoteOutOfOrder(psn - m_readPsn);
        lost = sender.OnResponseGap(m_readPsn, psn);
        NoteLost(m_readPsn);
    }
    while (m_reads && sender.IsDone(m_readPsn))
    {
        ReadArrived(m_readPsn);
    }
    // The responder executes requests in order: it has all before the one that it answers.
    Outcome outcome = Acknowledge(psn + 1, now);
    Count(before, outcome);
    outcome.wentBack = lost;
    outcome.gap = gap;
    return outcome;
}

Frame*
RdmaRequester::AcknowledgeResponse(Frame* frame, const Outcome& outcome)
{
    if (outcome.gap && !outcome.wentBack && !m_end.sender)
    {
        frame->Release(); // the gap is told once
        return nullptr;
    }
    const uint64_t missing = m_reads ? std::min(m_readPsn, m_highest) : m_highest;
    const uint16_t port = frame->srcPort;
    frame->payloadBytes = 0;
    m_end.connection.Address(*frame, RoceOpcode::READ_ACKNOWLEDGE, m_end.connection.ack);
    frame->srcPort = port;
    frame->syndrome = outcome.gap ? aeth::NAK_SEQUENCE : aeth::ACK;
    frame->psn = outcome.gap ? missing : missing - 1;
    frame->msn = 0;
    frame->becn = m_end.connection.echoCe && m_ceSeen;
    m_ceSeen = false;
    m_end.counters->acksSent++;
    return frame;
}

} // namespace ns3
