// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_STATS_H
#define LOSSLESS_MRC_STATS_H

#include "result-report.h"

#include "ns3/fabric.h"
#include "ns3/mrc-terms.h"

#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What the queue pairs of MRC of each host have counted: a table.
class MrcStats : public TableReport
{
  public:
    /// @param fabric whose hosts
    explicit MrcStats(const Fabric& fabric);

    /// @return mrc.csv
    static TableSpec GetTable();

    void Begin() override;
    void Close(Time end) override;

  private:
    Fabric m_fabric;
    std::vector<MrcCounters> m_before; //!< when the run began, by host
};

} // namespace ns3

#endif // LOSSLESS_MRC_STATS_H
