// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FCT_STATS_H
#define LOSSLESS_FCT_STATS_H

#include "log-histogram.h"
#include "result-report.h"

#include "ns3/rdma-flow-helper.h"

#include <array>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Flow completion times, by label if flows have one, and slowdowns (FCT over the FCT with the
 * fabric for itself) by flow size. Memory does not grow with the number of flows.
 */
class FctStats : public TableReport
{
  public:
    /// Number of size bins, and one more for all sizes.
    static constexpr std::size_t BINS = 6;

    /// A line of the table.
    struct Bin
    {
        std::string name;      //!< such as "<= 10 KB"
        uint64_t maxBytes;     //!< largest flow in it
        LogHistogram slowdown; //!< of the flows that completed
    };

    FctStats();

    /// @param result the end of a flow
    void Add(const RdmaFlowResult& result);

    /// @return the bins, by size; the last is of all flows
    const std::array<Bin, BINS + 1>& GetBins() const
    {
        return m_bins;
    }

    /// @return fct.csv
    static TableSpec GetTable();

    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    std::array<Bin, BINS + 1> m_bins;
    std::map<std::string, LogHistogram> m_fctUs; //!< by label, of those that have one
};

} // namespace ns3

#endif // LOSSLESS_FCT_STATS_H
