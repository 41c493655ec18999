// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-paths.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{

uint64_t
HpccPaths::Path::Window() const
{
    return static_cast<uint64_t>(static_cast<double>(rttNs) * static_cast<double>(slowest) / 8e9);
}

HpccPaths::HpccPaths(const FabricTopology& topology, const FabricRoutes& routes, uint64_t payload)
    : m_topology(topology),
      m_routes(routes),
      m_payload(payload)
{
}

std::optional<HpccPaths::Path>
HpccPaths::Find(NodeId from, NodeId to) const
{
    for (const LinkId out : m_topology.GetLinksOf(from))
    {
        for (const LinkId in : m_topology.GetLinksOf(to))
        {
            const auto links = m_routes.GetPath(from, out, to, in);
            Path path;
            for (const LinkId link : links)
            {
                const FabricLinkSpec& spec = m_topology.GetLink(link).spec;
                const uint64_t rate = spec.rate.GetBitRate();
                path.rttNs += 2 * static_cast<uint64_t>(spec.delay.GetNanoSeconds()) +
                              m_payload * 8 * 1000000000ULL / rate;
                path.slowest = std::min(path.slowest, rate);
            }
            if (!links.empty())
            {
                return path;
            }
        }
    }
    return std::nullopt;
}

uint64_t
HpccPaths::Largest(const std::function<uint64_t(const Path&)>& of) const
{
    uint64_t largest = 0;
    std::map<std::tuple<NodeId, uint64_t, int64_t>, uint32_t> seen;
    std::vector<NodeId> some;
    for (const NodeId node : m_topology.GetHosts())
    {
        if (m_topology.GetLinksOf(node).empty())
        {
            continue;
        }
        const auto& link = m_topology.GetLink(m_topology.GetLinksOf(node)[0]);
        const std::tuple kind{link.Peer(node),
                              link.spec.rate.GetBitRate(),
                              link.spec.delay.GetTimeStep()};
        if (++seen[kind] <= 2)
        {
            some.push_back(node);
        }
    }
    for (const NodeId source : some)
    {
        for (const NodeId destination : some)
        {
            const auto path = source == destination ? std::nullopt : Find(source, destination);
            largest = path ? std::max(largest, of(*path)) : largest;
        }
    }
    return largest;
}

} // namespace ns3
