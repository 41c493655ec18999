// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PORT_CBFC_H
#define LOSSLESS_PORT_CBFC_H

#include "credit-counters.h"
#include "line-clock.h"
#include "wake-event.h"

#include "ns3/counter-fields.h"
#include "ns3/fabric-frame.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What credit-based flow control does at one port (Ultra Ethernet 1.0, section 5.2; doc/link.rst),
 * in place of PFC: as sender it closes a class when its longest frame might not fit into the memory
 * that the peer has granted; as receiver it tells the peer what memory is free again.
 *
 * A CF_Update, which tells the credits freed, is an ordered set of 8 bytes for two classes. It goes
 * into the line at once, even within a frame. One update leaves when something was freed and
 * CfMinSpacing bytes of line have passed since the last. A CC_Update, which tells the credits
 * consumed, is a frame of 64 bytes behind all frames sent; it leaves each CcTimer while credits are
 * in use, gives back the credits of frames that were lost on the line, and is answered by a
 * CF_Update. Both may be lost like frames. An idle link has no events.
 */
class PortCbfc final : private FrameReceiver
{
  public:
    /// Bytes of a CF_Update for two classes.
    static constexpr uint32_t CF_UPDATE_BYTES = 8;

    /// The port to which it belongs.
    class Port
    {
      public:
        virtual ~Port() = default;
        /// @param frame an update that has arrived @return whether a cut or an error has destroyed
        /// it; it is released then
        virtual bool DropsUpdate(Frame* frame) = 0;
        /// Send an update. @param update taken over @param wireBytes that it takes of the line
        /// @param inOrder behind the frames sent, else at once
        virtual void SendUpdate(Frame* update, uint32_t wireBytes, bool inOrder) = 0;
        /// @return whether frames that were sent may be sent again, behind a CC_Update that has
        /// counted them (link-level retry)
        virtual bool MaySendAgain() const = 0;
        /// @param cls a class that has too few credits, or enough again @param starved which
        virtual void CreditsChanged(uint32_t cls, bool starved) = 0;
    };

    /// How the port grants and uses credits.
    struct Settings
    {
        uint8_t classes{0};       //!< mask of the classes
        CreditUnit granted;       //!< what a credit is for frames that arrive
        CreditUnit used;          //!< the same for frames that are sent: the peer's
        uint32_t limit{0};        //!< credits of each class that the peer grants
        uint32_t maxFrameBytes{}; //!< longest frame that is sent
        int64_t spacingTicks{0};  //!< between two CF_Updates
        int64_t ccTicks{0};       //!< between two CC_Updates
    };

    /// Counters of one class.
    struct Counters
    {
        uint64_t consumed{0};    //!< credits consumed by frames sent
        uint32_t peakUsed{0};    //!< most credits in use
        uint32_t peakStored{0};  //!< most credits of frames stored here
        uint64_t cfSent{0};      //!< CF_Updates sent with the class
        uint64_t cfReceived{0};  //!< CF_Updates received with the class
        uint64_t ccSent{0};      //!< CC_Updates sent with the class
        uint64_t ccReceived{0};  //!< CC_Updates received with the class
        uint64_t lostCredits{0}; //!< credits of frames lost on the line, found by CC_Updates

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::consumed, {"credits_consumed", "credits", "credits consumed by frames sent"});
            visit(&C::peakUsed,
                  {"credits_used_peak", "credits", "most credits in use", CounterField::MAX});
            visit(&C::peakStored,
                  {"credits_stored_peak",
                   "credits",
                   "most credits of frames stored here",
                   CounterField::MAX});
            visit(&C::cfSent, {"cf_updates_sent", "updates", "CF_Updates sent with the class"});
            visit(&C::cfReceived,
                  {"cf_updates_received", "updates", "CF_Updates received with the class"});
            visit(&C::ccSent, {"cc_updates_sent", "updates", "CC_Updates sent with the class"});
            visit(&C::ccReceived,
                  {"cc_updates_received", "updates", "CC_Updates received with the class"});
            visit(&C::lostCredits,
                  {"credits_lost", "credits", "credits of frames lost on the line"});
        }
    };

    /// @param port the port
    explicit PortCbfc(Port& port);
    ~PortCbfc() override;

    /// @param settings in force from now on @param node in whose context events run
    void Configure(const Settings& settings, uint32_t node);

    /// @return mask of the classes with credits
    uint8_t Classes() const
    {
        return m_settings.classes;
    }

    /// A frame is sent. @param frame the frame
    void Sent(const Frame& frame);

    /// A frame has arrived: it holds credits until Free(). @param frame the frame
    void Arrived(Frame& frame);

    /// Memory of a frame is free. @param credits that the frame held; those of before a cut count
    /// no more
    void Free(FrameCredits credits);

    /// The cable was cut: both ends forget.
    void Cut();

    /// No event calls the port any more.
    void Detach();

    /// @return what takes the updates of the peer
    FrameReceiver* Receiver()
    {
        return this;
    }

    /// @param cls a class @return its counters
    const Counters& Get(uint32_t cls) const
    {
        return m_counters[cls];
    }

    /// @param cls a class @return credits that frames sent have in use
    uint32_t Used(uint32_t cls) const
    {
        return m_senders[cls].Used();
    }

    /// @param cls a class @return credits of frames stored here
    uint32_t Stored(uint32_t cls) const
    {
        return m_receivers[cls].Stored();
    }

    /// @return whether no credits are in use and none are of frames stored here
    bool IsIdle() const;

    /// @param credits in use, of a class @return whether the class is open then
    bool IsOpenWith(uint32_t credits) const
    {
        return credits + m_most <= m_settings.limit;
    }

  private:
    /// An update of the peer has arrived. @param frame taken over
    void ReceiveFrame(Frame* frame) override;
    /// @return whether frames sent have credits in use
    bool IsInUse() const;
    /// Close or open a class by its credits. @param cls the class
    void Compare(uint32_t cls);
    /// Send a CF_Update now, or when the spacing has passed.
    void Tell();
    /// CfMinSpacing has passed.
    void SpacingOver();
    /// CcTimer has passed.
    void CcDue();
    /// @param classes mask of the classes that it names @param consumed CC_Update
    /// @return a frame without counts
    static Frame* MakeUpdate(uint8_t classes, bool consumed);

    /// Wakes when a CF_Update may leave.
    using SpacingEvent = WakeEvent<PortCbfc, &PortCbfc::SpacingOver>;
    /// Wakes when a CC_Update is due.
    using CcEvent = WakeEvent<PortCbfc, &PortCbfc::CcDue>;

    Port& m_port;
    Settings m_settings;
    uint32_t m_node{0};
    uint32_t m_most{0};    //!< credits of the longest frame sent
    uint8_t m_starved{0};  //!< classes that are closed
    uint8_t m_untold{0};   //!< classes whose count of freed credits the peer does not know
    uint8_t m_epoch{0};    //!< number of cuts
    bool m_ccArmed{false}; //!< a CC_Update is planned
    int64_t m_nextCf{0};   //!< before which no CF_Update leaves, ticks
    int64_t m_nextCc{0};   //!< when the CC_Update is due, ticks
    Ptr<SpacingEvent> m_spacing;
    Ptr<CcEvent> m_cc;
    std::array<CreditSender, TRAFFIC_CLASSES> m_senders;
    std::array<CreditReceiver, TRAFFIC_CLASSES> m_receivers;
    std::array<Counters, TRAFFIC_CLASSES> m_counters{};
};

static_assert(AreAllCountersVisited<PortCbfc::Counters>(), "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_PORT_CBFC_H
