// SPDX-License-Identifier: GPL-2.0-only
#include "overridden-settings.h"

#include "buffer-values.h"
#include "fabric.h"

#include "ns3/egress-scheduler.h"
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
    /// @param type whose attribute @param name of the attribute
    Seats(const FabricTopology& topology, TypeId type, const std::string& name)
        : m_topology(topology),
          m_setting{type, name, nullptr, {}},
          m_isOfPorts(IsOfPorts(m_setting))
    {
    }

    /// @param places that have a value
    void Add(const FabricPlaces& places)
    {
        const uint8_t classes = places.GetClasses().value_or(0xff);
        ForEachSeat(places, [&](const Seat& seat) { m_left[seat] |= classes; });
    }

    /// @param some settings of places that win
    void Remove(const FabricSettings& some)
    {
        const auto isIt = [&](const FabricSetting& one) {
            return one.type == m_setting.type && one.name == m_setting.name;
        };
        if (!m_left.empty() && std::any_of(some.settings.begin(), some.settings.end(), isIt))
        {
            const uint8_t classes = some.places.GetClasses().value_or(0xff);
            ForEachSeat(some.places, [&](const Seat& seat) {
                const auto found = m_left.find(seat);
                if (found != m_left.end() && !(found->second &= ~classes))
                {
                    m_left.erase(found);
                }
            });
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

    /// @return whether ports have values of their own of an attribute
    static bool IsOfPorts(const FabricSetting& setting)
    {
        const auto isA = [&setting](TypeId base) {
            return setting.type == base || setting.type.IsChildOf(base);
        };
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

    const FabricTopology& m_topology;
    FabricSetting m_setting;
    bool m_isOfPorts;
    std::map<Seat, uint8_t> m_left; //!< masks of classes
};

/// @param settings of places @param type whose attribute @param name of the attribute
/// @return whether they say what it is everywhere
bool
SayEverywhere(const std::vector<FabricSettings>& settings,
              const FabricTopology& topology,
              TypeId type,
              const std::string& name)
{
    Seats seats(topology, type, name);
    seats.Add(FabricPlaces("all"));
    for (const FabricSettings& some : settings)
    {
        seats.Remove(some);
    }
    return seats.IsEmpty();
}

/// Name settings of places that narrower places replace everywhere there. @param fabric that is
/// built @param settings of places, narrower ones later
void
WarnOfReplaced(const Fabric& fabric, const std::vector<FabricSettings>& settings)
{
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
            Seats seats(fabric.GetTopology(), one.type, one.name);
            seats.Add(some->places);
            if (seats.IsEmpty())
            {
                continue;
            }
            std::for_each(narrower, settings.end(), [&seats](const FabricSettings& other) {
                seats.Remove(other);
            });
            if (seats.IsEmpty())
            {
                PrintWarning(one.type.GetName() + "::" + one.name + " at \"" +
                                 some->places.GetName() + "\" has no effect",
                             "narrower places say what it is everywhere there");
            }
        }
    }
}

} // namespace

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
    const TypeId port = QbbNetDevice::GetTypeId();
    if (recipe.link.errorRate > 0 &&
        SayEverywhere(settings, fabric.GetTopology(), port, "ReceiveErrorModel"))
    {
        PrintWarning("ErrorRate of the links of the whole fabric has no effect",
                     "settings of places give all ports a ReceiveErrorModel");
    }
    WarnOfReplaced(fabric, settings);
}

} // namespace ns3
