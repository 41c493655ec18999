// SPDX-License-Identifier: GPL-2.0-only
#include "wheel-scheduler.h"

#include "look-ahead-event.h"

#include "ns3/assert.h"
#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/fatal-impl.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WheelScheduler");

NS_OBJECT_ENSURE_REGISTERED(WheelScheduler);

namespace
{

/// Bits of a bitmap's word, as a shift.
constexpr unsigned WORD_SHIFT{6};
/// Mask of a bit's place within its word.
constexpr uint64_t WORD_MASK{63};

/**
 * @param word a word that is not zero
 * @return the place of its lowest bit
 */
inline unsigned
LowestBit(uint64_t word)
{
    return static_cast<unsigned>(__builtin_ctzll(word));
}

/**
 * @param bit a bit's number in a bitmap
 * @return the bit in its word
 */
inline uint64_t
BitOf(uint64_t bit)
{
    return uint64_t{1} << (bit & WORD_MASK);
}

/// Later than every event: ns-3's time stamps have 63 bits.
constexpr Scheduler::EventKey NEVER{std::numeric_limits<uint64_t>::max(),
                                    std::numeric_limits<uint32_t>::max(),
                                    0};

} // namespace

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

WheelScheduler::WheelScheduler()
    : m_mapFirst(NEVER)
{
}

WheelScheduler::~WheelScheduler() = default;

void
WheelScheduler::NotifyConstructionCompleted()
{
    Scheduler::NotifyConstructionCompleted();
    NS_LOG_FUNCTION(this << m_wheelBits);
    const uint64_t buckets = uint64_t{1} << m_wheelBits;
    const uint64_t words = (buckets + WORD_MASK) >> WORD_SHIFT;
    m_mask = buckets - 1;
    m_heads.assign(buckets, NIL);
    m_bitmap.assign(words, 0);
    m_summary.assign((words + WORD_MASK) >> WORD_SHIFT, 0);
    m_current.reserve(2 * CROWDED);
}

const char*
WheelScheduler::FixedSince() const
{
    return m_heads.empty() ? nullptr : "the wheel is made";
}

void
WheelScheduler::Insert(const Event& ev)
{
    if (__builtin_expect(ev.key.m_uid < EventId::UID::VALID, 0))
    {
        FailOnWrappedUid();
    }
    const uint64_t bucket = BucketOf(ev.key);
    if (IsOnWheel(bucket))
    {
        InsertSlot(bucket & m_mask, ev);
    }
    else if (bucket <= m_base && m_current.size() < CROWDED)
    {
        InsertCurrent(ev);
    }
    else
    {
        InsertMap(ev);
    }
}

bool
WheelScheduler::IsEmpty() const
{
    return m_current.empty() && m_nOnWheel == 0 && m_map.empty();
}

Scheduler::Event
WheelScheduler::PeekNext() const
{
    NS_ASSERT_MSG(!IsEmpty(), "no event to look at");
    // The wheel is not turned here: what is inserted before the next RemoveNext may be earlier.
    Event next{nullptr, NEVER};
    if (!m_map.empty())
    {
        next = Event{m_map.begin()->second, m_map.begin()->first};
    }
    if (!m_current.empty())
    {
        return Before(m_current.back().key, next.key) ? m_current.back() : next;
    }
    if (m_nOnWheel > 0)
    {
        for (uint32_t i = m_heads[NextBucket() & m_mask]; i != NIL; i = m_pool[i].next)
        {
            if (Before(m_pool[i].event.key, next.key))
            {
                next = m_pool[i].event;
            }
        }
    }
    return next;
}

Scheduler::Event
WheelScheduler::RemoveNext()
{
    NS_ASSERT_MSG(!IsEmpty(), "no event to remove");
    if (m_current.empty())
    {
        Advance();
    }
    if (m_current.empty() || Before(m_mapFirst, m_current.back().key))
    {
        return RemoveMapFirst();
    }
    const Event next = m_current.back();
    m_current.pop_back();
    LookAhead();
    return next;
}

