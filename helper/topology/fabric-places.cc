// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-places.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-frame.h"
#include "ns3/fabric-text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

constexpr const char* TIERS[] = {"host", "leaf", "spine", "core"}; //!< by links to a host

/// @param tiers of FabricTopology::GetTiers() @return what a node of the topology is called
const char*
WordOf(const FabricTopology& topology, const std::vector<uint32_t>& tiers, NodeId node)
{
    return TIERS[topology.IsSwitch(node) ? std::clamp<uint32_t>(tiers[node.Value()], 1, 3) : 0];
}

/// @return what a fabric has, for messages: "4 of leaf, 2 of spine and 16 of host"
std::string
Inventory(const FabricTopology& topology)
{
    std::string text;
    for (const char* word : {"leaf", "spine", "core", "host"})
    {
        const std::size_t count = FabricPlaces::NodesCalled(topology, word).size();
        if (count)
        {
            text += (text.empty() ? "" : ", ") + std::to_string(count) + " of " + word;
        }
    }
    return text;
}

/// FabricError for a text that names no places.
[[noreturn]] void
Refuse(const std::string& text)
{
    throw FabricError(
        "\"" + text + "\" names no places",
        "expected all, hosts, switches, leaf, spine, core, leaf 2, switch 5, host 4, "
        "plane 1, leaf plane 1, then if wanted port 3 or to spine, then if wanted class 3");
}

/// @param text "3,4" @return the mask of these classes
std::vector<uint32_t>
ReadClasses(const std::string& text)
{
    std::vector<uint32_t> classes;
    std::istringstream stream(text);
    for (std::string each; std::getline(stream, each, ',');)
    {
        classes.push_back(
            static_cast<uint32_t>(FabricText::ToUint(each, "class", TRAFFIC_CLASSES - 1)));
    }
    return classes;
}

} // namespace

FabricPlaces::FabricPlaces(const std::string& name, Width width, NodeFinder nodes)
    : m_name(name),
      m_width(width),
      m_nodes(std::move(nodes))
{
}

FabricPlaces::FabricPlaces(const std::string& text)
    : FabricPlaces(text, EVERYTHING, nullptr)
{
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;)
    {
        words.push_back(word);
    }
    std::size_t next = 0;
    try
    {
        *this = ReadNodes(words, next);
        if (next + 1 < words.size() && words[next] == "port")
        {
            *this = Port(static_cast<uint32_t>(
                FabricText::ToUint(words[next + 1], "port", std::numeric_limits<uint16_t>::max())));
            next += 2;
        }
        else if (next + 1 < words.size() && words[next] == "to")
        {
            m_ports = PortsTo(ReadNodes(words, ++next).m_nodes);
        }
        if (next + 1 < words.size() && words[next] == "class")
        {
            *this = Classes(ReadClasses(words[next + 1]));
            next += 2;
        }
    }
    catch (const FabricError& error)
    {
        throw FabricError("\"" + text + "\": " + error.what());
    }
    if (next != words.size())
    {
        Refuse(text);
    }
    m_name = text;
}

FabricPlaces::FabricPlaces(const char* text)
    : FabricPlaces(std::string(text))
{
}

FabricPlaces::FabricPlaces(HostId host)
    : FabricPlaces(Numbered("host", host.Value()))
{
}

FabricPlaces::FabricPlaces(SwitchId which)
    : FabricPlaces(Numbered("switch", which.Value()))
{
}

FabricPlaces::FabricPlaces(NodeId node)
    : FabricPlaces(Numbered("node", node.Value()))
{
}

FabricPlaces
FabricPlaces::Where(const std::string& name, NodeTest test)
{
    return FabricPlaces(name, TIER, [test = std::move(test)](const FabricTopology& topology) {
        std::vector<NodeId> nodes;
        for (const NodeId node : topology.Nodes())
        {
            if (test(topology, node))
            {
                nodes.push_back(node);
            }
        }
        return nodes;
    });
}

FabricPlaces
FabricPlaces::Those(const std::string& name, NodeFinder finder)
{
    return FabricPlaces(name, TIER, std::move(finder));
}

FabricPlaces
FabricPlaces::WherePort(const std::string& name, PortTest test)
{
    FabricPlaces places = Where(name, [](const FabricTopology&, NodeId) { return true; });
    places.m_ports = [test = std::move(test)](const FabricTopology&) { return test; };
    return places;
}

