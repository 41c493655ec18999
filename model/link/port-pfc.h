// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PORT_PFC_H
#define LOSSLESS_PORT_PFC_H

#include "line-clock.h"
#include "pfc-issuer.h"
#include "pfc-obeyer.h"
#include "simulation-clock.h"
#include "wake-event.h"

#include "ns3/fabric-frame.h"
#include "ns3/frame-format.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What PFC does at one port (IEEE 802.1Qbb): the issuing and the obeying machine, the timer of
 * refreshes and expiries, and the reaction delay. Classes, maps, times and dialect may change at
 * any time: what the peer was told, and what it paused here, follows at once. A class is a PFC
 * priority here, the number that a PFC frame names.
 */
class PortPfc final : private FrameReceiver
{
  public:
    /// The port to which it belongs.
    class Port
    {
      public:
        virtual ~Port() = default;
        /// A PFC frame may be due: ask Pending().
        virtual void PfcDue() = 0;
        /// A PFC frame names a class. @param cls the class @param quanta 0: XON
        virtual void PfcSent(uint32_t cls, uint16_t quanta) = 0;
        /// A PFC frame takes effect for a class. @param cls the class @param quanta 0: XON
        virtual void PfcObeyed(uint32_t cls, uint16_t quanta) = 0;
        /// @param closed queues that are paused since now @param opened queues that no longer are
        virtual void PausesChanged(uint8_t closed, uint8_t opened) = 0;
    };

    /// How the port issues and obeys pauses.
    struct Settings
    {
        uint16_t quanta{65535};   //!< pause time of an XOFF, quanta of 512 bit times
        int64_t refreshTicks{0};  //!< after which an XOFF in force is sent again; 0: never
        int64_t reactionTicks{0}; //!< between the arrival of a PFC frame and its effect
        bool endless{false};      //!< whether an XOFF lasts until XON, whatever its quanta
        FrameFormat format{FRAMES_STANDARD}; //!< whose PFC frames it sends
    };

    /// @param port the port @param line of the port @param pending Pending(), kept by the port
    PortPfc(Port& port, const LineClock& line, uint8_t& pending);
    ~PortPfc() override;

    /// @param settings in force from now on @param node in whose context events run
    void Configure(const Settings& settings, uint32_t node);

    /// @param classes mask of the classes with PFC @param up whether the link is up
    void SetClasses(uint8_t classes, bool up);

    /// @return mask of the classes with PFC
    uint8_t Classes() const
    {
        return m_classes;
    }

    /// @return mask of the classes that the next PFC frame must name; 0: none is due
    uint8_t Pending() const
    {
        return m_issuer.Pending();
    }

    /// Set the maps between priority groups, PFC priorities and queues. What is paused already
    /// follows. @param priorities of the priority groups @param queues masks, of the priorities
    /// @param up whether the link is up
    void SetMaps(const std::array<uint8_t, TRAFFIC_CLASSES>& priorities,
                 const PfcObeyer::QueueMasks& queues,
                 bool up);

    /// Tell the peer to pause or resume a priority group. @param group the group @param xoff pause
    void Request(uint32_t group, bool xoff);

    /// The peer has begun to listen for classes: tell it which of them are paused. @param classes
    /// mask of the classes
    void Repeat(uint8_t classes);

    /// QbbNetDevice::OverridePause(). @param stuck mask of classes @param muted mask of classes
    /// @param up whether the link is up
    void Override(uint8_t stuck, uint8_t muted, bool up);

    /// QbbNetDevice::SetPfcIgnored(). @param queues mask of queues
    void SetIgnored(uint8_t queues);

    /// A queue has too few credits (CBFC), or enough again: it is paused or opened like others.
    /// @param queue the queue @param starved which
    void SetStarved(uint32_t queue, bool starved);

    /// @return a PFC frame that tells all that is pending, accounted for as sent now
    Frame* MakeFrame();

    /// A PFC frame has arrived; takes effect after the reaction delay. @param frame taken over
    void Arrived(Frame* frame);

    /// The cable was cut: forget what the peer was told, what it told, and PFC frames that wait for
    /// the reaction delay. @return mask of the queues that were paused
    uint8_t Cut();

    /// No event calls the port any more.
    void Detach();

    /// @return the issuing side
    const PfcIssuer& Issuer() const
    {
        return m_issuer;
    }

    /// @return the obeying side
    const PfcObeyer& Obeyer() const
    {
        return m_obeyer;
    }

  private:
    /// The reaction delay of a PFC frame is over. @param frame taken over
    void ReceiveFrame(Frame* frame) override;
    /// A PFC frame takes effect. @param frame taken over
    void Obey(Frame* frame);
    /// Wake at the next expiry or refresh.
    void Arm();
    /// A pause may have expired, or a refresh may be due.
    void Timer();

    /// Wakes when a pause expires or must be refreshed.
    using TimerEvent = WakeEvent<PortPfc, &PortPfc::Timer>;

    PfcIssuer m_issuer;
    PfcObeyer m_obeyer;
    Port& m_port;
    const LineClock& m_line;
    Settings m_settings;
    Ptr<TimerEvent> m_timer;
    int64_t m_lastEffect{0}; //!< when the last PFC frame takes effect: later ones follow it
    uint32_t m_node{0};
    uint32_t m_reacting{0}; //!< PFC frames that wait for the reaction delay
    uint32_t m_void{0};     //!< how many of them, the first ones, came before a cut
    uint8_t m_classes{0xff};
};

} // namespace ns3

#endif // LOSSLESS_PORT_PFC_H
