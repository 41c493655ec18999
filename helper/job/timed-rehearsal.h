// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TIMED_REHEARSAL_H
#define LOSSLESS_TIMED_REHEARSAL_H

#include "collective.h"
#include "link-loads.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Runs all parts of a collective by the clock, on a network where nothing is in the way of a
 * message but what its pair has sent before: how long the collective takes at least. All ranks come
 * to it at once.
 *
 * No schedule of packets is faster than the longest of two things. One is the longest chain of
 * messages that wait for each other, each as long as alone. The other is, of each link of a host or
 * a GPU, and for each moment, the time that all messages take there which can not be there before.
 */
class TimedRehearsal
{
  public:
    /// A message where nothing else is under way, ticks.
    struct Alone
    {
        int64_t delivery{0};    //!< from posting to arrival
        int64_t completion{0};  //!< from posting until its sender knows
        LinkLoads::Loads loads; //!< what it does to links
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
        /// @param source position that waits until it is told that its message is wanted
        /// @param destination position that tells it @param channel of the message
        /// @return how long that takes; empty: messages do not wait for that
        std::function<Alone(uint32_t source, uint32_t destination, uint32_t channel)> ready;
    };

    /// @param algorithm of the collective, which CollectiveRehearsal has found right
    /// @param shapes of the collective, one for each channel; their positions are not read
    /// @param world what carries messages @return ticks from the begin to the end of the last rank
    static int64_t Run(const CollectiveAlgorithm& algorithm,
                       const std::vector<CollectiveShape>& shapes,
                       const World& world);

  private:
    class Stage;
    class Chains;
};

} // namespace ns3

#endif // LOSSLESS_TIMED_REHEARSAL_H
