// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-scenario.h"

#include "hpcc-draws.h"

#include "ns3/cut-time.h"
#include "ns3/fabric-addresses.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric-warning.h"
#include "ns3/hpcc-load-balancer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

namespace ns3
{
namespace
{

/// Refuse an option that the files leave no room for.
void
RefuseOption(const FabricOptions& options,
             const std::string& type,
             const std::string& attribute,
             const std::string& said = "the topology file says it for each link")
{
    if (options.Has(TypeId::LookupByName(type), attribute))
    {
        throw FabricError("--" + type + "::" + attribute + " has no effect", said);
    }
}

/// What the scenario says of round trips and windows is of the links in the topology file.
/// @param built graph of the fabric @param read graph of the file @param options of the program
void
RequireSameLinks(const FabricTopology& built,
                 const FabricTopology& read,
                 const FabricOptions& options)
{
    for (const LinkId link : read.Links())
    {
        const FabricLinkSpec& is = built.GetLink(link).spec;
        const FabricLinkSpec& was = read.GetLink(link).spec;
        if (is.rate != was.rate || is.delay != was.delay)
        {
            throw FabricError(options.GetSettingsFile() + ": another DataRate or Delay of " +
                                  link.Name(),
                              "the topology file says it for each link");
        }
    }
}

/// Give the ports of each switch the shared space that the configuration says.
/// @param fabric the fabric @param spaces by switch, bytes; or none
void
SetSharedSpaces(const Fabric& fabric, const std::vector<uint64_t>& spaces)
{
    for (std::size_t i = 0; i < spaces.size(); ++i)
    {
        fabric.GetSwitch(SwitchId(i))->Start(); // divides the buffer
        SwitchMmu& mmu = *fabric.GetSwitch(SwitchId(i))->GetMmu();
        const uint64_t others = mmu.GetBufferSize() - mmu.GetSharedPool();
        // What is beyond the counters of the MMU is never filled.
        constexpr uint64_t most = std::numeric_limits<int32_t>::max();
        mmu.SetAttribute("BufferSize", UintegerValue(std::min(others + spaces[i], most)));
    }
}

/// @param flows of a flow file @return the source port that the original gives to each: those of
/// two hosts are counted in the order in which they start
std::vector<uint16_t>
SourcePorts(const std::vector<HpccFiles::Flow>& flows)
{
    constexpr uint16_t first = 10000;
    std::vector<std::size_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&flows](std::size_t a, std::size_t b) {
        return flows[a].flow.start < flows[b].flow.start;
    });
    std::map<std::pair<HostId, HostId>, uint16_t> counts;
    std::vector<uint16_t> ports(flows.size());
    for (const std::size_t i : order)
    {
        ports[i] = first + counts[{flows[i].flow.source, flows[i].flow.destination}]++;
    }
    return ports;
}

/// @param fabric a fabric @return the balancers of its switches that choose as the original does
std::vector<Ptr<HpccLoadBalancer>>
OriginalBalancers(const Fabric& fabric)
{
    std::vector<Ptr<HpccLoadBalancer>> balancers;
    for (const SwitchId which : fabric.Switches())
    {
        if (auto found = DynamicCast<HpccLoadBalancer>(fabric.GetSwitch(which)->GetLoadBalancer()))
        {
            balancers.push_back(found);
        }
    }
    return balancers;
}

