// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MESSAGE_LINE_H
#define LOSSLESS_MESSAGE_LINE_H

#include <atomic>
#include <utility>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the sender of a queue pair tells its receiver, in order: one thread adds, another one takes.
 * Packets carry no content; what a message is about goes this way, and arrives with it. Entries
 * that were taken are used again: as many are kept as were under way at once.
 */
template <typename Item>
class MessageLine
{
  public:
    MessageLine()
        : m_spare(new Entry),
          m_unused(m_spare),
          m_last(m_spare),
          m_taken(m_spare)
    {
    }

    ~MessageLine()
    {
        while (m_spare)
        {
            delete std::exchange(m_spare, m_spare->next.load(std::memory_order_relaxed));
        }
    }

    MessageLine(const MessageLine&) = delete;
    MessageLine& operator=(const MessageLine&) = delete;

    /// The sender's. @param item the next one
    void Add(const Item& item)
    {
        Entry* const entry = GetUnused();
        entry->item = item;
        m_last->next.store(entry, std::memory_order_release);
        m_last = entry;
    }

    /// The receiver's, after an Add() that it has not taken. @return the first one
    Item Take()
    {
        Entry* const taken = m_taken.load(std::memory_order_relaxed);
        Entry* const next = taken->next.load(std::memory_order_acquire);
        const Item item = next->item;
        m_taken.store(next, std::memory_order_release); // the entry before may be used again
        return item;
    }

  private:
    /// All entries are one chain: those that may be used again, one that was taken last, and those
    /// that are under way.
    struct Entry
    {
        Item item{};
        std::atomic<Entry*> next{nullptr};
    };

    /// @return an entry that is in no chain
    Entry* GetUnused()
    {
        if (m_spare == m_unused)
        {
            m_unused = m_taken.load(std::memory_order_acquire);
        }
        if (m_spare == m_unused)
        {
            return new Entry;
        }
        Entry* const entry = std::exchange(m_spare, m_spare->next.load(std::memory_order_relaxed));
        entry->next.store(nullptr, std::memory_order_relaxed);
        return entry;
    }

    // The sender's:
    Entry* m_spare;  //!< first of those that may be used again
    Entry* m_unused; //!< up to here they may; m_taken, when that was read last
    Entry* m_last;   //!< that was added last
    // The receiver's:
    std::atomic<Entry*> m_taken; //!< that was taken last
};

} // namespace ns3

#endif // LOSSLESS_MESSAGE_LINE_H
