// SPDX-License-Identifier: GPL-2.0-only

// Any application of ns-3 on a host of a fabric: what would end the program is refused.

#include "application-checks.h"
#include "loss-check.h"
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
