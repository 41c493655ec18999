// SPDX-License-Identifier: GPL-2.0-only
#include "stack-drops.h"

#include "ns3/arp-cache.h"
#include "ns3/arp-l3-protocol.h"
#include "ns3/fabric-warning.h"
#include "ns3/icmpv4.h"
#include "ns3/icmpv6-header.h"
#include "ns3/icmpv6-l4-protocol.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/object-vector.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/udp-header.h"
#include "ns3/udp-l4-protocol.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace
{

/// @param protocol in a header of IP @return whether it carries data of applications
bool
IsOfApplications(uint8_t protocol)
{
    return protocol == TcpL4Protocol::PROT_NUMBER || protocol == UdpL4Protocol::PROT_NUMBER;
}

/// @return why IPv4 has dropped a packet; empty: it was a copy of one that had come
std::string
ReasonOf(Ipv4L3Protocol::DropReason reason)
{
    switch (reason)
    {
    case Ipv4L3Protocol::DROP_TTL_EXPIRED:
        return "the time to live has ended";
    case Ipv4L3Protocol::DROP_NO_ROUTE:
        return "no route";
    case Ipv4L3Protocol::DROP_BAD_CHECKSUM:
        return "a wrong checksum";
    case Ipv4L3Protocol::DROP_INTERFACE_DOWN:
        return "an interface that is down";
    case Ipv4L3Protocol::DROP_FRAGMENT_TIMEOUT:
        return "fragments that did not come";
    case Ipv4L3Protocol::DROP_DUPLICATE:
        return "";
    default:
        return "a destination that is not the host's";
    }
}

/// @return why IPv6 has dropped a packet
std::string
ReasonOf(Ipv6L3Protocol::DropReason reason)
{
    switch (reason)
    {
    case Ipv6L3Protocol::DROP_TTL_EXPIRED:
        return "the time to live has ended";
    case Ipv6L3Protocol::DROP_NO_ROUTE:
        return "no route";
    case Ipv6L3Protocol::DROP_INTERFACE_DOWN:
        return "an interface that is down";
    case Ipv6L3Protocol::DROP_FRAGMENT_TIMEOUT:
        return "fragments that did not come";
    case Ipv6L3Protocol::DROP_ROUTE_ERROR:
        return "a destination that is not the host's";
    default:
        return "a header that it does not know";
    }
}

/// @param header of IPv4 @return the protocol that it carries
uint8_t
ProtocolOf(const Ipv4Header& header)
{
    return header.GetProtocol();
}

/// @param header of IPv6 @return the protocol that it carries
uint8_t
ProtocolOf(const Ipv6Header& header)
{
    return header.GetNextHeader();
}

} // namespace

StackDrops::StackDrops(const Fabric& fabric)
    : m_fabric(fabric),
      m_hosts(fabric.GetNHosts())
{
    for (const HostId host : fabric.Hosts())
    {
        Watch(host, m_hosts[host.Value()]);
    }
}

void
StackDrops::Watch(HostId host, Host& drops)
{
    const Ptr<Node> node = m_fabric.GetHost(host);
    WatchArp(*node, drops);
    WatchTunnels(*node, drops);
    WatchIp<Ipv4L3Protocol, Ipv4, Ipv4Header>(*node, drops);
    WatchIp<Ipv6L3Protocol, Ipv6, Ipv6Header>(*node, drops);
}

void
StackDrops::WatchArp(const Node& node, Host& drops)
{
    const Callback<void, Ptr<const Packet>> unresolved(
        m_guard.Wrap([&drops](const Ptr<const Packet>&) { ++drops.unresolved; }));
    if (const auto arp = node.GetObject<ArpL3Protocol>())
    {
        arp->TraceConnectWithoutContext("Drop", unresolved);
    }
    const auto ipv4 = node.GetObject<Ipv4L3Protocol>();
    for (uint32_t i = 0; ipv4 && i < ipv4->GetNInterfaces(); ++i)
    {
        if (const auto cache = ipv4->GetInterface(i)->GetArpCache())
        {
            cache->TraceConnectWithoutContext("Drop", unresolved);
        }
    }
}

