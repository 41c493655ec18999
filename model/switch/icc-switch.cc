// SPDX-License-Identifier: GPL-2.0-only

#include "icc-switch.h"

#include "ecmp-load-balancer.h"
#include "fabric-switch.h"
#include "unit-factors.h"

#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/qbb-net-device.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("IccSwitch");

NS_OBJECT_ENSURE_REGISTERED(IccSwitch);

namespace
{

constexpr double UTILISATION_UNITS = 1e4;
constexpr uint8_t AETH_TYPE_MASK = 0xe0; // 0: an ACK, else a NAK

/// @return a number as the integers of a type can say it, rounded
template <typename Integer>
Integer
Rounded(double value)
{
    constexpr double LEAST = std::numeric_limits<Integer>::min();
    constexpr double MOST = std::numeric_limits<Integer>::max();
    return static_cast<Integer>(std::clamp(value + (value < 0 ? -0.5 : 0.5), LEAST, MOST));
}

/// @return whether a packet is data of a flow
bool
IsData(const Frame& frame)
{
    return frame.kind == FrameKind::ROCE && CarriesData(frame.opcode);
}

} // namespace

TypeId
IccSwitch::GetTypeId()
{
    static TypeId tid = AddFlowAttributes(
        TypeId("ns3::IccSwitch")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<IccSwitch>()
            .AddAttribute(
                "Feedback",
                "How reports reach the sources: Piggyback (in passing ACKs), SwitchAck "
                "(in ACKs that the switch makes) or ReceiverEcho (in data packets, "
                "echoed by the receiver); RdmaIcc::Feedback must have the same value",
                EnumValue(IccFeedback::PIGGYBACK),
                MakeLive(MakeLosslessEnumAccessor<IccFeedback::Mode>(&IccSwitch::m_feedback),
                         &IccSwitch::SettingChanged),
                IccFeedback::MakeChecker())
            .AddAttribute(
                "ReportTimer",
                "Period after which the switch reports the state of a queue, congested "
                "or not; at least 100 ns; RdmaIcc::ReportTimer must have the same value",
                TimeValue(MicroSeconds(15)),
                MakeLive(MakeTimeAccessor(&IccSwitch::m_reportTimer), &IccSwitch::SettingChanged),
                MakeTimeChecker(NanoSeconds(100)))
            .AddAttribute(
                "RecheckTimer",
                "Time between the two measurements of queue growth, at least 100 ns; a "
                "shrinking queue is measured once in this time",
                TimeValue(MicroSeconds(5)),
                MakeLive(MakeTimeAccessor(&IccSwitch::m_recheckTimer), &IccSwitch::SettingChanged),
                MakeTimeChecker(NanoSeconds(100)))
            .AddAttribute("UtilisationThreshold",
                          "Utilisation from which on a link counts as busy, 0 to 1",
                          DoubleValue(0.7),
                          MakeLive(MakeDoubleAccessor(&IccSwitch::m_busyUtilisation),
                                   &IccSwitch::SettingChanged),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "UtilisationWindow",
                "Time window over which the utilisation of a link is measured, 1 us to 10 ms",
                TimeValue(MicroSeconds(15)),
                MakeLive(MakeTimeAccessor(&IccSwitch::m_utilisationWindow),
                         &IccSwitch::SettingChanged),
                MakeTimeChecker(MicroSeconds(1), MilliSeconds(10)))
            .AddAttribute(
                "Classes",
                "Mask of the classes whose queues are watched. Bit c stands for class c.",
                UintegerValue(0xff),
                MakeLive(MakeUintegerAccessor(&IccSwitch::m_classes), &IccSwitch::SettingChanged),
                MakeUintegerChecker<uint8_t>()));
    return tid;
}

