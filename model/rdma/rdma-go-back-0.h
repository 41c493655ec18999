// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_GO_BACK_0_H
#define LOSSLESS_RDMA_GO_BACK_0_H

#include "rdma-loss-recovery.h"

namespace ns3
{

/**
 * @ingroup lossless
 * Go-back-0, as early NICs did (Guo et al., SIGCOMM 2016): the message starts
 * again from its first packet, at both ends. With ChunkBytes, it starts again from the last
 * multiple of that, as the public HPCC simulator does (4000 bytes there).
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
