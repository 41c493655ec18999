// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BORDER_STATS_H
#define LOSSLESS_BORDER_STATS_H

#include "extension-counts.h"
#include "result-report.h"

#include "ns3/border-policy.h"
#include "ns3/fabric.h"

#include <ostream>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// What the BorderPolicies of a fabric let in, and what they did not: totals, and a line of the
/// summary where there is one.
class BorderStats : public Report
{
  public:
    /// @param fabric whose switches
    explicit BorderStats(const Fabric& fabric);

    std::string GetName() const override;
    /// Those that were installed after the constructor count, too.
    void Begin() override;
    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    ExtensionCounts<BorderPolicy> m_counts; //!< since the constructor
};

} // namespace ns3

#endif // LOSSLESS_BORDER_STATS_H
