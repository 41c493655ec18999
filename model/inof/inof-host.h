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
/// Sends the datagrams of an InofHost and receives its events.
class InofHostSink
{
  public:
    virtual ~InofHostSink() = default;

    /// @param datagram datagram to send to the switch now
    virtual void SendToSwitch(const InofDatagram& datagram) = 0;
    /// @param peer a host of a common zone that has come up
    virtual void PeerUp(const InofHostInfo& peer) = 0;
    /// @param peer a host that has gone down @param reason why
    virtual void PeerDown(const InofHostInfo& peer, InofReason reason) = 0;
};

/**
 * @ingroup lossless
 *
 * iNOF in a host. The host sends HELLOs to its switch when the link comes up and at intervals from
 * then on; the switch tells it the hosts of its zones. When the link is down, or the switch no
 * longer answers, all other hosts count as gone. The class is a state machine that does not use the
 * simulator: callers pass datagrams, link changes and times (ps), and it calls its sink.
 */
class InofHost
{
  public:
    /// Configuration of a host.
    struct Config
    {
        InofHostInfo info;                      //!< description that HELLOs carry
        int64_t helloIntervalPs{1000000000000}; //!< time between two HELLOs
        uint32_t helloMisses{3};      //!< HELLOs without an answer until the switch counts as gone
        int64_t retryPs{10000000000}; //!< time between HELLOs until the first answer
    };

    /// @param sink sends datagrams and receives events @param config the configuration
    InofHost(InofHostSink& sink, const Config& config);

    /// The link came up: begin to send HELLOs. @param now ps
    void Start(int64_t now);
    /// Stop, and report all other hosts as gone. @param reason REMOVED: sign off at the switch;
    /// else the link is down
    void Stop(InofReason reason);

    /// @param datagram datagram of the switch @param now ps
    void Receive(const InofDatagram& datagram, int64_t now);
    /// Execute the deadlines that have come. @param now ps
    void Advance(int64_t now);
    /// @return the next deadline, ps
    int64_t NextDeadline() const;

    /// The classes with PFC changed: send a HELLO with them at once.
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
    /// All other hosts are gone. @param reason why
    void LosePeers(InofReason reason);
    /// Another host is gone. @param id its identifier @param reason why
    void LosePeer(uint32_t id, InofReason reason);

    InofHostSink& m_sink;
    Config m_config;
    InofReceiveStream m_in;
    std::map<uint32_t, InofHostInfo> m_peers;
    std::set<uint32_t> m_stale; //!< hosts not confirmed since the switch began a new stream
    uint32_t m_epoch{0};        //!< incarnation of this host
    uint32_t m_switchEpoch{0};  //!< incarnation of the stream of the switch; 0: not registered
    bool m_running{false};
    int64_t m_nextHello{0};
    int64_t m_retryPs{0}; //!< time to the next HELLO while not registered
    int64_t m_lastHeard{0};
};

} // namespace ns3

#endif // LOSSLESS_INOF_HOST_H
