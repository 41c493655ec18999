// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-stats.h"

#include "ns3/mrc-endpoint.h"
#include "ns3/rdma-hw.h"

#include <array>
#include <tuple>

namespace ns3
{

MrcStats::MrcStats(const Fabric& fabric)
    : TableReport("mrc", {GetTable()}),
      m_fabric(fabric)
{
}

TableSpec
MrcStats::GetTable()
{
    TableSpec table{"mrc",
                    "a host that has had queue pairs of MRC: what all of them have counted in the "
                    "run",
                    {{"node", "", "node of the host"}},
                    false};
    for (const CounterField& field : ListCounters<MrcCounters>())
    {
        table.columns.push_back({field.name, field.unit, field.help});
    }
    return table;
}

void
MrcStats::Begin()
{
    m_before.clear();
    for (const HostId host : m_fabric.Hosts())
    {
        m_before.push_back(
            MrcEndpoint::GetCountersOf(*m_fabric.GetRdma(host)).value_or(MrcCounters{}));
    }
}

void
MrcStats::Close(Time /* end */)
{
    if (!m_rows || m_before.empty())
    {
        return;
    }
    for (const HostId host : m_fabric.Hosts())
    {
        const auto now = MrcEndpoint::GetCountersOf(*m_fabric.GetRdma(host));
        if (!now)
        {
            continue;
        }
        std::array<uint64_t, sizeof(MrcCounters) / sizeof(uint64_t)> cells;
        auto cell = cells.begin();
        ForEachCounter(CountersSince(*now, m_before[host.Value()]),
                       [&cell](const CounterField&, uint64_t value) { *cell++ = value; });
        const NodeId node = m_fabric.GetTopology().NodeOf(host);
        std::apply([this, node](const auto&... each) { m_rows->Add(node, each...); }, cells);
    }
}

} // namespace ns3
