// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-partitions.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-ranks.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/node.h"
#include "ns3/qbb-channel.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

constexpr uint32_t UNKNOWN = ~0U; //!< not in a partition yet

/// Partitions while they are being filled.
class Division
{
  public:
    /// @param topology the nodes @param partitions how many
    Division(const FabricTopology& topology, uint32_t partitions)
        : m_topology(topology),
          m_of(topology.GetNNodes(), UNKNOWN),
          m_load(partitions)
    {
        const double slack = 1.05; // a little more than an equal share, so that neighbours fit
        m_room = slack * 2 * topology.GetLinks().size() / partitions;
    }

    /// Put a node into a partition. @param node it @param partition its number
    void Put(NodeId node, uint32_t partition)
    {
        m_of[node.Value()] = partition;
        m_load[partition] += m_topology.GetLinksOf(node).size();
    }

    /// @param node a node @return whether it is in a partition
    bool Has(NodeId node) const
    {
        return m_of[node.Value()] != UNKNOWN;
    }

    /// @param node a node @return the partition that suits it best
    uint32_t BestFor(NodeId node) const
    {
        std::vector<uint32_t> links(m_load.size());
        for (const LinkId link : m_topology.GetLinksOf(node))
        {
            const uint32_t of = m_of[m_topology.GetLink(link).Peer(node).Value()];
            if (of != UNKNOWN)
            {
                ++links[of];
            }
        }
        uint32_t best = 0;
        for (uint32_t i = 1; i < m_load.size(); ++i)
        {
            const double worth = Worth(links[i], m_load[i]);
            const double most = Worth(links[best], m_load[best]);
            if (worth > most || (worth == most && m_load[i] < m_load[best]))
            {
                best = i;
            }
        }
        return best;
    }

    /// @return by node: number of its partition; without gaps
    std::vector<uint32_t> Numbers() const
    {
        std::vector<uint32_t> number(m_load.size(), UNKNOWN);
        uint32_t used = 0;
        for (uint32_t i = 0; i < m_load.size(); ++i)
        {
            number[i] = m_load[i] > 0 ? used++ : UNKNOWN;
        }
        std::vector<uint32_t> numbers;
        for (const uint32_t of : m_of)
        {
            numbers.push_back(number[of]);
        }
        return numbers;
    }

  private:
    /// @param links into a partition @param load of it @return how well a node would fit there
    double Worth(uint32_t links, double load) const
    {
        return links * (1 - load / m_room);
    }

    const FabricTopology& m_topology;
    std::vector<uint32_t> m_of; //!< by node
    std::vector<double> m_load; //!< by partition: ends of links
    double m_room;
};

/// @param topology the nodes @return by node: number of its partition, each node having its own,
/// and neighbours near numbers, so that few links join two threads
std::vector<uint32_t>
EachByItself(const FabricTopology& topology)
{
    constexpr uint32_t SWITCHES_OF_NEIGHBOURS = 4;
    const auto groups = static_cast<uint32_t>(topology.GetSwitches().size());
    const auto group = FindPartitions(topology, groups / SWITCHES_OF_NEIGHBOURS);
    std::vector<uint32_t> order(group.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&group](uint32_t a, uint32_t b) {
        return group[a] < group[b];
    });
    std::vector<uint32_t> numbers(group.size());
    for (uint32_t i = 0; i < order.size(); ++i)
    {
        numbers[order[i]] = i;
    }
    return numbers;
}

/// @param fabric a fabric @param window its shortest delay @return whether most delays are so much
/// longer that windows have too few events for nodes to run by themselves
bool
HasShortWindows(const Fabric& fabric, const Time& window)
{
    constexpr int64_t SHORT = 4;
    uint32_t longer = 0;
    for (const LinkId link : fabric.GetTopology().Links())
    {
        longer += fabric.GetChannel(link)->GetDelay() > SHORT * window ? 1 : 0;
    }
    return 2 * longer > fabric.GetTopology().GetLinks().size();
}

} // namespace

