// SPDX-License-Identifier: GPL-2.0-only
#include "settings-changes.h"

#include "setting-objects.h"
#include "type-relation.h"

#include "ns3/ecn-marker.h"
#include "ns3/egress-scheduler.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-switch.h"
#include "ns3/load-balancer.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/switch-mmu.h"

#include <stdexcept>
#include <utility>

namespace ns3
{

bool
SettingsChanges::IsAttribute(const FabricSetting& setting)
{
    TypeId::AttributeInformation ignored;
    return setting.type.LookupAttributeByName(setting.name, &ignored);
}

std::string
SettingsChanges::FullName(const FabricSetting& setting)
{
    return setting.type.GetName() + "::" + setting.name;
}

SettingsChanges::SettingsChanges(const Fabric& fabric, const FabricPlaces& places)
    : m_fabric(fabric),
      m_topology(fabric.GetTopology()),
      m_places(places)
{
}

void
SettingsChanges::Add(const FabricSetting& setting)
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
            throw FabricError(FullName(setting) + " has no value per class", "leave out the class");
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
        const bool isPart = IsA(setting.type, EgressScheduler::GetTypeId()) ||
                            IsA(setting.type, EcnMarker::GetTypeId()) ||
                            IsA(setting.type, LoadBalancer::GetTypeId());
        throw FabricError("nothing at \"" + m_places.GetName() + "\" has " + FullName(setting) +
                              (isPart ? " so far" : ""),
                          isRdma   ? "queue pairs are alike at all hosts, or set with each flow"
                          : isPart ? "set such an object there, too; those of narrower places come "
                                     "later, with attributes of their own"
                                   : "doc/settings.rst lists which places have what");
    }
}

template <typename Use>
void
SettingsChanges::ForEachClass(const FabricPlace& place, Use use) const
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

bool
SettingsChanges::IsOfClasses(const FabricSetting& setting, const FabricPlace& place) const
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

bool
SettingsChanges::IsOfCurve(const FabricSetting& setting)
{
    return IsA(setting.type, WredEcnMarker::GetTypeId()) &&
           WredEcnMarker::CurveValueOf(setting.name);
}

Ptr<FabricSwitch>
SettingsChanges::SwitchAt(NodeId node) const
{
    const SwitchId which = m_topology.SwitchAt(node);
    return which.IsNone() ? nullptr : m_fabric.GetSwitch(which);
}

void
SettingsChanges::Push(const FabricSetting& setting,
                      const FabricPlace& place,
                      std::function<Undo()> make)
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

void
SettingsChanges::AddClassValue(const FabricSetting& setting, const FabricPlace& place)
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

void
SettingsChanges::AddPortValue(const FabricSetting& setting, const FabricPlace& place)
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

void
SettingsChanges::PushPortConfig(const FabricSetting& setting,
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

SettingsChanges::Undo
SettingsChanges::SetCurve(WredEcnMarker& marker,
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

SettingsChanges::Undo
SettingsChanges::UndoCurve(WredEcnMarker& marker,
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

void
SettingsChanges::AddObjects(const FabricSetting& setting, const FabricPlace& place)
{
    for (const Ptr<Object>& object : ObjectsAt(m_fabric, place))
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

void
SettingsChanges::PushConfigs(const FabricSetting& setting,
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

void
SettingsChanges::ClearCurveValues(const FabricSetting& setting,
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

SettingsChanges::Undo
SettingsChanges::SetAttribute(const Ptr<Object>& object,
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

std::string
SettingsChanges::MakeSome(std::vector<Undo>& undos, const std::vector<std::string>& names)
{
    std::string wrong;
    std::vector<Change> left;
    for (const Change& change : m_changes)
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
    m_changes = left;
    return wrong;
}

const FabricSetting*
SettingsChanges::Make(std::vector<Undo>& undos, std::string& wrong)
{
    const auto names = FabricPlaces::NamesOf(m_topology);
    for (std::size_t before = m_changes.size() + 1;
         !m_changes.empty() && m_changes.size() < before;)
    {
        before = m_changes.size();
        wrong = MakeSome(undos, names);
    }
    return m_changes.empty() ? nullptr : m_changes.front().setting;
}

} // namespace ns3
