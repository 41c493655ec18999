// SPDX-License-Identifier: GPL-2.0-only
#include "job-cost.h"

#include "fabric-memory.h"

#include "ns3/fabric-warning.h"

#include <algorithm>
#include <cstdio>

namespace ns3
{
namespace
{

// Measured as the memory of processes that ran an all-to-all, with and without bothWays.
constexpr uint64_t CONNECTION_BYTES = 2200; //!< with its messages, and what is told of them
constexpr uint64_t QUEUE_PAIR_BYTES = 3000; //!< both ends of it

} // namespace

uint64_t
JobCost::GetMemory() const
{
    return connections * CONNECTION_BYTES + queuePairs * QUEUE_PAIR_BYTES;
}

double
JobCost::GetPackets(uint32_t mtu) const
{
    return std::max(bytes / mtu, messages);
}

void
JobCost::RequireMemory(const std::string& job, const MemoryLimit& available) const
{
    ns3::RequireMemory("job " + job + ": " + std::to_string(connections) +
                           " connections of ranks with " + std::to_string(queuePairs) +
                           " queue pairs take",
                       GetMemory(),
                       available,
                       LESS);
}

void
JobCost::WarnOfTime(const std::string& job, uint32_t mtu, uint32_t ackInterval) const
{
    const double packets = GetPackets(mtu) * (1 + 1.0 / ackInterval);
    const double hours = packets * links / (HOPS_A_SECOND * 3600);
    if (hours <= 1)
    {
        return;
    }
    char text[160];
    std::snprintf(
        text,
        sizeof(text),
        "%.3g packets, ACKs included, over %.2g links each, some %.3g hours if it runs to "
        "its end",
        packets,
        links,
        hours);
    PrintWarning("job " + job + ": " + text, "fewer bytes or iterations, or a larger MTU");
}

} // namespace ns3
