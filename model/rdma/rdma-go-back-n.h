// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_GO_BACK_N_H
#define LOSSLESS_RDMA_GO_BACK_N_H

#include "rdma-loss-recovery.h"

namespace ns3
{

/// @ingroup lossless
/// Go-back-N of NICs (Guo et al., "RDMA over Commodity Ethernet at Scale", SIGCOMM 2016, section
/// 4.1): after a loss all packets from the first missing one on are sent again.
class RdmaGoBackN final : public RdmaLossRecovery
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint64_t RestartPoint(uint64_t psn, uint64_t messageStart, uint32_t mtuBytes) const override;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_GO_BACK_N_H
