// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EVENT_WHEEL_H
#define LOSSLESS_EVENT_WHEEL_H

#include "far-events.h"
#include "huge-page-allocator.h"
#include "look-ahead-event.h"

#include "ns3/assert.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A set of events, most of which are due soon: a wheel of narrow buckets. WheelScheduler and
 * FabricSimulatorImpl keep their events in one.
 *
 * A bucket spans 2^bucketBits ticks of the time resolution, and the wheel has 2^wheelBits buckets.
 * Best is a bucket with about one event. An event is in one of three places:
 * - the bucket that is being emptied is sorted, latest first, so that the next event is its last;
 * - the later buckets within one turn of the wheel are unsorted lists, and two levels of bitmap
 * find the next that is not empty;
 * - an event that is further away, or comes too late into a crowded bucket, is in FarEvents.
 *
 * Insert(), TakeNext() and Remove() take constant time on the wheel while a bucket holds few
 * events, and logarithmic time in the ordered set. With far too wide buckets the wheel behaves as a
 * tree does.
 *
 * While the events of a bucket are taken, the wheel brings into the cache what the events of the
 * next bucket will touch, if they are LookAheadEvents.
 *
 * @tparam EVENT one event: a small struct that is copied
 * @tparam ORDER what the wheel must know of it:
 * - `static uint64_t Time(const EVENT&)`: when it is due, ticks;
 * - `static bool Before(const EVENT&, const EVENT&)`: a strict order, by time first;
 * - `static const EventImpl* Impl(const EVENT&)`: what is to be called;
 * - `static const EventImpl* Asked(const EVENT&)`: the same if it may look ahead, or null; must not
 *   read the event's memory, which is not in the cache then;
 * - `const LookAheadEvent* AsLookAhead(const EventImpl&)`: what Asked() returned, now in the cache,
 *   if it looks ahead, or null;
 * - `static const EVENT NEVER`: after all others.
 */
template <typename EVENT, typename ORDER>
class EventWheel
{
  public:
    /// @param bucketBits log2 of the ticks in a bucket @param wheelBits log2 of the number of
    /// buckets
    EventWheel(unsigned bucketBits, unsigned wheelBits)
        : m_bucketBits(bucketBits),
          m_mask((uint64_t{1} << wheelBits) - 1)
    {
        const uint64_t words = (m_mask + 1 + WORD_MASK) >> WORD_SHIFT;
        m_heads.assign(m_mask + 1, NIL);
        m_bitmap.assign(words, 0);
        m_summary.assign((words + WORD_MASK) >> WORD_SHIFT, 0);
        m_current.reserve(2 * CROWDED);
    }

    EventWheel(const EventWheel&) = delete;
    EventWheel& operator=(const EventWheel&) = delete;

    /// @return whether it holds no event
    bool IsEmpty() const
    {
        return m_current.empty() && m_nOnWheel == 0 && m_far.IsEmpty();
    }

    /// @param event a new event
    void Insert(const EVENT& event)
    {
        const uint64_t bucket = BucketOf(event);
        if (IsOnWheel(bucket))
        {
            InsertSlot(bucket, event);
        }
        else if (bucket <= m_base && m_current.size() < CROWDED)
        {
            InsertCurrent(event);
        }
        else
        {
            m_far.Insert(event);
        }
    }

    /// @return the next event, which stays; there must be one
    EVENT PeekNext() const
    {
        NS_ASSERT_MSG(!IsEmpty(), "no event to look at");
        // The wheel is not turned here: what is inserted before the next TakeNext() may be earlier.
        EVENT next = m_far.First();
        if (!m_current.empty())
        {
            return ORDER::Before(m_current.back(), next) ? m_current.back() : next;
        }
        if (m_next != NONE)
        {
            for (uint32_t i = m_heads[m_next & m_mask]; i != NIL; i = m_pool[i].next)
            {
                if (ORDER::Before(m_pool[i], next))
                {
                    next = m_pool[i];
                }
            }
        }
        return next;
    }

