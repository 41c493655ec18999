// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANK_PLACE_H
#define LOSSLESS_RANK_PLACE_H

#include "ns3/fabric-index.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// Where a rank of a job runs.
struct RankPlace
{
    HostId host{0};  //!< its host
    uint32_t gpu{0}; //!< which of the GPUs of the host
};

} // namespace ns3

#endif // LOSSLESS_RANK_PLACE_H
