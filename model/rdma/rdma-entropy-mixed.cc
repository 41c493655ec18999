// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-entropy-mixed.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaEntropyMixed);

TypeId
RdmaEntropyMixed::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RdmaEntropyMixed")
                            .SetParent<RdmaEntropyBitmap>()
                            .SetGroupName("Lossless")
                            .AddConstructor<RdmaEntropyMixed>();
    return tid;
}

uint32_t
RdmaEntropyMixed::Next(int64_t now)
{
    if (m_good.IsEmpty())
    {
        return RdmaEntropyBitmap::Next(now);
    }
    const uint16_t ev = m_good.Front();
    m_good.PopFront();
    return ev;
}

void
RdmaEntropyMixed::OnFeedback(uint32_t ev, Feedback feedback, int64_t now)
{
    RdmaEntropyBitmap::OnFeedback(ev, feedback, now);
    if (feedback == GOOD)
    {
        m_good.Push(static_cast<uint16_t>(ev));
    }
}

} // namespace ns3
