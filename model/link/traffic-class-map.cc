// SPDX-License-Identifier: GPL-2.0-only
#include "traffic-class-map.h"

#include "qbb-port-settings.h"

#include "ns3/apply-or-undo.h"
#include "ns3/enum-accessor.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
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
                          MakeLosslessEnumAccessor<Trust>(&TrafficClassMap::SetTrust,
                                                          &TrafficClassMap::GetTrust),
                          MakeEnumChecker(UNTRUSTED, "Untrusted", DOT1P, "Dot1p", DSCP, "Dscp"))
            .AddAttribute("DefaultClass",
                          "Class of a frame without the trusted field: of every frame when Trust "
                          "is Untrusted, of untagged frames when it is Dot1p.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TrafficClassMap::SetDefaultClass,
                                               &TrafficClassMap::GetDefaultClass),
                          MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1));
    return tid;
}

TrafficClassMap::TrafficClassMap()
{
    for (uint32_t dscp = 0; dscp < m_table.dscp.size(); ++dscp)
    {
        m_table.dscp[dscp] = dscp >> 3; // class selector code points, RFC 2474
    }
    for (uint32_t pcp = 0; pcp < m_table.pcp.size(); ++pcp)
    {
        m_table.pcp[pcp] = pcp;
    }
}

void
TrafficClassMap::SetDscp(uint32_t dscp, uint32_t cls)
{
    NS_LOG_FUNCTION(this << dscp << cls);
    Table table = m_table;
    CheckEntry("DSCP", dscp, table.dscp.size(), cls);
    table.dscp[dscp] = cls;
    Change(table);
}

void
TrafficClassMap::SetPcp(uint32_t pcp, uint32_t cls)
{
    NS_LOG_FUNCTION(this << pcp << cls);
    Table table = m_table;
    CheckEntry("PCP", pcp, table.pcp.size(), cls);
    table.pcp[pcp] = cls;
    Change(table);
}

void
TrafficClassMap::SetTrust(Trust trust)
{
    NS_LOG_FUNCTION(this << trust);
    Table table = m_table;
    table.trust = trust;
    Change(table);
}

void
TrafficClassMap::SetDefaultClass(uint8_t cls)
{
    NS_LOG_FUNCTION(this << +cls);
    Table table = m_table;
    table.defaultClass = cls;
    Change(table);
}

uint8_t
TrafficClassMap::GetDefaultClass() const
{
    return m_table.defaultClass;
}

void
TrafficClassMap::AddUser(QbbPortSettings* port)
{
    m_users.push_back(port);
}

void
TrafficClassMap::RemoveUser(QbbPortSettings* port)
{
    m_users.erase(std::remove(m_users.begin(), m_users.end(), port), m_users.end());
}

void
TrafficClassMap::Change(const Table& table)
{
    ApplyOrUndo(Table(m_table), table, [this](const Table& next) {
        m_table = next;
        for (auto* port : m_users)
        {
            port->SettingChanged();
        }
    });
}

uint8_t
TrafficClassMap::DscpOfClass(uint8_t cls) const
{
    for (uint32_t dscp = 0; dscp < m_table.dscp.size(); ++dscp)
    {
        if (m_table.dscp[dscp] == cls)
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
    if (m_table.trust != other.m_table.trust)
    {
        return false;
    }
    switch (m_table.trust)
    {
    case DSCP:
        return m_table.dscp == other.m_table.dscp;
    case DOT1P:
        return m_table.pcp == other.m_table.pcp &&
               m_table.defaultClass == other.m_table.defaultClass;
    default:
        return m_table.defaultClass == other.m_table.defaultClass;
    }
}

} // namespace ns3
