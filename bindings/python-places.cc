// SPDX-License-Identifier: GPL-2.0-only
#include "python-places.h"

#include "ns3/fabric-switch.h"
#include "ns3/node.h"
#include "ns3/qbb-channel.h"
#include "ns3/rdma-hw.h"

#include <algorithm>
#include <charconv>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @return the places that a name can begin with, in words
const char*
Examples(PlaceKind kind)
{
    switch (kind)
    {
    case PlaceKind::HOST:
        return "a host is a number, \"host 4\", or its Node or RdmaHw";
    case PlaceKind::SWITCH:
        return "a switch is a number, \"switch 2\", \"leaf 2\", or its Node or FabricSwitch";
    case PlaceKind::NODE:
        return "a node is a number, \"host 4\", \"leaf 2\", or its Node";
    default:
        return "a link is a number, the two nodes that it joins such as (\"leaf 0\", \"spine 1\"), "
               "or its QbbChannel";
    }
}

/// ValueError for what names no place.
[[noreturn]] void
Refuse(PlaceKind kind, const py::handle& name)
{
    std::string text = py::repr(name);
    text = text.size() > 60 ? text.substr(0, 57) + "..." : text;
    throw py::value_error(text + " does not fit: " + Examples(kind));
}

/// @param text "leaf 2" @return the word and the number; an empty word: it is none
std::pair<std::string, int64_t>
Split(const std::string& text)
{
    const std::size_t space = text.find(' ');
    int64_t number = 0;
    const char* end = text.data() + text.size();
    if (space == std::string::npos || space == 0 || space > 20)
    {
        return {};
    }
    const auto [stop, error] = std::from_chars(text.data() + space + 1, end, number);
    return error != std::errc() || stop != end ? std::pair<std::string, int64_t>()
                                               : std::pair(text.substr(0, space), number);
}

/// @param object a Node, or what is aggregated to one @return the node of the topology
NodeId
FindNode(const Fabric& fabric, const Ptr<Object>& object, PlaceKind kind, const py::handle& name)
{
    const Ptr<Node> node = object->GetObject<Node>();
    for (const NodeId place : fabric.GetTopology().Nodes())
    {
        if (node && fabric.GetNode(place) == node)
        {
            return place;
        }
    }
    Refuse(kind, name);
}

/// @return the node that is named by text
NodeId
NamedNode(const FabricTopology& topology, PlaceKind kind, const py::object& name)
{
    const auto [word, number] = Split(py::str(name));
    if (word == "node" && kind == PlaceKind::NODE)
    {
        return ToIndex("node", number, topology.GetNNodes());
    }
    const auto nodes = FabricPlaces::NodesCalled(topology, word);
    if (nodes.empty())
    {
        Refuse(kind, name);
    }
    return nodes[ToIndex(word, number, nodes.size())];
}

/// @return the number that an int of Python is; one that is too large is another large one
int64_t
NumberOf(const py::object& number)
{
    const py::int_ exact = py::reinterpret_steal<py::object>(PyNumber_Index(number.ptr()));
    int overflow = 0;
    const int64_t value = PyLong_AsLongLongAndOverflow(exact.ptr(), &overflow);
    return overflow ? overflow * INT64_MAX : value;
}

/// @return which host a node is, if any
HostId
NumberAmong(const FabricTopology& topology, NodeId node, HostId)
{
    return topology.HostAt(node);
}

/// @return which switch a node is, if any
SwitchId
NumberAmong(const FabricTopology& topology, NodeId node, SwitchId)
{
    return topology.SwitchAt(node);
}

/// @return the link between two nodes, or of a cable
LinkId
NamedLink(const Fabric& fabric, const py::object& name)
{
    const FabricTopology& topology = fabric.GetTopology();
    if (py::isinstance<QbbChannel>(name))
    {
        const auto channel = name.cast<Ptr<QbbChannel>>();
        for (const LinkId link : topology.Links())
        {
            if (fabric.GetChannel(link) == channel)
            {
                return link;
            }
        }
    }
    else if (py::isinstance<py::tuple>(name) && py::len(name) == 2)
    {
        const py::tuple ends = name;
        NodeId nodes[2];
        for (std::size_t i = 0; i < 2; ++i)
        {
            if (!MayBePlace(ends[i]))
            {
                Refuse(PlaceKind::LINK, name);
            }
            nodes[i] = NodeRef(ends[i]).In(fabric);
        }
        const LinkId link = topology.FindLink(nodes[0], nodes[1]);
        if (link.IsNone())
        {
            const auto names = FabricPlaces::NamesOf(topology);
            throw py::value_error("no link joins " + names[nodes[0].Value()] + " and " +
                                  names[nodes[1].Value()]);
        }
        return link;
    }
    Refuse(PlaceKind::LINK, name);
}

} // namespace

