// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_NEED_H
#define LOSSLESS_PATH_NEED_H

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// What takes one path where a switch or a sender has several.
enum class PathUnit : uint8_t
{
    FLOW,          //!< all frames of a flow: they stay in order
    REROUTED_FLOW, //!< likewise, and they stay in order, but the path changes
    FLOWLET,       //!< frames of a flow that follow each other closely: reordering is rare
    PACKET         //!< each frame for itself: frames of a flow overtake each other
};

/// @ingroup lossless
/// What a policy of a queue pair needs of the paths of its packets. A later one needs more.
enum class PathNeed : uint8_t
{
    ANY,           //!< any path for each packet
    ALIKE,         //!< any path, but it takes differences of paths for a loss or for congestion
    IN_ORDER,      //!< any path, but reordering must be rare
    STEADY,        //!< any path, but it takes a change of path for congestion
    ONE_AT_A_TIME, //!< one path for many round trips
    ONE            //!< one path for the life of the queue pair
};

} // namespace ns3

#endif // LOSSLESS_PATH_NEED_H
