// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-threshold-advisor.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EcnThresholdAdvisor);
NS_OBJECT_ENSURE_REGISTERED(RuleEcnThresholdAdvisor);

TypeId
EcnThresholdAdvisor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::EcnThresholdAdvisor").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

Ptr<EcnThresholdAdvisor>
EcnThresholdAdvisor::Make(const ObjectFactory& factory)
{
    const auto advisor = DynamicCast<EcnThresholdAdvisor>(factory.Create()); // Create<> asserts
    if (!advisor)
    {
        throw std::invalid_argument(factory.GetTypeId().GetName() +
                                    " is not an ns3::EcnThresholdAdvisor");
    }
    return advisor;
}

TypeId
RuleEcnThresholdAdvisor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RuleEcnThresholdAdvisor")
            .SetParent<EcnThresholdAdvisor>()
            .SetGroupName("Lossless")
            .AddConstructor<RuleEcnThresholdAdvisor>()
            .AddAttribute("BaseKmin",
                          "K0, the Kmin around which the rule works, in bytes at 25 Gb/s; linear "
                          "in the speed of the port",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&RuleEcnThresholdAdvisor::m_baseKmin),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("DelayTarget",
                          "Mean queueing delay above which Kmin is lowered",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&RuleEcnThresholdAdvisor::m_delayTarget),
                          MakeTimeChecker(Time(0)));
    return tid;
}

double
RuleEcnThresholdAdvisor::Advise(const EcnFeatures& features)
{
    constexpr double REFERENCE_RATE = 25e9;
    constexpr double FULL = 0.95;
    constexpr double STEP = 0.1;
    const double base = static_cast<double>(m_baseKmin) * features.bitsPerSecond / REFERENCE_RATE;
    const double target = m_delayTarget.GetSeconds();
    double wanted = base * (0.25 + 1.5 * features.elephantShare);
    if (features.queueingDelaySeconds > target)
    {
        wanted *= 0.8;
    }
    else if (features.queueingDelaySeconds < target && features.utilisation < FULL)
    {
        wanted *= 1.2;
    }
    return std::clamp(features.kmin + STEP * (wanted - features.kmin), 0.2 * base, 4 * base);
}

} // namespace ns3
