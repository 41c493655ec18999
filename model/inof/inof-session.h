// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_SESSION_H
#define LOSSLESS_INOF_SESSION_H

#include "inof-stream.h"

#include <cstdint>

namespace ns3
{

class InofSession;

/// @ingroup lossless
/// Who a session works for.
class InofSessionSink
{
  public:
    virtual ~InofSessionSink() = default;

    /// @param session which @param datagram to the peer, now
    virtual void SendDatagram(InofSession& session, const InofDatagram& datagram) = 0;
    /// Both ends know each other's incarnation. @param session which @param now ps
    virtual void SessionUp(InofSession& session, int64_t now) = 0;
    /// The peer was silent too long, or began anew. @param session which @param now ps
    virtual void SessionDown(InofSession& session, int64_t now) = 0;
    /// @param session which @param message of the peer, in order @param now ps
    virtual void MessageReceived(InofSession& session, const InofMessage& message, int64_t now) = 0;
};

/**
 * @ingroup lossless
 *
 * A session between two switches: both ends begin it, each with an epoch that grows with every
 * attempt; it is up once a datagram names the epochs of both. From then on messages are reliable
 * and ordered. A datagram is due every interval; when none has come for `misses` intervals the
 * session is lost (in the way of bidirectional forwarding detection, RFC 5880) and begins anew.
 * Times are picoseconds; no simulator.
 */
class InofSession
{
  public:
    /// Times of a session.
    struct Config
    {
        int64_t intervalPs{10000000000};   //!< between signs of life
        uint32_t misses{3};                //!< intervals of silence after which it is lost
        int64_t retransmitPs{10000000000}; //!< until a message is sent again
    };

    /// @param sink who it works for @param self number of the own switch @param peer of the other
    /// @param config times
    InofSession(InofSessionSink& sink, uint32_t self, uint32_t peer, const Config& config);

    /// Begin. @param epoch own incarnation, larger than any before @param now ps
    void Start(uint32_t epoch, int64_t now);
    /// Say nothing any more.
    void Stop();

    /// @param datagram of the peer @param now ps
    void Receive(const InofDatagram& datagram, int64_t now);
    /// @param message to the peer; ignored while the session is down @param now ps
    void Post(const InofMessage& message, int64_t now);
    /// Do what is due. @param now ps
    void Advance(int64_t now);
    /// @return when Advance() has something to do, ps
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

    /// @return own incarnation
    uint32_t GetEpoch() const
    {
        return m_epoch;
    }

    /// @return messages sent again
    uint64_t GetRetransmitted() const
    {
        return m_out.GetRetransmitted();
    }

  private:
    /// @param message to carry, or null @param sequence its number
    void Send(const InofMessage* message, uint32_t sequence);
    /// Send what the window allows. @param now ps
    void Flush(int64_t now);
    /// The session is lost: begin anew. @param now ps
    void Lose(int64_t now);

    InofSessionSink& m_sink;
    uint32_t m_self;
    uint32_t m_peer;
    Config m_config;
    InofSendStream m_out;
    InofReceiveStream m_in;
    uint32_t m_epoch{0};
    uint32_t m_peerEpoch{0}; //!< 0: unknown
    bool m_up{false};
    int64_t m_nextSign{InofSendStream::NEVER}; //!< when a sign of life is due
    int64_t m_lastHeard{0};
};

} // namespace ns3

#endif // LOSSLESS_INOF_SESSION_H
