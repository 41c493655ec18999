// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_OPTIONS_H
#define LOSSLESS_JOB_OPTIONS_H

#include "queue-pair-network.h"

#include "ns3/data-rate.h"
#include "ns3/job-graph.h"
#include "ns3/nstime.h"

#include <cmath>
#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// How a job runs.
struct JobOptions
{
    /// Results keep each iteration of a job.
    static constexpr uint32_t MOST_ITERATIONS = 1000000;
    /// Channels of a collective.
    static constexpr uint32_t MOST_CHANNELS = JobGraph::MOST_CHANNELS;

    std::string name{"job"}; //!< what messages and files call it: one line without , ; and "
    Time start{0};           //!< when it begins, from the begin of the run
    uint32_t iterations{1};  //!< how often the graph runs, 1 to MOST_ITERATIONS; each
                             //!< rank goes on by itself
    uint32_t warmUp{0};      //!< of these, so many first ones that means leave out
    std::string algorithm;   //!< of collectives that name none; empty: by their type
    uint32_t channels{1};    //!< of collectives that name none: 1 to 256
    bool sendIsDoneWhenPosted{false};    //!< else when its last ACK has come
    DataRate reduceRate{0};              //!< of a rank that adds what it receives; 0: takes no time
    double wireFactor{1};                //!< bytes on the wire for each one of a collective: 2 for
                                         //!< NCCL's LL, 128.0 / 120 for LL128
    bool rendezvous{false};              //!< messages wait until their receive is posted
    uint64_t readyBytes{64};             //!< of the message that says that a receive is posted
    QueuePairNetwork::Options network{}; //!< how messages are carried

    /// What a name is.
    static constexpr const char* RIGHT_NAME =
        "text on one line, without commas, semicolons and quotes";

    /// @param name of a job @return whether messages and files can call a job so: RIGHT_NAME
    static bool IsRightName(const std::string& name)
    {
        return !name.empty() && name.find_first_of(",;\"\n\r") == std::string::npos;
    }

    /// @param bytes of a collective @return those that a message of it has
    uint64_t OnWire(uint64_t bytes) const
    {
        return static_cast<uint64_t>(std::ceil(static_cast<double>(bytes) * wireFactor));
    }

    /// @param bytes received @return how long a rank takes to add them to what it has; Time::Max():
    /// longer than a run can be
    Time ReductionOf(uint64_t bytes) const
    {
        const uint64_t rate = reduceRate.GetBitRate();
        const double seconds =
            rate == 0 ? 0 : 8.0 * static_cast<double>(bytes) / static_cast<double>(rate);
        // A longer time than there is would wrap.
        return seconds < Time::Max().GetSeconds() / 2 ? Seconds(seconds) : Time::Max();
    }
};

} // namespace ns3

#endif // LOSSLESS_JOB_OPTIONS_H
