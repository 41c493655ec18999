// SPDX-License-Identifier: GPL-2.0-only
#include "run-progress.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace ns3
{
namespace
{

using Clock = std::chrono::steady_clock;

double
SecondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// @param line in place of the one before
void
OnTerminal(const std::string& line)
{
    std::fprintf(stderr, "\r%-78s", line.c_str());
    std::fflush(stderr);
}

} // namespace

RunProgress::RunProgress(const RunTraffic& traffic, Time stop)
    : m_traffic(traffic),
      m_start(Simulator::Now()),
      m_stop(stop),
      m_step(MicroSeconds(10)),
      m_begin(Clock::now()),
      m_lastTick(m_begin),
      m_lastShown(m_begin),
      m_show(&OnTerminal)
{
    Enable(isatty(STDERR_FILENO) != 0);
}

RunProgress::~RunProgress()
{
    Finish();
}

void
RunProgress::Enable(bool enable)
{
    m_next.Remove(); // a later run would meet a cancelled event
    if (enable)
    {
        m_next = Simulator::Schedule(m_step, &RunProgress::Tick, this);
    }
}

void
RunProgress::ShowBy(std::function<void(const std::string& line)> show)
{
    m_isTerminal = false;
    m_show = std::move(show);
    Enable(true);
}

std::string
RunProgress::Now(double left) const
{
    const TrafficSource::Counts counts = m_traffic.GetCounts();
    return Line(Simulator::Now() - m_start, counts.completed + counts.failed, counts.added, left);
}

void
RunProgress::Tick()
{
    ++m_events;
    // Aim at ten looks at the clock a second, whatever the speed of the run.
    const double took = SecondsSince(m_lastTick);
    m_lastTick = Clock::now();
    const double factor = std::clamp(0.1 / std::max(took, 1e-6), 0.5, 2.0);
    m_step = TimeStep(std::max<uint64_t>(
        1,
        static_cast<uint64_t>(static_cast<double>(m_step.GetTimeStep()) * factor)));
    if (SecondsSince(m_lastShown) >= 0.5)
    {
        m_lastShown = Clock::now();
        m_shown = true;
        m_show(Now(Left(SecondsSince(m_begin))));
    }
    if (m_traffic.IsAwaited())
    {
        m_next = Simulator::Schedule(m_step, &RunProgress::Tick, this);
    }
}

double
RunProgress::Left(double elapsed) const
{
    // The nearer of two ends: the stop time and the last flow.
    const double now = (Simulator::Now() - m_start).GetSeconds();
    double left = -1;
    if (m_stop.IsStrictlyPositive() && now > 0)
    {
        left = elapsed * (m_stop.GetSeconds() - now) / now;
    }
    const TrafficSource::Counts counts = m_traffic.GetCounts();
    const auto done = static_cast<double>(counts.completed + counts.failed);
    if (done > 0)
    {
        const double byFlows = elapsed * (counts.expected - done) / done;
        left = left < 0 ? byFlows : std::min(left, byFlows);
    }
    return left;
}

std::string
RunProgress::Line(Time simulated, uint64_t done, uint64_t total, double left)
{
    char line[128];
    char rest[48] = "";
    if (left >= 0)
    {
        const auto seconds = static_cast<unsigned long long>(left + 0.5);
        std::snprintf(rest, sizeof(rest), ", about %llu:%02llu left", seconds / 60, seconds % 60);
    }
    std::snprintf(line,
                  sizeof(line),
                  "%.3f ms simulated, %llu of %llu flows done%s",
                  simulated.GetSeconds() * 1e3,
                  static_cast<unsigned long long>(done),
                  static_cast<unsigned long long>(total),
                  rest);
    return line;
}

void
RunProgress::Finish()
{
    m_next.Remove();
    if (std::exchange(m_shown, false))
    {
        m_show(m_isTerminal ? "" : Now(-1));
        if (m_isTerminal)
        {
            std::fputc('\r', stderr);
        }
    }
}

} // namespace ns3
