// SPDX-License-Identifier: GPL-2.0-only
#include "bruck-collective.h"

#include "stepped-part.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BruckCollective);

namespace
{

/// One rank's part.
class BruckPart : public SteppedPart
{
  public:
    /// @param shape of the collective
    explicit BruckPart(const CollectiveShape& shape)
        : SteppedPart(CountDoublings(shape.ranks)),
          m_shape(shape)
    {
    }

  private:
    Step At(uint64_t step) const override
    {
        const int64_t distance = int64_t{1} << step;
        return Exchange(m_shape.At(distance),
                        BytesFrom(m_shape.position, step),
                        m_shape.At(-distance),
                        BytesFrom(m_shape.At(-distance), step),
                        false);
    }

    /// @param position of a rank @param step which @return bytes that it sends: of blocks that had
    /// a distance with that bit, what the lower bits say was gone before
    uint64_t BytesFrom(uint32_t position, uint64_t step) const
    {
        const uint64_t bit = uint64_t{1} << step;
        uint64_t sum = 0;
        for (uint64_t distance = bit; distance < m_shape.ranks; ++distance)
        {
            sum += distance & bit ? m_shape.Chunk(position + (distance & ~(bit - 1))) : 0;
        }
        return sum;
    }

    CollectiveShape m_shape;
};

} // namespace

TypeId
BruckCollective::GetTypeId()
{
    static TypeId tid = TypeId("ns3::BruckCollective")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("LosslessJobs")
                            .AddConstructor<BruckCollective>();
    return tid;
}

bool
BruckCollective::Does(CollectiveType type) const
{
    return type == CollectiveType::ALL_TO_ALL;
}

std::unique_ptr<CollectivePart>
BruckCollective::Make(const CollectiveShape& shape) const
{
    return std::make_unique<BruckPart>(shape);
}

} // namespace ns3
