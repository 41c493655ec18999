// SPDX-License-Identifier: GPL-2.0-only
#include "wheel-scheduler.h"

#include "ns3/assert.h"
#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/fatal-impl.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <cstdlib>
#include <iostream>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WheelScheduler");

NS_OBJECT_ENSURE_REGISTERED(WheelScheduler);

/// Later than every event: ns-3's time stamps have 63 bits.
const Scheduler::Event WheelScheduler::Order::NEVER{
    nullptr,
    {std::numeric_limits<uint64_t>::max(), std::numeric_limits<uint32_t>::max(), 0}};

TypeId
WheelScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::WheelScheduler")
            .SetParent<Scheduler>()
            .SetGroupName("Lossless")
            .AddConstructor<WheelScheduler>()
            .AddAttribute("BucketBits",
                          "Log2 of the width of a bucket in ticks of the time resolution, 0 to 40. "
                          "Best is a width with about one event per bucket.",
                          TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                          UintegerValue(10),
                          MakeFixed(MakeUintegerAccessor(&WheelScheduler::m_bucketBits)),
                          MakeUintegerChecker<uint8_t>(0, 40))
            .AddAttribute("WheelBits",
                          "Log2 of the number of buckets, 1 to 23; each bucket takes four bytes. "
                          "Events beyond one turn of the wheel are kept in an ordered map.",
                          TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                          UintegerValue(18),
                          MakeFixed(MakeUintegerAccessor(&WheelScheduler::m_wheelBits)),
                          MakeUintegerChecker<uint8_t>(1, 23));
    return tid;
}

WheelScheduler::WheelScheduler() = default;

WheelScheduler::~WheelScheduler() = default;

void
WheelScheduler::NotifyConstructionCompleted()
{
    Scheduler::NotifyConstructionCompleted();
    NS_LOG_FUNCTION(this << m_wheelBits);
    m_events.emplace(m_bucketBits, m_wheelBits);
}

const char*
WheelScheduler::FixedSince() const
{
    return m_events ? "the wheel is made" : nullptr;
}

void
WheelScheduler::Insert(const Event& ev)
{
    if (__builtin_expect(ev.key.m_uid < EventId::UID::VALID, 0))
    {
        FailOnWrappedUid();
    }
    m_events->Insert(ev);
}

bool
WheelScheduler::IsEmpty() const
{
    return m_events->IsEmpty();
}

Scheduler::Event
WheelScheduler::PeekNext() const
{
    return m_events->PeekNext();
}

Scheduler::Event
WheelScheduler::RemoveNext()
{
    return m_events->TakeNext();
}

void
WheelScheduler::Remove(const Event& ev)
{
    [[maybe_unused]] const bool removed =
        m_events->Remove(ev.key.m_ts, ev.impl, [uid = ev.key.m_uid](const Event& one) {
            return one.key.m_uid == uid;
        });
    NS_ASSERT_MSG(removed, "the event to remove is not scheduled");
}

const LookAheadEvent*
WheelScheduler::Order::AsLookAhead(const EventImpl& impl)
{
    const std::type_info* type = &typeid(impl);
    for (const KnownType& known : m_types)
    {
        if (known.type == type)
        {
            return known.looksAhead ? static_cast<const LookAheadEvent*>(&impl) : nullptr;
        }
    }
    const auto* found = dynamic_cast<const LookAheadEvent*>(&impl);
    m_types[m_nextType] = {type, found != nullptr};
    m_nextType = (m_nextType + 1) % m_types.size();
    return found;
}

void
WheelScheduler::FailOnWrappedUid()
{
    FatalImpl::FlushStreams();
    std::cerr << "lossless: this run has used up the 2^32 event ids of ns-3; a shorter run, or one "
                 "split into several, is needed"
              << std::endl;
    std::_Exit(2);
}

} // namespace ns3
