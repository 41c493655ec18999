// SPDX-License-Identifier: GPL-2.0-only

// The requester where only lost packets are sent again: what an RdmaSelectiveSender is told, and
// the packets that it wants.

#include "psn.h"
#include "rdma-requester.h"

#include <algorithm>

namespace ns3
{

bool
RdmaRequester::CanSendSelective(uint64_t window) const
{
    if (m_notBefore != RDMA_NEVER)
    {
        return false;
    }
    if (m_end.sender->HasLost())
    {
        return true; // the window has let it pass once
    }
    if (m_cursor >= m_requests.Size() || m_next - m_unacked >= MAX_OUTSTANDING ||
        m_end.sender->Room() == 0)
    {
        return false;
    }
    const Request& request = m_requests[m_cursor];
    if (request.verb == RdmaVerb::READ)
    {
        // A READ that has begun asks for more whenever there is room.
        return m_next != request.first || m_readsOutstanding < m_end.connection.maxReads;
    }
    return window == 0 || BytesInFlight() < window;
}

int64_t
RdmaRequester::SelectiveDeadline() const
{
    // How many are in flight decides which timeout it is: not known when the time begins.
    const int64_t timeout = m_end.sender->TimeoutTicks(m_retries);
    return AwaitsAnswer() && timeout > 0 ? m_quietSince + timeout : RDMA_NEVER;
}

Frame*
RdmaRequester::BuildLost(int64_t now)
{
    RdmaSelectiveSender& sender = *m_end.sender;
    const uint64_t psn = sender.FirstLost();
    const Request& request = m_requests[IndexOf(psn)];
    const bool read = request.verb == RdmaVerb::READ;
    const uint64_t limit = std::min(request.end, psn + MAX_READ_PACKETS);
    const RdmaPsnRange range = read ? sender.FirstLost(limit) : RdmaPsnRange{psn, psn + 1};
    Frame* frame = read ? MakeRead(request, range) : MakeData(request, psn, now);
    sender.SentAgain(range);
    if (!read)
    {
        frame->ackRequest = true; // what is beyond the gap is acknowledged with it
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
        const bool read = m_requests[IndexOf(first)].verb == RdmaVerb::READ;
        read ? sender.Kept(range) : sender.Done(range);
    }
    const uint64_t from = std::max({missing, m_ackedTo, m_unacked});
    return from < seen && seen <= m_next && sender.OnNak(from, seen);
}

void
RdmaRequester::MarkAcked(uint64_t to)
{
    // A READ that lacks responses holds m_unacked back: what is acknowledged beyond it is done.
    const uint64_t from = std::max(m_ackedTo, m_unacked);
    for (uint32_t i = IndexOf(from); i < m_requests.Size(); ++i)
    {
        const Request& request = m_requests[i];
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
    m_end.counters->payloadDelivered += frame.payloadBytes;
    sender.Done({psn, psn + 1});
    bool lost = false;
    if (psn > m_readPsn)
    {
        m_end.counters->outOfOrder++;
        lost = sender.OnResponseGap(m_readPsn, psn);
    }
    while (m_reads && sender.IsDone(m_readPsn))
    {
        ReadArrived(m_readPsn);
    }
    // The responder executes requests in order: it has all before the one that it answers.
    Outcome outcome = Acknowledge(psn + 1, now);
    outcome.wentBack = lost;
    return outcome;
}

} // namespace ns3
