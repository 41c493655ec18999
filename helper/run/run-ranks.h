// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_RANKS_H
#define LOSSLESS_RUN_RANKS_H

#include "run-options.h"

#include "ns3/fabric.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/result-report.h"
#include "ns3/run-part.h"
#include "ns3/run-totals.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A run over the ranks of FabricRanks: what it cannot have, when it ends, and how its results come
 * to rank 0, which alone writes files and prints. The totals of the other ranks are added to those
 * of rank 0 as the share of this report.
 */
class RunRanks : public Report
{
  public:
    /// @param fabric what runs @param flows of the run
    RunRanks(const Fabric& fabric, RdmaFlowHelper& flows);

    /**
     * FabricError for what a run over ranks cannot have.
     * @param fabric what runs
     * @param options of the run
     * @param begin when the run begins
     * @param parts all that belongs to the run
     */
    static void Require(const Fabric& fabric,
                        const RunOptions& options,
                        Time begin,
                        const std::vector<const RunPart*>& parts);

    /// End the simulation on all ranks at one time, soon after the last flow of all ranks.
    void StopWhenDone();

    /// The simulation has ended: bring flows and totals to rank 0, which tells of all flows in the
    /// order of their ends. All ranks must call it. @param totals of this rank
    void Gather(const RunTotals& totals);

    std::string GetName() const override;
    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    /// Ask all ranks how many flows are open; an event of all ranks at one time.
    void Ask();
    /// The answer to Ask() is there.
    void Look();

    RdmaFlowHelper& m_flows;
    Time m_interval;    //!< from Ask() to Look(), above the delay of every link
    RunTotals m_others; //!< of all ranks but 0
};

} // namespace ns3

#endif // LOSSLESS_RUN_RANKS_H
