// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NEXT_HOP_GROUP_H
#define LOSSLESS_NEXT_HOP_GROUP_H

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// The ports that lead to a destination, in the order that the caller gives.
struct NextHopGroup
{
    static constexpr uint16_t NONE = 0xffff; //!< no port

    uint16_t sole{NONE};         //!< the member that is up, if exactly one is; else NONE
    uint16_t number{0};          //!< by which the table has the group, for state of its own
    std::vector<uint16_t> ports; //!< members whose link is up, in order
    std::vector<uint16_t> all;   //!< all members, in order
};

} // namespace ns3

#endif // LOSSLESS_NEXT_HOP_GROUP_H
