// SPDX-License-Identifier: GPL-2.0-only
#include "hierarchical-collective.h"

#include "sequence-part.h"

#include "ns3/fabric-error.h"
#include "ns3/string.h"

#include <map>
#include <utility>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HierarchicalCollective);

namespace
{

/// @param shape of a collective @return by host: the positions of its ranks
std::vector<std::vector<uint32_t>>
PositionsByHost(const CollectiveShape& shape)
{
    std::map<uint32_t, std::vector<uint32_t>> byHost;
    for (uint32_t position = 0; position < shape.ranks; ++position)
    {
        byHost[shape.hosts ? shape.hosts->at(position) : position].push_back(position);
    }
    std::vector<std::vector<uint32_t>> hosts;
    const std::size_t first = byHost.begin()->second.size();
    for (const auto& [host, positions] : byHost)
    {
        if (positions.size() != first)
        {
            throw FabricError("a hierarchical all-reduce of a group that has " +
                                  std::to_string(first) + " ranks on one host and " +
                                  std::to_string(positions.size()) + " on another",
                              "as many on each");
        }
        hosts.push_back(positions);
    }
    return hosts;
}

} // namespace

TypeId
HierarchicalCollective::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HierarchicalCollective")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("LosslessJobs")
                            .AddConstructor<HierarchicalCollective>()
                            .AddAttribute("Inner",
                                          "Algorithm within hosts",
                                          StringValue("ring"),
                                          MakeStringAccessor(&HierarchicalCollective::m_inner),
                                          MakeStringChecker())
                            .AddAttribute("Outer",
                                          "Algorithm among hosts",
                                          StringValue("ring"),
                                          MakeStringAccessor(&HierarchicalCollective::m_outer),
                                          MakeStringChecker());
    return tid;
}

bool
HierarchicalCollective::Does(CollectiveType type) const
{
    return type == CollectiveType::ALL_REDUCE;
}

std::unique_ptr<CollectivePart>
HierarchicalCollective::Make(const CollectiveShape& shape) const
{
    // Both names are looked at, also where a tier has one rank and nothing to do.
    const auto within = Create(m_inner);
    const auto among = Create(m_outer);
    const std::vector<std::vector<uint32_t>> hosts = PositionsByHost(shape);
    CollectiveShape inner;
    CollectiveShape outer;
    std::vector<uint32_t> peers; // positions of those of my number on all hosts
    std::vector<uint32_t> local;
    for (const std::vector<uint32_t>& host : hosts)
    {
        for (uint32_t i = 0; i < host.size(); ++i)
        {
            if (host[i] == shape.position)
            {
                inner.position = i;
                outer.position = static_cast<uint32_t>(&host - hosts.data());
                local = host;
            }
        }
    }
    for (const std::vector<uint32_t>& host : hosts)
    {
        peers.push_back(host[inner.position]);
    }
    inner.bytes = shape.bytes;
    inner.ranks = static_cast<uint32_t>(local.size());
    outer.bytes = inner.Chunk(inner.position);
    outer.ranks = static_cast<uint32_t>(peers.size());
    auto sequence = std::make_unique<SequencePart>();
    if (inner.ranks > 1)
    {
        inner.type = CollectiveType::REDUCE_SCATTER;
        sequence->Add(within->Make(inner), local);
    }
    if (outer.ranks > 1)
    {
        sequence->Add(among->Make(outer), peers);
    }
    if (inner.ranks > 1)
    {
        inner.type = CollectiveType::ALL_GATHER;
        sequence->Add(within->Make(inner), local);
    }
    return sequence;
}

} // namespace ns3
