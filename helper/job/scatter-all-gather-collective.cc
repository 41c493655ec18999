// SPDX-License-Identifier: GPL-2.0-only
#include "scatter-all-gather-collective.h"

#include "binomial-collective.h"
#include "ring-collective.h"
#include "sequence-part.h"

#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ScatterAllGatherCollective);

TypeId
ScatterAllGatherCollective::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ScatterAllGatherCollective")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("LosslessJobs")
                            .AddConstructor<ScatterAllGatherCollective>();
    return tid;
}

bool
ScatterAllGatherCollective::Does(CollectiveType type) const
{
    return type == CollectiveType::BROADCAST;
}

std::unique_ptr<CollectivePart>
ScatterAllGatherCollective::Make(const CollectiveShape& shape) const
{
    auto sequence = std::make_unique<SequencePart>();
    CollectiveShape phase = shape;
    phase.type = CollectiveType::SCATTER;
    sequence->Add(CreateObject<BinomialCollective>()->Make(phase));
    phase.type = CollectiveType::ALL_GATHER;
    sequence->Add(CreateObject<RingCollective>()->Make(phase));
    return sequence;
}

} // namespace ns3
