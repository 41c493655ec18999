// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-settings.h"

#include "buffer-values.h"
#include "fabric-builder.h"
#include "fabric-objects.h"
#include "fabric.h"
#include "loss-warning.h"
#include "sonic-places.h"
#include "switch-presets.h"

#include "ns3/double.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/string.h"
#include "ns3/switch-extension.h"
#include "ns3/uinteger.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricSettings");

namespace
{

/// @return whether a type is another, or derives from it
bool
IsA(TypeId type, TypeId base)
{
    return type == base || type.IsChildOf(base);
}

/// @return whether a setting is about an attribute
bool
IsAttribute(const FabricSetting& setting)
{
    TypeId::AttributeInformation ignored;
    return setting.type.LookupAttributeByName(setting.name, &ignored);
}

/// @return as scripts write it
std::string
FullName(const FabricSetting& setting)
{
    return setting.type.GetName() + "::" + setting.name;
}

/// Takes a change back.
using Undo = std::function<void()>;

/// One step of a setting.
struct Change
{
    const FabricSetting* setting;
    FabricPlace place;
    std::function<Undo()> make; //!< throws if it cannot be
};

/// Finds the changes that settings ask for.
class Changes
{
  public:
    Changes(const Fabric& fabric, const FabricPlaces& places)
        : m_fabric(fabric),
          m_topology(fabric.GetTopology()),
          m_places(places)
    {
    }

    /// @param setting one that places of the fabric can take; else FabricError
    void Add(const FabricSetting& setting)
    {
        m_taken = false;
        m_hasSwitch = false;
        for (const FabricPlace& place : m_places.In(m_topology))
        {
            if (IsOfClasses(setting, place))
            {
                AddClassValue(setting, place);
            }
            else if (m_places.GetClasses())
            {
                throw FabricError(FullName(setting) + " has no value per class",
                                  "leave out the class");
            }
            else if (place.port && PortValue::Find(setting))
            {
                AddPortValue(setting, place);
            }
            else
            {
                AddObjects(setting, place);
            }
        }
        const ClassValue* const value = ClassValue::Find(setting);
        if (!m_taken && value && m_hasSwitch)
        {
            const bool lossless = value->of == ClassValue::LOSSLESS;
            throw FabricError(std::string("no class at \"") + m_places.GetName() + "\" is " +
                                  (lossless ? "lossless" : "lossy"),
                              FullName(setting) + " is of such classes");
        }
        if (!m_taken)
        {
            const bool isRdma = IsA(setting.type, RdmaQueuePair::GetTypeId()) ||
                                IsA(setting.type, RdmaCongestionOps::GetTypeId());
            throw FabricError("nothing at \"" + m_places.GetName() + "\" has " + FullName(setting),
                              isRdma ? "queue pairs are alike at all hosts, or set with each flow"
                                     : "doc/helpers.rst lists which places have what");
        }
    }

    /// @return all of them
    const std::vector<Change>& Get() const
    {
        return m_changes;
    }

  private:
    /// Whether a setting is one of (port, class) pairs at a place.
    bool IsOfClasses(const FabricSetting& setting, const FabricPlace& place) const
    {
        const bool narrow = place.port || m_places.GetClasses();
        const ClassValue* const value = ClassValue::Find(setting);
        if (PortValue::Find(setting))
        {
            return false;
        }
        const bool isOfSwitch =
            setting.type == SwitchMmu::GetTypeId() || setting.type == FabricSwitch::GetTypeId();
        if (narrow && isOfSwitch && !value)
        {
            throw FabricError(FullName(setting) + " is of the whole switch",
                              "leave out port and class");
        }
        return narrow ? value || IsOfCurve(setting) : value && !value->clear;
    }

    /// Whether a setting is a value of the curve that a queue may have of its own.
    static bool IsOfCurve(const FabricSetting& setting)
    {
        return IsA(setting.type, WredEcnMarker::GetTypeId()) &&
               WredEcnMarker::CurveValueOf(setting.name);
    }

