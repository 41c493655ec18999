// SPDX-License-Identifier: GPL-2.0-only
#include "job-plan.h"

#include "collective-rehearsal.h"
#include "message-exchange.h"

#include "ns3/fabric-error.h"
#include "ns3/flow-path.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint64_t MOST_BYTES = uint64_t{1} << 40; //!< of a work request

constexpr uint64_t MOST_QUEUE_PAIRS = uint64_t{1} << 22;

} // namespace

JobPlan::JobPlan(const JobGraph& graph,
                 const JobOptions& options,
                 const QueuePairNetwork& network,
                 const Fabric& fabric)
    : m_graph(graph),
      m_options(options),
      m_network(network)
{
    if (!m_options.algorithm.empty())
    {
        m_chosen = CollectiveAlgorithm::Create(m_options.algorithm);
        m_algorithms.emplace(m_options.algorithm, m_chosen);
    }
    for (const JobGraph::Group& group : m_graph.GetGroups())
    {
        AddRings(group);
    }
    FindPairs();
    RequireAlgorithm();
    FindCost(fabric);
}

void
JobPlan::AddRings(const JobGraph::Group& group)
{
    std::vector<HostId> order; // hosts as they come
    std::map<HostId, std::vector<uint32_t>> byHost;
    std::size_t most = 1;
    for (const uint32_t rank : group.ranks)
    {
        const HostId host = m_network.GetPlaces()[rank].host;
        std::vector<uint32_t>& ranks = byHost[host];
        if (ranks.empty())
        {
            order.push_back(host);
        }
        ranks.push_back(rank);
        most = std::max(most, ranks.size());
    }
    std::vector<Ring> rings(most);
    for (std::size_t channel = 0; channel < most; ++channel)
    {
        Ring& ring = rings[channel];
        ring.ranks = group.ranks; // channel 0 has the order of the group
        for (const HostId host : channel > 0 ? order : std::vector<HostId>())
        {
            if (host == order.front())
            {
                ring.ranks.clear();
            }
            std::vector<uint32_t> ranks = byHost[host];
            std::rotate(ranks.begin(), ranks.begin() + channel % ranks.size(), ranks.end());
            ring.ranks.insert(ring.ranks.end(), ranks.begin(), ranks.end());
        }
        auto hosts = std::make_shared<std::vector<uint32_t>>();
        for (const uint32_t rank : ring.ranks)
        {
            ring.positions.emplace(rank, static_cast<uint32_t>(ring.positions.size()));
            hosts->push_back(m_network.GetPlaces()[rank].host.Value());
        }
        ring.hosts = std::move(hosts);
    }
    m_rings.push_back(std::move(rings));
}

const JobPlan::Ring&
JobPlan::RingOf(uint32_t group, uint32_t channel) const
{
    return m_rings[group][channel % m_rings[group].size()];
}

const std::vector<uint32_t>&
JobPlan::GetRing(uint32_t group, uint32_t channel) const
{
    return RingOf(group, channel).ranks;
}

std::string
JobPlan::NameOfAlgorithm(const JobOperation& operation) const
{
    if (operation.algorithm)
    {
        return m_graph.GetText(operation.algorithm);
    }
    const bool isOfJob = m_chosen && m_chosen->Does(operation.type);
    return isOfJob ? m_options.algorithm : CollectiveAlgorithm::GetDefault(operation.type);
}

const CollectiveAlgorithm&
JobPlan::AlgorithmOf(const JobOperation& operation) const
{
    return *m_algorithms.at(NameOfAlgorithm(operation));
}

uint32_t
JobPlan::GetChannels(const JobOperation& operation) const
{
    if (operation.bytes == 0)
    {
        return 1;
    }
    return operation.channels ? operation.channels : m_options.channels;
}

CollectiveShape
JobPlan::ShapeOf(const JobOperation& operation, uint32_t channel) const
{
    const uint32_t channels = GetChannels(operation);
    CollectiveShape shape;
    shape.type = operation.type;
    shape.ranks = static_cast<uint32_t>(m_graph.GetGroups()[operation.group].ranks.size());
    const Ring& ring = RingOf(operation.group, channel);
    shape.root = ring.positions.at(m_graph.GetGroups()[operation.group].ranks[operation.peer]);
    shape.bytes = ShareOf(operation.bytes, channel, channels);
    shape.hosts = ring.hosts;
    return shape;
}

