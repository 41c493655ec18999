// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QP_SCHEDULER_H
#define LOSSLESS_QP_SCHEDULER_H

#include "ns3/fabric-frame.h"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Which queue pair of a port sends next. A queue pair that may send now stands in the ring of its
 * class (round robin); one that must wait for its pace stands in the heap of its class, ordered by
 * the tick at which it may send; one with nothing to send, or blocked by its window, stands in
 * neither. All operations cost O(1), or O(log n) in the number of paced queue pairs; a wake-up is
 * never derived from one that could not send anyway.
 *
 * Queue pairs are known by slot numbers. Equal ticks are served by slot number: no pointer decides.
 */
class QpScheduler
{
  public:
    /// No slot; no tick.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< no tick

    /// @param cls class @return a slot for a queue pair, idle
    uint32_t Add(uint8_t cls);

    /// @param slot the slot of an idle queue pair @param cls its class from now on
    void SetClass(uint32_t slot, uint8_t cls)
    {
        m_slots[slot].cls = cls;
    }

    /// Give a slot back. @param slot the slot
    void Remove(uint32_t slot);

    /// It may send now: to the tail of its ring. @param slot the slot
    void SetReady(uint32_t slot);

    /// It may send at a tick. @param slot the slot @param tick when
    void SetPaced(uint32_t slot, int64_t tick);

    /// It has nothing to send. @param slot the slot
    void SetIdle(uint32_t slot);

    /// Move those whose tick has come to their rings. @param now the time, in ticks
    void Promote(int64_t now);

    /// @return mask of the classes with a queue pair that may send now
    uint8_t ReadyMask() const
    {
        return m_ready;
    }

    /// @param cls a class in ReadyMask() @return the slot whose turn it is
    uint32_t Front(uint32_t cls) const
    {
        return m_rings[cls].head;
    }

    /// @param classes mask of classes @return earliest tick of a paced queue pair in them, or NEVER
    int64_t NextTick(uint8_t classes) const
    {
        int64_t earliest = NEVER;
        for (uint32_t rest = m_paced & classes; rest; rest &= rest - 1)
        {
            int64_t tick = m_heaps[__builtin_ctz(rest)].front().tick;
            earliest = tick < earliest ? tick : earliest;
        }
        return earliest;
    }

    /// @param slot a slot @return whether it is ready or paced
    bool IsActive(uint32_t slot) const
    {
        return m_slots[slot].place != IDLE;
    }

  private:
    /// Where a slot stands.
    enum Place : uint8_t
    {
        IDLE,  //!< not active
        READY, //!< in the ring of its class
        PACED  //!< in the heap, by time
    };

    /// A queue pair.
    struct Slot
    {
        uint32_t next{NONE};     //!< ring: the one after it
        uint32_t previous{NONE}; //!< ring: the one before it; heap: its index there
        uint8_t cls{0};
        Place place{IDLE};
    };

    /// Queue pairs of a class that may send now.
    struct Ring
    {
        uint32_t head{NONE};
        uint32_t tail{NONE};
    };

    /// A paced queue pair.
    struct Entry
    {
        int64_t tick;
        uint32_t slot;

        /// @param other another @return whether this one comes first
        bool operator<(const Entry& other) const
        {
            return tick < other.tick || (tick == other.tick && slot < other.slot);
        }
    };

    using Heap = std::vector<Entry>;

    void LeaveRing(uint32_t slot);
    void LeaveHeap(uint32_t slot);
    void Put(Heap& heap, uint32_t index, const Entry& entry);
    void SiftUp(Heap& heap, uint32_t index, const Entry& entry);
    void SiftDown(Heap& heap, uint32_t index, const Entry& entry);

    std::vector<Slot> m_slots;
    std::vector<uint32_t> m_free; //!< slots given back
    std::array<Ring, TRAFFIC_CLASSES> m_rings;
    std::array<Heap, TRAFFIC_CLASSES> m_heaps;
    uint8_t m_ready{0}; //!< classes whose ring is not empty
    uint8_t m_paced{0}; //!< classes whose heap is not empty
};

} // namespace ns3

#endif // LOSSLESS_QP_SCHEDULER_H
