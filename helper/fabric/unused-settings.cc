// SPDX-License-Identifier: GPL-2.0-only
#include "unused-settings.h"

#include "fabric-objects.h"
#include "fabric.h"

#include "ns3/fabric-warning.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// A setting that only classes of one kind use.
struct ClassUse
{
    TypeId (*type)(); //!< that has it
    const char* name; //!< of the setting
    bool isLossless;  //!< whether lossless classes use it, else lossy ones
};

const ClassUse USES[] = {
    {QbbNetDevice::GetTypeId, "PfcClasses", true}, // where PfcEnabled is false
    {QbbNetDevice::GetTypeId, "PfcDialect", true},
    {QbbNetDevice::GetTypeId, "PfcQuanta", true},
    {QbbNetDevice::GetTypeId, "PfcRefreshInterval", true},
    {QbbNetDevice::GetTypeId, "PfcReactionDelay", true},
    {QbbNetDevice::GetTypeId, "FrameFormat", true},
    {SwitchMmu::GetTypeId, "Alpha", true},
    {SwitchMmu::GetTypeId, "XonOffset", true},
    {SwitchMmu::GetTypeId, "Headroom", true},
    {SwitchMmu::GetTypeId, "SharedHeadroomPool", true},
    {SwitchMmu::GetTypeId, "HeadroomOversubscription", true},
    {SwitchMmu::GetTypeId, "StaticThreshold", true},
    {SwitchMmu::GetTypeId, "LossyAlpha", false},
    {SwitchMmu::GetTypeId, "LossyShare", false},
    {SwitchMmu::GetTypeId, "EgressAlpha", false},
    {SwitchMmu::GetTypeId, "EgressGuaranteedBytes", false},
    {SwitchMmu::GetTypeId, "EgressStaticThreshold", false},
    {SwitchMmu::GetTypeId, "EgressPortLimit", false},
};

/// What classes the ports of some places have; bit c is class c.
struct PortClasses
{
    uint32_t lossless{0}; //!< at some port
    uint32_t lossy{0};    //!< at some port
    uint32_t named{0};    //!< by PfcClasses of some port, whether PFC is on or not
};

/// @param places some @param isSwitch whether only ports of switches count @return their classes
PortClasses
ClassesAt(const Fabric& fabric, const FabricPlaces& places, bool isSwitch)
{
    const FabricTopology& topology = fabric.GetTopology();
    const uint32_t mask = places.GetClasses().value_or(0xff);
    PortClasses found;
    for (const FabricPlace& place : places.In(topology))
    {
        const auto ports = static_cast<uint32_t>(topology.GetLinksOf(place.node).size());
        for (uint32_t port = 0; port < ports; ++port)
        {
            if (place.port.value_or(port) != port || (isSwitch && !topology.IsSwitch(place.node)))
            {
                continue;
            }
            const auto device = fabric.GetDevice(place.node, port);
            found.lossless |= device->GetPausingGroups() & mask;
            found.lossy |= ~device->GetPausingGroups() & mask;
            found.named |= device->GetPfcClasses();
        }
    }
    return found;
}

/// Warn of a setting, if no class uses it. @param places where it is
void
WarnOf(const Fabric& fabric, const FabricPlaces& places, const ClassUse& use)
{
    const auto classes = ClassesAt(fabric, places, use.type() == SwitchMmu::GetTypeId());
    const bool isNone = std::string(use.name) == "PfcClasses" && !classes.named;
    if (!isNone && !(use.isLossless ? classes.lossless : classes.lossy))
    {
        PrintWarning(use.type().GetName() + "::" + use.name + " at \"" + places.GetName() +
                         "\" has no effect",
                     std::string("no class there is ") + (use.isLossless ? "lossless" : "lossy"));
    }
}

/// @param factory of an object @return its attributes that were set, by name
std::set<std::string>
SaidBy(const ObjectFactory& factory)
{
    std::ostringstream out;
    out << factory; // "ns3::Type[A=1|B=2]"
    const std::string text = out.str();
    std::set<std::string> names;
    for (std::size_t at = text.find('['); at != std::string::npos; at = text.find('|', at + 1))
    {
        names.insert(text.substr(at + 1, text.find('=', at) - at - 1));
    }
    return names;
}

/// What FabricHelper was told of all switches or of all ports.
struct SaidOfAll
{
    TypeId type;                      //!< of their objects
    std::set<std::string> attributes; //!< of the type
};

/// @param settings of places @param type whose attribute @param name of the attribute
/// @return whether they say what it is at each switch or, of ports, at each port
bool
SayEverywhere(const std::vector<FabricSettings>& settings,
              const FabricTopology& topology,
              TypeId type,
              const std::string& name)
{
    const bool isOfPorts = type == QbbNetDevice::GetTypeId();
    std::set<std::pair<NodeId, uint32_t>> left; // the port of a switch as a whole is 0
    for (const NodeId node : topology.Nodes())
    {
        const std::size_t ports = isOfPorts ? topology.GetLinksOf(node).size() : 1;
        for (uint32_t port = 0; port < ports && (isOfPorts || topology.IsSwitch(node)); ++port)
        {
            left.insert({node, port});
        }
    }
    for (const FabricSettings& some : settings)
    {
        const auto isIt = [&](const FabricSetting& one) {
            return one.type == type && one.name == name;
        };
        const bool isSaid = std::any_of(some.settings.begin(), some.settings.end(), isIt);
        if (!isSaid || some.places.GetClasses())
        {
            continue;
        }
        for (const FabricPlace& place : some.places.In(topology))
        {
            if (isOfPorts || !place.port) // else the switch keeps its own
            {
                left.erase(left.lower_bound({place.node, place.port.value_or(0)}),
                           left.upper_bound({place.node, place.port.value_or(UINT32_MAX)}));
            }
        }
    }
    return left.empty();
}

