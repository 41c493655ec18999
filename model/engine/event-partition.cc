// SPDX-License-Identifier: GPL-2.0-only
#include "event-partition.h"

#include <stdexcept>
#include <string>

namespace ns3
{

namespace
{

/// @param id of an event, not one of ScheduleDestroy() @return finds it among events of its time
auto
Finder(const EventId& id)
{
    return [impl = id.PeekEventImpl(), uid = id.GetUid()](const FabricEvent& event) {
        return event.GetImpl() == impl && event.GetUid() == uid;
    };
}

} // namespace

EventPartition::EventPartition(const PartitionMap* map)
    : m_nextTime(&m_ownNextTime),
      m_blockTime(&m_noBlock),
      m_wheel(std::make_unique<Wheel>(0, 0)),
      m_next(EventId::UID::VALID),
      m_map(map),
      m_current(0, 0, Simulator::NO_CONTEXT, nullptr, false)
{
}

EventPartition::EventPartition(PartitionMap& map, std::size_t number)
    : m_nextTime(&map.nextTimes[number]),
      m_blockTime(&map.blockTimes[number / PartitionMap::BLOCK]),
      m_next(EventId::UID::VALID),
      m_map(&map),
      m_current(0, 0, Simulator::NO_CONTEXT, nullptr, false)
{
}

EventPartition::~EventPartition()
{
    if (t_current == this)
    {
        t_current = nullptr;
    }
    for (const FabricEvent& event : TakeAll())
    {
        event.GetImpl()->Unref();
    }
}

__attribute__((always_inline)) inline void
EventPartition::SendByMap(const FabricEvent& event)
{
    const uint32_t from = m_current.GetContext();
    const uint32_t to = event.GetContext();
    if (from != Simulator::NO_CONTEXT)
    {
        if (to == from)
        {
            Take(event);
            return;
        }
        if (to == Simulator::NO_CONTEXT)
        {
            m_thread->toGlobal.push_back(FabricEvent(event));
            return;
        }
        if (event.GetTime() - m_now < m_map->soonest)
        {
            ThrowTooSoon(to, event.GetTime() - m_now);
        }
    }
    EventPartition& target = m_map->Of(to);
    if (!m_thread || target.m_thread == m_thread)
    {
        target.Take(event);
    }
    else
    {
        m_thread->parcels[target.m_thread->index].push_back({&target, event});
    }
}

void
EventPartition::Send(const FabricEvent& event)
{
    if (m_map)
    {
        SendByMap(event);
    }
    else
    {
        m_wheel->Insert(event);
    }
}

void
EventPartition::PostByMap(uint32_t context, uint64_t delay, LookAheadEvent* event)
{
    SendByMap(Make(context, delay, event, true));
}

EventId
EventPartition::Schedule(uint32_t context, uint64_t delay, EventImpl* event)
{
    if (static_cast<uint32_t>(m_next) < EventId::UID::VALID)
    {
        m_next += EventId::UID::VALID; // the lowest are no numbers
    }
    const FabricEvent posted = Make(context, delay, event, false);
    Send(posted);
    return EventId(event, posted.GetTime(), context, posted.GetUid());
}

void
EventPartition::ThrowTooSoon(uint32_t to, uint64_t delay) const
{
    throw std::runtime_error("FabricSimulatorImpl: node " + std::to_string(m_current.GetContext()) +
                             " acts on node " + std::to_string(to) + " after " +
                             std::to_string(delay) + " ticks, sooner than the shortest link of " +
                             std::to_string(m_map->soonest) +
                             " ticks: use Order Uid, or leave it to the end of the window");
}

void
EventPartition::RunBefore(uint64_t until)
{
    m_events.Begin(m_map->window, m_thread->spares);
    DueEvents& due = m_events.GetDue();
    while (due.TakeNext(until, m_current))
    {
        Execute();
    }
    m_events.Leave(m_thread->spares);
    NoteNextTime();
}

void
EventPartition::NoteNextTime()
{
    *m_nextTime = !m_wheel             ? m_events.FirstTime()
                  : m_wheel->IsEmpty() ? NEVER
                                       : m_wheel->PeekNext().GetTime();
}

bool
EventPartition::Remove(const EventId& id)
{
    const auto finder = Finder(id);
    const bool removed = m_wheel ? m_wheel->Remove(id.GetTs(), id.PeekEventImpl(), finder)
                                 : m_events.Remove(id.GetTs(), id.PeekEventImpl(), finder);
    NoteNextTime();
    return removed;
}

bool
EventPartition::HoldsNow(const EventId& id) const
{
    return m_wheel ? m_wheel->HoldsNow(id.GetTs(), Finder(id))
                   : m_events.Holds(id.GetTs(), Finder(id));
}

std::vector<FabricEvent>
EventPartition::TakeAll()
{
    std::vector<FabricEvent> events = m_events.TakeAll();
    while (m_wheel && !m_wheel->IsEmpty())
    {
        events.push_back(m_wheel->TakeNext());
    }
    *m_nextTime = NEVER;
    return events;
}

void
EventPartition::Fit(unsigned bucketBits, unsigned wheelBits)
{
    const auto events = TakeAll();
    m_wheel = std::make_unique<Wheel>(bucketBits, wheelBits);
    for (const FabricEvent& event : events)
    {
        Take(event);
    }
}

} // namespace ns3
