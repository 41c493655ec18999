// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LLR_RECEIVER_H
#define LOSSLESS_LLR_RECEIVER_H

#include "llr-set.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// The receiving side of link-level retry: which frames are delivered, and what the peer is to be
/// told. Go-back-N: frames are delivered in order, and one NACK asks for all from a number on.
class LlrReceiver
{
  public:
    /// What becomes of a frame.
    enum Verdict : uint8_t
    {
        DELIVER,   //!< it is the one expected
        DUPLICATE, //!< it was delivered before: discarded, and its ACK is repeated
        DISCARD    //!< one before it is missing
    };

    /// A good frame has arrived. @param number its sequence number @return what becomes of it
    Verdict Arrived(uint32_t number)
    {
        const int32_t ahead = LlrDifference(number, m_expected);
        if (ahead > 0)
        {
            Missing();
            return DISCARD;
        }
        if (ahead < 0)
        {
            m_ackDue = !m_nacked;
            return DUPLICATE;
        }
        m_expected = (m_expected + 1) & ((1U << LLR_BITS) - 1);
        m_nacked = false;
        m_nackDue = false;
        m_ackDue = true;
        return DELIVER;
    }

    /// A frame has arrived whose FCS is wrong, or one behind that which is expected.
    void Missing()
    {
        m_nackDue = m_nackDue || !m_nacked;
        m_nacked = true;
        m_ackDue = false; // none before the missing frame has come
    }

    /// @return whether a NACK must leave, once for each frame missed
    bool IsNackDue() const
    {
        return m_nackDue;
    }

    /// @return whether an ACK must leave when the spacing allows
    bool IsAckDue() const
    {
        return m_ackDue;
    }

    /// @return number of the last frame in order, which ACK and NACK carry
    uint32_t LastGood() const
    {
        return (m_expected - 1) & ((1U << LLR_BITS) - 1);
    }

    /// An ACK or a NACK leaves.
    void Told()
    {
        m_nackDue = false;
        m_ackDue = false;
    }

    /// An INIT has arrived. @param number of the next frame
    void Begin(uint32_t number)
    {
        *this = LlrReceiver();
        m_expected = number;
    }

  private:
    uint32_t m_expected{0};
    bool m_nacked{false};  //!< a NACK was due since the last frame in order
    bool m_nackDue{false}; //!< and has not left yet
    bool m_ackDue{false};
};

} // namespace ns3

#endif // LOSSLESS_LLR_RECEIVER_H
