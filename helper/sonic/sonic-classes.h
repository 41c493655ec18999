// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_CLASSES_H
#define LOSSLESS_SONIC_CLASSES_H

#include "sonic-place.h"

#include "ns3/egress-scheduler.h"
#include "ns3/traffic-class-map.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class WredEcnMarker;

/// @ingroup lossless
/// Puts the tables about classes of frames onto a switch: PORT_QOS_MAP and its maps, SCHEDULER,
/// QUEUE, WRED_PROFILE and PFC_WD.
class SonicClasses
{
  public:
    /// @param place the switch, which must outlive this
    explicit SonicClasses(SonicPlace& place);

    /// Set MTU, class map, PFC and scheduler of each port. FabricError for what cannot be
    void ApplyPorts();
    /// Set when frames of each queue are marked. FabricError for what cannot be
    void ApplyMarks();
    /// Add the watchdogs. FabricError for what cannot be
    void ApplyWatchdogs();

  private:
    /// FabricError if a watchdog that acts watches some of these already: one port and class has
    /// one. @param ports mask @param classes mask
    void RequireNoWatchdog(uint64_t ports, uint8_t classes) const;

    /// What the scheduler of a port gets.
    struct Turns
    {
        uint8_t strict{0};                          //!< mask of the strict classes
        bool isInFrames{false};                     //!< WRR
        std::string weights;                        //!< of attribute Weights
        std::string maxRates;                       //!< of attribute MaxRates
        std::string minRates;                       //!< of attribute MinRates
        uint64_t portRate{0};                       //!< bit/s; 0: that of the line
        uint64_t burst{0};                          //!< bytes; 0: not said
        std::optional<SonicConfig::Scheduler> sole; //!< one of DWRR or WRR, whose kind others have
    };

    /// @return the map of the frames of a port; null: the port keeps its own
    Ptr<TrafficClassMap> MapOf(uint32_t port);
    /// Set what traffic classes become. @param port name of one @param map gets it
    void SetClasses(const std::string& port, TrafficClassMap& map);
    /// @param port name of one @param field of PORT_QOS_MAP @param table with the map
    /// @return what each number becomes; empty: the port has no such map
    std::map<uint32_t, uint32_t> NumbersOf(const std::string& port,
                                           const std::string& field,
                                           const std::string& table) const;
    /// @return a scheduler for a port; null: the port keeps its own
    Ptr<EgressScheduler> SchedulerOf(uint32_t port);
    /// Add a queue to the turns of its port.
    void AddQueue(Turns& turns,
                  const std::string& key,
                  uint32_t queue,
                  const SonicConfig::Scheduler& scheduler);
    /// Add the rates of a scheduler. @param maxRates gets pir @param minRates gets cir
    void AddRates(Turns& turns, const SonicConfig::Scheduler& scheduler, uint32_t queue);
    /// Add the scheduler of a port. @param turns gets its rates @param name of the port
    void AddPort(Turns& turns, const std::string& name);

    SonicPlace& m_place;
    std::map<std::string, Ptr<TrafficClassMap>> m_maps; //!< equal ones are shared
    std::map<uint64_t, std::string> m_bursts;           //!< in use, with a scheduler of each
};

} // namespace ns3

#endif // LOSSLESS_SONIC_CLASSES_H
