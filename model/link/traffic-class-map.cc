// SPDX-License-Identifier: GPL-2.0-only
#include "traffic-class-map.h"

#include "ns3/enum-accessor.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TrafficClassMap");

NS_OBJECT_ENSURE_REGISTERED(TrafficClassMap);

namespace
{

/// Throws std::invalid_argument unless value < count and cls is a class.
void
CheckEntry(const char* field, uint32_t value, uint32_t count, uint32_t cls)
{
    if (value >= count || cls >= TRAFFIC_CLASSES)
    {
        throw std::invalid_argument(std::string("TrafficClassMap: ") + field + " " +
                                    std::to_string(value) + " to class " + std::to_string(cls) +
                                    ": need " + field + " below " + std::to_string(count) +
                                    " and a class from 0 to 7");
    }
}

} // namespace

TypeId
TrafficClassMap::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TrafficClassMap")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddConstructor<TrafficClassMap>()
            .AddAttribute("Trust",
                          "Field of a frame that decides its class: none (Untrusted), the PCP of "
                          "the 802.1Q tag (Dot1p) or the DSCP of the IP header (Dscp)",
                          EnumValue(DSCP),
                          MakeLosslessEnumAccessor<Trust>(&TrafficClassMap::m_trust),
                          MakeEnumChecker(UNTRUSTED, "Untrusted", DOT1P, "Dot1p", DSCP, "Dscp"))
            .AddAttribute("DefaultClass",
                          "Class of a frame without the trusted field: of every frame when Trust "
                          "is Untrusted, of untagged frames when it is Dot1p.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TrafficClassMap::m_defaultClass),
                          MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1));
    return tid;
}

TrafficClassMap::TrafficClassMap()
    : m_trust(DSCP),
      m_defaultClass(0)
{
    for (uint32_t dscp = 0; dscp < m_dscp.size(); ++dscp)
    {
        m_dscp[dscp] = dscp >> 3; // class selector code points, RFC 2474
    }
    for (uint32_t pcp = 0; pcp < m_pcp.size(); ++pcp)
    {
        m_pcp[pcp] = pcp;
    }
}

void
TrafficClassMap::SetDscp(uint32_t dscp, uint32_t cls)
{
    NS_LOG_FUNCTION(this << dscp << cls);
    CheckEntry("DSCP", dscp, m_dscp.size(), cls);
    m_dscp[dscp] = cls;
}

void
TrafficClassMap::SetPcp(uint32_t pcp, uint32_t cls)
{
    NS_LOG_FUNCTION(this << pcp << cls);
    CheckEntry("PCP", pcp, m_pcp.size(), cls);
    m_pcp[pcp] = cls;
}

uint8_t
TrafficClassMap::DscpOfClass(uint8_t cls) const
{
    for (uint32_t dscp = 0; dscp < m_dscp.size(); ++dscp)
    {
        if (m_dscp[dscp] == cls)
        {
            return dscp;
        }
    }
    return cls << 3; // nothing maps to the class: as the default map has it
}

bool
TrafficClassMap::SameAs(const TrafficClassMap& other) const
{
    // Only what the trusted field reaches can tell two maps apart.
    if (m_trust != other.m_trust)
    {
        return false;
    }
    switch (m_trust)
    {
    case DSCP:
        return m_dscp == other.m_dscp;
    case DOT1P:
        return m_pcp == other.m_pcp && m_defaultClass == other.m_defaultClass;
    default:
        return m_defaultClass == other.m_defaultClass;
    }
}

} // namespace ns3
