// SPDX-License-Identifier: GPL-2.0-only

// Any application of ns-3 on a host of a fabric: what would end the program is refused.

#include "loss-warning.h"
#include "lossy-class.h"
#include "on-off-times.h"
#include "socket-flow-helper.h"
#include "tcp-flow-source.h"

#include "ns3/address.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/input-files.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/onoff-application.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/seq-ts-size-header.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/three-gpp-http-server.h"
#include "ns3/three-gpp-http-variables.h"
#include "ns3/traffic-class-map.h"
#include "ns3/type-id.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

namespace ns3
{
namespace
{

/// @param type of an application @return names of its attributes that hold an Address
std::vector<std::string>
AddressesOf(TypeId type)
{
    std::vector<std::string> names;
    while (true)
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto& attribute = type.GetAttribute(i);
            // From 3.44 on some have a second, old name, which cannot be read.
            if (attribute.accessor->HasGetter() &&
                DynamicCast<AddressValue>(attribute.checker->Create()))
            {
                names.push_back(attribute.name);
            }
        }
        // Newer versions of ns-3 have them in a common parent.
        if (!type.HasParent() || type.GetParent() == type)
        {
            return names;
        }
        type = type.GetParent();
    }
}

/// @return whether an application has an attribute
bool
Has(const Application& application, const std::string& name)
{
    TypeId::AttributeInformation info;
    return application.GetInstanceTypeId().LookupAttributeByName(name, &info);
}

/// @return an attribute that is a whole number; 0: there is none
uint64_t
NumberOf(const Application& application, const std::string& name)
{
    UintegerValue value(0);
    if (Has(application, name))
    {
        application.GetAttribute(name, value);
    }
    return value.Get();
}

/// @return whether the sockets of an application are of TCP
bool
IsTcp(const Application& application)
{
    if (!Has(application, "Protocol"))
    {
        return application.GetInstanceTypeId().GetName().find("ns3::ThreeGppHttp") == 0;
    }
    TypeIdValue protocol;
    application.GetAttribute("Protocol", protocol);
    return protocol.Get() == TcpSocketFactory::GetTypeId();
}

/// FabricError for applications that attributes alone do not make fit to run.
void
RequireUsable(TypeId type)
{
    if (!type.IsChildOf(Application::GetTypeId()) || type == TcpFlowSource::GetTypeId())
    {
        throw FabricError(type.GetName() + " is no application to be used by itself",
                          "name one such as ns3::PacketSink");
    }
    // They end the program unless their host has no address, or one of their own choice.
    if (type.GetName().find("ns3::Dhcp") == 0)
    {
        throw FabricError(type.GetName() + " cannot run here", "hosts have their addresses");
    }
    // Up to 3.48 it divides by the number of packets that it has sent, when it goes.
    if (type.GetName() == "ns3::Ping")
    {
        throw FabricError(type.GetName() + " ends the program if it never starts",
                          "use ns3::UdpEchoClient");
    }
}

/// FabricError unless all addresses are there that an application needs.
void
RequireAddresses(const Application& application)
{
    const TypeId type = application.GetInstanceTypeId();
    const bool isSink = type.GetName() == "ns3::PacketSink";
    for (const std::string& name : AddressesOf(type))
    {
        AddressValue address;
        application.GetAttribute(name, address);
        const bool isGiven = !address.Get().IsInvalid();
        if (!isGiven && (isSink || name != "Local"))
        {
            throw FabricError(type.GetName() + " without " + name, "say where");
        }
        // Where there is an attribute for the port, the address has none.
        const bool needsPort = name == "Remote" || name == "Local";
        if (isGiven && needsPort && !InetSocketAddress::IsMatchingType(address.Get()) &&
            !Inet6SocketAddress::IsMatchingType(address.Get()))
        {
            throw FabricError(type.GetName() + "::" + name + " is an address without a port",
                              "give it both");
        }
    }
}