FabricPlaces
FabricPlaces::Numbered(const std::string& word, uint32_t number)
{
    const std::string name = word + " " + std::to_string(number);
    return FabricPlaces(name, ONE, [word, number, name](const FabricTopology& topology) {
        if (word == "node" && number < topology.GetNNodes())
        {
            return std::vector<NodeId>{number};
        }
        const auto nodes = NodesCalled(topology, word);
        if (number >= nodes.size())
        {
            throw FabricError("there is no " + name,
                              "the fabric has " + Inventory(topology) + ", counted from 0");
        }
        return std::vector<NodeId>{nodes[number]};
    });
}

FabricPlaces
FabricPlaces::ReadNodes(const std::vector<std::string>& words, std::size_t& next)
{
    const bool isWhole = next < words.size() && words[next] == "plane";
    FabricPlaces nodes = isWhole ? FabricPlaces("switches") : ReadKind(words, next);
    if (next + 1 < words.size() && words[next] == "plane")
    {
        nodes = nodes.Plane(
            static_cast<uint32_t>(FabricText::ToUint(words[next + 1], "plane", UINT32_MAX)));
        next += 2;
    }
    return nodes;
}

FabricPlaces
FabricPlaces::ReadKind(const std::vector<std::string>& words, std::size_t& next)
{
    const std::string word = next < words.size() ? words[next++] : "";
    if (word == "all")
    {
        return FabricPlaces(word, EVERYTHING, [](const FabricTopology& topology) {
            std::vector<NodeId> nodes;
            for (const NodeId node : topology.Nodes())
            {
                nodes.push_back(node);
            }
            return nodes;
        });
    }
    const bool isGroup =
        word == "host" || word == "switch" || word == "hosts" || word == "switches";
    const bool isTier = word == "leaf" || word == "spine" || word == "core";
    if (!isGroup && !isTier && word != "node")
    {
        throw FabricError(word.empty() ? "a name of nodes is missing"
                                       : "\"" + word + "\" names no nodes",
                          FabricText::DidYouMean(word,
                                                 {"all",
                                                  "hosts",
                                                  "switches",
                                                  "host",
                                                  "switch",
                                                  "leaf",
                                                  "spine",
                                                  "core",
                                                  "plane",
                                                  "node"}));
    }
    const bool isPlural = word == "hosts" || word == "switches";
    if (!isPlural && next < words.size() && words[next] != "plane" && words[next] != "port" &&
        words[next] != "to" && words[next] != "class")
    {
        return Numbered(word,
                        static_cast<uint32_t>(FabricText::ToUint(words[next++], word, UINT32_MAX)));
    }
    if (word == "node")
    {
        throw FabricError("node without its number", "such as node 7; all is every node");
    }
    const std::string singular = word == "hosts" ? "host" : word == "switches" ? "switch" : word;
    return FabricPlaces(
        word,
        isTier ? TIER : EVERYTHING,
        [singular](const FabricTopology& topology) { return NodesCalled(topology, singular); });
}

FabricPlaces::PortFinder
FabricPlaces::PortsTo(NodeFinder peers)
{
    return [peers = std::move(peers)](const FabricTopology& topology) {
        std::vector<bool> isPeer(topology.GetNNodes(), false);
        for (const NodeId node : peers(topology))
        {
            isPeer[node.Value()] = true;
        }
        return [isPeer](const FabricTopology& graph, NodeId node, uint32_t port) {
            return isPeer[graph.GetLink(graph.GetLinksOf(node)[port]).Peer(node).Value()];
        };
    };
}

FabricPlaces
FabricPlaces::Plane(uint32_t plane) const
{
    FabricPlaces places = *this;
    places.m_name += " plane " + std::to_string(plane);
    places.m_width = static_cast<Width>(std::min<uint32_t>(m_width + 1, ONE));
    places.m_nodes = [plane, among = m_nodes](const FabricTopology& topology) {
        const auto planes = topology.GetPlanes();
        std::vector<NodeId> nodes;
        for (const NodeId node : among(topology))
        {
            if (planes[node.Value()] == plane)
            {
                nodes.push_back(node);
            }
        }
        return nodes;
    };
    return places;
}

