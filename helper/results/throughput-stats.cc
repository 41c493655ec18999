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

// ---- any ports

void
PortRates::Open(const std::vector<RowSink*>& rows)
{
    TableReport::Open(rows);
    m_last = Simulator::Now();
}

void
PortRates::SampleFrom(Time time)
{
    SampledTable::SampleFrom(time);
    m_last = std::max(m_last, time);
}

void
PortRates::Sample(Time now)
{
    if (!m_rows || now <= m_last)
    {
        return;
    }
    const double perByte = 8 / (now - m_last).GetSeconds();
    const auto add = [this](int64_t ns, const Port& port, double tx, double rx) {
        if (m_hasReceived)
        {
            m_rows->Add(ns, port.node, port.port, tx, rx);
        }
        else
        {
            m_rows->Add(ns, port.node, port.port, tx);
        }
    };
    for (Port& port : m_ports)
    {
        const uint64_t tx = port.device->GetCounters().txWireBytes;
        const uint64_t rx = m_hasReceived ? port.device->GetCounters().rxWireBytes : 0;
        if (HasRow(port.listed, tx != port.txBytes || rx != port.rxBytes, [&](int64_t ns) {
                add(ns, port, 0, 0);
            }))
        {
            add(now.GetNanoSeconds(),
                port,
                static_cast<double>(tx - port.txBytes) * perByte,
                static_cast<double>(rx - port.rxBytes) * perByte);
            port.txBytes = tx;
            port.rxBytes = rx;
        }
    }
    m_times.push_back(now.GetNanoSeconds());
    m_last = now;
}

void
PortRates::Close(Time end)
{
    Sample(end);
}

// ---- hosts

ThroughputStats::ThroughputStats(const Fabric& fabric)
    : PortRates("throughput", {GetTable()}),
      m_fabric(fabric)
{
    const FabricCounters before = CountersAtRest::Get(fabric);
    for (const auto& [node, port, isSwitch, device] : PortsOf(m_fabric))
    {
        const auto& counters = before.ports[m_before.size()].device;
        m_before.push_back(counters.txWireBytes);
        if (!isSwitch)
        {
            m_ports.push_back({node, port, device, counters.txWireBytes, counters.rxWireBytes, 0});
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

// ---- switches

LinkLoad::LinkLoad(const Fabric& fabric)
    : PortRates("link load", {GetTable()})
{
    m_hasReceived = false;
    for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
    {
        if (isSwitch)
        {
            m_ports.push_back({node, port, device, device->GetCounters().txWireBytes, 0, 0});
        }
    }
}

TableSpec
LinkLoad::GetTable()
{
    return {"link-load",
            "a port of a switch at a sample, what it has sent since the last; none of a port that "
            "sends nothing in the run",
            {{"time_ns", "ns", "time of the sample"},
             {"node", "", "node of the switch"},
             {"port", "", "port of the switch"},
             {"tx_bps", "bit/s", "what it has sent, wire bytes", ColumnSpec::REAL, "%.0f"}},
            false};
}

void
LinkLoad::Open(const std::vector<RowSink*>& rows)
{
    PortRates::Open(rows);
    if (m_rows)
    {
        m_rows->Start();
    }
}

} // namespace ns3
