// SPDX-License-Identifier: GPL-2.0-only
#include "due-events.h"

#include "ns3/assert.h"

namespace ns3
{

void
DueEvents::Begin(const FabricEvent* events, std::size_t count, uint64_t begin, uint64_t end)
{
    NS_ASSERT_MSG(IsEmpty(), "events of another window");
    const auto bitsOf = [](uint64_t number) {
        constexpr unsigned ALL = 64;
        return number == 0 ? 0 : ALL - static_cast<unsigned>(__builtin_clzll(number));
    };
    const unsigned bits = bitsOf(count);
    const unsigned shift = std::max(bitsOf(end - begin - 1), bits) - bits;
    m_nStored = count;
    m_known.resize(std::max(m_known.size(), count)); // Insert() makes it longer than the others
    m_order.resize(std::max(m_order.size(), count));
    m_buckets.resize(m_order.size());
    m_places.assign(std::size_t{1} << bits, 0);
    for (std::size_t i = 0; i < count; ++i)
    {
        const FabricEvent& event = events[i];
        __builtin_prefetch(event.GetImpl());
        m_known[i] = event;
        const auto bucket = static_cast<uint32_t>((event.GetTime() - begin) >> shift);
        m_buckets[i] = bucket;
        ++m_places[bucket];
    }
    m_next = 0;
    m_nKnown = count;

    uint32_t place = 0;
    uint32_t most = 0;
    for (uint32_t& ofBucket : m_places)
    {
        const uint32_t inBucket = ofBucket;
        ofBucket = place;
        place += inBucket;
        most = std::max(most, inBucket);
    }
    for (std::size_t i = 0; i < count; ++i)
    {
        m_order[m_places[m_buckets[i]]++] = static_cast<uint32_t>(i);
    }
    constexpr uint32_t CROWD = 16;
    uint32_t from = 0;
    for (std::size_t bucket = 0; most > CROWD && bucket < m_places.size(); ++bucket)
    {
        const uint32_t to = m_places[bucket];
        if (to - from > CROWD)
        {
            std::sort(m_order.begin() + from, m_order.begin() + to, [this](uint32_t a, uint32_t b) {
                return m_known[a].IsBefore(m_known[b]);
            });
        }
        from = to;
    }
    SortNear();
}

void
DueEvents::SortNear()
{
    uint64_t before = 0;
    for (std::size_t i = 0; i < m_nKnown; ++i)
    {
        const uint32_t index = m_order[i];
        const FabricEvent& event = m_known[index];
        if (event.GetTime() > before)
        {
            before = event.GetTime();
            continue;
        }
        std::size_t place = i;
        for (; place > 0 && event.IsBefore(Known(place - 1)); --place)
        {
            m_order[place] = m_order[place - 1];
        }
        m_order[place] = index;
    }
}

void
DueEvents::InsertFar(const FabricEvent& event)
{
    m_posted.push_back(event);
    std::push_heap(m_posted.begin(), m_posted.end(), IsAfter);
    m_firstPosted = m_posted.front().GetTime();
}

} // namespace ns3
