// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-builder.h"

#include "alpha-by-speed.h"
#include "build-progress.h"
#include "counters-at-rest.h"
#include "ecmp-load-balancer.h"
#include "ecn-marker.h"
#include "ecn-thresholds.h"
#include "egress-scheduler.h"
#include "fabric-claims.h"
#include "fabric-memory.h"
#include "fabric-partitions.h"
#include "loss-check.h"
#include "named-paths.h"
#include "recipe-value.h"
#include "settings-file.h"
#include "strict-priority-scheduler.h"
#include "switch-needs.h"
#include "switch-number.h"
#include "switch-settings-check.h"
#include "type-relation.h"
#include "vxlan-overlay.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-ranks.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/pointer.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/switch-extension.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricBuilder");

namespace
{

/// What RoCE adds to a payload within an IP packet, at most: IPv6, UDP, BTH, RETH, ImmDt, ICRC.
constexpr uint32_t ROCE_IP_OVERHEAD = 40 + 8 + 12 + 16 + 4 + 4;

/// The nodes of a fabric while it is built: a later run would meet those of one that is refused.
class NodesInBuild
{
  public:
    /// @param nodes of the fabric
    explicit NodesInBuild(const std::vector<Ptr<Node>>& nodes)
        : m_nodes(nodes)
    {
    }

    ~NodesInBuild()
    {
        for (std::size_t i = 0; !m_isBuilt && i < m_nodes.size(); ++i)
        {
            m_nodes[i]->Dispose();
        }
    }

    NodesInBuild(const NodesInBuild&) = delete;
    NodesInBuild& operator=(const NodesInBuild&) = delete;

    /// The fabric is good.
    void Keep()
    {
        m_isBuilt = true;
    }

  private:
    const std::vector<Ptr<Node>>& m_nodes;
    bool m_isBuilt{false};
};

/// FabricError for a switch with more ports than there can be. @param topology the graph
void
RequirePorts(const FabricTopology& topology)
{
    constexpr std::size_t most = 65535; // of a FabricSwitch
    for (std::size_t i = 0; i < topology.GetSwitches().size(); ++i)
    {
        const std::size_t links = topology.GetLinksOf(topology.GetSwitches()[i]).size();
        if (links > most)
        {
            throw FabricError("switch " + std::to_string(i) + " has " + std::to_string(links) +
                                  " links",
                              "at most " + std::to_string(most));
        }
    }
}

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

/// @param settings of places @param topology a graph @return the extensions that only some switches
/// get, by node
std::map<NodeId, std::vector<ObjectFactory>>
PlacedExtensions(const std::vector<FabricSettings>& settings, const FabricTopology& topology)
{
    std::map<NodeId, std::vector<ObjectFactory>> placed;
    for (const FabricSettings& some : settings)
    {
        for (const ObjectFactory& extension : some.extensions)
        {
            for (const SwitchId which : some.places.SwitchesIn(topology))
            {
                placed[topology.NodeOf(which)].push_back(extension);
            }
        }
    }
    return placed;
}

/// FabricError for an extension that is there twice: a switch would do the same twice.
/// @param extensions of all switches
void
RequireOnce(const std::vector<ObjectFactory>& extensions)
{
    std::set<std::string> texts;
    for (const ObjectFactory& extension : extensions)
    {
        std::ostringstream text;
        text << extension;
        if (!texts.insert(text.str()).second)
        {
            throw FabricError("switches are to have " + extension.GetTypeId().GetName() +
                                  " twice, with the same attributes",
                              "give it once");
        }
    }
}

/// Ask the extensions of a switch whether they can work on it, as it is configured now.
/// @param fabricSwitch the switch @param topology of its fabric @param node of the switch
void
RequireExtensions(FabricSwitch& fabricSwitch, const FabricTopology& topology, NodeId node)
{
    for (uint32_t i = 0; i < fabricSwitch.GetNExtensions(); ++i)
    {
        try
        {
            fabricSwitch.GetExtension(i)->Check(fabricSwitch);
        }
        catch (const std::invalid_argument& error)
        {
            throw FabricError(FabricPlaces::NameOf(topology, node) + " (" + node.Name() +
                              "): " + error.what());
        }
    }
}

/// Let queue pairs have a say in what the extensions of switches are set to.
/// @param fabric with the switches @param met what congestion controls have needed so far
/// @param changes counts what changes there
void
AskQueuePairs(const Fabric& fabric,
              const std::set<std::string>& met,
              std::atomic<uint64_t>& changes)
{
    for (const SwitchId which : fabric.Switches())
    {
        const auto check = CreateObject<SwitchSettingsCheck>();
        check->Set([fabric, which, &met](const SwitchExtension& changed) {
            const TypeId type = changed.GetInstanceTypeId();
            const bool isNeeded = std::any_of(met.begin(), met.end(), [&](const auto& text) {
                TypeId needed;
                return TypeId::LookupByNameFailSafe(text.substr(0, text.find_first_of("[#")),
                                                    &needed) &&
                       IsA(type, needed);
            });
            if (isNeeded) // else there is no need to look at all queue pairs
            {
                RequireAgreement(fabric, which);
            }
        });
        check->OnChange([&changes] { ++changes; });
        fabric.GetSwitch(which)->AggregateObject(check);
    }
}

} // namespace

