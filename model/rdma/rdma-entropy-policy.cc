// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-entropy-policy.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <stdexcept>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaEntropyPolicy);

TypeId
RdmaEntropyPolicy::GetTypeId()
{
    constexpr uint32_t MOST = 1U << 14; // what remains of the UDP port beside 0xC000
    static TypeId tid =
        TypeId("ns3::RdmaEntropyPolicy")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddAttribute("Paths",
                          "Number of entropy values of a queue pair: a power of two, up to 16384",
                          UintegerValue(64),
                          MakeFixed(MakeUintegerAccessor(&RdmaEntropyPolicy::SetPaths,
                                                         &RdmaEntropyPolicy::GetPaths)),
                          MakeUintegerChecker<uint32_t>(1, MOST));
    return tid;
}

void
RdmaEntropyPolicy::SetPaths(uint32_t paths)
{
    if ((paths & (paths - 1)) != 0)
    {
        throw std::invalid_argument("RdmaEntropyPolicy: Paths " + std::to_string(paths) +
                                    " is not a power of two");
    }
    m_paths = paths;
}

void
RdmaEntropyPolicy::OnFeedback(uint32_t /* ev */, Feedback /* feedback */, int64_t /* now */)
{
}

RandomVariableStream&
RdmaEntropyPolicy::Draws()
{
    if (!m_draws)
    {
        m_draws =
            CreateObjectWithAttributes<UniformRandomVariable>("Max", DoubleValue(m_paths - 1));
    }
    return *m_draws;
}

uint32_t
RdmaEntropyPolicy::Draw()
{
    return Draws().GetInteger();
}

void
RdmaEntropyPolicy::SetDraws(const Ptr<RandomVariableStream>& draws)
{
    m_draws = draws;
}

int64_t
RdmaEntropyPolicy::AssignStreams(int64_t stream)
{
    Draws().SetStream(stream);
    return 1;
}

} // namespace ns3
