// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_QUEUE_PAIR_H
#define LOSSLESS_RDMA_QUEUE_PAIR_H

#include "rdma-pacer.h"
#include "rdma-requester.h"
#include "rdma-responder.h"
#include "rdma-sender.h"
#include "rdma-terms.h"
#include "rdma-verbs.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/lazy-trace.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class QbbNetDevice;
class RdmaHw;
class RdmaPort;

/**
 * @ingroup lossless
 *
 * One end of a reliable connection (InfiniBand RC over UDP, annex A17). The requester sends the
 * requests posted here; the responder executes the requests of the peer. This class connects both
 * with pacing, congestion control, the timer and the NIC.
 *
 * Created by RdmaHw::CreateQueuePair(), connected by RdmaHw::Connect().
 */
class RdmaQueuePair : public RdmaTerms, public RdmaSender, private RdmaCompletionSink
{
  public:
    /// State of a queue pair.
    enum State : uint8_t
    {
        RESET, //!< created, not connected
        READY, //!< connected
        ERROR  //!< failed or closed: sends nothing, flushes every request
    };

    /// A completion. @param completion what ended and how
    typedef Callback<void, const RdmaCompletion&> CompletionCallback;

    /// @return the TypeId
    static TypeId GetTypeId();

    RdmaQueuePair();
    /// @param like a queue pair of no port: the new one has its attributes
    RdmaQueuePair(const RdmaQueuePair& like);
    ~RdmaQueuePair() override;

    // ---- verbs

    /**
     * Post a work request. A request posted before Connect() is sent after Connect().
     * @param request what to do; more than 2^40 bytes is an error (std::invalid_argument)
     * @return RdmaWorkRequest::id, or if that is 0 the ordinal of the request, from 1
     */
    uint64_t Post(const RdmaWorkRequest& request);

    /// Post receives, each for one SEND or WRITE_IMM of the peer. @param count how many
    void PostReceive(uint32_t count = 1);

    /// Close the queue pair: incomplete requests complete as FLUSHED, and no packet is sent any
    /// more. A peer that still expects an answer runs into its retry limit.
    void Close();

    /// @param callback called when a request posted here completes. The callback may post, close or
    /// destroy.
    void SetCompletionCallback(CompletionCallback callback);

    /// @param callback called when a message of the peer has arrived. The callback may post, close
    /// or destroy.
    void SetReceiveCallback(CompletionCallback callback);

    // ---- set-up

    /**
     * Connect to a peer by its address and number; RdmaHw::Connect() does so for both ends.
     * @param remote addresses of the peer's ports, in the order of GetAddresses(): of a reliable
     * connection one
     * @param remoteQp queue pair number of the peer
     * @param baseRtt round trip of an empty path, for congestion controls; 0: unknown
     */
    void ConnectTo(const std::vector<RdmaAddress>& remote, uint32_t remoteQp, Time baseRtt);

    /// @return addresses of the ports that it uses; they are fixed from now on
    std::vector<RdmaAddress> GetAddresses();

    /// @param port index of a port of the NIC @return whether the queue pair uses the port
    bool UsesPort(uint32_t port) const;

    /// The link of a port went up or down. @param port index of the port @param up whether the link
    /// is up
    void LinkChanged(uint32_t port, bool up);

    /// A setting of a port has changed: the marks of frames follow its class map. A connected
    /// queue pair cannot follow another line rate, from which its congestion control has started,
    /// nor an MTU below its packets (std::invalid_argument). @param port index of the port
    void PortChanged(uint32_t port);

    // ---- state

    /// @return the queue pair number, unique in the NIC
    uint32_t GetNumber() const
    {
        return m_end.connection.localQp;
    }

    /// @return queue pair number of the peer
    uint32_t GetRemoteNumber() const
    {
        return m_end.connection.remoteQp;
    }

    const char* FixedSince() const override
    {
        return m_state == RESET ? nullptr : "it is connected";
    }

    /// @return the state
    State GetState() const
    {
        return m_state;
    }