TypeId
IccSwitch::AddFlowAttributes(TypeId tid)
{
    return tid
        .AddAttribute(
            "FlowWindow",
            "A flow that has sent to a queue within this time counts as sharing the "
            "queue; 0: twice ReportTimer, and in addition what the link takes for the queue or "
            "for four frames of each flow, whichever is longer",
            TimeValue(Time(0)),
            MakeLive(MakeTimeAccessor(&IccSwitch::m_flowWindow), &IccSwitch::SettingChanged),
            MakeTimeChecker(Time(0)))
        .AddAttribute(
            "FlowCount",
            "Number of flows in the reports, in place of the counted number; 0: the counted number",
            UintegerValue(0),
            MakeLive(MakeUintegerAccessor(&IccSwitch::m_forcedFlows), &IccSwitch::SettingChanged),
            MakeUintegerChecker<uint16_t>())
        .AddAttribute(
            "MaxFlows",
            "Largest number of flows that the switch keeps, 1 to 2^28; other flows get no reports",
            UintegerValue(65536),
            MakeLive(MakeUintegerAccessor(&IccSwitch::m_maxFlows), &IccSwitch::SettingChanged),
            MakeUintegerChecker<uint32_t>(1, 1U << 28))
        .AddAttribute(
            "FlowTimeout",
            "Age after which a silent flow may be forgotten, and after which the switch makes "
            "a new report in place of a pending one; at least 1 us",
            TimeValue(MilliSeconds(1)),
            MakeLive(MakeTimeAccessor(&IccSwitch::m_flowTimeout), &IccSwitch::SettingChanged),
            MakeTimeChecker(MicroSeconds(1)))
        .AddAttribute(
            "TargetBytes",
            "Qd, the length that sources must keep a queue below, in bytes; 0: as "
            "TargetFraction says",
            UintegerValue(0),
            MakeLive(MakeUintegerAccessor(&IccSwitch::m_targetBytes), &IccSwitch::SettingChanged),
            MakeUintegerChecker<uint32_t>())
        .AddAttribute("TargetFraction",
                      "Qd as a share of the PFC threshold, 0 to 1",
                      DoubleValue(0.5),
                      UsedWhen(MakeLive(MakeDoubleAccessor(&IccSwitch::m_targetFraction),
                                        &IccSwitch::SettingChanged),
                               &IccSwitch::TargetsShare,
                               "TargetBytes 0"),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("PfcThreshold",
                      "PFC threshold for TargetFraction, bytes; 0: the current threshold of the "
                      "MMU at the ingress port of the latest frame",
                      UintegerValue(0),
                      UsedWhen(MakeLive(MakeUintegerAccessor(&IccSwitch::m_pfcThreshold),
                                        &IccSwitch::SettingChanged),
                               &IccSwitch::TargetsShare,
                               "TargetBytes 0"),
                      MakeUintegerChecker<uint32_t>());
}

IccSwitch::IccSwitch() = default;

IccSwitch::~IccSwitch() = default;

void
IccSwitch::DoDispose()
{
    m_queues.clear();
    m_flows.reset();
    m_owner = nullptr;
    SwitchExtension::DoDispose();
}

uint32_t
IccSwitch::GetHooks() const
{
    return m_feedback == IccFeedback::RECEIVER_ECHO
               ? static_cast<uint32_t>(ON_ENQUEUE) | static_cast<uint32_t>(ON_DEQUEUE)
               : static_cast<uint32_t>(ON_ENQUEUE) | static_cast<uint32_t>(ON_ARRIVAL);
}

uint32_t
IccSwitch::GetAddedBytes() const
{
    // A report goes into an ACK when it arrives, or into a data packet when it leaves.
    return m_feedback == IccFeedback::RECEIVER_ECHO ? 0 : TelemetryBytes(TelemetryKind::ICC);
}

bool
IccSwitch::NeedsSymmetricPaths() const
{
    return m_feedback != IccFeedback::RECEIVER_ECHO;
}

void
IccSwitch::RequireSymmetricPaths() const
{
    const auto ecmp = DynamicCast<EcmpLoadBalancer>(m_owner->GetLoadBalancer());
    if (m_owner->GetForwardingTable().HasChoice() && !(ecmp && ecmp->IsSymmetric()))
    {
        throw std::invalid_argument(
            "IccSwitch: ACKs may miss this switch, as its load balancer is not symmetric; use "
            "EcmpLoadBalancer with Symmetric true and one Seed a tier, or Feedback ReceiverEcho");
    }
}

void
IccSwitch::Start(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this);
    m_owner = &owner;
    if (NeedsSymmetricPaths())
    {
        RequireSymmetricPaths();
    }
    const auto node = owner.GetObject<Node>();
    m_nodeId = node ? node->GetId() : 0;
    constexpr auto PS = static_cast<int64_t>(PS_PER_SECOND);
    const int64_t ticks = SimulationClock::TicksPerSecond();
    m_psPerTick = ticks < PS ? PS / ticks : 1;
    m_ticksPerPs = ticks > PS ? ticks / PS : 1;
    m_flowWindowPs = m_flowWindow.GetPicoSeconds();
    m_flowTimeoutPs = m_flowTimeout.GetPicoSeconds();
    m_parameters.busyUtilisation = m_busyUtilisation;
    m_parameters.recheckPs = m_recheckTimer.GetPicoSeconds();
    m_parameters.reportPs = m_reportTimer.GetPicoSeconds();
    m_parameters.utilisationPs = m_utilisationWindow.GetPicoSeconds();
    if (!m_flows)
    {
        m_flows = std::make_unique<IccFlowTable>(m_maxFlows, m_flowTimeoutPs);
        m_generation = m_flows->GetGeneration();
    }
    m_queues.resize(std::size_t{owner.GetNPorts()} * TRAFFIC_CLASSES);
    m_flows->SetLimits(m_maxFlows, m_flowTimeoutPs);
    if (m_generation != m_flows->GetGeneration())
    {
        ListAll();
    }
    for (const auto& queue : m_queues)
    {
        if (queue)
        {
            queue->monitor.SetParameters(ParametersOf(*queue->device));
            Arm(*queue, queue->device->Now()); // a timer may expire earlier than before
        }
    }
}

