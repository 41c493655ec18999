// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATERMARK_STATS_H
#define LOSSLESS_WATERMARK_STATS_H

#include "result-report.h"

#include "ns3/event-id.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/run-traffic.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Watermarks of switch buffers, as the telemetry of SONiC streams them: those of the view PERIODIC
 * are written and cleared at an interval, the others written at the end. It changes no result.
 */
class WatermarkStats : public TableReport
{
  public:
    /// @param fabric whose switches @param traffic while which is awaited there are intervals; must
    /// outlive this
    WatermarkStats(const Fabric& fabric, const RunTraffic& traffic);
    ~WatermarkStats() override;
    WatermarkStats(const WatermarkStats&) = delete;
    WatermarkStats& operator=(const WatermarkStats&) = delete;

    /// @param interval of the view PERIODIC; 0: nothing is written
    void SetInterval(Time interval);

    uint64_t GetEvents() const override
    {
        return m_events;
    }

    /// @return watermarks.csv
    static TableSpec GetTable();

    bool IsDividable() const override
    {
        return true; // its events are of no node
    }

    void Begin() override;
    void Stop() override;
    void Close(Time end) override;

  private:
    /// Plan the end of the interval, a whole number of intervals from time 0, when traffic runs.
    void Plan();
    /// The interval ends.
    void Poll();
    /// The view PERIODIC begins anew.
    void Clear();
    /// Rows of a view. @param view of all switches
    void Write(WatermarkView view);

    Fabric m_fabric;
    const RunTraffic& m_traffic;
    Time m_interval;
    EventId m_next; //!< end of the interval
    uint64_t m_events{0};
};

} // namespace ns3

#endif // LOSSLESS_WATERMARK_STATS_H
