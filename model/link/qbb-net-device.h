// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QBB_NET_DEVICE_H
#define LOSSLESS_QBB_NET_DEVICE_H

#include "egress-queues.h"
#include "egress-scheduler.h"
#include "line-clock.h"
#include "lost-frames.h"
#include "port-cbfc.h"
#include "port-llr.h"
#include "port-pfc.h"
#include "qbb-port-settings.h"
#include "receive-losses.h"
#include "simulation-clock.h"
#include "wake-event.h"

#include "ns3/counter-fields.h"
#include "ns3/fabric-frame.h"
#include "ns3/traced-callback.h"
#include "ns3/watched-trace.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class QbbChannel;
class QbbPortOwner;

/**
 * @ingroup lossless
 *
 * An Ethernet port with eight traffic classes and priority flow control (802.1Qbb), or credits
 * (CBFC): the transmitter of a link, its queues, the PFC machines of both directions. Belongs to a
 * stock Node, as port of a switch (FabricSwitch), of a NIC (RdmaHw), or on its own for the IP
 * stack.
 *
 * One packet's way through it: the owner, or the IP stack by Send(), puts frames into Queues() or
 * has them ready, and calls Kick(). A free transmitter takes a pending PFC frame first, else
 * what QbbPortOwner::NextFrame() gives, and posts its arrival at the peer: one event. A second
 * event, for the end of the transmission, is posted only if something waits.
 *
 * The owners of both ends of a link hear of changed settings by QbbPortOwner::PortChanged().
 */
