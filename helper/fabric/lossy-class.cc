// SPDX-License-Identifier: GPL-2.0-only
#include "lossy-class.h"

#include "class-list.h"
#include "fabric-ports.h"
#include "fabric.h"
#include "named-once.h"

#include "ns3/fabric-warning.h"
#include "ns3/rdma-connection.h"
#include "ns3/traffic-class-map.h"

#include <string>

namespace ns3
{

namespace
{

/// @param sentClass a class @return what NoteOnce() keeps when it was named
std::string
NoteOf(uint8_t sentClass)
{
    return "class " + std::to_string(sentClass) + " may lose frames";
}

/// @param sentClass a class @return what NoteOnce() keeps when a host sends data of it
std::string
SentNoteOf(uint8_t sentClass)
{
    return "class " + std::to_string(sentClass) + " is sent";
}

/// @param sentClass a class @return what NoteOnce() keeps when it is lossless at a host that sends
/// it
std::string
LosslessNoteOf(uint8_t sentClass)
{
    return "class " + std::to_string(sentClass) + " is sent without loss";
}

/**
 * Warn where the class map of what a host is joined to puts a class into one without PFC.
 * @param fabric the fabric
 * @param host node that sends
 * @param sentClass lossless at the host
 */
void
WarnOfMap(const Fabric& fabric, NodeId host, uint8_t sentClass)
{
    const FabricTopology& topology = fabric.GetTopology();
    for (const LinkId link : topology.GetLinksOf(host))
    {
        const NodeId node = topology.GetLink(link).Peer(host);
        const auto number = topology.GetPort(node, link);
        const auto port = fabric.GetDevice(node, number);
        const auto marking =
            RdmaMarking::FromMap(*port->GetPeer()->GetTrafficClassMap(), sentClass);
        const uint8_t cls = port->GetTrafficClassMap()->Classify(marking);
        const uint8_t group = port->GetTrafficClassMap()->GroupOf(cls);
        const uint8_t priority = port->GetTrafficClassMap()->PfcPriorityOf(group);
        const bool isMoved = priority != cls || cls != sentClass;
        if (port->IsPfcEnabled(priority) || !isMoved || !NoteOnce(fabric, NoteOf(sentClass)))
        {
            continue;
        }
        const std::string map = "flows of class " + std::to_string(sentClass) +
                                " may lose frames, as the class map of " +
                                FabricPlaces::NameOf(topology, node) + " port " +
                                std::to_string(number);
        if (priority != cls)
        {
            PrintWarning(map + " books them in priority group " + std::to_string(group) +
                             ", for whose PFC priority " + std::to_string(priority) + " PFC is off",
                         "book them in another group, or name that priority in the lossless "
                         "classes");
        }
        else
        {
            PrintWarning(map + " puts them into class " + std::to_string(cls) +
                             ", for which PFC is off",
                         "map them to a lossless class, or name that class in the lossless "
                         "classes");
        }
    }
}

/// Classes and PFC priorities of a host.
struct PfcOfHost
{
    uint8_t lossless{0};   //!< mask of the classes that pauses stop
    uint8_t priorities{0}; //!< mask of the priorities for which PFC works
};

/// @param fabric where @param node a host @return what its ports have
PfcOfHost
PfcAt(const Fabric& fabric, NodeId node)
{
    PfcOfHost pfc;
    for (uint32_t port = 0; port < fabric.GetTopology().GetLinksOf(node).size(); ++port)
    {
        const auto device = fabric.GetDevice(node, port);
        pfc.lossless |= device->GetPausableClasses();
        pfc.priorities |= device->GetActivePfcClasses();
    }
    return pfc;
}

} // namespace

void
NoteIpSender(const Fabric& fabric, HostId sender, uint8_t trafficClass)
{
    const NodeId node = fabric.GetTopology().NodeOf(sender);
    if (PfcAt(fabric, node).lossless & (1U << trafficClass))
    {
        NoteOnce(fabric, SentNoteOf(trafficClass));
        NoteOnce(fabric, LosslessNoteOf(trafficClass));
        WarnOfMap(fabric, node, trafficClass);
    }
}

void
WarnIfLossy(const Fabric& fabric, HostId sender, uint8_t trafficClass)
{
    NoteOnce(fabric, SentNoteOf(trafficClass));
    const FabricTopology& topology = fabric.GetTopology();
    const NodeId node = topology.NodeOf(sender);
    const auto [lossless, priorities] = PfcAt(fabric, node);
    if (priorities == 0)
    {
        return; // a fabric without PFC is meant to be lossy
    }
    if (lossless & (1U << trafficClass))
    {
        NoteOnce(fabric, LosslessNoteOf(trafficClass));
        WarnOfMap(fabric, node, trafficClass);
        return;
    }
    if (!NoteOnce(fabric, NoteOf(trafficClass)))
    {
        return;
    }
    if (priorities & (1U << trafficClass))
    {
        PrintWarning("flows of class " + std::to_string(trafficClass) +
                         " may lose frames, as no PFC priority with PFC pauses their queue at " +
                         FabricPlaces::NameOf(topology, node),
                     "name the queue in PfcQueue of the class map there");
        return;
    }
    PrintWarning("flows of class " + std::to_string(trafficClass) +
                     " may lose frames, as PFC is on for class " + ClassList(lossless) + " only",
                 "choose such a class, or name theirs in the lossless classes");
}

void
NoteLossy(const Fabric& fabric, uint8_t trafficClass)
{
    NoteOnce(fabric, NoteOf(trafficClass));
}

bool
IsNamedLossy(const Fabric& fabric, uint8_t trafficClass)
{
    return IsNoted(fabric, NoteOf(trafficClass));
}

bool
WasLossless(const Fabric& fabric, uint8_t trafficClass)
{
    return IsNoted(fabric, LosslessNoteOf(trafficClass));
}

uint8_t
LosslessAtHosts(const Fabric& fabric)
{
    uint8_t lossless = 0;
    for (const FabricPort& port : PortsOf(fabric))
    {
        lossless |= port.isSwitch ? 0 : port.device->GetPausableClasses();
    }
    return lossless;
}

bool
IsSent(const Fabric& fabric, uint8_t trafficClass)
{
    return IsNoted(fabric, SentNoteOf(trafficClass));
}

} // namespace ns3