/// @return whether an option of the program says what a setting is
bool
IsOption(const FabricOptions& options, const ClassUse& use)
{
    TypeId::AttributeInformation ignored;
    return use.type().LookupAttributeByName(use.name, &ignored) &&
           options.Has(use.type(), use.name);
}

} // namespace

void
WarnOfUnused(const Fabric& fabric, const FabricSettings& settings)
{
    for (const FabricSetting& setting : settings.settings)
    {
        for (const ClassUse& use : USES)
        {
            if (setting.type == use.type() && setting.name == use.name &&
                !IsOption(fabric.GetOptions(), use))
            {
                WarnOf(fabric, settings.places, use);
            }
        }
    }
}

void
WarnOfUnused(const Fabric& fabric, const FabricRecipe& recipe)
{
    std::ostringstream text;
    text << recipe.device; // "ns3::Type[A=1|B=2]"
    for (const ClassUse& use : USES)
    {
        bool isSaid = IsOption(recipe.options, use);
        for (const char before : {'[', '|'})
        {
            isSaid = isSaid ||
                     (use.type() == QbbNetDevice::GetTypeId() &&
                      text.str().find(before + std::string(use.name) + '=') != std::string::npos);
        }
        for (const auto& [name, value] : recipe.mmu)
        {
            isSaid = isSaid || (use.type() == SwitchMmu::GetTypeId() && name == use.name);
        }
        if (isSaid)
        {
            WarnOf(fabric, FabricPlaces("all"), use);
        }
    }
}

void
WarnOfOverridden(const Fabric& fabric,
                 const FabricRecipe& recipe,
                 const std::vector<FabricSettings>& settings)
{
    SaidOfAll mmu{SwitchMmu::GetTypeId(), {}};
    for (const auto& [name, value] : recipe.mmu)
    {
        mmu.attributes.insert(name);
    }
    SaidOfAll fabricSwitch{FabricSwitch::GetTypeId(), SaidBy(recipe.fabricSwitch)};
    SaidOfAll device{QbbNetDevice::GetTypeId(), SaidBy(recipe.device)};
    if (recipe.ecn.IsTypeIdSet())
    {
        fabricSwitch.attributes.insert("EcnMarker");
    }
    if (recipe.balancer.IsTypeIdSet())
    {
        fabricSwitch.attributes.insert("LoadBalancer");
    }
    if (recipe.scheduler.IsTypeIdSet())
    {
        device.attributes.insert("EgressScheduler");
    }
    for (const SaidOfAll& said : {mmu, fabricSwitch, device})
    {
        for (const std::string& name : said.attributes)
        {
            TypeId::AttributeInformation ignored;
            const bool isOption = said.type.LookupAttributeByName(name, &ignored) &&
                                  recipe.options.Has(said.type, name); // it wins over both
            if (!isOption && SayEverywhere(settings, fabric.GetTopology(), said.type, name))
            {
                PrintWarning(said.type.GetName() + "::" + name +
                                 " of the whole fabric has no effect",
                             "settings of places say it everywhere");
            }
        }
    }
}

void
WarnOfIdleWatchdogs(const Fabric& fabric)
{
    bool isThere = false;
    for (const SwitchId which : fabric.Switches())
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
        {
            isThere = isThere || DynamicCast<PfcWatchdog>(fabricSwitch->GetExtension(i));
        }
    }
    if (isThere && !ClassesAt(fabric, FabricPlaces("all"), true).lossless)
    {
        PrintWarning("the PFC watchdogs of switches have no effect",
                     "no class of the fabric is lossless");
    }
}

void
WarnOfSpareSpace(const Fabric& fabric)
{
    uint64_t most = 0;
    NodeId where;
    for (const SwitchId which : fabric.Switches())
    {
        const SwitchMmu& mmu = *fabric.GetSwitch(which)->GetMmu();
        // A share is rounded down: a cell a pool is no choice of the user.
        const uint64_t bytes = uint64_t{mmu.GetSpare()} * mmu.GetCellSize().Bytes();
        if (mmu.IsFinal() && mmu.GetSpare() > mmu.GetPoolCount() && bytes > most)
        {
            most = bytes;
            where = fabric.GetTopology().NodeOf(which);
        }
    }
    if (most > 0)
    {
        PrintWarning("ServicePools leave " + std::to_string(most) +
                         " bytes of the shared space of " +
                         FabricPlaces::NameOf(fabric.GetTopology(), where) + " to no class",
                     "give the bytes to a pool");
    }
}

} // namespace ns3
