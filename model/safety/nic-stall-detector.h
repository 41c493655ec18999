// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NIC_STALL_DETECTOR_H
#define LOSSLESS_NIC_STALL_DETECTOR_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * When a NIC is taken for dead: its receive pipeline has made no progress for a time, all of which
 * it told its peer to pause (Guo et al., SIGCOMM 2016, section 4.3). Knows no simulator; times are
 * ticks.
 */
class NicStallDetector
{
  public:
    /// @param limit how long, above 0
    explicit NicStallDetector(int64_t limit = 1)
        : m_limit(limit)
    {
    }

    /**
     * Look at the NIC.
     * @param now the time
     * @param progress a number that grows with what the pipeline has done
     * @param pausing whether the NIC tells its peer to pause
     * @return whether it is dead; never at the first look
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

    /// Forget what was seen.
    void Reset()
    {
        m_pausing = false;
    }

  private:
    int64_t m_limit;
    int64_t m_since{0};     //!< last sample with progress, or without pause
    uint64_t m_progress{0}; //!< at that time
    bool m_pausing{false};  //!< at the last sample
};

} // namespace ns3

#endif // LOSSLESS_NIC_STALL_DETECTOR_H