    /// @return the switch at a node; null: it is a host
    Ptr<FabricSwitch> SwitchAt(NodeId node) const
    {
        const SwitchId which = m_topology.SwitchAt(node);
        return which.IsNone() ? nullptr : m_fabric.GetSwitch(which);
    }

    /// Do something with each (port, class) of a place.
    /// @param use called with (port, class)
    template <typename Use>
    void ForEachClass(const FabricPlace& place, Use use) const
    {
        const auto ports = static_cast<uint32_t>(m_topology.GetLinksOf(place.node).size());
        for (uint32_t port = place.port.value_or(0); port < (place.port ? *place.port + 1 : ports);
             ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                if (m_places.GetClasses().value_or(0xff) & (1U << cls))
                {
                    use(port, cls);
                }
            }
        }
    }

    /// A change, unless an option of the program says what the attribute is.
    void Push(const FabricSetting& setting, const FabricPlace& place, std::function<Undo()> make)
    {
        const FabricOptions& options = m_fabric.GetOptions();
        m_taken = true;
        const bool isAttribute = IsAttribute(setting);
        const ClassValue* const value = ClassValue::Find(setting);
        if (!isAttribute && value && value->instead && options.Has(setting.type, value->instead))
        {
            return; // an option for alpha wins over static thresholds, too
        }
        const bool isPart = setting.type == FabricSwitch::GetTypeId() &&
                            (setting.name == "EcnMarker" || setting.name == "LoadBalancer");
        if (!(isAttribute && options.Has(setting.type, setting.name)) &&
            !(isPart && options.Has(setting.type, setting.name + "Type")))
        {
            m_changes.push_back({&setting, place, std::move(make)});
        }
    }

    /// A setting of (port, class) pairs.
    void AddClassValue(const FabricSetting& setting, const FabricPlace& place)
    {
        const Ptr<FabricSwitch> fabricSwitch = SwitchAt(place.node);
        if (!fabricSwitch)
        {
            return;
        }
        m_hasSwitch = true;
        if (const ClassValue* const value = ClassValue::Find(setting))
        {
            PushConfigs(setting,
                        place,
                        value->of,
                        [value, v = setting.value](SwitchMmu& mmu, uint32_t port, uint32_t cls) {
                            value->set(mmu, port, cls, *v);
                        });
        }
        else if (const auto marker = DynamicCast<WredEcnMarker>(fabricSwitch->GetEcnMarker()))
        {
            ForEachClass(place, [&](uint32_t port, uint32_t cls) {
                Push(setting, place, [=, &setting] {
                    fabricSwitch->Start(); // the marker knows its ports then
                    return SetCurve(*marker, port, cls, setting);
                });
            });
        }
    }

    /// A setting of a port of a switch.
    void AddPortValue(const FabricSetting& setting, const FabricPlace& place)
    {
        if (const Ptr<FabricSwitch> fabricSwitch = SwitchAt(place.node))
        {
            PushPortConfig(setting,
                           place,
                           *place.port,
                           [value = PortValue::Find(setting),
                            bytes = BytesOf(*setting.value)](SwitchMmu& mmu, uint32_t port) {
                               value->set(mmu, port, bytes);
                           });
        }
    }

    /// Change what a port of a switch has of its own.
    void PushPortConfig(const FabricSetting& setting,
                        const FabricPlace& place,
                        uint32_t port,
                        const std::function<void(SwitchMmu&, uint32_t)>& edit)
    {
        Push(setting, place, [=, mmu = SwitchAt(place.node)->GetMmu()] {
            const MmuPortConfig before = mmu->GetPortConfig(port);
            edit(*mmu, port);
            return [=] { mmu->SetPortConfig(port, before); };
        });
    }

