// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_COMPARISON_H
#define LOSSLESS_RUN_COMPARISON_H

#include "run-results.h"

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The same values of several runs, one line a run: of congestion controls, buffers, or whatever the
 * runs differ in.
 *
 * @code
 * std::vector<std::pair<std::string, RunResults>> runs;
 * runs.emplace_back("DCQCN", RunWith("ns3::RdmaDcqcn"));
 * runs.emplace_back("HPCC", RunWith("ns3::RdmaHpcc"));
 * const RunComparison comparison(runs, {"slowdown_p99", "pfc_xoff_frames"});
 * comparison.Print(std::cout);
 * comparison.WriteTo("results"); // utils/plot.py draws it
 * @endcode
 */
class RunComparison
{
  public:
    /// Names of runs, and what came of them.
    using Runs = std::vector<std::pair<std::string, RunResults>>;

    /// A line.
    struct Row
    {
        std::string name;           //!< of the run
        std::vector<double> values; //!< in the order of GetNames(); not a number: there is none
    };

    /**
     * @param runs what is compared, each with a name of its own
     * @param of names of values: those of summary.json, and slowdown_mean, slowdown_p50,
     * slowdown_p95, slowdown_p99 and slowdown_max of all flows; none: those that most ask for.
     * FabricError for other names
     */
    explicit RunComparison(const Runs& runs, const std::vector<std::string>& of = {});

    /// @return names of the values
    const std::vector<std::string>& GetNames() const
    {
        return m_names;
    }

    /// @return the lines, in the order of the runs
    const std::vector<Row>& GetRows() const
    {
        return m_rows;
    }

    /// Print a table, a line a run. @param os where
    void Print(std::ostream& os) const;

    /// Write comparison.csv, `scheme` and the values, a line a run. @param folder where
    void WriteTo(const std::string& folder) const;

  private:
    std::vector<std::string> m_names;
    std::vector<Row> m_rows;
};

} // namespace ns3

#endif // LOSSLESS_RUN_COMPARISON_H
