// SPDX-License-Identifier: GPL-2.0-only
#include "inof-host-agent.h"

#include "ether-types.h"
#include "inof-packet.h"

#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("InofHostAgent");

NS_OBJECT_ENSURE_REGISTERED(InofHostAgent);

TypeId
InofHostAgent::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::InofHostAgent")
            .SetParent<Application>()
            .SetGroupName("Lossless")
            .AddConstructor<InofHostAgent>()
            .AddAttribute("HelloInterval",
                          "Time between two HELLOs, 1 us to 1 h; use the value of InofSwitchAgent",
                          TimeValue(Seconds(1)),
                          MakeFixed(MakeTimeAccessor(&InofHostAgent::m_helloInterval)),
                          MakeTimeChecker(MicroSeconds(1), Hours(1)))
            .AddAttribute("HelloMisses",
                          "Number of HELLOs without an answer, 1 to 255, after which the switch "
                          "counts as gone",
                          UintegerValue(3),
                          MakeFixed(MakeUintegerAccessor(&InofHostAgent::SetHelloMisses,
                                                         &InofHostAgent::GetHelloMisses)),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("RetryInterval",
                          "Time to the second HELLO while the switch has not answered, 1 us to 1 "
                          "h; doubles up to HelloInterval",
                          TimeValue(MilliSeconds(10)),
                          MakeFixed(MakeTimeAccessor(&InofHostAgent::m_retryInterval)),
                          MakeTimeChecker(MicroSeconds(1), Hours(1)))
            .AddAttribute("MessageDelay",
                          "Processing time of the host for a message",
                          TimeValue(MicroSeconds(10)),
                          MakeFixed(MakeTimeAccessor(&InofHostAgent::m_messageDelay)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Dscp",
                          "DSCP of all messages, 0 to 63; its class must be lossy",
                          UintegerValue(56),
                          MakeFixed(MakeUintegerAccessor(&InofHostAgent::m_dscp)),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddTraceSource("PeerUp",
                            "A host of a common zone has come up: the host.",
                            MakeTraceSourceAccessor(&InofHostAgent::m_peerUpTrace),
                            "ns3::InofHostAgent::PeerUpTracedCallback")
            .AddTraceSource("PeerDown",
                            "A host of a common zone has gone down: the host, the reason.",
                            MakeTraceSourceAccessor(&InofHostAgent::m_peerDownTrace),
                            "ns3::InofHostAgent::PeerDownTracedCallback");
    return tid;
}

InofHostAgent::InofHostAgent() = default;
InofHostAgent::~InofHostAgent() = default;

void
InofHostAgent::DoDispose()
{
    m_timer.Cancel();
    m_running = false;
    m_machine.reset();
    m_device = nullptr;
    Application::DoDispose();
}

void
InofHostAgent::SetHelloMisses(uint32_t misses)
{
    m_config.helloMisses = misses;
}

uint32_t
InofHostAgent::GetHelloMisses() const
{
    return m_config.helloMisses;
}

void
InofHostAgent::RequireNotStarted(const char* what) const
{
    if (m_machine)
    {
        throw std::invalid_argument("InofHostAgent: " + std::string(what) +
                                    " after the agent has started would have no effect; call it "
                                    "before the simulation starts");
    }
}

void
InofHostAgent::SetPort(Ptr<QbbNetDevice> device, uint32_t id, Ipv4Address address)
{
    RequireNotStarted("SetPort()");
    const uint8_t cls = device->GetTrafficClassMap()->ClassOfDscp(m_dscp);
    if ((device->GetPausableClasses() | device->GetPausingClasses()) & (1U << cls))
    {
        throw std::invalid_argument("InofHostAgent: DSCP " + std::to_string(m_dscp) +
                                    " is of class " + std::to_string(cls) +
                                    ", which is lossless: iNOF needs a lossy class, such as that "
                                    "of DSCP 56");
    }
    m_device = device;
    m_config.info.id = id;
    m_config.info.address = address.Get();
}

void
InofHostAgent::SetRole(InofRole role)
{
    RequireNotStarted("SetRole()");
    m_config.info.role = role;
}

// ---- life

void
InofHostAgent::StartApplication()
{
    if (!m_device)
    {
        throw std::invalid_argument(
            "InofHostAgent: the agent has no port; give it one before it starts");
    }
    if (!m_machine)
    {
        m_config.helloIntervalPs = m_helloInterval.GetPicoSeconds();
        m_config.retryPs = m_retryInterval.GetPicoSeconds();
        m_config.info.pfcClasses = m_device->GetActivePfcClasses();
        m_machine = std::make_unique<InofHost>(static_cast<InofHostSink&>(*this), m_config);
    }
    GetNode()->RegisterProtocolHandler(MakeCallback(&InofHostAgent::PacketReceived, this),
                                       ETHERTYPE_IPV4,
                                       m_device);
    m_running = true;
    if (!m_watching)
    {
        m_watching = true;
        m_device->AddLinkChangeCallback(MakeCallback(&InofHostAgent::LinkChanged, this));
    }
    if (m_device->IsLinkUp())
    {
        m_machine->Start(NowPs());
        Arm();
    }
}

void
InofHostAgent::StopApplication()
{
    if (m_running)
    {
        m_machine->Stop(InofReason::REMOVED);
        Crash();
    }
}

void
InofHostAgent::Crash()
{
    NS_LOG_FUNCTION(this);
    if (m_running)
    {
        m_running = false;
        m_timer.Cancel();
        m_timerAt = InofSendStream::NEVER;
        GetNode()->UnregisterProtocolHandler(MakeCallback(&InofHostAgent::PacketReceived, this));
    }
}

void
InofHostAgent::LinkChanged()
{
    NS_LOG_FUNCTION(this);
    if (!m_running)
    {
        return;
    }
    if (m_device->IsLinkUp())
    {
        // Not within the change itself: the port can send once it is over.
        Simulator::ScheduleNow([agent = Ptr<InofHostAgent>(this)] {
            if (agent->m_running && agent->m_device->IsLinkUp())
            {
                agent->m_machine->Start(NowPs());
                agent->Arm();
            }
        });
    }
    else
    {
        m_machine->Stop(InofReason::LINK_DOWN);
    }
}

// ---- messages

void
InofHostAgent::PacketReceived(Ptr<NetDevice> /* device */,
                              Ptr<const Packet> packet,
                              uint16_t /* protocol */,
                              const Address& /* from */,
                              const Address& /* to */,
                              NetDevice::PacketType /* type */)
{
    if (const auto datagram = ReadInofPacket(packet))
    {
        Simulator::Schedule(m_messageDelay, &InofHostAgent::Handle, this, *datagram);
    }
}

void
InofHostAgent::Handle(const InofDatagram& datagram)
{
    if (m_running)
    {
        m_machine->Receive(datagram, NowPs());
        Arm();
    }
}

void
InofHostAgent::SendToSwitch(const InofDatagram& datagram)
{
    const Ipv4Address own(m_config.info.address);
    if (m_device->IsLinkUp())
    {
        m_device->Send(MakeInofPacket(datagram, own, Ipv4Address(INOF_LINK_GROUP), m_dscp),
                       Address(),
                       ETHERTYPE_IPV4);
    }
}

void
InofHostAgent::PeerUp(const InofHostInfo& peer)
{
    NS_LOG_FUNCTION(this << peer.id);
    m_peerUpTrace(peer);
}

void
InofHostAgent::PeerDown(const InofHostInfo& peer, InofReason reason)
{
    NS_LOG_FUNCTION(this << peer.id);
    m_peerDownTrace(peer, reason);
}

// ---- time

int64_t
InofHostAgent::NowPs()
{
    return Simulator::Now().GetPicoSeconds();
}

void
InofHostAgent::Arm()
{
    const int64_t next = m_machine->NextDeadline();
    if (m_running && next < m_timerAt)
    {
        m_timer.Cancel();
        m_timerAt = next;
        m_timer = Simulator::Schedule(InofDelay(next - NowPs()), &InofHostAgent::Expired, this);
    }
}

void
InofHostAgent::Expired()
{
    m_timerAt = InofSendStream::NEVER;
    const uint8_t classes = m_device->GetActivePfcClasses();
    if (classes != m_config.info.pfcClasses)
    {
        m_config.info.pfcClasses = classes;
        m_machine->SetPfcClasses(classes, NowPs());
    }
    m_machine->Advance(NowPs());
    Arm();
}

} // namespace ns3
