// SPDX-License-Identifier: GPL-2.0-only
#include "link-load.h"

#include "fabric-ports.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

LinkLoad::LinkLoad(const Fabric& fabric)
    : SampledTable("link load", {GetTable()}),
      m_fabric(fabric)
{
    for (const auto& [node, port, isSwitch, device] : PortsOf(m_fabric))
    {
        if (isSwitch)
        {
            m_ports.push_back({node, port, device, device->GetCounters().txWireBytes, 0});
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
    TableReport::Open(rows);
    m_last = Simulator::Now();
    if (m_rows)
    {
        m_rows->Start();
    }
}

void
LinkLoad::SampleFrom(Time time)
{
    SampledTable::SampleFrom(time);
    m_last = std::max(m_last, time);
}

void
LinkLoad::Sample(Time now)
{
    if (!m_rows || now <= m_last)
    {
        return;
    }
    const double perByte = 8 / (now - m_last).GetSeconds();
    for (Port& port : m_ports)
    {
        const uint64_t sent = port.device->GetCounters().txWireBytes;
        if (HasRow(port.listed, sent != port.sent, [&](int64_t ns) {
                m_rows->Add(ns, port.node, port.port, 0.0);
            }))
        {
            m_rows->Add(now.GetNanoSeconds(),
                        port.node,
                        port.port,
                        static_cast<double>(sent - port.sent) * perByte);
            port.sent = sent;
        }
    }
    m_times.push_back(now.GetNanoSeconds());
    m_last = now;
}

void
LinkLoad::Close(Time end)
{
    Sample(end);
}

} // namespace ns3
