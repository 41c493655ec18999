// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_OBEYER_H
#define LOSSLESS_PFC_OBEYER_H

#include "line-clock.h"

#include "ns3/counter-fields.h"
#include "ns3/fabric-frame.h"

#include <array>
#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The obeying side of PFC at one egress port (IEEE 802.1Qbb): which classes are paused, until when,
 * and how long they have been paused in all. A PFC frame replaces the remaining pause time of a
 * class and does not add to it. Times are ticks, which the caller passes. The port applies the
 * reaction delay before it calls Apply().
 *
 * What a PFC frame names is a priority on the wire; what is paused is a queue, see SetQueues(). A
 * queue that several priorities pause sends again when none of them does any more.
 */
class PfcObeyer
{
  public:
    /// The expiry of a pause that only an XON ends.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// Counters of one class.
    struct Counters
    {
        uint64_t rxXoff{0};     //!< PFC frames received with an XOFF for the priority
        uint64_t rxXon{0};      //!< PFC frames received with an XON (time 0) for the priority
        uint64_t pauses{0};     //!< transitions of the queue from open to paused
        uint64_t expired{0};    //!< pauses that ended when their quanta expired, not by XON
        int64_t pausedTicks{0}; //!< duration of all finished pauses of the queue, ticks
        int64_t lastRx{-1};     //!< when the last PFC frame for the priority arrived; -1: never

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::rxXoff,
                  {"xoff_received", "frames", "PFC frames received with an XOFF for the class"});
            visit(&C::rxXon,
                  {"xon_received",
                   "frames",
                   "PFC frames received with an XON (time 0) for the class"});
            visit(&C::pauses, {"pauses", "pauses", "transitions of the class from open to paused"});
            visit(&C::expired,
                  {"pauses_expired",
                   "pauses",
                   "pauses that ended when their quanta expired, not by XON"});
            visit(&C::pausedTicks, {"paused_ticks", "ticks", "duration of all finished pauses"});
            visit(&C::lastRx,
                  {"last_received_ticks",
                   "ticks",
                   "when the last PFC frame for the class arrived; -1: never",
                   CounterField::MAX});
        }
    };

    /// The queues that priorities pause, one mask a priority.
    using QueueMasks = std::array<uint8_t, TRAFFIC_CLASSES>;

    /**
     * Set the queues that each priority pauses; its own number without a call. Pauses in force go
     * over to the new queues of their priorities.
     * @param queues of the priorities
     * @param now the time
     * @return mask of the queues that were paused and are open now
     */
    uint8_t SetQueues(const QueueMasks& queues, int64_t now);

    /**
     * Apply a PFC frame.
     * @param now the time
     * @param frame the PFC frame
     * @param line the clock of this port: a quantum is 512 bit times (IEEE 802.3 annex 31B)
     * @param endless whether an XOFF lasts until XON, whatever its quanta (HPCC simulator)
     * @return mask of the queues that were paused and are open now
     */
    uint8_t Apply(int64_t now, const Frame& frame, const LineClock& line, bool endless);

    /// @param now the time @return mask of the queues whose pause has expired; they are open now
    uint8_t Expire(int64_t now);

    /// End the pauses by priorities: they have left PFC, or the link is down. @param priorities
    /// mask of the priorities
    /// @param now the time @return mask of the queues that were paused and are open now
    uint8_t Release(uint8_t priorities, int64_t now);

    /// Close or open a queue for want of credits (CBFC), which no PFC frame changes. It counts as a
    /// pause. @param queue the queue @param starved whether it has too few @param now the time
    void SetStarved(uint32_t queue, bool starved, int64_t now);

    /// The link is down: credits hold nothing back. The queues open with Release().
    void ForgetStarved()
    {
        m_starved = 0;
    }

    /**
     * Set the queues whose pauses are counted but not obeyed. A current pause of such a queue ends.
     * @param mask the queues, which replace those of the last call
     * @param now the time
     * @return mask of the queues that were paused and are open now
     */
    uint8_t SetIgnored(uint8_t mask, int64_t now);

    /// @return mask of the queues whose pauses are not obeyed
    uint8_t Ignored() const
    {
        return m_ignored;
    }

    /// @return mask of the paused queues
    uint8_t PausedMask() const
    {
        return m_paused;
    }

    /// @return mask of the priorities that keep a queue paused
    uint8_t Held() const;

    /// @return the earliest expiry of a current pause, in ticks, or NEVER
    int64_t NextExpiry() const;

    /// @param number a priority and a queue @return counters: of frames by priority, of pauses by
    /// queue
    const Counters& Get(uint32_t number) const
    {
        return m_counters[number];
    }

    /// @param queue a paused queue @return when its pause began, ticks
    int64_t PausedSince(uint32_t queue) const
    {
        return m_since[queue];
    }

    /// @param queue a queue @param now the time @return ticks paused in all, the current pause
    /// included
    int64_t PausedTicks(uint32_t queue, int64_t now) const;

  private:
    /// Begin a pause, or go on with it. @param queue the queue @param priority that pauses it
    /// @param now the time
    void Close(uint32_t queue, uint32_t priority, int64_t now);
    /// A queue is paused, if it was open. @param queue the queue @param now the time
    void Pause(uint32_t queue, int64_t now);
    /// Priorities no longer pause a queue. @param queue the queue @param priorities mask
    /// @param now the time @return bit of the queue if it is open since now, else 0
    uint8_t Open(uint32_t queue, uint8_t priorities, int64_t now);

    uint8_t m_paused{0};
    uint8_t m_starved{0}; //!< queues without credits
    uint8_t m_ignored{0};
    QueueMasks m_queues{1, 2, 4, 8, 16, 32, 64, 128}; //!< of each priority
    std::array<uint8_t, TRAFFIC_CLASSES> m_by{};      //!< priorities that pause each queue
    std::array<int64_t, TRAFFIC_CLASSES> m_since{};   //!< by queue
    std::array<int64_t, TRAFFIC_CLASSES> m_expiry{};  //!< by priority
    std::array<Counters, TRAFFIC_CLASSES> m_counters{};
};

static_assert(AreAllCountersVisited<PfcObeyer::Counters>(), "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_PFC_OBEYER_H
