// SPDX-License-Identifier: GPL-2.0-only
#include "shaped-scheduler.h"

#include "ns3/enum-accessor.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ShapedScheduler");

NS_OBJECT_ENSURE_REGISTERED(ShapedScheduler);

TypeId
ShapedScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ShapedScheduler")
            .SetParent<DwrrScheduler>()
            .SetGroupName("Lossless")
            .AddConstructor<ShapedScheduler>()
            .AddAttribute(
                "MaxRates",
                "Highest rates of classes, wire bits: class and rate, or class and share "
                "of the line, such as \"3:10Gbps,6:5%\". Without: no limit, but "
                "StrictRate for the classes of StrictClasses.",
                StringValue(""),
                MakeStringAccessor(&ShapedScheduler::SetMaxRates, &ShapedScheduler::GetMaxRates),
                MakeStringChecker())
            .AddAttribute(
                "MinRates",
                "Rates, as in MaxRates, up to which classes go before the round of "
                "DwrrScheduler. Without: none.",
                StringValue(""),
                MakeStringAccessor(&ShapedScheduler::SetMinRates, &ShapedScheduler::GetMinRates),
                MakeStringChecker())
            .AddAttribute("StrictRate",
                          "Highest rate of each class of StrictClasses without a rate in "
                          "MaxRates, such as 5% of the line or 1Gbps. Empty: no limit.",
                          StringValue("5%"),
                          UsedWhen(MakeStringAccessor(&ShapedScheduler::SetStrictRate,
                                                      &ShapedScheduler::GetStrictRate),
                                   &ShapedScheduler::FollowsStrictRate,
                                   "StrictClasses without a rate in MaxRates"),
                          MakeStringChecker())
            .AddAttribute(
                "PortRate",
                "Highest rate of the port, such as 40% of the line or 40Gbps. Empty: "
                "the rate of the line.",
                StringValue(""),
                MakeStringAccessor(&ShapedScheduler::SetPortRate, &ShapedScheduler::GetPortRate),
                MakeStringChecker())
            .AddAttribute("Burst",
                          "Depth of each token bucket, wire bytes: what may leave at once above "
                          "the rate, and one frame. 0: frames are paced.",
                          UintegerValue(4096),
                          UsedWhen(MakeLive(MakeUintegerAccessor(&ShapedScheduler::m_burst),
                                            &ShapedScheduler::Renew),
                                   &ShapedScheduler::HasRates,
                                   "a class or a port with a rate"),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Exhausted",
                          "What a class of StrictClasses at its highest rate does: Wait for "
                          "tokens, or Join the round of the other classes with its weight.",
                          EnumValue(WAIT),
                          UsedWhen(MakeLive(MakeLosslessEnumAccessor<Exhausted>(
                                                &ShapedScheduler::m_exhausted),
                                            &ShapedScheduler::Renew),
                                   &ShapedScheduler::LimitsStrict,
                                   "StrictClasses with a highest rate"),
                          MakeEnumChecker(WAIT, "Wait", JOIN, "Join"));
    return tid;
}

ShapedScheduler::ShapedScheduler() = default;
ShapedScheduler::~ShapedScheduler() = default;

void
ShapedScheduler::SetMaxRates(std::string text)
{
    NS_LOG_FUNCTION(this << text);
    m_maxRates = ReadClassRates(text, "MaxRates");
    Renew();
}

std::string
ShapedScheduler::GetMaxRates() const
{
    return WriteClassRates(m_maxRates);
}

void
ShapedScheduler::SetMinRates(std::string text)
{
    NS_LOG_FUNCTION(this << text);
    m_minRates = ReadClassRates(text, "MinRates");
    Renew();
}

std::string
ShapedScheduler::GetMinRates() const
{
    return WriteClassRates(m_minRates);
}

void
ShapedScheduler::SetStrictRate(std::string text)
{
    NS_LOG_FUNCTION(this << text);
    m_strictRate = LineShare::Read(text, "StrictRate");
    Renew();
}

std::string
ShapedScheduler::GetStrictRate() const
{
    return m_strictRate.Text();
}

