// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-helper.h"

#include "egress-scheduler.h"
#include "fabric-builder.h"
#include "leave-out.h"
#include "settings-file.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/fabric-warning.h"
#include "ns3/log.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/string.h"
#include "ns3/switch-extension.h"
#include "ns3/switch-presets.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricHelper");

namespace
{

/// @param type a type @param name of one of its attributes @param result takes the default, if it
/// is not that of the type
template <typename Value, typename T>
void
ChangedDefault(TypeId type, const std::string& name, T& result)
{
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(name, &info);
    if (FabricAttributes::DefaultChanged(type, name))
    {
        result = DynamicCast<const Value>(info.initialValue)->Get();
    }
}

/// Name what was chosen for links, and what no link of a topology has.
/// @param recipe what was chosen @param topology which
void
WarnOfLinks(const FabricRecipe& recipe, const FabricTopology& topology)
{
    const FabricLinkSpec usual;
    const auto warn = [&](const std::string& name, auto FabricLinkSpec::* field) {
        const auto& wanted = recipe.link.*field;
        const auto& links = topology.GetLinks();
        const auto hasIt = [&](const auto& link) { return link.spec.*field == wanted; };
        if (wanted != usual.*field && std::none_of(links.begin(), links.end(), hasIt))
        {
            PrintWarning(name + " of the links has no effect",
                         "the topology says it of each of its links");
        }
    };
    warn("DataRate", &FabricLinkSpec::rate);
    warn("Delay", &FabricLinkSpec::delay);
    warn("ErrorRate", &FabricLinkSpec::errorRate);
}

/// @param classes traffic classes @return mask of them; FabricError where there is no such class
uint32_t
MaskOf(const std::vector<uint32_t>& classes)
{
    uint32_t mask = 0;
    for (const uint32_t cls : classes)
    {
        if (cls >= TRAFFIC_CLASSES)
        {
            throw FabricError("class " + std::to_string(cls), "classes are 0 to 7");
        }
        mask |= 1U << cls;
    }
    return mask;
}

} // namespace

FabricHelper::FabricHelper(const FabricOptions& options)
{
    m_recipe.options = options;
    const TypeId device = QbbNetDevice::GetTypeId();
    const TypeId queuePair = RdmaQueuePair::GetTypeId();
    // Defaults that a script has changed.
    ChangedDefault<DataRateValue>(device, "DataRate", m_recipe.link.rate);
    ChangedDefault<TimeValue>(QbbChannel::GetTypeId(), "Delay", m_recipe.link.delay);
    ChangedDefault<ObjectFactoryValue>(queuePair, "CongestionControl", m_recipe.congestion);
    // What the command line says; the setters leave it alone.
    const auto set = [](const std::string& option, const auto& use) {
        if (!option.empty())
        {
            use(option);
        }
    };
    set(options.Get(RateErrorModel::GetTypeId(), "ErrorRate"), [this](const std::string& text) {
        m_recipe.link.errorRate = FabricText::ToReal(text, "ErrorRate", 0, 1);
    });
    set(options.Get(device, "EgressScheduler"),
        [this](const std::string& text) { m_recipe.scheduler = m_recipe.options.ToFactory(text); });
    set(options.Get(device, "DataRate"), [this](const std::string& text) {
        m_recipe.link.rate = FabricText::ToRate(text, "DataRate");
    });
    set(options.Get(QbbChannel::GetTypeId(), "Delay"), [this](const std::string& text) {
        m_recipe.link.delay = FabricText::ToTime(text, "Delay");
    });
    set(options.Get(queuePair, "CongestionControl"), [this](const std::string& text) {
        m_recipe.congestion = m_recipe.options.ToFactory(text);
    });
    m_recipe.mtuIsSet = HasOption(device, "Mtu");
    m_recipe.formatIsSet = HasOption(device, "FrameFormat");
}

bool
FabricHelper::HasOption(TypeId type, const std::string& attribute) const
{
    return m_recipe.options.Has(type, attribute);
}

