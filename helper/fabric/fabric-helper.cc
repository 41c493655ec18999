// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-helper.h"

#include "ecmp-load-balancer.h"
#include "ecn-marker.h"
#include "egress-scheduler.h"
#include "fabric-memory.h"
#include "switch-needs.h"
#include "wred-ecn-marker.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/string.h"
#include "ns3/switch-extension.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <unistd.h>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricHelper");

namespace
{

/// What RoCE adds to a payload within an IP packet, at most: IPv6, UDP, BTH, RETH, ImmDt, ICRC.
constexpr uint32_t ROCE_IP_OVERHEAD = 40 + 8 + 12 + 16 + 4 + 4;

/// A line on a terminal while a fabric is built that takes long.
class BuildProgress
{
  public:
    /// @param steps how many there will be
    explicit BuildProgress(uint64_t steps)
        : m_steps(steps)
    {
    }

    ~BuildProgress()
    {
        if (m_isShown)
        {
            std::fprintf(stderr, "\r%-78s\r", "");
        }
    }

    BuildProgress(const BuildProgress&) = delete;
    BuildProgress& operator=(const BuildProgress&) = delete;

    /// One more is done.
    void Step()
    {
        constexpr uint64_t few = 64; // steps between looks at the clock
        if (!m_isTerminal || ++m_done % few)
        {
            return;
        }
        const auto now = Clock::now();
        if (now >= m_next)
        {
            m_next = now + std::chrono::milliseconds(500);
            m_isShown = true;
            std::fprintf(stderr,
                         "\rbuilding the fabric: %llu %%",
                         static_cast<unsigned long long>(100 * m_done / m_steps));
            std::fflush(stderr);
        }
    }

  private:
    using Clock = std::chrono::steady_clock;

    uint64_t m_steps;
    uint64_t m_done{0};
    Clock::time_point m_next{Clock::now() + std::chrono::seconds(1)};
    bool m_isTerminal{isatty(STDERR_FILENO) != 0};
    bool m_isShown{false};
};

/// FabricError unless there are hosts, and each has a link. @param topology the graph
void
RequireHosts(const FabricTopology& topology)
{
    if (topology.GetHosts().empty())
    {
        throw FabricError("a fabric without hosts", "add at least one");
    }
    HostId first;
    uint64_t alone = 0;
    for (uint32_t host = 0; host < topology.GetHosts().size(); ++host)
    {
        if (topology.GetLinksOf(topology.NodeOf(HostId(host))).empty())
        {
            first = alone++ ? first : HostId(host);
        }
    }
    if (alone)
    {
        throw FabricError(
            first.Name() + " (" + topology.NodeOf(first).Name() + ") has no link" +
                (alone > 1 ? ", nor have " + std::to_string(alone - 1) + " more" : ""),
            "give each host a link");
    }
}

/// The default of an attribute, or what was set for it.
template <typename Value>
Value
Current(TypeId type,
        const std::string& name,
        const std::vector<std::pair<std::string, Ptr<AttributeValue>>>& set)
{
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(name, &info);
    Value value = *DynamicCast<const Value>(info.initialValue);
    for (const auto& [setName, setValue] : set)
    {
        if (setName == name)
        {
            value = *DynamicCast<const Value>(Ptr<const AttributeValue>(setValue));
        }
    }
    return value;
}

} // namespace

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
    if (HasOption(RdmaQueuePair::GetTypeId(), name))
    {
        return;
    }
    if (name == "CongestionControl")
    {
        // As SetCongestionControl(): the switches must suit it.
        m_congestion = DynamicCast<ObjectFactoryValue>(checked)->Get();
    }
    else
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
    NS_LOG_FUNCTION(this << topology.GetHosts().size() << topology.GetSwitches().size());
    RequireHosts(topology);
    RequireMemory(topology, AvailableMemory());
    BuildProgress progress(topology.GetLinks().size() + topology.GetHosts().size() +
                           2 * topology.GetSwitches().size());
    m_options.Apply();
    auto parts = std::make_shared<Fabric::Parts>(topology);
    const Fabric fabric(parts);
    parts->options = m_options;
    BuildNodes(*parts);
    uint64_t hostRate = std::numeric_limits<uint64_t>::max();
    for (const LinkId link : topology.Links())
    {
        BuildLink(*parts, link);
        progress.Step();
        const FabricTopology::Link& ends = topology.GetLink(link);
        if (!topology.IsSwitch(ends.a) || !topology.IsSwitch(ends.b))
        {
            hostRate = std::min(hostRate, ends.spec.rate.GetBitRate());
        }
    }
    for (std::size_t host = 0; host < topology.GetHosts().size(); ++host)
    {
        BuildHost(fabric, host);
        progress.Step();
    }
    const std::vector<ObjectFactory> extensions = GetExtensions();
    for (const NodeId node : topology.GetSwitches())
    {
        BuildSwitch(*parts, node, hostRate, extensions);
        progress.Step();
    }
    MakePathsSymmetric(*parts);
    for (const SwitchId which : fabric.Switches())
    {
        fabric.InstallRoutesAt(which, fabric.GetRoutes());
        progress.Step();
    }
    if (!m_allowLossy)
    {
        fabric.RequireLossless();
    }
    return fabric;
}

