// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_STATS_H
#define LOSSLESS_RDMA_STATS_H

#include "result-report.h"
#include "run-totals.h"

#include "ns3/fabric.h"

#include <ostream>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the NICs of a fabric have counted: totals and a line of the summary.
 */
class RdmaStats : public Report
{
  public:
    /// @param fabric whose hosts
    explicit RdmaStats(const Fabric& fabric);

    std::string GetName() const override;
    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    /// @return the counters of all NICs, of all time
    RdmaCounters Read() const;

    Fabric m_fabric;
    RdmaCounters m_before; //!< when this was made
};

} // namespace ns3

#endif // LOSSLESS_RDMA_STATS_H
