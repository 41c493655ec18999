// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_ZONE_H
#define LOSSLESS_INOF_ZONE_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A zone: its hosts are notified of each other.
struct InofZone
{
    std::string name;           //!< unique in the table
    std::set<uint32_t> members; //!< hosts added by hand, by identifier
};

/**
 * @ingroup lossless
 *
 * The zones of a fabric (H3C, Intelligent Lossless Network Technology White Paper): user zones,
 * whose members are added by hand and which may overlap, and the default zone, which always exists.
 * With automatic joining, hosts of no user zone ("free hosts") are members of the default zone.
 *
 * Each change increments the version. Invalid arguments throw std::invalid_argument.
 */
class InofZoneTable
{
  public:
    /// Number of the default zone.
    static constexpr uint16_t DEFAULT = 0;

    InofZoneTable();

    /// @param name name of a new user zone, 1 to 31 octets @return its number
    uint16_t AddZone(const std::string& name);
    /// Delete a user zone with its members. @param name name of the zone
    void DeleteZone(const std::string& name);
    /// @param name name of a zone @param host host to add; no change if it is a member already
    void AddMember(const std::string& name, uint32_t host);
    /// @param name name of a zone @param host host to remove; must have been added
    void RemoveMember(const std::string& name, uint32_t host);
    /// @param autoJoin whether free hosts are in the default zone
    void SetAutoJoin(bool autoJoin);

    /// @return whether free hosts are in the default zone
    bool GetAutoJoin() const
    {
        return m_autoJoin;
    }

    /// @return number of changes since the table was made
    uint32_t GetVersion() const
    {
        return m_version;
    }

    /// @param version version of a table received from another switch
    void SetVersion(uint32_t version)
    {
        m_version = version;
    }

    /// @return the zones by number
    const std::map<uint16_t, InofZone>& GetZones() const
    {
        return m_zones;
    }

    /// Insert a zone received from another switch. @param number number of the zone @param name its
    /// name
    /// @param members some of its members
    void Insert(uint16_t number, const std::string& name, const std::vector<uint32_t>& members);

    /// @param host a host @return numbers of its zones, ascending
    std::vector<uint16_t> ZonesOf(uint32_t host) const;

    /// @param one a host @param other another @return whether they have a zone in common
    bool Share(uint32_t one, uint32_t other) const;

  private:
    /// @param name name of a zone @return its number
    uint16_t Find(const std::string& name) const;

    std::map<uint16_t, InofZone> m_zones; //!< zones by number
    std::map<uint32_t, std::set<uint16_t>>
        m_joined; //!< by host: zones to which it was added by hand
    bool m_autoJoin{true};
    uint32_t m_version{1};
};

} // namespace ns3

#endif // LOSSLESS_INOF_ZONE_H
