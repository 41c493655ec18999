// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_PAUSES_H
#define LOSSLESS_PATH_PAUSES_H

#include "message-network.h"
#include "queue-pair-network.h"
#include "tick-spans.h"

#include "ns3/callback-guard.h"
#include "ns3/fabric.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * When PFC paused the ports by which queue pairs of ranks send: those of hosts and switches on
 * their paths, as these are when it begins to look, in the class of the queue pairs at their host.
 * It changes no result. Any number of threads may run the fabric; ask between its windows.
 */
class PathPauses
{
  public:
    /// What PFC did to some ports between two times.
    struct Sum
    {
        uint64_t xoffFrames{0}; //!< XOFF frames that were sent to them, refreshes included
        int64_t paused{0};      //!< ticks that they were paused, added
    };

    /// Look from now on. @param fabric where @param network whose queue pairs
    PathPauses(const Fabric& fabric, const QueuePairNetwork& network);
    PathPauses(const PathPauses&) = delete;
    PathPauses& operator=(const PathPauses&) = delete;

    /// @param spans get the times between two others in which a port on the way from the first rank
    /// to the second was paused @param pair of ranks @param begin tick @param end tick
    void AddTo(TickSpans& spans,
               const MessageNetwork::Pair& pair,
               int64_t begin,
               int64_t end) const;

    /// @param begin tick @param end tick @return what PFC did to all ports of all paths
    Sum GetSum(int64_t begin, int64_t end) const;

    /// @param rank which @param begin tick @param end tick
    /// @return what PFC did to the ports of its host by which it sends
    Sum GetSumOf(uint32_t rank, int64_t begin, int64_t end) const;

    /// Nobody will ask about what ended before a time. @param tick the time
    void Forget(int64_t tick);

  private:
    /// A class of a port that is on a path.
    struct Port
    {
        TickSpans pauses;           //!< in order; an end of -1: it lasts
        std::vector<int64_t> xoffs; //!< when the other end has sent one
    };

    /// @param node of a port @param port it @param cls class @return its index in m_ports
    std::size_t Look(NodeId node, uint32_t port, uint32_t cls);
    /// A class of a port was paused or opened. @param port it @param paused which
    static void PauseChanged(Port& port, bool paused);
    /// @param port a port @param begin tick @param end tick @param sum gets what PFC did to it
    static void AddTo(Sum& sum, const Port& port, int64_t begin, int64_t end);

    Fabric m_fabric;
    std::vector<std::unique_ptr<Port>> m_ports;
    std::map<std::pair<std::pair<uint32_t, uint32_t>, uint32_t>, std::size_t> m_index; //!< of ports
    std::map<MessageNetwork::Pair, std::vector<std::size_t>> m_paths; //!< of all queue pairs
    std::map<uint32_t, std::vector<std::size_t>> m_nics;              //!< by rank
    CallbackGuard m_guard;                                            //!< of traces
};

} // namespace ns3

#endif // LOSSLESS_PATH_PAUSES_H
