// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_ENTROPY_REPS_H
#define LOSSLESS_RDMA_ENTROPY_REPS_H

#include "rdma-entropy-policy.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * REPS, recycled entropies (Bonato et al., arXiv 2407.21625; its form with a buffer in uet-htsim):
 * an EV whose packet has come back without a mark is good for another packet, and is kept in a ring
 * of few bytes. Without a good one a random EV is tried. A timeout means that a path may have
 * failed: only EVs that have come back are used for a time, over and over.
 */
class RdmaEntropyReps final : public RdmaEntropyPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t Next(int64_t now) override;
    void OnFeedback(uint32_t ev, Feedback feedback, int64_t now) override;

    /// @return whether EVs that have come back are used over and over, after a timeout
    bool IsFrozen() const
    {
        return m_isFrozen;
    }

  private:
    /// An EV that has come back.
    struct Entry
    {
        uint16_t ev{0};      //!< its value
        bool isFresh{false}; //!< not used since
    };

    /// @return the entry whose turn it is while frozen, used now
    uint32_t NextFrozen();
    /// An EV has come back. @param ev it
    void Keep(uint32_t ev);
    /// The time after a timeout is over: begin anew.
    void Thaw();

    uint32_t m_bufferSize{0};     //!< attribute BufferSize
    uint32_t m_explorePackets{0}; //!< attribute ExplorePackets
    Time m_freezeTime;            //!< attribute FreezeTime

    std::vector<Entry> m_buffer; //!< ring of EVs that have come back, at most BufferSize
    uint32_t m_head{0};          //!< where the next one goes
    uint32_t m_fresh{0};         //!< how many are fresh: the last ones before m_head
    uint32_t m_turn{0};          //!< whose turn it is while frozen
    uint32_t m_explore{0};       //!< packets that still try random EVs
    bool m_isFrozen{false};      //!< IsFrozen()
    int64_t m_frozenUntil{0};    //!< tick until which it is frozen at least
};

} // namespace ns3

#endif // LOSSLESS_RDMA_ENTROPY_REPS_H
