// SPDX-License-Identifier: GPL-2.0-only

// Any application of ns-3 on a host of a fabric: what would end the program is refused.

#include "application-checks.h"
#include "loss-warning.h"
#include "lossy-class.h"
#include "socket-flow-helper.h"
#include "stock-application.h"

#include "ns3/fabric-error.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/traffic-class-map.h"
#include "ns3/udp-l4-protocol.h"

#include <optional>
#include <sstream>

namespace ns3
{
namespace
{

/// @param fabric where @param address of a host @return the host; empty: it is of none
std::optional<HostId>
HostOf(const Fabric& fabric, const Ipv4Address& address)
{
    const FabricTopology& topology = fabric.GetTopology();
    for (const HostId host : fabric.Hosts())
    {
        const auto ports = topology.GetLinksOf(topology.NodeOf(host)).size();
        for (uint32_t port = 0; port < ports; ++port)
        {
            if (fabric.GetAddress(host, port) == address)
            {
                return host;
            }
        }
    }
    return std::nullopt;
}

/// @param fabric a fabric @param address any @return whether no IP stack of a host has it, and it
/// is that of one host alone; false where a stack is gone
bool
IsOfNobody(const Fabric& fabric, const Ipv4Address& address)
{
    if (address.IsAny() || address.IsBroadcast() || address.IsMulticast() || address.IsLocalhost())
    {
        return false;
    }
    bool isOfNobody = true;
    for (const HostId host : fabric.Hosts())
    {
        const auto ipv4 = fabric.GetHost(host)->GetObject<Ipv4>();
        isOfNobody = isOfNobody && ipv4 && ipv4->GetInterfaceForAddress(address) < 0;
        for (uint32_t i = 0; isOfNobody && i < ipv4->GetNInterfaces(); ++i)
        {
            for (uint32_t j = 0; isOfNobody && j < ipv4->GetNAddresses(i); ++j)
            {
                const Ipv4InterfaceAddress own = ipv4->GetAddress(i, j);
                isOfNobody = !address.IsSubnetDirectedBroadcast(own.GetMask()) ||
                             !own.IsInSameSubnet(address);
            }
        }
    }
    return isOfNobody;
}

/// @param host a node @param peer address and port of it @return whether a socket of a protocol is
/// there; also where the node has no such protocol any more
template <typename Protocol>
bool
IsOpen(const Node& host, const InetSocketAddress& peer)
{
    const auto protocol = host.GetObject<Protocol>();
    if (!protocol)
    {
        return true;
    }
    for (const Ipv4Address& local : {Ipv4Address::GetAny(), peer.GetIpv4()})
    {
        Ipv4EndPoint* const end = protocol->Allocate(Ptr<NetDevice>(), local, peer.GetPort());
        if (!end)
        {
            return true; // it is taken
        }
        protocol->DeAllocate(end);
    }
    return false;
}

/// The checks before a run look at the class of what an application sends, and at its length.
void
NoteSender(const Fabric& fabric, HostId host, const Application& application)
{
    const auto peer = StockApplication::PeerOf(application);
    const auto destination = peer ? HostOf(fabric, peer->GetIpv4()) : std::nullopt;
    if (!destination)
    {
        return;
    }
    const auto map = fabric.GetDevice(fabric.GetTopology().NodeOf(host), 0)->GetTrafficClassMap();
    const auto dscp = static_cast<uint8_t>(StockApplication::NumberOf(application, "Tos") >> 2);
    NoteIpSender(fabric,
                 host,
                 map->GetTrust() == TrafficClassMap::DSCP ? map->ClassOfDscp(dscp)
                                                          : map->GetDefaultClass());
    if (const uint64_t bytes = StockApplication::LongestPacketOf(application))
    {
        NoteIpPackets(fabric, host, *destination, bytes);
    }
}

} // namespace

void
SocketFlowHelper::ForEachUnused(const Unused& tell) const
{
    if (IsSealed())
    {
        return; // its own run has named them
    }
    std::vector<std::string> closed;
    std::vector<std::string> nowhere;
    for (std::size_t i = 0; i < m_applications.size(); ++i)
    {
        const Application& application = *m_applications[i];
        const auto peer = StockApplication::PeerOf(application);
        const auto host = peer ? HostOf(m_fabric, peer->GetIpv4()) : std::nullopt;
        if (!peer || m_starts[i] >= Simulator::Now())
        {
            continue;
        }
        if (!host)
        {
            if (IsOfNobody(m_fabric, peer->GetIpv4()))
            {
                std::ostringstream text;
                text << application.GetInstanceTypeId().GetName() << " sends to " << peer->GetIpv4()
                     << ", which is no address of a host";
                nowhere.push_back(text.str());
            }
            continue;
        }
        // Of UDP, StackDrops counts what came in vain.
        if (StockApplication::IsTcp(application) &&
            !m_ports.count({*host, true, peer->GetPort()}) &&
            !IsOpen<TcpL4Protocol>(*m_fabric.GetHost(*host), *peer))
        {
            closed.push_back(application.GetInstanceTypeId().GetName() + " has sent to TCP port " +
                             std::to_string(peer->GetPort()) + " of " + host->Name() +
                             ", at which nothing listens");
        }
    }
    if (!nowhere.empty())
    {
        tell(FirstOf(nowhere), "take one of the fabric or of an overlay");
    }
    if (!closed.empty())
    {
        tell(FirstOf(closed), "let an application such as ns3::PacketSink listen there");
    }
    NameFailed(tell);
    NameIdleStops(tell);
}

void
SocketFlowHelper::NameIdleStops(const Unused& tell) const
{
    std::vector<std::string> idle;
    for (std::size_t index = 0; index < m_flows.size(); ++index)
    {
        const SocketFlow& flow = *m_flows[index];
        if (flow.HasIdleStop())
        {
            idle.push_back("the stop of TCP flow " + std::to_string(index) + " from " +
                           flow.GetPlan().source.Name() + " to " +
                           flow.GetPlan().destination.Name() +
                           " has changed nothing: its socket had taken all its bytes");
        }
    }
    if (!idle.empty())
    {
        tell(FirstOf(idle), "lower SndBufSize of ns3::TcpSocket, which a stop does not empty");
    }
}

void
SocketFlowHelper::NameFailed(const Unused& tell) const
{
    std::vector<std::string> failed;
    for (std::size_t index = 0; index < m_flows.size(); ++index)
    {
        const SocketFlow& flow = *m_flows[index];
        if (flow.GetState() == SocketFlow::FAILED)
        {
            failed.push_back(
                "TCP flow " + std::to_string(index) + " from " + flow.GetPlan().source.Name() +
                " to " + flow.GetPlan().destination.Name() + " has failed: " + flow.GetReason() +
                " after " + std::to_string(flow.GetBytesReceived()) + " bytes");
        }
    }
    if (!failed.empty())
    {
        tell(FirstOf(failed),
             "see what its packets have met; ConnCount and DataRetries say how often TCP tries");
    }
}

int64_t
SocketFlowHelper::AssignStreams(int64_t stream)
{
    int64_t next = stream;
    for (const auto& flow : m_flows)
    {
        next += StockApplication::AssignStreamsOf(*flow->GetSource(), next);
    }
    for (const auto& application : m_applications)
    {
        next += StockApplication::AssignStreamsOf(*application, next);
    }
    m_stackAssigned = m_fabric.HasInternet();
    if (m_stackAssigned)
    {
        // Solicitations of IPv6 are jittered.
        next += InternetStackHelper().AssignStreams(m_fabric.GetHosts(), next);
    }
    m_nextStream = LaterStreams(stream).OfApplications();
    return next - stream;
}

void
SocketFlowHelper::AssignLater(Application& application)
{
    if (m_nextStream < 0)
    {
        return; // AssignStreams() comes
    }
    if (!m_stackAssigned) // this application has brought it
    {
        m_stackAssigned = true;
        m_nextStream += InternetStackHelper().AssignStreams(m_fabric.GetHosts(), m_nextStream);
    }
    m_nextStream += StockApplication::AssignStreamsOf(application, m_nextStream);
}

void
SocketFlowHelper::ReservePort(HostId host, const Application& application)
{
    const uint16_t port = StockApplication::LocalPortOf(application);
    if (port && !m_ports.insert({host, StockApplication::IsTcp(application), port}).second)
    {
        throw FabricError("port " + std::to_string(port) + " of " + host.Name() + " is taken",
                          "name another");
    }
}

Ptr<Application>
SocketFlowHelper::AddApplication(HostId host, const ObjectFactory& factory, Time start, Time stop)
{
    RequireOpen("an application");
    const Ptr<Node> node = m_fabric.GetHost(host);
    start += m_begin;
    stop += stop.IsZero() ? Time(0) : m_begin;
    RequireTimes(start, stop);
    RequireUsable(factory);
    m_fabric.InstallInternet();
    const auto application = factory.Create<Application>();
    try
    {
        RequireRunnable(*application);
        ReservePort(host, *application);
    }
    catch (const FabricError&)
    {
        // ns-3 ends the program where its client of HTTP goes before it has had a socket.
        if (factory.GetTypeId().GetName() == "ns3::ThreeGppHttpClient")
        {
            application->Ref(); // it stays for good
        }
        throw;
    }
    NoteSender(m_fabric, host, *application);
    Install(node, application, start, stop);
    AssignLater(*application);
    m_applications.push_back(application);
    m_starts.push_back(start);
    Plan(m_fabric);
    return application;
}

} // namespace ns3