    /// @return the next event, taken out; there must be one
    EVENT TakeNext()
    {
        NS_ASSERT_MSG(!IsEmpty(), "no event to take");
        if (m_current.empty())
        {
            if (IsNextAlone())
            {
                return TakeAlone();
            }
            Advance();
        }
        if (m_current.empty() || ORDER::Before(m_far.First(), m_current.back()))
        {
            return m_far.TakeFirst();
        }
        const EVENT next = m_current.back();
        m_current.pop_back();
        LookAhead();
        return next;
    }

    /**
     * Take an event out.
     * @param time when it is due, ticks
     * @param impl what it calls
     * @param isIt says of an event that is due then whether it is meant
     * @return whether it was there
     */
    template <typename PREDICATE>
    bool Remove(uint64_t time, const EventImpl* impl, PREDICATE isIt)
    {
        const uint64_t bucket = time >> m_bucketBits;
        if (IsOnWheel(bucket) && RemoveFromSlot(bucket, isIt))
        {
            StopLookAhead();
            return true;
        }
        const auto [begin, end] = CurrentAt(time);
        const auto place = std::find_if(begin, end, isIt);
        if (place != end)
        {
            m_current.erase(place);
            return true;
        }
        return m_far.Remove(time, impl, isIt);
    }

    /**
     * Look for an event that is due now: at the time of the last that was taken, or later if
     * nothing before is left.
     * @param time that time, ticks
     * @param isIt says of an event that is due then whether it is meant
     * @return whether it is there
     */
    template <typename PREDICATE>
    bool HoldsNow(uint64_t time, PREDICATE isIt) const
    {
        const uint64_t bucket = time >> m_bucketBits;
        if (IsOnWheel(bucket))
        {
            for (uint32_t i = m_heads[bucket & m_mask]; i != NIL; i = m_pool[i].next)
            {
                if (ORDER::Time(m_pool[i]) == time && isIt(m_pool[i]))
                {
                    return true;
                }
            }
        }
        const auto [begin, end] = CurrentAt(time);
        return std::any_of(begin, end, isIt) || m_far.Holds(time, isIt);
    }

  private:
    /// An event in a bucket's list, or a free place of the pool. A base, not a member: `next` may
    /// then lie in the padding at the end of the event, and two entries fill a cache line.
    struct Entry : EVENT
    {
        uint32_t next; //!< Next in the same list, an index into the pool.
    };

    static constexpr uint32_t NIL{0xffffffff};    //!< End of a list.
    static constexpr uint64_t NONE{~uint64_t{0}}; //!< No list.
    static constexpr std::size_t LAG{4};          //!< Events between asking for one and using it.
    static constexpr std::size_t ASKED{2 * LAG};  //!< Events that are asked for at a time.
    static constexpr std::size_t FEW{16};         //!< Up to so many events are sorted one by one.
    static constexpr std::size_t CROWDED{48};     //!< Late events go to m_far from this size on.
    static constexpr unsigned WORD_SHIFT{6};      //!< Bits of a bitmap's word, as a shift.
    static constexpr uint64_t WORD_MASK{63};      //!< Mask of a bit's place within its word.

    /// @param word a word that is not zero @return the place of its lowest bit
    static unsigned LowestBit(uint64_t word)
    {
        return static_cast<unsigned>(__builtin_ctzll(word));
    }

    /// @param bit a bit's number in a bitmap @return the bit in its word
    static uint64_t BitOf(uint64_t bit)
    {
        return uint64_t{1} << (bit & WORD_MASK);
    }

    /// @param event an event @return the number of its bucket, counted from time 0
    uint64_t BucketOf(const EVENT& event) const
    {
        return ORDER::Time(event) >> m_bucketBits;
    }

    /// @param bucket the number of a bucket @return whether its events belong on the wheel now
    bool IsOnWheel(uint64_t bucket) const
    {
        return bucket > m_base && bucket - m_base <= m_mask;
    }

    /// @param event an event of the bucket that is being emptied, or of one before
    void InsertCurrent(const EVENT& event)
    {
        std::size_t i = m_current.size();
        m_current.push_back(event);
        for (; i > 0 && ORDER::Before(m_current[i - 1], event); --i)
        {
            m_current[i] = m_current[i - 1];
        }
        m_current[i] = event;
    }

