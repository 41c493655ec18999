// SPDX-License-Identifier: GPL-2.0-only
#include "application-checks.h"

#include "stock-application.h"
#include "tcp-flow-source.h"

#include "ns3/fabric-error.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/udp-socket-factory.h"

#include <string>

namespace ns3
{
namespace
{

/// FabricError unless all addresses are there that an application needs.
void
RequireAddresses(const Application& application)
{
    const TypeId type = application.GetInstanceTypeId();
    const bool isSink = type.GetName() == "ns3::PacketSink";
    for (const std::string& name : StockApplication::AddressesOf(type))
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
    if (!StockApplication::Has(application, "Protocol"))
    {
        return;
    }
    const std::string name = application.GetInstanceTypeId().GetName();
    TypeIdValue protocol;
    application.GetAttribute("Protocol", protocol);
    const bool isTcp = StockApplication::IsTcp(application);
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

} // namespace

void
RequireUsable(const ObjectFactory& factory)
{
    const TypeId type = factory.GetTypeId();
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

void
RequireRunnable(const Application& application)
{
    RequireAddresses(application);
    RequireProtocol(application);
}

} // namespace ns3
