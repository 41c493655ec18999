// SPDX-License-Identifier: GPL-2.0-only
#include "overridden-settings.h"

#include "buffer-values.h"
#include "fabric.h"
#include "placed-settings.h"
#include "type-relation.h"

#include "ns3/ecn-marker.h"
#include "ns3/egress-scheduler.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-switch.h"
#include "ns3/fabric-warning.h"
#include "ns3/load-balancer.h"
#include "ns3/qbb-channel.h"
#include "ns3/qbb-net-device.h"
#include "ns3/switch-extension.h"
#include "ns3/switch-mmu.h"
#include "ns3/traffic-class-map.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

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

/// Which queues of a fabric have a value of an attribute that narrower places do not replace.
class Seats
{
  public:
    /// @param fabric that is built @param type whose attribute @param name of the attribute
    Seats(const Fabric& fabric, TypeId type, const std::string& name)
        : m_fabric(fabric),
          m_topology(fabric.GetTopology()),
          m_setting{type, name, nullptr, {}},
          m_isOfPorts(IsOfPorts(m_setting))
    {
    }

    /// @param places that have a value
    void Add(const FabricPlaces& places)
    {
        const uint8_t classes = places.GetClasses().value_or(0xff);
        ForEachSeat(places, [&](const Seat& seat) {
            if (const uint8_t here = classes & ClassesAt(seat))
            {
                m_left[seat] |= here;
            }
        });
    }

    /// @param some settings of places that win
    void Remove(const FabricSettings& some)
    {
        const auto replaces = [this](const FabricSetting& one) {
            return Replaces(one.type, one.name);
        };
        if (!m_left.empty() && std::any_of(some.settings.begin(), some.settings.end(), replaces))
        {
            const uint8_t classes = some.places.GetClasses().value_or(0xff);
            ForEachSeat(some.places, [&](const Seat& seat) { Remove(seat, classes); });
        }
    }

    /// @param other what a file of SONiC says, and wins
    void Remove(const PlacedSonicValue& other)
    {
        if (Replaces(other.value.type, other.value.name))
        {
            Remove(Seat(other.node, other.value.port.value_or(0)), other.value.classes);
        }
    }

    /// @return whether there is none left
    bool IsEmpty() const
    {
        return m_left.empty();
    }

  private:
    /// A node and one of its ports; of a switch as a whole, 0.
    using Seat = std::pair<NodeId, uint32_t>;

    /// @param seat that loses its value in some classes @param classes mask of them
    void Remove(const Seat& seat, uint8_t classes)
    {
        const auto found = m_left.find(seat);
        if (found != m_left.end() && !(found->second &= ~classes))
        {
            m_left.erase(found);
        }
    }

    /// @return mask of the classes of a port that can have the value
    uint8_t ClassesAt(const Seat& seat) const
    {
        const ClassValue* const value = ClassValue::Find(m_setting);
        if (!value || value->of == ClassValue::ALL)
        {
            return 0xff;
        }
        const uint8_t lossless = m_fabric.GetDevice(seat.first, seat.second)->GetPausingGroups();
        return value->of == ClassValue::LOSSLESS ? lossless : ~lossless;
    }

    /// @param type of something that is set @param name of it @return whether it takes the place of
    /// the value: the same, one that cannot be in force with it, or the object that has it
    bool Replaces(TypeId type, const std::string& name) const
    {
        const auto isOf = [&](TypeId owner, const char* part, TypeId base) {
            return type == owner && name == part && IsA(m_setting.type, base);
        };
        const ClassValue* const mine = ClassValue::Find(m_setting);
        const ClassValue* const its = ClassValue::Find({type, name, nullptr, {}});
        const bool isInstead = mine && its &&
                               ((mine->instead && its->name == std::string(mine->instead)) ||
                                (its->instead && mine->name == std::string(its->instead)));
        const TypeId port = QbbNetDevice::GetTypeId();
        const TypeId fabricSwitch = FabricSwitch::GetTypeId();
        return (type == m_setting.type && name == m_setting.name) || isInstead ||
               isOf(port, "EgressScheduler", EgressScheduler::GetTypeId()) ||
               isOf(port, "TrafficClassMap", TrafficClassMap::GetTypeId()) ||
               isOf(fabricSwitch, "EcnMarker", EcnMarker::GetTypeId()) ||
               isOf(fabricSwitch, "LoadBalancer", LoadBalancer::GetTypeId());
    }

    /// @return whether ports have values of their own of an attribute
    static bool IsOfPorts(const FabricSetting& setting)
    {
        const auto isA = [&setting](TypeId base) { return IsA(setting.type, base); };
        const bool isCurve =
            isA(WredEcnMarker::GetTypeId()) && WredEcnMarker::CurveValueOf(setting.name);
        return isA(QbbNetDevice::GetTypeId()) || isA(QbbChannel::GetTypeId()) ||
               isA(TrafficClassMap::GetTypeId()) || isA(EgressScheduler::GetTypeId()) || isCurve ||
               ClassValue::Find(setting) || PortValue::Find(setting);
    }

    /// @return whether hosts have the attribute
    bool IsOfHosts() const
    {
        return !(m_setting.type == SwitchMmu::GetTypeId() ||
                 m_setting.type == FabricSwitch::GetTypeId() ||
                 m_setting.type.IsChildOf(SwitchExtension::GetTypeId()) ||
                 m_setting.type.IsChildOf(LoadBalancer::GetTypeId()));
    }

