// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-entropy-aware.h"

#include "ns3/double.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaEntropyAware);

TypeId
RdmaEntropyAware::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaEntropyAware")
            .SetParent<RdmaEntropyPolicy>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaEntropyAware>()
            .AddAttribute("Saturation",
                          "Share of the entropy values above which marked ones are used, too, and "
                          "lose their marks",
                          DoubleValue(0.5),
                          MakeFixed(MakeDoubleAccessor(&RdmaEntropyAware::m_saturation)),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

uint32_t
RdmaEntropyAware::Next(int64_t /* now */)
{
    while (true)
    {
        const uint32_t ev = m_rotation.Peek(GetPaths(), [this] { return Draw(); });
        m_rotation.Step(GetPaths());
        if (m_count == 0 || !m_marked[ev])
        {
            return ev;
        }
        const bool isSaturated = m_count > m_saturation * GetPaths();
        m_marked[ev] = false;
        m_count--;
        if (isSaturated)
        {
            return ev;
        }
    }
}

void
RdmaEntropyAware::OnFeedback(uint32_t ev, Feedback feedback, int64_t /* now */)
{
    if (feedback != MARKED && feedback != TRIMMED)
    {
        return;
    }
    m_marked.resize(GetPaths());
    m_count += m_marked[ev] ? 0 : 1;
    m_marked[ev] = true;
}

} // namespace ns3