/// FabricError unless hosts have the protocol of an application.
void
RequireProtocol(const Application& application)
{
    if (!Has(application, "Protocol"))
    {
        return;
    }
    const std::string name = application.GetInstanceTypeId().GetName();
    TypeIdValue protocol;
    application.GetAttribute("Protocol", protocol);
    const bool isTcp = IsTcp(application);
    if (!isTcp && protocol.Get() != UdpSocketFactory::GetTypeId())
    {
        throw FabricError(name + " over " + protocol.Get().GetName(),
                          "hosts have ns3::TcpSocketFactory and ns3::UdpSocketFactory");
    }
    if (!isTcp && name == "ns3::BulkSendApplication")
    {
        throw FabricError(name + " over UDP", "it needs ns3::TcpSocketFactory");
    }
}

/// FabricError if a packet is too short for the header that it shall have.
void
RequireRoomForHeader(const Application& application)
{
    BooleanValue hasHeader(false);
    if (Has(application, "EnableSeqTsSizeHeader"))
    {
        application.GetAttribute("EnableSeqTsSizeHeader", hasHeader);
    }
    const uint32_t header = SeqTsSizeHeader().GetSerializedSize();
    const bool isBulk = Has(application, "SendSize");
    const std::string attribute = isBulk ? "SendSize" : "PacketSize";
    if (!hasHeader.Get() || !Has(application, attribute))
    {
        return;
    }
    const std::string name = application.GetInstanceTypeId().GetName();
    const uint64_t size = NumberOf(application, attribute);
    if (size < header)
    {
        throw FabricError(name + "::" + attribute + " is " + std::to_string(size) +
                              ", less than its header",
                          "with EnableSeqTsSizeHeader it is at least " + std::to_string(header));
    }
    const uint64_t last = isBulk ? NumberOf(application, "MaxBytes") % size : 0;
    if (last > 0 && last < header)
    {
        throw FabricError(name + "::MaxBytes leaves " + std::to_string(last) +
                              " bytes for the last packet, less than its header",
                          "with EnableSeqTsSizeHeader it is at least " + std::to_string(header));
    }
}

/// FabricError for datagrams that are longer than there can be: none would be sent.
void
RequireDatagrams(const Application& application)
{
    constexpr uint64_t MOST_UDP_BYTES = 65507;
    const uint64_t bytes = IsTcp(application) ? 0 : NumberOf(application, "PacketSize");
    if (bytes > MOST_UDP_BYTES)
    {
        throw FabricError(application.GetInstanceTypeId().GetName() + "::PacketSize is " +
                              std::to_string(bytes),
                          "a datagram has at most " + std::to_string(MOST_UDP_BYTES) + " bytes");
    }
}

/// @return whether a random variable is always 0, or a time below the unit of the clock
bool
IsAlwaysZero(const RandomVariableStream& variable)
{
    // All values are 0 where these attributes are. Other variables are not 0 for ever.
    static const std::map<std::string, std::vector<std::string>> extents{
        {"ns3::ConstantRandomVariable", {"Constant"}},
        {"ns3::UniformRandomVariable", {"Min", "Max"}},
        {"ns3::SequentialRandomVariable", {"Min", "Max"}},
        {"ns3::TriangularRandomVariable", {"Min", "Max"}},
        {"ns3::NormalRandomVariable", {"Mean", "Variance"}},
        {"ns3::ExponentialRandomVariable", {"Mean"}},
        {"ns3::ParetoRandomVariable", {"Scale"}},
        {"ns3::WeibullRandomVariable", {"Scale"}},
        {"ns3::GammaRandomVariable", {"Beta"}},
        {"ns3::ErlangRandomVariable", {"Lambda"}}};
    const auto found = extents.find(variable.GetInstanceTypeId().GetName());
    return found != extents.end() &&
           std::all_of(found->second.begin(), found->second.end(), [&](const std::string& name) {
               DoubleValue value;
               variable.GetAttribute(name, value);
               return !Seconds(value.Get()).IsStrictlyPositive();
           });
}

