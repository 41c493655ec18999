// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_KEY_H
#define LOSSLESS_SONIC_KEY_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A key of a table of SONiC that names ports, and perhaps queues or priority groups of them:
/// "Ethernet0,Ethernet4|3-4".
struct SonicKey
{
    /// Queues or priority groups that follow each other.
    struct Range
    {
        uint32_t first{0}; //!< the first
        uint32_t last{0};  //!< the last; not below the first
    };

    static constexpr uint32_t MOST = 63; //!< number of a queue at most; the port CPU has 48

    std::vector<std::string> ports; //!< one or more, in the order of the key
    std::optional<Range> range;     //!< none: the ports alone

    /// @param text of a key @param of NounOf() what a range after the ports is of; empty: no range
    /// follows them @return it; FabricError if the text cannot be read
    static SonicKey Read(const std::string& text, const std::string& of);

    /// @param table with keys of ranges @return of what they are: "queue" or "priority group"
    static std::string NounOf(const std::string& table);

    /// @param port one @param range queues or groups of it @return the key: "Ethernet0|3-4"
    static std::string Write(const std::string& port, const Range& range);

    /// @param text "3" or "3-4" @param of NounOf() what it is of @return the range; FabricError if
    /// the text cannot be read
    static Range ReadRange(const std::string& text, const std::string& of);
};

/// @ingroup lossless
/// Order of names as people read them: Ethernet4 comes before Ethernet12.
struct SonicOrder
{
    /// @param one a name @param other another @return whether the first comes first
    bool operator()(const std::string& one, const std::string& other) const;
};

} // namespace ns3

#endif // LOSSLESS_SONIC_KEY_H
