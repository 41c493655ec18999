// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-requester.h"

#include "psn.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

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
    m_posted++;
    Request entry{};
    entry.id = request.id ? request.id : m_posted;
    entry.bytes = request.bytes;
    entry.remoteAddress = request.remoteAddress;
    entry.first = m_endPsn;
    entry.end = m_endPsn + m_end.connection.Packets(request.bytes);
    entry.bytesBefore = m_endBytes;
    entry.posted = now;
    entry.firstSent = -1;
    entry.remoteKey = request.remoteKey;
    entry.immediate = request.immediate;
    entry.verb = request.verb;
    if (request.verb == RdmaVerb::READ)
    {
        if (m_reads++ == 0)
        {
            m_readIndex = m_requests.Size();
            m_readPsn = entry.first;
        }
    }
    else
    {
        m_endBytes += request.bytes;
    }
    m_endPsn = entry.end;
    m_requests.Push(entry);
    return entry.id;
}

bool
RdmaRequester::CanSend(uint64_t window) const
{
    if (m_cursor >= m_requests.Size() || m_notBefore != RDMA_NEVER ||
        m_next - m_unacked >= MAX_OUTSTANDING)
    {
        return false;
    }
    const Request& request = m_requests[m_cursor];
    if (request.verb == RdmaVerb::READ)
    {
        // The later requests of a long READ, and repeated ones, start where the data ends.
        return m_next == request.first ? m_readsOutstanding < m_end.connection.maxReads
                                       : m_next == m_readPsn;
    }
    return window == 0 || BytesInFlight() < window;
}

RdmaRequester::Head
RdmaRequester::NextHead(const Request& request) const
{
    if (request.verb == RdmaVerb::READ)
    {
        return {RoceOpcode::READ_REQUEST, 0};
    }
    // FIRST, MIDDLE, LAST, LAST_IMM, ONLY, ONLY_IMM, in this order, for SEND and for WRITE.
    bool write = request.verb == RdmaVerb::WRITE || request.verb == RdmaVerb::WRITE_IMM;
    bool immediate = request.verb == RdmaVerb::WRITE_IMM || request.verb == RdmaVerb::SEND_IMM;
    uint8_t base = static_cast<uint8_t>(write ? RoceOpcode::WRITE_FIRST : RoceOpcode::SEND_FIRST);
    uint64_t mtu = m_end.connection.mtu;
    uint64_t index = m_next - request.first;
    if (m_next + 1 != request.end)
    {
        uint8_t middle = index == 0 ? 0 : 1;
        return {static_cast<RoceOpcode>(base + middle), static_cast<uint32_t>(mtu)};
    }
    uint8_t last = (index == 0 ? 4 : 2) + (immediate ? 1 : 0);
    return {static_cast<RoceOpcode>(base + last),
            static_cast<uint32_t>(request.bytes - index * mtu)};
}

uint32_t
RdmaRequester::HeadWireBytes() const
{
    const RdmaConnection& connection = m_end.connection;
    Head head = NextHead(m_requests[m_cursor]);
    return RoceFrameBytes(head.opcode,
                          head.payload,
                          connection.local.ipVersion,
                          connection.data.tagged) +
           ETHERNET_GAP_BYTES;
}

Frame*
RdmaRequester::Build(uint64_t window, int64_t now)
{
    Request& request = m_requests[m_cursor];
    if (request.firstSent < 0)
    {
        request.firstSent = now;
    }
    if (m_unacked == m_next)
    {
        m_retransmitAt =
            now + m_end.connection.retransmitTicks; // armed by transmission, not Post()
    }
    return request.verb == RdmaVerb::READ ? BuildRead(request) : BuildData(request, window);
}

Frame*
RdmaRequester::BuildData(Request& request, uint64_t window)
{
    Head head = NextHead(request);
    auto frame = new Frame;
    frame->payloadBytes = head.payload;
    m_end.connection.Address(*frame, head.opcode, m_end.connection.data);
    frame->ecn = Ecn::ECT0;
    frame->psn = m_next;
    frame->remoteAddress = request.remoteAddress;
    frame->remoteKey = request.remoteKey;
    frame->dmaBytes = request.bytes;
    frame->immediate = request.immediate;

    m_end.counters->dataPackets++;
    if (m_next < m_highest)
    {
        m_end.counters->retransmitted++;
    }
    bool last = m_next + 1 == request.end;
    Passed(m_next + 1, head.payload);
    frame->ackRequest = WantsAck(window, last);
    return frame;
}

