// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-entropy-bitmap.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaEntropyBitmap);

TypeId
RdmaEntropyBitmap::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaEntropyBitmap")
            .SetParent<RdmaEntropyPolicy>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaEntropyBitmap>()
            .AddAttribute(
                "MaxPenalty",
                "Largest penalty of an entropy value, to which one timeout raises it by default",
                UintegerValue(15),
                MakeFixed(MakeUintegerAccessor(&RdmaEntropyBitmap::m_maxPenalty)),
                MakeUintegerChecker<uint8_t>(1));
    return tid;
}

uint32_t
RdmaEntropyBitmap::Next(int64_t /* now */)
{
    const auto draw = [this] { return Draw(); };
    uint32_t ev = m_rotation.Peek(GetPaths(), draw);
    // After a whole round of skips the one that began it goes, whatever its penalty.
    for (uint32_t skipped = 0; GetPenalty(ev) > 0 && skipped < GetPaths(); ++skipped)
    {
        m_penalties[ev] -= skipped == 0 ? 1 : 0;
        m_rotation.Step(GetPaths());
        ev = m_rotation.Peek(GetPaths(), draw);
    }
    m_rotation.Step(GetPaths());
    return ev;
}

void
RdmaEntropyBitmap::OnFeedback(uint32_t ev, Feedback feedback, int64_t /* now */)
{
    constexpr uint32_t PENALTIES[] = {0, 1, 4, 15}; // by Feedback
    if (feedback != GOOD)
    {
        m_penalties.resize(GetPaths());
        m_penalties[ev] = std::min<uint32_t>(m_penalties[ev] + PENALTIES[feedback], m_maxPenalty);
    }
}

} // namespace ns3
