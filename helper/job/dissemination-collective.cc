// SPDX-License-Identifier: GPL-2.0-only
#include "dissemination-collective.h"

#include "stepped-part.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DisseminationCollective);

namespace
{

/// One rank's part.
class DisseminationPart : public SteppedPart
{
  public:
    /// @param shape of the collective
    explicit DisseminationPart(const CollectiveShape& shape)
        : SteppedPart(CountDoublings(shape.ranks)),
          m_shape(shape)
    {
    }

  private:
    Step At(uint64_t step) const override
    {
        const int64_t distance = int64_t{1} << step;
        return {m_shape.At(distance), 0, m_shape.At(-distance), 0, false};
    }

    CollectiveShape m_shape;
};

} // namespace

TypeId
DisseminationCollective::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DisseminationCollective")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("LosslessJobs")
                            .AddConstructor<DisseminationCollective>();
    return tid;
}

bool
DisseminationCollective::Does(CollectiveType type) const
{
    return type == CollectiveType::BARRIER;
}

std::unique_ptr<CollectivePart>
DisseminationCollective::Make(const CollectiveShape& shape) const
{
    return std::make_unique<DisseminationPart>(shape);
}

} // namespace ns3