void
IccSwitch::Restarted()
{
    NS_LOG_FUNCTION(this);
    m_flows.reset();
    m_queues.clear();
}

IccMonitorParameters
IccSwitch::ParametersOf(const QbbNetDevice& port) const
{
    IccMonitorParameters parameters = m_parameters;
    parameters.capacity = static_cast<double>(port.GetDataRate().GetBitRate());
    return parameters;
}

// ---- queues

IccSwitch::Queue::Queue(IccSwitch* iccSwitch, const IccMonitorParameters& parameters)
    : owner(iccSwitch),
      monitor(parameters),
      wakeUp(Create<WakeUp>(this))
{
}

IccSwitch::Queue::~Queue()
{
    wakeUp->Detach();
}

void
IccSwitch::Queue::Wake()
{
    const int64_t nowTicks = device->Now();
    const int64_t nowPs = owner->ToPs(nowTicks);
    wakesAtPs = IccPortMonitor::NEVER;
    if (monitor.NextDeadline() <= nowPs)
    {
        const IccQueueView view = owner->Look(*this, nowPs);
        owner->Tell(*this, monitor.Wake(view), view);
    }
    owner->Arm(*this, nowTicks);
}

IccSwitch::Queue&
IccSwitch::GetQueue(uint32_t port, uint32_t cls)
{
    const uint32_t number = port * TRAFFIC_CLASSES + cls;
    if (!m_queues[number])
    {
        const auto device = m_owner->GetPort(port);
        m_queues[number] = std::make_unique<Queue>(this, ParametersOf(*device));
        m_queues[number]->device = PeekPointer(device);
        m_queues[number]->number = number;
    }
    return *m_queues[number];
}

IccTelemetry
IccSwitch::GetReport(uint32_t port, uint32_t cls) const
{
    const auto& queue = m_queues.at(port * TRAFFIC_CLASSES + cls);
    return queue ? queue->report : IccTelemetry{};
}