    /// Change one value of the curve of a queue.
    static Undo SetCurve(WredEcnMarker& marker,
                         uint32_t port,
                         uint32_t cls,
                         const FabricSetting& setting)
    {
        const WredEcnMarker::Curve before = marker.GetCurve(port, cls);
        const uint8_t own = marker.GetOwnValues(port, cls);
        WredEcnMarker::Curve curve = before;
        if (setting.name == "Pmax")
        {
            curve.pmax = RealOf(*setting.value);
        }
        else
        {
            (setting.name == "Kmin" ? curve.kmin : curve.kmax) = BytesOf(*setting.value);
        }
        marker.SetThresholds(port, cls, curve.kmin, curve.kmax, curve.pmax);
        return UndoCurve(marker, port, cls, before, own);
    }

    /// @param before curve of a queue @param own which of its values are the queue's own
    /// @return how to make it so again
    static Undo UndoCurve(WredEcnMarker& marker,
                          uint32_t port,
                          uint32_t cls,
                          const WredEcnMarker::Curve& before,
                          uint8_t own)
    {
        return [=, held = Ptr<WredEcnMarker>(&marker)] {
            held->SetThresholds(port, cls, before.kmin, before.kmax, before.pmax);
            held->ClearThresholds(port, cls, WredEcnMarker::WHOLE_CURVE & ~own);
        };
    }

    /// A setting of the objects at a place.
    void AddObjects(const FabricSetting& setting, const FabricPlace& place)
    {
        for (const Ptr<Object>& object : ObjectsAt(place))
        {
            if (!IsA(object->GetInstanceTypeId(), setting.type))
            {
                continue;
            }
            const FabricOptions& options = m_fabric.GetOptions();
            Push(setting, place, [&setting, object, &options] {
                return SetAttribute(object, setting, options);
            });
            if (const ClassValue* const value = ClassValue::Find(setting))
            {
                // A value of the whole switch is that of all its ports.
                PushConfigs(setting,
                            place,
                            value->of,
                            [value](SwitchMmu& mmu, uint32_t port, uint32_t cls) {
                                MmuClassConfig config = mmu.GetConfig(port, cls);
                                value->clear(config);
                                mmu.SetConfig(port, cls, config);
                            });
            }
            const PortValue* const portValue = PortValue::Find(setting);
            for (uint32_t port = 0; portValue && port < m_topology.GetLinksOf(place.node).size();
                 ++port)
            {
                PushPortConfig(setting, place, port, [portValue](SwitchMmu& mmu, uint32_t at) {
                    MmuPortConfig config = mmu.GetPortConfig(at);
                    portValue->clear(config);
                    mmu.SetPortConfig(at, config);
                });
            }
            if (IsOfCurve(setting))
            {
                ClearCurveValues(setting, place, DynamicCast<WredEcnMarker>(object));
            }
        }
    }

    /**
     * Change what (port, class) pairs of a switch have of their own.
     * @param of which classes
     * @param edit called with the buffer and each pair
     */
    void PushConfigs(const FabricSetting& setting,
                     const FabricPlace& place,
                     ClassValue::Of of,
                     const std::function<void(SwitchMmu&, uint32_t, uint32_t)>& edit)
    {
        const auto fabricSwitch = SwitchAt(place.node);
        ForEachClass(place, [&](uint32_t port, uint32_t cls) {
            const auto device = fabricSwitch->GetPort(static_cast<uint16_t>(port));
            const bool lossless = device->GetPausingGroups() & (1U << cls);
            if (of == (lossless ? ClassValue::LOSSY : ClassValue::LOSSLESS))
            {
                return; // of the other classes
            }
            Push(setting, place, [=, mmu = fabricSwitch->GetMmu()] {
                const MmuClassConfig before = mmu->GetConfig(port, cls);
                edit(*mmu, port, cls);
                return [=] { mmu->SetConfig(port, cls, before); };
            });
        });
    }

    /// A value of the whole switch is that of all its queues, whose other values stay.
    void ClearCurveValues(const FabricSetting& setting,
                          const FabricPlace& place,
                          const Ptr<WredEcnMarker>& marker)
    {
        const uint8_t value = WredEcnMarker::CurveValueOf(setting.name);
        ForEachClass(place, [&](uint32_t port, uint32_t cls) {
            if (!(marker->GetOwnValues(port, cls) & value))
            {
                return;
            }
            Push(setting, place, [=] {
                const WredEcnMarker::Curve before = marker->GetCurve(port, cls);
                const uint8_t own = marker->GetOwnValues(port, cls);
                marker->ClearThresholds(port, cls, value);
                return UndoCurve(*marker, port, cls, before, own);
            });
        });
    }