    /// @param places some @param visit called with each seat there
    template <typename Visit>
    void ForEachSeat(const FabricPlaces& places, Visit&& visit) const
    {
        for (const FabricPlace& place : places.In(m_topology))
        {
            if (!m_topology.IsSwitch(place.node) && !IsOfHosts())
            {
                continue;
            }
            const auto ports = static_cast<uint32_t>(m_topology.GetLinksOf(place.node).size());
            for (uint32_t port = 0; m_isOfPorts && port < ports; ++port)
            {
                if (place.port.value_or(port) == port)
                {
                    visit(Seat(place.node, port));
                }
            }
            if (!m_isOfPorts && !place.port) // else the node keeps its own
            {
                visit(Seat(place.node, 0));
            }
        }
    }

    const Fabric& m_fabric;
    const FabricTopology& m_topology;
    FabricSetting m_setting;
    bool m_isOfPorts;
    std::map<Seat, uint8_t> m_left; //!< masks of classes
};

/// @param settings of places @param fabric that is built @param type whose attribute @param name of
/// the attribute @return whether they say what it is everywhere
bool
SayEverywhere(const PlacedSettings& settings,
              const Fabric& fabric,
              TypeId type,
              const std::string& name)
{
    Seats seats(fabric, type, name);
    seats.Add(FabricPlaces("all"));
    if (seats.IsEmpty())
    {
        return false; // nobody can have it
    }
    for (const FabricSettings& some : settings.Get())
    {
        seats.Remove(some);
    }
    for (const PlacedSonicValue& some : settings.GetBySonic())
    {
        seats.Remove(some);
    }
    return seats.IsEmpty();
}

/// Name settings of places that narrower places replace everywhere there. @param fabric that is
/// built @param placed settings of places
void
WarnOfReplaced(const Fabric& fabric, const PlacedSettings& placed)
{
    const std::vector<FabricSettings>& settings = placed.Get();
    for (auto some = settings.begin(); some != settings.end(); ++some)
    {
        const auto isNarrower = [some](const FabricSettings& other) {
            return other.places.GetRank() > some->places.GetRank();
        };
        const auto narrower = std::find_if(some, settings.end(), isNarrower);
        for (const FabricSetting& one : some->settings)
        {
            TypeId::AttributeInformation ignored;
            if (one.type.LookupAttributeByName(one.name, &ignored) &&
                fabric.GetOptions().Has(one.type, one.name))
            {
                continue; // an option wins over all of them
            }
            Seats seats(fabric, one.type, one.name);
            seats.Add(some->places);
            if (seats.IsEmpty())
            {
                continue;
            }
            std::for_each(narrower, settings.end(), [&seats](const FabricSettings& other) {
                seats.Remove(other);
            });
            for (const PlacedSonicValue& other : placed.GetBySonic())
            {
                if (other.rank > some->places.GetRank())
                {
                    seats.Remove(other);
                }
            }
            const bool isNarrowed = seats.IsEmpty();
            std::for_each(std::next(some), narrower, [&](const FabricSettings& other) {
                // A file of settings may say otherwise what the script says of the same places.
                if (!other.settings.empty() &&
                    other.settings.front().file.empty() == one.file.empty())
                {
                    seats.Remove(other);
                }
            });
            if (seats.IsEmpty())
            {
                PrintWarning(one.type.GetName() + "::" + one.name + " at \"" +
                                 some->places.GetName() + "\" has no effect",
                             std::string(isNarrowed ? "narrower places say"
                                                    : "later settings of such places say") +
                                 " what it is everywhere there");
            }
        }
    }
}

} // namespace

void
WarnOfOverridden(const Fabric& fabric, const FabricRecipe& recipe, const PlacedSettings& settings)
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
            if (!isOption && SayEverywhere(settings, fabric, said.type, name))
            {
                PrintWarning(said.type.GetName() + "::" + name +
                                 " of the whole fabric has no effect",
                             "settings of places say it everywhere");
            }
        }
    }
    const TypeId port = QbbNetDevice::GetTypeId();
    if (recipe.link.errorRate > 0 && SayEverywhere(settings, fabric, port, "ReceiveErrorModel"))
    {
        PrintWarning("ErrorRate of the links of the whole fabric has no effect",
                     "settings of places give all ports a ReceiveErrorModel");
    }
    const auto warnOfLinks = [&](bool isSet, TypeId type, const std::string& name) {
        const bool isOfOthers = recipe.options.Has(type, name) || // these are named by themselves
                                FabricAttributes::DefaultChanged(type, name);
        if (isSet && !isOfOthers && SayEverywhere(settings, fabric, type, name))
        {
            PrintWarning(name + " of the links of the whole fabric has no effect",
                         "settings of places say it everywhere");
        }
    };
    const FabricLinkSpec usual;
    warnOfLinks(recipe.link.rate != usual.rate, port, "DataRate");
    warnOfLinks(recipe.link.delay != usual.delay, QbbChannel::GetTypeId(), "Delay");
    WarnOfReplaced(fabric, settings);
    for (const std::string& file : settings.FindReplacedFiles())
    {
        PrintWarning(file + " has no effect",
                     "files of narrower places replace all that it has set");
    }
}

} // namespace ns3