bool
FabricHelper::HasTypeOption(const std::string& base) const
{
    return (base == "ns3::EcnMarker" && HasOption(FabricSwitch::GetTypeId(), "EcnMarkerType")) ||
           (base == "ns3::LoadBalancer" &&
            HasOption(FabricSwitch::GetTypeId(), "LoadBalancerType")) ||
           (base == "ns3::EgressScheduler" &&
            HasOption(QbbNetDevice::GetTypeId(), "EgressScheduler")) ||
           (base == "ns3::RdmaCongestionOps" &&
            HasOption(RdmaQueuePair::GetTypeId(), "CongestionControl"));
}

// ---- what the parts are like

ObjectFactory
FabricHelper::MakeFactory(const std::string& base, const std::string& type) const
{
    return m_recipe.options.ToFactory(type, TypeId::LookupByName(base));
}

void
FabricHelper::SetPair(const std::string& setter,
                      const std::function<void(const std::string&, const AttributeValue&)>& use,
                      const std::string& name,
                      const AttributeValue& value)
{
    if (!IsLeftOut(setter + " " + name))
    {
        use(name, value);
    }
    NoteSaid(setter + " " + name);
}

void
FabricHelper::SetLinkAttribute(const std::string& name, const AttributeValue& value)
{
    const TypeId device = QbbNetDevice::GetTypeId();
    if (name == "ErrorRate")
    {
        const auto checked = m_recipe.options.Check(RateErrorModel::GetTypeId(), name, value);
        const double rate = DynamicCast<DoubleValue>(checked)->Get();
        if (!(rate >= 0 && rate <= 1))
        {
            throw FabricError("ErrorRate is " + ExactText(rate),
                              "it must be a probability, 0 to 1");
        }
        if (!HasOption(RateErrorModel::GetTypeId(), name))
        {
            m_recipe.link.errorRate = rate;
        }
    }
    else if (name == "Delay")
    {
        const auto checked = m_recipe.options.Check(QbbChannel::GetTypeId(), name, value);
        if (!HasOption(QbbChannel::GetTypeId(), name))
        {
            m_recipe.link.delay = DynamicCast<TimeValue>(checked)->Get();
        }
    }
    else if (name == "DataRate")
    {
        const auto checked = m_recipe.options.Check(device, name, value);
        const DataRate rate = DynamicCast<DataRateValue>(checked)->Get();
        if (rate.GetBitRate() == 0)
        {
            throw FabricError("DataRate is 0", "it must be above 0, such as 100Gbps");
        }
        if (!HasOption(device, name))
        {
            m_recipe.link.rate = rate;
        }
    }
    else
    {
        m_recipe.mtuIsSet = m_recipe.mtuIsSet || name == "Mtu";
        m_recipe.formatIsSet = m_recipe.formatIsSet || name == "FrameFormat";
        m_recipe.options.Set(m_recipe.device, name, value);
    }
}

void
FabricHelper::SetSwitchAttribute(const std::string& type,
                                 const std::string& name,
                                 const AttributeValue& value)
{
    if (type == "ns3::FabricSwitch")
    {
        m_recipe.options.Set(m_recipe.fabricSwitch, name, value);
    }
    else if (type == "ns3::SwitchMmu")
    {
        const auto checked = m_recipe.options.Check(SwitchMmu::GetTypeId(), name, value);
        if (!HasOption(SwitchMmu::GetTypeId(), name))
        {
            m_recipe.mmu.emplace_back(name, checked);
        }
    }
    else
    {
        throw FabricError("\"" + type + "\" is no part of a switch",
                          "ns3::SwitchMmu or ns3::FabricSwitch; see SetEcn() and SetScheduler()");
    }
}

void
FabricHelper::SetSwitchPreset(const std::string& preset)
{
    for (const FabricSetting& setting : SwitchPreset::Find(preset).ToSettings(m_recipe.options))
    {
        SetSwitch("ns3::SwitchMmu", setting.name, *setting.value);
    }
}