void
StackDrops::WatchTunnels(const Node& node, Host& drops)
{
    for (uint32_t i = 0; i < node.GetNDevices(); ++i)
    {
        if (const auto device = DynamicCast<VxlanNetDevice>(node.GetDevice(i)))
        {
            m_tunnels.push_back(device);
            device->TraceConnectWithoutContext(
                "Drop",
                Callback<void, Ptr<const Packet>, DropReason>(
                    m_guard.Wrap([&drops](const Ptr<const Packet>&, DropReason reason) {
                        ++drops.untunnelled[reason];
                    })));
        }
    }
}

template <typename Protocol, typename Ip, typename Header>
void
StackDrops::WatchIp(const Node& node, Host& drops)
{
    const auto ip = node.GetObject<Protocol>();
    if (!ip)
    {
        return;
    }
    using Reason = typename Protocol::DropReason;
    using Dropped = Callback<void, const Header&, Ptr<const Packet>, Reason, Ptr<Ip>, uint32_t>;
    using Passed = Callback<void, const Header&, Ptr<const Packet>, uint32_t>;
    ip->TraceConnectWithoutContext("Drop",
                                   Dropped(m_guard.Wrap([&drops](const Header& header,
                                                                 const Ptr<const Packet>&,
                                                                 Reason reason,
                                                                 const Ptr<Ip>&,
                                                                 uint32_t) {
                                       const std::string why = ReasonOf(reason);
                                       if (IsOfApplications(ProtocolOf(header)) && !why.empty())
                                       {
                                           ++drops.undelivered[why];
                                       }
                                   })));
    ip->TraceConnectWithoutContext(
        "SendOutgoing",
        Passed(
            m_guard.Wrap([&drops](const Header& header, const Ptr<const Packet>& packet, uint32_t) {
                NoteUnheard(header, *packet, drops);
            })));
    ip->TraceConnectWithoutContext(
        "LocalDeliver",
        Passed(m_guard.Wrap(
            [this, &node, &drops](const Header& header, const Ptr<const Packet>& packet, uint32_t) {
                WatchSockets(ProtocolOf(header), *packet, node, drops);
            })));
}

void
StackDrops::WatchSockets(uint8_t protocol, const Packet& packet, const Node& node, Host& drops)
{
    UdpHeader header;
    if (protocol != UdpL4Protocol::PROT_NUMBER || packet.PeekHeader(header) == 0 ||
        !drops.met.insert(header.GetDestinationPort()).second)
    {
        return;
    }
    ObjectVectorValue sockets;
    node.GetObject<UdpL4Protocol>()->GetAttribute("SocketList", sockets);
    for (std::size_t i = 0; i < sockets.GetN(); ++i)
    {
        const Ptr<Object> socket = sockets.Get(i);
        if (drops.sockets.insert(socket).second)
        {
            socket->TraceConnectWithoutContext(
                "Drop",
                Callback<void, Ptr<const Packet>>(
                    m_guard.Wrap([&drops](const Ptr<const Packet>&) { ++drops.overflown; })));
        }
    }
}

void
StackDrops::NoteUnheard(const Ipv4Header& header, const Packet& packet, Host& drops)
{
    constexpr uint8_t ICMP = 1;
    if (header.GetProtocol() != ICMP)
    {
        return;
    }
    const Ptr<Packet> copy = packet.Copy();
    Icmpv4Header icmp;
    copy->RemoveHeader(icmp);
    if (icmp.GetType() != Icmpv4Header::ICMPV4_DEST_UNREACH ||
        icmp.GetCode() != Icmpv4DestinationUnreachable::ICMPV4_PORT_UNREACHABLE)
    {
        return;
    }
    Icmpv4DestinationUnreachable unreachable;
    copy->RemoveHeader(unreachable);
    uint8_t begin[8]; // of the datagram: source port, destination port
    unreachable.GetData(begin);
    ++drops.unheard[static_cast<uint16_t>(begin[2] << 8 | begin[3])];
}