void
ShapedScheduler::SetPortRate(std::string text)
{
    NS_LOG_FUNCTION(this << text);
    m_portRate = LineShare::Read(text, "PortRate");
    Renew();
}

std::string
ShapedScheduler::GetPortRate() const
{
    return m_portRate.Text();
}

void
ShapedScheduler::Renew()
{
    m_line = 0;
    ChoiceChanged(); // the port may sleep until a bucket of before has filled
}

void
ShapedScheduler::Follow(const EgressMoment& moment)
{
    if (m_line == moment.bitsPerSecond && m_strictBefore == GetStrict())
    {
        return;
    }
    m_line = moment.bitsPerSecond;
    m_strictBefore = GetStrict();
    const auto change = [&](TokenBucket& bucket, const LineShare& rate) {
        bucket.Change(moment.now, rate.Of(m_line), m_burst, moment.ticksPerSecond);
    };
    change(m_port, m_portRate);
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const bool isSaid = m_maxRates[cls].Of(m_line) > 0;
        const bool isStrict = m_strictBefore & (1U << cls);
        change(m_max[cls], isStrict && !isSaid ? m_strictRate : m_maxRates[cls]);
        change(m_min[cls], m_minRates[cls]);
    }
}

bool
ShapedScheduler::LimitsRates() const
{
    return true;
}

uint8_t
ShapedScheduler::Conforming(uint8_t eligible, const EgressMoment& moment, int64_t& retryAt)
{
    Follow(moment);
    m_now = moment.now;
    m_strictNow = 0;
    m_minNow = 0;
    if (!m_port.Conforms(m_now))
    {
        retryAt = m_port.ConformsAt();
        return 0;
    }
    uint8_t conforming = 0;
    retryAt = std::numeric_limits<int64_t>::max();
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const uint8_t bit = eligible & (1U << cls);
        const bool isStrict = GetStrict() & bit;
        const bool hasTokens = m_max[cls].Conforms(m_now);
        if (bit && (hasTokens || (isStrict && m_exhausted == JOIN)))
        {
            conforming |= bit;
            m_strictNow |= isStrict && hasTokens ? bit : 0;
            m_minNow |= m_min[cls].IsLimited() && m_min[cls].Conforms(m_now) ? bit : 0;
        }
        else if (bit)
        {
            retryAt = std::min(retryAt, m_max[cls].ConformsAt());
        }
    }
    return conforming;
}

uint32_t
ShapedScheduler::Pick(uint8_t eligible, const ClassHeads& heads)
{
    const uint8_t strict = eligible & m_strictNow;
    const uint8_t below = eligible & m_minNow;
    const uint32_t cls = strict  ? HighestOf(strict)
                         : below ? HighestOf(below)
                                 : PickByTurns(eligible, heads);
    const uint32_t bytes = heads.HeadWireBytes(cls);
    m_port.Take(m_now, bytes);
    m_min[cls].Take(m_now, bytes);
    // What a strict class sends in its turns of the round is not of its rate.
    if (!(GetStrict() & (1U << cls)) || strict)
    {
        m_max[cls].Take(m_now, bytes);
    }
    return cls;
}

bool
ShapedScheduler::HasRound() const
{
    return DwrrScheduler::HasRound() || (m_exhausted == JOIN && LimitsStrict());
}

bool
ShapedScheduler::FollowsStrictRate() const
{
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if ((GetStrict() & (1U << cls)) && m_maxRates[cls].Text().empty())
        {
            return true;
        }
    }
    return false;
}

bool
ShapedScheduler::LimitsStrict() const
{
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const bool isLimited = !m_maxRates[cls].Text().empty() || !m_strictRate.Text().empty();
        if ((GetStrict() & (1U << cls)) && isLimited)
        {
            return true;
        }
    }
    return false;
}

bool
ShapedScheduler::HasRates() const
{
    const auto isSet = [](const LineShare& rate) { return !rate.Text().empty(); };
    return LimitsStrict() || isSet(m_portRate) ||
           std::any_of(m_maxRates.begin(), m_maxRates.end(), isSet) ||
           std::any_of(m_minRates.begin(), m_minRates.end(), isSet);
}

} // namespace ns3
