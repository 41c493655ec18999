// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SCATTER_ALL_GATHER_COLLECTIVE_H
#define LOSSLESS_SCATTER_ALL_GATHER_COLLECTIVE_H

#include "collective.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Broadcast of much data: a binomial scatter, and an all-gather around a ring
 * (van de Geijn; Thakur et al. 2005).
 */
class ScatterAllGatherCollective : public CollectiveAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool Does(CollectiveType type) const override;
    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override;
};

} // namespace ns3

#endif // LOSSLESS_SCATTER_ALL_GATHER_COLLECTIVE_H