/// Tell balancers that choose as the original does what hosts and flows are called there.
void
NameForBalancers(const Fabric& fabric, const std::vector<HpccFiles::Flow>& flows)
{
    const auto balancers = OriginalBalancers(fabric);
    if (balancers.empty())
    {
        return;
    }
    const FabricTopology& topology = fabric.GetTopology();
    const FabricAddresses addresses(topology);
    auto names = std::make_shared<HpccLoadBalancer::Names>();
    names->first = FabricAddresses::FIRST;
    names->addresses.resize(addresses.Count());
    for (const NodeId node : topology.GetHosts())
    {
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            names->addresses[addresses.NumberOf(topology.HostAt(node), port)] =
                HpccFiles::AddressOf(node);
        }
    }
    const std::vector<uint16_t> sourcePorts = SourcePorts(flows);
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const RdmaFlow& flow = flows[i].flow;
        const auto addressOf = [](HostId host) { return FabricAddresses::FIRST + host.Value(); };
        names->ports[HpccLoadBalancer::Names::KeyOf(addressOf(flow.source),
                                                    addressOf(flow.destination),
                                                    sourcePorts[i])] = flow.destinationPort;
    }
    for (const auto& balancer : balancers)
    {
        balancer->SetNames(names);
    }
}

/// @param start a time @return the whole nanoseconds that the original has of it: of the nearest
/// number of seconds with 53 bits, cut, so that half of all times are 1 ns early
Time
CutAsOriginal(Time start)
{
    constexpr long double psPerSecond = 1e12L;
    constexpr int64_t nsPerSecond = 1000000000;
    const auto seconds = static_cast<double>(start.GetPicoSeconds() / psPerSecond);
    return NanoSeconds(static_cast<uint64_t>(CutTime(seconds, nsPerSecond, 1)));
}

} // namespace

HpccScenario::HpccScenario(const std::string& path, const FabricOptions& options, bool allowUnknown)
    : m_config(path, options, allowUnknown),
      m_topology(HpccFiles::ReadTopology(m_config.GetInput("TOPOLOGY_FILE"),
                                         m_config.GetNumber("ERROR_RATE_PER_LINK", 0))),
      m_flowPath(m_config.GetInput("FLOW_FILE")),
      m_flows(HpccFiles::ReadFlows(m_flowPath, m_topology))
{
    if (!m_config.GetLinkDownTime().IsZero())
    {
        m_config.GetLinkDown(m_topology);
    }
}

void
HpccScenario::SetPfcClasses() const
{
    uint32_t mask = 0;
    for (const auto& entry : m_flows)
    {
        mask |= 1U << entry.flow.trafficClass;
    }
    if (mask)
    {
        m_config.GetOptions().SetDefault("ns3::QbbNetDevice::PfcClasses", std::to_string(mask));
    }
}

void
HpccScenario::RefuseOptions() const
{
    // The topology has the rates and delays of all links.
    RefuseOption(m_config.GetOptions(), "ns3::QbbNetDevice", "DataRate");
    RefuseOption(m_config.GetOptions(), "ns3::QbbChannel", "Delay");
    RefuseOption(m_config.GetOptions(),
                 "ns3::RdmaQueuePair",
                 "TrafficClass",
                 "the flow file says it for each flow");
}

Fabric
HpccScenario::Build(bool allowLossy) const
{
    SetPfcClasses();
    m_config.SetDefaults();
    const bool isOwnBuffer = m_config.GetOptions().Has(SwitchMmu::GetTypeId(), "BufferSize");
    if (!isOwnBuffer)
    {
        m_config.GetOptions().SetDefault("ns3::SwitchMmu::BufferSize", "1GiB"); // until it is built
    }
    const std::vector<uint64_t> spaces =
        isOwnBuffer ? std::vector<uint64_t>() : GetSharedSpaces(allowLossy);
    m_config.SetRoundTrip(m_topology);
    RefuseOptions();
    FabricHelper helper(m_config.GetOptions());
    helper.AllowLossy(allowLossy);
    m_config.Configure(helper, m_topology);
    try
    {
        Fabric fabric = helper.FromTopology(m_topology);
        RequireSameLinks(fabric.GetTopology(), m_topology, m_config.GetOptions());
        SetSharedSpaces(fabric, spaces);
        NameForBalancers(fabric, m_flows);
        return fabric;
    }
    catch (const FabricError& error)
    {
        const std::string what = error.what();
        const std::string& settings = m_config.GetOptions().GetSettingsFile();
        if (!settings.empty() && what.rfind(settings + ":", 0) == 0)
        {
            throw; // of --settings, with the line there
        }
        throw FabricError(m_config.GetPath(), m_config.GetLine("TOPOLOGY_FILE"), what);
    }
}

