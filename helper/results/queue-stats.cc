// SPDX-License-Identifier: GPL-2.0-only
#include "queue-stats.h"

#include "run-totals.h"

#include "ns3/fabric-places.h"

#include <algorithm>
#include <iomanip>

namespace ns3
{
namespace
{

/// The longest queue of a fabric.
struct Longest
{
    uint64_t bytes{0};
    NodeId node{0};
    uint32_t port{0};
    uint32_t cls{0};
};

Longest
FindLongest(const Fabric& fabric)
{
    Longest longest;
    for (const SwitchId which : fabric.Switches())
    {
        const auto mmu = fabric.GetSwitch(which)->GetMmu();
        for (uint32_t port = 0; port < mmu->GetPortCount(); ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                const uint64_t bytes = mmu->GetPeaks(port, cls).queue;
                if (bytes > longest.bytes)
                {
                    longest = {bytes, fabric.GetTopology().NodeOf(which), port, cls};
                }
            }
        }
    }
    return longest;
}

} // namespace

QueueStats::QueueStats(const Fabric& fabric)
    : SampledTable("queue", {GetTable()}),
      m_fabric(fabric)
{
}

TableSpec
QueueStats::GetTable()
{
    return {"queue",
            "an egress queue of a switch at a sample; none of a queue that is empty at all samples",
            {{"time_ns", "ns", "time of the sample"},
             {"node", "", "node of the switch"},
             {"port", "", "port of the switch"},
             {"class", "", "traffic class of the queue"},
             {"bytes", "bytes", "frames in the queue"}}};
}

void
QueueStats::Sample(Time now)
{
    if (!m_rows)
    {
        return;
    }
    const int64_t ns = now.GetNanoSeconds();
    std::size_t place = 0;
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto fabricSwitch = m_fabric.GetSwitch(which);
        const NodeId node = m_fabric.GetTopology().NodeOf(which);
        for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                if (place == m_listed.size())
                {
                    m_listed.push_back(0);
                }
                const uint64_t bytes = fabricSwitch->GetQueueBytes(port, cls);
                if (HasRow(m_listed[place++], bytes != 0, [&](int64_t time) {
                        m_rows->Add(time, node, port, cls, uint64_t{0});
                    }))
                {
                    m_rows->Add(ns, node, port, cls, bytes);
                }
            }
        }
    }
    m_times.push_back(ns);
}

void
QueueStats::AddTotals(RunTotals& totals) const
{
    totals.queuePeakBytes = GetPeakBytes();
}

uint64_t
QueueStats::GetPeakBytes() const
{
    return FindLongest(m_fabric).bytes;
}

void
QueueStats::Print(std::ostream& os, const RunTotals&) const
{
    const Longest longest = FindLongest(m_fabric);
    uint64_t fullest = 0;
    uint64_t pool = 0;
    uint64_t headroom = 0;
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto mmu = m_fabric.GetSwitch(which)->GetMmu();
        const uint64_t cell = mmu->GetCellSize().Bytes();
        if (mmu->GetSharedPeak() * cell >= fullest)
        {
            fullest = mmu->GetSharedPeak() * cell;
            pool = mmu->GetSharedPool() * cell;
        }
        headroom = std::max(headroom, mmu->GetHeadroomPeak() * cell);
    }
    if (longest.bytes == 0)
    {
        os << "Queues: empty all the time\n";
        return;
    }
    os << "Queues: longest " << longest.bytes / 1000 << " KB ("
       << FabricPlaces::NameOf(m_fabric.GetTopology(), longest.node) << " port " << longest.port
       << " class " << longest.cls << "); fullest buffer " << fullest / 1000 << " of "
       << pool / 1000 << " KB shared space; most headroom in use " << headroom / 1000 << " KB\n";
}

} // namespace ns3