    /// @return what has attributes at a place
    std::vector<Ptr<Object>> ObjectsAt(const FabricPlace& place) const
    {
        if (place.port)
        {
            return ObjectsOfPort(m_fabric, place.node, *place.port);
        }
        std::vector<Ptr<Object>> objects = ObjectsOfNode(m_fabric, place.node);
        for (uint32_t port = 0; port < m_topology.GetLinksOf(place.node).size(); ++port)
        {
            const auto more = ObjectsOfPort(m_fabric, place.node, port);
            objects.insert(objects.end(), more.begin(), more.end());
        }
        return objects;
    }

    /// Set an attribute of an object.
    static Undo SetAttribute(const Ptr<Object>& object,
                             const FabricSetting& setting,
                             const FabricOptions& options)
    {
        const TypeId type = object->GetInstanceTypeId();
        const Ptr<AttributeValue> value = options.Check(type, setting.name, *setting.value);
        TypeId::AttributeInformation info;
        type.LookupAttributeByName(setting.name, &info);
        const Ptr<AttributeValue> before = info.checker->Create();
        object->GetAttribute(setting.name, *before);
        if (!object->SetAttributeFailSafe(setting.name, *value))
        {
            throw FabricError(FullName(setting) + " cannot be set on an object", "it can be read");
        }
        return [=] { object->SetAttributeFailSafe(setting.name, *before); };
    }

    const Fabric& m_fabric;
    const FabricTopology& m_topology;
    const FabricPlaces& m_places;
    std::vector<Change> m_changes;
    bool m_taken{false};     //!< some place has what the setting is about
    bool m_hasSwitch{false}; //!< some place is at a switch
};

/// Make as many of the changes as can be made now.
/// @param changes those that wait; those that were made leave
/// @param undos gets how to take them back
/// @return what is wrong with the first that could not be made; none: all were
std::string
MakeChanges(std::vector<Change>& changes,
            std::vector<Undo>& undos,
            const std::vector<std::string>& names)
{
    std::string wrong;
    std::vector<Change> left;
    for (const Change& change : changes)
    {
        std::string why;
        try
        {
            undos.push_back(change.make());
            continue;
        }
        catch (const FabricError& error)
        {
            why = error.what();
        }
        catch (const std::invalid_argument& error)
        {
            why = error.what();
        }
        if (wrong.empty())
        {
            wrong = names[change.place.node.Value()] +
                    (change.place.port ? " port " + std::to_string(*change.place.port) : "") +
                    ": " + FullName(*change.setting) + ": " + why;
        }
        left.push_back(change);
    }
    changes = left;
    return wrong;
}

/// Throw an error of a setting, with the line of the file that says it.
[[noreturn]] void
Fail(const FabricSetting& setting, const std::string& what)
{
    if (setting.file.empty())
    {
        throw FabricError(what);
    }
    throw FabricError(setting.file, setting.line, what);
}

/// @return whether two settings are about one attribute, perhaps under two names
bool
IsSame(const FabricSetting& one, const FabricSetting& other)
{
    if (!IsA(one.type, other.type) && !IsA(other.type, one.type))
    {
        return false; // a parent declares what both have
    }
    return IsAttribute(one) && IsAttribute(other)
               ? FabricAttributes::FullName(one.type, one.name) ==
                     FabricAttributes::FullName(other.type, other.name)
               : one.name == other.name;
}

