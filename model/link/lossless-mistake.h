// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOSSLESS_MISTAKE_H
#define LOSSLESS_LOSSLESS_MISTAKE_H

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// What could make a lossless class of a node drop frames in the worst case.
struct LosslessMistake
{
    /// headroom, receive, pool, egress, pfc, map, format or refresh (doc/buffers.rst).
    std::string rule;
    std::optional<uint32_t> port;         //!< none: all of the node
    std::optional<uint32_t> trafficClass; //!< none: all of the port
    std::string what;                     //!< what is wrong
    std::string right;                    //!< what would be right, with the value

    /// @param node its name @return "node port 3 class 3: what is wrong; what would be right"
    std::string ToLine(const std::string& node) const
    {
        return node + (port ? " port " + std::to_string(*port) : "") +
               (trafficClass ? " class " + std::to_string(*trafficClass) : "") + ": " + what +
               (right.empty() ? "" : "; " + right);
    }
};

} // namespace ns3

#endif // LOSSLESS_LOSSLESS_MISTAKE_H
