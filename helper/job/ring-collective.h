// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RING_COLLECTIVE_H
#define LOSSLESS_RING_COLLECTIVE_H

#include "collective.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * All-reduce, reduce-scatter and all-gather around a ring: each rank sends to the next one a chunk
 * of 1 / ranks of the data, then what it has received in the step before, reduced in a
 * reduce-scatter. Of p ranks and S bytes, each rank sends (p - 1) / p S; an all-reduce is a
 * reduce-scatter and an all-gather, without a barrier between.
 *
 * With Slices each chunk goes in several messages, and a slice waits for that of the step before
 * alone. With ChunkBytes the data goes round in rounds of p chunks of at most that length, as in
 * NCCL (its Simple protocol has 2 MiB, and slices of 1 MiB).
 */
class RingCollective : public CollectiveAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool Does(CollectiveType type) const override;
    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override;

  private:
    uint32_t m_slices{1};
    uint64_t m_chunkBytes{0}; //!< 0: one round
};

} // namespace ns3

#endif // LOSSLESS_RING_COLLECTIVE_H
