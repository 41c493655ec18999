// SPDX-License-Identifier: GPL-2.0-only
#include "stock-application.h"

#include "ns3/address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-address.h"
#include "ns3/onoff-application.h"
#include "ns3/pointer.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/three-gpp-http-server.h"
#include "ns3/three-gpp-http-variables.h"
#include "ns3/uinteger.h"

#include <limits>

namespace ns3
{
namespace StockApplication
{
namespace
{

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

} // namespace

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

bool
Has(const Application& application, const std::string& name)
{
    TypeId::AttributeInformation info;
    return application.GetInstanceTypeId().LookupAttributeByName(name, &info);
}

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
    Ipv4AddressValue remote; // of V4Ping, which has no port
    if (Has(application, "Remote") && application.GetAttributeFailSafe("Remote", remote))
    {
        return InetSocketAddress(remote.Get(), 0);
    }
    return std::nullopt;
}

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

} // namespace StockApplication
} // namespace ns3
