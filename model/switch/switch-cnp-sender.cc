// SPDX-License-Identifier: GPL-2.0-only
#include "switch-cnp-sender.h"

#include "fabric-switch.h"

#include "ns3/boolean.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("SwitchCnpSender");

NS_OBJECT_ENSURE_REGISTERED(SwitchCnpSender);

TypeId
SwitchCnpSender::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SwitchCnpSender")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<SwitchCnpSender>()
            .AddAttribute("Interval",
                          "Time between two polls of the queues, at least 100 ns",
                          TimeValue(MicroSeconds(50)),
                          MakeLive(MakeTimeAccessor(&SwitchCnpSender::m_interval),
                                   &SwitchCnpSender::SettingChanged),
                          MakeTimeChecker(NanoSeconds(100)))
            .AddAttribute("LimitBytes",
                          "Queue length that counts as full, in bytes at 25 Gb/s, at least 1000; "
                          "linear in the speed of the port",
                          UintegerValue(400000),
                          MakeLive(MakeUintegerAccessor(&SwitchCnpSender::m_limitBytes),
                                   &SwitchCnpSender::SettingChanged),
                          MakeUintegerChecker<uint64_t>(1000))
            .AddAttribute(
                "Ports",
                "Egress ports whose queues are polled, such as \"0-3,7\"; empty: all",
                StringValue(""),
                MakeLive(MakeStringAccessor(&SwitchCnpSender::SetPorts, &SwitchCnpSender::GetPorts),
                         &SwitchCnpSender::SettingChanged),
                MakeStringChecker())
            .AddAttribute(
                "Rule",
                "TypeId of the SwitchCnpRule that says how many CNPs a queue gets, with "
                "its attributes: Type[Name=Value|...]",
                ObjectFactoryValue(ObjectFactory(TrendCnpRule::GetTypeId().GetName())),
                MakeObjectFactoryAccessor(&SwitchCnpSender::SetRule, &SwitchCnpSender::GetRule),
                MakeObjectFactoryChecker())
            .AddAttribute("Classes",
                          "Mask of the classes whose queues are polled. Bit c stands for class c.",
                          UintegerValue(0xff),
                          MakeLive(MakeUintegerAccessor(&SwitchCnpSender::m_classes),
                                   &SwitchCnpSender::SettingChanged),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("CnpClass",
                          "Traffic class of the CNPs",
                          UintegerValue(6),
                          MakeLive(MakeUintegerAccessor(&SwitchCnpSender::m_cnpClass),
                                   &SwitchCnpSender::SettingChanged),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("FlowTimeout",
                          "Time after which a silent flow is forgotten, at least 1 us",
                          TimeValue(MilliSeconds(10)),
                          MakeLive(MakeTimeAccessor(&SwitchCnpSender::m_flowTimeout),
                                   &SwitchCnpSender::SettingChanged),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("MarkCe",
                          "Whether the EcnMarker of the switch marks at these ports, too: senders "
                          "then react to both marks and CNPs",
                          BooleanValue(true),
                          MakeLive(MakeBooleanAccessor(&SwitchCnpSender::m_markCe),
                                   &SwitchCnpSender::SettingChanged),
                          MakeBooleanChecker())
            .AddAttribute(
                "FlagUnknown",
                "Whether a sender whose queue pair the switch does not know gets a CNP "
                "that names the queue pair of the receiver, with a vendor's flag; else it "
                "gets none",
                BooleanValue(true),
                MakeLive(MakeBooleanAccessor(&SwitchCnpSender::m_flagUnknown),
                         &SwitchCnpSender::SettingChanged),
                MakeBooleanChecker())
            .AddTraceSource("Cnp",
                            "A CNP was made: egress port of the queue, address of the sender (last "
                            "32 bits), its queue pair (0: unknown, the CNP names the receiver's).",
                            MakeTraceSourceAccessor(&SwitchCnpSender::m_cnpTrace),
                            "ns3::SwitchCnpSender::CnpTracedCallback");
    return tid;
}

SwitchCnpSender::SwitchCnpSender()
    : m_wake(Create<WakeEvent<SwitchCnpSender, &SwitchCnpSender::Poll>>(this))
{
}

SwitchCnpSender::~SwitchCnpSender()
{
    m_wake->Detach();
}

void
SwitchCnpSender::DoDispose()
{
    m_wake->Detach();
    m_owner = nullptr;
    SwitchExtension::DoDispose();
}

uint32_t
SwitchCnpSender::GetHooks() const
{
    return ON_ARRIVAL | ON_ENQUEUE;
}

PathNeed
SwitchCnpSender::GetPathNeed() const
{
    return PathNeed::ONE; // it knows a flow by its ports, and sees all of its frames
}

void
SwitchCnpSender::Restarted()
{
    m_before.clear();
    m_flows = {};
    m_reverse = {};
}

void
SwitchCnpSender::SetPorts(const std::string& text)
{
    m_ports.SetText(text);
}

std::string
SwitchCnpSender::GetPorts() const
{
    return m_ports.GetText();
}

void
SwitchCnpSender::SetRule(const ObjectFactory& factory)
{
    const auto rule = DynamicCast<SwitchCnpRule>(factory.Create()); // Create<> asserts
    if (!rule)
    {
        throw std::invalid_argument("SwitchCnpSender: " + factory.GetTypeId().GetName() +
                                    " is not an ns3::SwitchCnpRule");
    }
    m_rule = rule;
    m_ruleFactory = factory;
}

ObjectFactory
SwitchCnpSender::GetRule() const
{
    return m_ruleFactory;
}

void
SwitchCnpSender::Check(FabricSwitch& owner)
{
    m_ports.Require(owner.GetNPorts());
}

void
SwitchCnpSender::Start(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this);
    constexpr double REFERENCE_RATE = 25e9;
    Check(owner);
    if (m_interval.GetTimeStep() == 0)
    {
        throw std::invalid_argument("SwitchCnpSender: Interval is shorter than the time "
                                    "resolution: use a longer one, or a finer resolution");
    }
    m_owner = &owner;
    m_before.resize(owner.GetNPorts() * TRAFFIC_CLASSES);
    m_limits.resize(owner.GetNPorts());
    for (uint32_t port = 0; port < m_limits.size(); ++port)
    {
        const auto rate = static_cast<double>(owner.GetPort(port)->GetDataRate().GetBitRate());
        m_limits[port] = std::max<uint64_t>(1, m_limitBytes * (rate / REFERENCE_RATE));
        m_nodeId = owner.GetPort(port)->GetNode()->GetId();
        if (HoldsMarks(port))
        {
            owner.HoldMarks(port);
        }
    }
    if (m_lastPoll != NEVER)
    {
        const int64_t now = owner.Now();
        m_wake->Arm(m_nodeId, now, std::max(now, NextPoll())); // the interval may be shorter now
    }
}

// ---- what passes

void
SwitchCnpSender::Arrived(Frame& frame, uint32_t /* inPort */)
{
    if (frame.kind == FrameKind::ROCE && !CarriesData(frame.opcode))
    {
        m_reverse[{frame.DestinationKey(), frame.SourceKey(), frame.srcPort}] = {frame.destQp,
                                                                                 m_owner->Now()};
    }
}

void
SwitchCnpSender::Enqueued(Frame& frame, uint32_t outPort, uint64_t /* queueBytes */)
{
    if (frame.kind != FrameKind::ROCE || !CarriesData(frame.opcode) || !m_ports.Has(outPort))
    {
        return;
    }
    const int64_t now = m_owner->Now();
    Flow& flow = m_flows[{frame.SourceKey(), frame.DestinationKey(), frame.destQp}];
    flow.bytes += frame.bytes;
    flow.lastSeen = now;
    flow.udpPort = frame.srcPort;
    flow.inPort = frame.inPort;
    flow.outPort = outPort;
    flow.cls = frame.trafficClass;
    flow.ipVersion = frame.ipVersion;
    flow.src = frame.src;
    flow.dst = frame.dst;
    if (frame.ipVersion == 6)
    {
        flow.srcHigh = frame.srcHigh;
        flow.dstHigh = frame.dstHigh;
    }
    if (m_lastPoll == NEVER)
    {
        m_lastPoll = now;
        m_wake->Arm(m_nodeId, now, NextPoll());
    }
}

// ---- looking

int64_t
SwitchCnpSender::NextPoll() const
{
    return m_lastPoll + m_interval.GetTimeStep();
}

void
SwitchCnpSender::Poll()
{
    const int64_t now = m_owner->Now();
    if (now < NextPoll())
    {
        m_wake->Arm(m_nodeId, now, NextPoll()); // the interval has become longer
        return;
    }
    bool busy = false;
    for (uint32_t port = 0; port < m_limits.size(); ++port)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            if (m_ports.Has(port) && m_classes & (1U << cls))
            {
                busy |= Look(port, cls);
            }
        }
    }
    EndWindow(now);
    m_lastPoll = busy ? now : NEVER;
    if (busy)
    {
        m_wake->Arm(m_nodeId, now, NextPoll());
    }
}

