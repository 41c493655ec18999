// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAIRWISE_COLLECTIVE_H
#define LOSSLESS_PAIRWISE_COLLECTIVE_H

#include "collective.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * All-to-all, step by step: in step j a rank sends to the j-th behind it and receives from the j-th
 * before it; the next step begins when that message is there.
 */
class PairwiseCollective : public CollectiveAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool Does(CollectiveType type) const override;
    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override;
};

} // namespace ns3

#endif // LOSSLESS_PAIRWISE_COLLECTIVE_H
