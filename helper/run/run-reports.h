// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_REPORTS_H
#define LOSSLESS_RUN_REPORTS_H

#include "run-options.h"

#include "ns3/fabric.h"
#include "ns3/flow-times.h"
#include "ns3/link-load.h"
#include "ns3/pause-tree.h"
#include "ns3/skippable-stats.h"
#include "ns3/watermark-stats.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace ns3
{

class FabricStats;
class RdmaFlowHelper;
class RunPart;
class RunTraffic;

/**
 * @ingroup lossless
 *
 * The reports of a run that cost time and that its options ask for. Each is made when it is asked
 * for first, and watches as the options of the last call of Follow() say: a try to execute may
 * fail, and another one may begin with other options.
 */
class RunReports
{
  public:
    /// All arguments outlive this object. @param fabric what runs @param flows of RDMA
    /// @param traffic all of it @param stats get the reports
    RunReports(const Fabric& fabric,
               RdmaFlowHelper& flows,
               const RunTraffic& traffic,
               FabricStats& stats);

    /// Watch what the options ask for, and nothing else. @param options of the run
    void Follow(const RunOptions& options);

    /// @param options of the run @param visit called with each report that they ask for
    void ForEach(const RunOptions& options, const std::function<void(RunPart&)>& visit) const;

    /// @return events that the reports have posted and that were executed
    uint64_t GetEvents() const;

  private:
    /// Make a report if it is asked for and is not there. @param report it @param isAsked whether
    /// the options ask for it @param args of its constructor, after the fabric
    template <typename Part, typename... Args>
    void MakeIf(std::unique_ptr<Part>& report, bool isAsked, Args&... args);

    const Fabric& m_fabric;
    RdmaFlowHelper& m_flows;
    const RunTraffic& m_traffic;
    FabricStats& m_stats;
    std::unique_ptr<SkippableStats> m_skippable;  //!< of RunOptions::skippable
    std::unique_ptr<WatermarkStats> m_watermarks; //!< of RunOptions::watermarks
    std::unique_ptr<PauseTree> m_pauseTree;       //!< of RunOptions::pauseTree
    std::unique_ptr<FlowTimes> m_flowTimes;       //!< of RunOptions::explain
    std::unique_ptr<LinkLoad> m_linkLoad;         //!< of RunOptions::linkLoad
};

} // namespace ns3

#endif // LOSSLESS_RUN_REPORTS_H
