// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_END_H
#define LOSSLESS_RDMA_END_H

#include "rdma-connection.h"
#include "rdma-entropy.h"
#include "rdma-late-completions.h"
#include "rdma-loss-recovery.h"
#include "rdma-selective-recovery.h"
#include "rdma-verbs.h"

#include "ns3/ptr.h"

#include <cstdint>
#include <limits>
#include <memory>

namespace ns3
{

/// @ingroup lossless
/// No deadline.
constexpr int64_t RDMA_NEVER = std::numeric_limits<int64_t>::max();

/// @ingroup lossless
/// What few queue pairs have: times that host and NIC need, ticks, and entropy values.
struct RdmaHostTimes
{
    int64_t txTicks{0};  //!< before the first bit of a message or READ response
    int64_t rxTicks{0};  //!< from the last bit of a message, or its answer, to the completion
    int64_t gapTicks{0}; //!< between two messages of the queue pair, beside the line
    int64_t gapEnd{0};   //!< when the gap behind the last message ends: the requester keeps it here
    Ptr<RdmaLateCompletions> late; //!< with rxTicks: what the host has not seen yet; else null
    Ptr<RdmaEntropy> entropy;      //!< RdmaEnd::Entropy()

    /// @return whether the NIC may keep a message from leaving
    bool HoldMessages() const
    {
        return txTicks > 0 || gapTicks > 0;
    }
};

/// @ingroup lossless
/// State that requester and responder of a queue pair share. The queue pair, or a test, owns it.
struct RdmaEnd
{
    RdmaConnection connection;            //!< fixed parameters
    RdmaCounters* counters{nullptr};      //!< counters of the NIC
    std::unique_ptr<RdmaHostTimes> times; //!< null: it has nothing of that
    /// Tracks sent packets, if the policy resends only lost packets; null: the policy goes back.
    std::unique_ptr<RdmaSelectiveSender> sender;
    /// Keeps packets that arrive out of order; null: such packets are dropped.
    std::unique_ptr<RdmaSelectiveReceiver> receiver;
    RdmaCompletionSink* sink{nullptr}; //!< receives completions
    Ptr<RdmaLossRecovery> recovery;    //!< loss recovery policy

    /// @return entropy values of data packets; null: all packets have the UDP port of the
    /// connection
    RdmaEntropy* Entropy() const
    {
        return times ? PeekPointer(times->entropy) : nullptr;
    }
};

/// AETH syndromes (InfiniBand architecture 9.7).
namespace aeth
{
constexpr uint8_t ACK = 0x1f;          //!< ACK without credit information
constexpr uint8_t RNR = 0x20;          //!< RNR NAK; the low five bits are the timer code
constexpr uint8_t NAK_SEQUENCE = 0x60; //!< PSN sequence error
constexpr uint8_t NAK_INVALID = 0x61;  //!< invalid request
constexpr uint8_t TYPE_MASK = 0xe0;    //!< mask of the kind: ACK, RNR NAK or NAK
constexpr uint8_t VALUE_MASK = 0x1f;   //!< mask of the value
} // namespace aeth

} // namespace ns3

#endif // LOSSLESS_RDMA_END_H
