// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-patched-timely.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaPatchedTimely);

TypeId
RdmaPatchedTimely::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RdmaPatchedTimely")
                            .SetParent<RdmaTimely>()
                            .SetGroupName("Lossless")
                            .AddConstructor<RdmaPatchedTimely>();
    return tid;
}

std::string
RdmaPatchedTimely::GetName() const
{
    return "patched TIMELY";
}

double
RdmaPatchedTimely::DefaultBeta() const
{
    return 0.008;
}

bool
RdmaPatchedTimely::UsesHyperIncrease() const
{
    return CountsBelowLow(); // between the thresholds none counts
}

double
RdmaPatchedTimely::Weight(double gradient)
{
    return std::clamp(2 * gradient + 0.5, 0.0, 1.0);
}

double
RdmaPatchedTimely::RateBetweenThresholds(int64_t rttPs, double gradient)
{
    const double error =
        static_cast<double>(rttPs - m_lowPs) / static_cast<double>(m_lowPs); // above reference
    const double weight = Weight(gradient);
    m_history.increases = 0;
    return m_delta * (1 - weight) + m_rate * (1 - m_beta * weight * error);
}

} // namespace ns3
