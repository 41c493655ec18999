// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEADLOCK_H
#define LOSSLESS_DEADLOCK_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A buffer that waits in a deadlock: that of a class at an ingress port.
struct BufferVertex
{
    uint32_t switchIndex{0};  //!< number of the switch, in the order of DeadlockDetector::Add()
    uint32_t port{0};         //!< ingress port
    uint32_t trafficClass{0}; //!< ingress class
};

/// @ingroup lossless
/// One direction of a flow with frames stuck in a deadlock: a flow whose data and whose answers are
/// stuck has two.
struct DeadlockFlow
{
    std::string source;        //!< address
    std::string destination;   //!< address
    uint32_t destinationQp{0}; //!< destination queue pair; 0: not RDMA
    uint16_t udpPort{0}; //!< UDP source port, the same in both directions, of flows with entropy
                         //!< values that of some packet; 0: not RDMA
    bool hasData{false}; //!< among the frames are data, not answers alone
    uint64_t frames{0};  //!< number of its stuck frames
};

/// @ingroup lossless
/// A deadlock that DeadlockDetector has found.
struct Deadlock
{
    Time time;                       //!< when it was found
    Time end{Time(-1)};              //!< when it was found broken; negative: not broken
    std::vector<BufferVertex> cycle; //!< a shortest cycle, each vertex waits for the next
    uint32_t vertices{0}; //!< number of vertices that wait for each other, the cycle included
    std::vector<DeadlockFlow> flows; //!< by direction, sorted by address and queue pair
    uint64_t frames{0};              //!< frames stuck in the queues between these vertices
    uint32_t flushedQueues{0};       //!< queues flushed to break it (action Drain)
    uint64_t flushedFrames{0};       //!< frames flushed to break it

    /// @return whether it has been broken
    bool IsOver() const
    {
        return !end.IsNegative();
    }
};

} // namespace ns3

#endif // LOSSLESS_DEADLOCK_H
