// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_TABLES_H
#define LOSSLESS_JOB_TABLES_H

#include "ns3/result-table.h"
#include "ns3/run-totals.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// @return the tables of JobStats: iterations.csv, collectives.csv, ranks.csv and messages.csv
std::vector<TableSpec> ListJobTables();

/// @ingroup lossless
/// What summary.json has of a job: of its iterations but those to warm up.
struct JobTotals
{
    uint64_t iterations{0}; //!< how many
    double meanNs{0};       //!< of their times
    double p50Ns{0};        //!< likewise
    double p99Ns{0};        //!< likewise
    double mostNs{0};       //!< likewise
    double exposedShare{0}; //!< of their time: ranks communicate and do not compute
    double pauseShare{0};   //!< of their critical paths: behind paused ports
    /// By type of collectives, such as all-reduce: bus bandwidth, GB/s.
    std::vector<std::pair<std::string, double>> busBandwidths;

    /// @param job name of the job: totals of "job" begin with job_, those of others with job_NAME_
    /// @return the totals
    std::vector<NamedTotal> List(const std::string& job) const;
};

} // namespace ns3

#endif // LOSSLESS_JOB_TABLES_H
