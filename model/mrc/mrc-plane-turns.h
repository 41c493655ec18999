// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_PLANE_TURNS_H
#define LOSSLESS_MRC_PLANE_TURNS_H

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Keeps the planes of a queue pair equal: a plane may be ahead of the one that has sent least by
 * less than `lead` packets (sheet 16, section 3.5). Planes that are down do not count; one that
 * comes up begins with the least of the others.
 */
class MrcPlaneTurns
{
  public:
    /// @param planes how many, all up @param lead how many packets a plane may be ahead, 1 or more
    MrcPlaneTurns(uint32_t planes, uint32_t lead)
        : m_sent(planes, 0),
          m_up(planes, true),
          m_lead(lead)
    {
    }

    /// @param plane a plane @return whether it may send a packet now
    bool MaySend(uint32_t plane) const
    {
        return m_up[plane] && m_sent[plane] - m_least < m_lead;
    }

    /// A plane sends a packet. @param plane which @return whether planes may send now that might
    /// not before
    bool Sent(uint32_t plane)
    {
        const bool wasLeast = m_sent[plane]++ == m_least;
        return wasLeast && Recount();
    }

    /// @param plane a plane @return whether it is up
    bool IsUp(uint32_t plane) const
    {
        return m_up[plane];
    }

    /// @param plane a plane @return packets that it has sent; while it was down counted as the
    /// least of the others
    uint64_t GetSent(uint32_t plane) const
    {
        return m_sent[plane];
    }

    /// A plane goes up or down. @param plane which @param up whether it is up
    void SetUp(uint32_t plane, bool up)
    {
        m_up[plane] = false;
        Recount();
        if (up)
        {
            m_sent[plane] = std::max(m_sent[plane], m_least);
            m_up[plane] = true;
        }
        Recount();
    }

  private:
    /// Find the least again. @return whether it has changed
    bool Recount()
    {
        uint64_t least = std::numeric_limits<uint64_t>::max();
        for (uint32_t plane = 0; plane < m_sent.size(); ++plane)
        {
            least = m_up[plane] ? std::min(least, m_sent[plane]) : least;
        }
        if (least == std::numeric_limits<uint64_t>::max() || least == m_least)
        {
            return false;
        }
        m_least = least;
        return true;
    }

    std::vector<uint64_t> m_sent; //!< packets, by plane
    std::vector<bool> m_up;       //!< by plane
    uint32_t m_lead;
    uint64_t m_least{0}; //!< of the planes that are up
};

} // namespace ns3

#endif // LOSSLESS_MRC_PLANE_TURNS_H
