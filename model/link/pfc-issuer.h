// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_ISSUER_H
#define LOSSLESS_PFC_ISSUER_H

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
 * The issuing side of PFC at one ingress port (IEEE 802.1Qbb): which classes the peer has been told
 * to pause, what the next PFC frame must tell, and when an XOFF must be refreshed. Classes that
 * change before the PFC frame can leave share that frame; a change that is undone before then is
 * not sent. Times are ticks, which the caller passes.
 *
 * A class here is a priority on the wire. The MMU requests pauses by priority group, see
 * SetPriorities(): several groups may share a priority, which is paused while any of them must be.
 */
class PfcIssuer
{
  public:
    /// No refresh is due.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// Counters of one class.
    struct Counters
    {
        uint64_t txXoff{0};    //!< PFC frames sent with an XOFF for the class, refreshes included
        uint64_t txRefresh{0}; //!< refreshes among txXoff: the peer had an XOFF already
        uint64_t txXon{0};     //!< PFC frames sent with an XON (time 0) for the class

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::txXoff,
                  {"xoff_sent",
                   "frames",
                   "PFC frames sent with an XOFF for the class, refreshes included"});
            visit(&C::txRefresh,
                  {"refreshes_sent",
                   "frames",
                   "refreshes among the XOFF frames: the peer had an XOFF already"});
            visit(&C::txXon,
                  {"xon_sent", "frames", "PFC frames sent with an XON (time 0) for the class"});
        }
    };

    /// @param pending Pending(), kept by the port where it looks at each frame; outlives this
    /// object
    explicit PfcIssuer(uint8_t& pending)
        : m_pending(pending)
    {
    }

    /**
     * Set the pause times. An XOFF that is in force is sent again at once with the new ones: the
     * refresh that belongs to it may no longer be due in time.
     * @param quanta pause time that an XOFF carries
     * @param refreshTicks ticks after which an XOFF that is still needed is sent again; 0: never
     */
    void Configure(uint16_t quanta, int64_t refreshTicks);

    /**
     * Set the classes with PFC; all without a call. A class that the peer was told to pause gets an
     * XON when it leaves, and a class for which a pause is requested gets an XOFF when it enters.
     * @param classes mask of the classes
     */
    void SetClasses(uint8_t classes);

    /// Tell the peer anew which of some classes it must pause, because it has begun to listen.
    /// @param classes mask of the classes
    void Repeat(uint8_t classes);

    /// Set the priority that the pause of each priority group names; its own number without a call.
    /// What is requested already stays so. @param priorities of the groups
    void SetPriorities(const std::array<uint8_t, TRAFFIC_CLASSES>& priorities);

    /// @param group a priority group @return the class that its pause names
    uint32_t PriorityOf(uint32_t group) const
    {
        return m_priorities[group];
    }

    /// The MMU pauses or resumes a priority group; remembered also for one without PFC.
    /// @param group the priority group @param xoff whether it pauses the group
    void Request(uint32_t group, bool xoff);

    /**
     * Override the MMU from now on, as faults and watchdogs do.
     * @param stuck mask of the classes that the peer must pause whatever the MMU requests
     * @param muted mask of the classes that the peer must never pause; takes precedence over stuck
     */
    void Override(uint8_t stuck, uint8_t muted);

    /// @return mask of the classes that are always paused, by Override()
    uint8_t Stuck() const
    {
        return m_stuck;
    }

    /// @return mask of the classes that are never paused, by Override()
    uint8_t Muted() const
    {
        return m_muted;
    }

    /// @return mask of the classes that the next PFC frame must name
    uint8_t Pending() const
    {
        return m_pending;
    }

    /// @return mask of the classes that the peer should pause
    uint8_t Wanted() const
    {
        return (m_requested | m_stuck) & ~m_muted & m_classes;
    }

    /// Add the classes whose refresh is due to Pending(). @param now the time, ticks
    void Refresh(int64_t now);

    /// @return when the next refresh is due, in ticks, or NEVER
    int64_t NextRefresh() const;

    /**
     * Fill in a PFC frame with all pending classes, and account for it as sent.
     * @param now the time
     * @param frame the frame; its pfcEnable and pfcQuanta are set
     */
    void Fill(int64_t now, Frame& frame);

    /// Forget the requests of the MMU and what the peer was told (link down). The peer forgets its
    /// pauses by itself. SetClasses() and Override() stay in force.
    void Reset();

    /// @param cls a class @return its counters
    const Counters& Get(uint32_t cls) const
    {
        return m_counters[cls];
    }

  private:
    /// Recompute m_pending: the classes whose wanted state differs from what the peer was told.
    void Compare(uint8_t classes);
    /// @param groups mask of priority groups @return mask of the classes that their pauses name
    uint8_t PrioritiesOf(uint8_t groups) const;

    uint8_t m_classes{0xff}; //!< classes with PFC
    uint8_t m_groups{0};     //!< priority groups that the MMU requests to pause
    uint8_t m_requested{0};  //!< classes that the MMU requests to pause: those of m_groups
    uint8_t m_stuck{0};      //!< Override(): always paused
    uint8_t m_muted{0};      //!< Override(): never paused
    uint8_t m_told{0};       //!< classes for which the peer was last sent an XOFF
    uint8_t& m_pending;      //!< classes that the next PFC frame must name
    uint16_t m_quanta{65535};
    int64_t m_refreshTicks{0};
    std::array<uint8_t, TRAFFIC_CLASSES> m_priorities{0, 1, 2, 3, 4, 5, 6, 7}; //!< by group
    std::array<int64_t, TRAFFIC_CLASSES> m_lastTx{};
    std::array<Counters, TRAFFIC_CLASSES> m_counters{};
};

static_assert(AreAllCountersVisited<PfcIssuer::Counters>(), "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_PFC_ISSUER_H
