// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-entropy-none.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaEntropyNone);

TypeId
RdmaEntropyNone::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RdmaEntropyNone")
                            .SetParent<RdmaEntropyPolicy>()
                            .SetGroupName("Lossless")
                            .AddConstructor<RdmaEntropyNone>();
    return tid;
}

uint32_t
RdmaEntropyNone::Next(int64_t /* now */)
{
    return 0;
}

} // namespace ns3