std::vector<uint64_t>
HpccScenario::GetSharedSpaces(bool allowLossy) const
{
    std::vector<uint64_t> spaces;
    for (const NodeId node : m_topology.GetSwitches())
    {
        spaces.push_back(m_config.GetSharedSpace(m_topology, node, allowLossy));
    }
    return spaces;
}

void
HpccScenario::ShareDraws(const Fabric& fabric) const
{
    const auto simulator = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
    if (simulator && simulator->GetOrder() == FabricSimulatorImpl::CANONICAL)
    {
        return;
    }
    // The original has drawn so often when it has built its nodes, what all links share, and links
    // with an error rate of their own.
    constexpr uint64_t ofNode = 6;
    constexpr uint64_t ofErrors = 2;
    uint64_t used = ofErrors + ofNode * m_topology.GetNNodes();
    const double common = m_config.GetNumber("ERROR_RATE_PER_LINK", 0);
    for (const auto& link : m_topology.GetLinks())
    {
        used += link.spec.errorRate != common ? ofErrors : 0;
    }
    const auto draws = Create<HpccDraws>(used);
    for (const SwitchId which : fabric.Switches())
    {
        const auto found = fabric.GetSwitch(which);
        if (const auto marker = DynamicCast<WredEcnMarker>(found->GetEcnMarker()))
        {
            marker->SetDraw(draws);
        }
        for (uint32_t port = 0; port < found->GetNPorts(); ++port)
        {
            // It draws an IP identification for each PFC frame.
            found->GetPort(port)->TraceConnectWithoutContext(
                "PfcTx",
                Callback<void, const QbbNetDevice&, uint32_t, uint16_t>(
                    [draws](const QbbNetDevice&, uint32_t, uint16_t) { draws->Skip(); }));
        }
    }
}

void
HpccScenario::AddFlows(RdmaFlowHelper& flows) const
{
    const bool hasWindow =
        m_config.GetNumber("HAS_WIN", 1) > 0 && !m_config.HasOwnWindow() && !m_config.SetsWindow();
    const bool isGlobal = m_config.GetNumber("GLOBAL_T", 1) > 0;
    const uint64_t global = hasWindow && isGlobal ? m_config.GetGlobalWindow(flows.GetFabric()) : 0;
    const bool isCut = m_config.GetOptions().Has(QbbNetDevice::GetTypeId(), "SerialisationUnit");
    if (isCut)
    {
        flows.StartLast();
    }
    const std::vector<uint16_t> sourcePorts = OriginalBalancers(flows.GetFabric()).empty()
                                                  ? std::vector<uint16_t>()
                                                  : SourcePorts(m_flows);
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        const HpccFiles::Flow& entry = m_flows[i];
        RdmaFlow flow = entry.flow;
        flow.start = isCut ? CutAsOriginal(flow.start) : flow.start;
        flow.sourcePort = sourcePorts.empty() ? 0 : sourcePorts[i];
        try
        {
            if (hasWindow)
            {
                flow.window =
                    isGlobal ? global
                             : m_config.GetWindow(flows.GetFabric(), flow.source, flow.destination);
            }
            flows.Add(flow);
        }
        catch (const FabricError& error)
        {
            throw FabricError(m_flowPath, entry.line, error.what());
        }
    }
}

void
HpccScenario::AddFaults(FaultHelper& faults) const
{
    const Time when = m_config.GetLinkDownTime();
    if (!when.IsZero())
    {
        faults.CutLink(m_config.GetLinkDown(m_topology), when);
    }
}

} // namespace ns3
