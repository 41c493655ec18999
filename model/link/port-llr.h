// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PORT_LLR_H
#define LOSSLESS_PORT_LLR_H

#include "llr-receiver.h"
#include "llr-sender.h"
#include "wake-event.h"

#include "ns3/counter-fields.h"
#include "ns3/fabric-frame.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{

/// What a port does with frames after link-level retry has given up.
enum LlrFlush : uint8_t
{
    LLR_BEST_EFFORT, //!< sends them without retry
    LLR_DISCARD,     //!< throws them away
    LLR_BLOCK        //!< keeps them waiting
};

/**
 * @ingroup lossless
 *
 * What link-level retry does at one port (Ultra Ethernet 1.0, section 5.1; doc/link.rst): go-back-N
 * on one link against frames lost by bit errors. Each frame but those of PFC has a sequence number,
 * and the sender keeps a copy until the peer acknowledges it. PFC frames and ordered sets pass a
 * replay. While frames are sent again, or the copies fill the replay buffer, the port is held: it
 * sends no new frame.
 *
 * An ACK is an ordered set of 8 bytes; it leaves when frames have arrived and AckSpacing bytes of
 * line have passed since the last. Ordered sets may be lost like frames.
 */
class PortLlr final : private FrameReceiver
{
  public:
    /// The port to which it belongs.
    class Port
    {
      public:
        virtual ~Port() = default;
        /// @param set an ordered set that has arrived @return whether a cut or an error has
        /// destroyed it; it is released then
        virtual bool DropsSet(Frame* set) = 0;
        /// Send an ordered set at once. @param set taken over
        virtual void SendSet(Frame* set) = 0;
        /// The transmitter is free: send a frame again. @param frame taken over
        virtual void SendAgain(Frame* frame) = 0;
        /// Send what may pass a replay. @return whether there was something
        virtual bool SendPfc() = 0;
        /// @return when the transmitter is free, ticks
        virtual int64_t FreeAt() const = 0;
        /// @param held whether the port sends no new frames from now on
        virtual void Hold(bool held) = 0;
    };

    /// How the port retries.
    struct Settings
    {
        uint64_t mostBytes{0};           //!< wire bytes of the replay buffer
        uint32_t frameBytes{0};          //!< wire bytes of the longest frame
        int64_t replayTicks{0};          //!< without progress, after which all is sent again
        int64_t ackTicks{0};             //!< between two ACKs
        uint32_t replayCount{0};         //!< replays without progress before the port gives up
        LlrFlush flush{LLR_BEST_EFFORT}; //!< what it does then
        bool beginsAnew{false};          //!< whether it then begins anew with an INIT
    };

