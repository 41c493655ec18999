// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HALVING_DOUBLING_COLLECTIVE_H
#define LOSSLESS_HALVING_DOUBLING_COLLECTIVE_H

#include "collective.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Reduce-scatter by halving, all-gather by doubling, and an all-reduce by both (Rabenseifner): of
 * 2^k ranks, in step j a rank exchanges S / 2^(j+1) bytes with the one whose number differs in one
 * bit; (p - 1) / p S bytes in k messages each way. An all-reduce of another number of ranks is
 * folded to a power of two first (PowerOfTwoFold), the two others are an error then.
 */
class HalvingDoublingCollective : public CollectiveAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool Does(CollectiveType type) const override;
    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override;

  private:
    bool m_nearestFirst{true};
};

} // namespace ns3

#endif // LOSSLESS_HALVING_DOUBLING_COLLECTIVE_H
