// SPDX-License-Identifier: GPL-2.0-only
#include "icc-port-monitor.h"

#include "unit-factors.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return growth of a queue between two looks, bit/s
double
Growth(const IccQueueView& before, const IccQueueView& after)
{
    const auto bytes =
        static_cast<double>(after.queueBytes) - static_cast<double>(before.queueBytes);
    return bytes * BITS * PS_PER_SECOND / static_cast<double>(after.nowPs - before.nowPs);
}

/// @return wire bytes sent at a time between two looks, by linear interpolation
double
SentAt(const IccQueueView& before, const IccQueueView& after, int64_t ps)
{
    const auto share =
        static_cast<double>(ps - before.nowPs) / static_cast<double>(after.nowPs - before.nowPs);
    return static_cast<double>(before.sentBytes) +
           share * static_cast<double>(after.sentBytes - before.sentBytes);
}

/// @return samples to keep: those of the window, one before it, and the one being taken
std::size_t
CountSamples(const IccMonitorParameters& parameters)
{
    return static_cast<std::size_t>(parameters.utilisationPs / parameters.samplePs + 2);
}

} // namespace

IccPortMonitor::IccPortMonitor(const IccMonitorParameters& parameters)
    : m_parameters(parameters),
      m_samples(CountSamples(parameters))
{
    // Before time 0 nothing was queued or sent.
    const auto count = static_cast<int64_t>(m_samples.size());
    for (int64_t i = 0; i < count; ++i)
    {
        m_samples[i].nowPs = (i + 1 - count) * parameters.samplePs - 1;
    }
    m_last = m_samples.size() - 1;
    m_taken = m_samples.size();
}

void
IccPortMonitor::SetParameters(const IccMonitorParameters& parameters)
{
    std::rotate(m_samples.begin(),
                m_samples.begin() + (m_last + 1) % m_samples.size(),
                m_samples.end());
    std::vector<IccQueueView> samples(CountSamples(parameters));
    m_taken = std::min<uint32_t>(m_taken, samples.size());
    std::copy(m_samples.end() - m_taken, m_samples.end(), samples.end() - m_taken);
    m_samples = samples;
    m_last = m_samples.size() - 1;
    // What is under way began when it did, and takes as long as it takes now.
    const auto shift = [](int64_t& deadline, int64_t longer) {
        deadline += deadline == NEVER ? 0 : longer;
    };
    shift(m_recheckAt, parameters.recheckPs - m_parameters.recheckPs);
    shift(m_timerAt, parameters.reportPs - m_parameters.reportPs);
    m_parameters = parameters;
}

uint32_t
IccPortMonitor::FindBefore(int64_t ps) const
{
    uint32_t i = m_last;
    for (uint32_t left = m_taken; left > 1 && m_samples[i].nowPs > ps; --left)
    {
        i = (i == 0 ? m_samples.size() : i) - 1;
    }
    return i;
}

double
IccPortMonitor::MeasureGrowth(const IccQueueView& view) const
{
    return Growth(m_samples[FindBefore(view.nowPs - m_parameters.utilisationPs)], view);
}

double
IccPortMonitor::MeasureUtilisation(const IccQueueView& view) const
{
    const int64_t begin = view.nowPs - m_parameters.utilisationPs;
    // The latest sample before the window, and the look that follows it.
    const uint32_t i = FindBefore(begin);
    const IccQueueView& after = i == m_last ? view : m_samples[(i + 1) % m_samples.size()];
    const int64_t from = std::max(begin, m_samples[i].nowPs); // later after the window grew
    const double sent = static_cast<double>(view.sentBytes) - SentAt(m_samples[i], after, from);
    const auto window = static_cast<double>(view.nowPs - from) / PS_PER_SECOND;
    return std::clamp(sent * BITS / (window * m_parameters.capacity), 0.0, 1.0);
}

IccVerdict
IccPortMonitor::Arrived(const IccQueueView& view)
{
    auto verdict = IccVerdict::NOTHING;
    if (m_timerAt == NEVER)
    {
        m_timerAt = view.nowPs + m_parameters.reportPs;
    }
    if (view.queueBytes > 0 && m_recheckAt == NEVER &&
        view.nowPs >= m_quietSince + m_parameters.recheckPs)
    {
        m_firstGrowth = MeasureGrowth(view);
        if (m_firstGrowth >= 0)
        {
            m_first = view;
            m_recheckAt = view.nowPs + m_parameters.recheckPs;
        }
        else
        {
            m_quietSince = view.nowPs;
            verdict = Judge(view, m_firstGrowth, m_firstGrowth);
        }
    }
    Sample(view);
    return verdict;
}

int64_t
IccPortMonitor::NextDeadline() const
{
    return std::min(m_recheckAt, m_timerAt);
}

IccVerdict
IccPortMonitor::Wake(const IccQueueView& view)
{
    auto verdict = IccVerdict::NOTHING;
    if (m_recheckAt <= view.nowPs)
    {
        m_recheckAt = NEVER;
        verdict = Judge(view, m_firstGrowth, Growth(m_first, view));
    }
    if (m_timerAt <= view.nowPs)
    {
        m_timerAt = view.nowPs + m_parameters.reportPs;
        if (verdict == IccVerdict::NOTHING)
        {
            Measure(view);
        }
        verdict = IccVerdict::TIMER;
    }
    Sample(view);
    return verdict;
}

void
IccPortMonitor::Measure(const IccQueueView& view)
{
    m_growth = MeasureGrowth(view);
    m_utilisation = MeasureUtilisation(view);
}

void
IccPortMonitor::StopTimer()
{
    m_timerAt = NEVER;
}

IccVerdict
IccPortMonitor::Judge(const IccQueueView& view, double firstGrowth, double secondGrowth)
{
    Measure(view);
    if (view.queueBytes == 0)
    {
        return IccVerdict::NOTHING;
    }
    const bool busy = m_utilisation >= m_parameters.busyUtilisation;
    const IccVerdict verdict = Decide(firstGrowth, secondGrowth, busy);
    if (verdict == IccVerdict::CONGESTED)
    {
        m_timerAt = view.nowPs + m_parameters.reportPs;
    }
    return verdict;
}

IccVerdict
IccPortMonitor::Decide(double firstGrowth, double secondGrowth, bool busy)
{
    if (firstGrowth >= 0 && secondGrowth >= 0 && busy)
    {
        return IccVerdict::CONGESTED;
    }
    return secondGrowth < 0 && !busy ? IccVerdict::NOTHING : IccVerdict::REPORT;
}

} // namespace ns3
