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
 * Chooses which queue pair of a port sends next. A queue pair that may send now stands in the ring
 * of its class (round robin). A queue pair that must wait for its pace stands in the heap of its
 * class, ordered by the tick at which it may send. A queue pair with nothing to send, or blocked by
 * its window, stands in neither and causes no wake-ups. Operations cost O(1), or O(log n) in the
 * number of paced queue pairs.
 *
 * A queue pair with a turn (SetTurn()) does not go to the tail of its ring, but where its turn is.
 * This costs O(n) in the number of queue pairs that are ready.
 *
 * Slot numbers identify queue pairs. At equal ticks the lower slot number goes first, so that no
 * memory address decides.
 */
class QpScheduler
{
  public:
    /// No slot.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< no tick

    /// @param cls a class @return a slot for an idle queue pair of the class
    uint32_t Add(uint8_t cls);

    /// @param slot the slot of an idle queue pair @param cls its new class
    void SetClass(uint32_t slot, uint8_t cls)
    {
        m_slots[slot].cls = cls;
    }

    /// Give a queue pair the next turn: from now on it goes in the ring before those with a later
    /// turn, counted round from the queue pair that has sent last. @param slot the slot
    void SetTurn(uint32_t slot)
    {
        m_slots[slot].turn = ++m_turns;
    }

    /// Free a slot. @param slot the slot
    void Remove(uint32_t slot);

    /// The queue pair may send now: put it at the tail of its ring. @param slot the slot
    void SetReady(uint32_t slot);

    /// The queue pair may send from a tick on. @param slot the slot @param tick the tick
    void SetPaced(uint32_t slot, int64_t tick);

    /// The queue pair has nothing to send, or is blocked. @param slot the slot
    void SetIdle(uint32_t slot);

    /// Move queue pairs whose tick has come from the heaps to the rings. @param now the time, in
    /// ticks
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

    /// The queue pair whose turn it is sends. @param cls a class in ReadyMask() @return its slot
    uint32_t TakeTurn(uint32_t cls)
    {
        Ring& ring = m_rings[cls];
        ring.lastTurn = m_slots[ring.head].turn;
        return ring.head;
    }

    /// @param classes mask of classes @return earliest tick of a paced queue pair of these classes,
    /// or NEVER
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

    /// @param slot a slot @return whether its queue pair is ready or paced
    bool IsActive(uint32_t slot) const
    {
        return m_slots[slot].place != IDLE;
    }

  private:
    /// Place of a slot.
    enum Place : uint8_t
    {
        IDLE,  //!< in neither ring nor heap
        READY, //!< in the ring of its class
        PACED  //!< in the heap of its class
    };

    /// A queue pair.
    struct Slot
    {
        uint32_t next{NONE};     //!< ring: the next slot
        uint32_t previous{NONE}; //!< ring: the previous slot; heap: index in the heap
        uint32_t turn{0};        //!< SetTurn(); 0: at the tail
        uint8_t cls{0};
        Place place{IDLE};
    };

    /// Queue pairs of a class that may send now.
    struct Ring
    {
        uint32_t head{NONE};
        uint32_t tail{NONE};
        uint32_t lastTurn{0}; //!< of the queue pair that has sent last
    };

    /// A paced queue pair.
    struct Entry
    {
        int64_t tick;
        uint32_t slot;

        /// @param other another @return whether this entry comes first
        bool operator<(const Entry& other) const
        {
            return tick < other.tick || (tick == other.tick && slot < other.slot);
        }
    };

    using Heap = std::vector<Entry>;

    /// @param ring a ring @param turn a turn @return after which slot of the ring it comes, or NONE
    uint32_t Before(const Ring& ring, uint32_t turn) const;
    void LeaveRing(uint32_t slot);
    void LeaveHeap(uint32_t slot);
    void Put(Heap& heap, uint32_t index, const Entry& entry);
    void SiftUp(Heap& heap, uint32_t index, const Entry& entry);
    void SiftDown(Heap& heap, uint32_t index, const Entry& entry);

    // What each packet touches first: the end of a cache line of RdmaPort, and the begin of the
    // next.
    std::vector<Slot> m_slots;
    uint8_t m_ready{0};  //!< classes whose ring is not empty
    uint8_t m_paced{0};  //!< classes whose heap is not empty
    uint32_t m_turns{0}; //!< turns given
    std::array<Ring, TRAFFIC_CLASSES> m_rings;
    std::array<Heap, TRAFFIC_CLASSES> m_heaps;
    std::vector<uint32_t> m_free; //!< free slots
};

} // namespace ns3

#endif // LOSSLESS_QP_SCHEDULER_H
