// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TCP_FLOW_SOURCE_H
#define LOSSLESS_TCP_FLOW_SOURCE_H

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/attribute.h"
#include "ns3/socket.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Sends bytes over a stock TCP socket as fast as the socket takes them, as BulkSendApplication
 * does. In addition, DSCP, congestion control and attributes of the socket are set before the
 * connection begins, so that the SYN is in the right class and DCTCP can ask for ECN.
 * SocketFlowHelper installs this application.
 */
class TcpFlowSource : public Application
{
  public:
    /// What the connection is like.
    struct Options
    {
        Address peer;           //!< where the sink listens
        uint8_t tos{0};         //!< TOS byte of its packets, without ECN
        uint64_t bytes{0};      //!< to be sent; 0: no end
        std::string congestion; //!< TypeId of a TcpCongestionOps; empty: that of the host
        std::vector<std::pair<std::string, Ptr<AttributeValue>>> attributes; //!< of the socket
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Mark what a socket, and those that it accepts, sends from now on. The socket itself is left
     * without a TOS byte: with one, ns-3 never declares its data as capable of ECN (3.37 to 3.48).
     * @param socket a TCP socket
     * @param tos TOS byte of its packets; their ECN bits are those that ns-3 chooses
     */
    static void MarkPackets(const Ptr<Socket>& socket, uint8_t tos);

    /// Before it starts. @param options what the connection is like
    void Setup(const Options& options);

    /// @param listener called once at the start, when the socket is there and has sent nothing
    void OnStart(std::function<void()> listener);

    /// @param listener called once if it fails, is stopped before all is sent, or its connection is
    /// closed: whether that is a failure, unless all had arrived, and the reason
    void OnAbandon(std::function<void(bool, const std::string&)> listener);

    /// @return the socket; null before the start
    Ptr<Socket> GetSocket() const
    {
        return m_socket;
    }

    /// @return bytes that the socket has taken
    uint64_t GetSent() const
    {
        return m_sent;
    }

  private:
    void StartApplication() override;
    void StopApplication() override;
    void DoDispose() override;
    /// Give the socket what it takes.
    void Send(Ptr<Socket> socket, uint32_t room);
    /// The connection is there.
    void Connected(Ptr<Socket> socket);
    /// No connection, or it has broken.
    void Failed(Ptr<Socket> socket);
    /// The connection is closed.
    void Closed(Ptr<Socket> socket);
    /// Tell the listener.
    void Abandon(bool failed, const std::string& why);
    /// The socket calls back no more.
    void Release();

    Options m_options;
    Ptr<Socket> m_socket;
    uint64_t m_sent{0};
    bool m_open{false}; //!< the socket takes bytes
    std::function<void()> m_onStart;
    std::function<void(bool, const std::string&)> m_onAbandon;
};

} // namespace ns3

#endif // LOSSLESS_TCP_FLOW_SOURCE_H
