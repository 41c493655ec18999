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
 * The issuing side of PFC at one ingress port (IEEE 802.1Qbb): which classes the
 * peer has been told to pause, what must be told next, and when a pause must be refreshed. Classes
 * that change before the frame can leave share one frame; a change that is taken back before it
 * left is not told. Times are ticks and are passed in.
 */
class PfcIssuer
{
  public:
    /// No refresh is due.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// Counters of one class.
    struct Counters
    {
        uint64_t txXoff{0};    //!< PFC frames sent with a pause for the class (refreshes included)
        uint64_t txRefresh{0}; //!< of those, refreshes of a pause that the peer was told before
        uint64_t txXon{0};     //!< PFC frames sent with time 0 for the class

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::txXoff,
                  {"xoff_sent",
                   "frames",
                   "PFC frames sent with a pause for the class, refreshes included"});
            visit(&C::txRefresh,
                  {"refreshes_sent",
                   "frames",
                   "of those, refreshes of a pause that the peer was told before"});
            visit(&C::txXon, {"xon_sent", "frames", "PFC frames sent with time 0 for the class"});
        }
    };

    /**
     * @param quanta pause time that an XOFF carries
     * @param refreshTicks time after which an XOFF still in force is sent again; 0: never
     */
    void Configure(uint16_t quanta, int64_t refreshTicks);

    /// The MMU wants a class paused or resumed. @param cls the class @param xoff paused
    void Request(uint32_t cls, bool xoff);

    /**
     * Tell the peer something else than the MMU wants, from now on: faults, and watchdogs.
     * @param stuck mask of the classes that are paused whatever the MMU says
     * @param muted mask of the classes that are never paused; goes before stuck
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

    /// @return mask of the classes to tell in the next frame
    uint8_t Pending() const
    {
        return m_pending;
    }

    /// @return mask of the classes that should be paused
    uint8_t Wanted() const
    {
        return (m_requested | m_stuck) & ~m_muted;
    }

    /// A refresh may be due: adds to Pending(). @param now the time
    void Refresh(int64_t now);

    /// @return when the next refresh is due, in ticks, or NEVER
    int64_t NextRefresh() const;

    /**
     * Fill in a PFC frame with all that is pending, and take it as sent.
     * @param now the time
     * @param frame the frame; its pfcEnable and pfcQuanta are set
     */
    void Fill(int64_t now, Frame& frame);

    /// Forget what the MMU wants and what the peer was told (link down, PFC off): the peer forgets
    /// by itself. Override() stays in force.
    void Reset();

    /// @param cls a class @return its counters
    const Counters& Get(uint32_t cls) const
    {
        return m_counters[cls];
    }

  private:
    /// What the peer does not know yet is pending, and what it knows already is not.
    void Compare(uint8_t classes);

    uint8_t m_requested{0}; //!< what the MMU wants
    uint8_t m_stuck{0};     //!< paused whatever the MMU wants
    uint8_t m_muted{0};     //!< never paused
    uint8_t m_told{0};      //!< what the peer was told last
    uint8_t m_pending{0};   //!< classes to tell
    uint16_t m_quanta{65535};
    int64_t m_refreshTicks{0};
    std::array<int64_t, TRAFFIC_CLASSES> m_lastTx{};
    std::array<Counters, TRAFFIC_CLASSES> m_counters{};
};

static_assert(AreAllCountersVisited<PfcIssuer::Counters>(), "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_PFC_ISSUER_H