    /// Counters.
    struct Counters
    {
        uint64_t acksSent{0};  //!< ACKs sent
        uint64_t nacksSent{0}; //!< NACKs sent
        uint64_t replays{0};   //!< times that frames were sent again
        uint64_t replayed{0};  //!< frames sent again
        uint64_t timeouts{0};  //!< replays for want of progress
        uint64_t bad{0};       //!< frames that arrived destroyed
        uint64_t discarded{0}; //!< good frames that arrived twice, or behind a missing one
        uint64_t flushes{0};   //!< times that the port gave up
        uint64_t flushed{0};   //!< frames without an ACK then
        uint64_t peakBytes{0}; //!< most wire bytes in the replay buffer

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::acksSent, {"acks_sent", "sets", "ACKs sent"});
            visit(&C::nacksSent, {"nacks_sent", "sets", "NACKs sent"});
            visit(&C::replays, {"replays", "times", "times that frames were sent again"});
            visit(&C::replayed, {"replayed", "frames", "frames sent again"});
            visit(&C::timeouts, {"timeouts", "times", "replays for want of progress"});
            visit(&C::bad, {"bad", "frames", "frames that arrived destroyed"});
            visit(&C::discarded,
                  {"discarded", "frames", "good frames that came twice, or behind a missing one"});
            visit(&C::flushes, {"flushes", "times", "times that the port gave up"});
            visit(&C::flushed, {"flushed", "frames", "frames without an ACK then"});
            visit(&C::peakBytes,
                  {"replay_bytes_peak",
                   "bytes",
                   "most wire bytes in the replay buffer",
                   CounterField::MAX});
        }
    };

    /// @param port the port
    explicit PortLlr(Port& port);
    ~PortLlr() override;

    /// @param settings in force from now on @param node in whose context events run
    void Configure(const Settings& settings, uint32_t node);

    /// A frame is sent for the first time. @param frame gets its number
    void Sent(Frame& frame);

    /// @param frame that is about to be sent @return whether it is thrown away
    bool Discards(const Frame& frame) const
    {
        return m_state == FLUSHED && m_settings.flush == LLR_DISCARD && IsEligible(frame);
    }

    /// A good frame has arrived. @param frame the frame @return whether it is delivered
    bool Accepts(const Frame& frame);

    /// A frame has arrived that an error has destroyed.
    void Destroyed();

    /// Something may be sent that passes a replay.
    void Pump();

    /// The cable was cut or mended. @param up the new state
    void LinkChanged(bool up);

    /// No event calls the port any more.
    void Detach();

    /// @return what takes the ordered sets of the peer
    FrameReceiver* Receiver()
    {
        return this;
    }

    /// @return the counters
    const Counters& Get() const
    {
        return m_counters;
    }

    /// @return frames that are not acknowledged yet
    uint32_t Outstanding() const
    {
        return m_sender.Frames();
    }

  private:
    /// State of the sending side.
    enum State : uint8_t
    {
        ADVANCE, //!< frames have numbers
        INIT,    //!< the peer has not confirmed the first number yet
        FLUSHED  //!< the port has given up
    };

    /// @param frame a frame @return whether it has a number
    static bool IsEligible(const Frame& frame)
    {
        return frame.kind != FrameKind::PFC;
    }

    /// An ordered set of the peer has arrived. @param frame taken over
    void ReceiveFrame(Frame* frame) override;
    /// Send a NACK now, or an ACK when the spacing has passed.
    void Tell();
    /// @param type of an ordered set @param number that it carries
    void SendSet(LlrSetType type, uint32_t number);
    /// Send all again that is not acknowledged, or give up.
    void Replay();
    /// Give up.
    void Flush();
    /// Ask the peer to begin anew.
    void Init();
    /// ReplayTimer has passed, if nothing has come meanwhile.
    void ReplayDue();
    /// Plan ReplayDue() for the whole timer from now.
    void Restart();
    /// Hold the port or let it go, as the state says.
    void Compare();
    /// @return whether the port may send no new frame
    bool MustHold() const;

    /// Wakes when an ACK may leave.
    using AckEvent = WakeEvent<PortLlr, &PortLlr::Tell>;
    /// Wakes when a replay is due.
    using ReplayEvent = WakeEvent<PortLlr, &PortLlr::ReplayDue>;
    /// Wakes when the transmitter is free.
    using PumpEvent = WakeEvent<PortLlr, &PortLlr::Pump>;

    Port& m_port;
    Settings m_settings;
    uint32_t m_node{0};
    State m_state{ADVANCE};
    bool m_held{false};
    uint32_t m_replaysInRow{0};
    int64_t m_nextAck{0};  //!< before which no ACK leaves, ticks
    int64_t m_deadline{0}; //!< when a replay is due, ticks
    LlrSender m_sender;
    LlrReceiver m_receiver;
    Counters m_counters;
    Ptr<AckEvent> m_ack;
    Ptr<ReplayEvent> m_replay;
    Ptr<PumpEvent> m_pump;
};

static_assert(AreAllCountersVisited<PortLlr::Counters>(), "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_PORT_LLR_H
