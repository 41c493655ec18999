// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-loss-recovery.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaLossRecovery);

TypeId
RdmaLossRecovery::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaLossRecovery").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

PathNeed
RdmaLossRecovery::GetPathNeed() const
{
    return PathNeed::IN_ORDER;
}

std::unique_ptr<RdmaSelectiveSender>
RdmaLossRecovery::MakeSender(const RdmaFlowState& /* flow */) const
{
    return nullptr;
}

std::unique_ptr<RdmaSelectiveReceiver>
RdmaLossRecovery::MakeReceiver() const
{
    return nullptr;
}

} // namespace ns3
