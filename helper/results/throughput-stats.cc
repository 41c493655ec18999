// SPDX-License-Identifier: GPL-2.0-only
#include "throughput-stats.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>

namespace ns3
{

ThroughputStats::ThroughputStats(const Fabric& fabric)
    : m_fabric(fabric)
{
    for (const uint32_t node : fabric.GetTopology().GetHosts())
    {
        for (uint32_t port = 0; port < fabric.GetTopology().GetLinksOf(node).size(); ++port)
        {
            m_ports.push_back({node, port, 0, 0});
        }
    }
}

void
ThroughputStats::WriteTo(const std::string& path)
{
    m_file = std::make_unique<ResultFile>(path);
    m_file->Stream() << "time_ns,node,port,tx_bps,rx_bps\n";
    m_last = Simulator::Now();
}

void
ThroughputStats::Begin(Time time)
{
    m_last = std::max(m_last, time);
}

void
ThroughputStats::Sample()
{
    const Time now = Simulator::Now();
    if (!m_file || now <= m_last)
    {
        return;
    }
    const double perByte = 8 / (now - m_last).GetSeconds();
    for (Port& port : m_ports)
    {
        const auto& counters = m_fabric.GetDevice(port.node, port.port)->GetCounters();
        if (counters.txWireBytes == port.txBytes && counters.rxWireBytes == port.rxBytes)
        {
            continue;
        }
        char line[128];
        std::snprintf(line,
                      sizeof(line),
                      "%lld,%u,%u,%.0f,%.0f\n",
                      static_cast<long long>(now.GetNanoSeconds()),
                      port.node,
                      port.port,
                      static_cast<double>(counters.txWireBytes - port.txBytes) * perByte,
                      static_cast<double>(counters.rxWireBytes - port.rxBytes) * perByte);
        m_file->Stream() << line;
        port.txBytes = counters.txWireBytes;
        port.rxBytes = counters.rxWireBytes;
    }
    m_last = now;
}

void
ThroughputStats::Commit()
{
    if (m_file)
    {
        m_file->Commit();
    }
}

void
ThroughputStats::Print(std::ostream& os, Time duration) const
{
    const double seconds = duration.GetSeconds();
    if (seconds <= 0)
    {
        return;
    }
    const FabricTopology& topology = m_fabric.GetTopology();
    double hostSum = 0;
    double hostMax = 0;
    double switchMax = 0;
    uint32_t hostPorts = 0;
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            const auto device = m_fabric.GetDevice(node, port);
            const double share =
                8 * static_cast<double>(device->GetCounters().txWireBytes) /
                (static_cast<double>(device->GetDataRate().GetBitRate()) * seconds);
            if (topology.IsSwitch(node))
            {
                switchMax = std::max(switchMax, share);
                continue;
            }
            hostSum += share;
            hostMax = std::max(hostMax, share);
            ++hostPorts;
        }
    }
    uint64_t payload = 0;
    for (uint32_t host = 0; host < m_fabric.GetNHosts(); ++host)
    {
        payload += m_fabric.GetRdma(host)->GetCounters().payloadDelivered;
    }
    char line[256];
    std::snprintf(
        line,
        sizeof(line),
        "Links: hosts send at %.1f %% of their rate (busiest %.1f %%), busiest switch port "
        "%.1f %%; RDMA goodput %.2f Gb/s in all\n",
        100 * hostSum / std::max(hostPorts, 1U),
        100 * hostMax,
        100 * switchMax,
        8 * static_cast<double>(payload) / seconds / 1e9);
    os << line;
}

} // namespace ns3
