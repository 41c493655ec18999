// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_RING_H
#define LOSSLESS_RDMA_RING_H

#include "ns3/assert.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * First-in first-out queue in one block of memory that doubles when full. A host has thousands of
 * queue pairs: a new ring holds no memory, where a std::deque holds half a kilobyte.
 *
 * @tparam T element, copyable
 */
template <typename T>
class RdmaRing
{
  public:
    /// @return number of elements
    uint32_t Size() const
    {
        return m_size;
    }

    /// @return whether it is empty
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    /// @param i 0: the oldest @return the element
    T& operator[](uint32_t i)
    {
        NS_ASSERT(i < m_size);
        return m_slots[(m_head + i) & (m_capacity - 1)];
    }

    /// @param i 0: the oldest @return the element
    const T& operator[](uint32_t i) const
    {
        NS_ASSERT(i < m_size);
        return m_slots[(m_head + i) & (m_capacity - 1)];
    }

    /// @return the oldest element
    T& Front()
    {
        return (*this)[0];
    }

    /// @return the newest element
    T& Back()
    {
        return (*this)[m_size - 1];
    }

    /// @param element appended
    void Push(const T& element)
    {
        if (m_size == m_capacity)
        {
            Grow();
        }
        m_slots[(m_head + m_size) & (m_capacity - 1)] = element;
        m_size++;
    }

    /// @param element put before the oldest
    void PushFront(const T& element)
    {
        if (m_size == m_capacity)
        {
            Grow();
        }
        m_head = (m_head + m_capacity - 1) & (m_capacity - 1);
        m_slots[m_head] = element;
        m_size++;
    }

    /// Remove the oldest.
    void PopFront()
    {
        NS_ASSERT(m_size);
        m_head = (m_head + 1) & (m_capacity - 1);
        m_size--;
    }

    /// Remove the newest.
    void PopBack()
    {
        NS_ASSERT(m_size);
        m_size--;
    }

  private:
    /// Double the memory.
    void Grow()
    {
        uint32_t capacity = m_capacity ? 2 * m_capacity : 2;
        std::unique_ptr<T[]> slots(new T[capacity]);
        for (uint32_t i = 0; i < m_size; i++)
        {
            slots[i] = (*this)[i];
        }
        m_slots = std::move(slots);
        m_capacity = capacity;
        m_head = 0;
    }

    std::unique_ptr<T[]> m_slots;
    uint32_t m_capacity{0}; //!< a power of two, or 0
    uint32_t m_head{0};
    uint32_t m_size{0};
};

} // namespace ns3

#endif // LOSSLESS_RDMA_RING_H
