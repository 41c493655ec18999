// SPDX-License-Identifier: GPL-2.0-only
#include "strict-priority-scheduler.h"

#include "ns3/assert.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(StrictPriorityScheduler);

TypeId
StrictPriorityScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::StrictPriorityScheduler")
                            .SetParent<EgressScheduler>()
                            .SetGroupName("Lossless")
                            .AddConstructor<StrictPriorityScheduler>();
    return tid;
}

uint32_t
StrictPriorityScheduler::Pick(uint8_t eligible, const ClassHeads& /* heads */)
{
    NS_ASSERT(eligible);
    uint32_t cls = 7;
    while (!(eligible & (1U << cls)))
    {
        --cls;
    }
    return cls;
}

bool
StrictPriorityScheduler::IsStateless() const
{
    return true;
}

} // namespace ns3