Fabric
FabricBuilder::Build(const FabricTopology& topology,
                     const std::shared_ptr<const std::vector<std::string>>& late) const
{
    NS_LOG_FUNCTION(this << topology.GetHosts().size() << topology.GetSwitches().size());
    RequireHosts(topology);
    RequireOnce(m_recipe.extensions);
    RequireMemory(topology, GetMemoryLimit());
    const MemoryUse use(DescribeFabric(topology), "take fewer hosts and switches");
    RequirePorts(topology);
    m_recipe.options.Apply();
    const std::vector<FabricSettings> settings = GetSettings();
    auto parts = std::make_shared<Fabric::Parts>(topology);
    const Fabric fabric(parts);
    parts->options = m_recipe.options;
    parts->late = late;
    NodesInBuild nodes(parts->nodes);
    const uint32_t neededMtu = NeededMtu();
    BuildParts(fabric, *parts, settings, neededMtu);
    Configure(fabric, *parts, settings, neededMtu);
    if (!m_recipe.allowLossy)
    {
        fabric.RequireLossless();
        parts->notes.isLossForbidden = true;
    }
    else
    {
        FindUnstartable(fabric); // what reads back is in force; the run refuses what cannot start
    }
    CountersAtRest::Note(fabric);
    AskQueuePairs(fabric, parts->met, parts->changes);
    nodes.Keep();
    return fabric;
}

void
FabricBuilder::BuildParts(const Fabric& fabric,
                          Fabric::Parts& parts,
                          const std::vector<FabricSettings>& settings,
                          uint32_t neededMtu) const
{
    const FabricTopology& topology = fabric.GetTopology();
    BuildProgress progress(topology.GetLinks().size() + topology.GetHosts().size() +
                           2 * topology.GetSwitches().size());
    BuildNodes(parts);
    const auto model = MakeModel(neededMtu);
    for (const LinkId link : topology.Links())
    {
        BuildLink(parts, link, model);
        progress.Step();
    }
    for (std::size_t host = 0; host < topology.GetHosts().size(); ++host)
    {
        BuildHost(fabric, host);
        progress.Step();
    }
    const std::vector<ObjectFactory> extensions = GetExtensions({});
    const auto placed = PlacedExtensions(settings, topology);
    for (const NodeId node : topology.GetSwitches())
    {
        const auto more = placed.find(node);
        const auto& mine = more == placed.end() ? extensions : GetExtensions(more->second);
        BuildSwitch(parts, node, mine);
        progress.Step();
    }
    MakePathsSymmetric(parts);
    for (const SwitchId which : fabric.Switches())
    {
        fabric.InstallRoutesAt(which, fabric.GetRoutes());
        progress.Step();
    }
}

