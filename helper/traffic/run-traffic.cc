// SPDX-License-Identifier: GPL-2.0-only
#include "run-traffic.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RunTraffic::~RunTraffic()
{
    for (TrafficSource* source : m_sources)
    {
        source->RemoveListener(*this);
    }
}

void
RunTraffic::Add(TrafficSource& source)
{
    m_sources.push_back(&source);
    source.AddListener(*this);
}

void
RunTraffic::AddListener(TrafficListener& listener)
{
    m_listeners.push_back(&listener);
}

void
RunTraffic::RemoveListener(TrafficListener& listener)
{
    m_listeners.erase(std::remove(m_listeners.begin(), m_listeners.end(), &listener),
                      m_listeners.end());
}

void
RunTraffic::OnDone(std::function<void()> listener)
{
    m_onDone = std::move(listener);
}

TrafficSource::Counts
RunTraffic::GetCounts() const
{
    TrafficSource::Counts sum;
    for (const TrafficSource* source : m_sources)
    {
        const TrafficSource::Counts counts = source->GetCounts();
        sum.expected += counts.expected;
        sum.added += counts.added;
        sum.started += counts.started;
        sum.completed += counts.completed;
        sum.failed += counts.failed;
    }
    return sum;
}

bool
RunTraffic::IsAwaited() const
{
    return std::any_of(m_sources.begin(), m_sources.end(), [](const TrafficSource* source) {
        return source->IsAwaited();
    });
}

bool
RunTraffic::MayActByItself() const
{
    return std::any_of(m_sources.begin(), m_sources.end(), [](const TrafficSource* source) {
        return source->MayActByItself();
    });
}

Time
RunTraffic::GetNextActivity() const
{
    if (!IsAwaited())
    {
        return Simulator::Now();
    }
    Time next = Time::Max();
    for (const TrafficSource* source : m_sources)
    {
        next = std::min(next, source->GetNextActivity());
    }
    return next;
}

Time
RunTraffic::GetFirstStart() const
{
    Time first = Simulator::Now();
    for (const TrafficSource* source : m_sources)
    {
        first = std::min(first, source->GetFirstStart());
    }
    return first;
}

void
RunTraffic::Started(const TrafficSource& source, const TrafficItem& item)
{
    m_open = m_open || source.IsAwaited();
    for (TrafficListener* listener : m_listeners)
    {
        listener->Started(source, item);
    }
}

void
RunTraffic::Ended(const TrafficSource& source, const TrafficItem& item)
{
    for (TrafficListener* listener : m_listeners)
    {
        listener->Ended(source, item);
    }
    // The end of endless traffic is none that was awaited.
    if (m_open && !IsAwaited())
    {
        m_open = false;
        if (m_onDone)
        {
            m_onDone();
        }
    }
}

void
RunTraffic::Gone(const TrafficSource& source)
{
    m_sources.erase(std::remove(m_sources.begin(), m_sources.end(), &source), m_sources.end());
}

} // namespace ns3
