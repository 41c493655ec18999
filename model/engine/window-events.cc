// SPDX-License-Identifier: GPL-2.0-only
#include "window-events.h"

#include <utility>

namespace ns3
{

void
WindowEvents::Begin(const EventWindow& window, Spares& spares)
{
    if (m_due && !m_due->IsEmpty())
    {
        return; // goes on
    }
    if (!m_due)
    {
        if (spares.empty())
        {
            spares.push_back(std::make_unique<DueEvents>());
        }
        m_due = std::move(spares.back());
        spares.pop_back();
    }
    Pile& soon = m_soon[window.parity];
    if (m_later.first < window.end)
    {
        const std::size_t count = std::exchange(m_later.count, 0);
        m_later.first = NEVER;
        for (std::size_t i = 0; i < count; ++i)
        {
            const FabricEvent event = m_later.events[i];
            (event.GetTime() < window.end ? soon : m_later).Append(event);
        }
    }
    m_due->Begin(soon.events.data(), soon.count, soon.first, window.end);
    soon.count = 0;
    soon.first = NEVER;
    m_end = window.end;
    while (m_far.First().GetTime() < window.end)
    {
        m_due->Insert(m_far.TakeFirst());
    }
}

std::vector<FabricEvent>
WindowEvents::TakeAll()
{
    std::vector<FabricEvent> events;
    for (Pile* const pile : {&m_soon[0], &m_soon[1], &m_later})
    {
        events.insert(events.end(), pile->events.begin(), pile->events.begin() + pile->count);
        *pile = Pile();
    }
    FabricEvent next;
    while (m_due && m_due->TakeNext(NEVER, next))
    {
        events.push_back(next);
    }
    m_due.reset();
    m_end = 0;
    while (!m_far.IsEmpty())
    {
        events.push_back(m_far.TakeFirst());
    }
    std::sort(events.begin(), events.end(), FabricEventOrder::Before);
    return events;
}

} // namespace ns3
