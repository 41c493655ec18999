// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONNECTION_IDEAL_H
#define LOSSLESS_CONNECTION_IDEAL_H

#include "ns3/ideal-fct.h"
#include "ns3/rdma-verbs.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * How long messages between two ranks on two hosts take at least, where nothing else is under way:
 * as a whole by one queue pair, or in pieces by several of them, which may use several ports. No
 * order of their packets is faster.
 */
class ConnectionIdeal
{
  public:
    /// Queue pairs between the same ports.
    struct Way
    {
        IdealFct fct;      //!< how long messages take that way
        uint64_t lines{0}; //!< how many queue pairs
    };

    /// What a message is cut into.
    struct Pieces
    {
        uint64_t count{1}; //!< how many, 1 or more
        uint64_t bytes{0}; //!< of each, at least
        uint64_t last{0};  //!< of the last one, likewise; no more than of the others
    };

    /// @param ways of the connection, one or more @param verb of its messages
    ConnectionIdeal(std::vector<Way> ways, RdmaVerb verb);

    /// @param pieces that are posted at once, to one queue pair after another
    /// @return ticks until the last byte of the last one has arrived
    int64_t Delivery(const Pieces& pieces) const;

    /// @param pieces likewise, which another GPU of the host gets first, one after another
    /// @param within ticks that a piece of some bytes takes there @param latency ticks that each of
    /// them is later there @return ticks until the last byte of the last one has arrived
    int64_t DeliveryByProxy(const Pieces& pieces,
                            const std::function<int64_t(uint64_t)>& within,
                            int64_t latency) const;

    /// @param pieces of a message @return ticks from the last arrival until its sender knows
    int64_t Answer(const Pieces& pieces) const;

    /// @param visit what is asked of a way @return the least answer of all ways
    int64_t Least(const std::function<int64_t(const IdealFct&)>& visit) const;

  private:
    std::vector<Way> m_ways;
    RdmaVerb m_verb;
    uint64_t m_lines{0}; //!< queue pairs of all ways
};

} // namespace ns3

#endif // LOSSLESS_CONNECTION_IDEAL_H
