// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_VERBS_H
#define LOSSLESS_RDMA_VERBS_H

#include "ns3/counter-fields.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/// @ingroup lossless
/// What a work request asks for (InfiniBand architecture 9.4).
enum class RdmaVerb : uint8_t
{
    WRITE,     //!< write to remote memory; the remote application is not told by the transport
    WRITE_IMM, //!< the same, and consume a posted receive at its end
    SEND,      //!< into a posted receive
    SEND_IMM,  //!< the same, with immediate data
    READ       //!< read remote memory
};

/// @ingroup lossless
/// How a work request ended.
enum class RdmaStatus : uint8_t
{
    SUCCESS,            //!< acknowledged; for a READ: all data arrived
    RETRY_EXCEEDED,     //!< no answer to RetryLimit retransmissions
    RNR_RETRY_EXCEEDED, //!< the receiver had no receive posted, RnrRetryLimit times
    REMOTE_INVALID,     //!< the responder refused the request
    FLUSHED             //!< the queue pair was closed or failed before its turn came
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

/// @ingroup lossless
/// A message to be sent or fetched.
struct RdmaWorkRequest
{
    RdmaVerb verb{RdmaVerb::WRITE}; //!< what to do
    uint64_t bytes{0};              //!< length of the message, 0 .. 2^40
    uint64_t remoteAddress{0};      //!< remote virtual address (WRITE, READ)
    uint32_t remoteKey{0};          //!< remote key (WRITE, READ)
    uint32_t immediate{0};          //!< immediate data (WRITE_IMM, SEND_IMM)
    uint64_t id{0};                 //!< chosen by the user; 0: the queue pair numbers it
};

/// @ingroup lossless
/// The end of a work request at the requester, or of a message at the responder.
struct RdmaCompletion
{
    /// At the requester: RdmaWorkRequest::id, or the number given by Post(). At the responder:
    /// how many messages of the peer were executed before this one, so that the k-th request
    /// posted there (from 0, READs counted) is the one with id k here.
    uint64_t id{0};
    RdmaVerb verb{RdmaVerb::WRITE};         //!< of the request
    RdmaStatus status{RdmaStatus::SUCCESS}; //!< how it ended
    uint32_t immediate{0};                  //!< immediate data
    uint64_t bytes{0};                      //!< length of the message
    Time posted;    //!< requester: when it was posted; responder: first packet arrived
    Time firstSent; //!< requester: first packet pulled by the NIC; responder: as posted
    Time completed; //!< requester: last PSN acknowledged, or last response arrived, or failure;
                    //!< responder: last packet arrived
};

/// @ingroup lossless
/// Counters of a NIC; every queue pair of it adds to them.
struct RdmaCounters
{
    uint64_t dataPackets{0};       //!< data packets sent, retransmissions and responses included
    uint64_t dataHops{0};          //!< links crossed by the data packets received
    uint64_t retransmitted{0};     //!< of these: sent before
    uint64_t acksSent{0};          //!< ACKs sent
    uint64_t acksReceived{0};      //!< ACKs received
    uint64_t naksSent{0};          //!< PSN sequence error and other NAKs sent
    uint64_t naksReceived{0};      //!< the same, received
    uint64_t rnrNaksSent{0};       //!< receiver-not-ready NAKs sent
    uint64_t rnrNaksReceived{0};   //!< the same, received
    uint64_t cnpsSent{0};          //!< CNPs sent
    uint64_t cnpsReceived{0};      //!< CNPs received
    uint64_t markedReceived{0};    //!< data packets received with CE
    uint64_t outOfOrder{0};        //!< data packets received beyond a gap; dropped, or kept if the
                                   //!< loss recovery says so
    uint64_t duplicates{0};        //!< data packets received before
    uint64_t timeouts{0};          //!< retransmission timeouts
    uint64_t payloadDelivered{0};  //!< payload bytes received in order, each counted once
    uint64_t messagesCompleted{0}; //!< work requests completed with success
    uint64_t messagesFailed{0};    //!< work requests completed otherwise

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
        visit(&C::retransmitted,
              {"retransmitted", "frames", "data packets sent that had been sent before"});
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
        visit(&C::duplicates,
              {"duplicates", "frames", "data packets received that had been received before"});
        visit(&C::timeouts, {"timeouts", "timeouts", "retransmission timeouts"});
        visit(&C::payloadDelivered,
              {"payload_delivered", "bytes", "payload received in order, each byte counted once"});
        visit(&C::messagesCompleted,
              {"messages_completed", "messages", "work requests completed with success"});
        visit(&C::messagesFailed,
              {"messages_failed", "messages", "work requests completed otherwise"});
    }
};

static_assert(AreAllCountersVisited<RdmaCounters>(), "each counter has a line in ForEach()");

/// @ingroup lossless
/// Who is told of completions; a queue pair, or a test.
class RdmaCompletionSink
{
  public:
    virtual ~RdmaCompletionSink() = default;

    /// A work request of ours ended. @param completion how
    virtual void RequestCompleted(const RdmaCompletion& completion) = 0;

    /// A message of the peer was received or, for a READ, executed. @param completion what
    virtual void MessageReceived(const RdmaCompletion& completion) = 0;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_VERBS_H