std::unique_ptr<CollectivePart>
JobPlan::MakePart(uint32_t rank, const JobOperation& operation, uint32_t channel) const
{
    CollectiveShape shape = ShapeOf(operation, channel);
    shape.position = RingOf(operation.group, channel).positions.at(rank);
    return AlgorithmOf(operation).Make(shape);
}

void
JobPlan::FindPairs()
{
    for (uint32_t rank = 0; rank < m_graph.GetNRanks(); ++rank)
    {
        for (const JobOperation& operation : m_graph.GetRank(rank).operations)
        {
            try
            {
                FindPairsOf(rank, operation);
            }
            catch (const FabricError& error)
            {
                const std::string where = m_graph.WhereIs(rank, operation);
                // One of no file is called "job", as the job may be, too.
                const std::string source = std::string(JobGraph::NO_FILE) + ": ";
                const bool hasFile = where.compare(0, source.size(), source) != 0;
                throw FabricError("job " + m_options.name + ": " +
                                  (hasFile ? where : where.substr(source.size())) + ": " +
                                  error.what());
            }
        }
    }
}

void
JobPlan::FindPairsOf(uint32_t rank, const JobOperation& operation)
{
    if (operation.bytes > MOST_BYTES)
    {
        throw FabricError(std::to_string(operation.bytes) + " B", "at most 2^40");
    }
    if (operation.kind == JobOperation::RECV && m_options.rendezvous)
    {
        MessageExchange::RequireNamed("", operation.peer, operation.tag);
    }
    if (operation.kind == JobOperation::SEND)
    {
        const MessageNetwork::Pair pair{rank, operation.peer, 0, operation.nic};
        if (IsBetweenHosts(pair))
        {
            m_network.GetPorts(pair, 0); // which may not be there
            m_cost.bytes += static_cast<double>(operation.bytes) * m_options.iterations;
            m_cost.messages += m_options.iterations;
        }
        m_pairs.insert(pair);
    }
    else if (operation.kind == JobOperation::COLLECTIVE)
    {
        const Sent& sent = Rehearse(operation);
        if (m_graph.GetGroups()[operation.group].ranks.front() == rank)
        {
            m_cost.bytes += sent.bytes * m_options.iterations;
            m_cost.messages += sent.messages * m_options.iterations;
        }
    }
}

bool
JobPlan::IsBetweenHosts(const MessageNetwork::Pair& pair) const
{
    const std::vector<RankPlace>& places = m_network.GetPlaces();
    return places[pair.source].host != places[pair.destination].host;
}

void
JobPlan::RequireQueuePairs(const CollectiveRehearsal& rehearsal,
                           const std::vector<uint32_t>& ranks,
                           uint32_t channels) const
{
    const auto& pairs = rehearsal.GetPairs();
    const auto between = std::count_if(pairs.begin(), pairs.end(), [&](const auto& each) {
        return IsBetweenHosts({ranks[each.first.first], ranks[each.first.second]});
    });
    const uint64_t count =
        static_cast<uint64_t>(between) * channels * m_options.network.queuePairsPerConnection;
    if (count > MOST_QUEUE_PAIRS)
    {
        throw FabricError(std::to_string(count) + " queue pairs: " + std::to_string(between) +
                              " pairs of ranks on " + std::to_string(channels) +
                              " channels, with " +
                              std::to_string(m_options.network.queuePairsPerConnection) + " each",
                          "at most " + std::to_string(MOST_QUEUE_PAIRS) +
                              ": fewer channels, queue pairs for each, or ranks");
    }
}

const JobPlan::Sent&
JobPlan::Rehearse(const JobOperation& operation)
{
    const uint32_t channels = GetChannels(operation);
    if (channels > JobOptions::MOST_CHANNELS)
    {
        throw FabricError(std::to_string(channels) + " channels",
                          "1 to " + std::to_string(JobOptions::MOST_CHANNELS));
    }
    const auto [entry, isNew] = m_rehearsed.emplace(Shape(operation.group,
                                                          operation.type,
                                                          operation.peer,
                                                          operation.algorithm,
                                                          channels,
                                                          operation.bytes),
                                                    Sent());
    if (!isNew)
    {
        return entry->second;
    }
    const std::string name = NameOfAlgorithm(operation);
    m_usesAlgorithm |= !operation.algorithm && name == m_options.algorithm;
    if (!m_algorithms.count(name))
    {
        m_algorithms.emplace(name, CollectiveAlgorithm::Create(name));
    }
    std::unique_ptr<CollectiveRehearsal> rehearsal;
    CollectiveShape rehearsed;
    for (uint32_t channel = 0; channel < channels; ++channel)
    {
        const CollectiveShape shape = ShapeOf(operation, channel);
        if (!rehearsal || !shape.IsLike(rehearsed))
        {
            rehearsal = std::make_unique<CollectiveRehearsal>(AlgorithmOf(operation), shape);
            rehearsed = shape;
        }
        AddChannel(operation, channel, *rehearsal, entry->second);
    }
    return entry->second;
}

