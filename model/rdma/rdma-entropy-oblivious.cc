// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-entropy-oblivious.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaEntropyOblivious);

TypeId
RdmaEntropyOblivious::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RdmaEntropyOblivious")
                            .SetParent<RdmaEntropyPolicy>()
                            .SetGroupName("Lossless")
                            .AddConstructor<RdmaEntropyOblivious>();
    return tid;
}

uint32_t
RdmaEntropyOblivious::Next(int64_t /* now */)
{
    const uint32_t ev = m_rotation.Peek(GetPaths(), [this] { return Draw(); });
    m_rotation.Step(GetPaths());
    return ev;
}

} // namespace ns3
