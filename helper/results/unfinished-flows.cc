// SPDX-License-Identifier: GPL-2.0-only
#include "unfinished-flows.h"

#include "ns3/flow-diagnosis.h"

#include <algorithm>
#include <cstdio>

namespace ns3
{

UnfinishedFlows::UnfinishedFlows(const RdmaFlowHelper& flows)
{
    const FlowDiagnosis diagnosis(flows.GetFabric());
    flows.ForEachOpen([&](const RdmaFlowResult& result, const Fabric::Connection* connection) {
        UnfinishedFlow flow;
        flow.flow = result;
        if (connection)
        {
            flow.reason = diagnosis.GetReason(result.flow.verb, *connection);
        }
        else
        {
            char text[64];
            std::snprintf(text,
                          sizeof(text),
                          "starts at %.6f ms",
                          result.flow.start.GetSeconds() * 1e3);
            flow.state = UnfinishedFlow::NOT_STARTED;
            flow.reason = text;
        }
        m_flows.push_back(flow);
    });
    for (const RdmaFlowHelper::FailedFlow& failed : flows.GetFailed())
    {
        m_flows.push_back({failed.result, UnfinishedFlow::FAILED, failed.reason});
    }
    std::sort(m_flows.begin(),
              m_flows.end(),
              [](const UnfinishedFlow& one, const UnfinishedFlow& other) {
                  return one.flow.index < other.flow.index;
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