void
FabricHelper::SetQueuePairAttribute(const std::string& name, const AttributeValue& value)
{
    const auto checked = m_recipe.options.Check(RdmaQueuePair::GetTypeId(), name, value);
    if (HasOption(RdmaQueuePair::GetTypeId(), name))
    {
        return;
    }
    if (name == "CongestionControl")
    {
        // As SetCongestionControl(): the switches must suit it.
        m_recipe.congestion = DynamicCast<ObjectFactoryValue>(checked)->Get();
    }
    else
    {
        m_recipe.queuePair.emplace_back(name, checked);
    }
}

void
FabricHelper::SetEcnThresholds(DataRate rate, uint64_t kmin, uint64_t kmax, double pmax)
{
    if (kmin > kmax)
    {
        throw FabricError("Kmin " + std::to_string(kmin) + " exceeds Kmax " + std::to_string(kmax),
                          "Kmin must be at most Kmax");
    }
    if (!(pmax >= 0 && pmax <= 1))
    {
        throw FabricError("Pmax is " + std::to_string(pmax), "it must be a probability, 0 to 1");
    }
    for (const FabricRecipe::EcnThresholds& before : m_recipe.thresholds)
    {
        if (before.bitsPerSecond == rate.GetBitRate())
        {
            throw FabricError("the ECN thresholds for " + std::to_string(before.bitsPerSecond) +
                                  " bit/s are set twice",
                              "set them once");
        }
    }
    m_recipe.thresholds.push_back({rate.GetBitRate(), kmin, kmax, pmax});
    NoteSaid("SetEcnThresholds");
}

void
FabricHelper::SetAlphaBySpeed(bool enable)
{
    m_recipe.alphaBySpeed = enable;
    NoteSaid("SetAlphaBySpeed");
}

void
FabricHelper::SetLosslessClasses(const std::vector<uint32_t>& classes)
{
    m_recipe.options.Set(m_recipe.device, "PfcClasses", UintegerValue(MaskOf(classes)));
    NoteSaid("SetLosslessClasses");
}

void
FabricHelper::SetCbfc(const std::vector<uint32_t>& classes)
{
    SetLosslessClasses({});
    m_recipe.options.Set(m_recipe.device, "CbfcClasses", UintegerValue(MaskOf(classes)));
    NoteSaid("SetCbfc");
}

void
FabricHelper::SetIpVersion(uint32_t version)
{
    if (version != 4 && version != 6)
    {
        throw FabricError("there is no IP version " + std::to_string(version), "take 4 or 6");
    }
    m_recipe.ipVersion = static_cast<uint8_t>(version);
    NoteSaid("SetIpVersion");
}

