// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-routes.h"

#include "fabric-addresses.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>

namespace ns3
{

FabricRoutes::FabricRoutes(const FabricTopology& topology, std::vector<bool> linkDown)
    : m_topology(topology),
      m_linkDown(std::move(linkDown)),
      m_neighbours(topology.GetSwitches().size())
{
    const auto& switches = topology.GetSwitches();
    for (uint32_t i = 0; i < switches.size(); ++i)
    {
        for (const LinkId link : topology.GetLinksOf(switches[i]))
        {
            const NodeId peer = topology.GetLink(link).Peer(switches[i]);
            if (topology.IsSwitch(peer) && IsUp(link))
            {
                m_neighbours[i].push_back({topology.SwitchAt(peer).Value(), link});
            }
        }
        std::stable_sort(m_neighbours[i].begin(),
                         m_neighbours[i].end(),
                         [](const Neighbour& a, const Neighbour& b) { return a.index < b.index; });
    }
    FindSites();
    m_distance.assign(switches.size() * switches.size(), FAR);
    for (uint32_t i = 0; i < switches.size(); ++i)
    {
        Search(i);
    }
}

void
FabricRoutes::FindSites()
{
    const FabricAddresses addresses(m_topology);
    std::vector<HostSites::Site> sites(addresses.Count(), 0);
    std::vector<HostSites::Site> siteOf(m_neighbours.size(), 0);
    for (const NodeId node : m_topology.GetHosts())
    {
        const auto& links = m_topology.GetLinksOf(node);
        for (uint32_t port = 0; port < links.size(); ++port)
        {
            const NodeId behind = m_topology.GetLink(links[port]).Peer(node);
            if (!m_topology.IsSwitch(behind) || !IsUp(links[port]))
            {
                continue;
            }
            HostSites::Site& site = siteOf[m_topology.SwitchAt(behind).Value()];
            if (site == 0)
            {
                if (m_switchOfSite.size() == std::numeric_limits<HostSites::Site>::max())
                {
                    throw FabricError("more than " + std::to_string(m_switchOfSite.size()) +
                                          " switches have hosts",
                                      "put more hosts behind a switch");
                }
                m_switchOfSite.push_back(behind);
                site = static_cast<HostSites::Site>(m_switchOfSite.size());
            }
            sites[addresses.NumberOf(m_topology.HostAt(node), port)] = site;
        }
    }
    m_hostSites = std::make_shared<HostSites>(FabricAddresses::FIRST,
                                              FabricAddresses::PREFIX,
                                              std::move(sites));
}

void
FabricRoutes::Search(uint32_t to)
{
    uint16_t* distance = &m_distance[static_cast<std::size_t>(to) * m_neighbours.size()];
    std::vector<uint32_t> queue{to};
    distance[to] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
    {
        for (const Neighbour& neighbour : m_neighbours[queue[i]])
        {
            if (distance[neighbour.index] == FAR)
            {
                distance[neighbour.index] = static_cast<uint16_t>(distance[queue[i]] + 1);
                queue.push_back(neighbour.index);
            }
        }
    }
}

std::vector<LinkId>
FabricRoutes::GetNextHops(NodeId from, NodeId to) const
{
    const uint32_t start = m_topology.SwitchAt(from).Value();
    const uint32_t end = m_topology.SwitchAt(to).Value();
    const uint16_t distance = Distance(start, end);
    std::vector<LinkId> links;
    if (distance == FAR || distance == 0)
    {
        return links;
    }
    for (const Neighbour& neighbour : m_neighbours[start])
    {
        if (Distance(neighbour.index, end) == distance - 1)
        {
            links.push_back(neighbour.link);
        }
    }
    return links;
}

std::vector<LinkId>
FabricRoutes::GetPath(NodeId from, LinkId fromLink, NodeId to, LinkId toLink) const
{
    if (!IsUp(fromLink) || !IsUp(toLink))
    {
        return {};
    }
    if (fromLink == toLink)
    {
        return {fromLink}; // two hosts, one cable
    }
    const NodeId first = m_topology.GetLink(fromLink).Peer(from);
    const NodeId last = m_topology.GetLink(toLink).Peer(to);
    if (!m_topology.IsSwitch(first) || !m_topology.IsSwitch(last))
    {
        return {};
    }
    const uint32_t start = m_topology.SwitchAt(first).Value();
    const uint32_t end = m_topology.SwitchAt(last).Value();
    if (Distance(start, end) == FAR)
    {
        return {};
    }
    const uint64_t key = KeyOf(start, end);
    auto known = m_paths.find(key);
    if (known == m_paths.end())
    {
        known =
            m_paths.emplace(key, AreLinksAlike() ? FirstPath(start, end) : FastestPath(start, end))
                .first;
    }
    std::vector<LinkId> path{fromLink};
    const std::vector<LinkId>& middle = known->second;
    path.insert(path.end(), middle.begin(), middle.end());
    path.push_back(toLink);
    return path;
}

const std::vector<uint64_t>&
FabricRoutes::GetWidths(NodeId from, NodeId to) const
{
    const uint32_t start = m_topology.SwitchAt(from).Value();
    const uint32_t end = m_topology.SwitchAt(to).Value();
    const auto [known, isNew] = m_widths.try_emplace(KeyOf(start, end));
    std::set<uint32_t> level{start};
    const uint16_t distance = isNew ? Distance(start, end) : 0;
    for (uint16_t left = distance == FAR ? 0 : distance; left > 0; --left)
    {
        uint64_t width = 0;
        std::set<uint32_t> next;
        for (const uint32_t node : level)
        {
            for (const Neighbour& neighbour : m_neighbours[node])
            {
                if (Distance(neighbour.index, end) == left - 1)
                {
                    width += m_topology.GetLink(neighbour.link).spec.rate.GetBitRate();
                    next.insert(neighbour.index);
                }
            }
        }
        known->second.push_back(width);
        level.swap(next);
    }
    return known->second;
}

bool
FabricRoutes::AreLinksAlike() const
{
    if (!m_linksAreAlike)
    {
        std::optional<FabricLinkSpec> first;
        m_linksAreAlike = true;
        for (const auto& neighbours : m_neighbours)
        {
            for (const Neighbour& neighbour : neighbours)
            {
                const FabricLinkSpec& spec = m_topology.GetLink(neighbour.link).spec;
                first = first ? first : spec;
                const bool isLike = spec.rate == first->rate && spec.delay == first->delay;
                m_linksAreAlike = *m_linksAreAlike && isLike;
            }
        }
    }
    return *m_linksAreAlike;
}

std::vector<LinkId>
FabricRoutes::FirstPath(uint32_t from, uint32_t to) const
{
    std::vector<LinkId> links;
    for (uint16_t left = Distance(from, to); left > 0; --left)
    {
        const auto next = std::find_if(
            m_neighbours[from].begin(),
            m_neighbours[from].end(),
            [&](const Neighbour& neighbour) { return Distance(neighbour.index, to) == left - 1; });
        links.push_back(next->link);
        from = next->index;
    }
    return links;
}

std::vector<LinkId>
FabricRoutes::FastestPath(uint32_t from, uint32_t to) const
{
    // Forward through the shortest-path graph, level by level; a node keeps its best way so far.
    struct Best
    {
        uint32_t node;
        double seconds;
        std::size_t before; //!< node before it, in the level before
        LinkId link;        //!< from there
    };

    constexpr double frameBits = 8 * 1100; // of a full frame, about
    constexpr uint32_t none = UINT32_MAX;
    std::vector<uint32_t> places(m_neighbours.size(), none); // of a node in its level, by node
    std::vector<std::vector<Best>> levels{{{from, 0, 0, LinkId()}}};
    for (uint16_t left = Distance(from, to); left > 0; --left)
    {
        const std::vector<Best>& level = levels.back();
        std::vector<Best> next;
        for (std::size_t i = 0; i < level.size(); ++i)
        {
            for (const Neighbour& neighbour : m_neighbours[level[i].node])
            {
                if (Distance(neighbour.index, to) != left - 1)
                {
                    continue;
                }
                const FabricLinkSpec& spec = m_topology.GetLink(neighbour.link).spec;
                const double seconds = level[i].seconds + spec.delay.GetSeconds() +
                                       frameBits / static_cast<double>(spec.rate.GetBitRate());
                const Best way{neighbour.index, seconds, i, neighbour.link};
                uint32_t& place = places[way.node];
                if (place == none)
                {
                    place = next.size();
                    next.push_back(way);
                }
                else if (seconds < next[place].seconds * (1 - 1e-12))
                {
                    next[place] = way;
                }
            }
        }
        levels.push_back(std::move(next));
    }
    std::vector<LinkId> links(levels.size() - 1);
    std::size_t place = 0;
    for (std::size_t i = links.size(); i > 0; --i)
    {
        links[i - 1] = levels[i][place].link;
        place = levels[i][place].before;
    }
    return links;
}

} // namespace ns3
