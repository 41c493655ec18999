// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_VERBS_H
#define LOSSLESS_RDMA_VERBS_H

#include "ns3/counter-fields.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <cstdint>
#include <ostream>

namespace ns3
{

/// @ingroup lossless
/// Operation of a work request (InfiniBand architecture 9.4).
enum class RdmaVerb : uint8_t
{
    WRITE,     //!< write to remote memory, without a completion at the responder
    WRITE_IMM, //!< WRITE that consumes a posted receive at the responder
    SEND,      //!< send into a posted receive
    SEND_IMM,  //!< SEND with immediate data
    READ       //!< read remote memory
};

/// @ingroup lossless
/// How a work request ended.
enum class RdmaStatus : uint8_t
{
    SUCCESS,            //!< acknowledged; READ: all responses have arrived
    RETRY_EXCEEDED,     //!< no answer to RetryLimit retransmissions
    RNR_RETRY_EXCEEDED, //!< the responder had no receive posted, RnrRetryLimit times in succession
    REMOTE_INVALID,     //!< the responder refused the request
    FLUSHED             //!< the queue pair was closed or failed before the request completed
};

/// @param verb a verb @return its name, such as "WRITE_IMM"
const char* ToString(RdmaVerb verb);

/// @param status a status @return its name, such as "RETRY_EXCEEDED"
const char* ToString(RdmaStatus status);

/// Prints ToString(verb). @param os where to @param verb a verb @return os
inline std::ostream&
operator<<(std::ostream& os, RdmaVerb verb)
{
    return os << ToString(verb);
}

/// Prints ToString(status). @param os where to @param status a status @return os
inline std::ostream&
operator<<(std::ostream& os, RdmaStatus status)
{
    return os << ToString(status);
}

/// @param verb a verb @return whether a message of it takes a receive that its peer has posted
inline bool
TakesReceive(RdmaVerb verb)
{
    return verb == RdmaVerb::SEND || verb == RdmaVerb::SEND_IMM || verb == RdmaVerb::WRITE_IMM;
}

/// @param verb a verb @return whether a message of it carries immediate data
inline bool
HasImmediate(RdmaVerb verb)
{
    return verb == RdmaVerb::SEND_IMM || verb == RdmaVerb::WRITE_IMM;
}

/// @ingroup lossless
/// A work request: a message to send, write or read.
struct RdmaWorkRequest
{
    RdmaVerb verb{RdmaVerb::WRITE}; //!< the operation
    uint64_t bytes{0};              //!< length of the message, 0 .. 2^40
    uint64_t remoteAddress{0};      //!< remote virtual address (WRITE, READ)
    uint32_t remoteKey{0};          //!< remote key (WRITE, READ)
    uint32_t immediate{0};          //!< immediate data (WRITE_IMM, SEND_IMM)
    uint64_t id{0}; //!< identifier chosen by the user; 0: the queue pair assigns one
};

/// @ingroup lossless
/// The end of a work request at the requester, or of a message at the responder.
struct RdmaCompletion
{
    /// At the requester: RdmaWorkRequest::id, or the number that Post() returned. At the responder:
    /// number of messages of the peer that were executed before this one, READs included. The k-th
    /// request posted at the peer, counted from 0, thus has id k here.
    uint64_t id{0};
    RdmaVerb verb{RdmaVerb::WRITE};         //!< verb of the request
    RdmaStatus status{RdmaStatus::SUCCESS}; //!< how it ended
    uint32_t immediate{0};                  //!< immediate data
    uint64_t bytes{0};                      //!< length of the message
    Time posted;    //!< requester: when the request was posted; responder: first packet arrived
    Time firstSent; //!< requester: first packet sent; responder: same as posted
    Time completed; //!< requester: last PSN acknowledged, or last response arrived, or failure;
                    //!< responder: last packet arrived
};

/// @ingroup lossless
/// Counters of a NIC, to which all its queue pairs add.
struct RdmaCounters
{
    uint64_t dataPackets{0};       //!< data packets sent, retransmissions and responses included
    uint64_t dataHops{0};          //!< links crossed by the data packets received
    uint64_t retransmitted{0};     //!< data packets sent again
    uint64_t acksSent{0};          //!< ACKs sent
    uint64_t acksReceived{0};      //!< ACKs received
    uint64_t naksSent{0};          //!< PSN sequence error and other NAKs sent
    uint64_t naksReceived{0};      //!< PSN sequence error and other NAKs received
    uint64_t rnrNaksSent{0};       //!< receiver-not-ready NAKs sent
    uint64_t rnrNaksReceived{0};   //!< receiver-not-ready NAKs received
    uint64_t cnpsSent{0};          //!< CNPs sent
    uint64_t cnpsReceived{0};      //!< CNPs received
    uint64_t markedReceived{0};    //!< data packets received with CE
    uint64_t outOfOrder{0};        //!< data packets received beyond a gap; dropped, or kept if the
                                   //!< loss recovery says so
    uint64_t reorderDistance{0};   //!< largest distance of such a packet from the one expected
    uint64_t mostKept{0};          //!< most such packets that a queue pair has kept at once
    uint64_t duplicates{0};        //!< data packets received again
    uint64_t timeouts{0};          //!< retransmission timeouts
    uint64_t payloadDelivered{0};  //!< payload bytes received in order, each counted once
    uint64_t messagesCompleted{0}; //!< work requests completed with success
    uint64_t messagesFailed{0};    //!< work requests completed with an error or flushed

