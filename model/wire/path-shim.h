// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_SHIM_H
#define LOSSLESS_PATH_SHIM_H

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// What leaves tell each other of the paths between them, in a header that a frame has from the one
/// to the other (CONGA). Not initialised.
struct PathShim
{
    static constexpr uint16_t NONE = 0xffff; //!< no path

    uint16_t path;         //!< of the frame: port by which it left its leaf
    uint16_t feedbackPath; //!< of frames the other way: port by which they left theirs; or NONE
    uint8_t congestion;    //!< highest level of a link of `path` so far
    uint8_t feedback;      //!< highest level of a link of `feedbackPath`
};

} // namespace ns3

#endif // LOSSLESS_PATH_SHIM_H
