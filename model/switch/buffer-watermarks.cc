// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-watermarks.h"

#include <algorithm>

namespace ns3
{

const char*
Watermark::NameOf(WatermarkStatistic statistic)
{
    switch (statistic)
    {
    case WatermarkStatistic::INGRESS_SHARED:
        return "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES";
    case WatermarkStatistic::INGRESS_HEADROOM:
        return "SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES";
    case WatermarkStatistic::QUEUE_SHARED:
        return "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES";
    case WatermarkStatistic::POOL:
        return "SAI_BUFFER_POOL_STAT_WATERMARK_BYTES";
    default:
        return "SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES";
    }
}

const char*
Watermark::NameOf(WatermarkView view)
{
    switch (view)
    {
    case WatermarkView::USER:
        return "USER_WATERMARKS";
    case WatermarkView::PERSISTENT:
        return "PERSISTENT_WATERMARKS";
    case WatermarkView::PERIODIC:
        return "PERIODIC_WATERMARKS";
    default:
        return "RUN";
    }
}

void
BufferWatermarks::ClassMarks::Raise(const ClassMarks& other)
{
    ingress = std::max(ingress, other.ingress);
    shared = std::max(shared, other.shared);
    headroom = std::max(headroom, other.headroom);
    queue = std::max(queue, other.queue);
    beyond = std::max(beyond, other.beyond);
}

void
BufferWatermarks::SwitchMarks::Raise(const SwitchMarks& other)
{
    for (std::size_t i = 0; i < pools.size(); ++i)
    {
        pools[i] = std::max(pools[i], other.pools[i]);
    }
    headroom = std::max(headroom, other.headroom);
}

BufferWatermarks::ClassMarks
BufferWatermarks::Counted(const MmuIngress& in, const MmuEgress& out, uint64_t cellBytes)
{
    ClassMarks marks;
    marks.ingress = in.peak * cellBytes;
    marks.shared = in.sharedPeak * cellBytes;
    marks.headroom = in.headroomPeak * cellBytes;
    marks.queue = out.peak * cellBytes;
    marks.beyond = (out.peak - std::min(out.peak, out.guaranteed)) * cellBytes;
    return marks;
}

void
BufferWatermarks::Keep(uint32_t index, std::size_t counts, const ClassMarks& marks)
{
    for (View& view : m_views)
    {
        view.classes.resize(std::max(counts, view.classes.size()));
        view.classes[index].Raise(marks);
    }
}

void
BufferWatermarks::Keep(const SwitchMarks& marks)
{
    for (View& view : m_views)
    {
        view.whole.Raise(marks);
    }
}

void
BufferWatermarks::Clear(WatermarkView view)
{
    m_views[static_cast<std::size_t>(view)] = View();
}

BufferWatermarks::ClassMarks
BufferWatermarks::Get(WatermarkView view, uint32_t index, const ClassMarks& counted) const
{
    const View& kept = m_views[static_cast<std::size_t>(view)];
    ClassMarks marks = counted;
    if (index < kept.classes.size())
    {
        marks.Raise(kept.classes[index]);
    }
    return marks;
}

BufferWatermarks::SwitchMarks
BufferWatermarks::Get(WatermarkView view, const SwitchMarks& counted) const
{
    SwitchMarks marks = counted;
    marks.Raise(m_views[static_cast<std::size_t>(view)].whole);
    return marks;
}

} // namespace ns3
