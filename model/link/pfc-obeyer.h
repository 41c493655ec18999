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
 */
class PfcObeyer
{
  public:
    /// The expiry of a pause that only an XON ends.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// Counters of one class.
    struct Counters
    {
        uint64_t rxXoff{0};     //!< PFC frames received with an XOFF for the class
        uint64_t rxXon{0};      //!< PFC frames received with an XON (time 0) for the class
        uint64_t pauses{0};     //!< transitions from open to paused
        uint64_t expired{0};    //!< pauses that ended when their quanta expired, not by XON
        int64_t pausedTicks{0}; //!< duration of all finished pauses, ticks
        int64_t lastRx{-1};     //!< when the last PFC frame for the class arrived; -1: never

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

    /**
     * Apply a PFC frame.
     * @param now the time
     * @param frame the PFC frame
     * @param line the clock of this port: a quantum is 512 bit times (IEEE 802.3 annex 31B)
     * @param endless whether an XOFF lasts until XON, whatever its quanta (HPCC simulator)
     * @return mask of the classes that were paused and are open now
     */
    uint8_t Apply(int64_t now, const Frame& frame, const LineClock& line, bool endless);

    /// @param now the time @return mask of the classes whose pause has expired; they are open now
    uint8_t Expire(int64_t now);

    /// End the pauses of classes: they have left PFC, or the link is down. @param classes mask of
    /// the classes
    /// @param now the time @return mask of the classes that were paused and are open now
    uint8_t Release(uint8_t classes, int64_t now);

    /**
     * Set the classes whose pauses are counted but not obeyed. A current pause of such a class
     * ends.
     * @param mask the classes, which replace those of the last call
     * @param now the time
     * @return mask of the classes that were paused and are open now
     */
    uint8_t SetIgnored(uint8_t mask, int64_t now);

    /// @return mask of the classes whose pauses are not obeyed
    uint8_t Ignored() const
    {
        return m_ignored;
    }

    /// @return mask of the paused classes
    uint8_t PausedMask() const
    {
        return m_paused;
    }

    /// @return the earliest expiry of a current pause, in ticks, or NEVER
    int64_t NextExpiry() const;

    /// @param cls a class @return its counters
    const Counters& Get(uint32_t cls) const
    {
        return m_counters[cls];
    }

    /// @param cls a paused class @return when its pause began, ticks
    int64_t PausedSince(uint32_t cls) const
    {
        return m_since[cls];
    }

    /// @param cls a class @param now the time @return ticks paused in all, the current pause
    /// included
    int64_t PausedTicks(uint32_t cls, int64_t now) const;

  private:
    /// End the pause of a class. @param cls the class @param now the time
    void Open(uint32_t cls, int64_t now);

    uint8_t m_paused{0};
    uint8_t m_ignored{0};
    std::array<int64_t, TRAFFIC_CLASSES> m_since{};
    std::array<int64_t, TRAFFIC_CLASSES> m_expiry{};
    std::array<Counters, TRAFFIC_CLASSES> m_counters{};
};

static_assert(AreAllCountersVisited<PfcObeyer::Counters>(), "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_PFC_OBEYER_H
