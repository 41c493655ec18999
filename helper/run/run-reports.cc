// SPDX-License-Identifier: GPL-2.0-only
#include "run-reports.h"

#include "ns3/fabric-stats.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/run-part.h"
#include "ns3/run-traffic.h"

namespace ns3
{

RunReports::RunReports(const Fabric& fabric,
                       RdmaFlowHelper& flows,
                       const RunTraffic& traffic,
                       FabricStats& stats)
    : m_fabric(fabric),
      m_flows(flows),
      m_traffic(traffic),
      m_stats(stats)
{
}

template <typename Part, typename... Args>
void
RunReports::MakeIf(std::unique_ptr<Part>& report, bool isAsked, Args&... args)
{
    if (isAsked && !report)
    {
        report = std::make_unique<Part>(m_fabric, args...);
        m_stats.AddReport(*report);
    }
}

void
RunReports::Follow(const RunOptions& options)
{
    MakeIf(m_skippable, options.skippable, m_flows);
    if (options.skippable)
    {
        m_skippable->Watch(options.steady);
    }
    else if (m_skippable)
    {
        m_skippable->Stop();
    }
    MakeIf(m_watermarks, options.watermarks.IsStrictlyPositive(), m_traffic);
    if (m_watermarks)
    {
        m_watermarks->SetInterval(options.watermarks);
    }
    MakeIf(m_pauseTree, options.pauseTree);
    MakeIf(m_flowTimes, !options.explain.empty(), m_flows);
    MakeIf(m_linkLoad, options.linkLoad);
    if (m_pauseTree)
    {
        m_pauseTree->Watch(options.pauseTree);
    }
    if (m_flowTimes)
    {
        m_flowTimes->Watch(FlowTimes::Parse(options.explain));
    }
    if (m_linkLoad)
    {
        m_linkLoad->Watch(options.linkLoad);
    }
}

void
RunReports::ForEach(const RunOptions& options, const std::function<void(RunPart&)>& visit) const
{
    const auto visitIf = [&visit](RunPart* report, bool isAsked) {
        if (report && isAsked)
        {
            visit(*report);
        }
    };
    visitIf(m_skippable.get(), options.skippable);
    visitIf(m_watermarks.get(), options.watermarks.IsStrictlyPositive());
    visitIf(m_pauseTree.get(), options.pauseTree);
    visitIf(m_flowTimes.get(), !options.explain.empty());
    visitIf(m_linkLoad.get(), options.linkLoad);
}

uint64_t
RunReports::GetEvents() const
{
    return (m_skippable ? m_skippable->GetEvents() : 0) +
           (m_watermarks ? m_watermarks->GetEvents() : 0);
}

} // namespace ns3