/// FabricError if an application is on for no time and off for no time, or sends a packet in no
/// time: time would stand still.
void
RequireOnOrOffTime(const Application& application)
{
    if (!dynamic_cast<const OnOffApplication*>(&application))
    {
        return;
    }
    DataRateValue rate;
    application.GetAttribute("DataRate", rate);
    if (rate.Get().GetBitRate() == 0)
    {
        throw FabricError("ns3::OnOffApplication at a rate of 0", "it must be above 0");
    }
    for (const char* name : {"OnTime", "OffTime"})
    {
        PointerValue variable;
        application.GetAttribute(name, variable);
        const auto time = variable.Get<RandomVariableStream>();
        if (!time || !IsAlwaysZero(*time))
        {
            return;
        }
    }
    throw FabricError("the OnTime and the OffTime of ns3::OnOffApplication are 0",
                      "one of them must be above 0");
}

/// FabricError for a file of UdpTraceClient without packets. The attribute has no getter, and what
/// the application makes of the file is too late.
void
RequireTrace(const ObjectFactory& factory)
{
    const std::string key = "TraceFilename=";
    std::ostringstream text;
    text << factory;
    const std::string all = text.str();
    const std::size_t begin = all.find(key);
    if (factory.GetTypeId().GetName() != "ns3::UdpTraceClient" || begin == std::string::npos)
    {
        return;
    }
    const std::size_t name = begin + key.size();
    const std::string path = all.substr(name, all.find_first_of("|]", name) - name);
    std::ifstream file(path);
    InputFiles::Add(path);
    uint64_t index = 0;
    uint64_t time = 0;
    uint64_t bytes = 0;
    char kind = 0;
    bool anyTime = false;
    while (file >> index >> kind >> time >> bytes)
    {
        anyTime = anyTime || (kind != 'B' && index > 0 && time > 0);
    }
    if (!path.empty() && !anyTime)
    {
        throw FabricError("ns3::UdpTraceClient cannot use the file \"" + path + "\"",
                          "its lines are: number from 1, I, P or B, milliseconds, bytes");
    }
}

/// @return the port on which an application listens; 0: any or none
uint16_t
LocalPortOf(const Application& application)
{
    AddressValue local;
    if (Has(application, "Local"))
    {
        application.GetAttribute("Local", local);
    }
    if (InetSocketAddress::IsMatchingType(local.Get()))
    {
        return InetSocketAddress::ConvertFrom(local.Get()).GetPort();
    }
    if (Inet6SocketAddress::IsMatchingType(local.Get()))
    {
        return Inet6SocketAddress::ConvertFrom(local.Get()).GetPort();
    }
    const uint64_t port =
        NumberOf(application, Has(application, "LocalPort") ? "LocalPort" : "Port");
    // Newer versions of ns-3 have a number above all ports for none.
    return port <= std::numeric_limits<uint16_t>::max() ? static_cast<uint16_t>(port) : 0;
}

/// Newer versions of ns-3 have AssignStreams() at all applications.
template <typename T>
auto
AssignOwn(T& application, int64_t stream, int /* preferred */)
    -> decltype(application.AssignStreams(stream))
{
    return application.AssignStreams(stream);
}

/// ns-3.37 has it at some alone.
template <typename T>
int64_t
AssignOwn(T& application, int64_t stream, long /* otherwise */)
{
    auto* const source = dynamic_cast<OnOffApplication*>(&application);
    return source ? source->AssignStreams(stream) : 0;
}

