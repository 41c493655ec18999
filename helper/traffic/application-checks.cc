// SPDX-License-Identifier: GPL-2.0-only
#include "application-checks.h"

#include "on-off-times.h"
#include "stock-application.h"
#include "tcp-flow-source.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-error.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/input-files.h"
#include "ns3/nstime.h"
#include "ns3/onoff-application.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/seq-ts-size-header.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{
namespace
{

/// FabricError for applications that attributes alone do not make fit to run.
void
RequireFit(TypeId type)
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

/// FabricError if a packet is too short for the header that it shall have.
void
RequireRoomForHeader(const Application& application)
{
    BooleanValue hasHeader(false);
    if (StockApplication::Has(application, "EnableSeqTsSizeHeader"))
    {
        application.GetAttribute("EnableSeqTsSizeHeader", hasHeader);
    }
    const uint32_t header = SeqTsSizeHeader().GetSerializedSize();
    const bool isBulk = StockApplication::Has(application, "SendSize");
    const std::string attribute = isBulk ? "SendSize" : "PacketSize";
    if (!hasHeader.Get() || !StockApplication::Has(application, attribute))
    {
        return;
    }
    const std::string name = application.GetInstanceTypeId().GetName();
    const uint64_t size = StockApplication::NumberOf(application, attribute);
    if (size < header)
    {
        throw FabricError(name + "::" + attribute + " is " + std::to_string(size) +
                              ", less than its header",
                          "with EnableSeqTsSizeHeader it is at least " + std::to_string(header));
    }
    const uint64_t last = isBulk ? StockApplication::NumberOf(application, "MaxBytes") % size : 0;
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
    const uint64_t bytes = StockApplication::IsTcp(application)
                               ? 0
                               : StockApplication::NumberOf(application, "PacketSize");
    if (bytes > StockApplication::MOST_UDP_BYTES)
    {
        throw FabricError(application.GetInstanceTypeId().GetName() + "::PacketSize is " +
                              std::to_string(bytes),
                          "a datagram has at most " +
                              std::to_string(StockApplication::MOST_UDP_BYTES) + " bytes");
    }
}

/// FabricError for pings that are longer than IP carries, of which ns-3 makes fragments for ever.
void
RequirePings(const Application& application)
{
    if (application.GetInstanceTypeId().GetName() != "ns3::V4Ping")
    {
        return;
    }
    const uint64_t bytes = StockApplication::NumberOf(application, "Size");
    if (bytes > StockApplication::MOST_UDP_BYTES) // headers of UDP and ICMP are of one size
    {
        throw FabricError("ns3::V4Ping::Size is " + std::to_string(bytes),
                          "a ping has at most " + std::to_string(StockApplication::MOST_UDP_BYTES) +
                              " bytes");
    }
}

/// FabricError for an interval of packets that is negative, or 0 while their number has no end:
/// time would stand still.
void
RequireInterval(const Application& application)
{
    if (!StockApplication::Has(application, "Interval"))
    {
        return;
    }
    const std::string name = application.GetInstanceTypeId().GetName();
    TimeValue interval;
    application.GetAttribute("Interval", interval);
    const bool isCounted = StockApplication::Has(application, "MaxPackets") &&
                           StockApplication::NumberOf(application, "MaxPackets") > 0;
    if (interval.Get().IsStrictlyNegative() || (interval.Get().IsZero() && !isCounted))
    {
        throw FabricError(name + "::Interval is " + ExactText(interval.Get()),
                          isCounted ? "it must be 0 or more" : "it must be above 0");
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

} // namespace

void
RequireUsable(const ObjectFactory& factory)
{
    RequireFit(factory.GetTypeId());
    RequireTrace(factory);
}

void
RequireRunnable(const Application& application)
{
    RequireAddresses(application);
    RequireProtocol(application);
    RequireRoomForHeader(application);
    RequireDatagrams(application);
    RequirePings(application);
    RequireInterval(application);
    RequireTimesFromZero(application);
    RequireOnOrOffTime(application);
}

} // namespace ns3
