// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BRUCK_COLLECTIVE_H
#define LOSSLESS_BRUCK_COLLECTIVE_H

#include "collective.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * All-to-all in ceil(log2 p) steps (Bruck et al. 1997): in step j all blocks whose distance to go
 * has bit j travel 2^j positions; few messages, for short ones.
 */
class BruckCollective : public CollectiveAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool Does(CollectiveType type) const override;
    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override;
};

} // namespace ns3

#endif // LOSSLESS_BRUCK_COLLECTIVE_H