    /// @param bucket a bucket on the wheel @param event becomes the first of its list
    void InsertSlot(uint64_t bucket, const EVENT& event)
    {
        const uint64_t slot = bucket & m_mask;
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
        static_cast<EVENT&>(m_pool[entry]) = event;
        m_pool[entry].next = head;
        m_heads[slot] = entry;
        ++m_nOnWheel;
        if (head == NIL)
        {
            const uint64_t word = slot >> WORD_SHIFT;
            m_bitmap[word] |= BitOf(slot);
            m_summary[word >> WORD_SHIFT] |= BitOf(word);
            m_next = std::min(m_next, bucket);
        }
    }

    /// @param bucket a bucket on the wheel @param isIt which of its events @return whether it was
    /// there
    template <typename PREDICATE>
    bool RemoveFromSlot(uint64_t bucket, PREDICATE isIt)
    {
        const uint64_t slot = bucket & m_mask;
        for (uint32_t* link = &m_heads[slot]; *link != NIL; link = &m_pool[*link].next)
        {
            const uint32_t entry = *link;
            if (isIt(m_pool[entry]))
            {
                *link = m_pool[entry].next;
                m_pool[entry].next = m_free;
                m_free = entry;
                --m_nOnWheel;
                if (m_heads[slot] == NIL)
                {
                    MarkEmpty(slot);
                    m_next = FindNext();
                }
                return true;
            }
        }
        return false;
    }

    /// @param time a time, ticks @return those of m_current that are due then: begin and end
    auto CurrentAt(uint64_t time) const
    {
        const auto begin =
            std::lower_bound(m_current.begin(),
                             m_current.end(),
                             time,
                             [](const EVENT& a, uint64_t t) { return ORDER::Time(a) > t; });
        const auto end = std::find_if(begin, m_current.end(), [time](const EVENT& a) {
            return ORDER::Time(a) != time;
        });
        return std::pair{begin, end};
    }

    /// @return whether, with m_current empty, the next event is the only one of its bucket
    bool IsNextAlone() const
    {
        return m_next < BucketOf(m_far.First()) && m_pool[m_heads[m_next & m_mask]].next == NIL;
    }

    /// @return the only event of the next bucket, taken out: what a small fabric mostly has
    EVENT TakeAlone()
    {
        const uint64_t slot = m_next & m_mask;
        const uint32_t entry = m_heads[slot];
        const EVENT event = m_pool[entry];
        m_pool[entry].next = m_free;
        m_free = entry;
        m_heads[slot] = NIL;
        MarkEmpty(slot);
        --m_nOnWheel;
        m_base = m_next;
        m_next = FindNext();
        StopLookAhead();
        return event;
    }

    /// With m_current empty, turn the wheel to the bucket of the next event.
    void Advance()
    {
        const uint64_t ofFar = BucketOf(m_far.First());
        if (ofFar <= m_base)
        {
            return;
        }
        m_base = std::min(ofFar, m_next);
        if (m_next != m_base)
        {
            return;
        }

        // Empty the list, and bring what its events will touch into the cache.
        const uint64_t slot = m_next & m_mask;
        uint32_t last = NIL;
        for (uint32_t i = m_heads[slot]; i != NIL; i = m_pool[i].next)
        {
            if (m_current.size() < FEW)
            {
                InsertCurrent(m_pool[i]);
            }
            else
            {
                m_current.push_back(m_pool[i]);
            }
            __builtin_prefetch(ORDER::Impl(m_pool[i]));
            last = i;
        }
        m_pool[last].next = m_free;
        m_free = m_heads[slot];
        m_heads[slot] = NIL;
        MarkEmpty(slot);
        m_nOnWheel -= m_current.size();
        if (m_current.size() > FEW)
        {
            std::sort(m_current.begin(), m_current.end(), [](const EVENT& a, const EVENT& b) {
                return ORDER::Before(b, a);
            });
        }
        m_next = FindNext();
        StopLookAhead();
        if (m_next != NONE)
        {
            m_ahead = m_heads[m_next & m_mask];
            __builtin_prefetch(&m_pool[m_ahead]);
        }
    }

