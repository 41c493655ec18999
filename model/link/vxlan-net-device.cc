// SPDX-License-Identifier: GPL-2.0-only
#include "vxlan-net-device.h"

#include "ether-types.h"
#include "ip-frame.h"
#include "tunnel-ecn.h"
#include "vxlan-frame.h"
#include "vxlan-header.h"

#include "ns3/boolean.h"
#include "ns3/channel.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/log.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("VxlanNetDevice");

NS_OBJECT_ENSURE_REGISTERED(VxlanNetDevice);

namespace
{

/// @param octet type of service or traffic class @return its ECN field
Ecn
EcnOf(uint8_t octet)
{
    return static_cast<Ecn>(octet & 3);
}

/// @param address a socket address @return the IP address in it
Address
IpOf(const Address& address)
{
    return InetSocketAddress::IsMatchingType(address)
               ? Address(InetSocketAddress::ConvertFrom(address).GetIpv4())
               : Address(Inet6SocketAddress::ConvertFrom(address).GetIpv6());
}

/// @param packet of any protocol @param type its EtherType @param octet becomes DSCP and ECN of its
/// IP header; 0 if it has none @return UDP source port of a tunnel for it
uint16_t
ReadInner(const Ptr<Packet>& packet, uint16_t type, uint8_t& octet)
{
    constexpr uint16_t first = 0xc000;
    Frame* const frame = FrameFromIpPacket(packet, type);
    if (!frame)
    {
        octet = 0;
        return first; // such as ARP
    }
    octet =
        static_cast<uint8_t>(frame->dscp << 2 | static_cast<uint8_t>(EnterTunnelEcn(frame->ecn)));
    const uint16_t port = VxlanSourcePort(*frame);
    frame->Release();
    return port;
}

} // namespace

