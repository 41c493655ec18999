// SPDX-License-Identifier: GPL-2.0-only

// Sending, timer and completions of the requester. What answers do to it is in
// rdma-requester-answers.cc.

#include "rdma-requester.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

namespace
{

/// Give a new data packet its telemetry, with nothing measured yet.
void
StartTelemetry(Frame& frame, TelemetryKind kind, int64_t now)
{
    frame.telemetryKind = kind;
    switch (kind)
    {
    case TelemetryKind::DELAY:
        frame.telemetry.delay = {now, 0, 0};
        break;
    case TelemetryKind::INT:
    case TelemetryKind::INT_GROWING:
        frame.telemetry.hops = {};
        break;
    case TelemetryKind::PINT:
        frame.telemetry.pint = {};
        break;
    case TelemetryKind::ICC:
        frame.telemetry.icc = {};
        break;
    case TelemetryKind::NONE:
    case TelemetryKind::RATE:
        break;
    }
}

} // namespace

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
    if (m_blocked && !AwaitsAnswer())
    {
        Postpone(now); // the timeout runs although nothing is transmitted
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
    if (m_end.sender)
    {
        return CanSendSelective(window);
    }
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
RdmaRequester::HeadOf(const Request& request, uint64_t psn) const
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
    uint64_t index = psn - request.first;
    if (psn + 1 != request.end)
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
    const uint64_t psn = HasLost() ? m_end.sender->FirstLost() : m_next;
    Head head = HeadOf(m_requests[HasLost() ? IndexOf(psn) : m_cursor], psn);
    return RoceFrameBytes(head.opcode,
                          head.payload,
                          connection.local.ipVersion,
                          connection.data.tagged,
                          TelemetryBytes(connection.telemetry)) +
           ETHERNET_GAP_BYTES;
}

Frame*
RdmaRequester::Build(uint64_t window, int64_t now)
{
    if (HasLost())
    {
        return BuildLost(now);
    }
    Request& request = m_requests[m_cursor];
    if (request.firstSent < 0)
    {
        request.firstSent = now;
    }
    if (m_unacked == m_next)
    {
        m_quietSince = now; // the timeout is armed by transmission, not by Post()
    }
    if (request.verb == RdmaVerb::READ)
    {
        return BuildRead(request);
    }
    Frame* frame = MakeData(request, m_next, now);
    bool last = m_next + 1 == request.end;
    if (m_end.sender)
    {
        m_end.sender->Sent({m_next, m_next + 1});
    }
    Passed(m_next + 1, frame->payloadBytes);
    frame->ackRequest = WantsAck(window, last);
    return frame;
}

Frame*
RdmaRequester::MakeData(const Request& request, uint64_t psn, int64_t now) const
{
    Head head = HeadOf(request, psn);
    auto frame = new Frame;
    frame->payloadBytes = head.payload;
    StartTelemetry(*frame, m_end.connection.telemetry, now);
    m_end.connection.Address(*frame, head.opcode, m_end.connection.data);
    frame->ecn = Ecn::ECT0;
    frame->psn = psn;
    frame->remoteAddress = request.remoteAddress;
    frame->remoteKey = request.remoteKey;
    frame->dmaBytes = request.bytes;
    frame->immediate = request.immediate;
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
    m_sinceAsked++;
    // A window that closes while no packet in flight asked for an ACK would never open again.
    bool full = (window && BytesInFlight() >= window) || (m_end.sender && !m_end.sender->Room());
    bool closed = full && m_askedTo <= m_unacked;
    if (!last && !closed && m_sinceAsked < m_end.connection.ackInterval)
    {
        return false;
    }
    m_sinceAsked = 0;
    m_askedTo = m_next;
    return true;
}

Frame*
RdmaRequester::MakeRead(const Request& request, RdmaPsnRange range) const
{
    const RdmaConnection& connection = m_end.connection;
    uint64_t offset = (range.first - request.first) * connection.mtu;
    auto frame = new Frame;
    connection.Address(*frame, RoceOpcode::READ_REQUEST, connection.data);
    frame->ecn = Ecn::ECT0;
    frame->psn = range.first;
    frame->remoteAddress = request.remoteAddress + offset;
    frame->remoteKey = request.remoteKey;
    frame->dmaBytes = std::min(request.bytes - offset, (range.end - range.first) * connection.mtu);
    frame->ackRequest = range.end == request.end; // the message ends with it
    return frame;
}

uint64_t
RdmaRequester::NewReadPackets(const Request& request) const
{
    uint64_t packets = std::min(request.end - m_next, MAX_READ_PACKETS);
    return m_end.sender ? std::min(packets, m_end.sender->Room()) : packets;
}

Frame*
RdmaRequester::BuildRead(Request& request)
{
    const RdmaPsnRange range{m_next, m_next + NewReadPackets(request)};
    Frame* frame = MakeRead(request, range);
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
RdmaRequester::AwaitsAnswer() const
{
    return m_unacked < m_next || (m_blocked && HasUnsent());
}

int64_t
RdmaRequester::Deadline() const
{
    if (m_notBefore != RDMA_NEVER)
    {
        return m_notBefore; // until then nothing can be sent again
    }
    if (m_end.sender)
    {
        return SelectiveDeadline();
    }
    const int64_t timeout = m_end.connection.retransmitTicks;
    return AwaitsAnswer() && timeout > 0 ? m_quietSince + timeout : RDMA_NEVER;
}

void
RdmaRequester::Postpone(int64_t now)
{
    m_quietSince = now;
}

void
RdmaRequester::SetBlocked(bool blocked, int64_t now)
{
    if (blocked && !AwaitsAnswer())
    {
        Postpone(now);
    }
    m_blocked = blocked;
}

RdmaRequester::Outcome
RdmaRequester::OnTimer(int64_t now)
{
    Outcome outcome;
    if (m_notBefore <= now)
    {
        m_notBefore = RDMA_NEVER;
        Postpone(now);
    }
    if (Deadline() > now || !AwaitsAnswer())
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
    if (m_end.sender)
    {
        m_end.sender->Clear(m_endPsn);
    }
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