void
WheelScheduler::Remove(const Event& ev)
{
    StopLookAhead();
    const uint64_t bucket = BucketOf(ev.key);
    if (IsOnWheel(bucket) && RemoveFromSlot(bucket & m_mask, ev.key.m_uid))
    {
        return;
    }
    if (bucket <= m_base && RemoveFromCurrent(ev.key))
    {
        return;
    }
    [[maybe_unused]] const auto erased = m_map.erase(ev.key);
    NS_ASSERT_MSG(erased == 1, "the event to remove is not scheduled");
    NoteMapFirst();
}

void
WheelScheduler::InsertCurrent(const Event& ev)
{
    std::size_t i = m_current.size();
    m_current.push_back(ev);
    for (; i > 0 && Before(m_current[i - 1].key, ev.key); --i)
    {
        m_current[i] = m_current[i - 1];
    }
    m_current[i] = ev;
}

void
WheelScheduler::InsertSlot(uint64_t slot, const Event& ev)
{
    uint32_t entry = m_free;
    if (entry == NIL)
    {
        entry = static_cast<uint32_t>(m_pool.size());
        m_pool.emplace_back();
    }
    else
    {
        m_free = m_pool[entry].next;
    }
    const uint32_t head = m_heads[slot];
    m_pool[entry] = Entry{ev, head};
    m_heads[slot] = entry;
    ++m_nOnWheel;
    if (head == NIL)
    {
        const uint64_t word = slot >> WORD_SHIFT;
        m_bitmap[word] |= BitOf(slot);
        m_summary[word >> WORD_SHIFT] |= BitOf(word);
    }
}

bool
WheelScheduler::RemoveFromSlot(uint64_t slot, uint32_t uid)
{
    for (uint32_t* link = &m_heads[slot]; *link != NIL; link = &m_pool[*link].next)
    {
        const uint32_t entry = *link;
        if (m_pool[entry].event.key.m_uid == uid)
        {
            *link = m_pool[entry].next;
            m_pool[entry].next = m_free;
            m_free = entry;
            --m_nOnWheel;
            if (m_heads[slot] == NIL)
            {
                MarkEmpty(slot);
            }
            return true;
        }
    }
    return false;
}

bool
WheelScheduler::RemoveFromCurrent(const EventKey& key)
{
    const auto place =
        std::lower_bound(m_current.begin(),
                         m_current.end(),
                         key,
                         [](const Event& a, const EventKey& b) { return Before(b, a.key); });
    if (place == m_current.end() || place->key.m_uid != key.m_uid)
    {
        return false;
    }
    m_current.erase(place);
    return true;
}

void
WheelScheduler::InsertMap(const Event& ev)
{
    m_map.emplace(ev.key, ev.impl);
    if (Before(ev.key, m_mapFirst))
    {
        m_mapFirst = ev.key;
    }
}

Scheduler::Event
WheelScheduler::RemoveMapFirst()
{
    const auto first = m_map.begin();
    const Event next{first->second, first->first};
    m_map.erase(first);
    NoteMapFirst();
    return next;
}

void
WheelScheduler::NoteMapFirst()
{
    m_mapFirst = m_map.empty() ? NEVER : m_map.begin()->first;
}

