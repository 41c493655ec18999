// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NIC_STALL_DETECTOR_H
#define LOSSLESS_NIC_STALL_DETECTOR_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Decides when a NIC counts as dead: its receive pipeline has made no progress for a time during
 * which the NIC paused its peer (Guo et al., SIGCOMM 2016, section 4.3). The class does not use the
 * simulator; times are ticks.
 */
class NicStallDetector
{
  public:
    /// @param limit time without progress, ticks, above 0
    explicit NicStallDetector(int64_t limit = 1)
        : m_limit(limit)
    {
    }

    /**
     * Take a sample.
     * @param now the time
     * @param progress a number that grows when the pipeline makes progress
     * @param pausing whether the NIC tells its peer to pause
     * @return whether the NIC is dead; never at the first sample
     */
    bool Sample(int64_t now, uint64_t progress, bool pausing)
    {
        if (!pausing || !m_pausing || progress != m_progress)
        {
            m_pausing = pausing;
            m_progress = progress;
            m_since = now;
            return false;
        }
        return now - m_since >= m_limit;
    }

    /// Forget all samples.
    void Reset()
    {
        m_pausing = false;
    }

  private:
    int64_t m_limit;
    int64_t m_since{0};     //!< time of the last sample with progress or without pause
    uint64_t m_progress{0}; //!< progress at that time
    bool m_pausing{false};  //!< whether the NIC paused its peer at the last sample
};

} // namespace ns3

#endif // LOSSLESS_NIC_STALL_DETECTOR_H
