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
 * When queue pairs of ranks lost time by loss: from when the first packet that they send again was
 * sent first until they go back to it, and as long as the link of their port was cut. A message
 * that was posted behind such a packet waits until all of them have been sent again, too; it loses
 * no more than what the queue pair has lost. It changes no result. Any number of threads may run
 * the fabric; ask between its windows.
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
        int64_t since;    //!< when the first packet that it sends again was sent
        uint64_t packets; //!< by so many
    };

    /// What a host has seen; only its events add to it.
    struct OfHost
    {
        std::map<const RdmaQueuePair*, std::vector<Recovery>> recoveries; //!< by queue pair
        std::vector<TickSpans> cuts; //!< by port: its link was down; an end of -1: it is
    };

    /// The link of a port went down or up. @param cuts of the port @param isUp whether it is up
    static void LinkChanged(TickSpans& cuts, bool isUp);

    const QueuePairNetwork& m_network;
    std::vector<std::unique_ptr<OfHost>> m_hosts; //!< by host; null: no rank is there
    CallbackGuard m_guard;                        //!< of traces
};

} // namespace ns3

#endif // LOSSLESS_PATH_RECOVERIES_H
