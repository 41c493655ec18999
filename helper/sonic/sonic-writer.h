// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_WRITER_H
#define LOSSLESS_SONIC_WRITER_H

#include "sonic-config.h"

#include "ns3/class-rates.h"
#include "ns3/fabric-switch.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/ptr.h"
#include "ns3/traffic-class-map.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Writes the settings of a switch that are in force as SONiC has them; SonicConfigOf() calls it.
class SonicWriter
{
  public:
    /// @param fabricSwitch the switch
    explicit SonicWriter(const Ptr<FabricSwitch>& fabricSwitch);

    /// @return the configuration
    SonicConfig Write();

    /// @return what SONiC cannot say, one line each
    const std::set<std::string>& GetUnsaid() const
    {
        return m_unsaid;
    }

  private:
    /// @param port one of the switch @return its name
    static std::string NameOf(uint32_t port);
    /// @return the name of the entry of a table with these fields, which is made where there is
    /// none
    /// @param table its table @param name of the first such entry @param fields of the entry
    std::string Entry(const std::string& table,
                      const std::string& name,
                      const SonicConfig::Fields& fields);
    /// Add entries of a port, one for queues or groups that follow each other and are alike.
    /// @param table their table @param port of the switch @param fields by number; none: no entry
    void AddRanges(const std::string& table,
                   uint32_t port,
                   const std::vector<SonicConfig::Fields>& fields);
    /// @param alpha of a threshold @return dynamic_th
    std::string ThOf(double alpha);
    void WritePorts();
    void WritePools();
    void WriteGroups();
    void WriteQueues();
    void WriteMaps();
    /// What classes and PFC priorities become at a port. @param port of the switch @param map of it
    void AddNumbers(uint32_t port, const TrafficClassMap& map);
    void WriteSchedulers();
    /// @param port one of the switch @param queues get their schedulers
    void AddSchedulers(uint32_t port, std::vector<SonicConfig::Fields>& queues);
    /// @param port one of the switch @param queues get their profiles of WRED
    void AddMarks(uint32_t port, std::vector<SonicConfig::Fields>& queues);
    void WriteWatchdogs();
    /// @param watchdog one of the switch
    void WriteWatchdog(const PfcWatchdog& watchdog);
    /// Find what no field says: attributes that were set, limits of ports, and other extensions.
    void FindUnsaid();
    /// @param object a part of the switch, whose attributes may have been set
    void FindUnsaid(const Object& object);
    /// @return bytes that a group has of its pool, without headroom
    uint64_t ReservedOf(uint32_t port, uint32_t cls) const;
    /// @return whether all classes share the headroom
    bool SharesHeadroom() const;
    /// @return an attribute of the buffer, a whole number
    uint64_t OfMmu(const std::string& attribute) const;

    Ptr<FabricSwitch> m_switch;
    Ptr<SwitchMmu> m_mmu;
    SonicConfig m_config;
    std::map<std::string, std::map<SonicConfig::Fields, std::string>> m_entries; //!< by table
    std::set<std::string> m_unsaid;
};

} // namespace ns3

#endif // LOSSLESS_SONIC_WRITER_H