void
WheelScheduler::Advance()
{
    const uint64_t ofMap = BucketOf(m_mapFirst);
    if (ofMap <= m_base)
    {
        return;
    }
    const uint64_t ofWheel = m_nOnWheel > 0 ? NextBucket() : NONE;
    m_base = std::min(ofMap, ofWheel);
    if (ofWheel != m_base)
    {
        return;
    }

    // Empty the list into the sorted bucket, and bring what the events will touch into the cache.
    const uint64_t slot = ofWheel & m_mask;
    uint32_t last = NIL;
    for (uint32_t i = m_heads[slot]; i != NIL; i = m_pool[i].next)
    {
        m_current.push_back(m_pool[i].event);
        __builtin_prefetch(m_pool[i].event.impl);
        last = i;
    }
    m_pool[last].next = m_free;
    m_free = m_heads[slot];
    m_heads[slot] = NIL;
    MarkEmpty(slot);
    m_nOnWheel -= m_current.size();
    if (m_current.size() > 1)
    {
        std::sort(m_current.begin(), m_current.end(), [](const Event& a, const Event& b) {
            return Before(b.key, a.key);
        });
    }
    m_asked.fill(nullptr);
    m_ahead = m_nOnWheel > 0 ? m_heads[NextBucket() & m_mask] : NIL;
    if (m_ahead != NIL)
    {
        __builtin_prefetch(&m_pool[m_ahead]);
    }
}

void
WheelScheduler::LookAhead()
{
    // Twice LAG events ago its memory was asked for, LAG events ago that of what it points to.
    const EventImpl* oldest = m_asked[0];
    if (oldest && LooksAhead(*oldest))
    {
        static_cast<const LookAheadEvent*>(oldest)->PrefetchMore();
    }
    const EventImpl* older = m_asked[LAG];
    if (older && LooksAhead(*older))
    {
        static_cast<const LookAheadEvent*>(older)->Prefetch();
    }
    std::copy(m_asked.begin() + 1, m_asked.end(), m_asked.begin());
    m_asked.back() = nullptr;
    if (m_ahead != NIL)
    {
        const Entry& entry = m_pool[m_ahead]; // asked for at the last event
        __builtin_prefetch(entry.event.impl);
        m_asked.back() = entry.event.impl;
        m_ahead = entry.next;
        if (m_ahead != NIL)
        {
            __builtin_prefetch(&m_pool[m_ahead]);
        }
    }
}

bool
WheelScheduler::LooksAhead(const EventImpl& impl)
{
    const std::type_info* type = &typeid(impl);
    for (const KnownType& known : m_types)
    {
        if (known.type == type)
        {
            return known.looksAhead;
        }
    }
    const bool looksAhead = dynamic_cast<const LookAheadEvent*>(&impl) != nullptr;
    m_types[m_nextType] = {type, looksAhead};
    m_nextType = (m_nextType + 1) % m_types.size();
    return looksAhead;
}

void
WheelScheduler::StopLookAhead()
{
    NS_LOG_FUNCTION(this);
    m_ahead = NIL;
    m_asked.fill(nullptr);
}

uint64_t
WheelScheduler::NextBucket() const
{
    const uint64_t start = (m_base + 1) & m_mask;
    uint64_t slot = FindSlot(start);
    if (slot == NONE)
    {
        slot = FindSlot(0);
    }
    return m_base + 1 + ((slot - start) & m_mask);
}

uint64_t
WheelScheduler::FindSlot(uint64_t from) const
{
    uint64_t word = from >> WORD_SHIFT;
    const uint64_t here = m_bitmap[word] & (~uint64_t{0} << (from & WORD_MASK));
    if (here != 0)
    {
        return (word << WORD_SHIFT) + LowestBit(here);
    }
    ++word;
    uint64_t group = word >> WORD_SHIFT;
    if (group == m_summary.size())
    {
        return NONE;
    }
    uint64_t words = m_summary[group] & (~uint64_t{0} << (word & WORD_MASK));
    while (words == 0)
    {
        if (++group == m_summary.size())
        {
            return NONE;
        }
        words = m_summary[group];
    }
    word = (group << WORD_SHIFT) + LowestBit(words);
    return (word << WORD_SHIFT) + LowestBit(m_bitmap[word]);
}

void
WheelScheduler::MarkEmpty(uint64_t slot)
{
    const uint64_t word = slot >> WORD_SHIFT;
    m_bitmap[word] &= ~BitOf(slot);
    if (m_bitmap[word] == 0)
    {
        m_summary[word >> WORD_SHIFT] &= ~BitOf(word);
    }
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
