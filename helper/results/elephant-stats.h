// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ELEPHANT_STATS_H
#define LOSSLESS_ELEPHANT_STATS_H

#include "result-report.h"

#include "ns3/elephant-separator.h"
#include "ns3/fabric.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the ElephantSeparators of a fabric did: totals, and a line of the summary where there is
 * one.
 */
class ElephantStats : public Report
{
  public:
    /// @param fabric whose separators
    explicit ElephantStats(const Fabric& fabric);

    std::string GetName() const override;
    /// The separators that were installed after the constructor count, too.
    void Begin() override;
    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    /// Find the separators: switches let go of theirs with Simulator::Destroy().
    void Find();
    /// @return the sums of all time
    ElephantSeparator::Counters Read() const;

    Fabric m_fabric;
    std::vector<Ptr<ElephantSeparator>> m_separators; //!< of all switches
    ElephantSeparator::Counters m_before;             //!< when this was made
};

} // namespace ns3

#endif // LOSSLESS_ELEPHANT_STATS_H
