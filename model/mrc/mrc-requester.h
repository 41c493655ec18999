// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_REQUESTER_H
#define LOSSLESS_MRC_REQUESTER_H

#include "mrc-plane-evs.h"
#include "mrc-terms.h"

#include "ns3/rdma-end.h"
#include "ns3/rdma-request-list.h"
#include "ns3/rdma-ring.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The sending half of a queue pair of MRC (sheet 16, section 4): turns WRITEs into packets when a
 * plane asks for a packet, and SACKs, NACKs and timeouts into repeats, completions and the states
 * of entropy values. The class does not use the simulator: callers pass times in ticks.
 *
 * Each packet from the first that is not acknowledged on has a record. The bytes in flight are
 * nominal bytes (MrcResponder::NominalBytes()): they grow by each packet that is sent, and shrink
 * by what SACKs say has been received, and by packets that are taken for lost.
 */
class MrcRequester
{
  public:
    /// Longest message, bytes.
    static constexpr uint64_t MAX_MESSAGE = 1ULL << 32;

    /// What an answer of the peer, or the timer, says.
    struct Outcome
    {
        int64_t delivered{0}; //!< nominal bytes newly received
        int64_t lost{0};      //!< nominal bytes newly taken for lost
        int64_t trimmed{0};   //!< nominal bytes newly reported as trimmed
        int64_t rttTicks{0};  //!< round trip of one transmission; 0: unknown
        bool marked{false};   //!< a packet came with CE
        bool lastHop{false};  //!< the port to the host has trimmed
        bool failed{false};   //!< retries are exceeded: call Fail()
    };

    /// @param end state shared with the responder; must outlive this object
    /// @param terms fixed parameters, likewise @param counters likewise
    /// @param planes entropy values, likewise
    MrcRequester(const RdmaEnd& end,
                 const MrcTerms& terms,
                 MrcCounters& counters,
                 std::vector<MrcPlaneEvs>& planes);

    // ---- sending

    /// @param request a WRITE or WRITE_IMM (else std::invalid_argument) @param now tick
    /// @return its id (RdmaQueuePair::Post)
    uint64_t Post(const RdmaWorkRequest& request, int64_t now);

    /// @param window limit of nominal bytes in flight; 0: none @return whether Build() may be
    /// called
    bool CanSend(uint64_t window) const;

    /**
     * Build the packet that is to be sent next: the lost packet of the lowest PSN, or a new one.
     * @param plane that sends the packet @param ev entropy value of the plane @param window as in
     * CanSend() @param now tick
     * @return the packet, without the addresses of the plane
     */
    Frame* Build(uint32_t plane, uint16_t ev, uint64_t window, int64_t now);

    /// @return wire bytes of the next packet
    uint32_t HeadWireBytes() const;

    /// What a probe of a connection that hears nothing asks about.
    struct Waiting
    {
        uint8_t plane;  //!< of the packet in flight that was sent first
        uint16_t ev;    //!< its entropy value
        uint64_t order; //!< number of the last transmission before the probe
        int64_t since;  //!< when the packet has left, ticks
    };

    /// @return what to ask about; none: nothing is in flight
    std::optional<Waiting> GetWaiting() const;

    // ---- receiving; call Complete() afterwards

    /// A probe has come through, whose answer OnSack() gets next: packets that were sent before the
    /// probe with its entropy value have arrived or are lost (PER_EV). @param waiting its question
    void ProbePassed(const Waiting& waiting);

    /// @param frame a SACK @param plane at which the SACK came @param now tick @return what it says
    Outcome OnSack(const Frame& frame, uint32_t plane, int64_t now);

    /// @param frame a NACK @param now tick @return what it says
    Outcome OnNack(const Frame& frame, int64_t now);

    /// @param frame a transport ACK @return what it says
    Outcome OnAcknowledge(const Frame& frame);

    /// A deadline has come. @param now tick @return what follows
    Outcome OnTimer(int64_t now);

    /// @return when OnTimer() is due, ticks, or RDMA_NEVER
    int64_t Deadline() const;

    /// @return when the packet in flight that was sent first has left, ticks; RDMA_NEVER: there is
    /// none
    int64_t WaitsSince() const;

    /// All planes are out of service, or one is again: while none is, unsent packets run into
    /// timeouts as sent ones do. @param blocked whether all are out @param now tick
    void SetBlocked(bool blocked, int64_t now);

    /// Report all requests that are complete to the sink. @param now tick
    void Complete(int64_t now);

    /// End all requests: the oldest with a status, the others as FLUSHED. @param status of the
    /// oldest @param now tick
    void Fail(RdmaStatus status, int64_t now);

    // ---- state

    /// @return whether a request is incomplete
    bool IsBusy() const
    {
        return !m_requests.IsEmpty();
    }

    /// @return nominal bytes that are sent, and neither received nor taken for lost
    uint64_t InFlight() const
    {
        return m_inFlight > 0 ? m_inFlight : 0;
    }

    /// @return first PSN that is not acknowledged
    int64_t GetUnacked() const
    {
        return m_unacked;
    }

    /// @return PSN of the next new packet
    int64_t GetNext() const
    {
        return m_next;
    }

    /// @return timeouts since the last progress
    uint32_t GetRetries() const
    {
        return m_retries;
    }

    /// Set the packets of LossRule THRESHOLD, which follow the window. @param packets how many
    void SetReorderThreshold(uint32_t packets)
    {
        m_threshold = packets;
    }

  private:
    /// How far a packet has come.
    enum State : uint8_t
    {
        SENT,    //!< in flight
        LOST,    //!< to be sent again
        RECEIVED //!< a SACK has told so
    };