IccQueueView
IccSwitch::Look(const Queue& queue, int64_t nowPs) const
{
    return {nowPs,
            queue.device->Queues().Bytes(queue.number % TRAFFIC_CLASSES),
            queue.device->GetCounters().txWireBytes};
}

void
IccSwitch::Arm(Queue& queue, int64_t nowTicks)
{
    const int64_t deadlinePs = queue.monitor.NextDeadline();
    if (deadlinePs < queue.wakesAtPs)
    {
        queue.wakesAtPs = deadlinePs;
        const int64_t at = (deadlinePs * m_ticksPerPs + m_psPerTick - 1) / m_psPerTick;
        queue.wakeUp->Arm(m_nodeId, nowTicks, std::max(at, nowTicks));
    }
}

// ---- flows

void
IccSwitch::SeeFlow(const Frame& frame, Queue& queue, int64_t nowPs)
{
    const IccFlowKey key{frame.SourceKey(), frame.DestinationKey(), frame.srcPort};
    IccFlow* flow = m_flows->Find(key);
    if (!flow)
    {
        flow = m_flows->Insert(key, nowPs);
        if (m_generation != m_flows->GetGeneration())
        {
            ListAll();
        }
        if (!flow)
        {
            return; // the table is full
        }
        flow->queue = queue.number;
    }
    flow->lastSeenPs = nowPs;
    if (flow->queue != queue.number) // the route has changed
    {
        if (flow->active)
        {
            Unlist(*flow);
        }
        flow->queue = queue.number;
        flow->pending = false; // that was of the other queue
    }
    if (!flow->active)
    {
        List(static_cast<uint32_t>(flow - m_flows->GetEntries().data()), queue);
    }
}

void
IccSwitch::List(uint32_t place, Queue& queue)
{
    IccFlow& flow = m_flows->GetEntries()[place];
    flow.active = true;
    flow.place = static_cast<uint32_t>(queue.active.size());
    queue.active.push_back(place);
}

void
IccSwitch::Unlist(IccFlow& flow)
{
    auto& active = m_queues[flow.queue]->active;
    active[flow.place] = active.back();
    m_flows->GetEntries()[active.back()].place = flow.place;
    active.pop_back();
    flow.active = false;
}

void
IccSwitch::ListAll()
{
    m_generation = m_flows->GetGeneration();
    for (const auto& queue : m_queues)
    {
        if (queue)
        {
            queue->active.clear();
        }
    }
    const auto& entries = m_flows->GetEntries();
    for (uint32_t place = 0; place < entries.size(); ++place)
    {
        if (entries[place].queue != IccFlow::NO_QUEUE && entries[place].active)
        {
            List(place, *m_queues[entries[place].queue]);
        }
    }
}

int64_t
IccSwitch::FlowWindowPs(const Queue& queue, uint64_t queueBytes) const
{
    if (m_flowWindowPs > 0)
    {
        return m_flowWindowPs;
    }
    constexpr uint32_t FRAMES = 4;
    const double apart = double{FRAMES} * queue.flows * (queue.frameBytes + ETHERNET_GAP_BYTES);
    const double bytes = std::max(apart, static_cast<double>(queueBytes));
    const auto speed = static_cast<double>(queue.device->GetDataRate().GetBitRate());
    return 2 * m_parameters.reportPs + static_cast<int64_t>(bytes * BITS / speed * PS_PER_SECOND);
}

uint32_t
IccSwitch::CountActive(Queue& queue, const IccQueueView& view)
{
    const int64_t nowPs = view.nowPs;
    const int64_t windowPs = FlowWindowPs(queue, view.queueBytes);
    auto& entries = m_flows->GetEntries();
    for (uint32_t i = 0; i < queue.active.size();)
    {
        IccFlow& flow = entries[queue.active[i]];
        if (nowPs - flow.lastSeenPs > windowPs)
        {
            Unlist(flow); // another one takes its place
        }
        else
        {
            ++i;
        }
    }
    queue.flows = static_cast<uint32_t>(queue.active.size());
    return queue.flows;
}

// ---- reports

