// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_ISSUER_H
#define LOSSLESS_PFC_ISSUER_H

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
    };

    /**
     * @param quanta pause time that an XOFF carries
     * @param refreshTicks time after which an XOFF still in force is sent again; 0: never
     */
    void Configure(uint16_t quanta, int64_t refreshTicks);

    /// The MMU wants a class paused or resumed. @param cls the class @param xoff paused
    void Request(uint32_t cls, bool xoff);

    /// @return mask of the classes to tell in the next frame
    uint8_t Pending() const
    {
        return m_pending;
    }

    /// @return mask of the classes that should be paused
    uint8_t Wanted() const
    {
        return m_wanted;
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

    /// Forget everything (link down, PFC off): no frame is sent, the peer forgets by itself.
    void Reset();

    /// @param cls a class @return its counters
    const Counters& Get(uint32_t cls) const
    {
        return m_counters[cls];
    }

  private:
    uint8_t m_wanted{0};  //!< what the MMU wants
    uint8_t m_told{0};    //!< what the peer was told last
    uint8_t m_pending{0}; //!< classes to tell
    uint16_t m_quanta{65535};
    int64_t m_refreshTicks{0};
    std::array<int64_t, TRAFFIC_CLASSES> m_lastTx{};
    std::array<Counters, TRAFFIC_CLASSES> m_counters{};
};

} // namespace ns3

#endif // LOSSLESS_PFC_ISSUER_H
