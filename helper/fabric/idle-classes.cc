// SPDX-License-Identifier: GPL-2.0-only
#include "idle-classes.h"

#include "class-list.h"
#include "fabric-places.h"
#include "fabric-ports.h"
#include "fabric.h"
#include "named-once.h"

#include "ns3/fabric-switch.h"
#include "ns3/lost-frames.h"
#include "ns3/switch-mmu.h"
#include "ns3/traffic-class-map.h"
#include "ns3/wred-ecn-marker.h"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

/// What NoteOnce() keeps of a fabric of AllowIdleClasses().
constexpr const char* IDLE_ALLOWED = "classes may be idle";

/// What a class of a port has of its own, and only frames of the class read: alpha, static
/// threshold and XON offset at ingress, alpha and static threshold at egress, and Kmin, Kmax and
/// Pmax. Guaranteed space and headroom are none of it: others get less.
using OwnThresholds = std::tuple<std::optional<double>,
                                 std::optional<uint64_t>,
                                 std::optional<uint64_t>,
                                 std::optional<double>,
                                 std::optional<uint64_t>,
                                 std::optional<std::tuple<uint64_t, uint64_t, double>>>;

/// @param fabricSwitch a switch @param port of it @param cls a class @return what it has of its own
OwnThresholds
ThresholdsOf(const FabricSwitch& fabricSwitch, uint32_t port, uint32_t cls)
{
    const MmuClassConfig& config = fabricSwitch.GetMmu()->GetConfig(port, cls);
    const bool isLossless = config.kind == MmuClassConfig::LOSSLESS;
    const auto xonOffset = isLossless ? config.xonOffsetBytes : std::nullopt; // else named apart
    const auto marker = DynamicCast<WredEcnMarker>(fabricSwitch.GetEcnMarker());
    std::optional<std::tuple<uint64_t, uint64_t, double>> ecn;
    if (marker && fabricSwitch.IsEcnEnabled() && marker->HasOwnCurve(port, cls))
    {
        const WredEcnMarker::Curve& curve = marker->GetCurve(port, cls);
        ecn = {curve.kmin, curve.kmax, curve.pmax};
    }
    return {config.alpha,
            config.staticBytes,
            xonOffset,
            config.egressAlpha,
            config.egressStaticBytes,
            ecn};
}

/// @return mask of the classes in which some port has sent or lost a frame
uint8_t
UsedClasses(const Fabric& fabric)
{
    uint8_t used = 0;
    for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
    {
        const auto counters = device->GetCounters();
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            used |= counters.txClassBytes[cls] > 0 ? 1U << cls : 0;
        }
        for (const LostFrames& lost : device->GetLost())
        {
            used |= 1U << lost.group; // of an ingress port
        }
    }
    return used;
}

/// @return whether a threshold is a class's own, and another class has another one or none
template <std::size_t... I>
bool
HasOwn(const OwnThresholds& mine, const OwnThresholds& other, std::index_sequence<I...>)
{
    return ((std::get<I>(mine) && std::get<I>(mine) != std::get<I>(other)) || ...);
}

/// @param fabricSwitch a switch @param port of it @param idle mask of classes
/// @return those of them that have thresholds which others of their kind, and those in use, have
/// not
uint8_t
ClassesOfOwn(const FabricSwitch& fabricSwitch, uint32_t port, uint8_t idle)
{
    constexpr auto EACH = std::make_index_sequence<std::tuple_size_v<OwnThresholds>>();
    const SwitchMmu& mmu = *fabricSwitch.GetMmu();
    uint8_t found = 0;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const OwnThresholds mine = ThresholdsOf(fabricSwitch, port, cls);
        if (!(idle & (1U << cls)) || mine == OwnThresholds())
        {
            continue;
        }
        bool isSpecial = false;
        bool isUsed = false;
        for (uint32_t other = 0; other < TRAFFIC_CLASSES; ++other)
        {
            const bool isOfKind = mmu.IsLossless(port, cls) == mmu.IsLossless(port, other);
            const OwnThresholds its = ThresholdsOf(fabricSwitch, port, other);
            const bool isLike = !HasOwn(mine, its, EACH);
            isSpecial = isSpecial || (isOfKind && !isLike);
            isUsed = isUsed || (isLike && !(idle & (1U << other)));
        }
        found |= isSpecial && !isUsed ? 1U << cls : 0;
    }
    return found;
}

/// @return whether frames are booked and queued by the numbers of their classes at all ports
bool
BooksByClass(const FabricSwitch& fabricSwitch)
{
    static const TrafficClassMap::Table usual;
    for (uint32_t port = 0; port < fabricSwitch.GetNPorts(); ++port)
    {
        const auto table = fabricSwitch.GetPort(port)->GetTrafficClassMap()->GetTable();
        if (table->group != usual.group || table->queue != usual.queue)
        {
            return false;
        }
    }
    return true;
}

} // namespace

void
WarnOfIdleClasses(const Fabric& fabric)
{
    const uint8_t used = UsedClasses(fabric);
    if (used == 0 || IsNoted(fabric, IDLE_ALLOWED))
    {
        return; // whoever sends nothing has asked for nothing
    }
    uint8_t all = 0;
    uint64_t ports = 0;
    std::string first;
    for (const SwitchId which : fabric.Switches())
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        const uint32_t end = BooksByClass(*fabricSwitch) ? fabricSwitch->GetNPorts() : 0;
        for (uint32_t port = 0; port < end; ++port)
        {
            if (const uint8_t classes = ClassesOfOwn(*fabricSwitch, port, ~used))
            {
                const FabricTopology& topology = fabric.GetTopology();
                first = ports++ ? first
                                : FabricPlaces::NameOf(topology, topology.NodeOf(which)) +
                                      " port " + std::to_string(port);
                all |= classes;
            }
        }
    }
    if (ports)
    {
        WarnOnce(fabric,
                 "the thresholds of class " + ClassList(all) + " of " + first +
                     (ports > 1 ? " and of " + std::to_string(ports - 1) + " more ports" : "") +
                     " have no effect",
                 "frames were sent in class " + ClassList(used) + " alone");
    }
}

void
AllowIdleClasses(const Fabric& fabric)
{
    NoteOnce(fabric, IDLE_ALLOWED);
}

} // namespace ns3