/// FabricError where one thing is set twice, and one of the values would win in silence.
/// @param settings that are set together
void
RequireOneValueEach(const std::vector<FabricSetting>& settings)
{
    for (std::size_t i = 0; i < settings.size(); ++i)
    {
        const FabricSetting& setting = settings[i];
        const ClassValue* const value = ClassValue::Find(setting);
        for (std::size_t j = 0; j < i; ++j)
        {
            const FabricSetting& before = settings[j];
            if (IsSame(setting, before))
            {
                Fail(setting,
                     FullName(setting) + " is set twice, also as " + FullName(before) +
                         "; set it once");
            }
            if (value && value->instead && ClassValue::Find(before) &&
                before.name == value->instead)
            {
                Fail(setting,
                     FullName(setting) + " and " + FullName(before) +
                         " are set together, and only one can be in force; set one of them");
            }
        }
    }
}

/// FabricError for a switch that has a pool of headroom which it would refuse when it starts.
/// @param settings that were just made
void
RequireHeadroomPools(const Fabric& fabric, const std::vector<FabricSetting>& settings)
{
    const bool isOfPools = std::any_of(settings.begin(), settings.end(), [](const auto& one) {
        return one.name == "HeadroomOversubscription" || one.name == "SharedHeadroomPool";
    });
    if (isOfPools)
    {
        const FabricTopology& topology = fabric.GetTopology();
        const auto names = FabricPlaces::NamesOf(topology);
        for (const SwitchId which : fabric.Switches())
        {
            RequireHeadroomPool(*fabric.GetSwitch(which)->GetMmu(),
                                names[topology.NodeOf(which).Value()]);
        }
    }
}

/**
 * Apply the objects among settings, or their other values, which may be of those objects.
 * @param undos gets how to take back what was made, also where FabricError is thrown
 */
void
ApplySome(const FabricSettings& some, const Fabric& fabric, bool objects, std::vector<Undo>& undos)
{
    Changes wanted(fabric, some.places);
    for (const FabricSetting& setting : some.settings)
    {
        try
        {
            if (IsObject(setting) == objects)
            {
                wanted.Add(setting);
            }
        }
        catch (const FabricError& error)
        {
            Fail(setting, error.what());
        }
    }
    // One value may need another one first, such as Kmin above the present Kmax.
    const auto names = FabricPlaces::NamesOf(fabric.GetTopology());
    std::vector<Change> changes = wanted.Get();
    std::string wrong;
    for (std::size_t before = changes.size() + 1; !changes.empty() && changes.size() < before;)
    {
        before = changes.size();
        wrong = MakeChanges(changes, undos, names);
    }
    if (!changes.empty())
    {
        Fail(*changes.front().setting, wrong);
    }
}

} // namespace

FabricSetting
FabricSetting::Read(const std::string& fullName,
                    const AttributeValue& value,
                    const FabricOptions& options)
{
    const std::size_t colons = fullName.rfind("::");
    const std::size_t dot = fullName.rfind('.');
    const bool isDotted = dot != std::string::npos;
    if (!isDotted && (colons == std::string::npos || colons == 0))
    {
        throw FabricError("\"" + fullName + "\" is no name of an attribute",
                          "such as ns3::SwitchMmu::Alpha");
    }
    std::string type = fullName.substr(0, isDotted ? dot : colons);
    type = type.compare(0, 5, "ns3::") == 0 ? type : "ns3::" + type;
    FabricSetting setting{FabricAttributes::FindType(type),
                          fullName.substr(isDotted ? dot + 1 : colons + 2),
                          nullptr,
                          {}};
    TypeId::AttributeInformation info;
    const auto* const text = dynamic_cast<const StringValue*>(&value);
    const bool isAttribute = setting.type.LookupAttributeByName(setting.name, &info);
    const auto* const pointer =
        isAttribute ? dynamic_cast<const PointerChecker*>(PeekPointer(info.checker)) : nullptr;
    if (pointer && text)
    {
        options.ToFactory(text->Get(), pointer->GetPointeeTypeId());
        setting.value = value.Copy();
    }
    else if (!isAttribute && ClassValue::Find(setting))
    {
        const auto* const bytes = dynamic_cast<const UintegerValue*>(&value);
        if (setting.name == "ServicePool")
        {
            if (!text)
            {
                throw FabricError(FullName(setting) + " is no text",
                                  "it is the name of one of ServicePools");
            }
            setting.value = value.Copy();
            return setting;
        }
        if (!bytes && !text)
        {
            throw FabricError(FullName(setting) + " is no number of bytes", "such as 64KiB");
        }
        setting.value = Create<UintegerValue>(
            bytes ? bytes->Get() : FabricText::ToBytes(text->Get(), FullName(setting)));
    }
    else
    {
        setting.value = options.Check(setting.type, setting.name, value);
    }
    return setting;
}

