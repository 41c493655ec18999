// SPDX-License-Identifier: GPL-2.0-only
#include "trim-stats.h"

#include "ns3/fabric-switch.h"
#include "ns3/switch-extensions.h"

namespace ns3
{

TrimStats::TrimStats(const Fabric& fabric)
    : TableReport("trims", {GetTable()}),
      m_fabric(fabric)
{
}

TableSpec
TrimStats::GetTable()
{
    return {"trims",
            "an egress port of a switch that has trimmed packets, or has sent or dropped trimmed "
            "ones, in the run",
            {{"node", "", "node of the switch"},
             {"port", "", "port of the switch"},
             {"trims", "frames", "data packets whose payload it has cut"},
             {"trimmed_bytes", "bytes", "frame bytes that it has cut off"},
             {"sent", "frames", "trimmed packets that it has sent, those of other switches too"},
             {"dropped", "frames", "trimmed packets for which it had no room"}},
            false};
}

std::vector<TrimStats::Port>
TrimStats::Read() const
{
    std::vector<Port> ports;
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto fabricSwitch = m_fabric.GetSwitch(which);
        for (const auto& trim : ExtensionsOf<TrimSwitch>(*fabricSwitch))
        {
            for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
            {
                ports.push_back(
                    {m_fabric.GetTopology().NodeOf(which), port, trim->GetCounters(port)});
            }
        }
    }
    return ports;
}

void
TrimStats::Begin()
{
    m_before = Read();
    if (m_rows && !m_before.empty())
    {
        m_rows->Start();
    }
}

void
TrimStats::Close(Time /* end */)
{
    if (!m_rows)
    {
        return;
    }
    const std::vector<Port> now = Read();
    for (std::size_t i = 0; i < now.size() && i < m_before.size(); ++i)
    {
        const auto counters = CountersSince(now[i].counters, m_before[i].counters);
        if (HasCounted(counters))
        {
            m_rows->Add(now[i].node,
                        now[i].port,
                        counters.trims,
                        counters.trimmedBytes,
                        counters.sent,
                        counters.dropped);
        }
    }
}

} // namespace ns3
