// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_QUEUE_PAIR_H
#define LOSSLESS_RDMA_QUEUE_PAIR_H

#include "rdma-congestion-ops.h"
#include "rdma-connection.h"
#include "rdma-loss-recovery.h"
#include "rdma-requester.h"
#include "rdma-responder.h"
#include "rdma-verbs.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{

class RdmaHw;
class RdmaPort;

/**
 * @ingroup lossless
 *
 * One end of a reliable connection (InfiniBand RC over UDP; sheet 04). It sends and receives: the
 * requester half sends what is posted here, the responder half executes what the peer posts. This
 * class joins the two with pacing, congestion control, the timer and the NIC.
 *
 * Made by RdmaHw::CreateQueuePair(), joined by RdmaHw::Connect().
 */
class RdmaQueuePair : public Object, private RdmaCompletionSink
{
  public:
    /// Life of a queue pair.
    enum State : uint8_t
    {
        RESET, //!< made, not connected
        READY, //!< connected
        ERROR  //!< failed or closed: every request is flushed
    };

    /// A completion. @param completion what ended and how
    typedef Callback<void, const RdmaCompletion&> CompletionCallback;

    /// @return the TypeId
    static TypeId GetTypeId();

    RdmaQueuePair();
    ~RdmaQueuePair() override;

    // ---- verbs

    /**
     * Post a work request. Legal before Connect(): it is sent once connected.
     * @param request what to do; more than 2^40 bytes is an error (std::invalid_argument)
     * @return RdmaWorkRequest::id, or if that is 0 the ordinal of the request, from 1
     */
    uint64_t Post(const RdmaWorkRequest& request);

    /// Post receives, each for one SEND or WRITE_IMM of the peer. @param count how many
    void PostReceive(uint32_t count = 1);

    /// Stop: what is not complete ends as FLUSHED, nothing is sent any more. The peer runs into its
    /// retry limit if it still expects an answer.
    void Close();

    /// @param callback called when a request posted here ends. May post, close or destroy.
    void SetCompletionCallback(CompletionCallback callback);

    /// @param callback called when a message of the peer has arrived. May post, close or destroy.
    void SetReceiveCallback(CompletionCallback callback);

    // ---- set-up

    /**
     * Connect to a peer, by what the peer knows of itself; RdmaHw::Connect() does it for both ends
     * at once.
     * @param remote address of the peer's port
     * @param remoteQp number of the peer
     * @param baseRtt round trip of an empty path, for congestion controls; 0: unknown
     */
    void ConnectTo(const RdmaAddress& remote, uint32_t remoteQp, Time baseRtt);

    /// @param ops the congestion control of this end; before Connect()
    void SetCongestionControl(Ptr<RdmaCongestionOps> ops);

    /// @param recovery the loss recovery of this end; before Connect()
    void SetLossRecovery(Ptr<RdmaLossRecovery> recovery);

    // ---- state

    /// @return the number, unique in the NIC
    uint32_t GetNumber() const
    {
        return m_connection.localQp;
    }

    /// @return number of the peer
    uint32_t GetRemoteNumber() const
    {
        return m_connection.remoteQp;
    }

    /// @return what is fixed by the connection
    const RdmaConnection& GetConnection() const
    {
        return m_connection;
    }

    /// @return the state
    State GetState() const
    {
        return m_state;
    }

    /// @return path MTU, bytes of payload
    uint32_t GetMtu() const
    {
        return m_connection.mtu;
    }

    /// @return rate and window
    const RdmaFlowState& GetFlowState() const
    {
        return m_flow;
    }

    /// @return the congestion control; null before Connect()
    Ptr<RdmaCongestionOps> GetCongestionControl() const;

    /// @return the sending half
    const RdmaRequester& GetRequester() const
    {
        return m_requester;
    }

    /// @return the receiving half
    const RdmaResponder& GetResponder() const
    {
        return m_responder;
    }

    /// @return index at the NIC of the port that it uses
    uint32_t GetPortIndex() const;

    /// @return whether nothing is posted, outstanding or being answered
    bool IsIdle() const;

    /// @return bytes of memory held, its policies included
    std::size_t MemoryBytes() const;

    // ---- for RdmaHw and RdmaPort

    /**
     * Bind to a port.
     * @param hw the NIC @param port the port @param slot index in the port's scheduler
     * @param number number of the queue pair
     */
    void Attach(RdmaHw* hw, RdmaPort* port, uint32_t slot, uint32_t number);

    /// A frame for this queue pair. @param frame the frame, taken over
    void Receive(Frame* frame);

    /// The NIC pulls. @param now tick @return the next frame, or null if none may be sent
    Frame* Pull(int64_t now);

    /// @return wire bytes of what Pull() would give
    uint32_t HeadWireBytes() const;

    // ---- signatures of trace sources

    /// The sending rate changed. @param bitsPerSecond the new rate
    typedef void (*RateTracedCallback)(double bitsPerSecond);
    /// The end of a request or message. @param completion what and how
    typedef void (*CompletionTracedCallback)(const RdmaCompletion& completion);

  protected:
    void DoDispose() override;

  private:
    void RequestCompleted(const RdmaCompletion& completion) override;
    void MessageReceived(const RdmaCompletion& completion) override;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_QUEUE_PAIR_H