bool
SwitchCnpSender::Look(uint32_t port, uint32_t cls)
{
    uint64_t& before = m_before[port * TRAFFIC_CLASSES + cls];
    const uint64_t bytes = m_owner->GetQueueBytes(port, cls);
    if (bytes == 0)
    {
        before = 0;
        return false;
    }
    auto& flows = m_flows.Entries();
    m_candidates.clear();
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        const Flow& flow = flows[i].value;
        if (flow.bytes > 0 && flow.outPort == port && flow.cls == cls)
        {
            m_candidates.push_back(i);
        }
    }
    const auto candidates = static_cast<uint32_t>(m_candidates.size());
    const uint32_t count =
        std::min(candidates, m_rule->Count({port, cls, bytes, before, m_limits[port], candidates}));
    before = bytes;
    // Most bytes first; among equals who has waited longest, then who was seen first.
    const auto goesFirst = [&flows](uint32_t a, uint32_t b) {
        const Flow& one = flows[a].value;
        const Flow& other = flows[b].value;
        if (one.bytes != other.bytes)
        {
            return one.bytes > other.bytes;
        }
        return one.lastCnp != other.lastCnp ? one.lastCnp < other.lastCnp : a < b;
    };
    std::partial_sort(m_candidates.begin(),
                      m_candidates.begin() + count,
                      m_candidates.end(),
                      goesFirst);
    for (uint32_t i = 0; i < count; ++i)
    {
        Notify(flows[m_candidates[i]]);
    }
    return true;
}

