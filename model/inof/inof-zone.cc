// SPDX-License-Identifier: GPL-2.0-only
#include "inof-zone.h"

#include "inof-message.h"

#include <stdexcept>

namespace ns3
{

InofZoneTable::InofZoneTable()
{
    m_zones[DEFAULT].name = "default";
}

uint16_t
InofZoneTable::Find(const std::string& name) const
{
    for (const auto& [number, zone] : m_zones)
    {
        if (zone.name == name)
        {
            return number;
        }
    }
    throw std::invalid_argument("iNOF: there is no zone \"" + name + "\": add it first");
}

uint16_t
InofZoneTable::AddZone(const std::string& name)
{
    if (name.empty() || name.size() > InofDatagram::MAX_NAME)
    {
        throw std::invalid_argument("iNOF: the zone name \"" + name + "\" has " +
                                    std::to_string(name.size()) + " octets: 1 to " +
                                    std::to_string(InofDatagram::MAX_NAME) + " are possible");
    }
    uint16_t number = 1;
    for (const auto& [used, zone] : m_zones)
    {
        if (zone.name == name)
        {
            throw std::invalid_argument("iNOF: there is a zone \"" + name +
                                        "\" already: names are unique");
        }
        number = used == number ? used + 1 : number;
    }
    if (number == 0)
    {
        throw std::invalid_argument("iNOF: there are 65535 zones already, the most possible");
    }
    m_zones[number].name = name;
    ++m_version;
    return number;
}

void
InofZoneTable::DeleteZone(const std::string& name)
{
    const uint16_t number = Find(name);
    if (number == DEFAULT)
    {
        throw std::invalid_argument("iNOF: the default zone cannot be deleted: switch automatic "
                                    "joining off instead");
    }
    for (const uint32_t host : m_zones[number].members)
    {
        m_joined[host].erase(number);
    }
    m_zones.erase(number);
    ++m_version;
}

void
InofZoneTable::AddMember(const std::string& name, uint32_t host)
{
    const uint16_t number = Find(name);
    if (m_zones[number].members.insert(host).second)
    {
        m_joined[host].insert(number);
        ++m_version;
    }
}

void
InofZoneTable::RemoveMember(const std::string& name, uint32_t host)
{
    const uint16_t number = Find(name);
    if (m_zones[number].members.erase(host) == 0)
    {
        throw std::invalid_argument("iNOF: host " + std::to_string(host) +
                                    " was not added to the zone \"" + name + "\"");
    }
    m_joined[host].erase(number);
    ++m_version;
}

void
InofZoneTable::SetAutoJoin(bool autoJoin)
{
    m_version += m_autoJoin != autoJoin;
    m_autoJoin = autoJoin;
}

void
InofZoneTable::Insert(uint16_t number,
                      const std::string& name,
                      const std::vector<uint32_t>& members)
{
    InofZone& zone = m_zones[number];
    zone.name = name;
    for (const uint32_t host : members)
    {
        zone.members.insert(host);
        m_joined[host].insert(number);
    }
}

std::vector<uint16_t>
InofZoneTable::ZonesOf(uint32_t host) const
{
    const auto joined = m_joined.find(host);
    std::vector<uint16_t> zones;
    if (joined != m_joined.end())
    {
        zones.assign(joined->second.begin(), joined->second.end());
    }
    if (zones.empty() && m_autoJoin)
    {
        zones.push_back(DEFAULT);
    }
    return zones;
}

bool
InofZoneTable::Share(uint32_t one, uint32_t other) const
{
    for (const uint16_t zone : ZonesOf(one))
    {
        for (const uint16_t common : ZonesOf(other))
        {
            if (zone == common)
            {
                return true;
            }
        }
    }
    return false;
}

} // namespace ns3