class QbbNetDevice : public QbbPortSettings,
                     private ClassHeads,
                     private PortPfc::Port,
                     private PortCbfc::Port,
                     private PortLlr::Port,
                     private FrameReceiver // last: it begins the cache line of an arrival
{
  public:
    /// Counters of the port. PFC counters are in GetIssuer() and GetObeyer().
    struct Counters
    {
        uint64_t txFrames{0};    //!< frames sent, PFC included
        uint64_t txWireBytes{0}; //!< their wire bytes
        uint64_t rxFrames{0};    //!< frames received whole, PFC included
        uint64_t rxWireBytes{0}; //!< their wire bytes
        std::array<uint64_t, TRAFFIC_CLASSES> txClassBytes{}; //!< frame bytes sent, by class
        std::array<uint64_t, static_cast<size_t>(DropReason::COUNT)> drops{}; //!< by reason

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::txFrames, {"tx_frames", "frames", "frames sent, PFC included"});
            visit(&C::txWireBytes, {"tx_wire_bytes", "bytes", "wire bytes of the frames sent"});
            visit(&C::rxFrames, {"rx_frames", "frames", "frames received whole, PFC included"});
            visit(&C::rxWireBytes, {"rx_wire_bytes", "bytes", "wire bytes of the frames received"});
            visit(&C::txClassBytes, {"tx_class_bytes", "bytes", "frame bytes sent, by class"});
            visit(&C::drops,
                  {"drops",
                   "frames",
                   "frames dropped, by reason",
                   CounterField::SUM,
                   &DropReasonLabel});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    QbbNetDevice();
    /**
     * A port like another one that is not in use yet: with its attributes, of which an object that
     * belongs to that port alone is made anew. CopyObject() takes a tenth of the time of an
     * ObjectFactory.
     * @param like the other port
     */
    QbbNetDevice(const QbbNetDevice& like);
    ~QbbNetDevice() override;

    // ---- for whoever builds a topology

    /// @param channel the cable to plug in
    void Attach(Ptr<QbbChannel> channel);

    /// @return the peer port, or null
    Ptr<QbbNetDevice> GetPeer() const;

    /// @return whether somebody listens to Sniffer or PromiscSniffer, as a capture does
    bool IsCaptured() const
    {
        return !m_sniffer.IsEmpty() || !m_promiscSniffer.IsEmpty();
    }

    /// @return whether this port issues and obeys PFC for a class @param cls the class as PFC
    /// frames name it, that is the PFC priority
    bool IsPfcEnabled(uint32_t cls) const
    {
        return m_pfc.Classes() & (1U << cls);
    }

    /// @return mask of the classes with PFC, that is PFC priorities: 0 where PfcEnabled is false
    uint8_t GetActivePfcClasses() const
    {
        return m_pfc.Classes();
    }

    /// @return mask of the queues of this port that the peer can pause: by PFC, or for want of
    /// credits
    uint8_t GetPausableQueues() const;
    /// @return mask of the traffic classes whose frames leave by such queues
    uint8_t GetPausableClasses() const;
    /// @return mask of the priority groups of this port that can pause the peer, likewise
    uint8_t GetPausingGroups() const;
    /// @return mask of the traffic classes whose frames this port books in such groups
    uint8_t GetPausingClasses() const;

    /// @return time after which this port sends an XOFF still in force again: attribute
    /// PfcRefreshInterval, or what the dialect says; 0: never
    Time GetPauseRefresh() const;

    /// @param scheduler the egress scheduler, one object a port
    void SetScheduler(Ptr<EgressScheduler> scheduler);
    /// @return which class sends next
    Ptr<EgressScheduler> GetScheduler() const;

    // ---- for the owner of the port (a switch or a NIC)

    /**
     * @param owner who feeds the port; null: the port serves the IP stack of its node
     * @param index number of the port at its owner
     */
    void SetOwner(QbbPortOwner* owner, uint16_t index);

    /// @return number of the port at its owner
    uint16_t GetPortIndex() const
    {
        return m_index;
    }

    /// Bring what a transmission touches of the port into the cache.
    void Prefetch() const
    {
        __builtin_prefetch(&m_owner);
        __builtin_prefetch(&m_peerReceiver);
    }

    /// Bring the frame that is likely to be sent next into the cache. Reads the queues.
    void PrefetchNext() const
    {
        m_queues.PrefetchHead();
    }

    /// @return the queues of the port
    EgressQueues& Queues()
    {
        return m_queues;
    }

    /// @return the queues of the port
    const EgressQueues& Queues() const
    {
        return m_queues;
    }

    /// @return mask of the queues that the peer has paused
    uint8_t PausedMask() const
    {
        return m_pausedMask;
    }

    /// @return now, in ticks
    static int64_t Now()
    {
        return SimulationClock::Now();
    }

    /// @return when the frame being sent ends, in ticks (in the past: idle)
    int64_t BusyUntil() const
    {
        return m_line.BusyUntil();
    }

    /// Something may be sent: start now if the transmitter is free, else when it becomes free.
    void Kick();

    /**
     * Whether a frame would leave in the moment in which it is queued: the owner need not queue it
     * then. Only for a port whose owner sends what is in Queues() and nothing else.
     * @param cls class of the frame
     * @param now the time, ticks
     * @return whether nothing waits and nothing holds the frame up
     */
    bool IsFreeFor(uint32_t cls, int64_t now) const
    {
        return m_line.BusyUntil() <= now && !m_queues.NonEmpty() && m_linkUp && m_prepared &&
               !m_transmitting && !m_pfcPending && !m_endsByEvent && !m_lastBitPending &&
               m_soleClassFast && !(m_pausedMask & (1U << cls));
    }

    /// A frame that is not queued is about to be sent by SendNow(): until then nothing else is.
    void HoldForSendNow()
    {
        m_transmitting |= SENDING;
    }

    /// Send a frame at once. The port IsFreeFor() its class, and HoldForSendNow() was called.
    /// @param frame the frame, taken over @param now the time, ticks
    void SendNow(Frame* frame, int64_t now);

    /// Call Kick() at a time. Earlier calls win. @param tick when
    void WakeAt(int64_t tick);

    /**
     * Pick and take a frame from Queues() by the egress scheduler.
     * @return the frame, or null when all classes with a frame are paused
     */
    Frame* PopQueues();

    /**
     * Ask the scheduler which classes no rate limit holds back. If it holds all of them back, the
     * port is kicked when the first may send.
     * @param eligible mask of classes that have a frame and are not paused
     * @return mask of those among which the scheduler may pick now
     */
    uint8_t Conforming(uint8_t eligible)
    {
        return m_limitsRates && eligible ? AskConforming(eligible) : eligible;
    }

    /// The scheduler may choose otherwise than it did: ask it again, if something waits.
    void ChoiceChanged();

    /// @return the scheduler, for owners that schedule more than Queues()
    EgressScheduler& Scheduler()
    {
        return *m_scheduler;
    }

    /// @return whether Queues() holds a frame whose class is not paused
    bool HasSendable() const
    {
        return m_queues.NonEmpty() & ~m_pausedMask;
    }

    /// Tell the peer to pause or resume a priority group: the PFC frame names the PFC priority of
    /// the group. Where that has no PFC, the request is told when it gets PFC.
    /// @param group the priority group @param xoff pause
    void RequestPause(uint32_t group, bool xoff);

    /// The memory of a frame is free that has arrived here: the credits that it holds, if any, go
    /// back to the peer. @param credits Frame::credits; they are none from now on
    void FreeCredits(FrameCredits& credits)
    {
        if (credits.count > 0)
        {
            m_cbfc->Free(credits);
            credits = {};
        }
    }

    /**
     * Throw away what is queued in a class.
     * @param cls the class
     * @param reason told to the owner, the counters and the trace
     * @return number of frames
     */
    uint32_t FlushClass(uint32_t cls, DropReason reason);

    // ---- faults, and what watchdogs do about them

    /**
     * Count the pauses of queues without obeying them; those in force end now. Survives a cut of
     * the cable.
     * @param queues mask of the queues, in place of those before
     */
    void SetPfcIgnored(uint8_t queues);

    /**
     * Issue pauses whatever the buffer behind the port says, or never. Survives a cut of the cable.
     * Classes are PFC priorities here.
     * @param stuck mask of the classes that are paused, and refreshed, until this is called again
     * @param muted mask of the classes that are never paused; goes before stuck
     */
    void OverridePause(uint8_t stuck, uint8_t muted);

    /// @param loss destroys frames that arrive, PFC included, from now on; several add up
    void AddReceiveLoss(Ptr<FrameLoss> loss);
    /// @param loss that ends now; unknown: no effect
    void RemoveReceiveLoss(Ptr<FrameLoss> loss);

    /// Each receive error model that comes from now on, such as during a run, gets random streams
    /// at once. @param stream the first that nobody else uses
    void SetLaterStreams(int64_t stream);

    /// @return what destroys frames that arrive: by AddReceiveLoss(), and the receive error model
    const std::vector<Ptr<FrameLoss>>& GetReceiveLosses() const
    {
        return m_losses.Get();
    }

    /// @param notify whether the owner wants QbbPortOwner::LastBitSent(), at one event a frame
    void SetNotifyLastBit(bool notify);

    /// The owner begins to forward a frame before its last bit has come: frames of the peer arrive
    /// after so many of their bytes. @param bytes how many; 0: all of them
    void SetCutThroughBytes(uint16_t bytes);

    /// @param wireBytes of a frame that this port sends @return ticks from its arrival at the peer
    /// to the arrival of its last bit: 0, but where the peer SetCutThroughBytes()
    int64_t TailTicks(uint32_t wireBytes) const;

    void SettingChanged() override;

    /// @return what takes frames when their last bit arrives, for a channel that brings them
    FrameReceiver& GetReceiver()
    {
        return *this;
    }

    /// Count and trace a drop at this port, and release the frame.
    /// @param frame the frame @param reason why
    void Drop(Frame* frame, DropReason reason);

    // ---- state

    /// @return counters
    Counters GetCounters() const;

    /// @return frames that the port has dropped, by reason, content and class of the sender
    const std::vector<LostFrames>& GetLost() const
    {
        return m_lost;
    }

    /// @return issuing side of PFC
    const PfcIssuer& GetIssuer() const
    {
        return m_pfc.Issuer();
    }

    /// @return obeying side of PFC
    const PfcObeyer& GetObeyer() const
    {
        return m_pfc.Obeyer();
    }

    /// @return credits of the port, or null: it has had no class with credits
    const PortCbfc* GetCbfc() const
    {
        return m_cbfc.get();
    }

    /// @return link-level retry of the port, or null: it does not retry
    const PortLlr* GetLlr() const
    {
        return m_llr.get();
    }

    /// The cable was cut or mended; called by QbbChannel. @param up the new state
    void LinkChanged(bool up);

    // ---- NetDevice

    Ptr<Channel> GetChannel() const override;
    bool IsLinkUp() const override;

    // ---- signatures of trace sources

    /// A frame of this port. @param port the port @param frame the frame
    typedef void (*FrameTracedCallback)(const QbbNetDevice& port, const Frame& frame);
    /// A drop. @param port the port @param frame the frame @param reason why
    typedef void (*DropTracedCallback)(const QbbNetDevice& port,
                                       const Frame& frame,
                                       DropReason reason);
    /// PFC sent or obeyed for a class. @param port the port @param cls the class, that is the PFC
    /// priority @param quanta 0: XON
    typedef void (*PfcTracedCallback)(const QbbNetDevice& port, uint32_t cls, uint16_t quanta);
    /// A queue was paused or opened at this egress. @param port the port @param cls the queue
    /// @param paused new state
    typedef void (*PauseStateTracedCallback)(const QbbNetDevice& port, uint32_t cls, bool paused);

  protected:
    void DoInitialize() override;
    void DoDispose() override;
    bool SendFrame(Frame* frame) override;
    Address GetPeerAddress() const override;

  private:
    /// @param tid the TypeId @return the TypeId with the trace sources
    static TypeId AddTraces(TypeId tid);

    void ReceiveFrame(Frame* frame) override;
    uint32_t HeadWireBytes(uint32_t cls) const override;
    void PfcDue() override;
    void PfcSent(uint32_t cls, uint16_t quanta) override;
    void PfcObeyed(uint32_t cls, uint16_t quanta) override;
    void PausesChanged(uint8_t closed, uint8_t opened) override;
    bool DropsUpdate(Frame* frame) override;
    void SendUpdate(Frame* update, uint32_t wireBytes, bool inOrder) override;
    bool MaySendAgain() const override;
    void CreditsChanged(uint32_t cls, bool starved) override;
    bool DropsSet(Frame* set) override;
    void SendSet(Frame* set) override;
    void SendAgain(Frame* frame) override;
    bool SendPfc() override;
    int64_t FreeAt() const override;
    void Hold(bool held) override;

    /// Take over the settings of credits of both ends, if there are some.
    void PrepareCredits();
    /// @return m_cbfc, made at the first call
    PortCbfc& MakeCbfc();
    /// Take over the settings of link-level retry, if the port retries.
    void PrepareLlr();
    /// @return m_llr, made at the first call
    PortLlr& MakeLlr();
    /// Send what goes into the line at once, even within a frame. @param set taken over
    /// @param receiver of it @param wireBytes that it takes of the line @param inOrder behind the
    /// frames sent instead
    void SendBeside(Frame* set, FrameReceiver* receiver, uint32_t wireBytes, bool inOrder);
    /// @param frame that has arrived whole, and is watched @return whether link-level retry
    /// discards it; it is released then
    bool IsDiscarded(Frame* frame);
    /// Let the port's PFC follow the attributes and the map.
    void ApplyPfcClasses();
    /// Take over rate, delay, node and peer into plain numbers, before the first frame.
    void Prepare();
    /// The transmitter is free: send what comes next.
    void Transmit(int64_t now);
    /// The transmitter may be free: Kick(), as an event.
    void TransmitEnd();
    /// Post the arrival of a frame at the peer. @param frame the frame @param now the time
    void Launch(Frame* frame, int64_t now);
    /// The scheduler is free for another port.
    void LeaveScheduler();
    /// Conforming(), of a scheduler that limits rates. @param eligible mask, not 0
    /// @return mask of those that may send
    uint8_t AskConforming(uint8_t eligible);
    /// The cable was cut: throw away what is queued, and forget all pauses.
    void Flush();
    /// @param frame a frame that arrives now @return whether a cut or an error destroyed it
    bool IsLost(const Frame& frame, DropReason& reason);
    /// Show a frame to whoever captures. @param frame the frame @param sent by this port
    void Sniff(const Frame& frame, bool sent);

    /// @param model destroys frames that arrive; null: none
    void SetReceiveErrorModel(Ptr<ErrorModel> model);
    /// @return the receive error model, or null
    Ptr<ErrorModel> GetReceiveErrorModel() const;

    static constexpr uint8_t SENDING = 1; //!< a frame is chosen or sent
    static constexpr uint8_t HELD = 2;    //!< link-level retry holds new frames back

    /// Wakes when the transmitter becomes free.
    using TransmitEndEvent = WakeEvent<QbbNetDevice, &QbbNetDevice::TransmitEnd>;

    // What every frame touches: at a thousand hosts the cache lines touched at a hop decide the
    // speed. The first line, which FrameReceiver begins, is all that an arrival and a glance at the
    // port need; a transmission needs the second, and the line of its class in m_queues.
    QbbPortOwner* m_owner{nullptr};
    uint64_t m_rxFrames{0};    //!< Counters::rxFrames
    uint64_t m_rxWireBytes{0}; //!< Counters::rxWireBytes
    EgressQueues m_queues;
    uint32_t m_nodeId{0};
    uint16_t m_index{0};
    uint8_t m_pausedMask{0};    //!< of m_pfc
    uint8_t m_pfcPending{0};    //!< of m_pfc: classes that the next PFC frame must name
    bool m_prepared{false};     //!< Prepare() has been called
    bool m_linkUp{false};       //!< both ends are plugged in and the cable is whole
    uint8_t m_transmitting{0};  //!< why Kick() must not call Transmit(): SENDING, HELD; 0: it may
    bool m_endsByEvent{false};  //!< TransmitEnd() is called after each frame
    bool m_lossy{false};        //!< the cable was cut once, or there is an error model
    bool m_watched{false};      //!< trace sources of frames have had sinks, or there are credits
    bool m_soleClassFast{true}; //!< the scheduler need not be asked when there is no choice
    bool m_sendsQueues{true};   //!< what is in m_queues is all that the port sends
    alignas(64) FrameReceiver* m_peerReceiver{nullptr};
    int64_t m_delayTicks{0};
    int64_t m_lastArrival{0};  //!< when the last frame sent arrives: a cable keeps the order
    uint64_t m_txFrames{0};    //!< Counters::txFrames
    uint64_t m_txWireBytes{0}; //!< Counters::txWireBytes
    uint32_t m_peerNodeId{0};
    bool m_lastBitPending{false};
    bool m_limitsRates{false};     //!< m_scheduler may hold classes back
    bool m_peerCutsThrough{false}; //!< GetPeer() has SetCutThroughBytes()
    LineClock m_line;              //!< its first 16 bytes end the line
    Ptr<TransmitEndEvent> m_transmitEnd;
    EgressScheduler* m_schedulerHot{nullptr}; //!< of m_scheduler

    // The rest.
    int64_t m_lastUpdate{0};       //!< when the last update of credits arrives
    bool m_notifyLastBit{false};   //!< SetNotifyLastBit()
    uint16_t m_cutThroughBytes{0}; //!< SetCutThroughBytes()
    PortPfc m_pfc{*this, m_line, m_pfcPending};
    std::unique_ptr<PortCbfc> m_cbfc;      //!< null: never needed
    std::unique_ptr<PortLlr> m_llr;        //!< null: no link-level retry
    FrameReceiver* m_peerLlr{nullptr};     //!< takes the ordered sets of link-level retry
    FrameReceiver* m_peerCredits{nullptr}; //!< takes the updates of credits
    int64_t m_lostUntil{
        -1}; //!< what arrives until then was in flight when the cable was cut, ticks
    Ptr<EgressScheduler> m_scheduler;
    Ptr<QbbChannel> m_channel;
    ReceiveLosses m_losses; //!< AddReceiveLoss(), attribute ReceiveErrorModel
    std::array<uint64_t, static_cast<size_t>(DropReason::COUNT)> m_drops{}; //!< Counters::drops
    std::vector<LostFrames> m_lost;

    WatchedTrace<const QbbNetDevice&, const Frame&> m_frameTx{m_watched};
    WatchedTrace<const QbbNetDevice&, const Frame&> m_frameRx{m_watched};
    WatchedTrace<Ptr<const Packet>> m_sniffer{m_watched};
    WatchedTrace<Ptr<const Packet>> m_promiscSniffer{m_watched};
    TracedCallback<const QbbNetDevice&, const Frame&, DropReason> m_drop;
    TracedCallback<const QbbNetDevice&, uint32_t, uint16_t> m_pfcTx;
    TracedCallback<const QbbNetDevice&, uint32_t, uint16_t> m_pfcRx;
    TracedCallback<const QbbNetDevice&, uint32_t, bool> m_pauseState;
};

static_assert(AreAllCountersVisited<QbbNetDevice::Counters>(),
              "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_QBB_NET_DEVICE_H
