// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ICC_SWITCH_H
#define LOSSLESS_ICC_SWITCH_H

#include "icc-flow-table.h"
#include "icc-port-monitor.h"
#include "switch-extension.h"

#include "ns3/counter-fields.h"
#include "ns3/icc-feedback.h"
#include "ns3/nstime.h"
#include "ns3/simulation-clock.h"
#include "ns3/wake-event.h"

#include <memory>
#include <vector>

namespace ns3
{

class QbbNetDevice;

/**
 * @ingroup lossless
 *
 * The switch of ICC (Wang et al., "Congestion Control Using In-Network Telemetry for Lossless
 * Datacenters", CMC 75(1), 2023, section 4.2): an IccPortMonitor watches each egress queue that
 * carries RoCE data. The switch keeps its latest report, and sends the report once to each flow of
 * the last FlowWindow, in the next ACK of the flow that passes, or as Feedback says. An ACK that
 * meets several congested switches keeps the report of the queue that takes longest to drain, then
 * of the busiest link.
 *
 * ACKs must return through the switches of their data, so the load balancer must be symmetric.
 *
 * What the paper does not say follows from what can be seen of n flows that share a queue. A source
 * sends at least a packet in each ReportTimer, or in what n such packets take at half the link
 * (RdmaIcc::MinRate); a flow that has been silent for twice as long, and has no frame in the queue,
 * does not count (FlowWindow). Qd is half of the PFC threshold (TargetFraction).
 *
 * An event is pending only while a queue has had data within the last FlowWindow.
 */
class IccSwitch : public SwitchExtension
{
  public:
    /// Numbers of reports and ACKs.
    struct Counters
    {
        uint64_t congested{0};  //!< reports as a queue was congested
        uint64_t judged{0};     //!< other reports of the state machine
        uint64_t timed{0};      //!< reports of the timer
        uint64_t inserted{0};   //!< records put into frames
        uint64_t outranked{0};  //!< records not put into a frame that had a worse one
        uint64_t switchAcks{0}; //!< ACKs made
        uint64_t acksSeen{0};   //!< ACKs of known flows that passed

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::congested, {"congested", "reports", "reports because a queue was congested"});
            visit(&C::judged, {"judged", "reports", "other reports of the state machine"});
            visit(&C::timed, {"timed", "reports", "reports of the timer"});
            visit(&C::inserted, {"inserted", "records", "records put into frames"});
            visit(&C::outranked,
                  {"outranked", "records", "records not put into a frame that had a worse one"});
            visit(&C::switchAcks, {"switch_acks", "frames", "ACKs made by the switch"});
            visit(&C::acksSeen, {"acks_seen", "frames", "ACKs of known flows that passed"});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    IccSwitch();
    ~IccSwitch() override;

    /// @return counters
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// @param port a port @param cls a class @return its latest record; capacityMbps 0: none yet
    IccTelemetry GetReport(uint32_t port, uint32_t cls) const;

    /// @param record a record @param than another record @return whether the first record is worse:
    /// the queue takes longer to drain, or equally long at a higher utilisation
    static bool IsWorse(const IccTelemetry& record, const IccTelemetry& than);

    // ---- SwitchExtension

    uint32_t GetHooks() const override;
    bool NeedsSymmetricPaths() const override;
    uint32_t GetAddedBytes() const override;

    bool HasActed() const override
    {
        return HasCounted(m_counters);
    }

    bool ReadsRoce() const override
    {
        return true;
    }

    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    void Arrived(Frame& frame, uint32_t inPort) override;
    void Enqueued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;
    void Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;

  protected:
    void DoDispose() override;

  private:
    /// @return whether Qd is a share of the PFC threshold
    bool TargetsShare() const
    {
        return m_targetBytes == 0;
    }

    /// An egress queue that has carried data.
    struct Queue
    {
        /// @param owner the switch @param parameters constants of the monitor
        Queue(IccSwitch* owner, const IccMonitorParameters& parameters);
        ~Queue();
        Queue(const Queue&) = delete;
        Queue& operator=(const Queue&) = delete;

        /// A deadline of the monitor has come.
        void Wake();

        using WakeUp = WakeEvent<Queue, &Queue::Wake>;

