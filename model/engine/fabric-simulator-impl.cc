// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-simulator-impl.h"

#include "event-wheel.h"
#include "fabric-event.h"
#include "foreign-events.h"

#include "ns3/assert.h"
#include "ns3/event-impl.h"
#include "ns3/global-value.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricSimulatorImpl");

NS_OBJECT_ENSURE_REGISTERED(FabricSimulatorImpl);

/// What is to come.
class FabricSimulatorImpl::Events : public EventWheel<FabricEvent, FabricEventOrder>
{
  public:
    using EventWheel::EventWheel;
};

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

TypeId
FabricSimulatorImpl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricSimulatorImpl")
                            .SetParent<SimulatorImpl>()
                            .SetGroupName("Lossless")
                            .AddConstructor<FabricSimulatorImpl>();
    return tid;
}

FabricSimulatorImpl::FabricSimulatorImpl()
    : m_foreign(std::make_unique<ForeignEvents>()),
      m_next(EventId::UID::VALID),
      m_context(Simulator::NO_CONTEXT)
{
    NS_LOG_FUNCTION(this);
    FitWheel();
}

FabricSimulatorImpl::~FabricSimulatorImpl()
{
    if (t_current == this)
    {
        t_current = nullptr;
    }
}

void
FabricSimulatorImpl::UseByDefault()
{
    const char* environment = std::getenv("NS_GLOBAL_VALUE");
    const auto now = [](const std::string& name) {
        StringValue value;
        GlobalValue::GetValueByName(name, value);
        return value.Get();
    };
    const auto isOpen =
        [&now, given = std::string(environment ? environment : "")](const std::string& name,
                                                                    const std::string& ofNs3) {
            return now(name) == ofNs3 && given.find(name + "=") == std::string::npos;
        };
    const std::string simulator = "SimulatorImplementationType";
    if (isOpen(simulator, "ns3::DefaultSimulatorImpl"))
    {
        GlobalValue::Bind(simulator, StringValue(GetTypeId().GetName()));
    }
    else if (now(simulator) != GetTypeId().GetName() &&
             isOpen("SchedulerType", "ns3::MapScheduler"))
    {
        GlobalValue::Bind("SchedulerType", StringValue("ns3::WheelScheduler"));
    }
}

void
FabricSimulatorImpl::FitWheel()
{
    if (m_resolution == Time::GetResolution())
    {
        return;
    }
    m_resolution = Time::GetResolution();
    // 2^18 buckets of about a nanosecond: one event in each with a thousand hosts.
    constexpr unsigned WHEEL_BITS = 18;
    unsigned bucketBits = 0;
    while (int64_t{1} << bucketBits < NanoSeconds(1).GetTimeStep())
    {
        ++bucketBits;
    }
    std::vector<FabricEvent> events;
    while (m_events && !m_events->IsEmpty())
    {
        events.push_back(m_events->TakeNext());
    }
    m_events = std::make_unique<Events>(bucketBits, WHEEL_BITS);
    for (const FabricEvent& event : events)
    {
        m_events->Insert(event);
    }
}

void
FabricSimulatorImpl::DoDispose()
{
    NS_LOG_FUNCTION(this);
    TakeForeign();
    while (!m_events->IsEmpty())
    {
        m_events->TakeNext().GetImpl()->Unref();
    }
    SimulatorImpl::DoDispose();
}

void
FabricSimulatorImpl::Destroy()
{
    NS_LOG_FUNCTION(this);
    while (!m_atDestroy.empty())
    {
        const EventId id = m_atDestroy.front();
        m_atDestroy.pop_front();
        id.PeekEventImpl()->Invoke(); // has no effect if it was cancelled
    }
}

void
FabricSimulatorImpl::SetScheduler(ObjectFactory schedulerFactory)
{
    NS_LOG_FUNCTION(this << schedulerFactory);
    t_current = this; // ns-3 calls this once, when it makes an object its simulator
    const std::string name = schedulerFactory.GetTypeId().GetName();
    if (name != "ns3::MapScheduler")
    {
        std::cerr << "lossless: warning: FabricSimulatorImpl has a set of events of its own, and " +
                         name +
                         " has no effect; a scheduler needs "
                         "SimulatorImplementationType ns3::DefaultSimulatorImpl\n";
    }
}

void
FabricSimulatorImpl::Run()
{
    NS_LOG_FUNCTION(this);
    t_current = this;
    m_foreign->SetThread();
    FitWheel();
    TakeForeign();
    m_stop = false;
    while (!m_stop && !m_events->IsEmpty())
    {
        const FabricEvent event = m_events->TakeNext();
        NS_ASSERT_MSG(event.GetTime() >= m_now, "an event of the past");
        m_now = event.GetTime();
        m_current = event.GetNumber();
        m_context = event.GetContext();
        ++m_count;
        EventImpl* impl = event.GetImpl();
        if (event.LooksAhead())
        {
            static_cast<LookAheadEvent*>(impl)->Execute();
        }
        else
        {
            impl->Invoke();
            impl->Unref();
        }
        if (!m_foreign->IsEmpty())
        {
            TakeForeign();
        }
    }
}

