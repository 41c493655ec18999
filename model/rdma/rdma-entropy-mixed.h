// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_ENTROPY_MIXED_H
#define LOSSLESS_RDMA_ENTROPY_MIXED_H

#include "rdma-entropy-bitmap.h"
#include "rdma-ring.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// EVs whose packets have come back without a mark, in their order, and while there is none those
/// of RdmaEntropyBitmap (the default of uet-htsim).
class RdmaEntropyMixed final : public RdmaEntropyBitmap
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t Next(int64_t now) override;
    void OnFeedback(uint32_t ev, Feedback feedback, int64_t now) override;

  private:
    RdmaRing<uint16_t> m_good; //!< EVs that have come back and were not used since
};

} // namespace ns3

#endif // LOSSLESS_RDMA_ENTROPY_MIXED_H
