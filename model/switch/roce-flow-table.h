// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ROCE_FLOW_TABLE_H
#define LOSSLESS_ROCE_FLOW_TABLE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * State of flows in a switch, of RoCE by (source, destination, one more field such as the
 * destination queue pair), of TCP and UDP by the five-tuple: a hash table with open addressing.
 * Entries are in the order in which the flows were first seen, so that only the speed depends on
 * hashes. The table allocates memory only when it holds more flows than ever before.
 *
 * @tparam Value state of a flow
 */
template <typename Value>
class RoceFlowTable
{
  public:
    /// The key of a flow.
    struct Key
    {
        uint32_t src;         //!< Frame::SourceKey()
        uint32_t dst;         //!< Frame::DestinationKey()
        uint32_t more;        //!< RoCE: destination queue pair, or UDP port; else both ports
        uint32_t protocol{0}; //!< IP protocol; 0: RoCE

        /// @param other another key @return whether they are the same
        bool operator==(const Key& other) const
        {
            return src == other.src && dst == other.dst && more == other.more &&
                   protocol == other.protocol;
        }
    };

    /// A flow.
    struct Entry
    {
        Key key;     //!< its key
        Value value; //!< its state
    };

    /// @param key a flow @return its state, created if the flow is new. Valid until the next call.
    Value& operator[](const Key& key)
    {
        if (2 * (m_entries.size() + 1) > m_index.size())
        {
            Rebuild(2 * m_index.size() + MIN_SLOTS);
        }
        const std::size_t slot = SlotOf(key);
        if (m_index[slot] == FREE)
        {
            m_index[slot] = static_cast<uint32_t>(m_entries.size());
            m_entries.push_back({key, Value{}});
        }
        return m_entries[m_index[slot]].value;
    }

    /// @param key a flow @return its state; null if the flow is unknown. Valid until the next call.
    const Value* Find(const Key& key) const
    {
        if (m_index.empty())
        {
            return nullptr;
        }
        const uint32_t entry = m_index[SlotOf(key)];
        return entry == FREE ? nullptr : &m_entries[entry].value;
    }

    /// @copydoc Find
    Value* Find(const Key& key)
    {
        return const_cast<Value*>(std::as_const(*this).Find(key));
    }

    /// @return the flows, in the order in which they were first seen
    std::vector<Entry>& Entries()
    {
        return m_entries;
    }

    /// @return number of flows
    std::size_t Size() const
    {
        return m_entries.size();
    }

    /// Forget flows. @param isOld returns for a state whether to forget its flow
    template <typename Predicate>
    void Forget(Predicate isOld)
    {
        const auto end = std::remove_if(m_entries.begin(),
                                        m_entries.end(),
                                        [&](const Entry& entry) { return isOld(entry.value); });
        if (end != m_entries.end())
        {
            m_entries.erase(end, m_entries.end());
            Rebuild(m_index.size());
        }
    }

  private:
    static constexpr uint32_t FREE = 0xffffffff;
    static constexpr std::size_t MIN_SLOTS = 64; //!< a power of two, and so is every size

    /// @param key a flow @return its slot, or the free slot for it
    std::size_t SlotOf(const Key& key) const
    {
        constexpr uint64_t ODD = 0x9e3779b97f4a7c15;
        constexpr uint32_t HALF = 32;
        uint64_t hash = (uint64_t{key.src} << HALF | key.dst) * ODD;
        hash = (hash ^ (hash >> HALF) ^ key.more) * ODD;
        hash ^= hash >> HALF;
        std::size_t slot = hash & (m_index.size() - 1);
        while (m_index[slot] != FREE && !(m_entries[m_index[slot]].key == key))
        {
            slot = (slot + 1) & (m_index.size() - 1);
        }
        return slot;
    }

    /// Rebuild the index. @param slots its size, rounded down to a power of two
    void Rebuild(std::size_t slots)
    {
        std::size_t size = MIN_SLOTS;
        while (2 * size <= slots)
        {
            size *= 2;
        }
        m_index.assign(size, FREE);
        for (uint32_t i = 0; i < m_entries.size(); ++i)
        {
            m_index[SlotOf(m_entries[i].key)] = i;
        }
    }

    std::vector<Entry> m_entries;
    std::vector<uint32_t> m_index; //!< by slot: number of an entry, or FREE
};

} // namespace ns3

#endif // LOSSLESS_ROCE_FLOW_TABLE_H
