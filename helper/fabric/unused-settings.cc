// SPDX-License-Identifier: GPL-2.0-only
#include "unused-settings.h"

#include "fabric.h"
#include "named-once.h"

#include "ns3/deadlock-detector.h"
#include "ns3/fabric-switch.h"
#include "ns3/fabric-warning.h"
#include "ns3/nic-watchdog.h"
#include "ns3/pcn-marker.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/polled-wred-marker.h"
#include "ns3/service-pools.h"
#include "ns3/string.h"
#include "ns3/traffic-class-map.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>

namespace ns3
{

namespace
{

/// What NoteOnce() keeps of a fabric of HasIdleWatchdogs().
constexpr const char* IDLE_WATCHDOGS = "watchdogs are idle";

/// What some places have. Classes are masks: bit c is class c.
struct Places
{
    uint32_t lossless{0};       //!< classes that are at some port
    uint32_t lossy{0};          //!< classes that are at some port
    uint32_t booked{0};         //!< priority groups in which a port books classes
    uint32_t named{0};          //!< by PfcClasses of some port, whether PFC is on or not
    bool hasStandard{false};    //!< some port has PfcDialect Standard
    bool sendsQuanta{false};    //!< some port tells its peer PfcQuanta, and the peer obeys
    bool marksAtArrival{false}; //!< the ECN marker of some switch may, by MarkAt
};

/// @return whether lossless classes are there
bool
HasLossless(const Places& places)
{
    return places.lossless != 0;
}

/// @return whether lossy classes are there
bool
HasLossy(const Places& places)
{
    return places.lossy != 0;
}

/// @return whether quanta are counted there
bool
CountsQuanta(const Places& places)
{
    return places.sendsQuanta || !places.lossless; // another line names the latter
}

/// @return whether pauses may be refreshed there at any time
bool
ChoosesRefresh(const Places& places)
{
    return places.hasStandard || !places.lossless;
}

/// @return whether a switch there asks MarkAt
bool
ChoosesMarkTime(const Places& places)
{
    return places.marksAtArrival;
}

/// @return whether frames are booked in a priority group there, unless another line says why not
bool
HasFrames(const Places& places)
{
    return places.booked || !places.lossless;
}

/// A setting that only some places use.
struct PlaceUse
{
    TypeId (*type)();                     //!< that has it
    const char* name;                     //!< of the setting
    bool (*isRead)(const Places& places); //!< whether some of them uses it
    const char* right;                    //!< why not, for people
};

constexpr const char* NO_LOSSLESS = "no class there is lossless";
constexpr const char* NO_FRAMES = "no class is booked in that priority group there";
constexpr const char* NO_LOSSY = "no class there is lossy";

const PlaceUse USES[] = {
    {QbbNetDevice::GetTypeId, "PfcClasses", HasLossless, NO_LOSSLESS}, // where PfcEnabled is false
    {QbbNetDevice::GetTypeId, "PfcDialect", HasLossless, NO_LOSSLESS},
    {QbbNetDevice::GetTypeId, "PfcQuanta", HasLossless, NO_LOSSLESS},
    {QbbNetDevice::GetTypeId, "PfcRefreshInterval", HasLossless, NO_LOSSLESS},
    {QbbNetDevice::GetTypeId, "PfcReactionDelay", HasLossless, NO_LOSSLESS},
    {QbbNetDevice::GetTypeId, "FrameFormat", HasLossless, NO_LOSSLESS},
    {SwitchMmu::GetTypeId, "Alpha", HasLossless, NO_LOSSLESS},
    {SwitchMmu::GetTypeId, "XonOffset", HasLossless, NO_LOSSLESS},
    {SwitchMmu::GetTypeId, "Headroom", HasLossless, NO_LOSSLESS},
    {SwitchMmu::GetTypeId, "SharedHeadroomPool", HasLossless, NO_LOSSLESS},
    {SwitchMmu::GetTypeId, "HeadroomOversubscription", HasLossless, NO_LOSSLESS},
    {SwitchMmu::GetTypeId, "StaticThreshold", HasLossless, NO_LOSSLESS},
    {SwitchMmu::GetTypeId, "Alpha", HasFrames, NO_FRAMES},
    {SwitchMmu::GetTypeId, "XonOffset", HasFrames, NO_FRAMES},
    {SwitchMmu::GetTypeId, "Headroom", HasFrames, NO_FRAMES},
    {SwitchMmu::GetTypeId, "StaticThreshold", HasFrames, NO_FRAMES},
    {SwitchMmu::GetTypeId, "LossyAlpha", HasLossy, NO_LOSSY},
    {SwitchMmu::GetTypeId, "EgressAlpha", HasLossy, NO_LOSSY},
    {SwitchMmu::GetTypeId, "EgressGuaranteedBytes", HasLossy, NO_LOSSY},
    {SwitchMmu::GetTypeId, "EgressStaticThreshold", HasLossy, NO_LOSSY},
    {SwitchMmu::GetTypeId, "EgressPortLimit", HasLossy, NO_LOSSY},
    {QbbNetDevice::GetTypeId, "PfcQuanta", CountsQuanta, "it needs PfcDialect Standard"},
    {QbbNetDevice::GetTypeId, "PfcRefreshInterval", ChoosesRefresh, "it needs PfcDialect Standard"},
    {FabricSwitch::GetTypeId,
     "MarkAt",
     ChoosesMarkTime,
     "the ECN markers there mark frames when they leave"},
};

/// @return whether MarkAt of a switch is Enqueue in vain, as its marker has a time of its own
bool
MarksLater(const FabricSwitch& which)
{
    StringValue time;
    which.GetAttribute("MarkAt", time);
    const auto marker = which.GetEcnMarker();
    return time.Get() == "Enqueue" &&
           (DynamicCast<PcnMarker>(marker) || DynamicCast<PolledWredMarker>(marker));
}

/// @param places some @param isSwitch whether only ports of switches count @return what they have
Places
Describe(const Fabric& fabric, const FabricPlaces& places, bool isSwitch)
{
    const FabricTopology& topology = fabric.GetTopology();
    const uint32_t mask = places.GetClasses().value_or(0xff);
    Places found;
    for (const FabricPlace& place : places.In(topology))
    {
        found.marksAtArrival |= topology.IsSwitch(place.node) &&
                                !MarksLater(*fabric.GetSwitch(topology.SwitchAt(place.node)));
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
            for (const uint8_t group : device->GetTrafficClassMap()->GetTable()->group)
            {
                found.booked |= (1U << group) & mask;
            }
            const auto peer = device->GetPeer();
            const bool isStandard = device->GetPfcDialect() == QbbNetDevice::STANDARD;
            found.hasStandard |= isStandard;
            found.sendsQuanta |=
                isStandard || (device->GetPfcDialect() == QbbNetDevice::ENDLESS_XOFF && peer &&
                               peer->GetPfcDialect() != QbbNetDevice::ENDLESS_XOFF);
        }
    }
    return found;
}

/// Warn of a setting, if no place uses it. @param places where it is
void
WarnOf(const Fabric& fabric, const FabricPlaces& places, const PlaceUse& use)
{
    const auto there = Describe(fabric, places, use.type() == SwitchMmu::GetTypeId());
    const bool isNone = std::string(use.name) == "PfcClasses" && !there.named;
    if (!isNone && !use.isRead(there))
    {
        PrintWarning(use.type().GetName() + "::" + use.name + " at \"" + places.GetName() +
                         "\" has no effect",
                     use.right);
    }
}

/// @return whether an option of the program says what a setting is
bool
IsOption(const FabricOptions& options, const PlaceUse& use)
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
        for (const PlaceUse& use : USES)
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
    std::ostringstream device;
    device << recipe.device; // "ns3::Type[A=1|B=2]"
    std::ostringstream ofSwitch;
    ofSwitch << recipe.fabricSwitch;
    for (const PlaceUse& use : USES)
    {
        bool isSaid = IsOption(recipe.options, use);
        const std::string text = use.type() == QbbNetDevice::GetTypeId()   ? device.str()
                                 : use.type() == FabricSwitch::GetTypeId() ? ofSwitch.str()
                                                                           : std::string();
        for (const char before : {'[', '|'})
        {
            isSaid =
                isSaid || (text.find(before + std::string(use.name) + '=') != std::string::npos);
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
    bool isAtNics = false;
    for (const HostId host : fabric.Hosts())
    {
        isAtNics = isAtNics || fabric.GetHost(host)->GetObject<NicWatchdog>();
    }
    const bool isDetector = bool(fabric.GetDeadlockDetector());
    if (!(isThere || isAtNics || isDetector))
    {
        return;
    }
    const char* const right = "no class of the fabric is lossless";
    const FabricPlaces all("all");
    const auto name = [&fabric, right](const char* what) {
        NoteOnce(fabric, IDLE_WATCHDOGS);
        PrintWarning(what, right);
    };
    if (isThere && !Describe(fabric, all, true).lossless)
    {
        name("the PFC watchdogs of switches have no effect");
    }
    const bool isLossless = Describe(fabric, all, false).lossless;
    if (isAtNics && !isLossless)
    {
        name("the watchdogs of NICs have no effect");
    }
    if (isDetector && !isLossless)
    {
        name("the deadlock detector has no effect");
    }
}

bool
HasIdleWatchdogs(const Fabric& fabric)
{
    return IsNoted(fabric, IDLE_WATCHDOGS);
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

void
WarnOfIdlePools(const Fabric& fabric)
{
    std::set<std::string> named; // by text of ServicePools and pool, as switches are alike
    for (const SwitchId which : fabric.Switches())
    {
        const SwitchMmu& mmu = *fabric.GetSwitch(which)->GetMmu();
        StringValue text;
        mmu.GetAttribute("ServicePools", text);
        const auto pools = ServicePool::Parse(text.Get());
        if (pools.empty() || named.count(text.Get()))
        {
            continue;
        }
        std::set<std::string> used;
        for (uint32_t port = 0; port < mmu.GetPortCount(); ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                const std::string* const own = mmu.GetConfig(port, cls).pool;
                const bool isLossless = mmu.IsLossless(port, cls);
                const auto first = std::find_if(pools.begin(), pools.end(), [&](const auto& pool) {
                    return own ? pool.name == *own : pool.Takes(isLossless);
                });
                used.insert(first == pools.end() ? "" : first->name);
            }
        }
        for (const ServicePool& pool : pools)
        {
            if (!used.count(pool.name) && named.insert(text.Get()).second)
            {
                PrintWarning("the service pool " + pool.name + " of " +
                                 FabricPlaces::NameOf(fabric.GetTopology(),
                                                      fabric.GetTopology().NodeOf(which)) +
                                 " has no effect: no class draws from it",
                             "each class draws from the first pool of its kind, or from its own");
            }
        }
    }
}

} // namespace ns3
