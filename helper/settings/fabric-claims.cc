// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-claims.h"

#include "buffer-values.h"
#include "setting-objects.h"
#include "sonic-places.h"
#include "type-relation.h"

#include "ns3/fabric-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricClaims");

namespace
{

constexpr uint32_t NO_CLASS = UINT32_MAX; // of a value of an object as a whole

/// @param setting one @return whether it is of ports, their schedulers, class maps or cables
bool
IsOfPorts(const FabricSetting& setting)
{
    return IsA(setting.type, QbbNetDevice::GetTypeId()) ||
           IsA(setting.type, EgressScheduler::GetTypeId()) ||
           IsA(setting.type, TrafficClassMap::GetTypeId()) ||
           IsA(setting.type, QbbChannel::GetTypeId());
}

/// @param options of the program @param setting one @return whether they say another value
bool
IsOfProgram(const FabricOptions& options, const FabricSetting& setting)
{
    if (!setting.IsAttribute())
    {
        // An option for alpha wins over static thresholds, too.
        const ClassValue* const value = ClassValue::Find(setting);
        return value && value->instead && options.Has(setting.type, value->instead);
    }
    const bool isPart = setting.type == FabricSwitch::GetTypeId() &&
                        (setting.name == "EcnMarker" || setting.name == "LoadBalancer");
    return options.Has(setting.type, setting.name) ||
           (isPart && options.Has(setting.type, setting.name + "Type"));
}

/// @param fabric a fabric @param node a node of it @return the switch there; null: it is a host
Ptr<FabricSwitch>
SwitchAt(const FabricObjects& fabric, NodeId node)
{
    const SwitchId which = fabric.GetTopology().SwitchAt(node);
    return which.IsNone() ? nullptr : fabric.GetSwitch(which);
}

/// Do something with each (port, class) of a place. @param classes mask of them @param use called
/// with (port, class)
template <typename Use>
void
ForEachClass(const FabricObjects& fabric, const FabricPlace& place, uint8_t classes, const Use& use)
{
    const auto ports = static_cast<uint32_t>(fabric.GetTopology().GetLinksOf(place.node).size());
    for (uint32_t port = place.port.value_or(0); port < (place.port ? *place.port + 1 : ports);
         ++port)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            if (classes & (1U << cls))
            {
                use(port, cls);
            }
        }
    }
}

/// Give a curve one of its values. @param curve the curve @param setting of the value
void
Take(WredEcnMarker::Curve& curve, const FabricSetting& setting)
{
    if (setting.name == "Pmax")
    {
        curve.pmax = RealOf(*setting.value);
    }
    else
    {
        (setting.name == "Kmin" ? curve.kmin : curve.kmax) = BytesOf(*setting.value);
    }
}

} // namespace

FabricClaims::FabricClaims(const FabricObjects& fabric, const std::vector<FabricSettings>& told)
    : m_fabric(fabric),
      m_told(told)
{
    for (const FabricSettings& some : m_told)
    {
        if (some.settings.empty())
        {
            some.places.In(fabric.GetTopology()); // a place that is nowhere is wrong even so
        }
        for (const FabricSetting& setting : some.settings)
        {
            const bool isCurve = IsA(setting.type, WredEcnMarker::GetTypeId());
            m_claims.push_back({&setting,
                                &some.places,
                                ClassValue::Find(setting),
                                PortValue::Find(setting),
                                isCurve ? WredEcnMarker::CurveValueOf(setting.name) : uint8_t{0},
                                IsOfProgram(fabric.GetOptions(), setting)});
        }
        for (const std::string& path : some.sonic)
        {
            m_sonic.push_back({&some.places, SonicConfig::Read(path)});
        }
    }
    for (const SwitchId which : m_fabric.Switches())
    {
        m_fabric.GetSwitch(which)->HoldChanges();
    }
}

