// SPDX-License-Identifier: GPL-2.0-only
#include "port-group-remap.h"

#include "fabric-switch.h"

#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PortGroupRemap");

NS_OBJECT_ENSURE_REGISTERED(PortGroupRemap);

TypeId
PortGroupRemap::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PortGroupRemap")
            .SetParent<ClassRewriter>()
            .SetGroupName("Lossless")
            .AddConstructor<PortGroupRemap>()
            .AddAttribute("Groups",
                          "Groups of ports, as pairs port:group, such as \"0:1, 1:1\". Ports that "
                          "are not named, and ports of group 0, are in no group.",
                          StringValue(""),
                          MakeLive(MakeStringAccessor(&PortGroupRemap::m_groups),
                                   &PortGroupRemap::SettingChanged),
                          MakeStringChecker())
            .AddAttribute("DscpMap",
                          "New DSCP of frames that enter and leave through ports of one group, as "
                          "pairs old:new, such as \"24:32\".",
                          StringValue(""),
                          MakeLive(MakeStringAccessor(&PortGroupRemap::m_map),
                                   &PortGroupRemap::SettingChanged),
                          MakeStringChecker())
            .AddAttribute("LossyDscp",
                          "DSCP of frames that must be remapped more often than DscpMap has "
                          "levels; its class must be lossy.",
                          UintegerValue(0),
                          MakeLive(MakeUintegerAccessor(&PortGroupRemap::m_lossyDscp),
                                   &PortGroupRemap::SettingChanged),
                          MakeUintegerChecker<uint8_t>(0, DSCPS - 1));
    return tid;
}

void
PortGroupRemap::Prepare(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this << m_groups << m_map);
    const uint32_t ports = owner.GetNPorts();
    m_groupOf.assign(ports, 0);
    for (const auto& [port, group] : ParsePairs(m_groups, "PortGroupRemap: Groups", 65535, 255))
    {
        if (port >= ports)
        {
            throw std::invalid_argument("PortGroupRemap: Groups names port " +
                                        std::to_string(port) + ": the switch has " +
                                        std::to_string(ports) + " ports");
        }
        m_groupOf[port] = static_cast<uint8_t>(group);
    }
    m_result.fill(UNKNOWN);
    const auto pairs = ParsePairs(m_map, "PortGroupRemap: DscpMap", DSCPS - 1, DSCPS - 1);
    for (const auto& pair : pairs)
    {
        m_result[pair.second] = m_lossyDscp; // unless there is a further level
    }
    for (const auto& [from, to] : pairs)
    {
        m_result[from] = static_cast<uint8_t>(to);
    }
    for (const auto& pair : pairs)
    {
        // Follow the levels: they must end.
        uint32_t at = pair.first;
        for (uint32_t level = 0; at != m_lossyDscp && m_result[at] != UNKNOWN; ++level)
        {
            if (level > pairs.size())
            {
                throw std::invalid_argument("PortGroupRemap: DscpMap \"" + m_map +
                                            "\" leads back to DSCP " + std::to_string(at) +
                                            ": then the new class closes the cycle");
            }
            at = m_result[at];
        }
    }
}

uint8_t
PortGroupRemap::Rewrite(uint8_t dscp, uint32_t inPort, uint32_t outPort) const
{
    const uint8_t group = m_groupOf[inPort];
    if (group == 0 || group != m_groupOf[outPort] || m_result[dscp] == UNKNOWN)
    {
        return dscp;
    }
    return m_result[dscp];
}

} // namespace ns3
