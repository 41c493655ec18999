// SPDX-License-Identifier: GPL-2.0-only

// What ACKs, NAKs and READ responses do to the requester.

#include "psn.h"
#include "rdma-requester.h"

#include <algorithm>

namespace ns3
{

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
        if (m_end.sender)
        {
            outcome.wentBack = OnSack(frame, psn);
            return outcome;
        }
        Outcome nak = OnNak(psn);
        outcome.wentBack = nak.wentBack;
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
    if (m_end.sender)
    {
        m_end.sender->OnRefused(psn);
    }
    else
    {
        GoBack(psn);
    }
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
        m_end.counters->outOfOrder++;
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
    m_quietSince = now;
    return outcome;
}

uint64_t
RdmaRequester::RestartOf(const Request& request, uint64_t psn)
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

} // namespace ns3
