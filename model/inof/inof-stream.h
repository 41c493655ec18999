// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_STREAM_H
#define LOSSLESS_INOF_STREAM_H

#include "inof-message.h"

#include <cstdint>
#include <deque>
#include <limits>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * One direction of a reliable, ordered stream of messages: sequence numbers from 1, cumulative
 * acknowledgements, a window, and a timer. When the timer expires, all unacknowledged messages go
 * again (go-back-N), each time later. Times are picoseconds; no simulator.
 */
class InofSendStream
{
  public:
    /// No deadline.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();
    /// Messages that are sent without an acknowledgement, at most.
    static constexpr uint32_t WINDOW = 32;

    /// @param retransmitPs time without an acknowledgement after which is sent again, ps
    explicit InofSendStream(int64_t retransmitPs)
        : m_retransmitPs(retransmitPs)
    {
    }

    /// Begin anew: forget all messages.
    void Reset();

    /// @param message goes to the end of the stream
    void Post(InofMessage message);

    /**
     * @param now the time, ps
     * @param sequence where its number goes
     * @return the message to send now; null: none. Valid until the next call of anything
     */
    const InofMessage* Next(int64_t now, uint32_t& sequence);

    /// @param sequence last message that the peer has in order @param now the time, ps
    void Acknowledged(uint32_t sequence, int64_t now);

    /// What is unacknowledged goes again if it is time. @param now the time, ps
    void Advance(int64_t now);

    /// @return when Advance() has something to do, ps
    int64_t NextDeadline() const
    {
        return m_deadline;
    }

    /// @return whether all was acknowledged
    bool IsIdle() const
    {
        return m_messages.empty();
    }

    /// @return messages that were sent again, since the beginning of all streams
    uint64_t GetRetransmitted() const
    {
        return m_retransmitted;
    }

  private:
    /// A timeout doubles this many times at most.
    static constexpr uint32_t MAX_DOUBLINGS = 4;

    int64_t m_retransmitPs;
    std::deque<InofMessage> m_messages; //!< from m_first on
    uint32_t m_first{1};                //!< number of the first that is unacknowledged
    uint32_t m_next{1};                 //!< number of the next to send
    uint32_t m_sent{0};                 //!< highest number that was ever sent
    uint32_t m_timeouts{0};             //!< without progress
    int64_t m_deadline{NEVER};
    uint64_t m_retransmitted{0};
};

/// @ingroup lossless
/// The other end: takes messages in order, once each.
class InofReceiveStream
{
  public:
    /// Begin anew.
    void Reset()
    {
        m_last = 0;
    }

    /// @param sequence of a message that has arrived @return whether it is the next
    bool Accept(uint32_t sequence)
    {
        const bool isNext = sequence == m_last + 1;
        m_last += isNext;
        return isNext;
    }

    /// @return last message in order
    uint32_t Last() const
    {
        return m_last;
    }

  private:
    uint32_t m_last{0};
};

} // namespace ns3

#endif // LOSSLESS_INOF_STREAM_H
