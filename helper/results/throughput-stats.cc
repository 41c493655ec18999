// SPDX-License-Identifier: GPL-2.0-only
#include "throughput-stats.h"

#include "counters-at-rest.h"
#include "fabric-ports.h"
#include "run-totals.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace ns3
{

ThroughputStats::ThroughputStats(const Fabric& fabric)
    : SampledTable("throughput", {GetTable()}),
      m_fabric(fabric)
{
    const FabricCounters before = CountersAtRest::Get(fabric);
    for (const auto& [node, port, isSwitch, device] : PortsOf(m_fabric))
    {
        const auto& counters = before.ports[m_before.size()].device;
        m_before.push_back(counters.txWireBytes);
        if (!isSwitch)
        {
            m_ports.push_back({node, port, counters.txWireBytes, counters.rxWireBytes, 0});
        }
    }
}

TableSpec
ThroughputStats::GetTable()
{
    using C = ColumnSpec;
    return {"throughput",
            "a port of a host at a sample, what it has carried since the last; none of a port that "
            "carries nothing in the run",
            {{"time_ns", "ns", "time of the sample"},
             {"node", "", "node of the host"},
             {"port", "", "port of the host"},
             {"tx_bps", "bit/s", "what it has sent, wire bytes", C::REAL, "%.0f"},
             {"rx_bps", "bit/s", "what it has received, wire bytes", C::REAL, "%.0f"}}};
}

void
ThroughputStats::Open(const std::vector<RowSink*>& rows)
{
    TableReport::Open(rows);
    m_last = Simulator::Now();
}

void
ThroughputStats::SampleFrom(Time time)
{
    SampledTable::SampleFrom(time);
    m_last = std::max(m_last, time);
}

void
ThroughputStats::Sample(Time now)
{
    if (!m_rows || now <= m_last)
    {
        return;
    }
    const double perByte = 8 / (now - m_last).GetSeconds();
    for (Port& port : m_ports)
    {
        const auto& counters = m_fabric.GetDevice(port.node, port.port)->GetCounters();
        if (!HasRow(port.listed,
                    counters.txWireBytes != port.txBytes || counters.rxWireBytes != port.rxBytes,
                    [&](int64_t ns) { m_rows->Add(ns, port.node, port.port, 0.0, 0.0); }))
        {
            continue;
        }
        m_rows->Add(now.GetNanoSeconds(),
                    port.node,
                    port.port,
                    static_cast<double>(counters.txWireBytes - port.txBytes) * perByte,
                    static_cast<double>(counters.rxWireBytes - port.rxBytes) * perByte);
        port.txBytes = counters.txWireBytes;
        port.rxBytes = counters.rxWireBytes;
    }
    m_times.push_back(now.GetNanoSeconds());
    m_last = now;
}

void
ThroughputStats::Close(Time end)
{
    Sample(end);
}

void
ThroughputStats::Print(std::ostream& os, const RunTotals& totals) const
{
    const double seconds = totals.active.GetSeconds();
    if (seconds <= 0)
    {
        return;
    }
    double hostSum = 0;
    double hostMax = 0;
    double switchMax = 0;
    uint32_t hostPorts = 0;
    std::size_t place = 0;
    for (const auto& [node, port, isSwitch, device] : PortsOf(m_fabric))
    {
        const double share =
            8 * static_cast<double>(device->GetCounters().txWireBytes - m_before[place++]) /
            (static_cast<double>(device->GetDataRate().GetBitRate()) * seconds);
        if (isSwitch)
        {
            switchMax = std::max(switchMax, share);
            continue;
        }
        hostSum += share;
        hostMax = std::max(hostMax, share);
        ++hostPorts;
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
        8 * static_cast<double>(totals.rdma.payloadDelivered) / seconds / 1e9);
    os << line;
}

} // namespace ns3
