// SPDX-License-Identifier: GPL-2.0-only
#include "unfinished-flows.h"

#include <algorithm>

namespace ns3
{

UnfinishedFlows::UnfinishedFlows(const RdmaFlowHelper& flows)
{
    const FabricTopology& topology = flows.GetFabric().GetTopology();
    flows.ForEachUnfinished([&](const TrafficItem& item, const std::string& why) {
        UnfinishedFlow flow;
        flow.flow.index = item.id;
        flow.flow.flow.source = item.source;
        flow.flow.flow.destination = item.destination;
        flow.flow.flow.bytes = item.bytes;
        flow.flow.flow.start = item.start;
        flow.flow.flow.trafficClass = item.trafficClass;
        flow.flow.sourceNode = topology.NodeOf(item.source);
        flow.flow.destinationNode = topology.NodeOf(item.destination);
        flow.state = item.state == TrafficItem::FAILED    ? UnfinishedFlow::FAILED
                     : item.state == TrafficItem::RUNNING ? UnfinishedFlow::RUNNING
                                                          : UnfinishedFlow::NOT_STARTED;
        flow.reason = why;
        m_flows.push_back(flow);
    });
}

const char*
UnfinishedFlows::NameOf(UnfinishedFlow::State state)
{
    static const char* const names[] = {"not started", "running", "failed"};
    return names[state];
}

void
UnfinishedFlows::Print(std::ostream& os, std::size_t most) const
{
    if (m_flows.empty())
    {
        return;
    }
    os << "Not completed: " << m_flows.size() << (m_flows.size() == 1 ? " flow\n" : " flows\n");
    for (std::size_t i = 0; i < std::min(most, m_flows.size()); ++i)
    {
        const UnfinishedFlow& flow = m_flows[i];
        os << "  flow " << flow.flow.index << " from host " << flow.flow.sourceNode << " to host "
           << flow.flow.destinationNode << ", " << flow.flow.flow.bytes << " bytes, "
           << NameOf(flow.state) << ": " << flow.reason << '\n';
    }
    if (m_flows.size() > most)
    {
        os << "  and " << m_flows.size() - most << " more\n";
    }
}

// ---- the report

UnfinishedStats::UnfinishedStats(const RdmaFlowHelper& flows)
    : TableReport("unfinished", {GetTable()}),
      m_flows(flows)
{
}

TableSpec
UnfinishedStats::GetTable()
{
    using C = ColumnSpec;
    return {"unfinished",
            "an RDMA flow that has not completed, in the order of numbers",
            {{"flow", "", "number of the flow"},
             {"src", "", "node that posts it"},
             {"dst", "", "the other node"},
             {"class", "", "traffic class of its data"},
             {"bytes", "bytes", "length of its message"},
             {"start_ns", "ns", "when it is posted"},
             {"state", "", "not started, running or failed", C::TEXT},
             {"reason", "", "what stops it", C::TEXT}}};
}

void
UnfinishedStats::Close(Time)
{
    if (!m_rows)
    {
        return;
    }
    const UnfinishedFlows unfinished(m_flows);
    for (const UnfinishedFlow& flow : unfinished.Get())
    {
        const RdmaFlow& asked = flow.flow.flow;
        m_rows->Add(flow.flow.index,
                    flow.flow.sourceNode,
                    flow.flow.destinationNode,
                    asked.trafficClass,
                    asked.bytes,
                    asked.start.GetNanoSeconds(),
                    UnfinishedFlows::NameOf(flow.state),
                    flow.reason);
    }
}

void
UnfinishedStats::Print(std::ostream& os, const RunTotals&) const
{
    UnfinishedFlows(m_flows).Print(os);
}

} // namespace ns3
