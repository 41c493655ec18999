// SPDX-License-Identifier: GPL-2.0-only
#include "elephant-separator.h"

#include "coloured-wred-marker.h"
#include "fabric-switch.h"

#include "ns3/enum-accessor.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/traffic-class-map.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ElephantSeparator");

NS_OBJECT_ENSURE_REGISTERED(ElephantSeparator);

namespace
{

constexpr uint8_t MAX_ASSURED_CLASS = 4; //!< of Assured Forwarding, RFC 2597

/// Throw std::invalid_argument. @param what is wrong, and what would be right
[[noreturn]] void
Refuse(const std::string& what)
{
    throw std::invalid_argument("ElephantSeparator: " + what);
}

} // namespace

TypeId
ElephantSeparator::GetTypeId()
{
    static TypeId tid = AddActions(AddConditions(TypeId("ns3::ElephantSeparator")
                                                     .SetParent<SwitchExtension>()
                                                     .SetGroupName("Lossless")
                                                     .AddConstructor<ElephantSeparator>()));
    return tid;
}

TypeId
ElephantSeparator::AddConditions(TypeId tid)
{
    return tid
        .AddAttribute(
            "Condition",
            "What makes an elephant: Bytes (ElephantBytes), Rate (ElephantRate), Both, or "
            "Either",
            EnumValue(ElephantTable::BOTH),
            MakeLive(
                MakeLosslessEnumAccessor<ElephantTable::Condition>(&ElephantSeparator::m_condition),
                &ElephantSeparator::SettingChanged),
            MakeEnumChecker(ElephantTable::BYTES,
                            "Bytes",
                            ElephantTable::RATE,
                            "Rate",
                            ElephantTable::BOTH,
                            "Both",
                            ElephantTable::EITHER,
                            "Either"))
        .AddAttribute("ElephantBytes",
                      "Frame bytes since the flow began, from which on it is an elephant",
                      UintegerValue(1000000),
                      UsedWhen(MakeLive(MakeUintegerAccessor(&ElephantSeparator::m_elephantBytes),
                                        &ElephantSeparator::SettingChanged),
                               &ElephantSeparator::CountsBytes,
                               "another Condition than Rate"),
                      MakeUintegerChecker<uint64_t>(1))
        .AddAttribute("ElephantRate",
                      "Rate, in frame bytes over Window, from which on a flow is an elephant",
                      DataRateValue(DataRate("1Gbps")),
                      UsedWhen(MakeLive(MakeDataRateAccessor(&ElephantSeparator::m_elephantRate),
                                        &ElephantSeparator::SettingChanged),
                               &ElephantSeparator::MeasuresRates,
                               "another Condition than Bytes"),
                      MakeDataRateChecker())
        .AddAttribute(
            "Window",
            "Time over which ElephantRate holds, at least 1 us. A window of a flow begins "
            "with the first frame after the window before.",
            TimeValue(MilliSeconds(1)),
            UsedWhen(MakeLive(MakeTimeAccessor(&ElephantSeparator::m_window),
                              &ElephantSeparator::SettingChanged),
                     &ElephantSeparator::MeasuresRates,
                     "another Condition than Bytes"),
            MakeTimeChecker(MicroSeconds(1)))
        .AddAttribute("IdleTime",
                      "Time without a frame after which a flow begins anew, as a mouse, at least "
                      "1 us",
                      TimeValue(MilliSeconds(10)),
                      MakeLive(MakeTimeAccessor(&ElephantSeparator::m_idleTime),
                               &ElephantSeparator::SettingChanged),
                      MakeTimeChecker(MicroSeconds(1)));
}

