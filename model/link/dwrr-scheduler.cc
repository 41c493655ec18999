// SPDX-License-Identifier: GPL-2.0-only
#include "dwrr-scheduler.h"

#include "ns3/assert.h"
#include "ns3/enum-accessor.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DwrrScheduler");

NS_OBJECT_ENSURE_REGISTERED(DwrrScheduler);

TypeId
DwrrScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DwrrScheduler")
            .SetParent<EgressScheduler>()
            .SetGroupName("Lossless")
            .AddConstructor<DwrrScheduler>()
            .AddAttribute("StrictClasses",
                          "Mask of the classes with strict priority over all others, highest class "
                          "first. Bit c stands for class c.",
                          UintegerValue(0),
                          MakeLive(MakeUintegerAccessor(&DwrrScheduler::m_strict),
                                   &DwrrScheduler::ChoiceChanged),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute(
                "Quantum",
                "Wire bytes that a class of weight 1 earns in each round, at least 64. A quantum "
                "of the longest frame or more keeps the search for the next class short.",
                UintegerValue(1600),
                UsedWhen(MakeUintegerAccessor(&DwrrScheduler::m_quantum),
                         &DwrrScheduler::UsesQuantum,
                         "RoundUnit Bytes and a class that StrictClasses does not name"),
                MakeUintegerChecker<uint32_t>(64))
            .AddAttribute("RoundUnit",
                          "What classes share by their weights: wire bytes (Bytes), or frames of "
                          "any length (Frames), as weighted round robin without a deficit.",
                          EnumValue(BYTES),
                          UsedWhen(MakeLosslessEnumAccessor<RoundUnit>(&DwrrScheduler::m_unit),
                                   &DwrrScheduler::HasRound,
                                   "a class that StrictClasses does not name"),
                          MakeEnumChecker(BYTES, "Bytes", FRAMES, "Frames"))
            .AddAttribute(
                "Weights",
                "Weights of the classes 0 to 7: eight whole numbers, at least 1, separated by "
                "spaces.",
                StringValue("1 1 1 1 1 1 1 1"),
                UsedWhen(MakeStringAccessor(&DwrrScheduler::SetWeights, &DwrrScheduler::GetWeights),
                         &DwrrScheduler::HasRound,
                         "a class that StrictClasses does not name"),
                MakeStringChecker());
    return tid;
}

DwrrScheduler::DwrrScheduler()
{
    m_weight.fill(1);
}

void
DwrrScheduler::SetWeight(uint32_t cls, uint32_t weight)
{
    if (cls >= TRAFFIC_CLASSES || weight == 0)
    {
        throw std::invalid_argument("DwrrScheduler: weight " + std::to_string(weight) +
                                    " for class " + std::to_string(cls) +
                                    ": need a class from 0 to 7 and a weight from 1");
    }
    NS_LOG_FUNCTION(this << cls << weight);
    m_weight[cls] = weight;
}

uint32_t
DwrrScheduler::GetWeight(uint32_t cls) const
{
    return m_weight.at(cls);
}

void
DwrrScheduler::SetWeights(std::string weights)
{
    std::istringstream in(weights);
    std::array<uint32_t, TRAFFIC_CLASSES> parsed{};
    bool good = true;
    for (auto& weight : parsed)
    {
        // Signed, because a stream takes "-1" for a large unsigned number.
        int64_t value = 0;
        good = good && (in >> value) && value >= 1 && value <= UINT32_MAX;
        weight = static_cast<uint32_t>(value);
    }
    std::string rest;
    if (!good || in >> rest)
    {
        throw std::invalid_argument("DwrrScheduler: Weights \"" + weights +
                                    "\": need eight whole numbers from 1");
    }
    NS_LOG_FUNCTION(this << weights);
    m_weight = parsed;
}

std::string
DwrrScheduler::GetWeights() const
{
    std::string text;
    for (auto weight : m_weight)
    {
        text += (text.empty() ? "" : " ") + std::to_string(weight);
    }
    return text;
}

uint64_t
DwrrScheduler::GetDeficit(uint32_t cls) const
{
    return m_deficit.at(cls);
}

uint32_t
DwrrScheduler::Pick(uint8_t eligible, const ClassHeads& heads)
{
    NS_ASSERT(eligible);
    const uint8_t strict = eligible & m_strict;
    return strict ? HighestOf(strict) : PickByTurns(eligible, heads);
}

uint32_t
DwrrScheduler::HighestOf(uint8_t mask)
{
    NS_ASSERT(mask);
    uint32_t cls = TRAFFIC_CLASSES - 1;
    while (!(mask & (1U << cls)))
    {
        --cls;
    }
    return cls;
}

uint32_t
DwrrScheduler::PickByTurns(uint8_t eligible, const ClassHeads& heads)
{
    NS_ASSERT(eligible);
    if (!(eligible & (1U << m_current)))
    {
        Advance(eligible);
    }
    // Ends: each time round, every eligible class earns at least one quantum.
    while (true)
    {
        const uint32_t bit = 1U << m_current;
        uint64_t& deficit = m_deficit[m_current];
        if (!(m_credited & bit))
        {
            deficit += uint64_t{m_weight[m_current]} * m_quantum;
            m_credited |= bit;
        }
        const uint32_t cost = m_unit == FRAMES ? m_quantum : heads.HeadWireBytes(m_current);
        if (cost <= deficit)
        {
            deficit -= cost;
            return m_current;
        }
        m_credited &= ~bit;
        Advance(eligible);
    }
}

void
DwrrScheduler::Advance(uint32_t eligible)
{
    if (m_deficit[m_current] == 0)
    {
        m_credited &= ~(1U << m_current); // used up, or empty: there is no visit to resume
    }
    do
    {
        m_current = (m_current + 1) % TRAFFIC_CLASSES;
    } while (!(eligible & (1U << m_current)));
}

void
DwrrScheduler::ClassEmptied(uint32_t cls)
{
    m_deficit[cls] = 0;
}

bool
DwrrScheduler::HasRound() const
{
    return m_strict != (1U << TRAFFIC_CLASSES) - 1;
}

} // namespace ns3
