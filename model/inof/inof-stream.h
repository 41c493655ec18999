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
 * acknowledgements, a window, and a timer. When the timer expires, all unacknowledged messages are
 * sent again (go-back-N), and the timeout doubles. Times are picoseconds; the class does not use
 * the simulator.
 */
class InofSendStream
{
  public:
    /// No deadline.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();
    /// Largest number of unacknowledged messages.
    static constexpr uint32_t WINDOW = 32;

    /// @param retransmitPs time without an acknowledgement after which messages are sent again, ps
    explicit InofSendStream(int64_t retransmitPs)
        : m_retransmitPs(retransmitPs)
    {
    }

    /// Restart the stream: forget all messages.
    void Reset();

    /// @param message message to append to the stream
    void Post(InofMessage message);

    /**
     * @param now the time, ps
     * @param sequence set to the number of the message
     * @return the message to send now; null: none. Valid until the next call of any method
     */
    const InofMessage* Next(int64_t now, uint32_t& sequence);

    /// @param sequence last message that the peer has in order @param now the time, ps
    void Acknowledged(uint32_t sequence, int64_t now);

    /// Send the unacknowledged messages again if the timer has expired. @param now the time, ps
    void Advance(int64_t now);

    /// @return the next deadline, ps
    int64_t NextDeadline() const
    {
        return m_deadline;
    }

    /// @return whether all messages are acknowledged
    bool IsIdle() const
    {
        return m_messages.empty();
    }

    /// @return number of messages sent again since construction
    uint64_t GetRetransmitted() const
    {
        return m_retransmitted;
    }

  private:
    /// Largest number of successive doublings of the timeout.
    static constexpr uint32_t MAX_DOUBLINGS = 4;

    int64_t m_retransmitPs;
    std::deque<InofMessage> m_messages; //!< messages from number m_first on
    uint32_t m_first{1};                //!< number of the first unacknowledged message
    uint32_t m_next{1};                 //!< number of the next message to send
    uint32_t m_sent{0};                 //!< highest number ever sent
    uint32_t m_timeouts{0};             //!< successive timeouts
    int64_t m_deadline{NEVER};
    uint64_t m_retransmitted{0};
};

/// @ingroup lossless
/// The receiving end of an InofSendStream: accepts each message once, in order.
class InofReceiveStream
{
  public:
    /// Restart the stream.
    void Reset()
    {
        m_last = 0;
    }

    /// @param sequence number of a message that has arrived @return whether it is the next one
    bool Accept(uint32_t sequence)
    {
        const bool isNext = sequence == m_last + 1;
        m_last += isNext;
        return isNext;
    }

    /// @return number of the last message in order
    uint32_t Last() const
    {
        return m_last;
    }

  private:
    uint32_t m_last{0};
};

} // namespace ns3

#endif // LOSSLESS_INOF_STREAM_H