void
SwitchCnpSender::Notify(FlowTable::Entry& entry)
{
    Flow& flow = entry.value;
    const auto* reverse = m_reverse.Find({entry.key.src, entry.key.dst, flow.udpPort});
    const auto device = m_owner->GetPort(flow.inPort);
    const int64_t oldest = m_owner->Now() - m_flowTimeout.GetTimeStep();
    const bool known = reverse && reverse->lastSeen >= oldest;
    if (!device->IsLinkUp() || !(known || m_flagUnknown))
    {
        ++m_unknown;
        return;
    }
    Frame* frame = MakeCnp(flow);
    if (known)
    {
        frame->destQp = reverse->queuePair;
    }
    else
    {
        frame->telemetryKind = TelemetryKind::RECEIVER;
        frame->telemetry.receiver = {entry.key.more};
        ++m_flagged;
    }
    flow.lastCnp = ++m_cnps;
    NS_LOG_DEBUG("CNP for port " << flow.outPort << " to queue pair " << frame->destQp);
    m_cnpTrace(flow.outPort, flow.src, frame->destQp);
    device->Queues().Push(frame);
    device->Kick();
}

Frame*
SwitchCnpSender::MakeCnp(const Flow& flow) const
{
    const auto map = m_owner->GetPort(flow.inPort)->GetTrafficClassMap();
    auto frame = new Frame;
    frame->kind = FrameKind::ROCE;
    frame->opcode = RoceOpcode::CNP;
    frame->becn = true;
    frame->src = flow.dst; // as if the receiver had sent it: the NIC checks that
    frame->dst = flow.src;
    frame->srcHigh = flow.dstHigh;
    frame->dstHigh = flow.srcHigh;
    frame->ipVersion = flow.ipVersion;
    frame->srcPort = flow.udpPort;
    frame->dstPort = ROCE_UDP_PORT;
    frame->trafficClass = map->QueueOf(m_cnpClass);
    map->MarkAs(*frame, m_cnpClass);
    frame->bytes = RoceFrameBytes(RoceOpcode::CNP, 0, flow.ipVersion, frame->tagged);
    return frame;
}

void
SwitchCnpSender::EndWindow(int64_t now)
{
    for (auto& entry : m_flows.Entries())
    {
        entry.value.bytes = 0;
    }
    const int64_t timeout = m_flowTimeout.GetTimeStep();
    if (m_purgedAt != NEVER && now < m_purgedAt + timeout)
    {
        return;
    }
    m_purgedAt = now;
    const auto isOld = [=](const auto& value) { return now - value.lastSeen > timeout; };
    m_flows.Forget(isOld);
    m_reverse.Forget(isOld);
}

} // namespace ns3