void
FabricHelper::SetMrc(Time baseRtt, RdmaMrc::Format format)
{
    if (!baseRtt.IsStrictlyPositive())
    {
        throw FabricError("MRC with a base RTT of " + std::to_string(baseRtt.GetNanoSeconds()) +
                              " ns",
                          "give the longest round trip of the empty fabric");
    }
    constexpr uint32_t MTU = 4096;
    const TimeValue rtt(baseRtt);
    SetIpVersion(6);
    SetLosslessClasses({});
    SetQueuePair("Mtu", UintegerValue(MTU));
    constexpr const char* FORMATS[] = {"Udp", "Stev", "Srv6"};
    SetQueuePair("Transport",
                 StringValue("ns3::RdmaMrc[BaseRtt=" + rtt.SerializeToString(MakeTimeChecker()) +
                             "|Format=" + FORMATS[format] + "]"));
    if (format == RdmaMrc::STEV)
    {
        SetLoadBalancer("ns3::StevLoadBalancer");
    }
    if (format == RdmaMrc::SRV6)
    {
        AddSwitchExtension("ns3::Srv6Switch");
    }
    SetCongestionControl("ns3::RdmaNscc", "BaseRtt", rtt, "Trimming", BooleanValue(true));
    constexpr double BYTES_PER_SECOND = 12.5e9; // of 100 Gb/s
    const double product = BYTES_PER_SECOND * baseRtt.GetSeconds();
    SetEcn("ns3::WredEcnMarker",
           "ReferenceRate",
           DataRateValue(DataRate("100Gbps")),
           "Kmin",
           UintegerValue(static_cast<uint64_t>(0.2 * product)),
           "Kmax",
           UintegerValue(static_cast<uint64_t>(0.8 * product)),
           "Pmax",
           DoubleValue(1));
    const UintegerValue never(std::numeric_limits<uint64_t>::max());
    At("leaf to host").Set("ns3::WredEcnMarker::Kmin", never, "ns3::WredEcnMarker::Kmax", never);
    constexpr uint32_t DATA_AND_REPEATS = 1U << 3 | 1U << 4;
    AddSwitchExtension("ns3::TrimSwitch",
                       "BaseRtt",
                       rtt,
                       "Classes",
                       UintegerValue(DATA_AND_REPEATS));
    SetScheduler("ns3::DwrrScheduler[Weights=1 1 1 3 1 1 1 1|StrictClasses=80]");
}

void
FabricHelper::AllowLossy(bool allow)
{
    m_recipe.allowLossy = allow;
    NoteSaid("AllowLossy");
}

// ---- some places unlike others

FabricAt
FabricHelper::At(const FabricPlaces& places)
{
    return FabricAt(places, m_recipe.options, [this](const FabricSettings& settings) {
        m_recipe.settings.push_back(settings);
        NoteSaid("At " + settings.places.GetName());
    });
}

void
FabricHelper::ReadSettings(const std::string& path)
{
    const auto settings = ReadSettingsFile(path, m_recipe.options);
    m_recipe.settings.insert(m_recipe.settings.end(), settings.begin(), settings.end());
    NoteSaid("ReadSettings");
}

// ---- topologies

Fabric
FabricHelper::Star(uint32_t hosts) const
{
    return FromTopology(FabricTopology::Star(hosts, m_recipe.link));
}

Fabric
FabricHelper::Dumbbell(uint32_t left, uint32_t right, DataRate bottleneck) const
{
    FabricLinkSpec middle = m_recipe.link;
    middle.rate = bottleneck;
    return FromTopology(FabricTopology::Dumbbell(left, right, m_recipe.link, middle));
}

Fabric
FabricHelper::LeafSpine(uint32_t leaves,
                        uint32_t spines,
                        uint32_t hostsPerLeaf,
                        double oversubscription) const
{
    return MultiPlane(1, leaves, spines, hostsPerLeaf, oversubscription);
}

Fabric
FabricHelper::MultiPlane(uint32_t planes,
                         uint32_t leaves,
                         uint32_t spines,
                         uint32_t hostsPerLeaf,
                         double oversubscription) const
{
    FabricLinkSpec uplink = m_recipe.link;
    uplink.rate =
        FabricTopology::UplinkRate(m_recipe.link.rate, hostsPerLeaf, spines, oversubscription);
    return FromTopology(
        FabricTopology::MultiPlane(planes, leaves, spines, hostsPerLeaf, m_recipe.link, uplink));
}

Fabric
FabricHelper::FatTree(uint32_t k) const
{
    return FromTopology(FabricTopology::FatTree(k, m_recipe.link));
}

Fabric
FabricHelper::FromTopology(const FabricTopology& topology) const
{
    NS_LOG_FUNCTION(this << topology.GetHosts().size() << topology.GetSwitches().size());
    WarnOfLinks(m_recipe, topology);
    if (m_late)
    {
        m_late->clear(); // it is for this fabric
    }
    m_late = std::make_shared<std::vector<std::string>>();
    return FabricBuilder(m_recipe).Build(topology, m_late);
}

} // namespace ns3
