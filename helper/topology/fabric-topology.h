// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_TOPOLOGY_H
#define LOSSLESS_FABRIC_TOPOLOGY_H

#include "fabric-index.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What a cable is like, in both directions.
struct FabricLinkSpec
{
    DataRate rate{100000000000ULL}; //!< line rate
    Time delay{NanoSeconds(1000)};  //!< propagation delay, one way
    double errorRate{0};            //!< probability that a frame is destroyed, 0..1
};

/**
 * @ingroup lossless
 *
 * A graph of hosts, switches and links, and nothing more: no ns-3 objects. Nodes and links are
 * numbered from 0 in the order in which they were added, hosts also among themselves. Parallel
 * links, hosts with several links and hosts joined directly are all legal.
 *
 * FabricHelper builds a Fabric from it. Every argument is checked (FabricError).
 */
class FabricTopology
{
  public:
    /// Most nodes: 10.0.0.0/8 has no more addresses.
    static constexpr uint32_t MAX_NODES = (1U << 24) - 2;

    /// A cable between two nodes.
    struct Link
    {
        NodeId a;            //!< one end
        NodeId b;            //!< the other end
        FabricLinkSpec spec; //!< the cable

        /// @param node one end @return the other end
        NodeId Peer(NodeId node) const
        {
            return node == a ? b : a;
        }
    };

    // ---- generators

    /// One switch. @param hosts hosts around it, at least 1 @param link their links
    /// @return the topology: hosts 0.., then the switch
    static FabricTopology Star(uint32_t hosts, const FabricLinkSpec& link);

    /**
     * Two switches with hosts on both sides.
     * @param left hosts of the first switch, at least 1
     * @param right hosts of the second switch, at least 1
     * @param edge links of the hosts
     * @param bottleneck link between the switches
     * @return the topology: hosts left then right, then the two switches
     */
    static FabricTopology Dumbbell(uint32_t left,
                                   uint32_t right,
                                   const FabricLinkSpec& edge,
                                   const FabricLinkSpec& bottleneck);

    /**
     * Two tiers, every leaf joined to every spine.
     * @param leaves leaf switches, at least 1
     * @param spines spine switches, at least 1
     * @param hostsPerLeaf hosts at each leaf, at least 1
     * @param edge links of the hosts
     * @param uplink links from leaf to spine
     * @return the topology: hosts leaf by leaf, then leaves, then spines
     */
    static FabricTopology LeafSpine(uint32_t leaves,
                                    uint32_t spines,
                                    uint32_t hostsPerLeaf,
                                    const FabricLinkSpec& edge,
                                    const FabricLinkSpec& uplink);

    /**
     * Planes of two tiers that share no switch: port i of each host leads to plane i.
     * @param planes planes, at least 1
     * @param leaves leaf switches of a plane, at least 1
     * @param spines spine switches of a plane, at least 1
     * @param hostsPerLeaf hosts at each leaf, at least 1
     * @param edge links of the hosts, one to each plane
     * @param uplink links from leaf to spine
     * @return the topology: hosts leaf by leaf, then plane by plane its leaves and its spines
     */
    static FabricTopology MultiPlane(uint32_t planes,
                                     uint32_t leaves,
                                     uint32_t spines,
                                     uint32_t hostsPerLeaf,
                                     const FabricLinkSpec& edge,
                                     const FabricLinkSpec& uplink);

    /**
     * The rate of the uplinks of a leaf-spine fabric with a given oversubscription.
     * @param edge rate of a host's link
     * @param hostsPerLeaf hosts at each leaf
     * @param spines spine switches
     * @param oversubscription rate towards the hosts over rate towards the spines; 1: non-blocking
     * @return rate of one uplink
     */
    static DataRate UplinkRate(DataRate edge,
                               uint32_t hostsPerLeaf,
                               uint32_t spines,
                               double oversubscription);