void
FabricClaims::Put(Part part)
{
    // Of equal places: a file says which schedulers ports have, and those of a script replace them;
    // and which curves a marker has, for which that of a script is there.
    const bool ofPorts = part == PORTS;
    std::vector<Step> steps;
    for (const Sonic& sonic : m_sonic)
    {
        steps.push_back({4 * sonic.places->GetRank() + (ofPorts ? 0 : 2), nullptr, &sonic});
    }
    for (Claim& claim : m_claims)
    {
        if (IsOfPorts(*claim.setting) == ofPorts)
        {
            const uint32_t kind = claim.setting->IsObject() ? 1 : 3;
            steps.push_back({4 * claim.places->GetRank() + kind, &claim, nullptr});
        }
    }
    std::stable_sort(steps.begin(), steps.end(), [](const Step& one, const Step& other) {
        return one.order < other.order;
    });
    uint32_t kind = 0;
    for (const Step& step : steps)
    {
        if (std::exchange(kind, step.order % 4) != step.order % 4)
        {
            PutBatches(); // attributes are of the objects that are there
        }
        if (step.claim)
        {
            Add(*step.claim);
            continue;
        }
        ApplySonic(m_fabric,
                   *step.sonic->places,
                   step.sonic->config,
                   ofPorts ? SonicSwitch::PORTS : SonicSwitch::REST,
                   m_sonicDone);
    }
    PutBatches();
    if (ofPorts && !steps.empty())
    {
        m_fabric.FollowLinks();
    }
    for (const Sonic& one : m_sonic)
    {
        if (!ofPorts) // the delays of links are set
        {
            ApplySonic(m_fabric, *one.places, one.config, SonicSwitch::CABLES, m_sonicDone);
        }
    }
}

void
FabricClaims::PutBatches()
{
    const auto names = FabricPlaces::NamesOf(m_fabric.GetTopology());
    for (auto& [place, batch] : m_batches)
    {
        m_done.push_back(std::move(batch)); // to be restored, whatever happens now
        m_done.back().Put(m_fabric.GetOptions(),
                          names[place.node.Value()] +
                              (place.port ? " port " + std::to_string(*place.port) : ""));
    }
    m_batches.clear();
    m_index.clear();
}

void
FabricClaims::Finish()
{
    const FabricTopology& topology = m_fabric.GetTopology();
    for (const SwitchId which : m_fabric.Switches())
    {
        try
        {
            Follow(which);
        }
        catch (const std::invalid_argument& error)
        {
            std::string what = FabricPlaces::NameOf(topology, topology.NodeOf(which)) + ": ";
            for (const Claim& claim : m_claims)
            {
                const bool isLast = &claim == &m_claims.back();
                what += claim.setting->GetFullName() + (isLast ? ": " : ", ");
            }
            const FabricSetting none{};
            (m_claims.empty() ? none : *m_claims.front().setting).Fail(what + error.what());
        }
    }
}

void
FabricClaims::Follow(SwitchId which) const
{
    const auto fabricSwitch = m_fabric.GetSwitch(which);
    const bool hasChanged = fabricSwitch->TakeChanges();
    if (hasChanged && m_fabric.GetNotes().isLossForbidden && !fabricSwitch->IsInitialized())
    {
        fabricSwitch->Start(); // what reads back is in force, also before the run
    }
}

void
FabricClaims::Undo()
{
    for (const SwitchId which : m_fabric.Switches())
    {
        m_fabric.GetSwitch(which)->HoldChanges();
    }
    std::for_each(m_done.rbegin(), m_done.rend(), [](const auto& batch) { batch.Restore(); });
    std::for_each(m_sonicDone.rbegin(), m_sonicDone.rend(), [](auto& one) { one.Undo(); });
    for (const SwitchId which : m_fabric.Switches())
    {
        try
        {
            Follow(which);
        }
        catch (const std::invalid_argument& error)
        {
            NS_LOG_LOGIC("it could not start before, either: " << error.what());
        }
    }
    m_fabric.FollowLinks();
}

