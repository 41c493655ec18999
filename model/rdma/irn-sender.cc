// SPDX-License-Identifier: GPL-2.0-only
#include "irn-sender.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

IrnSender::IrnSender(const IrnParameters& parameters)
    : m_parameters(parameters)
{
    m_expectsReordering = parameters.reorderThreshold != 0;
}

// ---- what is outstanding

void
IrnSender::Grow(uint64_t span)
{
    constexpr std::size_t SMALLEST = 16;
    std::size_t size = std::max(SMALLEST, m_packets.size());
    while (size < span)
    {
        size *= 2;
    }
    std::vector<Packet> packets(size);
    for (uint64_t psn = m_unacked; psn < m_next; ++psn)
    {
        packets[psn & (size - 1)] = At(psn);
    }
    m_packets = std::move(packets);
}

void
IrnSender::Sent(RdmaPsnRange sent, uint16_t bytes)
{
    NS_ASSERT(sent.first == m_next && sent.end > sent.first);
    if (sent.end - m_unacked > m_packets.size())
    {
        Grow(sent.end - m_unacked);
    }
    m_next = sent.end;
    for (uint64_t psn = sent.first; psn < sent.end; ++psn)
    {
        At(psn) = {bytes, false, false, IN_FLIGHT};
        m_tally.inFlight += bytes;
    }
}

void
IrnSender::Leave(uint64_t psn)
{
    const Packet& packet = At(psn);
    if (packet.state == DONE)
    {
        Frontier& frontier = FrontierOf(packet);
        m_done--;
        frontier.above -= psn >= frontier.edge;
    }
    m_lost -= packet.state == LOST;
    const bool isFlying = packet.state == IN_FLIGHT || packet.state == REPEATED;
    m_tally.inFlight -= isFlying && !packet.isCounted ? packet.bytes : 0;
}

// A packet that the peer refuses after all, for want of a receive, is sent again and counts no
// more.
void
IrnSender::CountDelivered(Packet& packet)
{
    m_tally.delivered += packet.isCounted ? 0 : packet.bytes;
    packet.isCounted = true;
}

void
IrnSender::MarkDone(uint64_t psn, bool isResponse)
{
    Leave(psn);
    Packet& packet = At(psn);
    CountDelivered(packet);
    packet.state = DONE;
    packet.isResponse = isResponse;
    m_done++;
    Frontier& frontier = FrontierOf(packet);
    frontier.above += psn >= frontier.edge;
}

void
IrnSender::Done(RdmaPsnRange range)
{
    for (uint64_t psn = std::max(range.first, m_unacked); psn < range.end; ++psn)
    {
        MarkDone(psn, false);
    }
}

void
IrnSender::Responded(uint64_t psn)
{
    MarkDone(psn, true);
}

bool
IrnSender::IsDone(uint64_t psn) const
{
    return psn < m_unacked || (psn < m_next && At(psn).state == DONE);
}

void
IrnSender::Kept(RdmaPsnRange range)
{
    for (uint64_t psn = std::max(range.first, m_unacked); psn < range.end; ++psn)
    {
        if (At(psn).state != DONE)
        {
            Leave(psn);
            At(psn).state = KEPT;
        }
    }
}

void
IrnSender::Acknowledged(uint64_t unacked)
{
    for (; m_unacked < unacked; ++m_unacked)
    {
        Leave(m_unacked);
        CountDelivered(At(m_unacked));
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
    At(psn).state = LOST;
    m_firstLost = m_lost ? std::min(m_firstLost, psn) : psn;
    m_lost++;
}

void
IrnSender::LoseOvertaken(uint64_t psn)
{
    m_tally.lost += At(psn).bytes;
    Lose(psn);
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
    if (At(missing).state == DONE)
    {
        return false; // old news
    }
    LoseOvertaken(missing);
    return true;
}

bool
IrnSender::OnNak(uint64_t missing, uint64_t seen)
{
    if (m_expectsReordering)
    {
        return FindOvertaken(m_requests, missing);
    }
    bool more = Begin(missing);
    for (m_nakSeen = std::max(m_nakSeen, missing); m_nakSeen < seen; ++m_nakSeen)
    {
        if (At(m_nakSeen).state == IN_FLIGHT)
        {
            LoseOvertaken(m_nakSeen);
            more = true;
        }
    }
    return more;
}

bool
IrnSender::OnResponseGap(uint64_t missing, uint64_t seen)
{
    if (m_expectsReordering)
    {
        return FindOvertaken(m_responses, missing);
    }
    bool more = Begin(missing);
    for (m_responseSeen = std::max(m_responseSeen, missing); m_responseSeen < seen;
         ++m_responseSeen)
    {
        const State state = At(m_responseSeen).state;
        if (state == IN_FLIGHT || state == KEPT)
        {
            Lose(m_responseSeen);
            more = true;
        }
    }
    return more;
}

uint64_t
IrnSender::GetThreshold() const
{
    if (m_parameters.reorderThreshold >= 0)
    {
        return m_parameters.reorderThreshold;
    }
    // floor(max(5, min(1.5 cwnd, 1.5 BDP))) of uet-htsim; without a window the other one.
    constexpr double SHARE = 1.5;
    constexpr uint64_t LEAST = 5;
    const RdmaFlowState& flow = *m_parameters.flow;
    double packets = m_parameters.bdp;
    if (flow.window > 0)
    {
        packets = std::min(packets, static_cast<double>(flow.window) / flow.mtuBytes);
    }
    return std::max(LEAST, static_cast<uint64_t>(SHARE * packets));
}

bool
IrnSender::FindOvertaken(Frontier& frontier, uint64_t missing)
{
    const auto counts = [this, &frontier](uint64_t psn) {
        const Packet& packet = At(psn);
        return packet.state == DONE && &FrontierOf(packet) == &frontier;
    };
    for (frontier.edge = std::max(frontier.edge, m_unacked); frontier.edge < missing;
         ++frontier.edge)
    {
        frontier.above -= counts(frontier.edge);
    }
    const uint64_t threshold = GetThreshold();
    bool more = false;
    while (frontier.above >= threshold && frontier.above - counts(frontier.edge) >= threshold)
    {
        frontier.above -= counts(frontier.edge);
        const State state = At(frontier.edge).state;
        if (state == IN_FLIGHT || (state == KEPT && &frontier == &m_responses))
        {
            LoseOvertaken(frontier.edge);
            more = true;
        }
        ++frontier.edge;
    }
    if (more && !m_recovering)
    {
        m_recovering = true;
        m_recoveryEnd = m_next;
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
    if (const State state = At(psn).state; state == DONE || state == LOST)
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
        const State state = At(psn).state;
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
    while (At(psn).state != LOST)
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
    while (run.end < std::min(limit, m_next) && At(run.end).state == LOST)
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
        Packet& packet = At(psn);
        packet.state = REPEATED;
        m_tally.inFlight += packet.isCounted ? 0 : packet.bytes;
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
    const uint64_t limit = m_parameters.span ? m_parameters.span : SPAN_CAPS * cap;
    if (inFlight >= cap || span >= limit)
    {
        return 0;
    }
    return std::min(cap - inFlight, limit - span);
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
    m_packets.clear();
    m_unacked = m_next = psn;
    m_done = m_lost = 0;
    m_requests = m_responses = {psn, 0};
    m_tally.inFlight = 0;
    m_recovering = false;
}

} // namespace ns3
