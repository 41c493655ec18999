// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONWEAVE_RECEIVER_H
#define LOSSLESS_CONWEAVE_RECEIVER_H

#include "ns3/conweave-shim.h"

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Mechanism: a flow at the leaf of its destination (Song et al., ConWeave, SIGCOMM 2023, and its
 * public simulator). Frames of phase 1 that come before the TAIL of phase 0 are held back until it
 * has passed, or until it should have: the distance of two frames of phase 0 is that at which they
 * were sent, and `flushExtra` more.
 *
 * Times are ticks. It knows no switch, no clock, and none of the frames that are held.
 */
class ConWeaveReceiver
{
  public:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< no time

    /// Attributes of the leaf.
    struct Waits
    {
        int64_t flushExtra;  //!< FlushExtra
        int64_t defaultWait; //!< DefaultWait
    };

    /// A frame has come. A TAIL that goes on is to be told of by TailPassed().
    /// @param shim of the frame @param now the time @param waits attributes
    /// @return whether the frame is to be held back
    bool Arrived(const ConWeaveShim& shim, int64_t now, const Waits& waits);

    /// A TAIL is in the queue of its port: what was held back may follow. @param epoch of the TAIL
    /// @param now the time
    void TailPassed(uint32_t epoch, int64_t now);

    /// @return when what is held back has to go on; NEVER: nothing is held back
    int64_t GetFlushTime() const
    {
        return m_flushAt;
    }

    /// What was held back goes on. @return whether its TAIL has passed
    bool Flushed();

    /// @return when its last frame came
    int64_t GetLast() const
    {
        return m_last;
    }

  private:
    /// @param shim of a frame of a later epoch @param now the time
    void BeginEpoch(const ConWeaveShim& shim, int64_t now);
    /// A frame of phase 0 has come while others are held back, or the first one is to be.
    /// @param waits attributes @return when the TAIL should have passed
    int64_t ExpectedFlush(const Waits& waits) const;

    uint32_t m_epoch{0};
    uint8_t m_phase{0};
    bool m_isKnown{false};     //!< a frame has come
    bool m_hasPhase0{false};   //!< a frame of phase 0 has come in this epoch
    bool m_tailPassed{false};  //!< since the first frame was held back
    bool m_isOvertaken{false}; //!< what is held back is of an older epoch
    int64_t m_phase0Tx{0};     //!< when the last frame of phase 0 was sent
    int64_t m_phase0Rx{0};     //!< when it came
    int64_t m_tailTime{0};     //!< when the TAIL was sent
    int64_t m_flushAt{NEVER};
    int64_t m_last{0};
};

} // namespace ns3

#endif // LOSSLESS_CONWEAVE_RECEIVER_H
