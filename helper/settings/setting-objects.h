// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SETTING_OBJECTS_H
#define LOSSLESS_SETTING_OBJECTS_H

#include "ns3/ecn-marker.h"
#include "ns3/egress-scheduler.h"
#include "ns3/fabric-objects.h"
#include "ns3/fabric-places.h"
#include "ns3/load-balancer.h"
#include "ns3/nic-watchdog.h"
#include "ns3/switch-extension.h"
#include "ns3/traffic-class-map.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// @param fabric a fabric @param node a node of it @return what of the node as a whole has
/// attributes: a switch and its parts, or what watches a host
inline std::vector<Ptr<Object>>
ObjectsOfNode(const FabricObjects& fabric, NodeId node)
{
    std::vector<Ptr<Object>> objects;
    const SwitchId which = fabric.GetTopology().SwitchAt(node);
    if (which.IsNone())
    {
        if (const auto watchdog = fabric.GetNode(node)->GetObject<NicWatchdog>())
        {
            objects.push_back(watchdog);
        }
        return objects;
    }
    const auto fabricSwitch = fabric.GetSwitch(which);
    objects = {fabricSwitch,
               fabricSwitch->GetMmu(),
               fabricSwitch->GetEcnMarker(),
               fabricSwitch->GetLoadBalancer()};
    for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
    {
        objects.push_back(fabricSwitch->GetExtension(i));
    }
    return objects;
}

/// @ingroup lossless
/// @param fabric a fabric @param node a node of it @param port one of its ports @return what of the
/// port has attributes
inline std::vector<Ptr<Object>>
ObjectsOfPort(const FabricObjects& fabric, NodeId node, uint32_t port)
{
    const auto device = fabric.GetDevice(node, port);
    return {device,
            device->GetScheduler(),
            device->GetTrafficClassMap(),
            fabric.GetChannel(fabric.GetTopology().GetLinksOf(node)[port])};
}

/// @ingroup lossless
/// @param fabric a fabric @param place a place of it @return what has attributes there; at a node,
/// with what its ports have
inline std::vector<Ptr<Object>>
ObjectsAt(const FabricObjects& fabric, const FabricPlace& place)
{
    if (place.port)
    {
        return ObjectsOfPort(fabric, place.node, *place.port);
    }
    std::vector<Ptr<Object>> objects = ObjectsOfNode(fabric, place.node);
    for (uint32_t port = 0; port < fabric.GetTopology().GetLinksOf(place.node).size(); ++port)
    {
        const auto more = ObjectsOfPort(fabric, place.node, port);
        objects.insert(objects.end(), more.begin(), more.end());
    }
    return objects;
}

} // namespace ns3

#endif // LOSSLESS_SETTING_OBJECTS_H