void
JobPlan::AddChannel(const JobOperation& operation,
                    uint32_t channel,
                    const CollectiveRehearsal& rehearsal,
                    Sent& sent)
{
    const std::vector<uint32_t>& ranks = GetRing(operation.group, channel);
    RequireQueuePairs(rehearsal, ranks, GetChannels(operation));
    for (const auto& [positions, messages] : rehearsal.GetPairs())
    {
        const MessageNetwork::Pair pair{ranks[positions.first], ranks[positions.second], channel};
        m_pairs.insert(pair);
        if (IsBetweenHosts(pair))
        {
            sent.messages += static_cast<double>(messages.messages);
            sent.bytes += static_cast<double>(messages.bytes) * m_options.wireFactor;
        }
    }
}

void
JobPlan::FindCost(const Fabric& fabric)
{
    constexpr uint64_t looks = 100; // at paths; all would take long
    for (const MessageNetwork::Pair& pair : m_pairs)
    {
        m_cost.connections += IsBetweenHosts(pair) ? 1 : 0;
    }
    m_cost.queuePairs = m_cost.connections * m_options.network.queuePairsPerConnection;
    m_cost.queuePairs /= m_options.network.bothWays && HasWayBack() ? 2 : 1;
    const uint64_t stride = m_cost.connections / looks + 1;
    const FabricTopology& topology = fabric.GetTopology();
    uint64_t number = 0;
    double links = 0;
    double looked = 0;
    for (const MessageNetwork::Pair& pair : m_pairs)
    {
        if (!IsBetweenHosts(pair) || number++ % stride != 0)
        {
            continue;
        }
        const NodeId from = topology.NodeOf(m_network.GetPlaces()[pair.source].host);
        const NodeId to = topology.NodeOf(m_network.GetPlaces()[pair.destination].host);
        const Fabric::Ports ports = m_network.GetPorts(pair, 0);
        links += static_cast<double>(fabric.GetRoutes()
                                         .GetPath(from,
                                                  topology.GetLinksOf(from)[ports.source],
                                                  to,
                                                  topology.GetLinksOf(to)[ports.destination])
                                         .size());
        ++looked;
    }
    m_cost.links = looked > 0 ? links / looked : 0;
}

void
JobPlan::RequireAlgorithm() const
{
    if (m_options.algorithm.empty() || m_usesAlgorithm)
    {
        return;
    }
    std::set<CollectiveType> types; // of those that name no algorithm
    for (const auto& rehearsed : m_rehearsed)
    {
        if (!std::get<3>(rehearsed.first))
        {
            types.insert(std::get<1>(rehearsed.first));
        }
    }
    std::string right;
    for (const CollectiveType type : types)
    {
        right += (right.empty() ? "" : "; ") + CollectiveAlgorithm::DescribeThoseOf(type);
    }
    throw FabricError(
        "job " + m_options.name + ": none of its collectives is done by the algorithm " +
            m_options.algorithm,
        right.empty() ? "all of them name one, or there are none: leave it out" : right);
}

bool
JobPlan::HasWayBack() const
{
    return std::any_of(m_pairs.begin(), m_pairs.end(), [this](const MessageNetwork::Pair& pair) {
        const MessageNetwork::Pair back{pair.destination, pair.source, pair.channel, pair.nic};
        // With rendezvous the receiver says that it is ready.
        const bool isThere = m_options.rendezvous || m_pairs.count(back);
        if (!isThere || !IsBetweenHosts(pair))
        {
            return false;
        }
        const Fabric::Ports ports = m_network.GetPorts(pair, 0);
        const Fabric::Ports others = m_network.GetPorts(back, 0);
        return ports.source == others.destination && ports.destination == others.source;
    });
}

} // namespace ns3
