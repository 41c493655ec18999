// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_SWITCH_H
#define LOSSLESS_FABRIC_SWITCH_H

#include "forwarding-table.h"
#include "switch-headroom.h"
#include "switch-parts.h"
#include "switch-pipeline.h"

#include "ns3/counter-fields.h"
#include "ns3/fabric-frame.h"
#include "ns3/headroom.h"
#include "ns3/lossless-mistake.h"
#include "ns3/qbb-net-device.h"
#include "ns3/qbb-port-owner.h"
#include "ns3/traced-callback.h"
#include "ns3/watched-trace.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A shared-buffer switch: the pipeline between the ports of a stock Node. Aggregate it to the node,
 * AddPort() each device, set routes; what is not configured gets usable values at the start (a
 * class is lossless where its port has PFC, with the headroom that its link needs).
 *
 * One frame's way: FrameArrived(): class and priority group -> route -> load balancer -> TTL ->
 * queue of the class -> length -> MMU (which may send XOFF) -> SwitchDelay -> egress queue.
 * NextFrame(): scheduler
 * -> MMU (which may send XON) -> ECN -> line. Extensions are called in between, see
 * SwitchExtension.
 *
 * The switch has no addresses of its own: a frame is forwarded or dropped.
 */
class FabricSwitch : public SwitchParts, // first: its end begins the cache lines of the pipeline
                     public QbbPortOwner,
                     public MmuPauseSink,
                     public SwitchPorts
{
  public:
    /// Counters of a port.
    struct Counters
    {
        std::array<uint64_t, static_cast<size_t>(DropReason::COUNT)>
            drops{};                                      //!< ingress, by reason
        std::array<uint64_t, TRAFFIC_CLASSES> ecnMarks{}; //!< frames marked CE, egress, by class

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::drops,
                  {"drops",
                   "frames",
                   "frames dropped at ingress, by reason",
                   CounterField::SUM,
                   &DropReasonLabel});
            visit(&C::ecnMarks, {"ecn_marks", "frames", "frames marked CE at egress, by class"});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    FabricSwitch();
    ~FabricSwitch() override;

    // ---- assembly

    /// @param device a port of this node; it is fed by the switch from now on
    /// @return its index, counted from 0
    uint16_t AddPort(Ptr<QbbNetDevice> device);

    /// @return number of ports
    uint32_t GetNPorts() const;

    /// @param port a port @return its device
    Ptr<QbbNetDevice> GetPort(uint32_t port) const;

    /// @return the forwarding table
    ForwardingTable& GetForwardingTable();

    /// @param destination a host @param ports the ports towards it, in order
    void AddRoute(Ipv4Address destination, const std::vector<uint16_t>& ports);
    /// @param destination a host @param ports the ports towards it, in order
    void AddRoute(const Ipv6Address& destination, const std::vector<uint16_t>& ports);

    /**
     * Take over the configuration of ports, MMU and policies. Happens by itself at the start of the
     * simulation, and whenever the configuration of ports, MMU or policies changes afterwards. A
     * script that wants errors before the run calls it itself. Throws std::invalid_argument with a
     * one-line message when the configuration is impossible.
     */
    void Start();

    void ConfigChanged() override;

    /// Several settings change together, in any order: the switch follows them with TakeChanges().
    void HoldChanges();

    /// Follow what has changed since HoldChanges(). Throws std::invalid_argument where it cannot
    /// be; the settings stay as they were made. @return whether something has changed
    bool TakeChanges();

    /// The switch has lost power and comes back: its extensions begin anew, and Start(). Its links
    /// are to be down.
    void Restart();

    /**
     * @param port ingress port
     * @return the link behind it, as headroom is computed from it
     */
    HeadroomLink GetHeadroomLink(uint32_t port) const;

    /**
     * What could make a lossless class drop in the worst case (doc/switch.rst): too little
     * headroom, of a class or in the shared pool; an egress queue with a limit of its own; lossless
     * in the MMU without PFC at the port, or lossy with PFC; and what FindPauseMistakes() finds.
     * @return the findings; empty: none
     */
    std::vector<LosslessMistake> FindMistakes() const;

    /// @return FindMistakes(), one line a finding, with port, missing bytes and the setting to
    /// change
    std::vector<std::string> CheckLossless() const;

    // ---- state

    /// @param port a port @return its counters
    const Counters& GetCounters(uint32_t port) const;

    /// @param reason a reason @return frames dropped for it, all ports
    uint64_t GetDropCount(DropReason reason) const;

    /// @return frames dropped in lossless classes; LINK_LOCAL does not count as a drop here
    uint64_t GetLosslessDrops() const
    {
        return m_losslessDrops;
    }

    /// @return frames dropped in lossy classes; LINK_LOCAL does not count as a drop here
    uint64_t GetLossyDrops() const
    {
        return m_lossyDrops;
    }

    /// @return those of GetLosslessDrops() whose link was down: they say nothing of the buffer
    uint64_t GetLosslessDropsOfLinks() const
    {
        return m_losslessDropsOfLinks;
    }

    // ---- for extensions

    /// EcnMarker::QuietBelow() of a port has changed. @param port the port
    void QuietChanged(uint32_t port);

    /// Called by SwitchExtension::Start(): until the next start the ECN marker is not asked about
    /// the length of the queues of a port, because the extension tells senders in a way of its own.
    /// @param port the port
    void HoldMarks(uint32_t port)
    {
        m_marksHeld[port] = true;
    }

    /**
     * Set the CE mark of a frame that is ECN-capable and has none, with counter and trace; nothing
     * while EcnEnabled is false.
     * @param frame the frame
     * @param port its egress port
     * @param queueBytes frame bytes in its queue, for the trace
     * @return whether it was set
     */
    bool MarkCe(Frame& frame, uint32_t port, uint64_t queueBytes);

    /// @param frame a frame that has arrived @return its traffic class, by its marks as they are
    /// now and the map of its ingress port
    uint8_t ClassOf(const Frame& frame) const
    {
        return m_ports[frame.inPort].map->Classify(frame);
    }

    /// Called by SwitchExtension::Arrived() after it has changed the marks of a frame: its class
    /// and priority group follow. @param frame the frame
    void Reclassify(Frame& frame) const;

    /**
     * Send a frame that the switch has made, by the routes of its destination. It is booked
     * nowhere, as what the node's own IP stack sends, and no extension is told that it was queued.
     * @param frame the frame; its Frame::trafficClass is its class, from which the map of the
     * egress port gives the queue; taken over, and released where there is no route
     */
    void SendOwn(Frame* frame);

    /**
     * Book a frame that has arrived and queue it, as the pipeline does after Routed(): for frames
     * that an extension has taken over, and for copies, each of which is booked on its own. The
     * extensions with SwitchExtension::ON_FORWARD are asked first. A frame that is not admitted is
     * dropped, with counters and traces.
     * @param frame the frame, with inPort, inClass and trafficClass set; the latter is its class,
     * from which the map of the egress port gives the queue; taken over
     * @param outPort egress port
     */
    void Forward(Frame* frame, uint16_t outPort);

    /**
     * Drop a frame that an extension has taken over, with counters and traces of its ingress port.
     * @param frame the frame @param reason why
     */
    void Refuse(Frame* frame, DropReason reason);

    /**
     * Book a frame that is to wait before it is queued, in the SwitchPipeline or in an extension
     * whose Routed() has TAKEN it. QueueBooked() is to follow.
     * @param frame the frame; taken over, and dropped with counters and traces, if not admitted
     * @param outPort egress port
     * @return whether it was admitted
     */
    bool Book(Frame* frame, uint16_t outPort);

    /// A frame that is booked has waited: it is queued, or lost where the link has gone down.
    /// @param frame the frame, taken over @param outPort its egress port
    void QueueBooked(Frame* frame, uint16_t outPort);

    /// @param port a port @param cls a class @return frames in its egress queue
    uint32_t GetQueueFrames(uint32_t port, uint32_t cls) const;

    // ---- SwitchPorts

    uint64_t GetQueueBytes(uint32_t port) const override;
    uint64_t GetQueueBytes(uint32_t port, uint32_t cls) const override;
    uint8_t GetPausedMask(uint32_t port) const override;
    int64_t Now() const override;

    // ---- QbbPortOwner

    void FrameArrived(QbbNetDevice& port, Frame* frame) override;

    bool SendsQueues() const override
    {
        return true;
    }

    bool FreesCredits(const QbbNetDevice& /* port */) const override
    {
        return true;
    }

    Frame* NextFrame(QbbNetDevice& port) override;
    bool HasNext(const QbbNetDevice& port) const override;
    void LastBitSent(QbbNetDevice& port) override;
    void FrameFlushed(QbbNetDevice& port, Frame* frame, DropReason reason) override;
    void LinkChanged(QbbNetDevice& port, bool up) override;
    void PauseChanged(QbbNetDevice& port, uint8_t pausedMask) override;
    void PortChanged(QbbNetDevice& port) override;

    // ---- MmuPauseSink

    void SetPause(uint32_t port, uint32_t cls, bool xoff) override;

    // ---- signatures of trace sources

    /// A frame entered or left an egress queue, or was marked. @param port egress port @param cls
    /// the class @param queueBytes frame bytes in the queue then
    typedef void (*QueueTracedCallback)(uint32_t port, uint32_t cls, uint64_t queueBytes);
    /// A drop. @param port ingress port @param cls the class @param frameBytes length of the frame
    /// @param reason why
    typedef void (*DropTracedCallback)(uint32_t port,
                                       uint32_t cls,
                                       uint32_t frameBytes,
                                       DropReason reason);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// What the data path knows of a port.
    struct alignas(32) Port
    {
        QbbNetDevice* device{nullptr};
        const TrafficClassMap::Table* map{nullptr};
        uint64_t quietBelow{EcnMarker::NEVER}; //!< EcnMarker::QuietBelow(), while it is to be asked
        uint32_t maxFrameBytes{0};             //!< longest untagged frame that the MTU allows
    };

    /// LAST_BIT: booking of the frame that a port is sending.
    struct Flight
    {
        uint32_t cells{0}; //!< 0: none
        uint16_t inPort{0};
        uint8_t inClass{0};
        uint8_t outClass{0};
        FrameCredits credits; //!< at the ingress port
    };

    /// Find the egress port of a frame, and count its TTL down. @return the port, or NO_PORT with
    /// the reason
    uint16_t Route(Frame& frame, uint16_t inPort, DropReason& reason);
    /// Book a frame that has arrived, and Queue() it, or let it enter the pipeline. @param frame
    /// taken over @param outPort egress port
    void Enqueue(Frame* frame, uint16_t outPort);
    /// Send a frame that waits for nothing and changes nothing in the buffer, without a booking.
    /// @param frame taken over, if so @param out what is known of the egress port @param outPort
    /// its index @return whether it was sent
    bool Pass(Frame* frame, const Port& out, uint16_t outPort);
    /// Queue a frame that is booked, or send it at once. @param frame taken over @param out the
    /// egress port @param outPort its index
    void Queue(Frame* frame, QbbNetDevice& out, uint16_t outPort);
    /// Send a frame, booked or not, at a port that IsFreeFor() it. @param frame taken over
    /// @param out the port @param outPort its index @param now the time, ticks
    void SendAtOnce(Frame* frame, QbbNetDevice& out, uint16_t outPort, int64_t now);
    /// Book a frame and decide about marks and WRED. @return whether it may be queued
    bool Admit(Frame& frame, Port& out, uint16_t outPort, DropReason& reason);
    /// After Admit() has refused: ask again as long as extensions change the frame.
    bool AdmitChanged(Frame& frame, Port& out, uint16_t outPort, DropReason& reason);
    /// Whether a frame may be dropped before its buffer is full: data of a lossy class.
    bool IsDroppable(const Frame& frame) const;
    /// Whether the ECN marker has a frame dropped. Not inline: most frames find quiet queues.
    bool MarkerDrops(const Frame& frame, uint16_t outPort, uint64_t queueBytes);
    /// Whether WRED drops a frame that cannot be marked.
    bool WredDrops(const Frame& frame, uint16_t outPort, uint64_t queueBytes);
    /// Whether the buffer is too full for the drop precedence of a frame.
    bool ExceedsShare(const Frame& frame, uint16_t outPort) const;
    /// Mark a frame if the marker says so.
    void Mark(Frame& frame, uint16_t port, uint64_t queueBytes);
    /// Give the buffer of a frame back.
    void ReleaseBooking(Frame& frame, uint16_t outPort);
    /// Give the buffer of the frame being sent back (LAST_BIT).
    void ReleaseFlight(uint16_t outPort);

    /// Give the credits of a frame back to the peer of its ingress port. @param frame the frame
    void FreeCredits(Frame& frame)
    {
        m_ports[frame.inPort].device->FreeCredits(frame.credits);
    }

    /// Ask the extensions about a frame whose egress port is known. Credits of a frame that one of
    /// them takes over are free at once. @param frame the frame @param outPort its egress port
    /// @return what they say
    SwitchExtension::Verdict AskRouted(Frame& frame, uint16_t outPort);
    /// Count and trace a drop. The frame is still the caller's.
    void CountDrop(const Frame& frame, DropReason reason);
    /// Drop a frame at a port.
    void Drop(Frame* frame, QbbNetDevice& at, DropReason reason);

    /// Frame::trafficClass becomes the queue of the class that it was. @param frame the frame
    /// @param outPort its egress port
    void ChooseQueue(Frame& frame, uint16_t outPort) const
    {
        if (m_mapsQueues)
        {
            frame.trafficClass = m_ports[outPort].map->queue[frame.trafficClass];
        }
    }

    /// @return whether a port has credits (CBFC): then the frames that hold some are looked for
    bool HasCredits() const;
    /// @param port a port @return its class map, or that of an earlier port if it is the same
    std::shared_ptr<const TrafficClassMap::Table> SharedMap(uint32_t port) const;
    /// @return bytes that extensions add to a frame at most before the MMU books the frame
    uint32_t GetAddedBytes() const;
    /// Add a next-hop group, with a check of its ports. @return the group
    ForwardingTable::GroupId AddGroup(const std::vector<uint16_t>& ports);

    static constexpr uint16_t NO_PORT = 0xffff;

    // The data path: two cache lines, the first of which SwitchParts begins.
    const TrafficClassMap::Table* m_soleMap{nullptr}; //!< Port::map of all ports; null: several
    SwitchMmu* m_mmuHot{nullptr};
    LoadBalancer* m_balancerHot{nullptr};
    std::vector<Port> m_ports;
    ForwardingTable m_table;

    // Rare.
    bool m_starting{false};        //!< in Start(), which changes the MMU
    bool m_isHeld{false};          //!< between HoldChanges() and TakeChanges()
    bool m_isBehind{false};        //!< something has changed there
    std::vector<bool> m_marksHeld; //!< HoldMarks(), by port
    std::vector<Counters> m_counters;
    uint64_t m_losslessDrops{0};
    uint64_t m_lossyDrops{0};
    uint64_t m_losslessDropsOfLinks{0};                                //!< those of LINK_DOWN
    std::vector<Flight> m_flights;                                     //!< by port
    std::vector<std::shared_ptr<const TrafficClassMap::Table>> m_maps; //!< Port::map, by port
    std::vector<Ptr<QbbNetDevice>> m_devices;
    SwitchHeadroom m_headroom;
    SwitchPipeline m_pipeline;

    WatchedTrace<uint32_t, uint32_t, uint64_t> m_enqueueTrace{m_watched};
    WatchedTrace<uint32_t, uint32_t, uint64_t> m_dequeueTrace{m_watched};
    TracedCallback<uint32_t, uint32_t, uint64_t> m_markTrace;
    TracedCallback<uint32_t, uint32_t, uint32_t, DropReason> m_dropTrace;
};

static_assert(AreAllCountersVisited<FabricSwitch::Counters>(),
              "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_FABRIC_SWITCH_H