std::vector<FabricSettings>
FabricBuilder::GetSettings() const
{
    std::vector<FabricSettings> settings = m_recipe.settings;
    if (const std::string& path = m_recipe.options.GetSettingsFile(); !path.empty())
    {
        const auto more = ReadSettingsFile(path, m_recipe.options);
        settings.insert(settings.end(), more.begin(), more.end());
    }
    return settings;
}

void
FabricBuilder::Configure(const Fabric& fabric,
                         Fabric::Parts& parts,
                         const std::vector<FabricSettings>& settings,
                         uint32_t neededMtu) const
{
    FabricClaims claims(fabric, settings);
    claims.Put(FabricClaims::PORTS);
    SetThresholds(m_recipe, parts.switches); // of the speeds that ports have now
    RequireMtus(parts, neededMtu);
    SetAlphaBySpeed(m_recipe, fabric); // which depends on rates and PFC of ports
    claims.Put(FabricClaims::REST);
    claims.Finish();
    parts.claims = claims.List();
    VxlanOverlay::Join(fabric, IsMtuSet(settings));
    NamedPaths::Join(fabric);
    for (const SwitchId which : fabric.Switches())
    {
        const FabricTopology& topology = fabric.GetTopology();
        RequireExtensions(*fabric.GetSwitch(which), topology, topology.NodeOf(which));
    }
}

uint32_t
FabricBuilder::NeededMtu() const
{
    const auto mtu =
        ValueInForce<UintegerValue>(RdmaQueuePair::GetTypeId(), "Mtu", m_recipe.queuePair);
    const auto congestion = m_recipe.congestion.Create<RdmaCongestionOps>();
    const auto end = CreateObject<RdmaQueuePair>();
    const auto transport = ValueInForce<ObjectFactoryValue>(RdmaQueuePair::GetTypeId(),
                                                            "Transport",
                                                            m_recipe.queuePair);
    end->SetAttribute("Transport", transport);
    return static_cast<uint32_t>((mtu.Get() + 3) & ~uint64_t{3}) + ROCE_IP_OVERHEAD +
           end->GetAddedBytes(*congestion);
}

bool
FabricBuilder::IsMtuSet(const std::vector<FabricSettings>& settings) const
{
    const auto isMtu = [](const FabricSetting& setting) {
        return setting.type == QbbNetDevice::GetTypeId() && setting.name == "Mtu";
    };
    return m_recipe.mtuIsSet ||
           FabricAttributes::DefaultChanged(QbbNetDevice::GetTypeId(), "Mtu") ||
           std::any_of(settings.begin(), settings.end(), [&isMtu](const FabricSettings& some) {
               return std::any_of(some.settings.begin(), some.settings.end(), isMtu);
           });
}

FrameFormat
FabricBuilder::GetQueuePairFormat() const
{
    const TypeId queuePair = RdmaQueuePair::GetTypeId();
    using Value = decltype(EnumValue(FRAMES_STANDARD)); // a template since ns-3.41
    return static_cast<FrameFormat>(
        ValueInForce<Value>(queuePair, "FrameFormat", m_recipe.queuePair).Get());
}

void
FabricBuilder::BuildNodes(Fabric::Parts& parts) const
{
    const FabricTopology& topology = parts.topology;
    parts.devices.resize(topology.GetNNodes());
    const std::vector<uint32_t> ranks = FindRanks(topology);
    for (const NodeId node : topology.Nodes())
    {
        parts.nodes.push_back(CreateObject<Node>(ranks[node.Value()]));
        parts.devices[node.Value()].resize(topology.GetLinksOf(node).size());
    }
}