TypeId
VxlanNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::VxlanNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Lossless")
            .AddConstructor<VxlanNetDevice>()
            .AddAttribute("Vni",
                          "VXLAN network identifier of the frames that it sends and takes",
                          UintegerValue(1),
                          MakeUintegerAccessor(&VxlanNetDevice::m_vni),
                          MakeUintegerChecker<uint32_t>(0, (1U << 24) - 1))
            .AddAttribute("Mtu",
                          "Longest IP packet, bytes: what carries the tunnels less 50 over IPv4, "
                          "less 70 over IPv6",
                          UintegerValue(1430),
                          MakeUintegerAccessor(&VxlanNetDevice::SetMtu, &VxlanNetDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>(68, 9216))
            .AddAttribute("Learning",
                          "Whether it learns from frames behind which end point their source is",
                          BooleanValue(true),
                          MakeBooleanAccessor(&VxlanNetDevice::m_learns),
                          MakeBooleanChecker())
            .AddTraceSource(
                "MacTx",
                "A frame goes into tunnels: with its Ethernet header, once whatever the "
                "number of copies.",
                MakeTraceSourceAccessor(&VxlanNetDevice::m_txTrace),
                "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet has left a tunnel: without its Ethernet header.",
                            MakeTraceSourceAccessor(&VxlanNetDevice::m_rxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Drop",
                            "A frame was dropped: the frame, and why.",
                            MakeTraceSourceAccessor(&VxlanNetDevice::m_dropTrace),
                            "ns3::VxlanNetDevice::DropTracedCallback");
    return tid;
}

VxlanNetDevice::VxlanNetDevice() = default;

VxlanNetDevice::~VxlanNetDevice() = default;

void
VxlanNetDevice::DoDispose()
{
    if (m_socket)
    {
        m_socket->Close();
        m_socket = nullptr;
    }
    m_node = nullptr;
    m_receive = ReceiveCallback();
    m_promiscReceive = PromiscReceiveCallback();
    NetDevice::DoDispose();
}

// ---- who is where

void
VxlanNetDevice::SetLocal(const Address& address)
{
    if (!Ipv4Address::IsMatchingType(address) && !Ipv6Address::IsMatchingType(address))
    {
        throw std::invalid_argument("VxlanNetDevice: the own address is no IP address; set an "
                                    "Ipv4Address or Ipv6Address of the node");
    }
    if (m_socket)
    {
        throw std::invalid_argument("VxlanNetDevice: the own address is in use; set it before the "
                                    "simulation begins");
    }
    m_local = address;
}

void
VxlanNetDevice::AddRemote(const Address& address)
{
    if (Ipv4Address::IsMatchingType(m_local) != Ipv4Address::IsMatchingType(address))
    {
        throw std::invalid_argument("VxlanNetDevice: a remote has another IP version than the own "
                                    "address, or that is not set; set it first, of one version");
    }
    if (std::find(m_remotes.begin(), m_remotes.end(), address) == m_remotes.end())
    {
        m_remotes.push_back(address);
    }
}

void
VxlanNetDevice::AddEntry(Mac48Address host, const Address& endpoint)
{
    AddRemote(endpoint);
    m_entries[host] = endpoint;
}

// ---- sending

void
VxlanNetDevice::DoInitialize()
{
    Open();
    NetDevice::DoInitialize();
}

void
VxlanNetDevice::Open()
{
    if (m_local.IsInvalid())
    {
        throw std::invalid_argument("VxlanNetDevice: it has no address for its tunnels; give it "
                                    "one before the simulation begins");
    }
    if (!m_node || !m_node->GetObject<UdpL4Protocol>())
    {
        throw std::invalid_argument("VxlanNetDevice: its node has no UDP; install an IP stack "
                                    "before");
    }
    const auto socket = Socket::CreateSocket(m_node, UdpSocketFactory::GetTypeId());
    const bool v4 = Ipv4Address::IsMatchingType(m_local);
    const Address own =
        v4 ? Address(InetSocketAddress(Ipv4Address::ConvertFrom(m_local), VXLAN_UDP_PORT))
           : Address(Inet6SocketAddress(Ipv6Address::ConvertFrom(m_local), VXLAN_UDP_PORT));
    if (socket->Bind(own) != 0)
    {
        throw std::invalid_argument("VxlanNetDevice: UDP port 4789 of the node is in use; one such "
                                    "device can have it");
    }
    v4 ? socket->SetIpRecvTos(true) : socket->SetIpv6RecvTclass(true);
    socket->SetRecvCallback(MakeCallback(&VxlanNetDevice::Receive, this));
    m_socket = socket;
}

bool
VxlanNetDevice::Send(Ptr<Packet> packet, const Address& destination, uint16_t protocol)
{
    return SendFrom(packet, m_address, destination, protocol);
}

bool
VxlanNetDevice::SendFrom(Ptr<Packet> packet,
                         const Address& source,
                         const Address& destination,
                         uint16_t protocol)
{
    NS_LOG_FUNCTION(this << packet << destination << protocol);
    if (packet->GetSize() > m_mtu || !m_socket)
    {
        Drop(packet, m_socket ? DropReason::OVERSIZE : DropReason::LINK_DOWN);
        return false;
    }
    ++m_counters.sent;
    uint8_t octet = 0;
    const uint16_t port = ReadInner(packet, protocol, octet);
    const auto to = Mac48Address::ConvertFrom(destination);
    EthernetHeader header(false);
    header.SetSource(Mac48Address::ConvertFrom(source));
    header.SetDestination(to);
    header.SetLengthType(protocol);
    const Ptr<Packet> frame = packet->Copy();
    frame->AddHeader(header);
    m_txTrace(frame);
    const auto known = m_entries.find(to);
    if (known != m_entries.end())
    {
        SendTo(frame, octet, port, known->second);
        return true;
    }
    for (const Address& remote : m_remotes)
    {
        SendTo(frame, octet, port, remote);
    }
    return true;
}

void
VxlanNetDevice::SendTo(const Ptr<Packet>& frame,
                       uint8_t octet,
                       uint16_t port,
                       const Address& endpoint)
{
    ++m_counters.copies;
    const Ptr<Packet> datagram = frame->Copy();
    datagram->AddHeader(VxlanHeader(m_vni));
    const auto udp = m_node->GetObject<UdpL4Protocol>();
    if (Ipv4Address::IsMatchingType(endpoint))
    {
        SocketIpTosTag tag;
        tag.SetTos(octet);
        datagram->ReplacePacketTag(tag);
        udp->Send(datagram,
                  Ipv4Address::ConvertFrom(m_local),
                  Ipv4Address::ConvertFrom(endpoint),
                  port,
                  VXLAN_UDP_PORT);
        return;
    }
    SocketIpv6TclassTag tag;
    tag.SetTclass(octet);
    datagram->ReplacePacketTag(tag);
    udp->Send(datagram,
              Ipv6Address::ConvertFrom(m_local),
              Ipv6Address::ConvertFrom(endpoint),
              port,
              VXLAN_UDP_PORT);
}

// ---- receiving

void
VxlanNetDevice::Receive(Ptr<Socket> socket)
{
    Address from;
    while (const Ptr<Packet> datagram = socket->RecvFrom(from))
    {
        SocketIpTosTag tos;
        SocketIpv6TclassTag tclass;
        uint8_t octet = 0;
        if (datagram->RemovePacketTag(tos))
        {
            octet = tos.GetTos();
        }
        else if (datagram->RemovePacketTag(tclass))
        {
            octet = tclass.GetTclass();
        }
        ReceiveFrame(datagram, octet, IpOf(from));
    }
}

void
VxlanNetDevice::ReceiveFrame(const Ptr<Packet>& datagram, uint8_t octet, const Address& from)
{
    EthernetHeader header(false);
    VxlanHeader vxlan;
    if (datagram->GetSize() < vxlan.GetSerializedSize() + header.GetSerializedSize())
    {
        Drop(datagram, DropReason::CORRUPTED);
        return;
    }
    datagram->RemoveHeader(vxlan);
    if (!vxlan.IsValid() || vxlan.GetVni() != m_vni)
    {
        Drop(datagram, DropReason::TUNNEL_VNI);
        return;
    }
    datagram->RemoveHeader(header);
    const uint16_t type = header.GetLengthType();
    if (m_learns && !header.GetSource().IsGroup())
    {
        m_entries[header.GetSource()] = from;
    }
    if (!LeaveTunnel(datagram, type, octet))
    {
        Drop(datagram, DropReason::TUNNEL_ECN);
        return;
    }
    const Mac48Address to = header.GetDestination();
    const PacketType kind = to == m_address    ? PACKET_HOST
                            : to.IsBroadcast() ? PACKET_BROADCAST
                            : to.IsGroup()     ? PACKET_MULTICAST
                                               : PACKET_OTHERHOST;
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this, datagram->Copy(), type, header.GetSource(), to, kind);
    }
    if (kind != PACKET_OTHERHOST && !m_receive.IsNull())
    {
        ++m_counters.received;
        m_rxTrace(datagram);
        m_receive(this, datagram, type, header.GetSource());
    }
}

