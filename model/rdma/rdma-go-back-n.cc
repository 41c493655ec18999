// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-go-back-n.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaGoBackN);

TypeId
RdmaGoBackN::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RdmaGoBackN")
                            .SetParent<RdmaLossRecovery>()
                            .SetGroupName("Lossless")
                            .AddConstructor<RdmaGoBackN>();
    return tid;
}

uint64_t
RdmaGoBackN::RestartPoint(uint64_t psn, uint64_t /* messageStart */, uint32_t /* mtuBytes */) const
{
    return psn;
}

} // namespace ns3
