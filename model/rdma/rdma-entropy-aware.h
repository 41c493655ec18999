// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_ENTROPY_AWARE_H
#define LOSSLESS_RDMA_ENTROPY_AWARE_H

#include "entropy-rotation.h"
#include "rdma-entropy-policy.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * All EVs in turn, in an order that is new each round; one whose packet was marked, or trimmed on
 * the path, misses a turn, unless too many are marked: then it is used (path-aware spraying of
 * Ultra Ethernet 1.0.3, section 3.6.16.4, as public simulators describe it).
 */
class RdmaEntropyAware final : public RdmaEntropyPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t Next(int64_t now) override;
    void OnFeedback(uint32_t ev, Feedback feedback, int64_t now) override;

  private:
    double m_saturation{0};     //!< attribute Saturation
    EntropyRotation m_rotation; //!< whose turn it is
    std::vector<bool> m_marked; //!< by EV; empty: none is
    uint32_t m_count{0};        //!< how many are marked
};

} // namespace ns3

#endif // LOSSLESS_RDMA_ENTROPY_AWARE_H
