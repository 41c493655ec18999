// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_PLACES_H
#define LOSSLESS_PYTHON_PLACES_H

#include "python-support.h"

#include "ns3/fabric.h"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace lossless_python
{

/// What a script may name of a fabric.
enum class PlaceKind
{
    HOST,   //!< a number among the hosts, "host 4", its Node or its RdmaHw
    SWITCH, //!< a number among the switches, "switch 2", "leaf 2", its Node or its FabricSwitch
    NODE,   //!< a number among the nodes, a name of a host or of a switch, or one of their objects
    LINK    //!< a number, the two nodes that it joins, or its QbbChannel
};

/// The index of a kind of place.
template <PlaceKind KIND>
using PlaceIndex =
    std::tuple_element_t<static_cast<std::size_t>(KIND),
                         std::tuple<ns3::HostId, ns3::SwitchId, ns3::NodeId, ns3::LinkId>>;

/// A place as a script names it, until it is known of which fabric. Negative numbers count from the
/// end. @tparam KIND what it must be
template <PlaceKind KIND>
class PlaceRef
{
  public:
    PlaceRef() = default;

    /// @param name what the script says
    explicit PlaceRef(py::object name)
        : m_name(std::move(name))
    {
    }

    /// @param fabric a fabric @return the place in it; IndexError, ValueError or
    /// TypeError says what there is
    PlaceIndex<KIND> In(const ns3::Fabric& fabric) const;

    /// @return what the script says
    const py::object& GetName() const
    {
        return m_name;
    }

  private:
    py::object m_name; //!< what the script says
};

using HostRef = PlaceRef<PlaceKind::HOST>;     //!< a host
using SwitchRef = PlaceRef<PlaceKind::SWITCH>; //!< a switch
using NodeRef = PlaceRef<PlaceKind::NODE>;     //!< a node
using LinkRef = PlaceRef<PlaceKind::LINK>;     //!< a link

/// @param places as a script names them @param fabric of which @return them
template <PlaceKind KIND>
std::vector<PlaceIndex<KIND>>
AllIn(const std::vector<PlaceRef<KIND>>& places, const ns3::Fabric& fabric)
{
    std::vector<PlaceIndex<KIND>> found;
    found.reserve(places.size());
    for (const auto& place : places)
    {
        found.push_back(place.In(fabric));
    }
    return found;
}

/// @param method of what belongs to a fabric, whose first argument is a number @return the same for
/// Python, which may name the place @tparam KIND what the number is
template <PlaceKind KIND, typename T, typename Result, typename... Args>
auto
At(Result (T::*method)(PlaceIndex<KIND>, Args...))
{
    return [method](T& self, const PlaceRef<KIND>& place, Args... args) {
        return (self.*method)(place.In(self.GetFabric()), args...);
    };
}

/// @param method as above @return as above
template <PlaceKind KIND, typename T, typename Result, typename... Args>
auto
At(Result (T::*method)(PlaceIndex<KIND>, Args...) const)
{
    return [method](const T& self, const PlaceRef<KIND>& place, Args... args) {
        return (self.*method)(place.In(self.GetFabric()), args...);
    };
}

/// @param topology a graph of which no fabric is built yet @param place a number or a name of a
/// node
/// @return the node; errors as of PlaceRef::In()
ns3::NodeId NodeIn(const ns3::FabricTopology& topology, const NodeRef& place);

/// @param what that is counted @param number of it, negative from the end @param count how many
/// there are @return the number from the begin; IndexError says how many there are
uint32_t ToIndex(const std::string& what, int64_t number, std::size_t count);

/// @param port None, a port of the source, or the ports of both hosts @return which of the ways
/// between the hosts it is, none for None; ValueError names the ways if it is none of them
std::optional<uint32_t> WayOf(const ns3::Fabric& fabric,
                              ns3::HostId source,
                              ns3::HostId destination,
                              const py::object& port);

/// @param value any value of Python @return whether it may name a place
LOSSLESS_FOR_MODULES bool MayBePlace(py::handle value);

} // namespace lossless_python

namespace pybind11::detail
{

/// A place is kept as it is named.
template <lossless_python::PlaceKind KIND>
struct type_caster<lossless_python::PlaceRef<KIND>>
{
  private:
    static constexpr auto Name()
    {
        using lossless_python::PlaceKind;
        if constexpr (KIND == PlaceKind::HOST)
        {
            return const_name("HostLike");
        }
        else if constexpr (KIND == PlaceKind::SWITCH)
        {
            return const_name("SwitchLike");
        }
        else if constexpr (KIND == PlaceKind::NODE)
        {
            return const_name("NodeLike");
        }
        else
        {
            return const_name("LinkLike");
        }
    }

  public:
    PYBIND11_TYPE_CASTER(lossless_python::PlaceRef<KIND>, Name());

    /// @param source a Python object @return whether it may name a place
    bool load(handle source, bool /* convert */)
    {
        if (!lossless_python::MayBePlace(source))
        {
            return false;
        }
        value = lossless_python::PlaceRef<KIND>(reinterpret_borrow<object>(source));
        return true;
    }
};

} // namespace pybind11::detail

#endif // LOSSLESS_PYTHON_PLACES_H
