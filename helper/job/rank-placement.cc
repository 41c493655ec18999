// SPDX-License-Identifier: GPL-2.0-only
#include "rank-placement.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t MOST_HOSTS = 16; //!< that are described

} // namespace

RankPlacement::RankPlacement(const FabricTopology& topology, uint32_t gpusPerHost)
    : m_topology(topology),
      m_hosts(static_cast<uint32_t>(topology.GetHosts().size())),
      m_gpus(gpusPerHost)
{
    if (gpusPerHost == 0)
    {
        throw FabricError("hosts without GPUs", "1 or more");
    }
}

void
RankPlacement::Take(const std::vector<RankPlace>& places)
{
    for (const RankPlace& place : places)
    {
        m_taken.emplace(place.host, place.gpu);
    }
}

uint32_t
RankPlacement::CountFree() const
{
    return m_hosts * m_gpus - static_cast<uint32_t>(m_taken.size());
}

std::vector<std::vector<uint32_t>>
RankPlacement::GetFree() const
{
    std::vector<std::vector<uint32_t>> free(m_hosts);
    for (uint32_t host = 0; host < m_hosts; ++host)
    {
        for (uint32_t gpu = 0; gpu < m_gpus; ++gpu)
        {
            if (!m_taken.count({HostId(host), gpu}))
            {
                free[host].push_back(gpu);
            }
        }
    }
    return free;
}

void
RankPlacement::RequireRoom(uint32_t ranks) const
{
    if (ranks > CountFree() && !m_taken.empty())
    {
        throw FabricError(std::to_string(ranks) + " ranks, and " + std::to_string(CountFree()) +
                              (CountFree() == 1 ? " GPU that is free" : " GPUs that are free"),
                          "a GPU for each rank");
    }
    if (ranks > CountFree())
    {
        throw FabricError(std::to_string(ranks) + " ranks, and " + std::to_string(m_hosts) +
                              " hosts with " + std::to_string(m_gpus) +
                              (m_gpus == 1 ? " GPU" : " GPUs") + " each",
                          "a GPU for each rank");
    }
}

std::vector<RankPlace>
RankPlacement::Place(const std::string& policy,
                     uint32_t ranks,
                     const Ptr<UniformRandomVariable>& draw) const
{
    RequireRoom(ranks);
    const std::vector<std::vector<uint32_t>> free = GetFree();
    std::vector<RankPlace> places;
    for (uint32_t host = 0; host < m_hosts; ++host)
    {
        for (const uint32_t gpu : free[host])
        {
            if (policy != "rail" || free[host].size() == m_gpus)
            {
                places.push_back({HostId(host), gpu});
            }
        }
    }
    if (policy.rfind("list:", 0) == 0)
    {
        return FromList(policy.substr(5), ranks);
    }
    if (policy == "round-robin" || policy == "spread")
    {
        std::vector<HostId> order = LeafByLeaf();
        if (policy == "round-robin")
        {
            std::sort(order.begin(), order.end());
        }
        return InTurn(order, ranks);
    }
    if (policy == "rail" && ranks % m_gpus != 0)
    {
        throw FabricError("placement rail of " + std::to_string(ranks) + " ranks on hosts with " +
                              std::to_string(m_gpus) + " GPUs",
                          "a multiple of that");
    }
    if (ranks > places.size())
    {
        throw FabricError("placement rail of " + std::to_string(ranks) + " ranks, and " +
                              std::to_string(places.size()) + " GPUs are on hosts that are free",
                          "a host for each " + std::to_string(m_gpus));
    }
    if (policy == "random")
    {
        for (std::size_t i = places.size() - 1; draw && i > 0; --i)
        {
            std::swap(places[i], places[draw->GetInteger(0, static_cast<uint32_t>(i))]);
        }
    }
    else if (policy != "packed" && policy != "rail")
    {
        throw FabricError("placement \"" + policy + "\"",
                          "packed, round-robin, spread, rail, random, or list:0,1,...");
    }
    places.resize(ranks);
    return places;
}

std::vector<RankPlace>
RankPlacement::InTurn(const std::vector<HostId>& order, uint32_t ranks) const
{
    const std::vector<std::vector<uint32_t>> free = GetFree();
    std::vector<std::size_t> used(m_hosts, 0); // of the free ones of each host
    std::vector<RankPlace> places;
    for (std::size_t turn = 0; places.size() < ranks; ++turn)
    {
        const HostId host = order[turn % order.size()];
        std::size_t& next = used[host.Value()];
        if (next < free[host.Value()].size())
        {
            places.push_back({host, free[host.Value()][next++]});
        }
    }
    return places;
}

std::vector<HostId>
RankPlacement::LeafByLeaf() const
{
    std::map<NodeId, std::vector<HostId>> leaves;
    for (uint32_t host = 0; host < m_hosts; ++host)
    {
        const NodeId node = m_topology.NodeOf(HostId(host));
        const auto& links = m_topology.GetLinksOf(node);
        const NodeId leaf = links.empty() ? node : m_topology.GetLink(links.front()).Peer(node);
        leaves[leaf].push_back(HostId(host));
    }
    std::vector<HostId> order;
    for (std::size_t turn = 0; order.size() < m_hosts; ++turn)
    {
        for (const auto& [leaf, hosts] : leaves)
        {
            if (turn < hosts.size())
            {
                order.push_back(hosts[turn]);
            }
        }
    }
    return order;
}

std::vector<RankPlace>
RankPlacement::FromList(const std::string& text, uint32_t ranks) const
{
    std::vector<RankPlace> places;
    const std::vector<std::vector<uint32_t>> free = GetFree();
    std::vector<std::size_t> used(m_hosts, 0); // of the free ones of each host
    std::istringstream list(text);
    for (std::string field; std::getline(list, field, ',');)
    {
        const auto host = static_cast<uint32_t>(
            FabricText::ToUint(field, "a host of the placement", m_hosts - 1));
        if (used[host] == free[host].size())
        {
            throw FabricError("the placement has more than " + std::to_string(used[host]) +
                                  " ranks on host " + std::to_string(host),
                              used[host] < m_gpus ? "as many as it has GPUs that no other job has"
                                                  : "as many as it has GPUs");
        }
        places.push_back({HostId(host), free[host][used[host]++]});
    }
    if (places.size() != ranks)
    {
        throw FabricError("the placement lists " + std::to_string(places.size()) +
                              " hosts, and the job has " + std::to_string(ranks) + " ranks",
                          "a host for each");
    }
    return places;
}

std::string
RankPlacement::Describe(const std::vector<RankPlace>& places)
{
    std::map<HostId, std::vector<uint32_t>> byHost;
    for (uint32_t rank = 0; rank < places.size(); ++rank)
    {
        byHost[places[rank].host].push_back(rank);
    }
    std::string text;
    uint32_t told = 0;
    for (const auto& [host, ranks] : byHost)
    {
        if (told++ == MOST_HOSTS && byHost.size() > MOST_HOSTS + 1)
        {
            return text + "; and " + std::to_string(byHost.size() - MOST_HOSTS) + " more hosts";
        }
        text += (text.empty() ? "" : "; ") + host.Name() + ":";
        for (std::size_t i = 0; i < ranks.size();)
        {
            std::size_t last = i;
            while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            {
                ++last;
            }
            text += (i ? ", " : " ") + std::to_string(ranks[i]) +
                    (last > i ? " to " + std::to_string(ranks[last]) : "");
            i = last + 1;
        }
    }
    return text;
}

} // namespace ns3