uint32_t
FabricHelper::NeededMtu() const
{
    const auto mtu = Current<UintegerValue>(RdmaQueuePair::GetTypeId(), "Mtu", m_queuePair);
    const auto congestion = m_congestion.Create<RdmaCongestionOps>();
    const uint32_t telemetry = TelemetryBytes(congestion->GetTelemetry(), IntTelemetry::MAX_HOPS);
    return static_cast<uint32_t>((mtu.Get() + 3) & ~uint64_t{3}) + ROCE_IP_OVERHEAD + telemetry;
}

void
FabricHelper::BuildNodes(Fabric::Parts& parts) const
{
    const FabricTopology& topology = parts.topology;
    parts.devices.resize(topology.GetNNodes());
    parts.addresses = static_cast<uint32_t>(topology.GetHosts().size());
    for (const NodeId node : topology.Nodes())
    {
        parts.nodes.push_back(CreateObject<Node>());
        parts.devices[node.Value()].resize(topology.GetLinksOf(node).size());
        if (!topology.IsSwitch(node))
        {
            parts.secondAddress.push_back(parts.addresses);
            const auto ports = static_cast<uint32_t>(topology.GetLinksOf(node).size());
            parts.addresses += ports > 1 ? ports - 1 : 0;
        }
    }
}

void
FabricHelper::BuildLink(Fabric::Parts& parts, LinkId link) const
{
    const FabricTopology::Link& ends = parts.topology.GetLink(link);
    const auto channel = CreateObject<QbbChannel>();
    channel->SetAttribute("Delay", TimeValue(ends.spec.delay));
    for (const NodeId node : {ends.a, ends.b})
    {
        const Ptr<QbbNetDevice> device = BuildDevice(parts.nodes[node.Value()], ends.spec);
        device->Attach(channel);
        parts.devices[node.Value()][parts.topology.GetPort(node, link)] = device;
    }
    parts.channels.push_back(channel);
}

Ptr<QbbNetDevice>
FabricHelper::BuildDevice(const Ptr<Node>& node, const FabricLinkSpec& spec) const
{
    const auto device = m_device.Create<QbbNetDevice>();
    device->SetAttribute("DataRate", DataRateValue(spec.rate));
    device->SetAddress(Mac48Address::Allocate());
    const uint32_t needed = NeededMtu();
    if (device->GetMtu() < needed)
    {
        const std::string missing = std::to_string(needed);
        if (m_mtuIsSet || FabricAttributes::DefaultChanged(QbbNetDevice::GetTypeId(), "Mtu") ||
            needed > std::numeric_limits<uint16_t>::max() ||
            !device->SetMtu(static_cast<uint16_t>(needed)))
        {
            throw FabricError("the MTU of the links, " + std::to_string(device->GetMtu()) +
                                  " bytes, is too small for the queue pairs",
                              "their packets need " + missing + " bytes");
        }
    }
    if (m_scheduler.IsTypeIdSet())
    {
        device->SetScheduler(m_scheduler.Create<EgressScheduler>());
    }
    if (spec.errorRate > 0)
    {
        const auto model = CreateObject<RateErrorModel>();
        model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        model->SetRate(spec.errorRate);
        device->SetAttribute("ReceiveErrorModel", PointerValue(model));
    }
    node->AddDevice(device);
    return device;
}

std::vector<ObjectFactory>
FabricHelper::GetExtensions() const
{
    std::vector<ObjectFactory> extensions = m_extensions;
    for (const std::string& text : m_congestion.Create<RdmaCongestionOps>()->GetSwitchExtensions())
    {
        const SwitchNeed need(m_congestion.GetTypeId(), text);
        auto given =
            std::find_if(extensions.begin(), extensions.end(), [&need](const ObjectFactory& e) {
                return need.IsMetBy(e.GetTypeId());
            });
        if (given == extensions.end())
        {
            given = extensions.insert(given, need.GetFactory());
        }
        need.Complete(*given, m_options);
    }
    return extensions;
}

