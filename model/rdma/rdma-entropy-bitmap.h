// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_ENTROPY_BITMAP_H
#define LOSSLESS_RDMA_ENTROPY_BITMAP_H

#include "entropy-rotation.h"
#include "rdma-entropy-policy.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * All EVs in turn, but those with a penalty are skipped (bitmap spraying of uet-htsim). A mark adds
 * 1 to the penalty of its EV, a trimmed packet 4, a timeout 15. Each packet takes 1 off the first
 * EV that it skips.
 */
class RdmaEntropyBitmap : public RdmaEntropyPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t Next(int64_t now) override;
    void OnFeedback(uint32_t ev, Feedback feedback, int64_t now) override;

    /// @param ev an EV @return its penalty
    uint8_t GetPenalty(uint32_t ev) const
    {
        return ev < m_penalties.size() ? m_penalties[ev] : 0;
    }

  private:
    uint8_t m_maxPenalty{0};          //!< attribute MaxPenalty
    EntropyRotation m_rotation;       //!< whose turn it is
    std::vector<uint8_t> m_penalties; //!< by EV; empty: all are 0
};

} // namespace ns3

#endif // LOSSLESS_RDMA_ENTROPY_BITMAP_H
