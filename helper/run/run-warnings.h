// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_WARNINGS_H
#define LOSSLESS_RUN_WARNINGS_H

#include "loss-check.h"

#include "ns3/fabric.h"

#include <optional>

namespace ns3
{

class FaultHelper;
class LostStats;
class RdmaFlowHelper;
class RunStats;
class RunTraffic;

/**
 * @ingroup lossless
 *
 * Runs the checks of a run, before it, after changes in it, and at its end; the findings of the
 * fabric get what they find.
 */
class RunWarnings
{
  public:
    /// What the checks look at. All of it outlives them.
    struct Subject
    {
        const Fabric& fabric;      //!< what runs
        const RunTraffic& traffic; //!< all that sends
        RdmaFlowHelper& rdma;      //!< flows of RDMA
        const RunStats& stats;     //!< settings that are in force
        FaultHelper* faults;       //!< null: none
        LostStats& lost;           //!< what is lost
        bool isOfRanks;            //!< whether each rank has some of the queue pairs
        bool allowsReordering;     //!< RunOptions::allowReordering
    };

    /// @param subject what the checks look at
    explicit RunWarnings(const Subject& subject);

    /// Before the run. FabricError for what cannot start.
    void Check();

    /// The run begins: from here on changes of settings are looked at.
    void Begin();

    /// The run has ended, and no signal has ended it.
    void End();

  private:
    /// Find what FabricHelper was told after the build, and before or during the run.
    void AddLateHelper() const;
    /// The run has ended: find settings that nothing has read.
    void AddUnused() const;
    /// The run has ended: find traffic and faults that would have begun later.
    void AddLate() const;

    Subject m_subject;
    const Fabric& m_fabric;
    std::optional<RunOfFabric> m_run;
};

} // namespace ns3

#endif // LOSSLESS_RUN_WARNINGS_H
