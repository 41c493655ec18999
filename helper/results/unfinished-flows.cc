// SPDX-License-Identifier: GPL-2.0-only
#include "unfinished-flows.h"

#include "result-file.h"

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
        os << "  flow " << flow.flow.index << " from node " << flow.flow.sourceNode << " to "
           << flow.flow.destinationNode << ", " << flow.flow.flow.bytes << " bytes, "
           << NameOf(flow.state) << ": " << flow.reason << '\n';
    }
    if (m_flows.size() > most)
    {
        os << "  and " << m_flows.size() - most << " more\n";
    }
}

void
UnfinishedFlows::WriteTo(const std::string& path) const
{
    ResultFile file(path);
    file.Stream() << "flow,src,dst,class,bytes,start_ns,state,reason\n";
    for (const UnfinishedFlow& flow : m_flows)
    {
        const RdmaFlow& asked = flow.flow.flow;
        file.Stream() << flow.flow.index << ',' << flow.flow.sourceNode << ','
                      << flow.flow.destinationNode << ',' << +asked.trafficClass << ','
                      << asked.bytes << ',' << asked.start.GetNanoSeconds() << ','
                      << NameOf(flow.state) << ',' << flow.reason << '\n';
    }
    file.Commit();
}

} // namespace ns3