    /// A packet from m_unacked on.
    struct Record
    {
        int64_t sentAt;      //!< when it was sent last, ticks
        uint64_t order;      //!< of its last transmission among all
        uint32_t nominal;    //!< bytes
        uint16_t ev;         //!< of its last transmission
        uint16_t blamedEv;   //!< of the transmission before that, taken for lost; NONE: none was
        uint8_t plane;       //!< of its last transmission
        uint8_t blamedPlane; //!< that of blamedEv
        uint8_t times;       //!< transmissions
        State state;
    };

    /// A transmission in the order of sending.
    struct Transmission
    {
        int64_t psn;
        uint64_t order;
    };

    /// A packet that a SACK has told of, before what follows from that is looked at.
    struct Arrival
    {
        uint64_t order;
        uint16_t ev;
        uint8_t plane;
        bool isRepeat;
    };

    /// @param psn a PSN in flight @return its record
    Record& At(int64_t psn)
    {
        return m_records[psn & (m_capacity - 1)];
    }

    /// @copydoc At()
    const Record& At(int64_t psn) const
    {
        return m_records[psn & (m_capacity - 1)];
    }

    /// @param psn a PSN @return whether it has a record
    bool IsOpen(int64_t psn) const
    {
        return psn >= m_unacked && psn < m_next;
    }

    /// @return whether a transmission is the last of its packet, and in flight
    bool IsInFlight(const Transmission& transmission) const;
    /// @param window limit of nominal bytes in flight @return whether one more packet fits
    bool Fits(uint64_t window) const;
    /// @return whether a new packet may be sent, the window aside
    bool HasNew() const;
    /// @return the next PSN to be sent again, or m_next
    int64_t NextPsn() const;
    /// @param plane a plane @param ev its value @param isRepeat whether packets were sent before
    /// @return transmissions with that value in the order of sending
    RdmaRing<Transmission>& PathOf(uint32_t plane, uint16_t ev, bool isRepeat);
    /// @param wire 24 bits @return the PSN that is meant
    int64_t Extend(uint64_t wire) const;
    /// All packets up to a PSN have arrived. @param cack the PSN
    void Advance(int64_t cack);
    /// A packet has arrived. @param psn its PSN @param isOfRepeat whether its last transmission is
    /// known to be the one that has
    void NoteArrival(int64_t psn, bool isOfRepeat);
    /// Packets of fewer PSNs that SACKs have passed by are lost (THRESHOLD).
    /// @param outcome gets what follows
    void ApplyThreshold(Outcome& outcome);
    /// Packets that were sent before one of m_arrivals with the same value are lost (PER_EV).
    /// @param outcome gets what follows
    void ApplyPerEv(Outcome& outcome);
    /// If no packet is unacknowledged, nothing is in flight. @param outcome gets what SACKs have
    /// not told of
    void NoteAllReceived(Outcome& outcome);
    /// Take a packet in flight for lost. @param psn its PSN @param outcome gets its bytes
    void NoteLost(int64_t psn, Outcome& outcome);
    /// A packet must be sent again. @param psn its PSN
    void Repeat(int64_t psn);
    /// A packet that was taken for lost has arrived. @param record its record
    void NoteSpurious(Record& record);
    /// Forget the oldest transmissions that are not in flight.
    void DropSent();
    /// @return time until a packet is taken for lost, ticks
    int64_t Patience() const;

    const RdmaEnd& m_end;
    const MrcTerms& m_terms;
    MrcCounters& m_counters;
    std::vector<MrcPlaneEvs>& m_planes;
    RdmaRequestList m_requests;   //!< oldest first
    RdmaRing<uint16_t> m_rqMsns;  //!< of these, numbers of WRITE_IMMs
    uint64_t m_completed{0};      //!< requests before these
    uint16_t m_immediates{0};     //!< WRITE_IMMs posted
    uint32_t m_openImmediates{0}; //!< WRITE_IMMs begun and not complete
    uint32_t m_cursor{0};         //!< index of the request of m_next

    int64_t m_next{0};         //!< GetNext()
    int64_t m_unacked{0};      //!< GetUnacked()
    int64_t m_inFlight{0};     //!< InFlight(); for a moment below zero, as SACKs round up
    uint32_t m_received{0};    //!< nominal bytes that SACKs have told of, units of 256, mod 2^24
    uint64_t m_newBytes{0};    //!< nominal bytes of all new packets so far
    uint64_t m_order{0};       //!< transmissions so far
    uint32_t m_outstanding{0}; //!< records that are SENT
    uint32_t m_lost{0};        //!< records that are LOST
    int64_t m_firstLost{0};    //!< no record before this is LOST
    int64_t m_edge{0};         //!< THRESHOLD has judged all PSNs before this
    int64_t m_above{0};        //!< RECEIVED records from m_edge on
    uint32_t m_threshold;      //!< packets of THRESHOLD
    uint32_t m_retries{0};     //!< GetRetries()
    int64_t m_countedAt{0};    //!< when a timeout was counted last, or when m_blocked began
    bool m_blocked{false};     //!< SetBlocked()
    uint32_t m_capacity;       //!< records, a power of two
    std::unique_ptr<Record[]> m_records; //!< null: nothing was sent yet
    RdmaRing<Transmission> m_sent;       //!< in the order of sending: for the timer
    std::vector<std::vector<RdmaRing<Transmission>>> m_paths; //!< PathOf(), plane by plane
    std::vector<Arrival> m_arrivals;                          //!< of the SACK that is looked at
};

} // namespace ns3

#endif // LOSSLESS_MRC_REQUESTER_H
