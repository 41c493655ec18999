// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_INDEX_H
#define LOSSLESS_FABRIC_INDEX_H

#include "ns3/fabric-error.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The number of a host, a switch, a node or a link of a fabric, from 0. A plain number becomes an
 * index where one is asked for; an index becomes no index of another kind, and a plain number only
 * by Value(). A negative number, or one above 2^32 - 2, is a FabricError.
 *
 * @tparam Kind has NAME, the singular of what is counted
 */
template <typename Kind>
class FabricIndex
{
  public:
    /// No host, switch, node or link.
    constexpr FabricIndex() = default;

    /// @param number from 0
    template <
        typename Integer,
        typename = std::enable_if_t<std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>>>
    constexpr FabricIndex(Integer number)
        : m_value(static_cast<uint32_t>(number))
    {
        if (number < Integer{0} || static_cast<uint64_t>(number) >= NONE)
        {
            throw FabricError("there is no " + std::string(Kind::NAME) + " " +
                                  std::to_string(number),
                              "numbers count from 0, to 2^32 - 2");
        }
    }

    /// @return the number, for arrays and files; 2^32 - 1: none
    constexpr uint32_t Value() const
    {
        return m_value;
    }

    /// @return whether it stands for no host, switch, node or link
    constexpr bool IsNone() const
    {
        return m_value == NONE;
    }

    /// @return as messages have it: "host 3"
    std::string Name() const
    {
        return std::string(Kind::NAME) + " " + std::to_string(m_value);
    }

    /// @return the next one
    constexpr FabricIndex& operator++()
    {
        ++m_value;
        return *this;
    }

    /// @param a an index @param b another @return whether both are the same number
    friend constexpr bool operator==(FabricIndex a, FabricIndex b)
    {
        return a.m_value == b.m_value;
    }

    /// @param a an index @param b another @return whether they differ
    friend constexpr bool operator!=(FabricIndex a, FabricIndex b)
    {
        return a.m_value != b.m_value;
    }

    /// @param a an index @param b another @return whether a comes first; none comes last
    friend constexpr bool operator<(FabricIndex a, FabricIndex b)
    {
        return a.m_value < b.m_value;
    }

    /// @param stream where @param index its number, or "none" @return the stream
    friend std::ostream& operator<<(std::ostream& stream, FabricIndex index)
    {
        return index.IsNone() ? stream << "none" : stream << index.m_value;
    }

  private:
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    uint32_t m_value{NONE};
};

/// @ingroup lossless
/// What FabricIndex counts.
namespace fabric_kind
{

/// @ingroup lossless
/// A host among the hosts.
struct Host
{
    static constexpr const char* NAME = "host"; //!< in messages
};

/// @ingroup lossless
/// A switch among the switches.
struct Switch
{
    static constexpr const char* NAME = "switch"; //!< in messages
};

/// @ingroup lossless
/// A host or a switch among all nodes of a topology; ns-3's Node::GetId() may be another number.
struct Node
{
    static constexpr const char* NAME = "node"; //!< in messages
};

/// @ingroup lossless
/// A link among the links of a topology.
struct Link
{
    static constexpr const char* NAME = "link"; //!< in messages
};

} // namespace fabric_kind

using HostId = FabricIndex<fabric_kind::Host>;     //!< a host among the hosts
using SwitchId = FabricIndex<fabric_kind::Switch>; //!< a switch among the switches
using NodeId = FabricIndex<fabric_kind::Node>;     //!< a node of the topology
using LinkId = FabricIndex<fabric_kind::Link>;     //!< a link of the topology
using NodePort = std::pair<NodeId, uint32_t>;      //!< a node, and one of its ports

/**
 * @ingroup lossless
 *
 * All indices of one kind in order, for loops: `for (const HostId host : fabric.Hosts())`.
 * @tparam Id HostId, SwitchId, NodeId or LinkId
 */
template <typename Id>
class FabricIndexRange
{
  public:
    /// Where a loop stands.
    struct Iterator
    {
        Id id; //!< here

        /// @return here
        Id operator*() const
        {
            return id;
        }

        /// @return one on
        Iterator& operator++()
        {
            ++id;
            return *this;
        }

        /// @param other where another loop stands @return whether it is elsewhere
        bool operator!=(const Iterator& other) const
        {
            return id != other.id;
        }
    };

    /// @param count how many there are
    explicit constexpr FabricIndexRange(std::size_t count)
        : m_end(count)
    {
    }

    /// @return the first
    Iterator begin() const
    {
        return {0};
    }

    /// @return past the last
    Iterator end() const
    {
        return {m_end};
    }

  private:
    Id m_end;
};

} // namespace ns3

/// Index types as keys of unordered containers.
template <typename Kind>
struct std::hash<ns3::FabricIndex<Kind>>
{
    /// @param index of any kind @return its hash
    std::size_t operator()(ns3::FabricIndex<Kind> index) const noexcept
    {
        return std::hash<uint32_t>()(index.Value());
    }
};

#endif // LOSSLESS_FABRIC_INDEX_H
