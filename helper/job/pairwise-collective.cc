// SPDX-License-Identifier: GPL-2.0-only
#include "pairwise-collective.h"

#include "stepped-part.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PairwiseCollective);

namespace
{

/// One rank's part.
class PairwisePart : public SteppedPart
{
  public:
    /// @param shape of the collective
    explicit PairwisePart(const CollectiveShape& shape)
        : SteppedPart(shape.ranks - 1),
          m_shape(shape)
    {
    }

  private:
    Step At(uint64_t step) const override
    {
        const auto j = static_cast<int64_t>(step) + 1;
        const uint32_t to = m_shape.At(j);
        return Exchange(to,
                        m_shape.Chunk(to),
                        m_shape.At(-j),
                        m_shape.Chunk(m_shape.position),
                        false);
    }

    CollectiveShape m_shape;
};

} // namespace

TypeId
PairwiseCollective::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PairwiseCollective")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("LosslessJobs")
                            .AddConstructor<PairwiseCollective>();
    return tid;
}

bool
PairwiseCollective::Does(CollectiveType type) const
{
    return type == CollectiveType::ALL_TO_ALL;
}

std::unique_ptr<CollectivePart>
PairwiseCollective::Make(const CollectiveShape& shape) const
{
    return std::make_unique<PairwisePart>(shape);
}

} // namespace ns3
