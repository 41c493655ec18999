// SPDX-License-Identifier: GPL-2.0-only
#include "direct-collective.h"

#include "sequence-part.h"
#include "stepped-part.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DirectCollective);

namespace
{

/// One rank's part.
class DirectPart : public SteppedPart
{
  public:
    /// @param shape of the collective @param window steps at a time
    DirectPart(const CollectiveShape& shape, uint64_t window)
        : SteppedPart(shape.ranks - 1, {1, window, false}),
          m_shape(shape)
    {
    }

  private:
    Step At(uint64_t step) const override
    {
        const auto j = static_cast<int64_t>(step) + 1;
        const uint32_t to = m_shape.At(j);
        const uint32_t from = m_shape.At(-j);
        const bool gathers = m_shape.type == CollectiveType::ALL_GATHER;
        return Exchange(to,
                        m_shape.Chunk(gathers ? m_shape.position : to),
                        from,
                        m_shape.Chunk(gathers ? from : m_shape.position),
                        m_shape.type == CollectiveType::REDUCE_SCATTER);
    }

    CollectiveShape m_shape;
};

} // namespace

TypeId
DirectCollective::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DirectCollective")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("LosslessJobs")
                            .AddConstructor<DirectCollective>()
                            .AddAttribute("Window",
                                          "With how many ranks at a time a rank exchanges; 0: all",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&DirectCollective::m_window),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

bool
DirectCollective::Does(CollectiveType type) const
{
    return type == CollectiveType::ALL_TO_ALL || type == CollectiveType::REDUCE_SCATTER ||
           type == CollectiveType::ALL_GATHER || type == CollectiveType::ALL_REDUCE;
}

std::unique_ptr<CollectivePart>
DirectCollective::Make(const CollectiveShape& shape) const
{
    const uint64_t others = shape.ranks - 1;
    const uint64_t window = m_window ? std::min<uint64_t>(m_window, others) : others;
    if (shape.type != CollectiveType::ALL_REDUCE)
    {
        return std::make_unique<DirectPart>(shape, window);
    }
    auto sequence = std::make_unique<SequencePart>();
    CollectiveShape phase = shape;
    phase.type = CollectiveType::REDUCE_SCATTER;
    sequence->Add(std::make_unique<DirectPart>(phase, window));
    phase.type = CollectiveType::ALL_GATHER;
    sequence->Add(std::make_unique<DirectPart>(phase, window));
    return sequence;
}

} // namespace ns3
