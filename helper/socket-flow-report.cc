// SPDX-License-Identifier: GPL-2.0-only

// What became of TCP and UDP flows: for people, and as a file.

#include "result-file.h"
#include "socket-flow-helper.h"

#include <cstdio>
#include <filesystem>

namespace ns3
{

void
SocketFlowHelper::Print(std::ostream& os) const
{
    for (const bool isTcp : {true, false})
    {
        uint32_t flows = 0;
        uint32_t finite = 0;
        uint32_t completed = 0;
        uint64_t sent = 0;
        uint64_t received = 0;
        double rate = 0;
        for (const auto& flow : m_flows)
        {
            if (flow->GetPlan().isTcp == isTcp)
            {
                ++flows;
                finite += flow->GetPlan().bytes > 0;
                completed += flow->GetState() == SocketFlow::COMPLETED;
                sent += flow->GetBytesSent();
                received += flow->GetBytesReceived();
                rate += flow->GetThroughput();
            }
        }
        if (flows == 0)
        {
            continue;
        }
        char line[256];
        std::snprintf(line,
                      sizeof(line),
                      "%s: %u flow%s, %u of %u of finite size completed; %.3f MB sent, %.3f MB "
                      "arrived, %.3f Gb/s in all\n",
                      isTcp ? "TCP" : "UDP",
                      flows,
                      flows == 1 ? "" : "s",
                      completed,
                      finite,
                      static_cast<double>(sent) * 1e-6,
                      static_cast<double>(received) * 1e-6,
                      rate * 1e-9);
        os << line;
    }
}

void
SocketFlowHelper::Write(const std::string& folder) const
{
    if (m_flows.empty())
    {
        return;
    }
    ResultFile file(std::filesystem::path(folder) / "application.csv");
    file.Stream() << "index,protocol,source,destination,class,bytes,start_ns,completed_ns,"
                     "sent_bytes,received_bytes,throughput_bps,state\n";
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        const SocketFlow& flow = *m_flows[i];
        const SocketFlow::Plan& plan = flow.GetPlan();
        const auto& hosts = m_fabric.GetTopology().GetHosts();
        const bool over = flow.GetState() == SocketFlow::COMPLETED;
        file.Stream() << i << ',' << (plan.isTcp ? "tcp" : "udp") << ',' << hosts[plan.source]
                      << ',' << hosts[plan.destination] << ',' << +plan.trafficClass << ','
                      << plan.bytes << ',' << plan.start.GetNanoSeconds() << ','
                      << (over ? std::to_string(flow.GetCompleted().GetNanoSeconds()) : "") << ','
                      << flow.GetBytesSent() << ',' << flow.GetBytesReceived() << ','
                      << static_cast<uint64_t>(flow.GetThroughput()) << ','
                      << SocketFlow::NameOf(flow.GetState()) << '\n';
    }
    file.Commit();
}

} // namespace ns3