void
FabricBuilder::BuildLink(Fabric::Parts& parts, LinkId link, Ptr<const QbbNetDevice> model) const
{
    const FabricTopology::Link& ends = parts.topology.GetLink(link);
    const bool isRemote =
        parts.nodes[ends.a.Value()]->GetSystemId() != parts.nodes[ends.b.Value()]->GetSystemId();
    // By name: the class is there only where MPI is, and so are nodes of several ranks.
    const auto channel = isRemote ? ObjectFactory("ns3::QbbRemoteChannel").Create<QbbChannel>()
                                  : CreateObject<QbbChannel>();
    channel->SetAttribute("Delay", TimeValue(ends.spec.delay));
    for (const NodeId node : {ends.a, ends.b})
    {
        const Ptr<QbbNetDevice> device = BuildDevice(parts.nodes[node.Value()], ends.spec, model);
        device->Attach(channel);
        parts.devices[node.Value()][parts.topology.GetPort(node, link)] = device;
    }
    parts.channels.push_back(channel);
}

Ptr<const QbbNetDevice>
FabricBuilder::MakeModel(uint32_t neededMtu) const
{
    const auto device = m_recipe.device.Create<QbbNetDevice>();
    if (device->GetMtu() < neededMtu)
    {
        const std::string missing = std::to_string(neededMtu);
        if (IsMtuSet({}) || neededMtu > std::numeric_limits<uint16_t>::max() ||
            !device->SetMtu(static_cast<uint16_t>(neededMtu)))
        {
            throw FabricError("the MTU of the links, " + std::to_string(device->GetMtu()) +
                                  " bytes, is too small for the queue pairs",
                              "their packets need " + missing + " bytes");
        }
    }
    if (GetQueuePairFormat() == FRAMES_HPCC && !m_recipe.formatIsSet &&
        !FabricAttributes::DefaultChanged(QbbNetDevice::GetTypeId(), "FrameFormat"))
    {
        device->SetFrameFormat(FRAMES_HPCC);
    }
    if (m_recipe.scheduler.IsTypeIdSet())
    {
        // Each port gets one of the recipe; what is the default may serve one port alone.
        device->SetScheduler(CreateObject<StrictPriorityScheduler>());
    }
    return device;
}

Ptr<QbbNetDevice>
FabricBuilder::BuildDevice(const Ptr<Node>& node,
                           const FabricLinkSpec& spec,
                           Ptr<const QbbNetDevice> model) const
{
    const auto device = CopyObject(model);
    device->SetDataRate(spec.rate);
    device->SetAddress(Mac48Address::Allocate());
    if (m_recipe.scheduler.IsTypeIdSet())
    {
        device->SetScheduler(m_recipe.scheduler.Create<EgressScheduler>());
    }
    if (spec.errorRate > 0)
    {
        PointerValue given;
        device->GetAttribute("ReceiveErrorModel", given);
        if (given.GetObject())
        {
            throw FabricError("ErrorRate and ReceiveErrorModel of links are set together, and only "
                              "one can be in force",
                              "set one of them");
        }
        const auto model = CreateObject<RateErrorModel>();
        model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        model->SetRate(spec.errorRate);
        device->SetAttribute("ReceiveErrorModel", PointerValue(model));
    }
    node->AddDevice(device);
    return device;
}

std::vector<ObjectFactory>
FabricBuilder::GetExtensions(const std::vector<ObjectFactory>& placed) const
{
    std::vector<ObjectFactory> extensions = placed;
    extensions.insert(extensions.end(), m_recipe.extensions.begin(), m_recipe.extensions.end());
    for (const std::string& text :
         m_recipe.congestion.Create<RdmaCongestionOps>()->GetSwitchExtensions())
    {
        const SwitchNeed need(m_recipe.congestion.GetTypeId(), text);
        auto given =
            std::find_if(extensions.begin(), extensions.end(), [&need](const ObjectFactory& e) {
                return need.IsMetBy(e.GetTypeId());
            });
        if (given == extensions.end())
        {
            given = extensions.insert(given, need.GetFactory());
        }
        need.Complete(*given, m_recipe.options);
    }
    return extensions;
}

