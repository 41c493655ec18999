// SPDX-License-Identifier: GPL-2.0-only
#include "binomial-collective.h"

#include "stepped-part.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BinomialCollective);

namespace
{

/// One rank's part.
class BinomialPart : public SteppedPart
{
  public:
    /// @param shape of the collective
    explicit BinomialPart(const CollectiveShape& shape)
        : SteppedPart(CountDoublings(shape.ranks), {1, 1, true}),
          m_shape(shape),
          m_steps(CountDoublings(shape.ranks)),
          m_number(shape.position >= shape.root ? shape.position - shape.root
                                                : shape.position + shape.ranks - shape.root)
    {
    }

  private:
    Step At(uint64_t step) const override
    {
        const bool isUp =
            m_shape.type == CollectiveType::REDUCE || m_shape.type == CollectiveType::GATHER;
        const uint64_t distance = uint64_t{1} << (isUp ? m_steps - 1 - step : step);
        if (m_number >= 2 * distance)
        {
            return Step();
        }
        const bool isLower = m_number < distance;
        const uint64_t other = isLower ? m_number + distance : m_number - distance;
        if (other >= m_shape.ranks)
        {
            return Step();
        }
        const uint64_t bytes = Bytes(isLower ? other : m_number, distance);
        const uint32_t position = PositionOf(other);
        return isLower == isUp
                   ? Exchange(0, 0, position, bytes, m_shape.type == CollectiveType::REDUCE)
                   : Exchange(position, bytes, 0, 0, false);
    }

    /// @param number counted from the root @return position of the rank
    uint32_t PositionOf(uint64_t number) const
    {
        return static_cast<uint32_t>((number + m_shape.root) % m_shape.ranks);
    }

    /// @param number of the rank that is farther from the root @param distance between the two
    /// @return bytes between them: of a scatter or gather, of that rank and those behind it
    uint64_t Bytes(uint64_t number, uint64_t distance) const
    {
        if (m_shape.type == CollectiveType::BROADCAST || m_shape.type == CollectiveType::REDUCE)
        {
            return m_shape.bytes;
        }
        uint64_t sum = 0;
        for (uint64_t i = number; i < m_shape.ranks; i += 2 * distance)
        {
            sum += m_shape.Chunk(PositionOf(i));
        }
        return sum;
    }

    CollectiveShape m_shape;
    uint64_t m_steps;
    uint64_t m_number; //!< counted from the root
};

} // namespace

TypeId
BinomialCollective::GetTypeId()
{
    static TypeId tid = TypeId("ns3::BinomialCollective")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("LosslessJobs")
                            .AddConstructor<BinomialCollective>();
    return tid;
}

bool
BinomialCollective::Does(CollectiveType type) const
{
    return type == CollectiveType::BROADCAST || type == CollectiveType::SCATTER ||
           type == CollectiveType::GATHER || type == CollectiveType::REDUCE;
}

std::unique_ptr<CollectivePart>
BinomialCollective::Make(const CollectiveShape& shape) const
{
    return std::make_unique<BinomialPart>(shape);
}

} // namespace ns3