uint32_t
IccSwitch::GetTarget(const Queue& queue) const
{
    if (!TargetsShare())
    {
        return m_targetBytes;
    }
    const SwitchMmu& mmu = *PeekPointer(m_owner->GetMmu());
    const double threshold =
        m_pfcThreshold > 0 ? m_pfcThreshold
                           : static_cast<double>(mmu.GetThreshold(queue.inPort, queue.inClass)) *
                                 mmu.GetCellSize().Bytes();
    return Rounded<uint32_t>(m_targetFraction * threshold);
}

IccTelemetry
IccSwitch::MakeReport(const Queue& queue, const IccQueueView& view, uint32_t flows) const
{
    IccTelemetry report{};
    report.timeNs = static_cast<uint32_t>(view.nowPs / WHOLE_PS_PER_NS); // mod 2^32
    report.queueBytes = static_cast<uint32_t>(
        std::min<uint64_t>(view.queueBytes, std::numeric_limits<uint32_t>::max()));
    report.queueRateMbps = Rounded<int32_t>(queue.monitor.GetGrowth() / MEGA);
    report.utilisation = Rounded<uint16_t>(queue.monitor.GetUtilisation() * UTILISATION_UNITS);
    report.flows = m_forcedFlows > 0 ? m_forcedFlows : Rounded<uint16_t>(flows);
    report.capacityMbps =
        Rounded<uint32_t>(static_cast<double>(queue.device->GetDataRate().GetBitRate()) / MEGA);
    report.targetBytes = GetTarget(queue);
    report.switchId = static_cast<uint16_t>(m_nodeId);
    report.port = static_cast<uint16_t>(queue.number / TRAFFIC_CLASSES);
    return report;
}

void
IccSwitch::Tell(Queue& queue, IccVerdict verdict, const IccQueueView& view)
{
    if (verdict == IccVerdict::NOTHING)
    {
        return;
    }
    const uint32_t flows = CountActive(queue, view);
    if (flows == 0)
    {
        queue.monitor.StopTimer(); // nobody is there to be told
        return;
    }
    ++(verdict == IccVerdict::CONGESTED ? m_counters.congested
       : verdict == IccVerdict::REPORT  ? m_counters.judged
                                        : m_counters.timed);
    queue.report = MakeReport(queue, view, flows);
    queue.reportPs = view.nowPs;
    auto& entries = m_flows->GetEntries();
    for (const uint32_t place : queue.active)
    {
        IccFlow& flow = entries[place];
        const bool own = m_feedback == IccFeedback::SWITCH_ACK && flow.ack.known;
        flow.pending = !own; // without an ACK to repeat, the first one takes it along
        if (own)
        {
            SendAck(flow, queue.report);
        }
    }
}

bool
IccSwitch::IsWorse(const IccTelemetry& record, const IccTelemetry& than)
{
    // queue / C, cross-multiplied
    const uint64_t own = uint64_t{record.queueBytes} * than.capacityMbps;
    const uint64_t other = uint64_t{than.queueBytes} * record.capacityMbps;
    return own != other ? own > other : record.utilisation > than.utilisation;
}

void
IccSwitch::Insert(IccFlow& flow, Frame& frame, int64_t nowPs)
{
    flow.pending = false;
    Queue& queue = *m_queues[flow.queue];
    if (nowPs - queue.reportPs > m_flowTimeoutPs)
    {
        const IccQueueView view = Look(queue, nowPs);
        queue.monitor.Measure(view);
        queue.report = MakeReport(queue, view, std::max(CountActive(queue, view), 1U));
        queue.reportPs = nowPs;
    }
    if (frame.telemetryKind == TelemetryKind::ICC && frame.telemetry.icc.capacityMbps > 0 &&
        !IsWorse(queue.report, frame.telemetry.icc))
    {
        ++m_counters.outranked;
        return;
    }
    if (frame.telemetryKind == TelemetryKind::NONE)
    {
        frame.telemetryKind = TelemetryKind::ICC;
        frame.bytes += TelemetryBytes(TelemetryKind::ICC);
    }
    frame.telemetry.icc = queue.report;
    ++m_counters.inserted;
}

