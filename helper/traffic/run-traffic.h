// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_TRAFFIC_H
#define LOSSLESS_RUN_TRAFFIC_H

#include "traffic-source.h"

#include "ns3/nstime.h"

#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * All traffic of a run: the sum of its sources, and when nothing is awaited any more. A source that
 * is destroyed is no part of it any more.
 */
class RunTraffic : private TrafficListener
{
  public:
    RunTraffic() = default;
    ~RunTraffic() override;
    RunTraffic(const RunTraffic&) = delete;
    RunTraffic& operator=(const RunTraffic&) = delete;

    /// @param source another one
    void Add(TrafficSource& source);

    /// @return the sources, in the order of adding
    const std::vector<TrafficSource*>& GetSources() const
    {
        return m_sources;
    }

    /// @param listener told of all sources, those added later included; must say RemoveListener()
    /// before it is gone
    void AddListener(TrafficListener& listener);

    /// @param listener told no more
    void RemoveListener(TrafficListener& listener);

    /// @param listener called each time that the last item ends that was awaited; none: nobody
    void OnDone(std::function<void()> listener);

    /// @return the counts of all sources
    TrafficSource::Counts GetCounts() const;

    /// @return whether a source is awaited
    bool IsAwaited() const;

    /// @return now while something is under way that is awaited, or if nothing is awaited; else the
    /// next start
    Time GetNextActivity() const;

    /// @return whether a source has a timeout to come that may change something
    bool MayActByItself() const;

    /// @return when the first item of all started
    Time GetFirstStart() const;

  private:
    void Started(const TrafficSource& source, const TrafficItem& item) override;
    void Ended(const TrafficSource& source, const TrafficItem& item) override;
    void Gone(const TrafficSource& source) override;

    std::vector<TrafficSource*> m_sources;
    std::vector<TrafficListener*> m_listeners;
    std::function<void()> m_onDone;
    bool m_open{false}; //!< something that was awaited has started, and OnDone() was not told since
};

} // namespace ns3

#endif // LOSSLESS_RUN_TRAFFIC_H
