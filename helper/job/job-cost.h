// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_COST_H
#define LOSSLESS_JOB_COST_H

#include "ns3/process-memory.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What it costs to run a job: known before it runs, since nobody can stop what takes all memory,
 * and nobody sees that a run takes a year.
 */
struct JobCost
{
    /// What a machine does in a second: packets times links, ACKs included. Measured on one core,
    /// with everything on: 1.6 to 3.9 million, of a release build.
    static constexpr double HOPS_A_SECOND = 2e6;

    uint64_t connections{0}; //!< pairs of ranks on two hosts, for each channel
    uint64_t queuePairs{0};  //!< between these
    double bytes{0};         //!< payload between hosts, of all iterations
    double messages{0};      //!< likewise
    double links{0};         //!< of a path, in the mean

    /// @return memory that its connections take, bytes: measured with all-to-alls of up to 1,024
    /// ranks
    uint64_t GetMemory() const;

    /// @param mtu payload of a packet, bytes @return data packets, about
    double GetPackets(uint32_t mtu) const;

    /// FabricError if its connections take more memory than there is. @param job its name
    /// @param available how much there is
    void RequireMemory(const std::string& job, const MemoryLimit& available) const;

    /// What takes less memory than a job does.
    static constexpr const char* LESS =
        "fewer ranks, channels or queue pairs for each, another algorithm, or more ranks on each "
        "host";

    /// Say on standard error if the job will run longer than an hour, about. @param job its name
    /// @param mtu payload of a packet, bytes @param ackInterval packets for each ACK
    void WarnOfTime(const std::string& job, uint32_t mtu, uint32_t ackInterval) const;
};

} // namespace ns3

#endif // LOSSLESS_JOB_COST_H
