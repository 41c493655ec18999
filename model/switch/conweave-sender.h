// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONWEAVE_SENDER_H
#define LOSSLESS_CONWEAVE_SENDER_H

#include "next-hop-group.h"

#include "ns3/conweave-shim.h"

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Mechanism: a flow at the leaf where it begins (Song et al., ConWeave, SIGCOMM 2023, and its
 * public simulator). An epoch begins with an INIT. If its reply is late, the path is congested: the
 * flow sends a TAIL there, and goes on by another path in phase 1. It may be rerouted again when
 * the other leaf has said that the TAIL has come, or that an INIT has come in time: in between
 * frames are in order only because that leaf holds those of phase 1 back.
 *
 * Times are ticks. It knows no switch and no clock.
 */
class ConWeaveSender
{
  public:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< no time

    /// What a frame does.
    enum Step : uint8_t
    {
        EXPIRED, //!< it is the first one, or came after a long silence: an epoch begins on any path
        SETTLED, //!< the other leaf has answered: an epoch begins on the path of the last one
        LATE,    //!< the other leaf has not answered: it is a TAIL, and others take a new path
        GO_ON    //!< nothing
    };

    ConWeaveSender() = default;

    /// @param epoch those of the flow are higher
    explicit ConWeaveSender(uint32_t epoch)
        : m_epoch(epoch)
    {
    }

    /// @param now the time @param expiry TxExpiry @return what a frame does that is sent now
    Step Look(int64_t now, int64_t expiry) const;

    /// @param step of a frame @return whether the flow leaves its path, if there is a good one
    static bool MayMove(Step step)
    {
        return step == EXPIRED || step == LATE;
    }

    /**
     * Send a frame.
     * @param step what it does
     * @param now the time
     * @param patience for how long the reply of an INIT is awaited
     * @param path of the flow from now on; unless MayMove(), GetPath()
     * @return what the frame tells the other leaf
     */
    ConWeaveShim Send(Step step, int64_t now, int64_t patience, uint16_t path);

    /// A reply has come. @param reply of kind INIT_REPLY or TAIL_REPLY @param now the time
    void Replied(const ConWeaveShim& reply, int64_t now);

    /// @return the path of the next frame that is no TAIL; NextHopGroup::NONE: nothing was sent
    uint16_t GetPath() const
    {
        return m_path;
    }

    /// @return the epoch
    uint32_t GetEpoch() const
    {
        return m_epoch;
    }

    /// @return until when the reply of an INIT is awaited; NEVER: none is
    int64_t GetReplyTimer() const
    {
        return m_replyTimer;
    }

    /// @return when its last frame was sent
    int64_t GetLast() const
    {
        return m_last;
    }

  private:
    uint32_t m_epoch{0};
    uint16_t m_path{NextHopGroup::NONE};
    uint8_t m_phase{0};
    bool m_isStable{false}; //!< the other leaf has answered
    int64_t m_last{0};
    int64_t m_replyTimer{NEVER};
    int64_t m_tailTime{0}; //!< when the TAIL of this epoch was sent; 0: none was
};

} // namespace ns3

#endif // LOSSLESS_CONWEAVE_SENDER_H
