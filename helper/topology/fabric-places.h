// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_PLACES_H
#define LOSSLESS_FABRIC_PLACES_H

#include "fabric-index.h"
#include "fabric-topology.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A node of a fabric, or one of its ports.
struct FabricPlace
{
    NodeId node;                  //!< the node
    std::optional<uint32_t> port; //!< number of the port; none: the node as a whole
};

/**
 * @ingroup lossless
 *
 * Which nodes or ports of a fabric a setting is for. Text names them:
 *
 *     all, hosts, switches           rank 0
 *     leaf, spine, core              a tier: switches 1, 2, and 3 or more links from a host
 *     plane 3, leaf plane 3          the switches to which ports 3 of the hosts lead, see
 *                                    FabricTopology::GetPlanes()
 *     leaf 2, switch 5, host 4       one node, counted from 0 in the order of the topology
 *     leaf 2 port 3                  a port of it; "leaf port 3": of each leaf
 *     leaf to spine, leaf 2 to host  the ports whose peer is such a node
 *     leaf to spine class 3          there, some traffic classes: "class 3,4"
 *
 * Narrower places win over wider ones: GetRank().
 */
class FabricPlaces
{
  public:
    /// Finds nodes of a graph.
    using NodeFinder = std::function<std::vector<NodeId>(const FabricTopology& topology)>;
    /// Decides about a node.
    using NodeTest = std::function<bool(const FabricTopology& topology, NodeId node)>;
    /// Decides about a port.
    using PortTest =
        std::function<bool(const FabricTopology& topology, NodeId node, uint32_t port)>;

    /// @param text as above; FabricError if it cannot be read
    FabricPlaces(const std::string& text);
    /// @param text as above; FabricError if it cannot be read
    FabricPlaces(const char* text);
    /// @param host one host
    FabricPlaces(HostId host);
    /// @param which one switch
    FabricPlaces(SwitchId which);
    /// @param node one node
    FabricPlaces(NodeId node);

    /// @param name of the places, for messages @param test decides @return the nodes that pass
    static FabricPlaces Where(const std::string& name, NodeTest test);
    /// @param name of the places, for messages @param finder finds them @return the nodes
    static FabricPlaces Those(const std::string& name, NodeFinder finder);
    /// @param name of the places, for messages @param test decides @return the ports that pass
    static FabricPlaces WherePort(const std::string& name, PortTest test);

    /// @param plane number of a plane @return these places, but only at the switches of that plane
    FabricPlaces Plane(uint32_t plane) const;
    /// @param port number of a port @return these nodes, but only that port of each
    FabricPlaces Port(uint32_t port) const;
    /// @param classes class numbers, 0..7 @return these places, but only these traffic classes
    FabricPlaces Classes(const std::vector<uint32_t>& classes) const;

    /// @return as messages have it
    const std::string& GetName() const
    {
        return m_name;
    }

    /**
     * @return how narrow the places are. A higher rank wins: ports over nodes; then one node over a
     * tier of a plane, that over a tier, a plane or a predicate, and those over all hosts and
     * switches; then some traffic classes over all classes. Of equals the later setting wins.
     */
    uint32_t GetRank() const;

    /// @return mask of the traffic classes; none: all
    std::optional<uint8_t> GetClasses() const
    {
        return m_classes;
    }

    /// @param topology a graph @return the places in it; FabricError if there is none
    std::vector<FabricPlace> In(const FabricTopology& topology) const;
    /// @param topology a graph @return the switches among them; FabricError if there is none
    std::vector<SwitchId> SwitchesIn(const FabricTopology& topology) const;
    /// @param topology a graph @return the hosts among them; FabricError if there is none
    std::vector<HostId> HostsIn(const FabricTopology& topology) const;

    /// @param topology a graph @param word host, switch, leaf, spine or core @return the nodes that
    /// are called so, in the order of the topology
    static std::vector<NodeId> NodesCalled(const FabricTopology& topology, const std::string& word);
    /// @param topology a graph @return what each node is called, by its number: "host 4", "leaf 2"
    static std::vector<std::string> NamesOf(const FabricTopology& topology);
    /// For one message. @param topology a graph @param node one of its nodes @return its name
    static std::string NameOf(const FabricTopology& topology, NodeId node);

  private:
    /// How narrow a set of nodes is.
    enum Width : uint32_t
    {
        EVERYTHING, //!< all hosts, all switches, or both
        TIER,       //!< a tier, a plane, or a predicate
        PLANE_TIER, //!< a tier of a plane
        ONE         //!< one node
    };

    /// Looks at a graph once, and then decides about its ports.
    using PortFinder = std::function<PortTest(const FabricTopology&)>;

    /// @param name in messages @param width how narrow @param nodes finds them
    FabricPlaces(const std::string& name, Width width, NodeFinder nodes);

    /// @param words of the text @param next the first that names nodes; then the one after
    /// @return the nodes
    static FabricPlaces ReadNodes(const std::vector<std::string>& words, std::size_t& next);
    /// @param words as above, and no plane @param next as above @return the nodes
    static FabricPlaces ReadKind(const std::vector<std::string>& words, std::size_t& next);
    /// @param peers nodes @return the ports whose peer is one of them
    static PortFinder PortsTo(NodeFinder peers);
    /// @param word "leaf" @param number which of them @return it
    static FabricPlaces Numbered(const std::string& word, uint32_t number);

    std::string m_name;
    Width m_width;
    NodeFinder m_nodes;
    PortFinder m_ports;               //!< null: the nodes as a whole
    std::optional<uint8_t> m_classes; //!< none: all
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_PLACES_H