std::vector<uint32_t>
FindPartitions(const FabricTopology& topology, uint32_t partitions)
{
    const auto nSwitches = static_cast<uint32_t>(topology.GetSwitches().size());
    const uint32_t count = std::clamp(partitions, 1U, std::max(nSwitches, 1U));
    Division division(topology, count);
    std::vector<NodeId> switches = topology.GetSwitches();
    const std::vector<uint32_t> tiers = topology.GetTiers();
    std::stable_sort(switches.begin(), switches.end(), [&](NodeId a, NodeId b) {
        return tiers[a.Value()] < tiers[b.Value()];
    });

    // Switches with hosts, in turn, each with its hosts; what is above them takes the rest.
    double ofEdges = 0;
    for (const NodeId node : switches)
    {
        if (tiers[node.Value()] == 1)
        {
            ofEdges += topology.GetLinksOf(node).size();
        }
    }
    double before = 0;
    for (const NodeId node : switches)
    {
        uint32_t partition = 0;
        if (tiers[node.Value()] == 1)
        {
            partition = std::min<uint32_t>(before / ofEdges * count, count - 1);
            before += topology.GetLinksOf(node).size();
        }
        else
        {
            partition = division.BestFor(node);
        }
        division.Put(node, partition);
        for (const LinkId link : topology.GetLinksOf(node))
        {
            const NodeId peer = topology.GetLink(link).Peer(node);
            if (!topology.IsSwitch(peer) && topology.GetLinksOf(peer).size() == 1)
            {
                division.Put(peer, partition);
            }
        }
    }
    // A host on several rails may be with any of their switches: all would be with those of one.
    for (const NodeId node : topology.Nodes())
    {
        if (!division.Has(node))
        {
            division.Put(node, division.BestFor(node)); // also one that no switch serves
        }
    }
    return division.Numbers();
}

std::vector<uint32_t>
FindRanks(const FabricTopology& topology)
{
    const uint32_t ranks = FabricRanks::Count();
    if (ranks == 1)
    {
        return std::vector<uint32_t>(topology.GetNNodes());
    }
    std::vector<uint32_t> of = FindPartitions(topology, ranks);
    const uint32_t found = *std::max_element(of.begin(), of.end()) + 1;
    if (found < ranks)
    {
        throw FabricError(std::to_string(ranks) + " ranks, and the fabric has " +
                              std::to_string(found) + " parts for them",
                          "run on " + std::to_string(found) + " at most");
    }
    for (const FabricTopology::Link& link : topology.GetLinks())
    {
        if (of[link.a.Value()] != of[link.b.Value()] && link.spec.delay.IsZero())
        {
            throw FabricError("a link without delay between two ranks",
                              "give the link a delay, or run on one rank");
        }
    }
    return of;
}

Time
GetShortestDelay(const Fabric& fabric)
{
    Time shortest = Time::Max();
    for (const LinkId link : fabric.GetTopology().Links())
    {
        shortest = std::min(shortest, fabric.GetChannel(link)->GetDelay());
    }
    return shortest;
}

void
DivideFabric(const Fabric& fabric, uint32_t partitions)
{
    auto simulator = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
    if (!simulator || simulator->GetOrder() != FabricSimulatorImpl::CANONICAL)
    {
        return;
    }
    const FabricTopology& topology = fabric.GetTopology();
    Time window = GetShortestDelay(fabric);
    if (window.IsZero() && partitions != 1)
    {
        throw FabricError("a fabric with a link without delay cannot be divided",
                          "give the link a delay, or make 1 partition");
    }
    if (window.IsZero())
    {
        window = MicroSeconds(1); // of one partition: no node waits for its end
    }
    const std::vector<uint32_t> ofTopology = partitions ? FindPartitions(topology, partitions)
                                             : HasShortWindows(fabric, window)
                                                 ? FindPartitions(topology, 1)
                                                 : EachByItself(topology);
    std::vector<uint32_t> ofNode;
    for (const NodeId node : topology.Nodes())
    {
        fabric.GetNode(node)->Initialize(); // looks at neighbours: not in an event of the node
        const uint32_t id = fabric.GetNode(node)->GetId();
        ofNode.resize(std::max<std::size_t>(ofNode.size(), id + 1));
        ofNode[id] = ofTopology[node.Value()];
    }
    simulator->SetPartitions(ofNode, window);
}

void
RequireOneRank(const std::string& what)
{
    if (FabricRanks::IsOn())
    {
        throw FabricError(what + " in a run over ranks, each of which sees its own nodes alone",
                          "run it as one process, without --mpi");
    }
}

void
RequireOneThread(const std::string& what)
{
    const auto simulator = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
    const bool isRunning = simulator && simulator->GetEventCount() > 0 && !simulator->IsFinished();
    if (isRunning && !simulator->Undivide())
    {
        throw FabricError(what + " while several threads run the fabric",
                          "choose 1 thread: the results are those of any number");
    }
}

} // namespace ns3
