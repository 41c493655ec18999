// SPDX-License-Identifier: GPL-2.0-only
#include "egress-scheduler.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EgressScheduler);

TypeId
EgressScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::EgressScheduler").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

bool
EgressScheduler::IsStateless() const
{
    return false;
}

void
EgressScheduler::ClassEmptied(uint32_t /* cls */)
{
}

} // namespace ns3
