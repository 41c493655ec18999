// SPDX-License-Identifier: GPL-2.0-only
#include "frame-loss.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FrameLoss);

TypeId
FrameLoss::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FrameLoss").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

DropReason
FrameLoss::GetReason() const
{
    return DropReason::INJECTED;
}

int64_t
FrameLoss::AssignStreams(int64_t /* stream */)
{
    return 0;
}

} // namespace ns3
