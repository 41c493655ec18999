// SPDX-License-Identifier: GPL-2.0-only
#include "lossy-class.h"

#include "class-list.h"
#include "fabric-objects.h"
#include "fabric-ports.h"

#include "ns3/rdma-connection.h"
#include "ns3/traffic-class-map.h"

#include <string>

namespace ns3
{

namespace
{

/// A class may lose frames: add that to the findings of a fabric.
void
AddLossy(const FabricObjects& fabric,
         const std::string& place,
         uint8_t cls,
         const std::string& what,
         const std::string& right)
{
    fabric.GetNotes().lossy |= 1U << cls;
    fabric.GetFindings().Add({Level::LOSS, "lossy", place, cls, what, right});
}

/**
 * Find where the class map of what a host is joined to puts a class into one without PFC.
 * @param fabric the fabric
 * @param host node that sends
 * @param sentClass lossless at the host
 */
void
AddIfMapped(const FabricObjects& fabric, NodeId host, uint8_t sentClass)
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
        const bool isKnown = (fabric.GetNotes().lossy & (1U << sentClass)) != 0;
        if (port->IsPfcEnabled(priority) || !isMoved || isKnown)
        {
            continue;
        }
        const std::string place =
            FabricPlaces::NameOf(topology, node) + " port " + std::to_string(number);
        if (priority != cls)
        {
            AddLossy(fabric,
                     place,
                     sentClass,
                     "flows may lose frames, as the class map books them in priority group " +
                         std::to_string(group) + ", for whose PFC priority " +
                         std::to_string(priority) + " PFC is off",
                     "book them in another group, or name that priority in the lossless classes");
        }
        else
        {
            AddLossy(fabric,
                     place,
                     sentClass,
                     "flows may lose frames, as the class map puts them into class " +
                         std::to_string(cls) + ", for which PFC is off",
                     "map them to a lossless class, or name that class in the lossless classes");
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
PfcAt(const FabricObjects& fabric, NodeId node)
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
NoteIpSender(const FabricObjects& fabric, HostId sender, uint8_t trafficClass)
{
    const NodeId node = fabric.GetTopology().NodeOf(sender);
    if (PfcAt(fabric, node).lossless & (1U << trafficClass))
    {
        fabric.GetNotes().sent |= 1U << trafficClass;
        AddIfMapped(fabric, node, trafficClass);
    }
}

void
AddIfLossy(const FabricObjects& fabric, HostId sender, uint8_t trafficClass)
{
    const uint8_t bit = 1U << trafficClass;
    fabric.GetNotes().sent |= bit;
    const FabricTopology& topology = fabric.GetTopology();
    const NodeId node = topology.NodeOf(sender);
    const auto [lossless, priorities] = PfcAt(fabric, node);
    if (priorities == 0)
    {
        return; // a fabric without PFC is meant to be lossy
    }
    if (lossless & bit)
    {
        AddIfMapped(fabric, node, trafficClass);
    }
    else if (fabric.GetNotes().lossy & bit)
    {
        return; // once
    }
    else if (priorities & bit)
    {
        AddLossy(fabric,
                 FabricPlaces::NameOf(topology, node),
                 trafficClass,
                 "flows may lose frames, as no PFC priority with PFC pauses their queue",
                 "name the queue in PfcQueue of the class map there");
    }
    else
    {
        AddLossy(fabric,
                 "",
                 trafficClass,
                 "flows may lose frames, as PFC is on for class " + ClassList(lossless) + " only",
                 "choose such a class, or name theirs in the lossless classes");
    }
}

uint8_t
LosslessAtHosts(const FabricObjects& fabric)
{
    uint8_t lossless = 0;
    for (const FabricPort& port : PortsOf(fabric))
    {
        lossless |= port.isSwitch ? 0 : port.device->GetPausableClasses();
    }
    return lossless;
}

} // namespace ns3
