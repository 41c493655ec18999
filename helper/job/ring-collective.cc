// SPDX-License-Identifier: GPL-2.0-only
#include "ring-collective.h"

#include "stepped-part.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RingCollective);

namespace
{

/// One rank's way around the ring.
class RingPart : public SteppedPart
{
  public:
    /// @param shape of the collective @param rounds how many @param chunkBytes in a round;
    /// 0: there is one round @param slices of each chunk
    RingPart(const CollectiveShape& shape, uint64_t rounds, uint64_t chunkBytes, uint32_t slices)
        : SteppedPart(rounds * StepsOf(shape), {slices, 1, false}),
          m_shape(shape),
          m_chunkBytes(chunkBytes),
          m_next(shape.At(1)),
          m_previous(shape.At(-1)),
          m_perRound(StepsOf(shape)),
          m_even(shape.bytes / shape.ranks),
          m_rest(static_cast<uint32_t>(shape.bytes % shape.ranks))
    {
    }

    /// @param shape of a collective @return steps of a round
    static uint64_t StepsOf(const CollectiveShape& shape)
    {
        return (shape.type == CollectiveType::ALL_REDUCE ? 2 : 1) * (shape.ranks - 1);
    }

    bool IsEven() const override
    {
        return m_rest == 0 && m_chunkBytes == 0;
    }

  private:
    Step At(uint64_t step) const override
    {
        // Asked for each message: no division where there is one round.
        const uint64_t round = step < m_perRound ? 0 : step / m_perRound;
        auto back = static_cast<uint32_t>(step - round * m_perRound);
        const uint32_t last = m_shape.ranks - 1;
        const bool reduces = m_shape.type != CollectiveType::ALL_GATHER && back < last;
        if (reduces)
        {
            ++back; // a reduce-scatter begins with the chunk of the rank before
        }
        else if (m_shape.type == CollectiveType::ALL_REDUCE)
        {
            back -= last;
        }
        // 0 to `last`, from this rank
        const uint32_t sends = m_shape.position - back + (back > m_shape.position ? last + 1 : 0);
        const uint32_t receives = sends == 0 ? last : sends - 1;
        return Exchange(m_next,
                        ChunkOf(round, sends),
                        m_previous,
                        ChunkOf(round, receives),
                        reduces);
    }

    /// @param round which @param index of a chunk, below the number of ranks @return its bytes
    uint64_t ChunkOf(uint64_t round, uint32_t index) const
    {
        if (m_chunkBytes == 0)
        {
            return m_even + (index < m_rest ? 1 : 0);
        }
        const uint64_t rest = m_shape.bytes - round * m_chunkBytes * m_shape.ranks;
        // The chunks of the last round are shorter, all alike, of whole 16 bytes.
        const uint64_t even = (rest + m_shape.ranks - 1) / m_shape.ranks;
        const uint64_t chunk = std::min(m_chunkBytes, (even + 15) / 16 * 16);
        return std::min(chunk, rest - std::min(rest, index * chunk));
    }

    CollectiveShape m_shape;
    uint64_t m_chunkBytes;
    uint32_t m_next;     //!< position
    uint32_t m_previous; //!< likewise
    uint64_t m_perRound; //!< steps
    uint64_t m_even;     //!< bytes of a chunk, at least
    uint32_t m_rest;     //!< so many first chunks have one more
};

} // namespace

TypeId
RingCollective::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RingCollective")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("LosslessJobs")
                            .AddConstructor<RingCollective>()
                            .AddAttribute("Slices",
                                          "Messages into which each chunk is cut",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&RingCollective::m_slices),
                                          MakeUintegerChecker<uint32_t>(1, 65536))
                            .AddAttribute("ChunkBytes",
                                          "Longest chunk, bytes: the data goes round in rounds of "
                                          "one chunk for each rank. 0: in one round",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&RingCollective::m_chunkBytes),
                                          MakeUintegerChecker<uint64_t>());
    return tid;
}

bool
RingCollective::Does(CollectiveType type) const
{
    return type == CollectiveType::ALL_REDUCE || type == CollectiveType::REDUCE_SCATTER ||
           type == CollectiveType::ALL_GATHER;
}

std::unique_ptr<CollectivePart>
RingCollective::Make(const CollectiveShape& shape) const
{
    // A chunk that is longer than the data is as long as the data: products do not wrap then.
    const uint64_t chunkBytes = std::min(m_chunkBytes, std::max<uint64_t>(shape.bytes, 1));
    const uint64_t perRound = chunkBytes * shape.ranks;
    const uint64_t rounds = perRound ? (shape.bytes + perRound - 1) / perRound : 1;
    return std::make_unique<RingPart>(shape, rounds, chunkBytes, m_slices);
}

} // namespace ns3