FabricPlaces
FabricPlaces::Port(uint32_t port) const
{
    FabricPlaces places = *this;
    places.m_name += " port " + std::to_string(port);
    places.m_ports = [port, among = m_ports](const FabricTopology& topology) {
        const PortTest also = among ? among(topology) : nullptr;
        return [port, also](const FabricTopology& graph, NodeId node, uint32_t each) {
            return each == port && (!also || also(graph, node, each));
        };
    };
    return places;
}

FabricPlaces
FabricPlaces::Classes(const std::vector<uint32_t>& classes) const
{
    FabricPlaces places = *this;
    uint8_t mask = 0;
    std::string list;
    for (const uint32_t cls : classes)
    {
        if (cls >= TRAFFIC_CLASSES)
        {
            throw FabricError("class " + std::to_string(cls), "classes are 0 to 7");
        }
        mask |= static_cast<uint8_t>(1U << cls);
        list += (list.empty() ? "" : ",") + std::to_string(cls);
    }
    if (mask == 0)
    {
        throw FabricError("no class is named", "such as class 3 or class 3,4");
    }
    places.m_classes = mask;
    places.m_name += " class " + list;
    return places;
}

uint32_t
FabricPlaces::GetRank() const
{
    return (m_ports ? 100 : 0) + 10 * m_width + (m_classes ? 1 : 0);
}

std::vector<FabricPlace>
FabricPlaces::In(const FabricTopology& topology) const
{
    std::vector<FabricPlace> places;
    const PortTest test = m_ports ? m_ports(topology) : nullptr;
    for (const NodeId node : m_nodes(topology))
    {
        if (!test)
        {
            places.push_back({node, std::nullopt});
            continue;
        }
        const auto ports = static_cast<uint32_t>(topology.GetLinksOf(node).size());
        for (uint32_t port = 0; port < ports; ++port)
        {
            if (test(topology, node, port))
            {
                places.push_back({node, port});
            }
        }
    }
    if (places.empty())
    {
        throw FabricError("\"" + m_name + "\" is nowhere in this fabric",
                          "it has " + Inventory(topology));
    }
    return places;
}

std::vector<SwitchId>
FabricPlaces::SwitchesIn(const FabricTopology& topology) const
{
    std::vector<SwitchId> switches;
    for (const FabricPlace& place : In(topology))
    {
        const SwitchId which = topology.SwitchAt(place.node);
        if (!which.IsNone() && (switches.empty() || switches.back() != which))
        {
            switches.push_back(which);
        }
    }
    if (switches.empty())
    {
        throw FabricError("\"" + m_name + "\" has no switch", "it has " + Inventory(topology));
    }
    return switches;
}

std::vector<HostId>
FabricPlaces::HostsIn(const FabricTopology& topology) const
{
    std::vector<HostId> hosts;
    for (const FabricPlace& place : In(topology))
    {
        const HostId host = topology.HostAt(place.node);
        if (!host.IsNone() && (hosts.empty() || hosts.back() != host))
        {
            hosts.push_back(host);
        }
    }
    if (hosts.empty())
    {
        throw FabricError("\"" + m_name + "\" has no host", "it has " + Inventory(topology));
    }
    return hosts;
}

std::vector<NodeId>
FabricPlaces::NodesCalled(const FabricTopology& topology, const std::string& word)
{
    if (word == "host")
    {
        return topology.GetHosts();
    }
    if (word == "switch")
    {
        return topology.GetSwitches();
    }
    std::vector<NodeId> nodes;
    const auto tiers = topology.GetTiers();
    for (const NodeId node : topology.GetSwitches())
    {
        if (WordOf(topology, tiers, node) == word)
        {
            nodes.push_back(node);
        }
    }
    return nodes;
}

std::vector<std::string>
FabricPlaces::NamesOf(const FabricTopology& topology)
{
    std::vector<std::string> names(topology.GetNNodes());
    const auto tiers = topology.GetTiers();
    std::map<std::string, uint32_t> counts;
    for (const NodeId node : topology.Nodes())
    {
        const std::string word = WordOf(topology, tiers, node);
        names[node.Value()] = word + " " + std::to_string(counts[word]++);
    }
    return names;
}

std::string
FabricPlaces::NameOf(const FabricTopology& topology, NodeId node)
{
    return NamesOf(topology)[node.Value()];
}

} // namespace ns3
