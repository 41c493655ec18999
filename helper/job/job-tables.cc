// SPDX-License-Identifier: GPL-2.0-only
#include "job-tables.h"

#include <algorithm>

namespace ns3
{
namespace
{

using C = ColumnSpec;

const C JOB = {"job", "", "name of the job", C::TEXT};
const C ITERATION = {"iteration", "", "number of the iteration, from 0"};

/// @param name of a column @param help of it @return a time
C
Ns(const char* name, const char* help)
{
    return {name, "ns", help, C::REAL, "%.3f"};
}

TableSpec
Iterations()
{
    return {"iterations",
            "an iteration of a job that all ranks have done",
            {JOB,
             ITERATION,
             Ns("start_ns", "when the first rank began it"),
             Ns("end_ns", "when the last rank ended it"),
             Ns("iteration_ns", "time from begin to end"),
             Ns("calc_ns", "time in which a rank computed, mean over the ranks"),
             Ns("exposed_ns",
                "time in which a rank communicated and did not compute, mean over the ranks"),
             Ns("exposed_max_ns", "the same, of the rank where it was longest"),
             {"straggler_rank",
              "",
              "rank that kept the critical path longest by itself; where none did, the one that "
              "ended last"},
             {"bytes", "bytes", "payload that the ranks posted"},
             {"messages", "messages", "messages that the ranks posted"},
             {"xoff_frames",
              "frames",
              "XOFF frames, refreshes included, that were sent in its time to the ports by which "
              "hosts and switches send the data of the job, in its class; what others do there "
              "counts, too"},
             Ns("pause_ns", "time in which these ports were paused, added"),
             {"warm_up", "", "1: one that means leave out"},
             Ns("path_calc_ns",
                "time of its critical path in which a rank computed; these columns add up to "
                "iteration_ns"),
             Ns("path_serialisation_ns", "likewise: frames were put on lines"),
             Ns("path_propagation_ns", "likewise: delays of links and switches"),
             Ns("path_queueing_ns", "likewise: frames waited"),
             Ns("path_pause_ns", "likewise: a port on the way was paused by PFC"),
             Ns("path_recovery_ns",
                "likewise: packets were lost; what was sent for nothing, and waits for timeouts"),
             Ns("path_waiting_ns",
                "likewise: for ACKs of what was sent, or for what traces do not tell"),
             Ns("path_before_ns", "likewise: the rank was still in the iteration before")}};
}

TableSpec
Collectives()
{
    return {"collectives",
            "a collective that all its ranks have done",
            {JOB,
             ITERATION,
             {"id", "", "how many collectives of its group came before, in all iterations"},
             {"name", "", "name of the operation", C::TEXT},
             {"group", "", "name of the group", C::TEXT},
             {"type", "", "such as all-reduce", C::TEXT},
             {"algorithm", "", "how it was done, such as ring", C::TEXT},
             {"channels", "", "channels over which it was cut"},
             {"ranks", "", "ranks of the group"},
             {"bytes", "bytes", "S of nccl-tests: of an all-gather the total output"},
             Ns("first_start_ns", "when the first rank came to it"),
             Ns("last_start_ns", "when the last rank came to it"),
             Ns("end_ns", "when the last rank ended it"),
             Ns("time_ns", "T, from the first start to the end"),
             Ns("network_ns", "time from the last start to the end"),
             {"algbw_gbytes", "GB/s", "S / T", C::REAL},
             {"busbw_gbytes", "GB/s", "algbw times the factor of nccl-tests", C::REAL},
             Ns("ideal_ns", "how long it takes at least, when all ranks come to it at once"),
             {"slowdown", "", "T / ideal", C::REAL, "%.4f"}}};
}

TableSpec
Ranks()
{
    return {"ranks",
            "what a rank of a job did in an iteration",
            {JOB,
             {"rank", "", "number of the rank"},
             {"host", "", "number of its host"},
             ITERATION,
             Ns("end_ns", "when the rank ended it"),
             Ns("calc_ns", "time in which it computed"),
             Ns("exposed_ns", "time in which it communicated and did not compute"),
             Ns("idle_ns", "time of the iteration in which it did neither"),
             {"sent_bytes", "bytes", "payload that it posted"},
             {"received_bytes", "bytes", "payload that it has received"},
             Ns("late_ns", "time from the end of the first rank that ended to its own"),
             Ns("pause_ns",
                "time in which the ports of its host by which it sends were paused, added; of the "
                "class of its data")}};
}

TableSpec
Messages()
{
    return {"messages",
            "a message between ranks that a receive has taken",
            {JOB,
             {"collective", "", "its group and id, such as world/3; empty: there is none", C::TEXT},
             {"step",
              "",
              "of a collective: the label of the message, of most algorithms the number of the "
              "step; -1: of none"},
             {"src", "", "rank that sent"},
             {"dst", "", "rank that received"},
             {"tag", "", "tag of the message; -1: it is of a collective"},
             {"bytes", "bytes", "its payload"},
             Ns("posted_ns", "when it was posted"),
             Ns("delivered_ns", "when its last byte had arrived"),
             Ns("completed_ns", "when its sender knew that; empty: not before the end of the job"),
             Ns("ideal_ns", "how long its delivery takes where nothing else is under way")},
            false};
}

} // namespace

std::vector<TableSpec>
ListJobTables()
{
    return {Iterations(), Collectives(), Ranks(), Messages()};
}

std::vector<NamedTotal>
JobTotals::List(const std::string& job) const
{
    const std::string prefix = job == "job" ? "job_" : "job_" + job + "_";
    std::vector<NamedTotal> totals = {
        {prefix + "iterations", "iterations", "iterations of a job that count", iterations},
        {prefix + "iteration_ns_mean", "ns", "mean time of these iterations", meanNs},
        {prefix + "iteration_ns_p50", "ns", "median of these times", p50Ns},
        {prefix + "iteration_ns_p99", "ns", "99th percentile of these times", p99Ns},
        {prefix + "iteration_ns_max", "ns", "longest of these times", mostNs},
        {prefix + "exposed_share",
         "",
         "share of these times in which a rank communicates and does not compute, mean over the "
         "ranks",
         exposedShare},
        {prefix + "pause_share",
         "",
         "share of the critical paths of these iterations that stood behind paused ports",
         pauseShare}};
    for (const auto& [type, bandwidth] : busBandwidths)
    {
        std::string key = type;
        std::replace(key.begin(), key.end(), '-', '_');
        totals.push_back(
            {prefix + "busbw_gbytes_" + key,
             "GB/s",
             "bus bandwidth of collectives of the type " + type + ", mean weighted by bytes",
             bandwidth});
    }
    return totals;
}

} // namespace ns3