/// Fix what is random in an application. @param stream the first to use @return number of them
int64_t
AssignStreamsOf(Application& application, int64_t stream)
{
    int64_t used = AssignOwn(application, stream, 0);
    PointerValue variables;
    if (Has(application, "Variables"))
    {
        application.GetAttribute("Variables", variables);
    }
    // Client and server of HTTP have their random variables there, and tell nobody.
    if (const auto http = variables.Get<ThreeGppHttpVariables>())
    {
        used += http->AssignStreams(stream + used);
        if (auto* const server = dynamic_cast<ThreeGppHttpServer*>(&application))
        {
            server->SetMtuSize(http->GetMtuSize()); // its constructor has drawn it before
        }
    }
    return used;
}

/// @return where an application sends, over IPv4; empty: nowhere, or that cannot be seen
std::optional<InetSocketAddress>
PeerOf(const Application& application)
{
    for (const std::string& name : AddressesOf(application.GetInstanceTypeId()))
    {
        AddressValue address;
        application.GetAttribute(name, address);
        if (name.rfind("Local", 0) == 0)
        {
            continue;
        }
        if (InetSocketAddress::IsMatchingType(address.Get()))
        {
            return InetSocketAddress::ConvertFrom(address.Get());
        }
        // Such as RemoteAddress, beside RemotePort.
        const std::size_t end = name.rfind("Address");
        const std::string port = end == std::string::npos ? "" : name.substr(0, end) + "Port";
        if (Ipv4Address::IsMatchingType(address.Get()) && Has(application, port))
        {
            return InetSocketAddress(Ipv4Address::ConvertFrom(address.Get()),
                                     static_cast<uint16_t>(NumberOf(application, port)));
        }
    }
    return std::nullopt;
}

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

/// @param application with a UDP or TCP socket @return bytes of its longest IP packet; 0: unknown
uint64_t
LongestPacketOf(const Application& application)
{
    constexpr uint64_t TCP_AND_IP = 20 + 32;
    constexpr uint64_t UDP_AND_IP = 20 + 8;
    if (IsTcp(application))
    {
        TypeId::AttributeInformation info;
        TcpSocketBase::GetTypeId().LookupAttributeByName("SegmentSize", &info);
        return DynamicCast<const UintegerValue>(info.initialValue)->Get() + TCP_AND_IP;
    }
    const uint64_t bytes = NumberOf(application, "PacketSize");
    return bytes ? bytes + UDP_AND_IP : 0;
}

/// The checks before a run look at the class of what an application sends, and at its length.
void
NoteSender(const Fabric& fabric, HostId host, const Application& application)
{
    const auto peer = PeerOf(application);
    const auto destination = peer ? HostOf(fabric, peer->GetIpv4()) : std::nullopt;
    if (!destination)
    {
        return;
    }
    const auto map = fabric.GetDevice(fabric.GetTopology().NodeOf(host), 0)->GetTrafficClassMap();
    const auto dscp = static_cast<uint8_t>(NumberOf(application, "Tos") >> 2);
    NoteIpSender(fabric,
                 host,
                 map->GetTrust() == TrafficClassMap::DSCP ? map->ClassOfDscp(dscp)
                                                          : map->GetDefaultClass());
    if (const uint64_t bytes = LongestPacketOf(application))
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
        const auto peer = PeerOf(application);
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
        if (IsTcp(application) && !m_ports.count({*host, true, peer->GetPort()}) &&
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
        next += AssignStreamsOf(*flow->GetSource(), next);
    }
    for (const auto& application : m_applications)
    {
        next += AssignStreamsOf(*application, next);
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
    m_nextStream += AssignStreamsOf(application, m_nextStream);
}

void
SocketFlowHelper::RequireRunnable(const Application& application)
{
    RequireAddresses(application);
    RequireProtocol(application);
    RequireRoomForHeader(application);
    RequireDatagrams(application);
    RequireTimesFromZero(application);
    RequireOnOrOffTime(application);
}

void
SocketFlowHelper::ReservePort(HostId host, const Application& application)
{
    const uint16_t port = LocalPortOf(application);
    if (port && !m_ports.insert({host, IsTcp(application), port}).second)
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
    RequireUsable(factory.GetTypeId());
    RequireTrace(factory);
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
