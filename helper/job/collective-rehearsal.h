// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COLLECTIVE_REHEARSAL_H
#define LOSSLESS_COLLECTIVE_REHEARSAL_H

#include "collective.h"

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
 * Runs all parts of a collective at once and without time: before a job begins it is known who
 * sends to whom, and that each message finds its receive.
 */
class CollectiveRehearsal
{
  public:
    /// Messages of a collective on a channel, so that a rehearsal takes a minute and some GB at
    /// most.
    static constexpr uint64_t MOST_MESSAGES = uint64_t{1} << 24;

    /// FabricError if the algorithm cannot do the collective, if it needs more than
    /// MOST_MESSAGES, if a message and its receive differ
    /// in length, or if one is left without the other. @param algorithm of the collective
    /// @param shape of the collective; its position is not read
    CollectiveRehearsal(const CollectiveAlgorithm& algorithm, const CollectiveShape& shape);

    /// What a rank sends to another one.
    struct Sent
    {
        uint64_t messages{0}; //!< how many
        uint64_t bytes{0};    //!< of all
        uint64_t longest{0};  //!< bytes of the longest
    };

    /// @return who sends what to whom: by positions of the source and the destination
    const std::map<std::pair<uint32_t, uint32_t>, Sent>& GetPairs() const
    {
        return m_pairs;
    }

    /// @return messages of all ranks
    uint64_t GetMessages() const
    {
        return m_messages;
    }

    /// @param position of a rank @return bytes that it sends
    uint64_t GetBytes(uint32_t position) const
    {
        return m_bytes[position];
    }

  private:
    class Stage;

    /// Rehearse parts that are chains of steps (SteppedPart::IsChain()): what is sent in a step is
    /// received in it, and no step waits for anything else. So it is enough to look at each step.
    /// @param parts by position @return whether they are that, and do so; else nothing is known
    bool RehearseChains(const std::vector<std::unique_ptr<CollectivePart>>& parts);

    std::map<std::pair<uint32_t, uint32_t>, Sent> m_pairs;
    uint64_t m_messages{0};
    std::vector<uint64_t> m_bytes; //!< by position
};

} // namespace ns3

#endif // LOSSLESS_COLLECTIVE_REHEARSAL_H
