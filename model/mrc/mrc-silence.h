// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_SILENCE_H
#define LOSSLESS_MRC_SILENCE_H

#include "mrc-requester.h"

#include "ns3/rdma-end.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * When a connection of MRC that waits for answers and hears nothing asks the peer: once in each
 * silence (sheet 16, section 3.6, ProbeAfter). The probe takes the way of the packet that has
 * waited longest: that way is the one least recently known to be good. Times are ticks.
 */
class MrcSilence
{
  public:
    /// @param ticks without an answer after which it asks
    void SetPatience(int64_t ticks)
    {
        m_patience = ticks;
    }

    /// An answer of the peer has come. @param now tick
    void Heard(int64_t now)
    {
        m_heardAt = now;
        m_hasAsked = false;
    }

    /// @param since when the packet that waits longest has left, ticks; RDMA_NEVER: none waits
    /// @return when to ask, ticks, or RDMA_NEVER
    int64_t NextAt(int64_t since) const
    {
        return m_hasAsked || since == RDMA_NEVER ? RDMA_NEVER
                                                 : std::max(m_heardAt, since) + m_patience;
    }

    /// A probe goes. @param number of it @param question what its answer will tell of
    void Ask(uint16_t number, const MrcRequester::Waiting& question)
    {
        m_hasAsked = true;
        m_number = number;
        m_question = question;
    }

    /// @param number of a probe that is answered @return what it has asked; none: it was another
    std::optional<MrcRequester::Waiting> TakeQuestion(uint16_t number)
    {
        std::optional<MrcRequester::Waiting> question;
        if (number == m_number)
        {
            question.swap(m_question);
        }
        return question;
    }

  private:
    int64_t m_patience{0};
    int64_t m_heardAt{0};
    bool m_hasAsked{false};                          //!< in this silence
    uint16_t m_number{0};                            //!< of the last probe
    std::optional<MrcRequester::Waiting> m_question; //!< of it; none: it is answered
};

} // namespace ns3

#endif // LOSSLESS_MRC_SILENCE_H