    /// Bring one more event of the next bucket, and what an earlier one will touch, into the cache.
    void LookAhead()
    {
        if (m_ahead == NIL && m_nAsked == 0)
        {
            return;
        }
        // Twice LAG events ago its memory was asked for, LAG events ago that of what it points to.
        const EventImpl*& oldest = m_asked[m_turn % ASKED];
        const EventImpl* older = m_asked[(m_turn + LAG) % ASKED];
        ++m_turn;
        if (oldest)
        {
            --m_nAsked;
            if (const LookAheadEvent* event = m_order.AsLookAhead(*oldest))
            {
                event->PrefetchMore();
            }
            oldest = nullptr;
        }
        if (older)
        {
            if (const LookAheadEvent* event = m_order.AsLookAhead(*older))
            {
                event->Prefetch();
            }
        }
        if (m_ahead != NIL)
        {
            const Entry& entry = m_pool[m_ahead]; // asked for at the last event
            __builtin_prefetch(ORDER::Impl(entry));
            oldest = ORDER::Asked(entry);
            m_nAsked += oldest ? 1 : 0;
            m_ahead = entry.next;
            if (m_ahead != NIL)
            {
                __builtin_prefetch(&m_pool[m_ahead]);
            }
        }
    }

    /// Forget the progress of LookAhead(): its events may be removed.
    void StopLookAhead()
    {
        m_ahead = NIL;
        if (m_nAsked > 0)
        {
            m_asked.fill(nullptr);
            m_nAsked = 0;
        }
    }

    /// @return the next bucket after the current one that has a list, or NONE
    uint64_t FindNext() const
    {
        if (m_nOnWheel == 0)
        {
            return NONE;
        }
        const uint64_t start = (m_base + 1) & m_mask;
        uint64_t slot = FindSlot(start);
        if (slot == NONE)
        {
            slot = FindSlot(0);
        }
        return m_base + 1 + ((slot - start) & m_mask);
    }

    /// @param from a list's index @return the first list from there to the end of the wheel that is
    /// not empty, or NONE
    uint64_t FindSlot(uint64_t from) const
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

    /// Note in the bitmaps that a list is empty. @param slot the list
    void MarkEmpty(uint64_t slot)
    {
        const uint64_t word = slot >> WORD_SHIFT;
        m_bitmap[word] &= ~BitOf(slot);
        if (m_bitmap[word] == 0)
        {
            m_summary[word >> WORD_SHIFT] &= ~BitOf(word);
        }
    }

    unsigned m_bucketBits;  //!< log2 of the ticks in a bucket.
    uint64_t m_mask;        //!< Number of buckets, less one.
    uint64_t m_base{0};     //!< The current bucket, counted from time 0.
    uint64_t m_nOnWheel{0}; //!< Events in the lists.
    uint64_t m_next{NONE};  //!< The next bucket that has a list, or NONE.
    std::vector<uint32_t, HugePageAllocator<uint32_t>> m_heads; //!< First entry of each list.
    std::vector<uint64_t> m_bitmap;  //!< One bit for each list: it is not empty.
    std::vector<uint64_t> m_summary; //!< One bit for each word of m_bitmap: it is not zero.
    std::vector<Entry, HugePageAllocator<Entry>> m_pool; //!< Entries of all lists.
    uint32_t m_free{NIL};                                //!< First free entry of the pool.
    uint32_t m_ahead{NIL}; //!< Entry of the next bucket that LookAhead() has got to.
    std::array<const EventImpl*, ASKED> m_asked{}; //!< Events that were asked for last, in turn.
    std::size_t m_turn{0};                         //!< Calls of LookAhead() so far that had to do.
    std::size_t m_nAsked{0};                       //!< Events in m_asked.
    std::vector<EVENT> m_current;  //!< The current bucket and what is late for it, latest first.
    FarEvents<EVENT, ORDER> m_far; //!< All other events.
    ORDER m_order;                 //!< What it knows of the types of events.
};

} // namespace ns3

#endif // LOSSLESS_EVENT_WHEEL_H
