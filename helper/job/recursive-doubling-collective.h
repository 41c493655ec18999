// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RECURSIVE_DOUBLING_COLLECTIVE_H
#define LOSSLESS_RECURSIVE_DOUBLING_COLLECTIVE_H

#include "collective.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * All-reduce in which in step j each rank exchanges all S bytes with the one whose number differs
 * in bit j: few messages, for short ones. Other numbers of ranks than powers of two are folded
 * (PowerOfTwoFold).
 */
class RecursiveDoublingCollective : public CollectiveAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool Does(CollectiveType type) const override;
    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override;
};

} // namespace ns3

#endif // LOSSLESS_RECURSIVE_DOUBLING_COLLECTIVE_H