void
IccSwitch::SendAck(const IccFlow& flow, const IccTelemetry& report)
{
    constexpr uint8_t IPV4 = 4;
    auto frame = new Frame;
    frame->kind = FrameKind::ROCE;
    frame->src = flow.key.dst; // the keys are the addresses: Arrived() learns IPv4 ACKs alone
    frame->dst = flow.key.src;
    frame->srcPort = flow.key.srcPort;
    frame->dstPort = ROCE_UDP_PORT;
    frame->opcode = flow.ack.opcode;
    frame->destQp = flow.ack.destQp;
    frame->psn = flow.ack.psn;
    frame->msn = flow.ack.msn;
    frame->syndrome = flow.ack.syndrome;
    frame->trafficClass = flow.ack.trafficClass;
    frame->dscp = flow.ack.dscp;
    frame->pcp = flow.ack.pcp;
    frame->tagged = flow.ack.tagged;
    frame->telemetryKind = TelemetryKind::ICC;
    frame->telemetry.icc = report;
    frame->bytes = RoceFrameBytes(RoceOpcode::ACKNOWLEDGE,
                                  0,
                                  IPV4,
                                  frame->tagged,
                                  TelemetryBytes(TelemetryKind::ICC));
    ++m_counters.switchAcks;
    m_owner->SendOwn(frame);
}

// ---- the pipeline

void
IccSwitch::Arrived(Frame& frame, uint32_t /* inPort */)
{
    if (frame.kind != FrameKind::ROCE || !IsAcknowledge(frame.opcode))
    {
        return;
    }
    IccFlow* flow = m_flows->Find({frame.DestinationKey(), frame.SourceKey(), frame.srcPort});
    if (!flow)
    {
        return;
    }
    ++m_counters.acksSeen;
    if (m_feedback == IccFeedback::SWITCH_ACK && frame.ipVersion == 4)
    {
        // After a NAK the source may go back behind what was acknowledged: wait for the next ACK.
        flow->ack = {frame.destQp,
                     static_cast<uint32_t>(frame.psn),
                     frame.msn,
                     frame.opcode,
                     frame.syndrome,
                     frame.trafficClass,
                     frame.dscp,
                     frame.pcp,
                     frame.tagged,
                     (frame.syndrome & AETH_TYPE_MASK) == 0};
    }
    const bool free =
        frame.telemetryKind == TelemetryKind::NONE || frame.telemetryKind == TelemetryKind::ICC;
    if (flow->pending && free)
    {
        Insert(*flow, frame, ToPs(SimulationClock::Now()));
    }
}

void
IccSwitch::Enqueued(Frame& frame, uint32_t outPort, uint64_t queueBytes)
{
    if (!IsData(frame) || !(m_classes >> frame.trafficClass & 1))
    {
        return;
    }
    Queue& queue = GetQueue(outPort, frame.trafficClass);
    const int64_t nowTicks = queue.device->Now();
    const int64_t nowPs = ToPs(nowTicks);
    queue.frameBytes = std::max(queue.frameBytes, frame.bytes);
    queue.inPort = frame.inPort;
    queue.inClass = frame.inClass;
    SeeFlow(frame, queue, nowPs);
    const IccQueueView view{nowPs,
                            queueBytes - frame.bytes,
                            queue.device->GetCounters().txWireBytes};
    Tell(queue, queue.monitor.Arrived(view), view);
    Arm(queue, nowTicks);
}

void
IccSwitch::Dequeued(Frame& frame, uint32_t /* outPort */, uint64_t /* queueBytes */)
{
    if (frame.telemetryKind != TelemetryKind::ICC || !IsData(frame))
    {
        return;
    }
    IccFlow* flow = m_flows->Find({frame.SourceKey(), frame.DestinationKey(), frame.srcPort});
    if (flow && flow->pending)
    {
        Insert(*flow, frame, ToPs(SimulationClock::Now()));
    }
}

} // namespace ns3
