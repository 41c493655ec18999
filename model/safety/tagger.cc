// SPDX-License-Identifier: GPL-2.0-only
#include "tagger.h"

#include "fabric-switch.h"

#include "ns3/apply-or-undo.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Tagger");

NS_OBJECT_ENSURE_REGISTERED(Tagger);

TypeId
Tagger::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Tagger")
            .SetParent<ClassRewriter>()
            .SetGroupName("Lossless")
            .AddConstructor<Tagger>()
            .AddAttribute("TagDscps",
                          "DSCP of each tag, as pairs tag:DSCP with tags from 0 without gaps, such "
                          "as \"0:24, 1:32\". Frames start with tag 0.",
                          StringValue("0:24"),
                          MakeLive(MakeStringAccessor(&Tagger::m_tags), &Tagger::SettingChanged),
                          MakeStringChecker())
            .AddAttribute(
                "LossyDscp",
                "DSCP of frames that match no rule; its class must be lossy.",
                UintegerValue(0),
                MakeLive(MakeUintegerAccessor(&Tagger::m_lossyDscp), &Tagger::SettingChanged),
                MakeUintegerChecker<uint8_t>(0, DSCPS - 1));
    return tid;
}

void
Tagger::NotifyConstructionCompleted()
{
    ClassRewriter::NotifyConstructionCompleted();
    ReadTags();
}

void
Tagger::ReadTags()
{
    m_tagOf.fill(LOSSY);
    m_dscps.clear();
    for (const auto& [tag, dscp] : ParsePairs(m_tags, "Tagger: TagDscps", DSCPS - 1, DSCPS - 1))
    {
        if (tag != m_dscps.size() || m_tagOf[dscp] != LOSSY || dscp == m_lossyDscp)
        {
            throw std::invalid_argument(
                "Tagger: TagDscps \"" + m_tags +
                "\" must count the tags from 0, each with a DSCP of its own and not LossyDscp");
        }
        m_dscps.push_back(static_cast<uint8_t>(dscp));
        m_tagOf[dscp] = static_cast<uint8_t>(tag);
    }
}

void
Tagger::Prepare(FabricSwitch& owner)
{
    ReadTags();
    for (uint32_t i = 0; i < owner.GetNExtensions(); ++i)
    {
        const auto other = DynamicCast<Tagger>(owner.GetExtension(i));
        if (other && other != this)
        {
            throw std::invalid_argument(
                "Tagger: the switch has a Tagger already; install only one");
        }
    }
    if (m_ports != owner.GetNPorts())
    {
        throw std::invalid_argument("Tagger: rules for " + std::to_string(m_ports) +
                                    " ports, and the switch has " +
                                    std::to_string(owner.GetNPorts()) + "; make its rules anew");
    }
    if (m_rules.size() != Place(GetNTags(), 0, 0))
    {
        throw std::invalid_argument("Tagger: TagDscps \"" + m_tags + "\" has " +
                                    std::to_string(GetNTags()) +
                                    " tags, for which there are no rules; make its rules anew");
    }
}

void
Tagger::SetUpDown(const std::vector<Direction>& directions)
{
    ReadTags(); // they may have changed since the object was made
    const auto ports = static_cast<uint32_t>(directions.size());
    const uint32_t tags = GetNTags();
    std::vector<uint8_t> rules;
    for (uint32_t tag = 0; tag < tags; ++tag)
    {
        for (const Direction in : directions)
        {
            for (const Direction out : directions)
            {
                const bool bounce = in != DOWN && out != DOWN;
                const uint32_t next = tag + (bounce ? 1 : 0);
                rules.push_back(next < tags ? static_cast<uint8_t>(next) : LOSSY);
            }
        }
    }
    ApplyOrUndo(std::make_pair(m_ports, m_rules),
                std::make_pair(ports, rules),
                [this](const auto& next) {
                    std::tie(m_ports, m_rules) = next;
                    SettingChanged();
                });
}

void
Tagger::SetRule(uint32_t tag, uint32_t inPort, uint32_t outPort, uint8_t newTag)
{
    NS_LOG_FUNCTION(this << tag << inPort << outPort << +newTag);
    if (tag >= GetNTags() || inPort >= m_ports || outPort >= m_ports ||
        (newTag >= GetNTags() && newTag != LOSSY))
    {
        throw std::invalid_argument("Tagger: a rule for tag " + std::to_string(tag) + ", ports " +
                                    std::to_string(inPort) + " and " + std::to_string(outPort) +
                                    ", to tag " + std::to_string(newTag) + ": there are " +
                                    std::to_string(GetNTags()) + " tags and " +
                                    std::to_string(m_ports) + " ports");
    }
    if (newTag < tag)
    {
        throw std::invalid_argument("Tagger: a rule from tag " + std::to_string(tag) +
                                    " back to tag " + std::to_string(newTag) +
                                    ": tags must not shrink, or cycles are possible");
    }
    m_rules[Place(tag, inPort, outPort)] = newTag;
}

uint8_t
Tagger::Rewrite(uint8_t dscp, uint32_t inPort, uint32_t outPort) const
{
    const uint8_t tag = m_tagOf[dscp];
    if (tag == LOSSY)
    {
        return dscp; // not of a lossless class
    }
    const uint8_t next = m_rules[Place(tag, inPort, outPort)];
    return next == LOSSY ? m_lossyDscp : m_dscps[next];
}

} // namespace ns3
