// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_FIXED_WINDOW_H
#define LOSSLESS_RDMA_FIXED_WINDOW_H

#include "rdma-congestion-ops.h"

namespace ns3
{

/**
 * @ingroup lossless
 * A constant window at line rate: no reaction to marks or losses, and no CNPs. The window only
 * limits the bytes of a flow in the buffers of the fabric.
 */
class RdmaFixedWindow : public RdmaCongestionOps
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::string GetName() const override;
    uint32_t GetHooks() const override;
    bool SendsCnps() const override;
    bool SetsWindow() const override;
    void Init(RdmaFlowState& state, int64_t nowPs) override;

  private:
    uint64_t m_window; //!< attribute Window
};

} // namespace ns3

#endif // LOSSLESS_RDMA_FIXED_WINDOW_H