void
FabricHelper::MakePathsSymmetric(Fabric::Parts& parts) const
{
    const auto tiers = parts.topology.GetTiers();
    for (uint32_t i = 0; i < parts.switches.size(); ++i)
    {
        const auto& fabricSwitch = parts.switches[i];
        bool needed = false;
        for (uint32_t e = 0; e < fabricSwitch->GetNExtensions(); ++e)
        {
            needed = needed || fabricSwitch->GetExtension(e)->NeedsSymmetricPaths();
        }
        const auto ecmp = DynamicCast<EcmpLoadBalancer>(fabricSwitch->GetLoadBalancer());
        if (!needed || m_balancer.IsTypeIdSet() || !ecmp || !ecmp->HasDefaults())
        {
            continue; // the user has chosen
        }
        // One seed a tier: both directions of a flow choose at switches of the same tier; and the
        // tiers choose unlike each other, so that no links stay idle (polarisation).
        const uint32_t tier = tiers[parts.topology.GetSwitches()[i].Value()];
        ecmp->SetAttribute("Symmetric", BooleanValue(true));
        ecmp->SetAttribute("Seed", IntegerValue(tier));
    }
}

void
FabricHelper::BuildSwitch(Fabric::Parts& parts,
                          NodeId node,
                          uint64_t hostRate,
                          const std::vector<ObjectFactory>& extensions) const
{
    const auto fabricSwitch = m_switch.Create<FabricSwitch>();
    for (const auto& [name, value] : m_mmuAttributes)
    {
        fabricSwitch->GetMmu()->SetAttribute(name, *value);
    }
    if (m_ecn.IsTypeIdSet())
    {
        fabricSwitch->SetEcnMarker(m_ecn.Create<EcnMarker>());
    }
    if (m_balancer.IsTypeIdSet())
    {
        fabricSwitch->SetLoadBalancer(m_balancer.Create<LoadBalancer>());
    }
    for (const ObjectFactory& extension : extensions)
    {
        fabricSwitch->AddExtension(extension.Create<SwitchExtension>());
    }
    parts.nodes[node.Value()]->AggregateObject(fabricSwitch);
    for (const auto& device : parts.devices[node.Value()])
    {
        ConfigurePort(fabricSwitch, fabricSwitch->AddPort(device), hostRate);
    }
    for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
    {
        try
        {
            fabricSwitch->GetExtension(i)->Check(*fabricSwitch);
        }
        catch (const std::invalid_argument& error)
        {
            throw FabricError("switch " + std::to_string(fabricSwitch->GetObject<Node>()->GetId()) +
                                  ": " + error.what(),
                              "");
        }
    }
    parts.switches.push_back(fabricSwitch);
}

void
FabricHelper::ConfigurePort(const Ptr<FabricSwitch>& fabricSwitch,
                            uint16_t port,
                            uint64_t hostRate) const
{
    const Ptr<QbbNetDevice> device = fabricSwitch->GetPort(port);
    const uint64_t rate = device->GetDataRate().GetBitRate();
    const auto base = Current<DoubleValue>(SwitchMmu::GetTypeId(), "Alpha", m_mmuAttributes).Get();
    double alpha = base;
    for (uint64_t faster = rate / 2; faster >= hostRate && alpha < 1; faster /= 2)
    {
        alpha = std::min(2 * alpha, 1.0);
    }
    const bool bySpeed = IsAlphaBySpeed();
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (bySpeed && alpha > base && device->IsPfcEnabled(cls))
        {
            fabricSwitch->GetMmu()->SetAlpha(port, cls, alpha);
        }
    }
    const auto marker = DynamicCast<WredEcnMarker>(fabricSwitch->GetEcnMarker());
    const TypeId wred = WredEcnMarker::GetTypeId();
    if (HasOption(wred, "Kmin") || HasOption(wred, "Kmax") || HasOption(wred, "Pmax"))
    {
        return;
    }
    for (const EcnThresholds& thresholds : m_thresholds)
    {
        if (thresholds.bitsPerSecond == rate && marker)
        {
            marker->SetThresholds(port, thresholds.kmin, thresholds.kmax, thresholds.pmax);
        }
    }
}

void
FabricHelper::BuildHost(const Fabric& fabric, HostId host) const
{
    const auto rdma = m_host.Create<RdmaHw>();
    const NodeId node = fabric.GetTopology().NodeOf(host);
    fabric.GetNode(node)->AggregateObject(rdma);
    fabric.m_parts->rdma.push_back(rdma);
    const auto& devices = fabric.m_parts->devices[node.Value()];
    for (uint32_t port = 0; port < devices.size(); ++port)
    {
        rdma->AddPort(devices[port], fabric.GetAddress(host, port));
    }
    for (const auto& [name, value] : m_queuePair)
    {
        rdma->SetQueuePairAttribute(name, *value);
    }
    rdma->SetQueuePairAttribute("CongestionControl", ObjectFactoryValue(m_congestion));
    rdma->SetCongestionCheck(
        [fabric](const RdmaCongestionOps& congestion) { fabric.RequireExtensions(congestion); });
}

} // namespace ns3
