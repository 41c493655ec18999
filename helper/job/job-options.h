// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_OPTIONS_H
#define LOSSLESS_JOB_OPTIONS_H

#include "queue-pair-network.h"

#include "ns3/data-rate.h"
#include "ns3/job-graph.h"
#include "ns3/nstime.h"
#include "ns3/option-text.h"

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

    /**
     * Call a visitor with each option that a command line or Python has.
     * @param visit called with (value, ProgramOption, check)
     */
    template <typename Visit>
    void ForEachOption(Visit&& visit)
    {
        constexpr const char* FLAG = "True or False";
        constexpr const char* SIZE = "a size from 1 byte to 1 TiB";
        const auto any = [](const auto&) { return true; };
        const auto isTime = [](const Time& time) { return !time.IsStrictlyNegative(); };
        const auto isSize = [](uint64_t bytes) { return bytes > 0 && bytes <= uint64_t{1} << 40; };
        visit(name, {"name", "name", "what messages and files call it", RIGHT_NAME}, &IsRightName);
        visit(start,
              {"start", "start", "when it begins, from the begin of the run", "0s or more"},
              isTime);
        visit(iterations,
              {"iterations",
               "iterations",
               "how often the graph runs, 1 to 1000000",
               "a whole number from 1 to 1000000"},
              [](uint32_t count) { return count > 0 && count <= MOST_ITERATIONS; });
        visit(warmUp,
              {"warmUp",
               "warm_up",
               "of these, so many first ones that means leave out",
               "a whole number from 0 to 999999"},
              [](uint32_t count) { return count < MOST_ITERATIONS; });
        visit(algorithm,
              {"algorithm",
               "algorithm",
               "of collectives that name none; by their type if empty",
               "a name, such as \"ring\""},
              any);
        visit(channels,
              {"channels",
               "channels",
               "of collectives that name no number",
               "a whole number from 1 to 256"},
              [](uint32_t count) { return count > 0 && count <= MOST_CHANNELS; });
        visit(reduceRate,
              {nullptr,
               "reduce_rate",
               "at which a rank adds what it receives; 0: takes no time",
               "a rate, such as \"800Gb/s\""},
              any);
        visit(wireFactor,
              {nullptr,
               "wire_factor",
               "bytes on the wire for each one of a collective",
               "a number from 1 to 16"},
              [](double factor) { return factor >= 1 && factor <= 16; });
        visit(rendezvous,
              {"rendezvous", "rendezvous", "whether messages wait for their receives", FLAG},
              any);
        visit(readyBytes,
              {nullptr, "ready_size", "of the message that says that a receive is posted", SIZE},
              isSize);
        visit(network.queuePairsPerConnection,
              {"queuePairs",
               "queue_pairs_per_connection",
               "of each pair of ranks and channel",
               "a whole number from 1 to 1024"},
              [](uint32_t n) { return n > 0 && n <= QueuePairNetwork::MOST_QUEUE_PAIRS; });
        visit(network.splitData,
              {"splitData", "split_data", "whether messages are split over these", FLAG},
              any);
        visit(network.bothWays,
              {"bothWays",
               "both_ways",
               "whether a queue pair carries both directions of two ranks",
               FLAG},
              any);
        visit(network.pxn,
              {"pxn", "pxn", "whether messages to other rails leave by the GPU of that rail", FLAG},
              any);
        visit(network.pxnBytes,
              {nullptr, "pxn_size", "of the pieces in which they do so", SIZE},
              isSize);
        visit(network.gpusPerHost,
              {nullptr,
               "gpus_per_host",
               "0: as many as the places name",
               "a whole number from 0 to 1024"},
              [](uint32_t count) { return count <= QueuePairNetwork::MOST_GPUS; });
        visit(network.intraRate,
              {nullptr,
               "intra_rate",
               "of a GPU within its host, one way",
               "a rate above 0, such as \"3600Gb/s\""},
              [](const DataRate& rate) { return rate.GetBitRate() > 0; });
        visit(network.intraLatency,
              {nullptr, "intra_latency", "of a message within a host", "0s or more"},
              isTime);
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
