// SPDX-License-Identifier: GPL-2.0-only
#include "recursive-doubling-collective.h"

#include "power-of-two-fold.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RecursiveDoublingCollective);

namespace
{

/// One rank's part.
class RecursiveDoublingPart : public SteppedPart
{
  public:
    /// @param shape of the collective
    explicit RecursiveDoublingPart(const CollectiveShape& shape)
        : SteppedPart(PowerOfTwoFold(shape).GetBits() + 2),
          m_shape(shape),
          m_fold(shape)
    {
    }

  private:
    Step At(uint64_t step) const override
    {
        if (step == 0)
        {
            return m_fold.Before();
        }
        if (step == m_fold.GetBits() + 1)
        {
            return m_fold.After();
        }
        if (m_fold.SitsOut())
        {
            return Step();
        }
        const uint32_t partner = m_fold.PositionOf(m_fold.GetNumber() ^ (1U << (step - 1)));
        return Exchange(partner, m_shape.bytes, partner, m_shape.bytes, true);
    }

    CollectiveShape m_shape;
    PowerOfTwoFold m_fold;
};

} // namespace

TypeId
RecursiveDoublingCollective::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RecursiveDoublingCollective")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("LosslessJobs")
                            .AddConstructor<RecursiveDoublingCollective>();
    return tid;
}

bool
RecursiveDoublingCollective::Does(CollectiveType type) const
{
    return type == CollectiveType::ALL_REDUCE;
}

std::unique_ptr<CollectivePart>
RecursiveDoublingCollective::Make(const CollectiveShape& shape) const
{
    return std::make_unique<RecursiveDoublingPart>(shape);
}

} // namespace ns3