TypeId
ElephantSeparator::AddActions(TypeId tid)
{
    return tid
        .AddAttribute("MouseClass",
                      "Class, 0 to 7, whose flows of RoCE, TCP and UDP are watched",
                      UintegerValue(3),
                      MakeLive(MakeUintegerAccessor(&ElephantSeparator::m_mouseClass),
                               &ElephantSeparator::SettingChanged),
                      MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1))
        .AddAttribute("ElephantClass",
                      "Class, 0 to 7, that elephants among them get; MouseClass: they keep theirs",
                      UintegerValue(4),
                      MakeLive(MakeUintegerAccessor(&ElephantSeparator::m_elephantClass),
                               &ElephantSeparator::SettingChanged),
                      MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1))
        .AddAttribute(
            "ElephantColour",
            "Drop precedence that elephants get: Green, Yellow or Red, as DSCP AFx2 or "
            "AFx3 of class x = ElephantClass, 1 to 4. Other than Green it needs a "
            "ColouredWredMarker.",
            EnumValue(DropPrecedence::GREEN),
            MakeLive(MakeLosslessEnumAccessor<DropPrecedence::Colour>(&ElephantSeparator::m_colour),
                     &ElephantSeparator::SettingChanged),
            MakeEnumChecker(DropPrecedence::GREEN,
                            "Green",
                            DropPrecedence::YELLOW,
                            "Yellow",
                            DropPrecedence::RED,
                            "Red"))
        .AddAttribute("Move",
                      "When an elephant changes its class: AtFlowletGap (behind a gap longer than "
                      "FlowletGap, or when no frame of it waits at its egress port), or Immediate "
                      "(at once, which may reorder)",
                      EnumValue(AT_FLOWLET_GAP),
                      MakeLive(MakeLosslessEnumAccessor<Move>(&ElephantSeparator::m_move),
                               &ElephantSeparator::SettingChanged),
                      MakeEnumChecker(AT_FLOWLET_GAP, "AtFlowletGap", IMMEDIATE, "Immediate"))
        .AddAttribute("FlowletGap",
                      "AtFlowletGap: a longer time between two frames of a flow is a gap",
                      TimeValue(MicroSeconds(50)),
                      UsedWhen(MakeLive(MakeTimeAccessor(&ElephantSeparator::m_flowletGap),
                                        &ElephantSeparator::SettingChanged),
                               &ElephantSeparator::AwaitsGap,
                               "Move AtFlowletGap"),
                      MakeTimeChecker(Time(0)))
        .AddTraceSource("Elephant",
                        "A flow became an elephant, or a mouse again: source, destination, IP "
                        "protocol (0: RoCE), queue pair at the destination or source port * 65536 "
                        "+ destination port, whether it is an elephant now.",
                        MakeTraceSourceAccessor(&ElephantSeparator::m_elephantTrace),
                        "ns3::ElephantSeparator::ElephantTracedCallback")
        .AddTraceSource("QueueChange",
                        "A frame has entered another queue of its egress port than the frame of "
                        "its flow before: frame, egress port, whether it may overtake older ones.",
                        MakeTraceSourceAccessor(&ElephantSeparator::m_queueChangeTrace),
                        "ns3::ElephantSeparator::QueueChangeTracedCallback");
}

uint32_t
ElephantSeparator::GetHooks() const
{
    return ON_ROUTE | ON_ENQUEUE;
}

// ---- configuration

void
ElephantSeparator::RequireColour(const FabricSwitch& owner) const
{
    if (m_colour == DropPrecedence::GREEN)
    {
        if (m_mouseClass == m_elephantClass)
        {
            Refuse("MouseClass and ElephantClass are both " + std::to_string(m_mouseClass) +
                   ", and ElephantColour is Green: elephants would be treated as mice; choose "
                   "another class or another colour");
        }
        return;
    }
    if (m_elephantClass < 1 || m_elephantClass > MAX_ASSURED_CLASS)
    {
        Refuse("no DSCP of Assured Forwarding has class " + std::to_string(m_elephantClass) +
               "; for an ElephantColour other than Green choose an ElephantClass from 1 to 4");
    }
    if (!DynamicCast<ColouredWredMarker>(owner.GetEcnMarker()))
    {
        Refuse("ElephantColour changes nothing at this switch; give it an "
               "ns3::ColouredWredMarker as its ECN marker, or choose Green");
    }
}