bool
FabricSimulatorImpl::IsFinished() const
{
    return m_stop || m_events->IsEmpty();
}

void
FabricSimulatorImpl::Stop()
{
    NS_LOG_FUNCTION(this);
    m_stop = true;
}

decltype(std::declval<SimulatorImpl>().Stop(Time()))
FabricSimulatorImpl::Stop(const Time& delay)
{
    NS_LOG_FUNCTION(this << delay);
    void (*stop)() = &Simulator::Stop;
    using Result = decltype(std::declval<SimulatorImpl>().Stop(Time()));
    return static_cast<Result>(Simulator::Schedule(delay, stop));
}

EventId
FabricSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    NS_LOG_FUNCTION(this << delay << event);
    NS_ASSERT_MSG(m_foreign->IsOfThread(),
                  "only ScheduleWithContext() may be called from another thread");
    NS_ASSERT_MSG(delay.IsPositive(), "an event in the past");
    if (static_cast<uint32_t>(m_next) < EventId::UID::VALID)
    {
        m_next += EventId::UID::VALID; // the lowest EventIds have other meanings
    }
    const FabricEvent posted{m_now + static_cast<uint64_t>(delay.GetTimeStep()),
                             m_next++,
                             m_context,
                             event,
                             false};
    m_events->Insert(posted);
    return EventId(event, posted.GetTime(), posted.GetContext(), posted.GetUid());
}

void
FabricSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    NS_LOG_FUNCTION(this << context << delay << event);
    NS_ASSERT_MSG(delay.IsPositive(), "an event in the past");
    const auto ticks = static_cast<uint64_t>(delay.GetTimeStep());
    if (m_foreign->IsOfThread())
    {
        m_events->Insert({m_now + ticks, m_next++, context, event, false});
        return;
    }
    m_foreign->Add({context, ticks, event});
}

void
FabricSimulatorImpl::TakeForeign()
{
    for (const ForeignEvents::Event& event : m_foreign->Take())
    {
        m_events->Insert({m_now + event.delay, m_next++, event.context, event.impl, false});
    }
}

void
FabricSimulatorImpl::Post(uint32_t context, int64_t delay, LookAheadEvent* event)
{
    m_events->Insert({m_now + static_cast<uint64_t>(delay), m_next++, context, event, true});
}

EventId
FabricSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Schedule(Time(0), event);
}

EventId
FabricSimulatorImpl::ScheduleDestroy(EventImpl* event)
{
    NS_LOG_FUNCTION(this << event);
    NS_ASSERT_MSG(m_foreign->IsOfThread(),
                  "only ScheduleWithContext() may be called from another thread");
    const EventId id(Ptr<EventImpl>(event, false),
                     m_now,
                     Simulator::NO_CONTEXT,
                     EventId::UID::DESTROY);
    m_atDestroy.push_back(id);
    ++m_next; // as DefaultSimulatorImpl counts
    return id;
}

void
FabricSimulatorImpl::Remove(const EventId& id)
{
    NS_LOG_FUNCTION(this << id.GetTs() << id.GetUid());
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        m_atDestroy.remove(id);
        return;
    }
    if (IsExpired(id))
    {
        return;
    }
    [[maybe_unused]] const bool removed = m_events->Remove(id.GetTs(), Finder(id));
    NS_ASSERT_MSG(removed, "the event to remove is not scheduled");
    id.PeekEventImpl()->Cancel();
    id.PeekEventImpl()->Unref();
}

void
FabricSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
FabricSimulatorImpl::IsExpired(const EventId& id) const
{
    if (!id.PeekEventImpl() || id.PeekEventImpl()->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        return std::find(m_atDestroy.begin(), m_atDestroy.end(), id) == m_atDestroy.end();
    }
    if (id.GetTs() != m_now)
    {
        return id.GetTs() < m_now;
    }
    constexpr uint64_t EVENT_IDS = uint64_t{1} << 32;
    if (m_next <= EVENT_IDS)
    {
        return id.GetUid() <= m_current;
    }
    // The 32 bits of an EventId do not tell any more which of two events comes first.
    return !m_events->HoldsNow(m_now, Finder(id));
}

Time
FabricSimulatorImpl::Now() const
{
    return TimeStep(m_now);
}

Time
FabricSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return TimeStep(IsExpired(id) ? 0 : id.GetTs() - m_now);
}

Time
FabricSimulatorImpl::GetMaximumSimulationTime() const
{
    return Time::Max();
}

uint32_t
FabricSimulatorImpl::GetSystemId() const
{
    return 0;
}

uint32_t
FabricSimulatorImpl::GetContext() const
{
    return m_context;
}

uint64_t
FabricSimulatorImpl::GetEventCount() const
{
    return m_count;
}

void
FabricSimulatorImpl::ContinueAt(uint64_t number)
{
    NS_ASSERT_MSG(number >= m_next, "events would be out of order");
    m_next = number;
}

} // namespace ns3