    /**
     * Three tiers of switches with k ports: k^3/4 hosts, k^2/2 edge, k^2/2 aggregation and k^2/4
     * core switches.
     * @param k even, at least 2
     * @param link all links
     * @return the topology: hosts edge by edge, then edge, aggregation and core switches
     */
    static FabricTopology FatTree(uint32_t k, const FabricLinkSpec& link);

    // ---- assembly

    /// @return a new host
    NodeId AddHost();

    /// @return a new switch
    NodeId AddSwitch();

    /**
     * Join two nodes.
     * @param a one node
     * @param b another node
     * @param spec the cable
     * @return the link
     */
    LinkId AddLink(NodeId a, NodeId b, const FabricLinkSpec& spec);

    /// A link is another one from now on. @param link the link @param rate its line rate
    /// @param delay its propagation delay
    void SetLink(LinkId link, DataRate rate, Time delay);

    // ---- look-up

    /// @return number of nodes
    uint32_t GetNNodes() const
    {
        return static_cast<uint32_t>(m_linksOf.size());
    }

    /// @return all nodes, for loops
    FabricIndexRange<NodeId> Nodes() const
    {
        return FabricIndexRange<NodeId>(m_linksOf.size());
    }

    /// @return all links, for loops
    FabricIndexRange<LinkId> Links() const
    {
        return FabricIndexRange<LinkId>(m_links.size());
    }

    /// @return the nodes of the hosts, in the order of the hosts
    const std::vector<NodeId>& GetHosts() const
    {
        return m_hosts;
    }

    /// @return the nodes of the switches, in the order of the switches
    const std::vector<NodeId>& GetSwitches() const
    {
        return m_switches;
    }

    /// @return by node: links to the nearest host; 0 for hosts and what reaches none
    std::vector<uint32_t> GetTiers() const;

    /// @return by node: number of the hosts' ports that lead to this switch, without another host
    /// between; none for hosts and what no host reaches. FabricError if ports of two numbers do
    std::vector<std::optional<uint32_t>> GetPlanes() const;

    /// @param node a node @return whether it is a switch
    bool IsSwitch(NodeId node) const
    {
        return m_isSwitch[node.Value()];
    }

    /// @param host a host @return its node
    NodeId NodeOf(HostId host) const
    {
        return m_hosts[host.Value()];
    }

    /// @param which a switch @return its node
    NodeId NodeOf(SwitchId which) const
    {
        return m_switches[which.Value()];
    }

    /// @param node a node @return which host it is; none for a switch
    HostId HostAt(NodeId node) const
    {
        return IsSwitch(node) ? HostId() : m_index[node.Value()];
    }

    /// @param node a node @return which switch it is; none for a host
    SwitchId SwitchAt(NodeId node) const
    {
        return IsSwitch(node) ? m_index[node.Value()] : SwitchId();
    }

    /// @return the links
    const std::vector<Link>& GetLinks() const
    {
        return m_links;
    }

    /// @param link a link @return what it joins, and how
    const Link& GetLink(LinkId link) const
    {
        return m_links[link.Value()];
    }

    /// @param node a node @return its links in the order in which they were added; the position of
    /// a link here is the number of the node's port
    const std::vector<LinkId>& GetLinksOf(NodeId node) const
    {
        return m_linksOf[node.Value()];
    }

    /// @param node a node @param link one of its links @return number of its port on that link
    uint32_t GetPort(NodeId node, LinkId link) const
    {
        return (node == GetLink(link).a ? m_portA : m_portB)[link.Value()];
    }

    /// @param a a node @param b a node @return the first link between them, or none
    LinkId FindLink(NodeId a, NodeId b) const;

  private:
    NodeId AddNode(bool isSwitch);

    std::vector<NodeId> m_hosts;
    std::vector<NodeId> m_switches;
    std::vector<bool> m_isSwitch;  //!< by node
    std::vector<uint32_t> m_index; //!< by node: its number among the hosts, or among the switches
    std::vector<Link> m_links;
    std::vector<uint32_t> m_portA;              //!< by link
    std::vector<uint32_t> m_portB;              //!< by link
    std::vector<std::vector<LinkId>> m_linksOf; //!< by node
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_TOPOLOGY_H
