// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_QUEUE_PAIR_H
#define LOSSLESS_RDMA_QUEUE_PAIR_H

#include "rdma-loss-recovery.h"
#include "rdma-requester.h"
#include "rdma-responder.h"
#include "rdma-terms.h"
#include "rdma-verbs.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{

class QbbNetDevice;
class RdmaHw;
class RdmaPort;

/**
 * @ingroup lossless
 *
 * One end of a reliable connection (InfiniBand RC over UDP, annex A17). It sends and receives: the
 * requester half sends what is posted here, the responder half executes what the peer posts. This
 * class joins the two with pacing, congestion control, the timer and the NIC.
 *
 * Made by RdmaHw::CreateQueuePair(), joined by RdmaHw::Connect().
 */
class RdmaQueuePair : public RdmaTerms, private RdmaCompletionSink
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

    /// The port has lost or found its link. @param up whether it has one now
    void LinkChanged(bool up);

    /// @param ops the congestion control of this end; before Connect()
    void SetCongestionControl(Ptr<RdmaCongestionOps> ops);

    // ---- state

    /// @return the number, unique in the NIC
    uint32_t GetNumber() const
    {
        return m_end.connection.localQp;
    }

    /// @return number of the peer
    uint32_t GetRemoteNumber() const
    {
        return m_end.connection.remoteQp;
    }

    /// @return the state
    State GetState() const
    {
        return m_state;
    }

    /// @return rate and window
    const RdmaFlowState& GetFlowState() const
    {
        return m_flow;
    }

    /// @return the congestion control; null before Connect()
    Ptr<RdmaCongestionOps> GetCongestionControl() const;

    /// @return the loss recovery; null before Connect()
    Ptr<RdmaLossRecovery> GetLossRecovery() const;

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

    /// @return the port that it uses; null before it is attached and after it was destroyed
    Ptr<QbbNetDevice> GetDevice() const;

    /// @return whether nothing is posted, outstanding or being answered
    bool IsIdle() const;

    // ---- for RdmaHw and RdmaPort

    /**
     * Bind to a port.
     * @param hw the NIC @param port the port @param number number of the queue pair
     * @param counters counters of the NIC
     */
    void Attach(RdmaHw* hw, RdmaPort* port, uint32_t number, RdmaCounters* counters);

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

    void SetWindow(uint64_t bytes);
    uint64_t GetWindow() const;

    /// Policies and trace sources. @param tid the TypeId @return the same
    static TypeId AddPolicies(TypeId tid);

    /// A request packet has arrived. @param frame the packet @param now tick
    void ReceiveRequest(Frame* frame, int64_t now);
    /// An ACK, NAK or READ response has arrived. @param frame the packet @param now tick
    void ReceiveAnswer(Frame* frame, int64_t now);
    /// What an answer or the timer did. @param outcome what @param now tick
    void Act(const RdmaRequester::Outcome& outcome, int64_t now);
    /// A data packet has arrived. @param frame the packet @param now tick
    void DataArrived(Frame& frame, int64_t now);
    /// A CNP has arrived. @param frame the CNP, taken over @param now tick
    void ReceiveCnp(Frame* frame, int64_t now);
    /// Answer a marked packet with a CNP if it is time. @param now tick
    void Marked(int64_t now);
    /// Send the notice of the congestion control if it is due. @param now tick
    void Notify(int64_t now);
    /// @return a CNP to the peer
    Frame* MakeCnp();
    /// @param ps picoseconds, or RdmaCongestionOps::NEVER @return the tick by which that has come
    int64_t ToTick(int64_t ps) const;

    /// The congestion control may have changed its mind: pace, window, timer. @param now tick
    void CongestionChanged(int64_t now);
    /// Call the congestion control's timer if it is due. @param now tick
    void CatchUp(int64_t now);
    /// Plan the next packet after one. @param wireBytes its length @param now tick
    void Pace(uint32_t wireBytes, int64_t now);
    /// @return whether a packet could be sent but for its pace
    bool CanSend() const;
    /// Stand where we belong in the port's scheduler. @param now tick
    void Place(int64_t now);
    /// Place(), and wake the port. @param now tick
    void PlaceAndKick(int64_t now);

    /// Arm, move or remove the timer. @param now tick
    void UpdateTimer(int64_t now);
    /// The timer: deadlines are looked at, they may have moved.
    void TimerFired();
    /// Start the congestion control. @param baseRtt round trip of an empty path
    void StartCongestionControl(Time baseRtt);
    /// Tell the port whether requests are under way.
    void CountBusy();
    /// Enter ERROR. @param status of the oldest request @param now tick
    void Fail(RdmaStatus status, int64_t now);

    /// @return picoseconds @param tick a time
    int64_t ToPs(int64_t tick) const
    {
        return tick * m_psPerTick / m_ticksPerPs;
    }

    RdmaRequester m_requester;          //!< sending half
    RdmaResponder m_responder;          //!< receiving half
    RdmaFlowState m_flow;               //!< shared with the congestion control
    Ptr<RdmaCongestionOps> m_ops;       //!< the congestion control
    RdmaHw* m_hw{nullptr};              //!< the NIC
    RdmaPort* m_port{nullptr};          //!< the port
    uint32_t m_slot{0};                 //!< index in the port's scheduler
    uint32_t m_hooks{0};                //!< RdmaCongestionOps::GetHooks()
    int64_t m_congestionAt{RDMA_NEVER}; //!< RdmaCongestionOps::NextTimer(), in ticks
    int64_t m_noticeAt{RDMA_NEVER};     //!< RdmaCongestionOps::NextNotice(), in ticks
    int64_t m_nextSend{0};              //!< tick before which nothing is sent
    double m_pacedRate{0};              //!< rate that the pace was computed from
    double m_ticksPerByte{0};           //!< the same, as time
    double m_fraction{0};               //!< part of a tick owed to the pace
    uint32_t m_lastBytes{0};            //!< wire bytes of the last packet
    int32_t m_psPerTick{1};             //!< picoseconds in a tick
    int32_t m_ticksPerPs{1};            //!< ticks in a picosecond
    State m_state{RESET};               //!< life
    bool m_active{false};               //!< in the port's scheduler
    bool m_busy{false};                 //!< counted by the port as busy
    bool m_responseNext{false};         //!< whose turn it is, the responder's or the requester's
    EventId m_timer;                    //!< the one timer
    int64_t m_timerAt{RDMA_NEVER};      //!< when it fires, in ticks
    CompletionCallback m_onCompletion;  //!< SetCompletionCallback()
    CompletionCallback m_onReceive;     //!< SetReceiveCallback()
    ObjectFactory m_opsFactory;         //!< attribute CongestionControl, until it is made
    ObjectFactory m_recoveryFactory;    //!< attribute LossRecovery, until it is made

    TracedCallback<double> m_rateTrace;                      //!< Rate
    TracedCallback<const RdmaCompletion&> m_completionTrace; //!< Completion
    TracedCallback<const RdmaCompletion&> m_receiveTrace;    //!< MessageReceived
};

} // namespace ns3

#endif // LOSSLESS_RDMA_QUEUE_PAIR_H
