// SPDX-License-Identifier: GPL-2.0-only
#include "effect-scene.h"

#include "ns3/fabric-attributes.h"
#include "ns3/global-value.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/rdma-loss-recovery.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <stdexcept>

namespace ns3
{
namespace tests
{

namespace
{

/// @param name without ns3:: @return the type
TypeId
TypeOf(const std::string& name)
{
    return TypeId::LookupByName("ns3::" + name);
}

/// @return whether a type is or derives from another
template <typename Base>
bool
Is(const std::string& name)
{
    const TypeId type = TypeOf(name);
    return type == Base::GetTypeId() || type.IsChildOf(Base::GetTypeId());
}

} // namespace

std::vector<EffectSetting>
ParseSettings(const std::string& text)
{
    std::vector<EffectSetting> settings;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ';');)
    {
        part.erase(0, part.find_first_not_of(' '));
        const std::size_t equals = part.find('=');
        const std::string name = part.substr(0, equals);
        const std::size_t colons = name.find("::");
        EffectSetting setting;
        setting.type = name.substr(0, colons);
        if (colons != std::string::npos)
        {
            setting.attribute = name.substr(colons + 2);
            setting.value = part.substr(equals + 1);
        }
        settings.push_back(setting);
    }
    return settings;
}

EffectRun::EffectRun(const EffectScene& scene, const std::string& folder)
    : m_scene(scene),
      m_folder(folder)
{
}

bool
EffectRun::IsOfQueuePairs(const std::string& type)
{
    return type == "RdmaQueuePair" || type == "RdmaTerms" || Is<RdmaCongestionOps>(type) ||
           Is<RdmaLossRecovery>(type) || Is<RdmaEntropyPolicy>(type) || Is<RdmaTransport>(type);
}

EffectResult
EffectRun::Run(const std::vector<EffectSetting>& before, const Change& early, const Change& late)
{
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::FabricSimulatorImpl"));
    m_before = ParseSettings(m_scene.with);
    m_before.insert(m_before.end(), before.begin(), before.end());
    for (const EffectSetting& setting : m_before)
    {
        if (Is<RdmaCongestionOps>(setting.type))
        {
            m_helper.SetCongestionControl("ns3::" + setting.type); // brings what switches need
        }
    }
    m_fabric = std::make_unique<Fabric>(m_scene.build(m_helper));
    const WireDigest digest(*m_fabric);
    Try([&] {
        if (m_scene.furnish)
        {
            m_scene.furnish(*this);
        }
        for (const EffectSetting& setting : m_before)
        {
            if (!IsOfQueuePairs(setting.type) && m_taken.count(setting.type) == 0)
            {
                Set(setting);
            }
        }
        if (early)
        {
            early(*this);
        }
        m_fabric->AssignStreams(0);
        m_scene.load(*this);
        if (late)
        {
            At(MicroSeconds(m_scene.changeAt), [&] { Try([&] { late(*this); }); });
        }
        Simulator::Stop(MicroSeconds(m_scene.end));
        Simulator::Run();
        if (m_scene.finish)
        {
            m_scene.finish(*this);
        }
    });
    m_result.wire = digest.Get();
    m_result.log = m_log.str();
    m_queuePairs.clear();
    m_objects.clear();
    m_kept.clear();
    Simulator::Destroy();
    return m_result;
}

void
EffectRun::Try(const std::function<void()>& call)
{
    try
    {
        call();
    }
    catch (const std::exception& error)
    {
        m_result.refusal = error.what();
    }
}

std::vector<std::pair<std::string, std::string>>
EffectRun::Take(const std::string& type)
{
    std::vector<std::pair<std::string, std::string>> pairs;
    m_taken.insert(type);
    for (const EffectSetting& setting : m_before)
    {
        if (setting.type == type)
        {
            pairs.emplace_back(setting.attribute, setting.value);
        }
    }
    return pairs;
}

