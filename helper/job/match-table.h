// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MATCH_TABLE_H
#define LOSSLESS_MATCH_TABLE_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What must be the same of a message and its receive.
struct MatchKey
{
    uint32_t peer{0};  //!< the other rank
    uint64_t scope{0}; //!< RankMessage::scope
    uint64_t tag{0};   //!< RankMessage::tag

    /// @param other another key @return whether both are the same
    bool operator==(const MatchKey& other) const
    {
        return peer == other.peer && scope == other.scope && tag == other.tag;
    }
};

/**
 * @ingroup lossless
 *
 * Items by key, of each key first in, first out. Adding and taking allocate no memory once the
 * table has had as many items as it has now: its entries are in one block, and are used again.
 */
template <typename Item>
class MatchTable
{
  public:
    /// @param key of the item @param item added behind others of that key
    void Add(const MatchKey& key, const Item& item)
    {
        const uint32_t added = MakeEntry(key, item);
        uint32_t* const place = Find(key);
        if (*place == NONE)
        {
            m_entries[added].last = added;
            *place = added;
            return;
        }
        Entry& first = m_entries[*place];
        m_entries[first.last].follower = added;
        first.last = added;
    }

    /// @param key a key @return the first item of that key, until the table changes; null: none
    const Item* Peek(const MatchKey& key)
    {
        const uint32_t* const place = m_used ? Find(key) : nullptr;
        return place && *place != NONE ? &m_entries[*place].item : nullptr;
    }

    /// @param key of an item that is there @return the first of them, which is taken out
    Item Take(const MatchKey& key)
    {
        uint32_t* const place = Find(key);
        const uint32_t taken = *place;
        Entry& entry = m_entries[taken];
        const uint32_t follower = entry.follower;
        *place = follower == NONE ? entry.next : follower;
        if (follower != NONE)
        {
            m_entries[follower].next = entry.next;
            m_entries[follower].last = entry.last;
        }
        entry.next = m_free;
        m_free = taken;
        --m_used;
        return std::move(entry.item);
    }

    /// Call a function with all items, in no order but that of each key.
    /// @param visit called with the key and the item
    template <typename Visit>
    void ForEach(const Visit& visit) const
    {
        for (const uint32_t head : m_heads)
        {
            for (uint32_t first = head; first != NONE; first = m_entries[first].next)
            {
                for (uint32_t i = first; i != NONE; i = m_entries[i].follower)
                {
                    visit(m_entries[i].key, m_entries[i].item);
                }
            }
        }
    }

  private:
    static constexpr uint32_t NONE = 0xffffffff; //!< no entry

    /// An item; of those of one key the first one alone is in the chain of its bucket.
    struct Entry
    {
        MatchKey key;
        uint32_t next;     //!< first entry of another key in this bucket; of free ones: another one
        uint32_t follower; //!< the next entry of this key
        uint32_t last;     //!< of the first entry of a key: the last one
        Item item;
    };

    /// @param key a key @return its bucket
    std::size_t BucketOf(const MatchKey& key) const
    {
        // Odd factors near 2^64 / phi and others; the upper bits depend on all.
        uint64_t hash = key.peer * 0x9e3779b97f4a7c15ULL;
        hash = (hash ^ key.scope) * 0xbf58476d1ce4e5b9ULL;
        hash = (hash ^ (hash >> 32) ^ key.tag) * 0x94d049bb133111ebULL;
        return (hash >> 32) & (m_heads.size() - 1);
    }

    /// @param key a key; there are buckets @return what has the first entry of the key, or NONE
    uint32_t* Find(const MatchKey& key)
    {
        uint32_t* place = &m_heads[BucketOf(key)];
        while (*place != NONE && !(m_entries[*place].key == key))
        {
            place = &m_entries[*place].next;
        }
        return place;
    }

    /// @param key of an item @param item it @return its entry, in no chain yet
    uint32_t MakeEntry(const MatchKey& key, const Item& item)
    {
        if (m_used++ == m_heads.size())
        {
            Grow();
        }
        if (m_free == NONE)
        {
            m_entries.push_back({key, NONE, NONE, NONE, item});
            return static_cast<uint32_t>(m_entries.size() - 1);
        }
        const uint32_t taken = m_free;
        m_free = m_entries[taken].next;
        m_entries[taken] = {key, NONE, NONE, NONE, item};
        return taken;
    }

    /// Double the buckets.
    void Grow()
    {
        std::vector<uint32_t> heads(m_heads.empty() ? 4 : 2 * m_heads.size(), NONE);
        std::swap(heads, m_heads);
        for (uint32_t head : heads)
        {
            while (head != NONE)
            {
                Entry& entry = m_entries[head];
                const uint32_t next = entry.next;
                uint32_t& first = m_heads[BucketOf(entry.key)];
                entry.next = first;
                first = head;
                head = next;
            }
        }
    }

    std::size_t m_used{0};         //!< entries that are not free
    std::vector<uint32_t> m_heads; //!< by bucket, of which there are a power of two
    std::vector<Entry> m_entries;
    uint32_t m_free{NONE}; //!< first entry that is free
};

} // namespace ns3

#endif // LOSSLESS_MATCH_TABLE_H
