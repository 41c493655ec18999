// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_GO_BACK_0_H
#define LOSSLESS_RDMA_GO_BACK_0_H

#include "rdma-loss-recovery.h"

namespace ns3
{

/**
 * @ingroup lossless
 * Go-back-0 of early NICs (Guo et al., "RDMA over Commodity Ethernet at Scale", SIGCOMM 2016,
 * section 4.1): after a loss both ends restart the message from its first packet. With ChunkBytes
 * they restart from the last multiple of ChunkBytes, as in the public HPCC simulator (4000 bytes).
 */
class RdmaGoBack0 final : public RdmaLossRecovery
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint64_t RestartPoint(uint64_t psn, uint64_t messageStart, uint32_t mtuBytes) const override;

  private:
    uint64_t m_chunkBytes; //!< attribute ChunkBytes
};

} // namespace ns3

#endif // LOSSLESS_RDMA_GO_BACK_0_H