void
FabricSettings::Apply(const Fabric& fabric) const
{
    NS_LOG_FUNCTION(this << places.GetName() << settings.size());
    if (fabric.IsDestroyed())
    {
        throw FabricError("a setting of a fabric after Simulator::Destroy()",
                          "make the fabric anew");
    }
    if (settings.empty())
    {
        places.In(fabric.GetTopology()); // a place that is nowhere is wrong even so
    }
    RequireOneValueEach(settings);
    const bool isBuilt = IsLossForbidden(fabric); // else the build looks at all settings together
    const auto before = isBuilt ? FindUnstartable(fabric) : std::vector<std::string>();
    std::vector<Undo> undos;
    try
    {
        for (const std::string& path : sonic)
        {
            ApplySonic(fabric, places, SonicConfig::Read(path), SonicSwitch::ALL, undos);
        }
        ApplySome(*this, fabric, true, undos);
        ApplySome(*this, fabric, false, undos);
        if (FabricBuilder::HasBuilt(fabric))
        {
            RequireHeadroomPools(fabric, settings); // also where loss is allowed, as the build does
        }
        const auto after = isBuilt ? FindUnstartable(fabric) : std::vector<std::string>();
        if (after.size() > before.size())
        {
            throw FabricError(FirstOf(after));
        }
    }
    catch (const FabricError&)
    {
        std::for_each(undos.rbegin(), undos.rend(), [](const Undo& undo) { undo(); });
        if (isBuilt)
        {
            FindUnstartable(fabric); // what reads back is in force again
        }
        throw;
    }
    const bool isOfLinks = std::any_of(settings.begin(), settings.end(), [](const auto& one) {
        return one.name == "DataRate" || one.name == "Delay";
    });
    if (isOfLinks)
    {
        fabric.FollowLinks();
    }
}

FabricAt&
FabricAt::SetAll(const std::vector<FabricSetting>& settings)
{
    m_take({m_places, settings, {}});
    return *this;
}

FabricAt&
FabricAt::SetSwitchPreset(const std::string& preset)
{
    return SetAll(SwitchPreset::Find(preset).ToSettings(m_options));
}

void
FabricAt::RequireSwitches(const std::string& what, const std::string& all) const
{
    if (m_places.GetRank() >= FabricPlaces("all port 0").GetRank() || m_places.GetClasses())
    {
        throw FabricError(what + " at \"" + m_places.GetName() + "\"",
                          all + " are of whole switches: leave out port and class");
    }
    if (m_places.GetName().rfind("host", 0) == 0)
    {
        throw FabricError("\"" + m_places.GetName() + "\" has no switch",
                          what + " is of switches, such as leaf or switch 0");
    }
}

FabricAt&
FabricAt::SetSonicConfig(const std::string& path)
{
    RequireSwitches("a configuration of SONiC", "such configurations");
    SonicConfig::Read(path); // what is wrong with the file is said at once
    FabricSettings settings{m_places, {}, {}};
    settings.sonic.push_back(path);
    m_take(settings);
    return *this;
}

FabricAt&
FabricAt::AddSwitchExtension(const std::string& type)
{
    RequireSwitches("a switch extension", "extensions");
    FabricSettings settings{m_places, {}, {}};
    settings.extensions.push_back(
        m_options.ToFactory(type, TypeId::LookupByName("ns3::SwitchExtension")));
    m_take(settings);
    return *this;
}

} // namespace ns3
