// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_GO_BACK_N_H
#define LOSSLESS_RDMA_GO_BACK_N_H

#include "rdma-loss-recovery.h"

namespace ns3
{

/// @ingroup lossless
/// Go-back-N, as NICs do (Guo et al., SIGCOMM 2016): all from the first missing
/// packet on is sent again.
class RdmaGoBackN final : public RdmaLossRecovery
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint64_t RestartPoint(uint64_t psn, uint64_t messageStart, uint32_t mtuBytes) const override;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_GO_BACK_N_H
