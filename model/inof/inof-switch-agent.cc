// SPDX-License-Identifier: GPL-2.0-only
#include "inof-switch-agent.h"

#include "ether-types.h"
#include "fabric-switch.h"
#include "inof-packet.h"
#include "ip-frame.h"

#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("InofSwitchAgent");

NS_OBJECT_ENSURE_REGISTERED(InofSwitchAgent);

TypeId
InofSwitchAgent::GetTypeId()
{
    static TypeId tid =
        AddKeepAlive(TypeId("ns3::InofSwitchAgent")
                         .SetParent<SwitchExtension>()
                         .SetGroupName("Lossless")
                         .AddConstructor<InofSwitchAgent>())
            .AddAttribute(
                "GracefulRestart",
                "How long a switch keeps the hosts that a lost session announced; 0: not at all",
                TimeValue(Time(0)),
                MakeFixed(MakeTimeAccessor(&InofSwitchAgent::m_gracefulRestart)),
                MakeTimeChecker(Time(0)))
            .AddAttribute("RestartDeferral",
                          "After a restart with GracefulRestart: time in which hosts must send a "
                          "HELLO to be kept",
                          TimeValue(MilliSeconds(100)),
                          MakeFixed(MakeTimeAccessor(&InofSwitchAgent::m_restartDeferral)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("HostMessageDelay",
                          "Processing time of the switch for a message of a host",
                          TimeValue(MicroSeconds(10)),
                          MakeFixed(MakeTimeAccessor(&InofSwitchAgent::m_hostDelay)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("SessionMessageDelay",
                          "Processing time of the switch for a message of another switch",
                          TimeValue(MilliSeconds(1)),
                          MakeFixed(MakeTimeAccessor(&InofSwitchAgent::m_sessionDelay)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Dscp",
                          "DSCP of all messages, 0 to 63; its class must be lossy",
                          UintegerValue(56),
                          MakeFixed(MakeUintegerAccessor(&InofSwitchAgent::m_dscp)),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddTraceSource("Notify",
                            "A host is notified of another host: port, the other host, whether it "
                            "is up, reason.",
                            MakeTraceSourceAccessor(&InofSwitchAgent::m_notifyTrace),
                            "ns3::InofSwitchAgent::NotifyTracedCallback")
            .AddTraceSource(
                "Session",
                "A session went up or down: number of the other switch, whether it is up.",
                MakeTraceSourceAccessor(&InofSwitchAgent::m_sessionTrace),
                "ns3::InofSwitchAgent::SessionTracedCallback");
    return tid;
}

TypeId
InofSwitchAgent::AddKeepAlive(TypeId tid)
{
    const Time shortest = MicroSeconds(1);
    const Time longest = Hours(1); // 255 of them are far from what picoseconds can count
    return tid
        .AddAttribute(
            "HelloInterval",
            "Time between two HELLOs of a host, 1 us to 1 h; use the value of InofHostAgent",
            TimeValue(Seconds(1)),
            MakeFixed(MakeTimeAccessor(&InofSwitchAgent::m_helloInterval)),
            MakeTimeChecker(shortest, longest))
        .AddAttribute(
            "HelloMisses",
            "Number of intervals without a HELLO, 1 to 255, after which a host counts as gone",
            UintegerValue(3),
            MakeFixed(MakeUintegerAccessor(&InofSwitchAgent::SetHelloMisses,
                                           &InofSwitchAgent::GetHelloMisses)),
            MakeUintegerChecker<uint32_t>(1, 255))
        .AddAttribute("SessionInterval",
                      "Time between two keep-alives of a session, 1 us to 1 h",
                      TimeValue(MilliSeconds(10)),
                      MakeFixed(MakeTimeAccessor(&InofSwitchAgent::m_sessionInterval)),
                      MakeTimeChecker(shortest, longest))
        .AddAttribute("SessionMisses",
                      "Number of intervals of silence, 1 to 255, after which a session is lost",
                      UintegerValue(3),
                      MakeFixed(MakeUintegerAccessor(&InofSwitchAgent::SetSessionMisses,
                                                     &InofSwitchAgent::GetSessionMisses)),
                      MakeUintegerChecker<uint32_t>(1, 255))
        .AddAttribute("RetransmitTimeout",
                      "Time after which an unacknowledged message is sent again for the first "
                      "time, 1 us to 1 h; doubles up to 16 times",
                      TimeValue(MilliSeconds(10)),
                      MakeFixed(MakeTimeAccessor(&InofSwitchAgent::m_retransmitTimeout)),
                      MakeTimeChecker(shortest, longest));
}

InofSwitchAgent::InofSwitchAgent() = default;
InofSwitchAgent::~InofSwitchAgent() = default;

void
InofSwitchAgent::DoDispose()
{
    m_timer.Cancel();
    m_machine.reset();
    m_owner = nullptr;
    m_zoneChanges.clear();
    SwitchExtension::DoDispose();
}

// ---- attributes that the state machine keeps

void
InofSwitchAgent::SetHelloMisses(uint32_t misses)
{
    m_config.helloMisses = misses;
}

uint32_t
InofSwitchAgent::GetHelloMisses() const
{
    return m_config.helloMisses;
}

void
InofSwitchAgent::SetSessionMisses(uint32_t misses)
{
    m_config.session.misses = misses;
}

uint32_t
InofSwitchAgent::GetSessionMisses() const
{
    return m_config.session.misses;
}

// ---- assembly

void
InofSwitchAgent::RequireNotStarted(const char* what) const
{
    if (m_owner)
    {
        throw std::invalid_argument("InofSwitchAgent: " + std::string(what) +
                                    " after the switch has started would have no effect; call it "
                                    "before");
    }
}

void
InofSwitchAgent::SetIdentity(uint32_t number, Ipv4Address address, uint32_t cluster)
{
    RequireNotStarted("SetIdentity()");
    m_config.number = number;
    m_config.cluster = cluster;
    m_address = address;
}

void
InofSwitchAgent::AddHostPort(uint32_t port)
{
    RequireNotStarted("AddHostPort()");
    m_isHostPort.resize(std::max<std::size_t>(m_isHostPort.size(), port + 1));
    m_isHostPort[port] = true;
}

void
InofSwitchAgent::AddSession(uint32_t peer, Ipv4Address address, InofSwitch::Relation relation)
{
    RequireNotStarted("AddSession()");
    m_peers[peer] = address;
    m_sessions.emplace_back(peer, relation);
}

uint32_t
InofSwitchAgent::GetHooks() const
{
    return ON_UNROUTED;
}

void
InofSwitchAgent::Restarted()
{
    if (m_machine)
    {
        Restart(Time(0));
    }
}

void
InofSwitchAgent::Start(FabricSwitch& owner)
{
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        const auto device = owner.GetPort(port);
        const uint8_t cls = device->GetTrafficClassMap()->ClassOfDscp(m_dscp);
        if ((device->GetPausableClasses() | device->GetPausingClasses()) & (1U << cls))
        {
            throw std::invalid_argument("InofSwitchAgent: DSCP " + std::to_string(m_dscp) +
                                        " is of class " + std::to_string(cls) +
                                        ", which is lossless at port " + std::to_string(port) +
                                        ": iNOF needs a lossy class, such as that of DSCP 56");
        }
    }
    if (m_owner)
    {
        return; // started before
    }
    if (owner.GetNPorts() == 0)
    {
        throw std::invalid_argument(
            "InofSwitchAgent: the switch has no ports; iNOF needs a link to "
            "a host or to another switch");
    }
    for (const auto& [port, fault] : m_faultsAtStart)
    {
        RequirePort(owner, port);
    }
    if (m_isHostPort.size() > owner.GetNPorts())
    {
        RequirePort(owner, static_cast<uint32_t>(m_isHostPort.size() - 1));
    }
    m_owner = &owner;
    m_isHostPort.resize(owner.GetNPorts());
    m_pfcMissing.resize(owner.GetNPorts());
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        m_pfcAtStart.push_back(owner.GetPort(port)->GetActivePfcClasses());
        if (m_isHostPort[port])
        {
            owner.GetPort(port)->AddLinkChangeCallback(Callback<void>([this, port] {
                if (m_machine)
                {
                    Simulator::Schedule(m_hostDelay, &InofSwitchAgent::HandleLink, this, port);
                }
            }));
        }
    }
    const auto node = owner.GetPort(0)->GetNode();
    Simulator::ScheduleWithContext(node->GetId(),
                                   Time(0),
                                   &InofSwitchAgent::Boot,
                                   Ptr<InofSwitchAgent>(this));
}

void
InofSwitchAgent::Boot()
{
    if (!m_owner)
    {
        return;
    }
    m_config.ports = static_cast<uint32_t>(m_isHostPort.size()); // those of Start()
    m_config.helloIntervalPs = m_helloInterval.GetPicoSeconds();
    m_config.retransmitPs = m_retransmitTimeout.GetPicoSeconds();
    m_config.session.intervalPs = m_sessionInterval.GetPicoSeconds();
    m_config.session.retransmitPs = m_retransmitTimeout.GetPicoSeconds();
    m_config.gracefulPs = m_gracefulRestart.GetPicoSeconds();
    m_config.deferralPs = m_config.gracefulPs > 0 ? m_restartDeferral.GetPicoSeconds() : 0;
    m_machine = std::make_unique<InofSwitch>(static_cast<InofSwitchSink&>(*this), m_config);
    for (uint32_t port = 0; port < m_config.ports; ++port)
    {
        m_machine->SetRequiredPfc(port, m_isHostPort[port] ? m_pfcAtStart[port] : 0);
    }
    for (const auto& [peer, relation] : m_sessions)
    {
        m_machine->AddSession(peer, relation);
    }
    for (const auto& change : m_zoneChanges)
    {
        m_machine->ConfigureZones(change, NowPs());
    }
    for (const auto& [port, fault] : m_faultsAtStart)
    {
        m_machine->SetFault(port, fault, NowPs());
    }
    m_machine->Start(NowPs());
    Arm();
}

// ---- operation

void
InofSwitchAgent::ConfigureZones(const std::function<void(InofZoneTable&)>& change)
{
    if (m_machine)
    {
        m_machine->ConfigureZones(change, NowPs());
        Arm();
    }
    else
    {
        m_zoneChanges.push_back(change);
    }
}

void
InofSwitchAgent::RequirePort(const FabricSwitch& owner, uint32_t port)
{
    if (port >= owner.GetNPorts())
    {
        throw std::invalid_argument("InofSwitchAgent: there is no port " + std::to_string(port) +
                                    ": the switch has " + std::to_string(owner.GetNPorts()) +
                                    ", counted from 0");
    }
}

void
InofSwitchAgent::SetFault(uint32_t port, InofReason fault)
{
    NS_LOG_FUNCTION(this << port);
    if (m_owner)
    {
        RequirePort(*m_owner, port);
        if (port >= m_isHostPort.size())
        {
            throw std::invalid_argument("InofSwitchAgent: port " + std::to_string(port) +
                                        " was added after the start of iNOF, which does not know "
                                        "it; add all ports before");
        }
    }
    if (!m_machine)
    {
        m_faultsAtStart[port] = fault;
        return;
    }
    m_pfcMissing[port] = false; // what was found out before does not count any more
    m_machine->SetFault(port, fault, NowPs());
    Arm();
}

void
InofSwitchAgent::Stop()
{
    NS_LOG_FUNCTION(this);
    if (m_machine)
    {
        m_machine->Stop();
    }
    m_timer.Cancel();
    m_timerAt = InofSendStream::NEVER;
}

void
InofSwitchAgent::Restart(Time after)
{
    NS_LOG_FUNCTION(this << after);
    if (after.IsStrictlyNegative())
    {
        throw std::invalid_argument("InofSwitchAgent: a restart after " +
                                    std::to_string(after.GetSeconds()) +
                                    " s: the time must not be negative");
    }
    Stop();
    Simulator::Schedule(after, [agent = Ptr<InofSwitchAgent>(this)] {
        if (agent->m_machine)
        {
            agent->m_machine->Start(NowPs());
            agent->Arm();
        }
    });
}

// ---- what arrives

bool
InofSwitchAgent::Unrouted(Frame* frame)
{
    const bool isFromLink = frame->dst == INOF_LINK_GROUP && frame->inPort < m_config.ports &&
                            m_isHostPort[frame->inPort];
    const bool isForUs = isFromLink || frame->dst == m_address.Get();
    if (frame->kind != FrameKind::IP || frame->ipVersion != 4 || frame->dstPort != INOF_UDP_PORT ||
        !isForUs)
    {
        return false;
    }
    const auto datagram = ReadInofPacket(TakeIpPacket(*frame));
    const uint32_t port = frame->inPort;
    frame->Release();
    if (!datagram)
    {
        ++m_malformed;
    }
    else if (isFromLink)
    {
        Simulator::Schedule(m_hostDelay, &InofSwitchAgent::HandleHost, this, port, *datagram);
    }
    else
    {
        Simulator::Schedule(m_sessionDelay, &InofSwitchAgent::HandlePeer, this, *datagram);
    }
    return true;
}

void
InofSwitchAgent::HandleHost(uint32_t port, const InofDatagram& datagram)
{
    if (m_machine)
    {
        CheckPfc(port);
        m_machine->HostDatagram(port, datagram, NowPs());
        Arm();
    }
}

void
InofSwitchAgent::HandlePeer(const InofDatagram& datagram)
{
    if (m_machine)
    {
        m_machine->PeerDatagram(datagram, NowPs());
        Arm();
    }
}

void
InofSwitchAgent::HandleLink(uint32_t port)
{
    if (m_machine)
    {
        m_machine->LinkChanged(port, m_owner->GetPort(port)->IsLinkUp(), NowPs());
        Arm();
    }
}

void
InofSwitchAgent::CheckPfc(uint32_t port)
{
    const bool isMissing = m_pfcAtStart[port] & ~m_owner->GetPort(port)->GetActivePfcClasses();
    const bool isFree = m_machine->GetFault(port) == InofReason::NONE;
    if (isMissing != m_pfcMissing[port] && (isFree || m_pfcMissing[port]))
    {
        m_pfcMissing[port] = isMissing;
        m_machine->SetFault(port, isMissing ? InofReason::PFC_DISABLED : InofReason::NONE, NowPs());
    }
}

// ---- what is sent

void
InofSwitchAgent::SendToHost(uint32_t port, const InofDatagram& datagram)
{
    const auto device = m_owner->GetPort(port);
    if (m_isHostPort[port] && device->IsLinkUp())
    {
        device->Send(MakeInofPacket(datagram, m_address, Ipv4Address(INOF_LINK_GROUP), m_dscp),
                     Address(),
                     ETHERTYPE_IPV4);
    }
}

void
InofSwitchAgent::SendToPeer(uint32_t peer, const InofDatagram& datagram)
{
    Frame* frame = FrameFromIpPacket(MakeInofPacket(datagram, m_address, m_peers.at(peer), m_dscp),
                                     ETHERTYPE_IPV4);
    frame->trafficClass = m_owner->GetPort(0)->GetTrafficClassMap()->Classify(*frame);
    m_owner->SendOwn(frame);
}

void
InofSwitchAgent::Notified(uint32_t port, const InofMessage& event)
{
    NS_LOG_DEBUG("port " << port << " is told: host " << event.host.id
                         << (event.up ? " up" : " down"));
    m_notifyTrace(port, event.host, event.up, event.reason);
}

void
InofSwitchAgent::SessionChanged(uint32_t peer, bool up)
{
    NS_LOG_FUNCTION(this << peer << up);
    m_sessionTrace(peer, up);
}

// ---- time

int64_t
InofSwitchAgent::NowPs()
{
    return Simulator::Now().GetPicoSeconds();
}

void
InofSwitchAgent::Arm()
{
    const int64_t next = m_machine->NextDeadline();
    if (next < m_timerAt)
    {
        m_timer.Cancel();
        m_timerAt = next;
        m_timer = Simulator::Schedule(InofDelay(next - NowPs()), &InofSwitchAgent::Expired, this);
    }
}

void
InofSwitchAgent::Expired()
{
    m_timerAt = InofSendStream::NEVER;
    m_machine->Advance(NowPs()); // does nothing when the deadline has moved
    Arm();
}

} // namespace ns3
