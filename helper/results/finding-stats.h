// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FINDING_STATS_H
#define LOSSLESS_FINDING_STATS_H

#include "result-report.h"

#include "ns3/fabric.h"
#include "ns3/finding.h"

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// @param sink of FindingStats::GetTable() @param findings the rows, which it gets
void AddFindingRows(RowSink& sink, const std::vector<Finding>& findings);

/// @ingroup lossless
/// Write findings, such as those of CheckBuffers(), as a file of comma-separated values.
/// @param path the file; FabricError when it cannot be written @param findings the findings
void WriteFindings(const std::string& path, const std::vector<Finding>& findings);

/// @ingroup lossless
/// Tells what was found out about a fabric and its run: findings.csv, if there is something.
class FindingStats : public TableReport
{
  public:
    /// @param fabric whose findings
    explicit FindingStats(const Fabric& fabric);

    /// @return findings.csv
    static TableSpec GetTable();

    void Close(Time end) override;
    void AddTotals(RunTotals& totals) const override;

  private:
    Fabric m_fabric;
};

} // namespace ns3

#endif // LOSSLESS_FINDING_STATS_H
