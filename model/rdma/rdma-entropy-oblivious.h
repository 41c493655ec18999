// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_ENTROPY_OBLIVIOUS_H
#define LOSSLESS_RDMA_ENTROPY_OBLIVIOUS_H

#include "entropy-rotation.h"
#include "rdma-entropy-policy.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// All EVs in turn, whatever becomes of their packets, in an order that is new each round
/// (oblivious spraying of uet-htsim).
class RdmaEntropyOblivious final : public RdmaEntropyPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t Next(int64_t now) override;

  private:
    EntropyRotation m_rotation; //!< whose turn it is
};

} // namespace ns3

#endif // LOSSLESS_RDMA_ENTROPY_OBLIVIOUS_H
