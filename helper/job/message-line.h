// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MESSAGE_LINE_H
#define LOSSLESS_MESSAGE_LINE_H

#include <atomic>
#include <memory>
#include <utility>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the sender of a queue pair tells its receiver, in order: one thread adds, another one takes.
 * Packets carry no content; what a message is about goes this way, and arrives with it.
 */
template <typename Item>
class MessageLine
{
  public:
    MessageLine()
        : m_first(new Entry),
          m_last(m_first)
    {
    }

    ~MessageLine()
    {
        while (m_first)
        {
            delete std::exchange(m_first, m_first->next.load(std::memory_order_relaxed));
        }
    }

    MessageLine(const MessageLine&) = delete;
    MessageLine& operator=(const MessageLine&) = delete;

    /// The sender's. @param item the next one
    void Add(Item item)
    {
        auto* entry = new Entry;
        entry->item = std::move(item);
        m_last->next.store(entry, std::memory_order_release);
        m_last = entry;
    }

    /// The receiver's, after an Add() that it has not taken. @return the first one
    Item Take()
    {
        Entry* next = m_first->next.load(std::memory_order_acquire);
        delete std::exchange(m_first, next);
        return std::move(next->item);
    }

  private:
    /// The first entry is one that was taken.
    struct Entry
    {
        Item item{};
        std::atomic<Entry*> next{nullptr};
    };

    Entry* m_first; //!< the receiver's
    Entry* m_last;  //!< the sender's
};

} // namespace ns3

#endif // LOSSLESS_MESSAGE_LINE_H
