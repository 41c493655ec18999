// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_ENTROPY_NONE_H
#define LOSSLESS_RDMA_ENTROPY_NONE_H

#include "rdma-entropy-policy.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// No entropy values, the default: all packets of a queue pair have the UDP port of its connection.
/// Nobody asks an object of this type, and queue pairs keep none.
class RdmaEntropyNone final : public RdmaEntropyPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t Next(int64_t now) override;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_ENTROPY_NONE_H
