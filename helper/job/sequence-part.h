// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SEQUENCE_PART_H
#define LOSSLESS_SEQUENCE_PART_H

#include "collective.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A part of a collective that is several parts, one after another. Each may be one of a smaller
 * group. All ranks have the same number of parts, as labels of messages name them.
 */
class SequencePart : public CollectivePart
{
  public:
    /// @param part what comes next @param positions of the ranks of its group; none: it is the same
    void Add(std::unique_ptr<CollectivePart> part, std::vector<uint32_t> positions = {});

    void Start(CollectivePort& port) override;
    void Received(CollectivePort& port, uint32_t from, uint64_t label) override;
    void Sent(CollectivePort& port, uint32_t to, uint64_t label) override;
    bool WaitsToSend() const override;
    uint64_t GetMostMessages() const override;

  private:
    /// One of the parts.
    struct Phase
    {
        std::unique_ptr<CollectivePart> part;
        std::vector<uint32_t> positions; //!< none: they are those of the whole
        uint64_t receives{0};            //!< that it waits for
    };

    class Port;

    /// @param phase one that has begun @return whether it has ended
    static bool HasEnded(const Phase& phase);
    /// @param phase one of the phases @param position in the whole @return in the phase
    static uint32_t PositionIn(const Phase& phase, uint32_t position);

    /// Begin the phases that are due: all up to one that waits for something.
    /// @param port of this rank
    void Go(CollectivePort& port);

    std::vector<Phase> m_phases;
    std::size_t m_begun{0}; //!< how many
};

} // namespace ns3

#endif // LOSSLESS_SEQUENCE_PART_H
