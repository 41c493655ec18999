// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_SESSION_H
#define LOSSLESS_INOF_SESSION_H

#include "inof-stream.h"

#include <cstdint>

namespace ns3
{

class InofSession;

/// @ingroup lossless
/// The owner of a session, which it calls.
class InofSessionSink
{
  public:
    virtual ~InofSessionSink() = default;

    /// @param session the session @param datagram datagram to send to the peer now
    virtual void SendDatagram(InofSession& session, const InofDatagram& datagram) = 0;
    /// The session is up: both ends know each other's incarnation. @param session the session
    /// @param now ps
    virtual void SessionUp(InofSession& session, int64_t now) = 0;
    /// The session is lost: the peer was silent for too long, or restarted. @param session the
    /// session @param now ps
    virtual void SessionDown(InofSession& session, int64_t now) = 0;
    /// @param session the session @param message message of the peer, in order @param now ps
    virtual void MessageReceived(InofSession& session, const InofMessage& message, int64_t now) = 0;
};

/**
 * @ingroup lossless
 *
 * A session between two switches. Both ends start it, each with an epoch that grows with every
 * attempt; the session is up once a datagram names both epochs. From then on messages are reliable
 * and ordered. Each end sends at least one datagram per interval; an end that has received none for
 * `misses` intervals counts the session as lost, as in bidirectional forwarding detection (RFC
 * 5880), and starts it again. Times are picoseconds; the class does not use the simulator.
 */
class InofSession
{
  public:
    /// Times of a session.
    struct Config
    {
        int64_t intervalPs{10000000000};   //!< time between two signs of life
        uint32_t misses{3};                //!< intervals of silence after which the session is lost
        int64_t retransmitPs{10000000000}; //!< time until a message is sent again
    };

    /// @param sink the owner @param self number of this switch @param peer number of the other
    /// switch
    /// @param config its times
    InofSession(InofSessionSink& sink, uint32_t self, uint32_t peer, const Config& config);

    /// Start the session. @param epoch incarnation of this end, larger than any before @param now
    /// ps
    void Start(uint32_t epoch, int64_t now);
    /// Stop the session: send nothing any more.
    void Stop();

    /// @param datagram datagram of the peer @param now ps
    void Receive(const InofDatagram& datagram, int64_t now);
    /// @param message message to the peer; ignored while the session is down @param now ps
    void Post(const InofMessage& message, int64_t now);
    /// Execute the deadlines that have come. @param now ps
    void Advance(int64_t now);
    /// @return the next deadline, ps
    int64_t NextDeadline() const;

    /// @return whether the session is up
    bool IsUp() const
    {
        return m_up;
    }

    /// @return number of the other switch
    uint32_t GetPeer() const
    {
        return m_peer;
    }

    /// @return incarnation of this end
    uint32_t GetEpoch() const
    {
        return m_epoch;
    }

    /// @return number of messages sent again
    uint64_t GetRetransmitted() const
    {
        return m_out.GetRetransmitted();
    }

  private:
    /// @param message message to carry, or null @param sequence its number
    void Send(const InofMessage* message, uint32_t sequence);
    /// Send the messages that the window allows. @param now ps
    void Flush(int64_t now);
    /// The session is lost: start it again. @param now ps
    void Lose(int64_t now);

    InofSessionSink& m_sink;
    uint32_t m_self;
    uint32_t m_peer;
    Config m_config;
    InofSendStream m_out;
    InofReceiveStream m_in;
    uint32_t m_epoch{0};
    uint32_t m_peerEpoch{0}; //!< incarnation of the peer; 0: unknown
    bool m_up{false};
    int64_t m_nextSign{InofSendStream::NEVER}; //!< when the next sign of life is due, ps
    int64_t m_lastHeard{0};
};

} // namespace ns3

#endif // LOSSLESS_INOF_SESSION_H
