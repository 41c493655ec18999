// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_ROUTES_H
#define LOSSLESS_FABRIC_ROUTES_H

#include "fabric-topology.h"

#include "ns3/host-sites.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Shortest paths of a topology, counted in links, through switches only: one breadth-first search
 * for each switch, as all hosts of a switch share its paths. Next hops are in the order of the
 * neighbour's number, then of the link's, so that they never depend on where objects lie in memory.
 *
 * A host with several links has an address for each; a destination is therefore a host *and* one
 * of its links.
 */
class FabricRoutes
{
  public:
    /**
     * @param topology the graph; must outlive this
     * @param linkDown by link: leave it out; empty: all are up
     */
    explicit FabricRoutes(const FabricTopology& topology, std::vector<bool> linkDown = {});

    /**
     * @param from a switch
     * @param to another switch
     * @return the links to take at `from`, in order; empty if there is no way, or from == to
     */
    std::vector<LinkId> GetNextHops(NodeId from, NodeId to) const;

    /**
     * A way from one host to another: of all shortest ones that on which a frame of full length
     * takes least time, and of those the first by next-hop order.
     * @param from a host
     * @param fromLink the link by which it sends
     * @param to another host
     * @param toLink the link by which that one receives
     * @return the links in order; empty if there is no way
     */
    std::vector<LinkId> GetPath(NodeId from, LinkId fromLink, NodeId to, LinkId toLink) const;

    /**
     * @param from a switch
     * @param to another switch
     * @return by distance from `from`: line rate of all links that shortest paths use, bit/s
     */
    const std::vector<uint64_t>& GetWidths(NodeId from, NodeId to) const;

    /// Rates or delays of links have changed: GetPath() and GetWidths() look anew.
    void ForgetPaths() const
    {
        m_paths.clear();
        m_widths.clear();
        m_linksAreAlike.reset();
    }

    /// @return the switch that each address of a host lies behind, as a number: see GetSwitchOf().
    /// An address whose link is left out has none. FabricAddresses has the addresses
    const std::shared_ptr<const HostSites>& GetHostSites() const
    {
        return m_hostSites;
    }

    /// @param site of GetHostSites(), not 0 @return its switch
    NodeId GetSwitchOf(HostSites::Site site) const
    {
        return m_switchOfSite[site - 1];
    }

    /// @param link a link @return whether it is in use
    bool IsUp(LinkId link) const
    {
        return m_linkDown.empty() || !m_linkDown[link.Value()];
    }

  private:
    /// Links from a switch to switches, by the order of next hops.
    struct Neighbour
    {
        uint32_t index; //!< number of the other switch
        LinkId link;    //!< the link
    };

    static constexpr uint16_t FAR = 0xffff; //!< no way

    /// @param from a switch @param to a switch, both by number @return links between them, or FAR
    uint16_t Distance(uint32_t from, uint32_t to) const
    {
        return m_distance[static_cast<std::size_t>(to) * m_neighbours.size() + from];
    }

    /// Find out where the hosts are.
    void FindSites();

    /// @param from a switch @param to a switch, both by number @return a number of the two
    static uint64_t KeyOf(uint32_t from, uint32_t to)
    {
        return uint64_t{from} << 32 | to;
    }

    /// Fill in the distances to one switch. @param to its number among the switches
    void Search(uint32_t to);

    /// @return whether all links between switches have one rate and one delay
    bool AreLinksAlike() const;
    /// @param from a switch @param to a switch, both by number @return links of the fastest path
    std::vector<LinkId> FastestPath(uint32_t from, uint32_t to) const;
    /// @param from,to as those of FastestPath() @return the first path by next-hop order
    std::vector<LinkId> FirstPath(uint32_t from, uint32_t to) const;

    const FabricTopology& m_topology;
    std::vector<bool> m_linkDown;
    std::vector<std::vector<Neighbour>> m_neighbours; //!< by switch number
    std::vector<uint16_t> m_distance;                 //!< by destination, then source
    std::shared_ptr<const HostSites> m_hostSites;
    std::vector<NodeId> m_switchOfSite;                                   //!< by site - 1
    mutable std::unordered_map<uint64_t, std::vector<LinkId>> m_paths;    //!< paths found so far
    mutable std::unordered_map<uint64_t, std::vector<uint64_t>> m_widths; //!< likewise, widths
    mutable std::optional<bool> m_linksAreAlike; //!< AreLinksAlike(), once it has been asked
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_ROUTES_H
