// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-simulator-impl.h"

#include "fabric-windows.h"
#include "foreign-events.h"

#include "ns3/assert.h"
#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/event-impl.h"
#include "ns3/global-value.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricSimulatorImpl");

NS_OBJECT_ENSURE_REGISTERED(FabricSimulatorImpl);

TypeId
FabricSimulatorImpl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FabricSimulatorImpl")
            .SetParent<SimulatorImpl>()
            .SetGroupName("Lossless")
            .AddConstructor<FabricSimulatorImpl>()
            .AddAttribute("Order",
                          "Which of two events of one time comes first: Uid, the one that was "
                          "posted first, as with DefaultSimulatorImpl; Canonical, an order "
                          "that does not depend on partitions and threads; Open, Uid unless a run "
                          "of a fabric chooses Canonical. Before the first event.",
                          EnumValue(OPEN),
                          MakeLosslessEnumAccessor<Order>(&FabricSimulatorImpl::SetOrder,
                                                          &FabricSimulatorImpl::GetOrder),
                          MakeEnumChecker(UID, "Uid", CANONICAL, "Canonical", OPEN, "Open"))
            .AddAttribute("Threads",
                          "Threads that run the partitions, with Order Canonical; 0: as many "
                          "as the machine has cores. No more than partitions are used.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FabricSimulatorImpl::SetThreads,
                                               &FabricSimulatorImpl::GetThreads),
                          MakeUintegerChecker<uint32_t>(0, 1024));
    return tid;
}

FabricSimulatorImpl::FabricSimulatorImpl()
    : m_global(std::make_unique<EventPartition>(nullptr)),
      m_foreign(std::make_unique<ForeignEvents>())
{
    NS_LOG_FUNCTION(this);
    FitWheel();
}

FabricSimulatorImpl::~FabricSimulatorImpl() = default;

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

// ---- partitions

template <typename Visit>
void
FabricSimulatorImpl::ForEachPartition(const Visit& visit) const
{
    visit(*m_global);
    for (const auto& partition : m_partitions)
    {
        visit(*partition);
    }
}

void
FabricSimulatorImpl::SetOrder(Order order)
{
    NS_LOG_FUNCTION(this << order);
    const bool isSame = (order == CANONICAL) == (GetOrder() == CANONICAL);
    if (!isSame && GetEventCount() > 0)
    {
        throw std::invalid_argument("FabricSimulatorImpl: the Order of events cannot change in a "
                                    "simulation that has run; choose it before the first run");
    }
    m_isOrderOpen = order == OPEN;
    if (isSame)
    {
        return;
    }
    // All that was posted so far was posted at time 0, by no node: its numbers are its order.
    std::vector<FabricEvent> events;
    ForEachPartition([&](EventPartition& partition) {
        const auto some = partition.TakeAll();
        events.insert(events.end(), some.begin(), some.end());
    });
    const bool isCurrent = EventPartition::Current() == m_global.get();
    const uint64_t next = m_global->GetNextNumber();
    m_partitions.clear();
    m_map = PartitionMap();
    m_global = std::make_unique<EventPartition>(order == CANONICAL ? &m_map : nullptr);
    m_global->ContinueAt(next);
    if (isCurrent)
    {
        EventPartition::Enter(m_global.get());
    }
    if (order == CANONICAL)
    {
        m_map.global = m_global.get();
        m_map.lookahead = MicroSeconds(1).GetTimeStep(); // of one partition, which need not wait
        MakePartitions(1, next);
    }
    m_resolution = Time::LAST;
    FitWheel();
    for (const FabricEvent& event : events)
    {
        const FabricEvent::Poster poster{0, Simulator::NO_CONTEXT, event.GetNumber()};
        const FabricEvent moved = order == CANONICAL ? FabricEvent(event.GetTime(),
                                                                   poster,
                                                                   event.GetContext(),
                                                                   event.GetImpl(),
                                                                   event.LooksAhead())
                                                     : FabricEvent(event.GetTime(),
                                                                   event.GetNumber(),
                                                                   event.GetContext(),
                                                                   event.GetImpl(),
                                                                   event.LooksAhead());
        HomeOf(event.GetContext()).Take(moved);
    }
}

void
FabricSimulatorImpl::SetThreads(uint32_t threads)
{
    NS_LOG_FUNCTION(this << threads);
    if (m_isRunning && threads != m_threads)
    {
        throw std::invalid_argument("FabricSimulatorImpl: Threads cannot change during a run");
    }
    m_threads = threads;
}

FabricSimulatorImpl::Order
FabricSimulatorImpl::GetOrder() const
{
    return m_map.global ? CANONICAL : m_isOrderOpen ? OPEN : UID;
}

