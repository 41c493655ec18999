// SPDX-License-Identifier: GPL-2.0-only
#include "traffic-class-map.h"

#include "qbb-port-settings.h"

#include "ns3/apply-or-undo.h"
#include "ns3/enum-accessor.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

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

/// @return whether a text is numbers without a sign, and one character between them
bool
IsOfNumbers(const std::string& text)
{
    bool isDigit = false;
    for (const char c : text)
    {
        const bool was = isDigit;
        isDigit = c >= '0' && c <= '9';
        if (!isDigit && !was)
        {
            return false;
        }
    }
    return isDigit;
}

/**
 * The classes of code points, as the attributes Dscp and Pcp have them: "26:3,48-55:6".
 * @param text entries that differ from the default; empty: none
 * @param field name of the field, for messages
 * @param classes the default; then what the text says, by code point
 */
template <std::size_t N>
void
ReadEntries(const std::string& text, const char* field, std::array<uint8_t, N>& classes)
{
    std::istringstream entries(text);
    std::array<bool, N> isSaid{};
    for (std::string entry; std::getline(entries, entry, ',');)
    {
        uint32_t first = 0;
        uint32_t last = 0;
        uint32_t cls = 0;
        char rest = 0;
        entry.erase(0, std::min(entry.find_first_not_of(' '), entry.size()));
        const bool isRange =
            std::sscanf(entry.c_str(), "%u-%u:%u%c", &first, &last, &cls, &rest) == 3;
        if (!IsOfNumbers(entry) ||
            (!isRange && std::sscanf(entry.c_str(), "%u:%u%c", &first, &cls, &rest) != 2))
        {
            throw std::invalid_argument(std::string("TrafficClassMap: ") + field + " \"" + entry +
                                        "\" cannot be read; such as 26:3 or 48-55:6");
        }
        last = isRange ? last : first;
        CheckEntry(field, std::max(first, last), N, cls);
        if (first > last)
        {
            throw std::invalid_argument(std::string("TrafficClassMap: ") + field + " \"" + entry +
                                        "\" runs backwards; write " + std::to_string(last) + "-" +
                                        std::to_string(first) + ":" + std::to_string(cls));
        }
        for (uint32_t value = first; value <= last; ++value)
        {
            if (std::exchange(isSaid[value], true))
            {
                throw std::invalid_argument(std::string("TrafficClassMap: ") + field + " " +
                                            std::to_string(value) +
                                            " is there twice; name it once");
            }
            classes[value] = static_cast<uint8_t>(cls);
        }
    }
}

/// @param classes by code point @param initial the default @return the text of ReadEntries()
template <std::size_t N>
std::string
WriteEntries(const std::array<uint8_t, N>& classes, const std::array<uint8_t, N>& initial)
{
    std::string text;
    for (std::size_t first = 0; first < N; ++first)
    {
        if (classes[first] == initial[first])
        {
            continue;
        }
        std::size_t last = first;
        while (last + 1 < N && classes[last + 1] == classes[first] &&
               classes[last + 1] != initial[last + 1])
        {
            ++last;
        }
        text += (text.empty() ? "" : ",") + std::to_string(first) +
                (last > first ? "-" + std::to_string(last) : "") + ":" +
                std::to_string(classes[first]);
        first = last;
    }
    return text;
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
                          MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1))
            .AddAttribute(
                "Dscp",
                "Classes of DSCPs where they are not DSCP / 8, such as "
                "\"26:3,48-55:6\": DSCP or range of DSCPs, and class.",
                StringValue(""),
                MakeStringAccessor(&TrafficClassMap::SetDscpText, &TrafficClassMap::GetDscpText),
                MakeStringChecker())
            .AddAttribute(
                "Pcp",
                "Classes of PCPs where they are not the PCP itself, as Dscp.",
                StringValue(""),
                MakeStringAccessor(&TrafficClassMap::SetPcpText, &TrafficClassMap::GetPcpText),
                MakeStringChecker());
    return tid;
}

TrafficClassMap::Table::Table()
{
    for (uint32_t value = 0; value < dscp.size(); ++value)
    {
        dscp[value] = value >> 3; // class selector code points, RFC 2474
    }
    for (uint32_t value = 0; value < pcp.size(); ++value)
    {
        pcp[value] = value;
    }
}

bool
TrafficClassMap::Table::operator==(const Table& other) const
{
    return trust == other.trust && defaultClass == other.defaultClass && dscp == other.dscp &&
           pcp == other.pcp;
}

TrafficClassMap::TrafficClassMap()
{
    static const auto unchanged = std::make_shared<const Table>();
    m_table = unchanged;
}

void
TrafficClassMap::SetDscp(uint32_t dscp, uint32_t cls)
{
    NS_LOG_FUNCTION(this << dscp << cls);
    Table table = *m_table;
    CheckEntry("DSCP", dscp, table.dscp.size(), cls);
    table.dscp[dscp] = cls;
    Change(table);
}

void
TrafficClassMap::SetPcp(uint32_t pcp, uint32_t cls)
{
    NS_LOG_FUNCTION(this << pcp << cls);
    Table table = *m_table;
    CheckEntry("PCP", pcp, table.pcp.size(), cls);
    table.pcp[pcp] = cls;
    Change(table);
}

void
TrafficClassMap::SetTrust(Trust trust)
{
    NS_LOG_FUNCTION(this << trust);
    Table table = *m_table;
    table.trust = trust;
    Change(table);
}

void
TrafficClassMap::SetDefaultClass(uint8_t cls)
{
    NS_LOG_FUNCTION(this << +cls);
    Table table = *m_table;
    table.defaultClass = cls;
    Change(table);
}

void
TrafficClassMap::SetDscpText(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    Table table = *m_table;
    table.dscp = Table().dscp;
    ReadEntries(text, "DSCP", table.dscp);
    Change(table);
}

std::string
TrafficClassMap::GetDscpText() const
{
    return WriteEntries(m_table->dscp, Table().dscp);
}

void
TrafficClassMap::SetPcpText(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    Table table = *m_table;
    table.pcp = Table().pcp;
    ReadEntries(text, "PCP", table.pcp);
    Change(table);
}

std::string
TrafficClassMap::GetPcpText() const
{
    return WriteEntries(m_table->pcp, Table().pcp);
}

uint8_t
TrafficClassMap::GetDefaultClass() const
{
    return m_table->defaultClass;
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
    const auto next = table == *m_table ? m_table : std::make_shared<const Table>(table);
    ApplyOrUndo(m_table, next, [this](const std::shared_ptr<const Table>& now) {
        m_table = now;
        for (auto* port : m_users)
        {
            port->SettingChanged();
        }
    });
}

uint8_t
TrafficClassMap::DscpOfClass(uint8_t cls) const
{
    for (uint32_t dscp = 0; dscp < m_table->dscp.size(); ++dscp)
    {
        if (m_table->dscp[dscp] == cls)
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
    if (m_table->trust != other.m_table->trust)
    {
        return false;
    }
    switch (m_table->trust)
    {
    case DSCP:
        return m_table->dscp == other.m_table->dscp;
    case DOT1P:
        return m_table->pcp == other.m_table->pcp &&
               m_table->defaultClass == other.m_table->defaultClass;
    default:
        return m_table->defaultClass == other.m_table->defaultClass;
    }
}

} // namespace ns3
