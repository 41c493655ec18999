// SPDX-License-Identifier: GPL-2.0-only
#include "traffic-source.h"

#include <algorithm>
#include <cstddef>

namespace ns3
{

TrafficSource::~TrafficSource()
{
    for (TrafficListener* listener : m_listeners)
    {
        listener->Gone(*this);
    }
}

uint64_t
TrafficSource::CountFrom(Time time) const
{
    uint64_t count = 0;
    ForEachUnfinished([&](const TrafficItem& item, const std::string&) {
        count += item.state == TrafficItem::NOT_STARTED && item.start >= time;
    });
    return count;
}

void
TrafficSource::AddListener(TrafficListener& listener)
{
    m_listeners.push_back(&listener);
}

void
TrafficSource::RemoveListener(TrafficListener& listener)
{
    m_listeners.erase(std::remove(m_listeners.begin(), m_listeners.end(), &listener),
                      m_listeners.end());
}

void
TrafficSource::TellStarted(const TrafficItem& item) const
{
    // By number: a listener may add another one.
    for (std::size_t i = 0; i < m_listeners.size(); ++i)
    {
        m_listeners[i]->Started(*this, item);
    }
}

void
TrafficSource::TellEnded(const TrafficItem& item) const
{
    for (std::size_t i = 0; i < m_listeners.size(); ++i)
    {
        m_listeners[i]->Ended(*this, item);
    }
}

} // namespace ns3
