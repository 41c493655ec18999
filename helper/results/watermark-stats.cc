// SPDX-License-Identifier: GPL-2.0-only
#include "watermark-stats.h"

#include "ns3/simulator.h"

namespace ns3
{

WatermarkStats::WatermarkStats(const Fabric& fabric, const RunTraffic& traffic)
    : TableReport("watermarks", {GetTable()}),
      m_fabric(fabric),
      m_traffic(traffic)
{
}

WatermarkStats::~WatermarkStats()
{
    m_next.Cancel();
}

TableSpec
WatermarkStats::GetTable()
{
    return {"watermarks",
            "a watermark of a switch buffer that is not 0: at the end of each interval those since "
            "the interval began, and at the end of the run those of users",
            {{"time_ns", "ns", "when it was read"},
             {"node", "", "node of the switch"},
             {"port", "", "port of the switch; -1: all of it"},
             {"class", "", "traffic class at that port; -1: all of the switch"},
             {"pool", "", "service pool, or headroom; empty: it is of a class", ColumnSpec::TEXT},
             {"table",
              "",
              "PERIODIC_WATERMARKS, of the interval; USER_WATERMARKS or PERSISTENT_WATERMARKS, "
              "since they were cleared",
              ColumnSpec::TEXT},
             {"statistic", "", "what it is of, as SAI calls it", ColumnSpec::TEXT},
             {"bytes", "bytes", "most bytes in use, in whole cells"}},
            false};
}

void
WatermarkStats::SetInterval(Time interval)
{
    m_interval = interval;
}

void
WatermarkStats::Begin()
{
    if (m_rows && m_interval.IsStrictlyPositive())
    {
        m_rows->Start();
        Clear();
        Plan();
    }
}

void
WatermarkStats::Stop()
{
    m_next.Cancel();
}

void
WatermarkStats::Plan()
{
    const uint64_t step = m_interval.GetTimeStep();
    const uint64_t intervals = m_traffic.GetNextActivity().GetTimeStep() / step;
    m_next = Simulator::Schedule(TimeStep((intervals + 1) * step) - Simulator::Now(),
                                 &WatermarkStats::Poll,
                                 this);
}

void
WatermarkStats::Poll()
{
    ++m_events;
    Write(WatermarkView::PERIODIC);
    Clear();
    if (m_traffic.IsAwaited())
    {
        Plan();
    }
}

void
WatermarkStats::Clear()
{
    for (const SwitchId which : m_fabric.Switches())
    {
        m_fabric.GetSwitch(which)->GetMmu()->ClearWatermarks(WatermarkView::PERIODIC);
    }
}

void
WatermarkStats::Write(WatermarkView view)
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    for (const SwitchId which : m_fabric.Switches())
    {
        const NodeId node = m_fabric.GetTopology().NodeOf(which);
        for (const Watermark& mark : m_fabric.GetSwitch(which)->GetMmu()->GetWatermarks(view))
        {
            m_rows->Add(now,
                        node,
                        mark.port,
                        mark.cls,
                        mark.pool,
                        Watermark::NameOf(view),
                        Watermark::NameOf(mark.statistic),
                        mark.bytes);
        }
    }
}

void
WatermarkStats::Close(Time /* end */)
{
    m_next.Cancel();
    if (m_rows && m_interval.IsStrictlyPositive())
    {
        for (auto view : {WatermarkView::PERIODIC, WatermarkView::USER, WatermarkView::PERSISTENT})
        {
            Write(view);
        }
    }
}

} // namespace ns3
