// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DROP_STATS_H
#define LOSSLESS_DROP_STATS_H

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
 * Frames that were dropped, by class and by reason, and frames that were marked CE. Totals and a
 * line of the summary.
 */
class DropStats : public Report
{
  public:
    /// @param fabric whose switches and hosts
    explicit DropStats(const Fabric& fabric);

    std::string GetName() const override;
    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    /// Counters of all time.
    struct Counts
    {
        uint64_t lossless{0};           //!< frames of lossless classes dropped by switches
        uint64_t losslessOfLinks{0};    //!< of those, frames whose link was down
        uint64_t lossy{0};              //!< frames of other classes dropped by switches
        FabricSwitch::Counters egress;  //!< of all ports of switches
        QbbNetDevice::Counters devices; //!< of all ports
    };

    /// @return what there is now
    Counts Read() const;

    Fabric m_fabric;
    Counts m_before; //!< when this was made
};

} // namespace ns3

#endif // LOSSLESS_DROP_STATS_H
