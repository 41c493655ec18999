// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ELEPHANT_STATS_H
#define LOSSLESS_ELEPHANT_STATS_H

#include "extension-counts.h"
#include "result-report.h"

#include "ns3/elephant-separator.h"
#include "ns3/fabric.h"

#include <ostream>
#include <string>

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
    ExtensionCounts<ElephantSeparator> m_counts; //!< since the constructor
};

} // namespace ns3

#endif // LOSSLESS_ELEPHANT_STATS_H
