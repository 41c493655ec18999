// SPDX-License-Identifier: GPL-2.0-only
#include "irn-sender.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

IrnSender::IrnSender(const IrnParameters& parameters)
    : m_parameters(parameters)
{
}

// ---- what is outstanding

void
IrnSender::Grow(uint64_t span)
{
    constexpr std::size_t SMALLEST = 16;
    std::size_t size = std::max(SMALLEST, m_states.size());
    while (size < span)
    {
        size *= 2;
    }
    std::vector<State> states(size, IN_FLIGHT);
    for (uint64_t psn = m_unacked; psn < m_next; ++psn)
    {
        states[psn & (size - 1)] = At(psn);
    }
    m_states = std::move(states);
}

void
IrnSender::Sent(RdmaPsnRange sent)
{
    NS_ASSERT(sent.first == m_next && sent.end > sent.first);
    if (sent.end - m_unacked > m_states.size())
    {
        Grow(sent.end - m_unacked);
    }
    m_next = sent.end;
    for (uint64_t psn = sent.first; psn < sent.end; ++psn)
    {
        At(psn) = IN_FLIGHT;
    }
}

void
IrnSender::Leave(uint64_t psn)
{
    m_done -= At(psn) == DONE;
    m_lost -= At(psn) == LOST;
}

void
IrnSender::Done(RdmaPsnRange range)
{
    for (uint64_t psn = std::max(range.first, m_unacked); psn < range.end; ++psn)
    {
        Leave(psn);
        At(psn) = DONE;
        m_done++;
    }
}

bool
IrnSender::IsDone(uint64_t psn) const
{
    return psn < m_unacked || (psn < m_next && At(psn) == DONE);
}

void
IrnSender::Kept(RdmaPsnRange range)
{
    for (uint64_t psn = std::max(range.first, m_unacked); psn < range.end; ++psn)
    {
        if (At(psn) != DONE)
        {
            Leave(psn);
            At(psn) = KEPT;
        }
    }
}

void
IrnSender::Acknowledged(uint64_t unacked)
{
    for (; m_unacked < unacked; ++m_unacked)
    {
        Leave(m_unacked);
    }
    if (m_recovering && m_unacked >= m_recoveryEnd)
    {
        m_recovering = false;
    }
}

// ---- what is lost

void
IrnSender::Lose(uint64_t psn)
{
    Leave(psn);
    At(psn) = LOST;
    m_firstLost = m_lost ? std::min(m_firstLost, psn) : psn;
    m_lost++;
}

bool
IrnSender::Begin(uint64_t missing)
{
    if (m_recovering)
    {
        return false;
    }
    m_recovering = true;
    m_recoveryEnd = m_next;
    if (At(missing) == DONE)
    {
        return false; // old news
    }
    Lose(missing);
    return true;
}

bool
IrnSender::OnNak(uint64_t missing, uint64_t seen)
{
    bool more = Begin(missing);
    for (m_nakSeen = std::max(m_nakSeen, missing); m_nakSeen < seen; ++m_nakSeen)
    {
        if (At(m_nakSeen) == IN_FLIGHT)
        {
            Lose(m_nakSeen);
            more = true;
        }
    }
    return more;
}

bool
IrnSender::OnResponseGap(uint64_t missing, uint64_t seen)
{
    bool more = Begin(missing);
    for (m_responseSeen = std::max(m_responseSeen, missing); m_responseSeen < seen;
         ++m_responseSeen)
    {
        const State state = At(m_responseSeen);
        if (state == IN_FLIGHT || state == KEPT)
        {
            Lose(m_responseSeen);
            more = true;
        }
    }
    return more;
}

void
IrnSender::OnRefused(uint64_t psn)
{
    Lose(psn);
}

bool
IrnSender::OnTrimmed(uint64_t psn)
{
    if (At(psn) == DONE || At(psn) == LOST)
    {
        return false;
    }
    // Packets behind this one arrive before its next copy: not a new loss.
    m_recovering = true;
    m_recoveryEnd = m_next;
    Lose(psn);
    return true;
}

void
IrnSender::OnTimeout(uint64_t executed)
{
    m_recovering = true;
    m_recoveryEnd = m_next;
    for (uint64_t psn = m_unacked; psn < m_next; ++psn)
    {
        // The first one is missing, whatever a SACK that was overtaken has said of it.
        const State state = At(psn);
        const bool waits = state == DONE || (state == KEPT && psn >= executed);
        if (psn == m_unacked || !waits)
        {
            Lose(psn);
        }
    }
}

bool
IrnSender::HasLost() const
{
    return m_lost > 0;
}

uint64_t
IrnSender::FirstLost() const
{
    NS_ASSERT(m_lost);
    uint64_t psn = std::max(m_firstLost, m_unacked);
    while (At(psn) != LOST)
    {
        ++psn;
    }
    return psn;
}

RdmaPsnRange
IrnSender::FirstLost(uint64_t limit) const
{
    RdmaPsnRange run{FirstLost(), 0};
    run.end = run.first + 1;
    while (run.end < std::min(limit, m_next) && At(run.end) == LOST)
    {
        ++run.end;
    }
    return run;
}

void
IrnSender::SentAgain(RdmaPsnRange range)
{
    for (uint64_t psn = range.first; psn < range.end; ++psn)
    {
        Leave(psn);
        At(psn) = REPEATED;
    }
    m_firstLost = range.end;
}

// ---- how much, how long

uint64_t
IrnSender::InFlight() const
{
    return m_next - m_unacked - (m_parameters.countSacked ? 0 : m_done);
}

uint64_t
IrnSender::Room() const
{
    const uint64_t cap = m_parameters.bdpCap;
    const uint64_t span = m_next - m_unacked;
    const uint64_t inFlight = InFlight();
    if (inFlight >= cap || span >= SPAN_CAPS * cap)
    {
        return 0;
    }
    return std::min(cap - inFlight, SPAN_CAPS * cap - span);
}

int64_t
IrnSender::TimeoutTicks(uint32_t retries) const
{
    const bool few = m_next - m_unacked - m_done < m_parameters.fewPackets;
    const int64_t ticks = few ? m_parameters.timeoutLowTicks : m_parameters.timeoutHighTicks;
    return ticks << std::min(retries, MAX_DOUBLINGS);
}

void
IrnSender::Clear(uint64_t psn)
{
    m_states.clear();
    m_unacked = m_next = psn;
    m_done = m_lost = 0;
    m_recovering = false;
}

} // namespace ns3
