// SPDX-License-Identifier: GPL-2.0-only
#include "run-changes.h"

#include "fabric-ports.h"
#include "loss-warning.h"
#include "lossy-class.h"

#include "ns3/fabric-warning.h"
#include "ns3/qbb-net-device.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/// @param fabric a fabric @param port one of its ports @param more how many others are alike
/// @return them, such as "leaf 0 port 1 and 3 more ports"
std::string
NameOf(const Fabric& fabric, const FabricPort& port, std::size_t more)
{
    return FabricPlaces::NameOf(fabric.GetTopology(), port.node) + " port " +
           std::to_string(port.port) +
           (more ? " and " + std::to_string(more) + " more port" + (more > 1 ? "s" : "") : "");
}

} // namespace

RunChanges::RunChanges(const Fabric& fabric)
    : m_fabric(fabric)
{
    if (!IsLossForbidden(fabric))
    {
        return;
    }
    for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
    {
        const auto map = device->GetTrafficClassMap();
        Before before{device->GetPausableClasses(), map->GetTable(), {}};
        for (uint8_t cls = 0; !isSwitch && cls < TRAFFIC_CLASSES; ++cls)
        {
            if (before.pausable & (1U << cls))
            {
                before.markings.push_back(RdmaMarking::FromMap(*map, cls));
            }
        }
        m_before.push_back(std::move(before));
    }
}

void
RunChanges::Warn() const
{
    for (uint8_t cls = 0; !m_before.empty() && cls < TRAFFIC_CLASSES; ++cls)
    {
        if (IsSent(m_fabric, cls) && !IsNamedLossy(m_fabric, cls) && !WarnOfPfc(cls))
        {
            WarnOfMarks(cls);
        }
    }
}

bool
RunChanges::WarnOfPfc(uint8_t cls) const
{
    const std::vector<FabricPort> ports = PortsOf(m_fabric);
    std::vector<const FabricPort*> lossy;
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        const auto& device = ports[i].device;
        const auto peer = device->GetPeer();
        const uint8_t lost = m_before[i].pausable & ~device->GetPausableClasses();
        // PFC at one end only is found link by link.
        const bool agrees = peer && peer->GetActivePfcClasses() == device->GetActivePfcClasses();
        if ((lost & (1U << cls)) && agrees)
        {
            lossy.push_back(&ports[i]);
        }
    }
    if (lossy.empty())
    {
        return false;
    }
    NoteLossy(m_fabric, cls);
    const std::string name = std::to_string(cls);
    PrintWarning("flows of class " + name +
                     " may lose frames from now on, as no pause stops their queue any more at " +
                     NameOf(m_fabric, *lossy.front(), lossy.size() - 1),
                 "keep class " + name + " lossless while its flows run");
    return true;
}

void
RunChanges::WarnOfMarks(uint8_t cls) const
{
    const std::vector<FabricPort> ports = PortsOf(m_fabric);
    std::vector<const FabricPort*> changed;
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        if (!(*ports[i].device->GetTrafficClassMap()->GetTable() == *m_before[i].map))
        {
            changed.push_back(&ports[i]);
        }
    }
    for (std::size_t i = 0; i < ports.size() && !changed.empty(); ++i)
    {
        for (const RdmaMarking& marking : m_before[i].markings)
        {
            const auto isOther = [&marking](const FabricPort* port) {
                return port->device->GetTrafficClassMap()->Classify(marking) != marking.sentClass;
            };
            std::vector<const FabricPort*> other;
            std::copy_if(changed.begin(), changed.end(), std::back_inserter(other), isOther);
            if (marking.sentClass == cls && !other.empty())
            {
                NoteLossy(m_fabric, cls);
                const std::string name = std::to_string(cls);
                const uint8_t taken = other[0]->device->GetTrafficClassMap()->Classify(marking);
                PrintWarning("frames of class " + name +
                                 " that are under way may be lost, as they keep their marks, and "
                                 "the new class map of " +
                                 NameOf(m_fabric, *other.front(), other.size() - 1) +
                                 " takes them for class " + std::to_string(taken),
                             "change class maps while no flow of class " + name + " runs");
                return;
            }
        }
    }
}

} // namespace ns3
