// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_REPORT_H
#define LOSSLESS_JOB_REPORT_H

#include "job-summary.h"

#include <ostream>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Writes what came of a job as a page of Markdown: how long it took and why, whether PFC was the
 * cause, and tables of iterations, collectives and ranks.
 */
class JobReport
{
  public:
    /// Rows of the tables of iterations and of ranks, at most.
    static constexpr std::size_t MOST_ROWS = 10;

    /// @param os gets the page @param summary of the job @param picture file beside the page;
    /// empty: there is none
    static void Write(std::ostream& os, const JobSummary& summary, const std::string& picture);
};

} // namespace ns3

#endif // LOSSLESS_JOB_REPORT_H