std::vector<SettingDifference>
FabricClaims::List() const
{
    std::vector<SettingDifference> all;
    for (const Claim& claim : m_claims)
    {
        const FabricSetting& setting = *claim.setting;
        SettingDifference one{claim.places->GetName(),
                              setting.type.GetName().substr(5) + "." + setting.name,
                              "",
                              setting.GetText()};
        one.source = setting.GetSource();
        const bool isNarrow = claim.places->GetRank() >= FabricPlaces("all port 0").GetRank() ||
                              claim.places->GetClasses() ||
                              (claim.ofClass && !claim.ofClass->isOfSwitch);
        one.name += (claim.ofClass || claim.ofPort) && isNarrow ? " of ports" : "";
        if (claim.isOfProgram || (!claim.count && claim.by))
        {
            one.state = SettingState::OVERRIDDEN;
            one.need = claim.isOfProgram ? "no option of the program"
                                         : "no setting at " + claim.by->places->GetName() + " (" +
                                               claim.by->setting->GetSource() + ")";
        }
        all.push_back(one);
    }
    return all;
}

// ---- what objects get

void
FabricClaims::Add(Claim& claim)
{
    const FabricSetting& setting = *claim.setting;
    bool isTaken = false;
    try
    {
        for (const FabricPlace& place : claim.places->In(m_fabric.GetTopology()))
        {
            isTaken = Add(claim, place) || isTaken;
        }
    }
    catch (const FabricError& error)
    {
        setting.Fail(error.what());
    }
    if (!isTaken)
    {
        FailNowhere(claim);
    }
}

bool
FabricClaims::Add(Claim& claim, const FabricPlace& place)
{
    const FabricSetting& setting = *claim.setting;
    const bool isNarrow = place.port || claim.places->GetClasses();
    const bool isOfSwitch =
        setting.type == SwitchMmu::GetTypeId() || setting.type == FabricSwitch::GetTypeId();
    if (isNarrow && isOfSwitch && !claim.ofClass && !claim.ofPort)
    {
        throw FabricError(setting.GetFullName() + " is of the whole switch",
                          "leave out port and class");
    }
    if (claim.ofClass && (isNarrow || !claim.ofClass->isOfSwitch))
    {
        return AddClasses(claim, place, true);
    }
    if (isNarrow && claim.ofCurve)
    {
        return AddQueues(claim, place, true);
    }
    if (claim.places->GetClasses())
    {
        throw FabricError(setting.GetFullName() + " has no value per class", "leave out the class");
    }
    if (place.port && claim.ofPort)
    {
        const auto fabricSwitch = SwitchAt(m_fabric, place.node);
        if (fabricSwitch && !claim.isOfProgram)
        {
            const Ptr<SwitchMmu> mmu = fabricSwitch->GetMmu();
            BatchOf(mmu, place).GetConfigs().ports[*place.port].*claim.ofPort->limit =
                BytesOf(*setting.value);
            Win(claim, {PeekPointer(mmu), setting.name, *place.port});
        }
        return fabricSwitch != nullptr;
    }
    return AddAttributes(claim, place);
}

bool
FabricClaims::AddAttributes(Claim& claim, const FabricPlace& place)
{
    const FabricSetting& setting = *claim.setting;
    const bool hasPorts = IsOfPorts(setting);
    bool isTaken = false;
    for (const Ptr<Object>& object :
         hasPorts ? ObjectsAt(m_fabric, place) : ObjectsOfNode(m_fabric, place.node))
    {
        if ((place.port && !hasPorts) || !IsA(object->GetInstanceTypeId(), setting.type))
        {
            continue;
        }
        isTaken = true;
        if (claim.isOfProgram)
        {
            continue;
        }
        BatchOf(object, place).Set(setting);
        Win(claim, {PeekPointer(object), setting.name, NO_CLASS});
        // A value of the whole switch is that of all its ports and queues.
        if (claim.ofClass)
        {
            AddClasses(claim, place, false);
        }
        if (claim.ofPort)
        {
            for (MmuPortConfig& port : BatchOf(object, place).GetConfigs().ports)
            {
                (port.*claim.ofPort->limit).reset();
            }
        }
        if (claim.ofCurve)
        {
            AddQueues(claim, place, false);
        }
    }
    return isTaken;
}

