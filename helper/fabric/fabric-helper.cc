// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-helper.h"

#include "ecn-marker.h"
#include "egress-scheduler.h"
#include "wred-ecn-marker.h"

#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/mac48-address.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace ns3
{

FabricHelper::FabricHelper(const FabricOptions& options)
    : m_options(options),
      m_device("ns3::QbbNetDevice"),
      m_switch("ns3::FabricSwitch"),
      m_host("ns3::RdmaHw"),
      m_congestion("ns3::RdmaDcqcn")
{
    // What the command line says; the setters leave it alone.
    const TypeId device = QbbNetDevice::GetTypeId();
    const auto set = [](const std::string& option, const auto& use) {
        if (!option.empty())
        {
            use(option);
        }
    };
    set(options.Get(device, "DataRate"),
        [this](const std::string& text) { m_link.rate = FabricText::ToRate(text, "DataRate"); });
    set(options.Get(QbbChannel::GetTypeId(), "Delay"),
        [this](const std::string& text) { m_link.delay = FabricText::ToTime(text, "Delay"); });
    set(options.Get(RateErrorModel::GetTypeId(), "ErrorRate"), [this](const std::string& text) {
        m_link.errorRate = FabricText::ToReal(text, "ErrorRate", 0, 1);
    });
    set(options.Get(device, "EgressScheduler"),
        [this](const std::string& text) { m_scheduler = m_options.ToFactory(text); });
    set(options.Get(RdmaQueuePair::GetTypeId(), "CongestionControl"),
        [this](const std::string& text) { m_congestion = m_options.ToFactory(text); });
    m_mtuIsSet = HasOption(device, "Mtu");
}

bool
FabricHelper::HasOption(TypeId type, const std::string& attribute) const
{
    return m_options.Has(type, attribute);
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
    return m_options.ToFactory(type, TypeId::LookupByName(base));
}

void
FabricHelper::SetLinkAttribute(const std::string& name, const AttributeValue& value)
{
    const TypeId device = QbbNetDevice::GetTypeId();
    if (name == "ErrorRate")
    {
        const auto checked = m_options.Check(RateErrorModel::GetTypeId(), name, value);
        const double rate = DynamicCast<DoubleValue>(checked)->Get();
        if (!(rate >= 0 && rate <= 1))
        {
            throw FabricError("ErrorRate is " + std::to_string(rate),
                              "it must be a probability, 0 to 1");
        }
        if (!HasOption(RateErrorModel::GetTypeId(), name))
        {
            m_link.errorRate = rate;
        }
    }
    else if (name == "Delay")
    {
        const auto checked = m_options.Check(QbbChannel::GetTypeId(), name, value);
        if (!HasOption(QbbChannel::GetTypeId(), name))
        {
            m_link.delay = DynamicCast<TimeValue>(checked)->Get();
        }
    }
    else if (name == "DataRate")
    {
        const auto checked = m_options.Check(device, name, value);
        const DataRate rate = DynamicCast<DataRateValue>(checked)->Get();
        if (rate.GetBitRate() == 0)
        {
            throw FabricError("DataRate is 0", "it must be above 0, such as 100Gbps");
        }
        if (!HasOption(device, name))
        {
            m_link.rate = rate;
        }
    }
    else
    {
        m_mtuIsSet = m_mtuIsSet || name == "Mtu";
        m_options.Set(m_device, name, value);
    }
}

void
FabricHelper::SetSwitchAttribute(const std::string& type,
                                 const std::string& name,
                                 const AttributeValue& value)
{
    if (type == "ns3::FabricSwitch")
    {
        m_options.Set(m_switch, name, value);
    }
    else if (type == "ns3::SwitchMmu")
    {
        const auto checked = m_options.Check(SwitchMmu::GetTypeId(), name, value);
        if (!HasOption(SwitchMmu::GetTypeId(), name))
        {
            m_mmuAttributes.emplace_back(name, checked);
        }
    }
    else
    {
        throw FabricError("\"" + type + "\" is no part of a switch",
                          "ns3::SwitchMmu or ns3::FabricSwitch; see SetEcn() and SetScheduler()");
    }
}

void
FabricHelper::SetQueuePairAttribute(const std::string& name, const AttributeValue& value)
{
    const auto checked = m_options.Check(RdmaQueuePair::GetTypeId(), name, value);
    if (!HasOption(RdmaQueuePair::GetTypeId(), name))
    {
        m_queuePair.emplace_back(name, checked);
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
    m_thresholds.push_back({rate.GetBitRate(), kmin, kmax, pmax});
}

void
FabricHelper::SetAlphaBySpeed(bool enable)
{
    m_alphaBySpeed = enable;
}

bool
FabricHelper::IsAlphaBySpeed() const
{
    const TypeId mmu = SwitchMmu::GetTypeId();
    bool given = HasOption(mmu, "Alpha") || FabricAttributes::DefaultChanged(mmu, "Alpha");
    for (const auto& attribute : m_mmuAttributes)
    {
        given = given || attribute.first == "Alpha";
    }
    return m_alphaBySpeed.value_or(!given);
}

void
FabricHelper::SetLosslessClasses(const std::vector<uint32_t>& classes)
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
    m_options.Set(m_device, "PfcClasses", UintegerValue(mask));
}

void
FabricHelper::AllowLossy(bool allow)
{
    m_allowLossy = allow;
}

// ---- topologies

Fabric
FabricHelper::Star(uint32_t hosts) const
{
    return FromTopology(FabricTopology::Star(hosts, m_link));
}

Fabric
FabricHelper::Dumbbell(uint32_t left, uint32_t right, DataRate bottleneck) const
{
    FabricLinkSpec middle = m_link;
    middle.rate = bottleneck;
    return FromTopology(FabricTopology::Dumbbell(left, right, m_link, middle));
}

Fabric
FabricHelper::LeafSpine(uint32_t leaves,
                        uint32_t spines,
                        uint32_t hostsPerLeaf,
                        double oversubscription) const
{
    FabricLinkSpec uplink = m_link;
    uplink.rate = FabricTopology::UplinkRate(m_link.rate, hostsPerLeaf, spines, oversubscription);
    return FromTopology(FabricTopology::LeafSpine(leaves, spines, hostsPerLeaf, m_link, uplink));
}

Fabric
FabricHelper::FatTree(uint32_t k) const
{
    return FromTopology(FabricTopology::FatTree(k, m_link));
}

// ---- building

Fabric
FabricHelper::FromTopology(const FabricTopology& topology) const
{
    if (topology.GetHosts().empty())
    {
        throw FabricError("a fabric without hosts", "add at least one");
    }
    m_options.Apply();
    auto parts = std::make_shared<Fabric::Parts>(topology);
    const Fabric fabric(parts);
    parts->options = m_options;
    parts->congestion = m_congestion;
    BuildNodes(*parts);
    uint64_t hostRate = std::numeric_limits<uint64_t>::max();
    for (uint32_t link = 0; link < topology.GetLinks().size(); ++link)
    {
        BuildLink(*parts, link);
        const FabricTopology::Link& ends = topology.GetLinks()[link];
        if (!topology.IsSwitch(ends.a) || !topology.IsSwitch(ends.b))
        {
            hostRate = std::min(hostRate, ends.spec.rate.GetBitRate());
        }
    }
    for (uint32_t host = 0; host < topology.GetHosts().size(); ++host)
    {
        BuildHost(fabric, host);
    }
    const std::vector<ObjectFactory> extensions = GetExtensions();
    for (const uint32_t node : topology.GetSwitches())
    {
        BuildSwitch(*parts, node, hostRate, extensions);
    }
    MakePathsSymmetric(*parts);
    fabric.InstallRoutes();
    if (!m_allowLossy)
    {
        fabric.RequireLossless();
    }
    return fabric;
}

} // namespace ns3
