// SPDX-License-Identifier: GPL-2.0-only
#include "qp-scheduler.h"

namespace ns3
{

uint32_t
QpScheduler::Add(uint8_t cls)
{
    uint32_t slot = m_slots.size();
    if (m_free.empty())
    {
        m_slots.emplace_back();
    }
    else
    {
        slot = m_free.back();
        m_free.pop_back();
    }
    m_slots[slot] = Slot{};
    m_slots[slot].cls = cls;
    return slot;
}

void
QpScheduler::Remove(uint32_t slot)
{
    SetIdle(slot);
    m_free.push_back(slot);
}

void
QpScheduler::SetIdle(uint32_t slot)
{
    switch (m_slots[slot].place)
    {
    case READY:
        LeaveRing(slot);
        break;
    case PACED:
        LeaveHeap(slot);
        break;
    case IDLE:
        break;
    }
    m_slots[slot].place = IDLE;
}

void
QpScheduler::SetReady(uint32_t slot)
{
    Slot& entry = m_slots[slot];
    Ring& ring = m_rings[entry.cls];
    if (entry.place == READY && ring.head == slot && ring.tail == slot)
    {
        return; // alone, it stays where it is
    }
    SetIdle(slot);
    entry.place = READY;
    entry.previous = entry.turn ? Before(ring, entry.turn) : ring.tail;
    uint32_t& after = entry.previous == NONE ? ring.head : m_slots[entry.previous].next;
    entry.next = after;
    after = slot;
    (entry.next == NONE ? ring.tail : m_slots[entry.next].previous) = slot;
    m_ready |= 1U << entry.cls;
}

uint32_t
QpScheduler::Before(const Ring& ring, uint32_t turn) const
{
    const auto distance = [&ring](uint32_t of) { return of - ring.lastTurn - 1; }; // mod 2^32
    uint32_t before = ring.tail;
    while (before != NONE && distance(m_slots[before].turn) > distance(turn))
    {
        before = m_slots[before].previous;
    }
    return before;
}

void
QpScheduler::LeaveRing(uint32_t slot)
{
    const Slot& entry = m_slots[slot];
    Ring& ring = m_rings[entry.cls];
    (entry.previous == NONE ? ring.head : m_slots[entry.previous].next) = entry.next;
    (entry.next == NONE ? ring.tail : m_slots[entry.next].previous) = entry.previous;
    if (ring.head == NONE)
    {
        m_ready &= ~(1U << entry.cls);
    }
}

void
QpScheduler::SetPaced(uint32_t slot, int64_t tick)
{
    Slot& entry = m_slots[slot];
    Heap& heap = m_heaps[entry.cls];
    uint32_t index = heap.size();
    if (entry.place == PACED)
    {
        index = entry.previous;
    }
    else
    {
        SetIdle(slot);
        entry.place = PACED;
        heap.emplace_back();
        m_paced |= 1U << entry.cls;
    }
    Entry moved{tick, slot};
    if (index > 0 && moved < heap[(index - 1) / 2])
    {
        SiftUp(heap, index, moved);
    }
    else
    {
        SiftDown(heap, index, moved);
    }
}

void
QpScheduler::LeaveHeap(uint32_t slot)
{
    Heap& heap = m_heaps[m_slots[slot].cls];
    uint32_t index = m_slots[slot].previous;
    Entry moved = heap.back();
    heap.pop_back();
    if (heap.empty())
    {
        m_paced &= ~(1U << m_slots[slot].cls);
    }
    if (index == heap.size())
    {
        return; // it was the last
    }
    if (index > 0 && moved < heap[(index - 1) / 2])
    {
        SiftUp(heap, index, moved);
    }
    else
    {
        SiftDown(heap, index, moved);
    }
}

void
QpScheduler::Promote(int64_t now)
{
    for (uint32_t rest = m_paced; rest; rest &= rest - 1)
    {
        Heap& heap = m_heaps[__builtin_ctz(rest)];
        while (!heap.empty() && heap.front().tick <= now)
        {
            SetReady(heap.front().slot);
        }
    }
}

void
QpScheduler::Put(Heap& heap, uint32_t index, const Entry& entry)
{
    heap[index] = entry;
    m_slots[entry.slot].previous = index;
}

void
QpScheduler::SiftUp(Heap& heap, uint32_t index, const Entry& entry)
{
    while (index > 0 && entry < heap[(index - 1) / 2])
    {
        Put(heap, index, heap[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    Put(heap, index, entry);
}

void
QpScheduler::SiftDown(Heap& heap, uint32_t index, const Entry& entry)
{
    for (;;)
    {
        uint32_t child = 2 * index + 1;
        if (child >= heap.size())
        {
            break;
        }
        if (child + 1 < heap.size() && heap[child + 1] < heap[child])
        {
            child++;
        }
        if (!(heap[child] < entry))
        {
            break;
        }
        Put(heap, index, heap[child]);
        index = child;
    }
    Put(heap, index, entry);
}

} // namespace ns3
