// SPDX-License-Identifier: GPL-2.0-only
#include "mmu-report.h"

#include <sstream>
#include <utility>

namespace ns3
{

std::string
ExplainPfc(const SwitchMmu& mmu, uint32_t port, uint32_t cls, const SwitchMmu::Counts& since)
{
    const MmuClassConfig& config = mmu.GetConfig(port, cls); // throws when out of range
    const MmuIngress& in = mmu.GetIngress(port, cls);
    const SwitchMmu::Counts counts = mmu.GetCounts(port, cls);
    const bool hasArrived = in.lowestThreshold != MmuIngress().lowestThreshold;
    const uint64_t cell = mmu.GetCellSize().Bytes();
    const BufferWatermarks::ClassMarks peaks = mmu.GetPeaks(port, cls);
    std::ostringstream text;
    text << "port " << port << " class " << cls << ": ";
    if (!in.lossless)
    {
        text << "PFC cannot fire: the class is lossy here"
             << (config.kind == MmuClassConfig::UNSET ? " (not configured)" : "");
    }
    else if (counts.xoffs > since.xoffs)
    {
        text << "PFC fired: " << counts.xoffs - since.xoffs << " XOFF, " << counts.xons - since.xons
             << " XON";
    }
    else if (!hasArrived)
    {
        text << "PFC did not fire: no frame arrived";
    }
    else
    {
        text << "PFC did not fire: it came no nearer to its threshold than "
             << in.smallestMargin * static_cast<int64_t>(cell) << " B";
    }
    text << "; threshold now " << mmu.GetThreshold(port, cls) * cell << " B";
    if (hasArrived)
    {
        text << ", lowest at an arrival " << in.lowestThreshold * cell << " B";
    }
    const MmuPortLimits& limits = mmu.GetPortLimits(port);
    if (in.limited)
    {
        text << "; limit of the port " << limits.limit * cell << " B, its classes hold "
             << limits.shared * cell << " B";
    }
    text << "; holds " << in.Used() * cell << " B, peak " << peaks.ingress << " B; headroom "
         << in.headroom * cell << " B, peak " << peaks.headroom << " B; drops";
    // In the order of DropCounters.
    std::size_t place = 0;
    for (auto reason : {DropReason::HEADROOM_FULL,
                        DropReason::POOL_FULL,
                        DropReason::INGRESS_LIMIT,
                        DropReason::EGRESS_LIMIT})
    {
        text << " " << reason << " " << counts.drops[place] - since.drops[place];
        ++place;
    }
    return text.str();
}

std::vector<Watermark>
ListWatermarks(const SwitchMmu& mmu, WatermarkView view)
{
    using Statistic = WatermarkStatistic;
    using Marks = BufferWatermarks::ClassMarks;
    std::vector<Watermark> list;
    const auto add = [&list](Statistic statistic, int32_t port, int32_t cls, uint64_t bytes) {
        if (bytes > 0)
        {
            list.push_back({statistic, port, cls, bytes, {}});
        }
    };
    static constexpr std::pair<Statistic, uint64_t Marks::*> KINDS[] = {
        {Statistic::INGRESS_SHARED, &Marks::shared},
        {Statistic::INGRESS_HEADROOM, &Marks::headroom},
        {Statistic::QUEUE_SHARED, &Marks::beyond}};
    for (const auto& [statistic, member] : KINDS)
    {
        for (uint32_t port = 0; port < mmu.GetPortCount(); ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                const Marks marks = mmu.GetMarks(view, port, cls);
                add(statistic,
                    static_cast<int32_t>(port),
                    static_cast<int32_t>(cls),
                    marks.*member);
            }
        }
    }
    const BufferWatermarks::SwitchMarks whole = mmu.GetMarks(view);
    for (uint32_t i = 0; i < mmu.GetPoolCount(); ++i)
    {
        add(Statistic::POOL, -1, -1, whole.pools[i]);
        if (whole.pools[i] > 0)
        {
            list.back().pool = mmu.GetPoolName(i);
        }
    }
    add(Statistic::POOL_HEADROOM, -1, -1, whole.headroom);
    if (whole.headroom > 0)
    {
        list.back().pool = "headroom";
    }
    return list;
}

} // namespace ns3