bool
VxlanNetDevice::LeaveTunnel(const Ptr<Packet>& packet, uint16_t type, uint8_t octet)
{
    Frame* const frame = FrameFromIpPacket(packet, type);
    if (!frame)
    {
        return true; // such as ARP: no ECN, and nothing that could be marked
    }
    const Ecn inner = frame->ecn;
    const uint8_t dscp = frame->dscp;
    frame->packet = nullptr;
    frame->Release();
    const auto ecn = LeaveTunnelEcn(inner, EcnOf(octet));
    if (!ecn || *ecn == inner)
    {
        return ecn.has_value();
    }
    const auto now = static_cast<uint8_t>(dscp << 2 | static_cast<uint8_t>(*ecn));
    m_counters.copiedMarks += *ecn == Ecn::CE;
    if (type == ETHERTYPE_IPV4)
    {
        Ipv4Header ip;
        packet->RemoveHeader(ip);
        ip.SetTos(now);
        if (Node::ChecksumEnabled())
        {
            ip.EnableChecksum();
        }
        packet->AddHeader(ip);
    }
    else if (type == ETHERTYPE_IPV6)
    {
        Ipv6Header ip;
        packet->RemoveHeader(ip);
        ip.SetTrafficClass(now);
        packet->AddHeader(ip);
    }
    return true;
}

void
VxlanNetDevice::Drop(const Ptr<const Packet>& frame, DropReason reason)
{
    NS_LOG_DEBUG("drops " << frame->GetSize() << " bytes: " << reason);
    ++m_counters.drops;
    m_dropTrace(frame, reason);
}

// ---- NetDevice

void
VxlanNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
VxlanNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
VxlanNetDevice::GetChannel() const
{
    return nullptr; // its channel is the network under it
}

void
VxlanNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
VxlanNetDevice::GetAddress() const
{
    return m_address;
}

bool
VxlanNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
VxlanNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
VxlanNetDevice::IsLinkUp() const
{
    return true;
}

void
VxlanNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChanges.ConnectWithoutContext(callback);
}

bool
VxlanNetDevice::IsBroadcast() const
{
    return true;
}

Address
VxlanNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
VxlanNetDevice::IsMulticast() const
{
    return true;
}

Address
VxlanNetDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
VxlanNetDevice::GetMulticast(Ipv6Address group) const
{
    return Mac48Address::GetMulticast(group);
}

bool
VxlanNetDevice::IsBridge() const
{
    return false;
}

bool
VxlanNetDevice::IsPointToPoint() const
{
    return false;
}

Ptr<Node>
VxlanNetDevice::GetNode() const
{
    return m_node;
}

void
VxlanNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
VxlanNetDevice::NeedsArp() const
{
    return true;
}

void
VxlanNetDevice::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
VxlanNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscReceive = callback;
}

bool
VxlanNetDevice::SupportsSendFrom() const
{
    return true;
}

} // namespace ns3