void
FabricBuilder::MakePathsSymmetric(Fabric::Parts& parts) const
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
        if (!needed || m_recipe.balancer.IsTypeIdSet() || !ecmp || !ecmp->HasDefaults())
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
FabricBuilder::BuildSwitch(Fabric::Parts& parts,
                           NodeId node,
                           const std::vector<ObjectFactory>& extensions) const
{
    const auto fabricSwitch = m_recipe.fabricSwitch.Create<FabricSwitch>();
    for (const auto& [name, value] : m_recipe.mmu)
    {
        fabricSwitch->GetMmu()->SetAttribute(name, *value);
    }
    if (m_recipe.ecn.IsTypeIdSet())
    {
        fabricSwitch->SetEcnMarker(m_recipe.ecn.Create<EcnMarker>());
    }
    if (m_recipe.balancer.IsTypeIdSet())
    {
        fabricSwitch->SetLoadBalancer(m_recipe.balancer.Create<LoadBalancer>());
    }
    for (const ObjectFactory& extension : extensions)
    {
        fabricSwitch->AddExtension(extension.Create<SwitchExtension>());
    }
    fabricSwitch->AggregateObject(CreateObject<SwitchNumber>(node.Value()));
    parts.nodes[node.Value()]->AggregateObject(fabricSwitch);
    for (const auto& device : parts.devices[node.Value()])
    {
        fabricSwitch->AddPort(device);
    }
    parts.switches.push_back(fabricSwitch);
}

void
FabricBuilder::RequireMtus(const Fabric::Parts& parts, uint32_t needed)
{
    const auto names = FabricPlaces::NamesOf(parts.topology);
    for (const NodeId node : parts.topology.Nodes())
    {
        const auto& devices = parts.devices[node.Value()];
        for (std::size_t port = 0; port < devices.size(); ++port)
        {
            if (devices[port]->GetMtu() < needed)
            {
                throw FabricError("the MTU of " + names[node.Value()] + " port " +
                                      std::to_string(port) + ", " +
                                      std::to_string(devices[port]->GetMtu()) +
                                      " bytes, is too small for the queue pairs",
                                  "their packets need " + std::to_string(needed) + " bytes");
            }
        }
    }
}

void
FabricBuilder::SetQueuePairs(RdmaHw& rdma, const RdmaHw& first) const
{
    if (&rdma != &first)
    {
        rdma.MakeQueuePairsLike(first);
        return;
    }
    for (const auto& [name, value] : m_recipe.queuePair)
    {
        rdma.SetQueuePairAttribute(name, *value);
    }
    rdma.SetQueuePairAttribute("CongestionControl", ObjectFactoryValue(m_recipe.congestion));
}

void
FabricBuilder::BuildHost(const Fabric& fabric, HostId host) const
{
    const auto rdma = m_recipe.host.Create<RdmaHw>();
    const NodeId node = fabric.GetTopology().NodeOf(host);
    fabric.GetNode(node)->AggregateObject(rdma);
    fabric.m_parts->rdma.push_back(rdma);
    const auto& devices = fabric.m_parts->devices[node.Value()];
    for (uint32_t port = 0; port < devices.size(); ++port)
    {
        m_recipe.ipVersion == 4 ? rdma->AddPort(devices[port], fabric.GetAddress(host, port))
                                : rdma->AddPort(devices[port], fabric.GetIpv6Address(host, port));
    }
    if (FabricRanks::IsOn())
    {
        rdma->KeepNumbers();
    }
    SetQueuePairs(*rdma, *fabric.m_parts->rdma.front());
    rdma->SetCongestionCheck([fabric](const RdmaCongestionOps& congestion) {
        if (!congestion.KeepsToItsEnd())
        {
            RequireOneThread("the congestion control " + congestion.GetName());
        }
        fabric.RequireExtensions(congestion);
        fabric.m_parts->connected.insert(congestion.GetInstanceTypeId());
    });
}

} // namespace ns3