Fabric::Connection
EffectRun::Connect(uint32_t source, uint32_t destination, uint32_t trafficClass)
{
    Fabric::QueuePairOptions options;
    const TypeId queuePair = RdmaQueuePair::GetTypeId();
    const auto set = [&](const std::string& name, const std::string& value) {
        options.attributes.emplace_back(
            name,
            FabricAttributes::Check(queuePair, name, StringValue(value)));
    };
    set("TrafficClass", std::to_string(trafficClass));
    std::string recovery;
    std::string entropy;
    std::string transport;
    const auto add = [](std::string& policy, const EffectSetting& setting) {
        const bool isFirst = policy.find('[') == std::string::npos;
        policy += policy.empty() ? "ns3::" + setting.type : "";
        policy += setting.attribute.empty()
                      ? ""
                      : (isFirst ? "[" : "|") + setting.attribute + "=" + setting.value;
    };
    const auto close = [](const std::string& policy) {
        return policy + (policy.find('[') == std::string::npos ? "" : "]");
    };
    for (const EffectSetting& setting : m_before)
    {
        const bool isCongestion = Is<RdmaCongestionOps>(setting.type);
        if (isCongestion)
        {
            options.congestion.SetTypeId("ns3::" + setting.type);
        }
    }
    for (const EffectSetting& setting : m_before)
    {
        if (setting.type == "RdmaQueuePair")
        {
            set(setting.attribute, setting.value);
        }
        else if (Is<RdmaLossRecovery>(setting.type))
        {
            add(recovery, setting);
        }
        else if (Is<RdmaEntropyPolicy>(setting.type))
        {
            add(entropy, setting);
        }
        else if (Is<RdmaTransport>(setting.type))
        {
            add(transport, setting);
        }
        else if (Is<RdmaCongestionOps>(setting.type) && !setting.attribute.empty())
        {
            FabricAttributes::Set(options.congestion,
                                  setting.attribute,
                                  StringValue(setting.value));
        }
    }
    if (!recovery.empty())
    {
        set("LossRecovery", close(recovery));
    }
    if (!entropy.empty())
    {
        set("Entropy", close(entropy));
    }
    if (!transport.empty())
    {
        set("Transport", close(transport));
    }
    const auto ends = m_fabric->Connect(source, destination, options);
    for (const auto& end : {ends.source, ends.destination})
    {
        const uint64_t number = m_objects.size();
        end->SetCompletionCallback(
            Callback<void, const RdmaCompletion&>([this, number](const RdmaCompletion& completion) {
                m_log << number << ' ' << completion.status << ' '
                      << completion.completed.GetPicoSeconds() << '\n';
            }));
        end->GetCongestionControl()->AssignStreams(static_cast<int64_t>(1000 + number));
        m_objects.push_back(end);
        m_objects.push_back(end->GetCongestionControl());
        m_objects.push_back(end->GetLossRecovery());
        if (const auto policy = end->GetEntropyPolicy())
        {
            policy->AssignStreams(static_cast<int64_t>(2000 + number));
            m_objects.push_back(policy);
        }
        if (const auto transport = end->GetTransport())
        {
            transport->AssignStreams(static_cast<int64_t>(3000 + number));
            m_objects.push_back(transport);
        }
    }
    return ends;
}

void
EffectRun::Send(uint32_t source, uint32_t destination, uint64_t bytes, uint32_t trafficClass)
{
    Connect(source, destination, trafficClass).source->Post({RdmaVerb::WRITE, bytes});
}

std::vector<Ptr<Object>>
EffectRun::GetParts() const
{
    std::vector<Ptr<Object>> parts(m_objects);
    parts.push_back(Simulator::GetImplementation());
    for (const LinkId link : m_fabric->GetTopology().Links())
    {
        parts.push_back(m_fabric->GetChannel(link));
    }
    for (const auto& [node, port, isSwitch, device] : PortsOf(*m_fabric))
    {
        PointerValue scheduler;
        device->GetAttribute("EgressScheduler", scheduler);
        parts.push_back(device);
        parts.push_back(device->GetTrafficClassMap());
        parts.push_back(scheduler.GetObject());
    }
    for (const SwitchId which : m_fabric->Switches())
    {
        const auto fabricSwitch = m_fabric->GetSwitch(which);
        parts.push_back(fabricSwitch);
        parts.push_back(fabricSwitch->GetMmu());
        parts.push_back(fabricSwitch->GetEcnMarker());
        parts.push_back(fabricSwitch->GetLoadBalancer());
        for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
        {
            parts.push_back(fabricSwitch->GetExtension(i));
        }
    }
    return parts;
}

std::vector<Ptr<Object>>
EffectRun::Find(const std::string& type) const
{
    std::vector<Ptr<Object>> found;
    std::set<const Object*> known;
    for (const auto& part : GetParts())
    {
        if (part && known.insert(PeekPointer(part)).second &&
            (part->GetInstanceTypeId() == TypeOf(type) ||
             part->GetInstanceTypeId().IsChildOf(TypeOf(type))))
        {
            found.push_back(part);
        }
    }
    return found;
}

void
EffectRun::Set(const EffectSetting& setting)
{
    const auto objects = Find(setting.type);
    m_result.objects = objects.size();
    for (const auto& object : objects)
    {
        const auto value = FabricAttributes::Check(object->GetInstanceTypeId(),
                                                   setting.attribute,
                                                   StringValue(setting.value));
        object->SetAttribute(setting.attribute, *value);
    }
}

void
EffectRun::Touch(const EffectSetting& setting) const
{
    for (const auto& object : Find(setting.type))
    {
        TypeId::AttributeInformation info;
        object->GetInstanceTypeId().LookupAttributeByName(setting.attribute, &info);
        const Ptr<AttributeValue> value = info.checker->Create();
        object->GetAttribute(setting.attribute, *value);
        const auto* pointer = dynamic_cast<const PointerValue*>(PeekPointer(value));
        if (!pointer || pointer->GetObject()) // ns-3 refuses null
        {
            object->SetAttribute(setting.attribute, *value);
        }
    }
}

} // namespace tests
} // namespace ns3
