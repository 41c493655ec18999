// SPDX-License-Identifier: GPL-2.0-only
#include "intra-link.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

namespace
{

constexpr int64_t LAST = std::numeric_limits<int64_t>::max(); //!< tick; it means: never

/// @param one 0 or more @param other likewise @return their sum, at most LAST
int64_t
Sum(int64_t one, int64_t other)
{
    return one > LAST - other ? LAST : one + other;
}

} // namespace

IntraLink::IntraLink(uint32_t ranks, DataRate rate, Time latency)
    : m_bitsPerSecond(rate.GetBitRate()),
      m_latency(latency.GetTimeStep()),
      m_egressFree(ranks, 0),
      m_ingressFree(ranks, 0)
{
    if (m_bitsPerSecond == 0)
    {
        throw FabricError("the links between ranks of one host have rate 0", "more than 0");
    }
    if (latency < Time(0))
    {
        throw FabricError("the links between ranks of one host have a negative latency",
                          "0 or more");
    }
}

int64_t
IntraLink::Serialise(uint64_t bytes) const
{
    const double seconds = 8.0 * static_cast<double>(bytes) / static_cast<double>(m_bitsPerSecond);
    const double ticks = seconds * static_cast<double>(Seconds(1).GetTimeStep());
    return ticks < static_cast<double>(LAST) ? std::llround(ticks) : LAST;
}

int64_t
IntraLink::SerialiseAgain(uint64_t bytes)
{
    if (bytes != m_lastBytes)
    {
        m_lastBytes = bytes;
        m_lastTicks = Serialise(bytes);
    }
    return m_lastTicks;
}

int64_t
IntraLink::Ideal(uint64_t bytes) const
{
    return Sum(m_latency, Serialise(bytes));
}

int64_t
IntraLink::Send(int64_t now, uint32_t source, uint64_t bytes)
{
    const int64_t start = std::max(now, m_egressFree[source]);
    m_egressFree[source] = Sum(start, SerialiseAgain(bytes));
    return Sum(start, m_latency);
}

int64_t
IntraLink::Receive(int64_t now, uint32_t destination, uint64_t bytes)
{
    const int64_t end = Sum(std::max(now, m_ingressFree[destination]), SerialiseAgain(bytes));
    m_ingressFree[destination] = end;
    return end;
}

} // namespace ns3