void
StackDrops::NoteUnheard(const Ipv6Header& header, const Packet& packet, Host& drops)
{
    if (header.GetNextHeader() != Icmpv6L4Protocol::PROT_NUMBER)
    {
        return;
    }
    // Type, code, checksum and four bytes of nothing; the header of IPv6; the ports of UDP.
    constexpr uint32_t ERROR_BYTES = 8;
    constexpr uint32_t PORT = ERROR_BYTES + 40 + 2;
    uint8_t bytes[PORT + 2];
    if (packet.CopyData(bytes, sizeof(bytes)) == sizeof(bytes) &&
        bytes[0] == Icmpv6Header::ICMPV6_ERROR_DESTINATION_UNREACHABLE &&
        bytes[1] == Icmpv6Header::ICMPV6_PORT_UNREACHABLE &&
        bytes[ERROR_BYTES + 6] == UdpL4Protocol::PROT_NUMBER)
    {
        ++drops.unheard[static_cast<uint16_t>(bytes[PORT] << 8 | bytes[PORT + 1])];
    }
}

std::string
StackDrops::Describe(const std::function<uint64_t(const Host&)>& count,
                     const std::string& what) const
{
    uint64_t all = 0;
    uint64_t most = 0;
    HostId worst;
    for (const HostId host : m_fabric.Hosts())
    {
        const uint64_t here = count(m_hosts[host.Value()]);
        all += here;
        if (here > most)
        {
            most = here;
            worst = host;
        }
    }
    if (all == 0)
    {
        return "";
    }
    return std::to_string(all) + " " + what + (all == 1 ? "" : "s") + ", " +
           (most == all ? "" : std::to_string(most) + " of them ") + "at " + worst.Name();
}

void
StackDrops::WarnOfTunnels() const
{
    const auto isIdle = [](const Ptr<VxlanNetDevice>& device) {
        return device->GetCounters().sent == 0;
    };
    if (!m_tunnels.empty() && std::all_of(m_tunnels.begin(), m_tunnels.end(), isIdle))
    {
        PrintWarning("the overlay of " + std::to_string(m_tunnels.size()) +
                         " VXLAN devices has no effect",
                     "nobody has sent to an address of it");
    }
    std::set<DropReason> reasons;
    for (const Host& host : m_hosts)
    {
        for (const auto& [reason, frames] : host.untunnelled)
        {
            reasons.insert(reason);
        }
    }
    for (const DropReason reason : reasons)
    {
        const auto count = [reason](const Host& host) {
            const auto entry = host.untunnelled.find(reason);
            return entry == host.untunnelled.end() ? 0 : entry->second;
        };
        PrintWarning("VXLAN devices have dropped " + Describe(count, "frame") + ": " +
                         ToString(reason),
                     reason == DropReason::TUNNEL_VNI ? "set one Vni at all devices of an overlay"
                                                      : "doc/wire.rst says what the reason means");
    }
}

void
StackDrops::Warn() const
{
    WarnOfTunnels();
    const std::string unresolved =
        Describe([](const Host& host) { return host.unresolved; }, "packet");
    if (!unresolved.empty())
    {
        PrintWarning(
            "IP stacks found no MAC address in time for " + unresolved,
            "raise PendingQueueSize of ns3::ArpCache, or see whether the address is there");
    }
    const std::string overflown =
        Describe([](const Host& host) { return host.overflown; }, "datagram");
    if (!overflown.empty())
    {
        PrintWarning("sockets of UDP had no room for " + overflown,
                     "raise RcvBufSize of ns3::UdpSocket, or let the application read them");
    }
    std::set<std::string> reasons;
    std::set<uint16_t> ports;
    for (const Host& host : m_hosts)
    {
        for (const auto& [reason, packets] : host.undelivered)
        {
            reasons.insert(reason);
        }
        for (const auto& [port, datagrams] : host.unheard)
        {
            ports.insert(port);
        }
    }
    for (const std::string& reason : reasons)
    {
        const auto count = [&reason](const Host& host) {
            const auto entry = host.undelivered.find(reason);
            return entry == host.undelivered.end() ? 0 : entry->second;
        };
        PrintWarning("IP stacks have dropped " + Describe(count, "packet") + ": " + reason,
                     "see the addresses and routes of these hosts");
    }
    for (const uint16_t port : ports)
    {
        const auto count = [port](const Host& host) {
            const auto entry = host.unheard.find(port);
            return entry == host.unheard.end() ? 0 : entry->second;
        };
        PrintWarning("nothing listened at UDP port " + std::to_string(port) + " for " +
                         Describe(count, "datagram"),
                     "let an application such as ns3::PacketSink listen there as long as others "
                     "send");
    }
}

} // namespace ns3
