// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-go-back-0.h"

#include "ns3/fixed-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaGoBack0);

TypeId
RdmaGoBack0::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaGoBack0")
            .SetParent<RdmaLossRecovery>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaGoBack0>()
            .AddAttribute("ChunkBytes",
                          "After a loss, restart from the last multiple of so many bytes of the "
                          "message, at least one packet; 0: from the start of the message",
                          UintegerValue(0),
                          MakeFixed(MakeUintegerAccessor(&RdmaGoBack0::m_chunkBytes)),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

uint64_t
RdmaGoBack0::RestartPoint(uint64_t psn, uint64_t messageStart, uint32_t mtuBytes) const
{
    if (m_chunkBytes == 0)
    {
        return messageStart;
    }
    uint64_t chunkPackets = std::max<uint64_t>(1, m_chunkBytes / mtuBytes);
    return psn - (psn - messageStart) % chunkPackets;
}

} // namespace ns3
