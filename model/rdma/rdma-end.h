// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_END_H
#define LOSSLESS_RDMA_END_H

#include "rdma-connection.h"
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
/// What the two halves of a queue pair share: it belongs to the queue pair, or to a test.
struct RdmaEnd
{
    RdmaConnection connection;      //!< what is fixed
    Ptr<RdmaLossRecovery> recovery; //!< where to start again after a loss
    /// What was sent, if only lost packets are sent again; null: all from the restart point on is.
    std::unique_ptr<RdmaSelectiveSender> sender;
    /// What came out of order, if that is kept; null: it is dropped.
    std::unique_ptr<RdmaSelectiveReceiver> receiver;
    RdmaCounters* counters{nullptr};   //!< of the NIC
    RdmaCompletionSink* sink{nullptr}; //!< who is told of completions
};

/// AETH syndromes (InfiniBand architecture 9.7).
namespace aeth
{
constexpr uint8_t ACK = 0x1f;          //!< ACK without credit information
constexpr uint8_t RNR = 0x20;          //!< RNR NAK; the low five bits are the timer code
constexpr uint8_t NAK_SEQUENCE = 0x60; //!< PSN sequence error
constexpr uint8_t NAK_INVALID = 0x61;  //!< invalid request
constexpr uint8_t TYPE_MASK = 0xe0;    //!< which of the three kinds
constexpr uint8_t VALUE_MASK = 0x1f;   //!< its value
} // namespace aeth

} // namespace ns3

#endif // LOSSLESS_RDMA_END_H