void
FabricSimulatorImpl::SetPartitions(const std::vector<uint32_t>& partitions, const Time& lookahead)
{
    NS_LOG_FUNCTION(this << partitions.size() << lookahead);
    if (GetOrder() != CANONICAL)
    {
        throw std::invalid_argument("FabricSimulatorImpl: partitions need Order Canonical");
    }
    if (!lookahead.IsStrictlyPositive())
    {
        throw std::invalid_argument("FabricSimulatorImpl: nodes that act on each other at once "
                                    "cannot be divided; the delay of a link must be above 0");
    }
    std::vector<FabricEvent> events;
    uint64_t number = m_global->GetNextNumber();
    for (const auto& partition : m_partitions)
    {
        const auto some = partition->TakeAll();
        events.insert(events.end(), some.begin(), some.end());
        number = std::max(number, partition->GetNextNumber());
    }
    const uint32_t last =
        partitions.empty() ? 0 : *std::max_element(partitions.begin(), partitions.end());
    for (const auto& partition : m_partitions)
    {
        m_count += partition->GetCount();
    }
    MakePartitions(last + 1, number);
    m_map.lookahead = lookahead.GetTimeStep();
    m_map.soonest = last > 0 ? m_map.lookahead : 0;
    m_map.ofNode.clear();
    for (const uint32_t partition : partitions)
    {
        m_map.ofNode.push_back(m_partitions[partition].get());
    }
    for (const FabricEvent& event : events)
    {
        m_map.Of(event.GetContext()).Take(event);
    }
}

void
FabricSimulatorImpl::MakePartitions(uint32_t count, uint64_t number)
{
    m_partitions.clear();
    m_map.window = {};
    m_map.nextTimes.assign(count, EventPartition::NEVER);
    m_map.blockTimes.assign((count + PartitionMap::BLOCK - 1) / PartitionMap::BLOCK,
                            EventPartition::NEVER);
    for (uint32_t i = 0; i < count; ++i)
    {
        m_partitions.push_back(std::make_unique<EventPartition>(m_map, i));
        m_partitions.back()->AdvanceTo(m_global->GetTick());
        m_partitions.back()->ContinueAt(number); // what is posted now follows what was before
    }
    m_map.rest = m_partitions.front().get();
}

bool
FabricSimulatorImpl::Undivide()
{
    if (GetNPartitions() == 1)
    {
        return true;
    }
    if (m_threads != 1 || &Here() != m_global.get())
    {
        return false;
    }
    EventPartition& all = *m_partitions.front();
    m_map.soonest = 0;
    m_map.ofNode.clear();
    m_map.rest = &all;
    for (const auto& partition : m_partitions)
    {
        all.AdvanceTo(partition->GetTick());
        all.ContinueAt(std::max(all.GetNextNumber(), partition->GetNextNumber()));
        if (partition.get() != &all)
        {
            for (const FabricEvent& event : partition->TakeAll())
            {
                all.Take(event);
            }
        }
    }
    return true;
}

uint32_t
FabricSimulatorImpl::GetNPartitions() const
{
    return m_map.soonest > 0 ? m_partitions.size() : 1;
}

Time
FabricSimulatorImpl::GetSoonest() const
{
    return TimeStep(m_isRunning ? m_map.soonest : 0);
}

void
FabricSimulatorImpl::FitWheel()
{
    if (m_resolution == Time::GetResolution())
    {
        return;
    }
    m_resolution = Time::GetResolution();
    // 2^18 buckets of about a nanosecond: one event in each with a thousand hosts. Of no node are
    // far fewer events.
    unsigned bucketBits = 0;
    while (int64_t{1} << bucketBits < NanoSeconds(1).GetTimeStep())
    {
        ++bucketBits;
    }
    constexpr unsigned WHEEL_BITS = 18;
    const unsigned fewer = m_map.global ? 6 : 0;
    m_global->Fit(bucketBits + fewer, WHEEL_BITS - fewer);
}

EventPartition&
FabricSimulatorImpl::Here() const
{
    EventPartition* const current = EventPartition::Current();
    return m_map.global && current ? *current : *m_global;
}

bool
FabricSimulatorImpl::IsInside() const
{
    return m_foreign->IsOfThread() || (m_map.global && EventPartition::Current() &&
                                       EventPartition::Current() != m_global.get());
}

EventPartition&
FabricSimulatorImpl::HomeOf(uint32_t context) const
{
    return m_map.global ? m_map.Of(context) : *m_global;
}

void
FabricSimulatorImpl::Serially(std::function<void()> call)
{
    if (EventPartition* const current = EventPartition::Current())
    {
        current->Defer(std::move(call));
    }
    else
    {
        call();
    }
}

// ---- SimulatorImpl

void
FabricSimulatorImpl::DoDispose()
{
    NS_LOG_FUNCTION(this);
    TakeForeign();
    ForEachPartition([](EventPartition& partition) {
        for (const FabricEvent& event : partition.TakeAll())
        {
            event.GetImpl()->Unref();
        }
    });
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
    // ns-3 calls this once, when it makes an object its simulator.
    EventPartition::Enter(m_global.get());
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
    EventPartition::Enter(m_global.get());
    m_foreign->SetThread();
    FitWheel();
    m_stop = false;
    m_hasRunOut = false;
    TakeForeign();
    if (!m_map.global && m_threads != 1)
    {
        throw std::invalid_argument("FabricSimulatorImpl: " + std::to_string(m_threads) +
                                    " threads need Order Canonical");
    }
    const auto end = [](bool* isRunning) { *isRunning = false; };
    m_isRunning = true;
    const std::unique_ptr<bool, decltype(end)> running(&m_isRunning, end);
    if (m_map.global)
    {
        RunWindows();
    }
    else
    {
        RunAlone();
    }
    m_hasRunOut = !m_stop;
}

