// SPDX-License-Identifier: GPL-2.0-only
#include "throughput-stats.h"

#include "counters-at-rest.h"
#include "fabric-ports.h"
#include "run-totals.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <numeric>

namespace ns3
{
namespace
{

/// @return wire bytes that the ports of a switch have sent, by port
std::vector<uint64_t>
SentBy(const FabricSwitch& fabricSwitch)
{
    std::vector<uint64_t> sent;
    for (uint32_t port = 0; port < fabricSwitch.GetNPorts(); ++port)
    {
        sent.push_back(fabricSwitch.GetPort(port)->GetCounters().txWireBytes);
    }
    return sent;
}

} // namespace

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
    : PortRates("link load", ListTables()),
      m_fabric(fabric)
{
    m_hasReceived = false;
    for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
    {
        if (isSwitch)
        {
            m_ports.push_back({node, port, device, device->GetCounters().txWireBytes, 0, 0});
        }
    }
    for (const SwitchId which : m_fabric.Switches())
    {
        m_before.push_back(SentBy(*m_fabric.GetSwitch(which)));
    }
}

std::vector<TableSpec>
LinkLoad::ListTables()
{
    using C = ColumnSpec;
    return {{"link-load",
             "a port of a switch at a sample, what it has sent since the last; none of a port that "
             "sends nothing in the run",
             {{"time_ns", "ns", "time of the sample"},
              {"node", "", "node of the switch"},
              {"port", "", "port of the switch"},
              {"tx_bps", "bit/s", "what it has sent, wire bytes", C::REAL, "%.0f"}},
             false},
            {"balance",
             "a port of a next-hop group that has several, at the end of the run; none of a group "
             "whose ports send nothing in the run",
             {{"node", "", "node of the switch"},
              {"group", "", "number of the group at the switch"},
              {"port", "", "port of the group"},
              {"tx_bytes", "bytes", "wire bytes that the port has sent, whatever their group"},
              {"imbalance",
               "",
               "of the group: most less fewest bytes of a port, divided by their mean",
               C::REAL,
               "%.6f"}},
             false}};
}

void
LinkLoad::Open(const std::vector<RowSink*>& rows)
{
    PortRates::Open(rows);
    m_balance = rows[1];
    for (RowSink* const sink : rows)
    {
        if (sink)
        {
            sink->Start();
        }
    }
}

void
LinkLoad::Close(Time end)
{
    PortRates::Close(end);
    for (const SwitchId which : m_fabric.Switches())
    {
        if (m_balance)
        {
            WriteGroups(which);
        }
    }
}

void
LinkLoad::WriteGroups(SwitchId which)
{
    const auto fabricSwitch = m_fabric.GetSwitch(which);
    const auto& before = m_before[which.Value()];
    auto sent = SentBy(*fabricSwitch);
    for (std::size_t port = 0; port < before.size(); ++port)
    {
        sent[port] -= before[port];
    }
    const ForwardingTable& table = fabricSwitch->GetForwardingTable();
    for (ForwardingTable::GroupId number = 1; number <= table.GetNGroups(); ++number)
    {
        const auto& ports = table.GetGroup(number).all;
        const auto bytesOf = [&sent](uint16_t port) { return sent[port]; };
        std::vector<uint64_t> bytes(ports.size());
        std::transform(ports.begin(), ports.end(), bytes.begin(), bytesOf);
        const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
        if (ports.size() == 1 || *most == 0)
        {
            continue;
        }
        const double mean =
            std::accumulate(bytes.begin(), bytes.end(), 0.) / static_cast<double>(bytes.size());
        const double imbalance = static_cast<double>(*most - *least) / mean;
        for (const uint16_t port : ports)
        {
            m_balance->Add(m_fabric.GetTopology().NodeOf(which),
                           number,
                           port,
                           sent[port],
                           imbalance);
        }
    }
}

} // namespace ns3
