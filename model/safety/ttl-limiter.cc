// SPDX-License-Identifier: GPL-2.0-only
#include "ttl-limiter.h"

#include "class-rewriter.h"
#include "fabric-switch.h"

#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/string.h"

#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TtlLimiter");

NS_OBJECT_ENSURE_REGISTERED(TtlLimiter);

TypeId
TtlLimiter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TtlLimiter")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<TtlLimiter>()
            .AddAttribute(
                "Limits",
                "Highest TTL with which frames of a class leave the switch, as pairs "
                "class:TTL, such as \"3:16\". Of a TrafficClassMap with PriorityGroup, the "
                "number of the group counts.",
                StringValue(""),
                MakeLive(MakeStringAccessor(&TtlLimiter::m_limits), &TtlLimiter::SettingChanged),
                MakeStringChecker());
    return tid;
}

uint32_t
TtlLimiter::GetHooks() const
{
    return ON_ROUTE;
}

void
TtlLimiter::Start(FabricSwitch& /* owner */)
{
    NS_LOG_FUNCTION(this << m_limits);
    m_limitOf.fill(0xff);
    for (const auto& [cls, ttl] :
         ClassRewriter::ParsePairs(m_limits, "TtlLimiter: Limits", TRAFFIC_CLASSES - 1, 255))
    {
        if (ttl == 0)
        {
            throw std::invalid_argument(
                "TtlLimiter: Limits: TTL 0 lets nothing pass; take 1 to 255");
        }
        m_limitOf[cls] = static_cast<uint8_t>(ttl);
    }
}

SwitchExtension::Verdict
TtlLimiter::Routed(Frame& frame, uint32_t /* outPort */)
{
    if (frame.ttl > m_limitOf[frame.inClass])
    {
        NS_LOG_LOGIC("class " << +frame.inClass << ": TTL " << +frame.ttl << " -> "
                              << +m_limitOf[frame.inClass]);
        frame.ttl = m_limitOf[frame.inClass];
        ++m_lowered;
    }
    return {};
}

} // namespace ns3
