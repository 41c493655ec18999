// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_RECOVERIES_H
#define LOSSLESS_PATH_RECOVERIES_H

#include "message-network.h"
#include "queue-pair-network.h"
#include "tick-spans.h"

#include "ns3/callback-guard.h"
#include "ns3/fabric.h"
#include "ns3/rdma-queue-pair.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * When queue pairs of ranks recovered from loss, so that what they sent was sent for nothing, or
 * they waited.
 *
 * Where a NAK tells of the loss, from about when the packet was sent that is lost: as long before
 * as the packets take that are thrown away, and at least a round trip of an idle path. Where the
 * timer tells of it, from when the queue pair heard something last. In both cases until it goes
 * back. It changes no result. Any number of threads may run the fabric; ask between its windows.
 */
class PathRecoveries
{
  public:
    /// Look from now on. @param fabric where @param network whose queue pairs; must outlive this
    PathRecoveries(const Fabric& fabric, const QueuePairNetwork& network);
    PathRecoveries(const PathRecoveries&) = delete;
    PathRecoveries& operator=(const PathRecoveries&) = delete;

    /// @param spans get the times between two others in which a queue pair from the first rank to
    /// the second recovered @param pair of ranks @param begin tick @param end tick
    void AddTo(TickSpans& spans,
               const MessageNetwork::Pair& pair,
               int64_t begin,
               int64_t end) const;

    /// Nobody will ask about what ended before a time. @param tick the time
    void Forget(int64_t tick);

  private:
    /// A queue pair has gone back.
    struct Recovery
    {
        int64_t at;       //!< when, tick
        int64_t since;    //!< of what the timer told: when it heard something last; else the same
        uint64_t packets; //!< by so many
    };

    /// By queue pair, those of a host; only its events add to it.
    using OfHost = std::map<const RdmaQueuePair*, std::vector<Recovery>>;

    const QueuePairNetwork& m_network;
    std::vector<std::unique_ptr<OfHost>> m_hosts; //!< by host; null: no rank is there
    CallbackGuard m_guard;                        //!< of traces
};

} // namespace ns3

#endif // LOSSLESS_PATH_RECOVERIES_H
