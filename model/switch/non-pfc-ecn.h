// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NON_PFC_ECN_H
#define LOSSLESS_NON_PFC_ECN_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * NP-ECN, the marking of PCN (Cheng et al., "Re-architecting Congestion Management in Lossless
 * Ethernet", NSDI 2020), for one egress queue. Frames that stood in the queue when a pause ended
 * say nothing about congestion of this port, so they leave without a mark; any other frame that
 * leaves a backlog behind is marked. A congested port thus marks all frames; a port that was only
 * paused marks some.
 */
class NonPfcEcn
{
  public:
    /// A pause ended, by XON or by expiry. Not called for an XOFF that prolongs a pause.
    /// @param queuedFrames frames in the queue
    void Resumed(uint32_t queuedFrames)
    {
        m_paused = queuedFrames;
    }

    /// The queue may have been flushed: limit the count of paused frames. @param queuedFrames
    /// frames in the queue
    void Limit(uint32_t queuedFrames)
    {
        m_paused = std::min(m_paused, queuedFrames);
    }

    /**
     * A frame leaves.
     * @param behindBytes frame bytes that remain in the queue
     * @param thresholdBytes remaining bytes up to which no frame is marked
     * @return whether to mark the frame
     */
    bool Departed(uint64_t behindBytes, uint64_t thresholdBytes)
    {
        if (m_paused > 0)
        {
            --m_paused;
            return false;
        }
        return behindBytes > thresholdBytes;
    }

    /// @return queued frames that a pause had held up
    uint32_t GetPaused() const
    {
        return m_paused;
    }

  private:
    uint32_t m_paused{0}; //!< queued frames that a pause had held up
};

} // namespace ns3

#endif // LOSSLESS_NON_PFC_ECN_H