void
FabricSimulatorImpl::RunAlone()
{
    while (!m_stop.load(std::memory_order_relaxed) && !m_global->IsEmpty())
    {
        m_global->RunNext();
        if (!m_foreign->IsEmpty())
        {
            TakeForeign();
        }
    }
}

void
FabricSimulatorImpl::RunWindows()
{
    std::vector<EventPartition*> partitions;
    for (const auto& partition : m_partitions)
    {
        partitions.push_back(partition.get());
    }
    FabricWindows windows(m_map,
                          std::move(partitions),
                          m_threads ? m_threads : std::thread::hardware_concurrency());
    windows.Run(m_stop, [this] {
        if (!m_foreign->IsEmpty())
        {
            TakeForeign();
        }
    });
    m_critical += windows.GetCriticalCount();
}

bool
FabricSimulatorImpl::IsFinished() const
{
    bool isEmpty = true;
    ForEachPartition([&](const EventPartition& one) { isEmpty = isEmpty && one.IsEmpty(); });
    return m_stop || isEmpty;
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
    NS_ASSERT_MSG(IsInside(), "only ScheduleWithContext() may be called from another thread");
    NS_ASSERT_MSG(delay.IsPositive(), "an event in the past");
    EventPartition& here = Here();
    return here.Schedule(here.GetContext(), static_cast<uint64_t>(delay.GetTimeStep()), event);
}

void
FabricSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    NS_LOG_FUNCTION(this << context << delay << event);
    NS_ASSERT_MSG(delay.IsPositive(), "an event in the past");
    const auto ticks = static_cast<uint64_t>(delay.GetTimeStep());
    if (!IsInside())
    {
        m_foreign->Add({context, ticks, event});
        return;
    }
    EventPartition& here = Here();
    here.Send(here.Make(context, ticks, event, false));
}

void
FabricSimulatorImpl::TakeForeign()
{
    for (const ForeignEvents::Event& event : m_foreign->Take())
    {
        m_global->Send(m_global->Make(event.context, event.delay, event.impl, false));
    }
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
                     m_global->GetTick(),
                     Simulator::NO_CONTEXT,
                     EventId::UID::DESTROY);
    m_atDestroy.push_back(id);
    m_global->SkipNumber(); // as DefaultSimulatorImpl counts
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
    RequireOwn(id);
    [[maybe_unused]] const bool removed = HomeOf(id.GetContext()).Remove(id);
    NS_ASSERT_MSG(removed, "the event to remove is not scheduled");
    id.PeekEventImpl()->Cancel();
    id.PeekEventImpl()->Unref();
}

void
FabricSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        RequireOwn(id);
        id.PeekEventImpl()->Cancel();
    }
}

void
FabricSimulatorImpl::RequireOwn(const EventId& id) const
{
    const EventPartition& here = Here();
    if (GetNPartitions() == 1 || &here == m_global.get() || &here == &HomeOf(id.GetContext()))
    {
        return; // nothing else is about, or the event is of the partition that runs
    }
    const auto name = [](uint32_t context) {
        return context == Simulator::NO_CONTEXT ? "no node" : "node " + std::to_string(context);
    };
    throw std::runtime_error("FabricSimulatorImpl: node " + std::to_string(here.GetContext()) +
                             " takes back an event of " + name(id.GetContext()) +
                             ": use Order Uid, or leave it to the end of the window");
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
    const EventPartition& home = HomeOf(id.GetContext());
    const auto now = static_cast<uint64_t>(home.GetTick());
    if (home.IsDeferring())
    {
        return !home.HoldsNow(id); // it may have run, though it is later than the call's now
    }
    if (id.GetTs() != now)
    {
        return id.GetTs() < now;
    }
    constexpr uint64_t EVENT_IDS = uint64_t{1} << 32;
    if (!m_map.global && home.GetNextNumber() <= EVENT_IDS)
    {
        return id.GetUid() <= home.GetNumber();
    }
    // The 32 bits of an EventId do not tell any more which of two events comes first.
    return !home.HoldsNow(id);
}

Time
FabricSimulatorImpl::Now() const
{
    return TimeStep(Here().GetTick());
}

Time
FabricSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return TimeStep(IsExpired(id) ? 0 : id.GetTs() - Here().GetTick());
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
    return Here().GetContext();
}

uint64_t
FabricSimulatorImpl::GetEventCount() const
{
    uint64_t count = m_count;
    ForEachPartition([&](const EventPartition& one) { count += one.GetCount(); });
    return count;
}

void
FabricSimulatorImpl::ContinueAt(uint64_t number)
{
    NS_ASSERT_MSG(number >= m_global->GetNextNumber(), "events would be out of order");
    m_global->ContinueAt(number);
}

} // namespace ns3
