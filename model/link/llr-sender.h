// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LLR_SENDER_H
#define LOSSLESS_LLR_SENDER_H

#include "egress-queues.h"
#include "llr-set.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// The sending side of link-level retry: copies of frames that are not acknowledged yet, in order,
/// and which of them is to be sent next.
class LlrSender
{
  public:
    /// A frame is sent for the first time. @param frame gets its sequence number; a copy is kept
    void Sent(Frame& frame)
    {
        frame.linkNumber = (m_next & MASK) + 1;
        m_next = (m_next + 1) & MASK;
        Frame* const copy = frame.Copy();
        m_bytes += copy->WireBytes();
        m_copies.Push(copy);
    }

    /// An ACK or a NACK has arrived. @param number of the last frame in order @return whether
    /// frames were acknowledged by it
    bool Acknowledged(uint32_t number)
    {
        bool progress = false;
        while (!m_copies.IsEmpty() && LlrDifference(number, NumberOf(*m_copies.Head())) >= 0)
        {
            if (m_copies.Head() == m_replay)
            {
                m_replay = m_replay->next;
            }
            PopCopy();
            progress = true;
        }
        return progress;
    }

    /// Send all that is not acknowledged again.
    void Replay()
    {
        m_replay = m_copies.Head();
    }

    /// @return whether frames are to be sent again
    bool IsReplaying() const
    {
        return m_replay != nullptr;
    }

    /// @return the next frame to send again, a copy of what is kept
    Frame* NextReplay()
    {
        Frame* const again = m_replay->Copy();
        m_replay = m_replay->next;
        return again;
    }

    /// @return wire bytes that are not acknowledged
    uint64_t Bytes() const
    {
        return m_bytes;
    }

    /// @return frames that are not acknowledged
    uint32_t Frames() const
    {
        return m_copies.Frames();
    }

    /// @return number of the next new frame
    uint32_t Next() const
    {
        return m_next;
    }

    /// Forget all copies. @return how many there were
    uint32_t Forget()
    {
        const uint32_t frames = m_copies.Frames();
        while (!m_copies.IsEmpty())
        {
            PopCopy();
        }
        m_replay = nullptr;
        return frames;
    }

    /// @param frame one with a number @return its sequence number
    static uint32_t NumberOf(const Frame& frame)
    {
        return frame.linkNumber - 1;
    }

  private:
    static constexpr uint32_t MASK = (1U << LLR_BITS) - 1;

    /// Release the oldest copy.
    void PopCopy()
    {
        Frame* const copy = m_copies.Pop();
        m_bytes -= copy->WireBytes();
        copy->Release();
    }

    FrameFifo m_copies;
    const Frame* m_replay{nullptr}; //!< the next copy to send again; null: none
    uint64_t m_bytes{0};            //!< wire bytes of m_copies
    uint32_t m_next{0};
};

} // namespace ns3

#endif // LOSSLESS_LLR_SENDER_H