    /// @param frame with the number of this queue pair @return whether the frame is of its
    /// connection, as far as there is one; a transport other than RC tells by itself
    bool IsOfConnection(const Frame& frame) const
    {
        return m_transport || m_state != READY || m_end.connection.IsFromPeer(frame);
    }

    /// @return when the gap after its last packet ends, ticks, though its window may be closed;
    /// RDMA_NEVER: it has nothing to send
    int64_t GapEnd() const override
    {
        return m_requester.HasUnsent() ? m_pacer.NextSend() : RDMA_NEVER;
    }

    /// @return the requester
    const RdmaRequester& GetRequester() const
    {
        return m_requester;
    }

    /// @return the responder
    const RdmaResponder& GetResponder() const
    {
        return m_responder;
    }

    /// @return the port; null before Attach() and after the queue pair was destroyed
    Ptr<QbbNetDevice> GetDevice() const;

    /// @return whether no request is posted or outstanding, and no READ is being answered
    bool IsIdle() const;

    // ---- for RdmaHw and RdmaPort

    /**
     * Bind to a port.
     * @param port the port @param number number of the queue pair
     * @param counters counters of the NIC
     */
    void Attach(RdmaPort* port, uint32_t number, RdmaCounters* counters);

    /// A frame has arrived for this queue pair. @param frame the frame, taken over @param port
    /// index of the port at which it has
    void Receive(Frame* frame, uint32_t port);

    /// The NIC asks for a frame. @param now tick @return the next frame; null if no frame may be
    /// sent
    Frame* Pull(int64_t now) override;

    /// @return wire bytes of the frame that Pull() would return
    uint32_t HeadWireBytes() const override;

    // ---- signatures of trace sources

    /// The sending rate changed. @param bitsPerSecond the new rate
    typedef void (*RateTracedCallback)(double bitsPerSecond);
    /// A request ended or a message arrived. @param completion which one, and how it ended
    typedef void (*CompletionTracedCallback)(const RdmaCompletion& completion);

  protected:
    void DoDispose() override;

  private:
    void RequestCompleted(const RdmaCompletion& completion) override;
    void MessageReceived(const RdmaCompletion& completion) override;

    /// A request packet has arrived. @param frame the packet @param now tick
    void ReceiveRequest(Frame* frame, int64_t now);
    /// A READ request has arrived. @param frame the packet @param now tick
    void ReceiveReadRequest(Frame* frame, int64_t now);
    /// An ACK or NAK has arrived. @param frame the packet @param now tick
    void ReceiveAck(Frame* frame, int64_t now);
    /// A READ response has arrived. @param frame the packet @param now tick
    void ReceiveReadResponse(Frame* frame, int64_t now);
    /// A READ ACK has arrived. @param frame the packet @param now tick
    void ReceiveReadAck(Frame* frame, int64_t now);
    /// Tell the congestion control that data has been acknowledged, or lost. @param frame the ACK;
    /// null: an answer that says nothing of the path @param outcome bytes that are newly
    /// acknowledged, delivered and lost @param lost whether packets were lost @param now tick
    void Acknowledged(const Frame* frame,
                      const RdmaRequester::Outcome& outcome,
                      bool lost,
                      int64_t now);
    /// Tell the congestion control how much is in flight: it is called next.
    void NoteInFlight();
    /// Act on the outcome of an answer or of the timer. @param outcome the outcome @param now tick
    void Act(const RdmaRequester::Outcome& outcome, int64_t now);
    /// A data packet has arrived. @param frame the packet @param now tick
    void DataArrived(Frame& frame, int64_t now);
    /// A CNP has arrived. @param frame the CNP, taken over @param now tick
    void ReceiveCnp(Frame* frame, int64_t now);
    /// Answer a packet with CE by a CNP, if the congestion control asks for one.
    /// @param port UDP source port of the packet @param now tick
    void Marked(uint16_t port, int64_t now);
    /// Send a CNP with the rate report of the congestion control, if one is due. @param now tick
    void Notify(int64_t now);
    /// @return a CNP to the peer
    Frame* MakeCnp();
    /// @param ps picoseconds, or RdmaCongestionOps::NEVER @return the time in ticks, rounded up
    int64_t ToTick(int64_t ps) const;

