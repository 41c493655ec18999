// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SOCKET_FLOW_H
#define LOSSLESS_SOCKET_FLOW_H

#include "ns3/application.h"
#include "ns3/callback-guard.h"
#include "ns3/fabric-index.h"
#include "ns3/nstime.h"
#include "ns3/packet-sink.h"
#include "ns3/socket.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace ns3
{

class TcpFlowSource;

/**
 * @ingroup lossless
 *
 * A flow of the stock IP stack, TCP or UDP, and what became of it so far; see SocketFlowHelper.
 */
class SocketFlow
{
  public:
    /// How far a flow came.
    enum State
    {
        NOT_STARTED, //!< its start is still to come
        RUNNING,     //!< it sends, or may
        COMPLETED,   //!< all its bytes have arrived
        STOPPED,     //!< its time was over
        FAILED       //!< there was no connection, or it broke
    };

    /// What is sent.
    struct Plan
    {
        bool isTcp{true};        //!< else UDP
        HostId source{0};        //!< sends
        HostId destination{0};   //!< receives
        uint64_t bytes{0};       //!< to be sent; 0: no end
        Time start{0};           //!< first packet
        Time stop{0};            //!< no more is sent from then on; 0: no such time
        uint8_t trafficClass{0}; //!< class of its packets, those of the way back, too
    };

    /// @param plan what is sent
    explicit SocketFlow(const Plan& plan);
    ~SocketFlow();
    SocketFlow(const SocketFlow&) = delete;
    SocketFlow& operator=(const SocketFlow&) = delete;

    /// @return what was asked for
    const Plan& GetPlan() const
    {
        return m_plan;
    }

    /// @return how far it came
    State GetState() const;
    /// @param state a state @return its name
    static const char* NameOf(State state);

    /// @return payload bytes that the stack has taken from the application
    uint64_t GetBytesSent() const;

    /// @return payload bytes that have arrived at the application of the destination
    uint64_t GetBytesReceived() const
    {
        return m_received;
    }

    /// @return when the last of all its bytes arrived; 0: they have not
    Time GetCompleted() const
    {
        return m_completed;
    }

    /// @return what has arrived a second, from the start to the last byte, bit/s
    double GetThroughput() const;

    /// @return why it failed or was stopped; empty: it did neither
    const std::string& GetReason() const
    {
        return m_reason;
    }

    /// @return the application that sends: TcpFlowSource or OnOffApplication
    Ptr<Application> GetSource() const
    {
        return m_source;
    }

    /// @return the application that receives
    Ptr<PacketSink> GetSink() const
    {
        return m_sink;
    }

    /// @return the sending socket; null before the start
    Ptr<Socket> GetSocket() const;

    /**
     * Before the start.
     * @param listener called once when the socket is there and no packet has left, such as to
     * connect to its trace sources
     */
    void OnStart(std::function<void()> listener);

    /// @return whether a run is to wait for it: it is of finite size and has not ended
    bool IsAwaited() const;

  private:
    friend class SocketFlowHelper;

    /// Take what its applications tell. @param tellStart called when it starts @param tellEnd
    /// called when it has completed, failed or was stopped
    void Watch(const Ptr<Application>& source,
               const Ptr<PacketSink>& sink,
               std::function<void()> tellStart,
               std::function<void()> tellEnd);
    /// Its run is over: its applications do no more, and their ports are free.
    void Stop();
    /// The socket is there.
    void Started();
    /// Bytes have arrived.
    void Received(uint32_t bytes);
    /// The source gives up.
    void Abandoned(bool failed, const std::string& why);

    Plan m_plan;
    Ptr<Application> m_source;
    Ptr<PacketSink> m_sink;
    Ptr<TcpFlowSource> m_tcp;
    uint64_t m_sent{0}; //!< UDP
    uint64_t m_received{0};
    Time m_last; //!< when bytes arrived last
    Time m_completed;
    bool m_failed{false}; //!< else stopped, if there is a reason
    std::string m_reason;
    std::function<void()> m_onStart;
    std::function<void()> m_tellStart;
    std::function<void()> m_tellEnd;
    CallbackGuard m_guard; //!< of traces
};

} // namespace ns3

#endif // LOSSLESS_SOCKET_FLOW_H
