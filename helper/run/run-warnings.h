// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_WARNINGS_H
#define LOSSLESS_RUN_WARNINGS_H

#include "loss-warning.h"
#include "lost-data.h"
#include "run-changes.h"
#include "run-options.h"
#include "stack-drops.h"

#include "ns3/fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace ns3
{

class FabricStats;
class FaultHelper;
class RdmaFlowHelper;
class RunPart;
class RunReports;
class RunTraffic;

/**
 * @ingroup lossless
 *
 * What a run tells its user on standard error, before it, while it lasts, and at its end: settings,
 * options and traffic without effect, and what may lose frames or has lost them.
 */
class RunWarnings
{
  public:
    /// What the warnings look at. All of it outlives them.
    struct Subject
    {
        const Fabric& fabric;      //!< what runs
        const RunOptions& options; //!< what the user has chosen
        Time begin;                //!< of the run
        const RunTraffic& traffic; //!< all that sends
        RdmaFlowHelper& rdma;      //!< flows of RDMA
        const FabricStats& stats;  //!< tables that are written or kept
        FaultHelper* faults;       //!< null: none
        const RunReports& reports; //!< that the options ask for
        bool looksForProgress;     //!< whether the run ends when it is stuck
        bool isOfRanks;            //!< whether each rank has some of the queue pairs
    };

    /// @param subject what the warnings look at
    explicit RunWarnings(const Subject& subject);

    /// Before the run: name what has no effect, and what may lose frames. FabricError for what
    /// cannot start.
    void Check();

    /// The run begins: from here on changes of settings are looked at.
    void Begin();

    /// The run has ended early. @param why on one line @param isOver whether it was ended as
    /// nothing moved, else nothing was left to happen
    void EndedEarly(const std::string& why, bool isOver) const;

    /// The run has ended, and no signal has ended it: name what did nothing, and what was lost.
    void End();

    /// The run has ended before its time, by an error or by a signal: name what was lost up to
    /// then. What has done nothing so far may have had to do it later.
    void NameLosses() const;

  private:
    /// Name options that will have no effect.
    void WarnOfOptions() const;
    /// The run has ended: name settings that nothing has read.
    void WarnOfUnused() const;
    /// Name traffic and faults that would begin when the run has ended.
    void WarnOfLate();
    /// The run has ended: name what was planned and has not begun, unless WarnOfLate() did.
    void WarnOfWaiting() const;
    /// Likewise, traffic that was added during the run and starts when it has ended.
    void WarnOfAdded() const;
    /// The run has ended: name what was under way.
    void WarnOfOpen() const;
    /// The run has ended: name faults that have not begun.
    void WarnOfFaults() const;

    Subject m_subject;
    const Fabric& m_fabric;
    const RunOptions& m_options;
    /// Traffic that WarnOfLate() has named, all of it, and how many items start too late.
    std::map<const RunPart*, uint64_t> m_named;
    uint32_t m_lateFaults{0}; //!< that it has named
    std::optional<LostData> m_lost;
    std::optional<StackDrops> m_stacks;
    std::optional<RunChanges> m_changes;
    std::optional<RunOfFabric> m_run;
};

} // namespace ns3

#endif // LOSSLESS_RUN_WARNINGS_H