void
ElephantSeparator::RequireMap(const FabricSwitch& owner, uint32_t port) const
{
    const TrafficClassMap& map = *owner.GetPort(port)->GetTrafficClassMap();
    if (map.GetTrust() != TrafficClassMap::DSCP)
    {
        Refuse("port " + std::to_string(port) +
               " does not classify by DSCP, which is what is rewritten");
    }
    const uint8_t dscp = DscpOfElephants(owner);
    if (map.ClassOfDscp(dscp) != m_elephantClass)
    {
        Refuse("port " + std::to_string(port) + " maps DSCP " + std::to_string(dscp) +
               " of elephants to class " + std::to_string(map.ClassOfDscp(dscp)) +
               "; map it to ElephantClass " + std::to_string(m_elephantClass) +
               " with TrafficClassMap::Dscp");
    }
}

void
ElephantSeparator::RequireSeparate(const FabricSwitch& owner, uint32_t port) const
{
    const QbbNetDevice& device = *owner.GetPort(port);
    const TrafficClassMap& map = *device.GetTrafficClassMap();
    const std::string where = "port " + std::to_string(port);
    const std::string elephants = "ElephantClass " + std::to_string(m_elephantClass);
    const std::string mice = "MouseClass " + std::to_string(m_mouseClass);
    if (map.QueueOf(m_mouseClass) == map.QueueOf(m_elephantClass))
    {
        Refuse(where + " has one queue for " + mice + " and " + elephants +
               "; give each its own with TrafficClassMap::Queue");
    }
    const uint32_t groups = device.GetPausingGroups();
    const uint8_t mouseGroup = map.GroupOf(m_mouseClass);
    const uint8_t elephantGroup = map.GroupOf(m_elephantClass);
    if (!(groups >> mouseGroup & 1))
    {
        return; // mice may be lost, too
    }
    if (!(groups >> elephantGroup & 1))
    {
        Refuse(where + ": " + mice + " is lossless and " + elephants +
               " is not; give both PFC, or choose a lossless ElephantClass");
    }
    if (mouseGroup == elephantGroup)
    {
        Refuse(where + " books " + mice + " and " + elephants + " in one priority group; give " +
               "each its own with TrafficClassMap::PriorityGroup");
    }
}

uint8_t
ElephantSeparator::DscpOfElephants(const FabricSwitch& owner) const
{
    return m_colour == DropPrecedence::GREEN
               ? owner.GetPort(0)->GetTrafficClassMap()->DscpOfClass(m_elephantClass)
               : DropPrecedence::ToDscp(m_elephantClass, m_colour);
}

void
ElephantSeparator::Check(FabricSwitch& owner)
{
    RequireColour(owner);
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        RequireMap(owner, port);
        if (m_mouseClass != m_elephantClass)
        {
            RequireSeparate(owner, port);
        }
    }
    if (m_window.GetTimeStep() == 0 || m_idleTime.GetTimeStep() == 0)
    {
        Refuse("Window or IdleTime is shorter than the time resolution: use a longer one, or a "
               "finer resolution");
    }
}

ElephantTable::Rule
ElephantSeparator::MakeRule() const
{
    ElephantTable::Rule rule;
    rule.condition = m_condition;
    rule.bytes = m_elephantBytes;
    rule.windowBytes = std::max<uint64_t>(
        1,
        std::llround(static_cast<double>(m_elephantRate.GetBitRate()) / 8 * m_window.GetSeconds()));
    rule.window = m_window.GetTimeStep();
    rule.idle = m_idleTime.GetTimeStep();
    return rule;
}

