// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_TRACE_H
#define LOSSLESS_JOB_TRACE_H

#include "message-log.h"

#include "ns3/job-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What one rank did in one iteration, and why then: each operation and each message points to what
 * it waited for last. Times are ticks of the simulation.
 */
struct RankTrace
{
    static constexpr uint32_t NONE = 0xffffffff; //!< a cause: the begin of the iteration

    /// @param operation index of an operation @return the cause that is its end or its start
    static uint32_t CauseOf(uint32_t operation)
    {
        return operation << 1;
    }

    /// @param message index of a message received @return the cause that is its arrival
    static uint32_t CauseOfMessage(uint32_t message)
    {
        return message << 1 | 1;
    }

    /// @param cause not NONE @return whether it is the arrival of a message
    static bool IsMessage(uint32_t cause)
    {
        return cause & 1;
    }

    /// @param cause not NONE @return index of the operation or message
    static uint32_t IndexOf(uint32_t cause)
    {
        return cause >> 1;
    }

    /// When an operation ran.
    struct Operation
    {
        int64_t start{-1};         //!< tick; -1: not yet
        int64_t end{-1};           //!< tick; -1: not yet
        uint32_t startCause{NONE}; //!< end of an operation of this rank
        uint32_t endCause{NONE};   //!< message that ended it; NONE: it ended by itself
    };

    int64_t begin{0};                  //!< of the iteration on this rank
    int64_t end{0};                    //!< likewise
    std::vector<Operation> operations; //!< by index in the graph
    MessageLog messages;               //!< received
    int64_t calc{0};                   //!< time in which it computed
    int64_t exposed{0};                //!< time in which it communicated and did not compute
    uint64_t sentBytes{0};             //!< payload posted
    uint64_t receivedBytes{0};         //!< payload taken
    uint64_t sentMessages{0};          //!< posted
};

/// @ingroup lossless
/// One rank's part of a collective has ended.
struct CollectiveEnd
{
    uint32_t group{0};     //!< its number
    uint64_t number{0};    //!< how many collectives of the group came before, in all iterations
    uint32_t iteration{0}; //!< from 0
    uint32_t rank{0};      //!< whose part
    uint32_t operation{0}; //!< its index in the graph of the rank
    int64_t start{0};      //!< tick
    int64_t end{0};        //!< tick
};

} // namespace ns3

#endif // LOSSLESS_JOB_TRACE_H