bool
RdmaRequester::WantsAck(uint64_t window, bool last)
{
    m_sinceAsked++;
    // A window that closes while no packet in flight asked for an ACK would never open again.
    bool closed = window && BytesInFlight() >= window && m_askedTo <= m_unacked;
    if (!last && !closed && m_sinceAsked < m_end.connection.ackInterval)
    {
        return false;
    }
    m_sinceAsked = 0;
    m_askedTo = m_next;
    return true;
}

Frame*
RdmaRequester::BuildRead(Request& request)
{
    const RdmaConnection& connection = m_end.connection;
    uint64_t offset = (m_next - request.first) * connection.mtu;
    uint64_t packets = std::min(request.end - m_next, MAX_READ_PACKETS);
    auto frame = new Frame;
    connection.Address(*frame, RoceOpcode::READ_REQUEST, connection.data);
    frame->ecn = Ecn::ECT0;
    frame->psn = m_next;
    frame->remoteAddress = request.remoteAddress + offset;
    frame->remoteKey = request.remoteKey;
    frame->dmaBytes = std::min(request.bytes - offset, packets * connection.mtu);
    frame->ackRequest = true;
    m_readsOutstanding++;
    Passed(m_next + packets, 0);
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

// ---- receiving

RdmaRequester::Outcome
RdmaRequester::OnAck(const Frame& frame, int64_t now)
{
    uint64_t psn = Psn::Extend(frame.psn, m_unacked);
    switch (frame.syndrome & aeth::TYPE_MASK)
    {
    case 0:
        m_end.counters->acksReceived++;
        if (psn + 1 > m_highest)
        {
            return {}; // acknowledges what was never sent
        }
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
        Outcome nak = OnNak(psn);
        outcome.wentBack = nak.wentBack;
        return outcome;
    }
}

RdmaRequester::Outcome
RdmaRequester::Acknowledge(uint64_t to, int64_t now)
{
    Outcome outcome;
    m_ackedTo = std::max(m_ackedTo, to);
    uint64_t before = m_unacked;
    uint64_t bytesBefore = m_unackedBytes;
    UpdateUnacked();
    if (m_unacked > before)
    {
        outcome.progress = true;
        outcome.ackedBytes = m_unackedBytes - bytesBefore;
        m_retransmitAt = now + m_end.connection.retransmitTicks;
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
        const Request& oldest = m_requests[m_done];
        uint64_t restart =
            m_end.recovery->RestartPoint(m_unacked, oldest.first, m_end.connection.mtu);
        if (psn < restart)
        {
            return outcome;
        }
    }
    GoBack(psn);
    outcome.wentBack = true;
    return outcome;
}

RdmaRequester::Outcome
RdmaRequester::OnRnr(uint64_t psn, uint8_t code, int64_t now)
{
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
    GoBack(psn);
    outcome.wentBack = true;
    constexpr double NANOSECONDS = 1e-9;
    m_notBefore = now + static_cast<int64_t>(RdmaConnection::RnrNanoSeconds(code) * NANOSECONDS *
                                             m_end.connection.ticksPerSecond);
    return outcome;
}

RdmaRequester::Outcome
RdmaRequester::OnReadResponse(const Frame& frame, int64_t now)
{
    Outcome outcome;
    uint64_t psn = Psn::Extend(frame.psn, m_reads ? m_readPsn : m_unacked);
    if (!m_reads || psn < m_readPsn)
    {
        m_end.counters->duplicates++;
        return outcome;
    }
    if (psn > m_readPsn)
    {
        m_end.counters->outOfOrder++;
        if (!m_gapSeen && m_readPsn < m_next)
        {
            // A gap: ask again from the first missing response on, once.
            GoBack(m_readPsn);
            m_gapSeen = true;
            outcome.wentBack = true;
        }
        return outcome;
    }
    m_end.counters->payloadDelivered += frame.payloadBytes;
    ReadArrived(psn);
    outcome = Acknowledge(psn + 1, now); // a response acknowledges all before it
    m_retransmitAt = now + m_end.connection.retransmitTicks;
    return outcome;
}

void
RdmaRequester::ReadArrived(uint64_t psn)
{
    m_gapSeen = false;
    m_retries = 0;
    m_readPsn = psn + 1;
    bool whole = m_readPsn == m_requests[m_readIndex].end;
    bool answered = whole || (m_cursor == m_readIndex && m_readPsn == m_next);
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
RdmaRequester::GoBack(uint64_t psn)
{
    m_next = psn;
    m_cursor = IndexOf(psn);
    m_nextBytes = BytesBefore(m_cursor, psn);
    m_askedTo = std::min(m_askedTo, psn);
    m_sinceAsked = 0;
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

uint32_t
RdmaRequester::IndexOf(uint64_t psn) const
{
    uint32_t low = 0;
    uint32_t high = m_requests.Size();
    while (low < high)
    {
        uint32_t middle = low + (high - low) / 2;
        if (m_requests[middle].end <= psn)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

uint64_t
RdmaRequester::BytesBefore(uint32_t index, uint64_t psn) const
{
    if (index >= m_requests.Size())
    {
        return m_endBytes;
    }
    const Request& request = m_requests[index];
    if (request.verb == RdmaVerb::READ)
    {
        return request.bytesBefore;
    }
    uint64_t bytes = (psn - request.first) * m_end.connection.mtu;
    return request.bytesBefore + std::min(bytes, request.bytes);
}

// ---- timer

int64_t
RdmaRequester::Deadline() const
{
    int64_t retransmit =
        m_unacked < m_next && m_end.connection.retransmitTicks > 0 ? m_retransmitAt : RDMA_NEVER;
    return std::min(retransmit, m_notBefore);
}

void
RdmaRequester::Postpone(int64_t now)
{
    m_retransmitAt = now + m_end.connection.retransmitTicks;
}

RdmaRequester::Outcome
RdmaRequester::OnTimer(int64_t now)
{
    Outcome outcome;
    if (m_notBefore <= now)
    {
        m_notBefore = RDMA_NEVER;
    }
    if (Deadline() > now || m_unacked >= m_next)
    {
        return outcome;
    }
    m_end.counters->timeouts++;
    outcome.timedOut = true;
    if (m_retries >= m_end.connection.retryLimit)
    {
        outcome.failed = true;
        outcome.status = RdmaStatus::RETRY_EXCEEDED;
        return outcome;
    }
    m_retries++;
    m_gapSeen = false;
    const Request& oldest = m_requests[m_done];
    uint64_t restart =
        oldest.verb == RdmaVerb::READ
            ? m_unacked
            : m_end.recovery->RestartPoint(m_unacked, oldest.first, m_end.connection.mtu);
    GoBack(restart);
    outcome.wentBack = true;
    return outcome;
}

// ---- completions

void
RdmaRequester::Complete(int64_t now)
{
    while (m_done)
    {
        Request request = m_requests.Front();
        m_requests.PopFront();
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
    RdmaRing<Request> requests = std::move(m_requests);
    m_requests = RdmaRing<Request>();
    m_cursor = 0;
    m_done = 0;
    m_reads = 0;
    m_readsOutstanding = 0;
    m_next = m_unacked = m_ackedTo = m_endPsn;
    m_nextBytes = m_unackedBytes = m_endBytes;
    m_notBefore = RDMA_NEVER;
    while (!requests.IsEmpty())
    {
        Request request = requests.Front();
        requests.PopFront();
        m_end.counters->messagesFailed++;
        Tell(request, status, now);
        status = RdmaStatus::FLUSHED;
    }
}

void
RdmaRequester::Tell(const Request& request, RdmaStatus status, int64_t now)
{
    RdmaCompletion completion;
    completion.id = request.id;
    completion.verb = request.verb;
    completion.status = status;
    completion.immediate = request.immediate;
    completion.bytes = request.bytes;
    completion.posted = TimeStep(request.posted);
    completion.firstSent = TimeStep(request.firstSent < 0 ? now : request.firstSent);
    completion.completed = TimeStep(now);
    m_end.sink->RequestCompleted(completion);
}

} // namespace ns3
