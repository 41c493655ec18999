// SPDX-License-Identifier: GPL-2.0-only
#include "halving-doubling-collective.h"

#include "power-of-two-fold.h"

#include "ns3/boolean.h"
#include "ns3/fabric-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HalvingDoublingCollective);

namespace
{

/// One rank's part.
class HalvingDoublingPart : public SteppedPart
{
  public:
    /// @param shape of the collective @param nearestFirst whether neighbours exchange most
    HalvingDoublingPart(const CollectiveShape& shape, bool nearestFirst)
        : SteppedPart(StepsOf(shape)),
          m_shape(shape),
          m_fold(shape),
          m_nearestFirst(nearestFirst)
    {
    }

  private:
    /// @param shape of a collective @return how many steps it has
    static uint64_t StepsOf(const CollectiveShape& shape)
    {
        const uint64_t bits = PowerOfTwoFold(shape).GetBits();
        return shape.type == CollectiveType::ALL_REDUCE ? 2 * bits + 2 : bits;
    }

    Step At(uint64_t step) const override
    {
        const uint64_t bits = m_fold.GetBits();
        if (m_shape.type == CollectiveType::REDUCE_SCATTER)
        {
            return Halve(static_cast<uint32_t>(step));
        }
        if (m_shape.type == CollectiveType::ALL_GATHER)
        {
            return Double(static_cast<uint32_t>(bits - 1 - step));
        }
        if (step == 0)
        {
            return m_fold.Before();
        }
        if (step == 2 * bits + 1)
        {
            return m_fold.After();
        }
        if (m_fold.SitsOut())
        {
            return Step();
        }
        return step <= bits ? Halve(static_cast<uint32_t>(step - 1))
                            : Double(static_cast<uint32_t>(2 * bits - step));
    }

    /// @param j a step of the halving @return it: chunks of the other half go to the partner
    Step Halve(uint32_t j) const
    {
        const uint32_t partner = m_fold.GetNumber() ^ (1U << BitOf(j));
        const uint32_t position = m_fold.PositionOf(partner);
        return Exchange(position, Bytes(partner, j), position, Bytes(m_fold.GetNumber(), j), true);
    }

    /// @param j the step of the halving that this one mirrors @return it
    Step Double(uint32_t j) const
    {
        const uint32_t partner = m_fold.GetNumber() ^ (1U << BitOf(j));
        const uint32_t position = m_fold.PositionOf(partner);
        return Exchange(position, Bytes(m_fold.GetNumber(), j), position, Bytes(partner, j), false);
    }

    /// @param j a step of the halving @return the bit by which partners differ
    uint32_t BitOf(uint32_t j) const
    {
        return m_nearestFirst ? j : m_fold.GetBits() - 1 - j;
    }

    /// @param number of a rank @param j a step of the halving
    /// @return bytes of the chunks that the rank answers for after the step: those whose number
    /// has the same bits as the rank's, of all steps so far
    uint64_t Bytes(uint32_t number, uint32_t j) const
    {
        uint32_t mask = 0;
        for (uint32_t i = 0; i <= j; ++i)
        {
            mask |= 1U << BitOf(i);
        }
        const uint32_t ranks = 1U << m_fold.GetBits();
        uint64_t sum = 0;
        for (uint32_t chunk = 0; chunk < ranks; ++chunk)
        {
            const uint64_t bytes = ShareOf(m_shape.bytes, chunk, ranks);
            sum += (chunk & mask) == (number & mask) ? bytes : 0;
        }
        return sum;
    }

    CollectiveShape m_shape;
    PowerOfTwoFold m_fold;
    bool m_nearestFirst;
};

} // namespace

TypeId
HalvingDoublingCollective::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HalvingDoublingCollective")
            .SetParent<CollectiveAlgorithm>()
            .SetGroupName("LosslessJobs")
            .AddConstructor<HalvingDoublingCollective>()
            .AddAttribute("NearestFirst",
                          "Whether ranks whose numbers differ by 1 exchange the "
                          "largest messages; else those that are farthest",
                          BooleanValue(true),
                          MakeBooleanAccessor(&HalvingDoublingCollective::m_nearestFirst),
                          MakeBooleanChecker());
    return tid;
}

bool
HalvingDoublingCollective::Does(CollectiveType type) const
{
    return type == CollectiveType::ALL_REDUCE || type == CollectiveType::REDUCE_SCATTER ||
           type == CollectiveType::ALL_GATHER;
}

std::unique_ptr<CollectivePart>
HalvingDoublingCollective::Make(const CollectiveShape& shape) const
{
    if (shape.type != CollectiveType::ALL_REDUCE && PowerOfTwoFold(shape).GetOver())
    {
        throw FabricError(std::string(ToString(shape.type)) + " by halving and doubling of " +
                              std::to_string(shape.ranks) + " ranks",
                          "a power of two");
    }
    return std::make_unique<HalvingDoublingPart>(shape, m_nearestFirst);
}

} // namespace ns3
