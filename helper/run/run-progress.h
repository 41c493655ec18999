// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_PROGRESS_H
#define LOSSLESS_RUN_PROGRESS_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/run-traffic.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * One line on standard error that tells how far a run is: simulated time, flows done, wall time
 * left. Only where standard error is a terminal; silent in a pipe or a log.
 */
class RunProgress
{
  public:
    /**
     * @param traffic all of the run; must outlive this
     * @param stop from now to the end of the run at the latest; zero: there is none
     */
    explicit RunProgress(const RunTraffic& traffic, Time stop = Time(0));
    ~RunProgress();
    RunProgress(const RunProgress&) = delete;
    RunProgress& operator=(const RunProgress&) = delete;

    /// Show the line even where there is no terminal, for tests. @param enable whether
    void Enable(bool enable);

    /// Where there is another place for the line than a terminal. @param show takes it
    void ShowBy(std::function<void(const std::string& line)> show);

    /// Erase the line; the run is over. Who shows it elsewhere gets the last one.
    void Finish();

    /// @return events that this has added to the run
    uint64_t GetEvents() const
    {
        return m_events;
    }

    /**
     * @param simulated time simulated so far
     * @param done flows that have ended
     * @param total flows known
     * @param left wall seconds left; negative: unknown
     * @return the line
     */
    static std::string Line(Time simulated, uint64_t done, uint64_t total, double left);

  private:
    /// Look at the clock, and show the line if it is time.
    void Tick();
    /// @param left wall seconds left; negative: unknown @return the line as of now
    std::string Now(double left) const;
    /// @return wall seconds left, or a negative number
    double Left(double elapsed) const;

    const RunTraffic& m_traffic;
    Time m_start; //!< simulated time at the begin
    Time m_stop;
    Time m_step; //!< simulated time between ticks, adapted to the speed of the run
    EventId m_next;
    uint64_t m_events{0};
    bool m_shown{false};
    bool m_isTerminal{true};
    std::chrono::steady_clock::time_point m_begin;
    std::chrono::steady_clock::time_point m_lastTick;
    std::chrono::steady_clock::time_point m_lastShown;
    std::function<void(const std::string&)> m_show;
};

} // namespace ns3

#endif // LOSSLESS_RUN_PROGRESS_H