uint32_t
ToIndex(const std::string& what, int64_t number, std::size_t count)
{
    const auto size = static_cast<int64_t>(count);
    if (number < -size || number >= size)
    {
        throw py::index_error(what + " " + std::to_string(number) + "; there are " +
                              std::to_string(count));
    }
    return static_cast<uint32_t>(number < 0 ? number + size : number);
}

std::optional<uint32_t>
WayOf(const Fabric& fabric, HostId source, HostId destination, const py::object& port)
{
    if (port.is_none())
    {
        return std::nullopt;
    }
    const auto ways = fabric.GetPortPairs(source, destination);
    const bool isPair = py::isinstance<py::tuple>(port);
    std::string known;
    for (std::size_t i = 0; i < ways.size(); ++i)
    {
        const py::tuple way = py::make_tuple(ways[i].source, ways[i].destination);
        if (port.equal(isPair ? py::object(way) : py::object(way[0])))
        {
            return static_cast<uint32_t>(i);
        }
        known += (i ? ", " : "") + std::string(py::repr(way));
    }
    throw py::value_error("port is " + std::string(py::repr(port)) +
                          "; the ways between the hosts are (port of the source, port of the "
                          "destination) " +
                          known);
}

bool
MayBePlace(py::handle value)
{
    const bool isNumber = PyIndex_Check(value.ptr()) && !PyBool_Check(value.ptr());
    return isNumber || py::isinstance<py::str>(value) || py::isinstance<py::tuple>(value) ||
           py::isinstance<Object>(value);
}

NodeId
NodeIn(const FabricTopology& topology, const NodeRef& place)
{
    const py::object& name = place.GetName();
    if (PyIndex_Check(name.ptr()))
    {
        return ToIndex("node", NumberOf(name), topology.GetNNodes());
    }
    if (!py::isinstance<py::str>(name))
    {
        Refuse(PlaceKind::NODE, name); // nodes of ns-3 are there when a fabric is built
    }
    return NamedNode(topology, PlaceKind::NODE, name);
}

template <PlaceKind KIND>
PlaceIndex<KIND>
PlaceRef<KIND>::In(const Fabric& fabric) const
{
    const FabricTopology& topology = fabric.GetTopology();
    if (PyIndex_Check(m_name.ptr()))
    {
        const int64_t number = NumberOf(m_name);
        switch (KIND)
        {
        case PlaceKind::HOST:
            return ToIndex("host", number, topology.GetHosts().size());
        case PlaceKind::SWITCH:
            return ToIndex("switch", number, topology.GetSwitches().size());
        case PlaceKind::NODE:
            return ToIndex("node", number, topology.GetNNodes());
        default:
            return ToIndex("link", number, topology.GetLinks().size());
        }
    }
    if constexpr (KIND == PlaceKind::LINK)
    {
        return NamedLink(fabric, m_name);
    }
    else
    {
        if (py::isinstance<py::tuple>(m_name))
        {
            Refuse(KIND, m_name);
        }
        const NodeId node = py::isinstance<py::str>(m_name)
                                ? NamedNode(topology, KIND, m_name)
                                : FindNode(fabric, m_name.cast<Ptr<Object>>(), KIND, m_name);
        if constexpr (KIND == PlaceKind::NODE)
        {
            return node;
        }
        else
        {
            const auto place = NumberAmong(topology, node, PlaceIndex<KIND>());
            if (place.IsNone())
            {
                Refuse(KIND, m_name);
            }
            return place;
        }
    }
}

template class PlaceRef<PlaceKind::HOST>;
template class PlaceRef<PlaceKind::SWITCH>;
template class PlaceRef<PlaceKind::NODE>;
template class PlaceRef<PlaceKind::LINK>;

} // namespace lossless_python