void
ElephantSeparator::Start(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this);
    Check(owner);
    m_owner = &owner;
    m_queued.resize(owner.GetNPorts() * TRAFFIC_CLASSES);
    m_queues.clear();
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        m_queues.push_back(owner.GetPort(port)->GetTrafficClassMap()->QueueOf(m_elephantClass));
    }
    m_dscp = m_queues.empty() ? 0 : DscpOfElephants(owner);
    m_table.SetRule(MakeRule());
}

void
ElephantSeparator::Restarted()
{
    m_table.Clear();
    m_queued.clear();
    m_routed = nullptr;
    m_routedFlow = nullptr;
}

// ---- frames

SwitchExtension::Verdict
ElephantSeparator::Routed(Frame& frame, uint32_t outPort)
{
    m_routed = nullptr;
    const uint8_t cls = m_owner->ClassOf(frame);
    const bool isMouse = cls == m_mouseClass;
    if (!ElephantTable::HasFlow(frame) || (!isMouse && cls != m_elephantClass))
    {
        return {};
    }
    const int64_t now = m_owner->Now();
    if (m_table.IsFull())
    {
        m_table.ForgetIdle(now, [this](const auto& key) { Tell(key, false); });
    }
    const ElephantTable::Key key = ElephantTable::FlowOf(frame);
    const ElephantTable::Sighting sighting = m_table.Count(key, frame.bytes, now);
    if (sighting.isDemoted)
    {
        Tell(key, false);
    }
    if (sighting.isFound)
    {
        Tell(key, true);
    }
    ElephantTable::Flow& flow = *sighting.flow;
    m_routed = &frame;
    m_routedFlow = &flow;
    if (!isMouse || !flow.isElephant)
    {
        return {}; // an earlier switch may have separated the flow
    }
    if (!flow.isSeparated && MayMove(sighting))
    {
        flow.isSeparated = true;
        ++m_counters.moves;
    }
    if (flow.isSeparated)
    {
        frame.dscp = m_dscp;
        frame.trafficClass = m_queues[outPort];
        ++m_counters.movedFrames;
    }
    return {};
}

void
ElephantSeparator::Tell(const ElephantTable::Key& key, bool isElephant)
{
    NS_LOG_DEBUG("flow " << key.src << " to " << key.dst << " protocol " << key.protocol << ", "
                         << key.more << (isElephant ? ": elephant" : ": mouse"));
    ++(isElephant ? m_counters.found : m_counters.demoted);
    m_elephantTrace(key.src, key.dst, key.protocol, key.more, isElephant);
}

bool
ElephantSeparator::MayMove(const ElephantTable::Sighting& sighting) const
{
    return m_move == IMMEDIATE || m_mouseClass == m_elephantClass ||
           sighting.gap > m_flowletGap.GetTimeStep() || !IsWaiting(*sighting.flow);
}

bool
ElephantSeparator::IsWaiting(const ElephantTable::Flow& flow) const
{
    // The queue is first in, first out: what was queued before its oldest frame has left.
    const uint64_t queued = m_queued[flow.port * TRAFFIC_CLASSES + flow.queue];
    const uint64_t waiting = m_owner->GetQueueFrames(flow.port, flow.queue);
    return flow.place + waiting > queued;
}

void
ElephantSeparator::Enqueued(Frame& frame, uint32_t outPort, uint64_t /* queueBytes */)
{
    const uint8_t queue = frame.trafficClass;
    const uint64_t place = ++m_queued[outPort * TRAFFIC_CLASSES + queue];
    if (&frame != m_routed || frame.flooded)
    {
        return;
    }
    ElephantTable::Flow& flow = *m_routedFlow;
    m_routed = nullptr;
    // Another egress port is another path, which this switch knows nothing of.
    if (flow.place != 0 && flow.port == outPort && flow.queue != queue)
    {
        const bool isOvertaking = IsWaiting(flow);
        m_counters.reorderings += isOvertaking;
        m_queueChangeTrace(frame, outPort, isOvertaking);
    }
    flow.port = static_cast<uint16_t>(outPort);
    flow.queue = queue;
    flow.place = place;
}

} // namespace ns3
