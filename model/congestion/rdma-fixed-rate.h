// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_FIXED_RATE_H
#define LOSSLESS_RDMA_FIXED_RATE_H

#include "rdma-congestion-ops.h"

#include "ns3/data-rate.h"

namespace ns3
{

/**
 * @ingroup lossless
 * No congestion control: a constant rate, by default the line rate. No reaction to ACKs, marks or
 * losses, and no CNPs.
 */
class RdmaFixedRate : public RdmaCongestionOps
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::string GetName() const override;
    uint32_t GetHooks() const override;
    bool SendsCnps() const override;
    void Init(RdmaFlowState& state, int64_t nowPs) override;

  private:
    DataRate m_rate; //!< attribute Rate
};

} // namespace ns3

#endif // LOSSLESS_RDMA_FIXED_RATE_H
