// SPDX-License-Identifier: GPL-2.0-only
#include "application-stats.h"

#include <cstdio>
#include <limits>

namespace ns3
{
namespace
{

/// @param time not negative @return nanoseconds, rounded as in fct.csv
uint64_t
RoundedNs(const Time& time)
{
    return static_cast<uint64_t>((time.GetPicoSeconds() + 500) / 1000);
}

/// @return nanoseconds from the start to the last byte; not a number: it has not arrived
double
FctNs(const SocketFlow& flow)
{
    return flow.GetState() == SocketFlow::COMPLETED
               ? static_cast<double>(RoundedNs(flow.GetCompleted() - flow.GetPlan().start))
               : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

ApplicationStats::ApplicationStats(const RunTraffic& traffic)
    : TableReport("application", {GetTable()}),
      m_traffic(traffic)
{
}

const SocketFlowHelper*
ApplicationStats::FindSockets() const
{
    for (const TrafficSource* source : m_traffic.GetSources())
    {
        if (const auto* const sockets = dynamic_cast<const SocketFlowHelper*>(source))
        {
            return sockets;
        }
    }
    return nullptr;
}

TableSpec
ApplicationStats::GetTable()
{
    using C = ColumnSpec;
    return {
        "application",
        "a TCP or UDP flow, in the order of adding; no file where there is none",
        {{"flow", "", "number of the flow"},
         {"protocol", "", "tcp or udp", C::TEXT},
         {"src", "", "node that sends"},
         {"dst", "", "node that receives"},
         {"class", "", "traffic class of its packets"},
         {"bytes", "bytes", "what it is to send; 0: no end"},
         {"start_ns", "ns", "when it starts"},
         {"fct_ns", "ns", "from its start to its last byte; empty: not completed", C::REAL, "%.0f"},
         {"bytes_sent", "bytes", "payload that the stack has taken"},
         {"bytes_received", "bytes", "payload that has arrived"},
         {"throughput_bps", "bit/s", "payload that has arrived, from the start to the last byte"},
         {"state", "", "completed, running, stopped, failed or not-started", C::TEXT}},
        false};
}

void
ApplicationStats::Close(Time)
{
    if (const SocketFlowHelper* const sockets = m_rows ? FindSockets() : nullptr)
    {
        AddRows(*m_rows, *sockets);
    }
}

void
ApplicationStats::AddRows(RowSink& rows, const SocketFlowHelper& sockets)
{
    const FabricTopology& topology = sockets.GetFabric().GetTopology();
    uint64_t number = 0;
    for (const auto& flow : sockets.GetFlows())
    {
        const SocketFlow::Plan& plan = flow->GetPlan();
        rows.Add(number++,
                 plan.isTcp ? "tcp" : "udp",
                 topology.NodeOf(plan.source),
                 topology.NodeOf(plan.destination),
                 plan.trafficClass,
                 plan.bytes,
                 RoundedNs(plan.start),
                 FctNs(*flow),
                 flow->GetBytesSent(),
                 flow->GetBytesReceived(),
                 static_cast<uint64_t>(flow->GetThroughput()),
                 SocketFlow::NameOf(flow->GetState()));
    }
}

void
ApplicationStats::Print(std::ostream& os, const RunTotals&) const
{
    const SocketFlowHelper* const sockets = FindSockets();
    if (!sockets)
    {
        return;
    }
    for (const bool isTcp : {true, false})
    {
        uint32_t flows = 0;
        uint32_t finite = 0;
        uint32_t completed = 0;
        uint64_t sent = 0;
        uint64_t received = 0;
        double rate = 0;
        for (const auto& flow : sockets->GetFlows())
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
                      "arrived, %.3f Gb/s a flow on average\n",
                      isTcp ? "TCP" : "UDP",
                      flows,
                      flows == 1 ? "" : "s",
                      completed,
                      finite,
                      static_cast<double>(sent) * 1e-6,
                      static_cast<double>(received) * 1e-6,
                      rate * 1e-9 / flows);
        os << line;
    }
}

} // namespace ns3