    /// The congestion control may have changed rate, window or timer: apply them. @param now tick
    void CongestionChanged(int64_t now);
    /// Call the congestion control's timer if it is due. @param now tick
    void CatchUp(int64_t now);
    /// @return whether a packet could be sent, pacing aside
    bool CanSend() const;
    /// Update the place in the scheduler of the port: ready, paced or idle. @param now tick
    void Place(int64_t now);
    /// Place(), and wake the port. @param now tick
    void PlaceAndKick(int64_t now);

    /// Arm, move or remove the timer. @param now tick
    void UpdateTimer(int64_t now);
    /// The timer fired: check the deadlines, which may have moved.
    void TimerFired();
    /// Let completions come to the host when it sees them (RxDelay).
    void DelayCompletions();
    /// Post() where the transport is no RdmaRc. @param request what to do @param now tick @return
    /// its id
    uint64_t PostToTransport(const RdmaWorkRequest& request, int64_t now);
    /// Start the congestion control. @param baseRtt round trip of an empty path
    void StartCongestionControl(Time baseRtt);
    /// Connect the transport, which is no RdmaRc. @param remote addresses of the peer's ports
    /// @param baseRtt round trip of an empty path
    void ConnectTransport(const std::vector<RdmaAddress>& remote, Time baseRtt);
    /// Tell the port whether requests are outstanding.
    void CountBusy();
    /// Enter ERROR. @param status of the oldest request @param now tick
    void Fail(RdmaStatus status, int64_t now);

    /// @return RdmaCongestionOps::NextNotice(), in ticks
    int64_t NoticeAt() const
    {
        return m_hooks & RdmaCongestionOps::ON_DATA ? m_noticeAt : RDMA_NEVER;
    }

    static constexpr uint8_t REPACE = 1U << 7; //!< m_hooks: Repace is FromSent

    // What packets touch, in cache lines. An RdmaTerms, which comes first, begins with a line of
    // attributes and two of m_end; the third of m_end ends with what is in force of m_flow. Then:
    // one line of this class, four of the requester, of which the timer ends the last, one of the
    // pace, and one of the responder. What few queue pairs use follows, or is behind a pointer.
    RdmaPort* m_port{nullptr};             //!< the port
    uint32_t m_slot{0};                    //!< index in the port's scheduler
    uint8_t m_hooks{0};                    //!< RdmaCongestionOps::GetHooks(), and REPACE
    State m_state{RESET};                  //!< state
    bool m_active : 1;                     //!< in the port's scheduler
    bool m_busy : 1;                       //!< counted by the port as busy
    bool m_responseNext : 1;               //!< whether the responder sends next, if both can
    bool m_repacesGap : 1;                 //!< each ACK sets the rate of the gap that has begun
    double m_rateInForce{0};               //!< rate that the pacer and the window follow, bit/s
    alignas(64) RdmaRequester m_requester; //!< sending half
    EventId m_timer;                       //!< the one timer
    RdmaPacer m_pacer;                     //!< when the next packet may leave
    int64_t m_congestionAt{RDMA_NEVER};    //!< RdmaCongestionOps::NextTimer(), in ticks
    int64_t m_timerAt{RDMA_NEVER};         //!< when m_timer fires, in ticks
    RdmaResponder m_responder;             //!< receiving half

    int64_t m_noticeAt{RDMA_NEVER};    //!< NoticeAt()
    uint64_t m_fullWindow{0};          //!< window at line rate, if it follows the rate; else 0
    CompletionCallback m_onCompletion; //!< SetCompletionCallback()
    CompletionCallback m_onReceive;    //!< SetReceiveCallback()
    LazyTrace<double> m_rateTrace;     //!< Rate
    LazyTrace<const RdmaCompletion&> m_completionTrace; //!< RequestCompleted
    LazyTrace<const RdmaCompletion&> m_receiveTrace;    //!< MessageReceived
};

} // namespace ns3

#endif // LOSSLESS_RDMA_QUEUE_PAIR_H
