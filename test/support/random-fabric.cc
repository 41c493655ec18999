// SPDX-License-Identifier: GPL-2.0-only
#include "random-fabric.h"

#include "fabric-ports.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/fabric-partitions.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/integer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>

namespace ns3
{
namespace tests
{
namespace
{

/// Packets of a case at most, so that 200 cases take seconds, and of a small one.
constexpr uint64_t PACKETS = 6000;
constexpr uint64_t FEW_PACKETS = 600;
/// Buffer with which everything fits at first.
constexpr uint64_t AMPLE_BYTES = uint64_t{1} << 30;

constexpr uint64_t GBPS = 1000000000;

} // namespace

RandomFabric::RandomFabric(uint32_t index)
    : RandomFabric(Dice(index), USUAL)
{
}

RandomFabric::RandomFabric(Dice dice, Size size)
    : m_dice(std::move(dice)),
      m_size(size)
{
    m_engine = m_dice.Chance(50);
    DrawTopology();
    DrawSwitches();
    DrawHosts();
    m_sink = static_cast<uint32_t>(m_dice.Below(m_topology.GetHosts().size()));
}

// ---- the graph

FabricLinkSpec
RandomFabric::DrawLink()
{
    FabricLinkSpec link;
    link.rate = DataRate(GBPS * m_dice.Pick<uint64_t>({10, 25, 40, 50, 100, 200, 400, 800}));
    link.delay = m_dice.Chance(20) ? Time(0) : NanoSeconds(m_dice.Between(0, 20000));
    if (m_dice.Chance(40))
    {
        link.delay = NanoSeconds(m_dice.Between(1, 1500)); // as within a hall
    }
    return link;
}

FabricTopology
RandomFabric::DrawLinks(const FabricTopology& shape)
{
    FabricTopology drawn;
    for (const NodeId node : shape.Nodes())
    {
        shape.IsSwitch(node) ? drawn.AddSwitch() : drawn.AddHost();
    }
    const FabricLinkSpec same = DrawLink();
    const bool mixed = m_dice.Chance(70);
    for (const FabricTopology::Link& link : shape.GetLinks())
    {
        drawn.AddLink(link.a, link.b, mixed ? DrawLink() : same);
    }
    return drawn;
}

FabricTopology
RandomFabric::DrawGraph()
{
    const FabricLinkSpec any;
    FabricTopology graph;
    std::vector<NodeId> switches;
    const uint64_t count = m_dice.Between(1, 5);
    for (uint64_t i = 0; i < count; ++i)
    {
        switches.push_back(graph.AddSwitch());
        if (i > 0)
        {
            graph.AddLink(switches[i], switches[m_dice.Below(i)], any);
        }
    }
    for (uint64_t extra = m_dice.Below(4); extra > 0 && count > 1; --extra)
    {
        const uint64_t a = m_dice.Below(count);
        const uint64_t b = (a + m_dice.Between(1, count - 1)) % count;
        graph.AddLink(switches[a], switches[b], any);
    }
    std::vector<NodeId> hosts;
    for (uint64_t i = m_dice.Between(2, Most(8, 10)); i > 0; --i)
    {
        hosts.push_back(graph.AddHost());
        for (uint64_t ports = m_dice.Chance(25) ? 2 : 1; ports > 0; --ports)
        {
            graph.AddLink(hosts.back(), m_dice.Pick(switches), any);
        }
    }
    if (m_dice.Chance(40))
    {
        graph.AddLink(hosts[0], hosts[1], any); // beside the way through the switches
    }
    return graph;
}

void
RandomFabric::DrawTopology()
{
    const FabricLinkSpec any;
    FabricTopology shape;
    switch (m_dice.Below(5))
    {
    case 0:
        m_text = "star";
        shape = FabricTopology::Star(m_dice.Between(2, Most(8, 17)), any);
        break;
    case 1:
        m_text = "dumbbell";
        shape = FabricTopology::Dumbbell(m_dice.Between(1, Most(4, 8)),
                                         m_dice.Between(1, Most(4, 8)),
                                         any,
                                         any);
        break;
    case 2:
        m_text = "leaf-spine";
        shape = FabricTopology::LeafSpine(m_dice.Between(2, Most(3, 4)),
                                          m_dice.Between(1, Most(2, 3)),
                                          m_dice.Between(1, Most(2, 5)),
                                          any,
                                          any);
        break;
    case 3:
        m_text = "fat-tree";
        shape = FabricTopology::FatTree(m_dice.Chance(70) ? Most(2, 4) : 2, any);
        break;
    default:
        m_text = "graph";
        do
        {
            shape = DrawGraph();
        } while (HasCyclicDependency(shape));
        break;
    }
    m_topology = DrawLinks(shape);
    m_text += " of " + std::to_string(m_topology.GetHosts().size()) + " hosts and " +
              std::to_string(m_topology.GetLinks().size()) + " links";
}

uint64_t
RandomFabric::GetSlowestRate() const
{
    uint64_t rate = 800 * GBPS;
    for (const auto& link : m_topology.GetLinks())
    {
        rate = std::min(rate, link.spec.rate.GetBitRate());
    }
    return rate;
}

// ---- buffers and pauses

void
RandomFabric::DrawSwitches()
{
    const uint64_t cell = m_dice.Pick<uint64_t>({1, 208, 256});
    const double alpha = 8.0 / static_cast<double>(1U << m_dice.Below(11)); // 8 .. 1/128
    const uint64_t guaranteed = m_dice.Pick<uint64_t>({0, 1518, 9238});
    const uint64_t xonOffset = m_dice.Pick<uint64_t>({0, 3072, 20000});
    m_helper.SetSwitch("ns3::SwitchMmu",
                       "CellBytes",
                       UintegerValue(cell),
                       "Alpha",
                       DoubleValue(alpha),
                       "GuaranteedBytes",
                       UintegerValue(guaranteed),
                       "XonOffset",
                       UintegerValue(xonOffset),
                       "BufferSize",
                       UintegerValue(AMPLE_BYTES));
    m_spareBytes = m_dice.Pick<uint64_t>({0, 1, 1000, 10000, 100000, 1000000, 16000000});
    m_static = m_dice.Chance(20);
    m_helper.SetAlphaBySpeed(m_dice.Chance(50));
    const bool lastBit = m_dice.Chance(50);
    const bool enqueue = m_dice.Chance(50);
    m_helper.SetSwitch("ns3::FabricSwitch",
                       "ReleaseAt",
                       StringValue(lastBit ? "LastBit" : "DequeueStart"),
                       "MarkAt",
                       StringValue(enqueue ? "Enqueue" : "Dequeue"));
    const uint64_t reactionNs = m_dice.Chance(50) ? 0 : m_dice.Between(1, 3000);
    const bool endless = m_dice.Chance(20);
    const uint64_t quanta = m_dice.Pick<uint64_t>({65535, 65535, 2000});
    m_helper.SetLink("PfcReactionDelay",
                     TimeValue(NanoSeconds(reactionNs)),
                     "PfcDialect",
                     StringValue(endless ? "EndlessXoff" : "Standard"),
                     "PfcQuanta",
                     UintegerValue(quanta));
    const bool dwrr = m_dice.Chance(50);
    m_helper.SetScheduler(dwrr ? "ns3::DwrrScheduler" : "ns3::StrictPriorityScheduler");
    using Classes = std::vector<uint32_t>;
    m_classes = m_dice.Pick<Classes>({{3}, {3, 4}, {0, 3, 5}, {0, 1, 2, 3, 4, 5, 6, 7}});
    m_helper.SetLosslessClasses(m_classes);
    m_text += ", cell " + std::to_string(cell) + ", alpha " + std::to_string(alpha) +
              ", guaranteed " + std::to_string(guaranteed) + ", XON offset " +
              std::to_string(xonOffset) + ", spare buffer " + std::to_string(m_spareBytes) +
              (m_static ? ", static thresholds" : "") + (lastBit ? ", release at last bit" : "") +
              (enqueue ? ", mark at enqueue" : "") + ", reaction " + std::to_string(reactionNs) +
              " ns" + (endless ? ", endless XOFF" : "") + ", quanta " + std::to_string(quanta) +
              (dwrr ? ", DWRR" : ", SP") + ", " + std::to_string(m_classes.size()) + " classes";
}

void
RandomFabric::AddCredits(Dice& dice)
{
    constexpr uint32_t MOST_LEAST = 40; // what the longest frame takes
    m_helper.SetCbfc(m_classes);
    const uint64_t bytes = dice.Pick<uint64_t>({128, 256, 1000});
    const uint64_t credits = dice.Chance(60) ? 0 : dice.Between(MOST_LEAST * 2, 1000);
    const uint64_t spacing = dice.Pick<uint64_t>({800, 6400, 50000});
    const int64_t overhead = dice.Pick<int64_t>({0, 0, -16, 64});
    m_helper.SetLink("CreditBytes",
                     UintegerValue(bytes),
                     "CbfcCredits",
                     UintegerValue(credits),
                     "CfMinSpacing",
                     UintegerValue(spacing),
                     "CreditOverhead",
                     IntegerValue(overhead));
    m_text += ", " + std::to_string(credits) + " credits of " + std::to_string(bytes) +
              " bytes, spacing " + std::to_string(spacing) + ", overhead " +
              std::to_string(overhead);
}

void
RandomFabric::AddRetry()
{
    m_helper.SetLink("LlrEnabled", BooleanValue(true));
}

void
RandomFabric::SendAgain()
{
    m_helper.SetQueuePair("RetransmitTimeout",
                          TimeValue(MilliSeconds(1)),
                          "RetryLimit",
                          UintegerValue(254));
}

void
RandomFabric::CutBuffer(FabricSwitch& fabricSwitch)
{
    const auto mmu = fabricSwitch.GetMmu();
    const uint64_t cell = mmu->GetCellSize().Bytes();
    const uint64_t parted = AMPLE_BYTES / cell - mmu->GetSharedPool();
    mmu->SetAttribute("BufferSize", UintegerValue(parted * cell + m_spareBytes));
    DrawThresholds(fabricSwitch);
    fabricSwitch.Start();
}

void
RandomFabric::DrawThresholds(FabricSwitch& fabricSwitch)
{
    for (uint32_t port = 0; m_static && port < fabricSwitch.GetNPorts(); ++port)
    {
        for (const uint32_t cls : m_classes)
        {
            fabricSwitch.GetMmu()->SetStaticThreshold(port, cls, m_dice.Below(50000));
        }
    }
}

// ---- hosts

void
RandomFabric::DrawHosts()
{
    m_mtu = m_dice.Pick<uint32_t>({256, 512, 1000, 1024, 2048, 4096, 4096});
    const uint64_t ackInterval = m_dice.Pick<uint64_t>({1, 1, 4, 16});
    // No retransmission may hide a loss, and none may come from a queue that is merely long.
    m_helper.SetQueuePair("Mtu",
                          UintegerValue(m_mtu),
                          "AckInterval",
                          UintegerValue(ackInterval),
                          "RetransmitTimeout",
                          TimeValue(Time(0)));
    const std::string congestion = m_dice.Pick<std::string>({"none", "Nic", "Paper"});
    if (congestion == "none")
    {
        m_helper.SetCongestionControl("none");
    }
    else
    {
        m_helper.SetCongestionControl("ns3::RdmaDcqcn", "Dialect", StringValue(congestion));
    }
    m_text += ", MTU " + std::to_string(m_mtu) + ", ACK every " + std::to_string(ackInterval) +
              ", congestion control " + congestion;
}

void
RandomFabric::AddTunnels(Dice& dice)
{
    const std::string outerIp = dice.Pick<std::string>({"Ipv4", "Ipv6"});
    m_helper.AddSwitchExtension("ns3::VxlanEndpoint", "OuterIp", StringValue(outerIp));
    m_text += ", VXLAN over " + outerIp;
}

void
RandomFabric::AddDelays(Dice& dice)
{
    const auto upTo = [&dice](uint64_t ns) { return TimeValue(NanoSeconds(dice.Below(ns + 1))); };
    const bool cuts = dice.Chance(50);
    m_helper.SetSwitch("ns3::FabricSwitch", "SwitchDelay", upTo(2000));
    m_helper.SetSwitch("ns3::FabricSwitch", "CutThrough", BooleanValue(cuts));
    m_helper.SetQueuePair("TxDelay", upTo(3000), "RxDelay", upTo(3000), "MessageGap", upTo(100));
    m_text += cuts ? ", delays and cut-through" : ", delays";
}

Fabric
RandomFabric::Build()
{
    const Fabric fabric = m_helper.FromTopology(m_topology);
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        CutBuffer(*fabric.GetSwitch(i));
    }
    fabric.RequireLossless();
    fabric.AssignStreams(1000);
    return fabric;
}

RdmaFlow
RandomFabric::DrawFlow(bool incast)
{
    const uint64_t hosts = m_topology.GetHosts().size();
    RdmaFlow flow;
    flow.destination = incast ? m_sink : static_cast<uint32_t>(m_dice.Below(hosts));
    flow.source = (flow.destination.Value() + m_dice.Between(1, hosts - 1)) % hosts;
    flow.verb = m_dice.Pick<RdmaVerb>({RdmaVerb::WRITE,
                                       RdmaVerb::WRITE,
                                       RdmaVerb::WRITE_IMM,
                                       RdmaVerb::SEND,
                                       RdmaVerb::SEND_IMM,
                                       RdmaVerb::READ});
    if (incast && flow.verb == RdmaVerb::READ)
    {
        std::swap(flow.source, flow.destination); // the data goes to who asks
    }
    flow.trafficClass = static_cast<uint8_t>(m_dice.Pick(m_classes));
    flow.start = NanoSeconds(incast ? m_dice.Below(2000) : m_dice.Below(100000));
    return flow;
}

void
RandomFabric::AddFlows(RdmaFlowHelper& flows)
{
    const uint64_t packets = Most(FEW_PACKETS, PACKETS);
    const uint64_t senders = m_dice.Between(2, Most(8, 24));
    const uint64_t incastBytes = packets / 2 * m_mtu / senders;
    for (uint64_t i = 0; i < senders; ++i)
    {
        RdmaFlow flow = DrawFlow(true);
        flow.bytes = m_dice.Chance(80) ? incastBytes : m_dice.Below(incastBytes);
        flows.Add(flow);
        m_bytes += flow.bytes;
    }
    const uint64_t others = m_dice.Below(Most(10, 30));
    const uint64_t share = others ? packets / 2 * m_mtu / others : 0;
    for (uint64_t i = 0; i < others; ++i)
    {
        RdmaFlow flow = DrawFlow(false);
        flow.bytes = m_dice.Pick<uint64_t>({0, 1, m_mtu, m_mtu + 1, share, m_dice.Below(share)});
        flows.Add(flow);
        m_bytes += flow.bytes;
    }
    m_text += ", incast " + std::to_string(senders) + ":1 of " + std::to_string(incastBytes) +
              " bytes and " + std::to_string(others) + " flows";
}

std::vector<uint64_t>
RunDivided(RandomFabric& random, const Fabric& fabric, uint32_t partitions, uint32_t threads)
{
    const auto simulator = Simulator::GetImplementation();
    simulator->SetAttribute("Order", EnumValue(FabricSimulatorImpl::CANONICAL));
    simulator->SetAttribute("Threads", UintegerValue(threads));
    RdmaFlowHelper flows(fabric);
    random.AddFlows(flows);
    std::vector<uint64_t> seen;
    flows.OnEnd([&seen](const RdmaFlowResult& result) {
        seen.push_back(result.index);
        seen.push_back(result.fct.GetTimeStep());
    });
    flows.AssignStreams(1000 + fabric.AssignStreams(1000));
    DivideFabric(fabric, GetShortestDelay(fabric).IsZero() ? 1 : partitions);
    Simulator::Stop(MilliSeconds(20));
    Simulator::Run();
    for (const FabricPort& each : PortsOf(fabric))
    {
        const auto counters = each.device->GetCounters();
        seen.push_back(counters.rxFrames);
        seen.push_back(counters.rxWireBytes);
        seen.insert(seen.end(), counters.drops.begin(), counters.drops.end());
        for (uint32_t cls = 0; each.device->GetCbfc() && cls < TRAFFIC_CLASSES; ++cls)
        {
            const auto& credits = each.device->GetCbfc()->Get(cls);
            seen.push_back(credits.consumed);
            seen.push_back(credits.peakUsed);
            seen.push_back(credits.cfReceived);
            const int64_t now = Simulator::Now().GetTimeStep();
            seen.push_back(each.device->GetObeyer().PausedTicks(cls, now));
        }
    }
    seen.push_back(Simulator::GetEventCount());
    return seen;
}

// ---- circles

bool
HasCyclicDependency(const FabricTopology& topology)
{
    // A channel is a link in one direction: 2 * link, + 1 towards its end a.
    const FabricRoutes routes(topology);
    std::vector<std::vector<uint32_t>> next(2 * topology.GetLinks().size());
    const auto channel = [&topology](LinkId link, NodeId to) {
        return 2 * link.Value() + (topology.GetLink(link).a == to ? 1 : 0);
    };
    for (const NodeId to : topology.GetSwitches())
    {
        for (const NodeId from : topology.GetSwitches())
        {
            for (const LinkId first : routes.GetNextHops(from, to))
            {
                const NodeId middle = topology.GetLink(first).Peer(from);
                for (const LinkId second : routes.GetNextHops(middle, to))
                {
                    next[channel(first, middle)].push_back(
                        channel(second, topology.GetLink(second).Peer(middle)));
                }
            }
        }
    }
    std::vector<uint8_t> state(next.size(), 0); // 1: on the path being followed; 2: done
    const std::function<bool(uint32_t)> circle = [&](uint32_t at) {
        state[at] = 1;
        for (const uint32_t to : next[at])
        {
            if (state[to] == 1 || (state[to] == 0 && circle(to)))
            {
                return true;
            }
        }
        state[at] = 2;
        return false;
    };
    for (uint32_t at = 0; at < next.size(); ++at)
    {
        if (state[at] == 0 && circle(at))
        {
            return true;
        }
    }
    return false;
}

} // namespace tests
} // namespace ns3
