// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BINOMIAL_COLLECTIVE_H
#define LOSSLESS_BINOMIAL_COLLECTIVE_H

#include "collective.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Broadcast, scatter, gather and reduce along a binomial tree. Counted from the root, in step j of
 * a broadcast the first 2^j ranks send to those 2^j behind them; a scatter sends each only what it
 * and those that it will send to are to have. A reduce is a broadcast reversed, a gather a scatter.
 * A rank sends one message at a time.
 */
class BinomialCollective : public CollectiveAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool Does(CollectiveType type) const override;
    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override;
};

} // namespace ns3

#endif // LOSSLESS_BINOMIAL_COLLECTIVE_H
