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
/// State that requester and responder of a queue pair share. The queue pair, or a test, owns it.
struct RdmaEnd
{
    RdmaConnection connection;      //!< fixed parameters
    Ptr<RdmaLossRecovery> recovery; //!< loss recovery policy
    /// Tracks sent packets, if the policy resends only lost packets; null: the policy goes back.
    std::unique_ptr<RdmaSelectiveSender> sender;
    /// Keeps packets that arrive out of order; null: such packets are dropped.
    std::unique_ptr<RdmaSelectiveReceiver> receiver;
    RdmaCounters* counters{nullptr};   //!< counters of the NIC
    RdmaCompletionSink* sink{nullptr}; //!< receives completions
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