    /// A data packet has come beyond a gap. @param distance its PSN, less the expected one
    void NoteOutOfOrder(uint64_t distance)
    {
        outOfOrder++;
        reorderDistance = std::max(reorderDistance, distance);
    }

    /// Call a visitor with each counter. @param visit called with (member, CounterField)
    template <typename Visit>
    static constexpr void ForEach(Visit&& visit)
    {
        using C = RdmaCounters;
        visit(&C::dataPackets,
              {"data_packets",
               "frames",
               "data packets sent, retransmissions and responses included"});
        visit(&C::dataHops,
              {"data_packet_hops", "frames", "links crossed by the data packets received"});
        visit(&C::retransmitted, {"retransmitted", "frames", "data packets sent again"});
        visit(&C::acksSent, {"acks_sent", "frames", "ACKs sent"});
        visit(&C::acksReceived, {"acks_received", "frames", "ACKs received"});
        visit(&C::naksSent, {"naks_sent", "frames", "PSN sequence error and other NAKs sent"});
        visit(&C::naksReceived,
              {"naks_received", "frames", "PSN sequence error and other NAKs received"});
        visit(&C::rnrNaksSent, {"rnr_naks_sent", "frames", "receiver-not-ready NAKs sent"});
        visit(&C::rnrNaksReceived,
              {"rnr_naks_received", "frames", "receiver-not-ready NAKs received"});
        visit(&C::cnpsSent, {"cnps_sent", "frames", "CNPs sent"});
        visit(&C::cnpsReceived, {"cnps_received", "frames", "CNPs received"});
        visit(&C::markedReceived, {"marked_received", "frames", "data packets received with CE"});
        visit(&C::outOfOrder, {"out_of_order", "frames", "data packets received beyond a gap"});
        visit(&C::reorderDistance,
              {"reorder_distance",
               "packets",
               "largest distance of a data packet received beyond a gap from the one expected",
               CounterField::MAX});
        visit(&C::mostKept,
              {"most_kept",
               "frames",
               "most data packets received beyond a gap that a queue pair has kept at once",
               CounterField::MAX});
        visit(&C::duplicates, {"duplicates", "frames", "data packets received again"});
        visit(&C::timeouts, {"timeouts", "timeouts", "retransmission timeouts"});
        visit(&C::payloadDelivered,
              {"payload_delivered", "bytes", "payload received in order, each byte counted once"});
        visit(&C::messagesCompleted,
              {"messages_completed", "messages", "work requests completed with success"});
        visit(&C::messagesFailed,
              {"messages_failed", "messages", "work requests completed with an error or flushed"});
    }
};

static_assert(AreAllCountersVisited<RdmaCounters>(), "each counter has a line in ForEach()");

/// @ingroup lossless
/// Receives completions: a queue pair, or a test.
class RdmaCompletionSink
{
  public:
    virtual ~RdmaCompletionSink() = default;

    /// A work request posted here ended. @param completion the completion
    virtual void RequestCompleted(const RdmaCompletion& completion) = 0;

    /// A message of the peer was received or, for a READ, executed. @param completion the
    /// completion
    virtual void MessageReceived(const RdmaCompletion& completion) = 0;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_VERBS_H
