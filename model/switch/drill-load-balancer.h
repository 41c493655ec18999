// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DRILL_LOAD_BALANCER_H
#define LOSSLESS_DRILL_LOAD_BALANCER_H

#include "data-load-balancer.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * DRILL (Ghorbani et al., SIGCOMM 2017): each data packet takes the port with the fewest queued
 * bytes among a few that are drawn and the best of the last time. Without memory this is the power
 * of two choices. Among equals, one that was drawn goes before one that is remembered.
 */
class DrillLoadBalancer : public DataLoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    PathUnit GetUnit() const override
    {
        return PathUnit::PACKET;
    }

  protected:
    uint16_t Choose(const Frame& frame,
                    const NextHopGroup& group,
                    const SwitchPorts& view) override;

  private:
    /// What the switch keeps of a group: numbers of its members.
    struct Memory
    {
        std::vector<uint16_t> order; //!< all, in any order: to draw from
        std::vector<uint16_t> best;  //!< the best of the last time
    };

    /// A member that may be taken.
    struct Candidate
    {
        uint64_t cost; //!< queued bytes; those of a paused port are more than those of any other
        uint16_t member;
    };

    /// A member joins the candidates, behind those that are as good. @param candidate the member
    void Join(const Candidate& candidate);

    uint32_t m_samples; //!< attribute Samples
    uint32_t m_memory;  //!< attribute Memory
    bool m_skipPaused;  //!< attribute SkipPaused
    PerGroup<Memory> m_memories;
    std::vector<Candidate> m_candidates; //!< Choose(): from the best on; kept for its memory
};

} // namespace ns3

#endif // LOSSLESS_DRILL_LOAD_BALANCER_H