bool
FabricClaims::AddClasses(Claim& claim, const FabricPlace& place, bool isOwn)
{
    const ClassValue& value = *claim.ofClass;
    const auto fabricSwitch = SwitchAt(m_fabric, place.node);
    if (!fabricSwitch)
    {
        return false;
    }
    // Values that cannot be in force together are one.
    const std::string name = value.isOfSwitch || !value.instead ? value.name : value.instead;
    const Ptr<SwitchMmu> mmu = fabricSwitch->GetMmu();
    const bool isNamed = claim.places->GetClasses().has_value();
    bool isTaken = false;
    ForEachClass(m_fabric,
                 place,
                 claim.places->GetClasses().value_or(0xff),
                 [&](uint32_t port, uint32_t cls) {
                     const auto device = fabricSwitch->GetPort(static_cast<uint16_t>(port));
                     const bool lossless = device->GetPausingGroups() & (1U << cls);
                     const bool isOfOthers = value.of == ClassValue::QUEUES && !isNamed;
                     if (lossless ? value.of == ClassValue::LOSSY || isOfOthers
                                  : value.of == ClassValue::LOSSLESS)
                     {
                         return; // of the other classes
                     }
                     isTaken = true;
                     if (claim.isOfProgram)
                     {
                         return;
                     }
                     const uint32_t index = port * TRAFFIC_CLASSES + cls;
                     MmuClassConfig& config = BatchOf(mmu, place).GetConfigs().classes[index];
                     isOwn ? value.Set(config, *claim.setting->value) : value.Clear(config);
                     Win(claim, {PeekPointer(mmu), name, index}, isOwn);
                 });
    return isTaken;
}

bool
FabricClaims::AddQueues(Claim& claim, const FabricPlace& place, bool isOwn)
{
    const auto fabricSwitch = SwitchAt(m_fabric, place.node);
    const auto marker =
        DynamicCast<WredEcnMarker>(fabricSwitch ? fabricSwitch->GetEcnMarker() : nullptr);
    if (!marker || claim.isOfProgram)
    {
        return marker != nullptr;
    }
    const auto forQueue = [&](uint32_t port, uint32_t cls) {
        const uint32_t index = port * TRAFFIC_CLASSES + cls;
        if (!isOwn && !(marker->GetOwnValues(port, cls) & claim.ofCurve))
        {
            return;
        }
        WredEcnMarker::Entry& queue = BatchOf(marker, place).GetQueue(index);
        queue.own &= ~claim.ofCurve;
        if (isOwn)
        {
            queue.own |= claim.ofCurve;
            Take(queue.curve, *claim.setting);
            Win(claim, {PeekPointer(marker), claim.setting->name, index});
        }
    };
    ForEachClass(m_fabric, place, claim.places->GetClasses().value_or(0xff), forQueue);
    return true;
}

void
FabricClaims::Win(Claim& claim, const Value& value, bool isOwn)
{
    if (m_claims.size() == 1)
    {
        ++claim.count;
        return;
    }
    const auto before = m_winners.find(value);
    if (before != m_winners.end() && before->second != &claim)
    {
        --before->second->count;
        before->second->by = &claim;
    }
    if (isOwn)
    {
        claim.count += before == m_winners.end() || before->second != &claim;
        m_winners[value] = &claim;
    }
    else if (before != m_winners.end())
    {
        m_winners.erase(before);
    }
}

ObjectBatch&
FabricClaims::BatchOf(const Ptr<Object>& object, const FabricPlace& place)
{
    const auto [found, isNew] = m_index.emplace(PeekPointer(object), m_batches.size());
    if (isNew)
    {
        m_batches.emplace_back(place, ObjectBatch(object));
    }
    return m_batches[found->second].second;
}

void
FabricClaims::FailNowhere(const Claim& claim) const
{
    const FabricSetting& setting = *claim.setting;
    const std::string where = "\"" + claim.places->GetName() + "\"";
    const auto places = claim.places->In(m_fabric.GetTopology());
    const bool hasSwitch = std::any_of(places.begin(), places.end(), [this](const auto& place) {
        return SwitchAt(m_fabric, place.node) != nullptr;
    });
    if (claim.ofClass && hasSwitch)
    {
        const bool lossless = claim.ofClass->of == ClassValue::LOSSLESS;
        setting.Fail("no class at " + where + " is " + (lossless ? "lossless" : "lossy") + "; " +
                     setting.GetFullName() + " is of such classes");
    }
    setting.Fail("nothing at " + where + " has " + setting.GetFullName() +
                 " so far; doc/settings.rst lists which places have what");
}

} // namespace ns3
