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

EventPartition::EventPartition(unsigned bucketBits, unsigned wheelBits, const PartitionMap* map)
    : m_next(EventId::UID::VALID),
      m_map(map),
      m_current(0, 0, Simulator::NO_CONTEXT, nullptr, false),
      m_wheel(std::make_unique<Wheel>(bucketBits, wheelBits))
{
}

EventPartition::~EventPartition()
{
    if (t_current == this)
    {
        t_current = nullptr;
    }
    while (!m_wheel->IsEmpty())
    {
        m_wheel->TakeNext().GetImpl()->Unref();
    }
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
EventPartition::SendByMap(const FabricEvent& event)
{
    const uint32_t from = m_current.GetContext();
    const uint32_t to = event.GetContext();
    if (from != Simulator::NO_CONTEXT && to == Simulator::NO_CONTEXT)
    {
        m_thread->toGlobal.push_back(event);
        return;
    }
    if (from != Simulator::NO_CONTEXT && to != from && event.GetTime() - m_now < m_map->soonest)
    {
        throw std::runtime_error(
            "FabricSimulatorImpl: node " + std::to_string(from) + " acts on node " +
            std::to_string(to) + " after " + std::to_string(event.GetTime() - m_now) +
            " ticks, sooner than the shortest link of " + std::to_string(m_map->soonest) +
            " ticks: use Order Uid, or leave it to the end of the window");
    }
    EventPartition& target = m_map->Of(to);
    if (!m_thread || target.m_thread == m_thread || &target == this)
    {
        target.Take(event);
    }
    else
    {
        m_thread->parcels[target.m_thread->index].push_back({&target, event});
    }
}

void
EventPartition::RunBefore(uint64_t end)
{
    while (m_wheel->IsNextBefore(end))
    {
        Execute(m_wheel->TakeNext());
    }
    NoteNextTime();
}

bool
EventPartition::Remove(const EventId& id)
{
    const bool removed = m_wheel->Remove(id.GetTs(), id.PeekEventImpl(), Finder(id));
    NoteNextTime();
    return removed;
}

bool
EventPartition::HoldsNow(const EventId& id) const
{
    return m_wheel->HoldsNow(id.GetTs(), Finder(id));
}

std::vector<FabricEvent>
EventPartition::TakeAll()
{
    std::vector<FabricEvent> events;
    while (!m_wheel->IsEmpty())
    {
        events.push_back(m_wheel->TakeNext());
    }
    m_nextTime = NEVER;
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
