// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TIMED_REHEARSAL_H
#define LOSSLESS_TIMED_REHEARSAL_H

#include "collective.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Runs all parts of a collective by the clock, on a network that is idle but for them: how long it
 * takes at best. All ranks come to it at once. Messages that leave by the same link go one after
 * another, and so do those that arrive by the same link; between these links nothing is in the way.
 */
class TimedRehearsal
{
  public:
    /// A message where nothing else is under way, ticks.
    struct Alone
    {
        int64_t delivery{0};   //!< from posting to arrival
        int64_t completion{0}; //!< from posting until its sender knows
        int64_t occupation{0}; //!< for which it keeps the link by which it leaves, and the other
        uint64_t egress{0};    //!< number of the link by which it leaves
        uint64_t ingress{0};   //!< number of the link by which it arrives
    };

    /// What carries messages, and adds up what has arrived.
    struct World
    {
        /// @param source position @param destination position @param channel of the message
        /// @param bytes of the message @return how long it takes
        std::function<
            Alone(uint32_t source, uint32_t destination, uint32_t channel, uint64_t bytes)>
            alone;
        /// @param bytes that are reduced @return ticks that it takes; empty: none
        std::function<int64_t(uint64_t bytes)> reduction;
        /// Bytes by which a receiver tells a sender to send, which waits for that; 0: it sends at
        /// once.
        uint64_t readyBytes{0};
    };

    /// @param algorithm of the collective, which CollectiveRehearsal has found right
    /// @param shapes of the collective, one for each channel; their positions are not read
    /// @param world what carries messages @return ticks from the begin to the end of the last rank
    static int64_t Run(const CollectiveAlgorithm& algorithm,
                       const std::vector<CollectiveShape>& shapes,
                       const World& world);

  private:
    class Stage;
};

} // namespace ns3

#endif // LOSSLESS_TIMED_REHEARSAL_H
