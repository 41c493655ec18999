// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_HOST_H
#define LOSSLESS_INOF_HOST_H

#include "inof-stream.h"

#include <cstdint>
#include <map>
#include <set>

namespace ns3
{

/// @ingroup lossless
/// Who carries and sees what an InofHost does.
class InofHostSink
{
  public:
    virtual ~InofHostSink() = default;

    /// @param datagram to the switch, now
    virtual void SendToSwitch(const InofDatagram& datagram) = 0;
    /// @param peer a host of a common zone that has come
    virtual void PeerUp(const InofHostInfo& peer) = 0;
    /// @param peer a host that has gone @param reason why
    virtual void PeerDown(const InofHostInfo& peer, InofReason reason) = 0;
};

/**
 * @ingroup lossless
 *
 * iNOF in a host. The host reports to its switch when the link comes up and at an interval from
 * then on, and learns from the switch the hosts of its zones. Without a link, or with a switch that
 * no longer answers, all other hosts are gone. A state machine without a simulator: callers pass
 * datagrams, the state of the link and the time (ps) in, and it calls its sink.
 */
class InofHost
{
  public:
    /// What a host is like.
    struct Config
    {
        InofHostInfo info;                      //!< what it says of itself
        int64_t helloIntervalPs{1000000000000}; //!< between HELLOs
        uint32_t helloMisses{3};                //!< of them without an answer: the switch is gone
        int64_t retryPs{10000000000};           //!< between HELLOs until the first answer
    };

    /// @param sink carries what is sent @param config what the host is like
    InofHost(InofHostSink& sink, const Config& config);

    /// The link came up: report. @param now ps
    void Start(int64_t now);
    /// Sign off, and forget the others. @param reason REMOVED signs off; else the link is gone
    void Stop(InofReason reason);

    /// @param datagram of the switch @param now ps
    void Receive(const InofDatagram& datagram, int64_t now);
    /// Do what is due. @param now ps
    void Advance(int64_t now);
    /// @return when Advance() has something to do, ps
    int64_t NextDeadline() const;

    /// The classes with PFC changed: the next HELLO, sent at once, says so.
    /// @param classes mask @param now ps
    void SetPfcClasses(uint8_t classes, int64_t now);

    /// @return hosts of common zones, by identifier
    const std::map<uint32_t, InofHostInfo>& GetPeers() const
    {
        return m_peers;
    }

    /// @return whether the switch has answered
    bool IsRegistered() const
    {
        return m_switchEpoch != 0;
    }

  private:
    /// @param kind HELLO, ACK or GOODBYE
    void Send(InofDatagram::Kind kind);
    void MessageReceived(const InofMessage& message);
    /// All others are gone. @param reason why
    void LosePeers(InofReason reason);
    /// Another host is gone. @param id which @param reason why
    void LosePeer(uint32_t id, InofReason reason);

    InofHostSink& m_sink;
    Config m_config;
    InofReceiveStream m_in;
    std::map<uint32_t, InofHostInfo> m_peers;
    std::set<uint32_t> m_stale; //!< not confirmed since the switch has begun a new stream
    uint32_t m_epoch{0};        //!< own incarnation
    uint32_t m_switchEpoch{0};  //!< of the stream of the switch; 0: not registered
    bool m_running{false};
    int64_t m_nextHello{0};
    int64_t m_retryPs{0}; //!< to the next HELLO, while not registered
    int64_t m_lastHeard{0};
};

} // namespace ns3

#endif // LOSSLESS_INOF_HOST_H
