// SPDX-License-Identifier: GPL-2.0-only
#include "switch-cnp-rule.h"

#include "ns3/double.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SwitchCnpRule);
NS_OBJECT_ENSURE_REGISTERED(TrendCnpRule);

TypeId
SwitchCnpRule::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SwitchCnpRule").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

TypeId
TrendCnpRule::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TrendCnpRule")
            .SetParent<SwitchCnpRule>()
            .SetGroupName("Lossless")
            .AddConstructor<TrendCnpRule>()
            .AddAttribute("LowUse",
                          "Share of its limit, 0 to 1, from which on a growing queue gets more "
                          "than one CNP.",
                          DoubleValue(0.3),
                          MakeDoubleAccessor(&TrendCnpRule::m_lowUse),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("HighUse",
                          "Share of its limit, 0 to 1, from which on a queue that does not grow "
                          "gets a CNP.",
                          DoubleValue(0.6),
                          MakeDoubleAccessor(&TrendCnpRule::m_highUse),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

uint32_t
TrendCnpRule::Count(const QueueState& queue)
{
    const double use = static_cast<double>(queue.bytes) / static_cast<double>(queue.limitBytes);
    if (queue.bytes <= queue.beforeBytes)
    {
        return use >= m_highUse ? 1 : 0;
    }
    if (use < m_lowUse)
    {
        return 1;
    }
    const double share = use < 1 ? (use - m_lowUse) / (1 - m_lowUse) : 1;
    return 1 + static_cast<uint32_t>(std::ceil(queue.flows * share));
}

} // namespace ns3