        IccSwitch* owner;
        QbbNetDevice* device{nullptr}; //!< its port
        uint32_t number{0};            //!< port * TRAFFIC_CLASSES + class
        uint32_t frameBytes{0};        //!< longest frame so far
        uint32_t flows{0};             //!< flows at the last count
        uint16_t inPort{0};            //!< ingress port of the latest frame
        uint8_t inClass{0};            //!< ingress class of the latest frame
        IccPortMonitor monitor;
        Ptr<WakeUp> wakeUp;
        int64_t wakesAtPs{IccPortMonitor::NEVER}; //!< when wakeUp is armed for, picoseconds
        std::vector<uint32_t> active; //!< flows of the last FlowWindow, by place in the table
        IccTelemetry report{};        //!< the latest report
        int64_t reportPs{0};          //!< time of the report, picoseconds
    };

    /// @param tid the TypeId @return the TypeId with the attributes of flows and target
    static TypeId AddFlowAttributes(TypeId tid);

    /// Throws std::invalid_argument if ACKs may take other paths than their data.
    void RequireSymmetricPaths() const;
    /// @param port a port @param cls a class @return the state of the queue, created if it is new
    Queue& GetQueue(uint32_t port, uint32_t cls);
    /// @param port a port @return constants of the monitors of its queues
    IccMonitorParameters ParametersOf(const QbbNetDevice& port) const;
    /// @param queue a queue @param nowPs time @return its length and the bytes sent by its port
    IccQueueView Look(const Queue& queue, int64_t nowPs) const;
    /// Record that a data packet of a flow goes to a queue.
    void SeeFlow(const Frame& frame, Queue& queue, int64_t nowPs);
    /// Add a flow to the active flows of a queue.
    void List(uint32_t place, Queue& queue);
    /// Remove a flow from the active flows of its queue.
    void Unlist(IccFlow& flow);
    /// Entries of the table have moved: rebuild the lists of active flows.
    void ListAll();
    /// @param queue a queue @param queueBytes its length @return for how long a flow counts that is
    /// silent, picoseconds
    int64_t FlowWindowPs(const Queue& queue, uint64_t queueBytes) const;
    /// Remove the silent flows of a queue. @param queue the queue @param view the same, now @return
    /// number of active flows
    uint32_t CountActive(Queue& queue, const IccQueueView& view);
    /// Make a report, if the verdict asks for one, for all active flows of the queue.
    void Tell(Queue& queue, IccVerdict verdict, const IccQueueView& view);
    /// @return a report on a queue
    IccTelemetry MakeReport(const Queue& queue, const IccQueueView& view, uint32_t flows) const;
    /// @return Qd, the length that sources must keep a queue below, bytes
    uint32_t GetTarget(const Queue& queue) const;
    /// Put the pending report of a flow into a frame of the flow; a new report, if that one is
    /// older than FlowTimeout.
    void Insert(IccFlow& flow, Frame& frame, int64_t nowPs);
    /// Send a report in an ACK that repeats the last one of the flow.
    void SendAck(const IccFlow& flow, const IccTelemetry& report);
    /// Arm the event of a queue.
    void Arm(Queue& queue, int64_t nowTicks);

    /// @param ticks a time @return picoseconds
    int64_t ToPs(int64_t ticks) const
    {
        return m_ticksPerPs == 1 ? ticks * m_psPerTick : ticks / m_ticksPerPs; // no division mostly
    }

    Time m_reportTimer;             //!< attribute
    Time m_recheckTimer;            //!< attribute
    Time m_utilisationWindow;       //!< attribute
    Time m_flowWindow;              //!< attribute
    Time m_flowTimeout;             //!< attribute
    double m_busyUtilisation{0};    //!< attribute
    double m_targetFraction{0};     //!< attribute
    uint32_t m_targetBytes{0};      //!< attribute, 0: TargetFraction
    uint32_t m_pfcThreshold{0};     //!< attribute, 0: threshold of the MMU
    uint16_t m_forcedFlows{0};      //!< attribute, 0: count the flows
    uint8_t m_classes{0};           //!< attribute
    uint32_t m_maxFlows{0};         //!< attribute
    IccFeedback::Mode m_feedback{}; //!< attribute

    FabricSwitch* m_owner{nullptr};
    uint32_t m_nodeId{0};
    int64_t m_psPerTick{1};
    int64_t m_ticksPerPs{1};
    int64_t m_flowWindowPs{0};
    int64_t m_flowTimeoutPs{0};
    IccMonitorParameters m_parameters; //!< constants of new monitors, without the capacity
    std::unique_ptr<IccFlowTable> m_flows;
    uint32_t m_generation{0}; //!< generation of m_flows when the lists were built
    std::vector<std::unique_ptr<Queue>> m_queues; //!< by number; null: no data yet
    Counters m_counters;
};

static_assert(AreAllCountersVisited<IccSwitch::Counters>(), "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_ICC_SWITCH_H
