// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_SWITCH_H
#define LOSSLESS_SONIC_SWITCH_H

#include "sonic-config.h"

#include "ns3/fabric-options.h"
#include "ns3/fabric-switch.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Puts a configuration of SONiC onto a switch, before the run. Port k of the switch is the k-th
 * port of the configuration that is not down (SonicConfig::GetPorts()). doc/sonic.rst says what of
 * the switch each field sets. Scripts call FabricAt::SetSonicConfig() in its place.
 */
class SonicSwitch
{
  public:
    /// What of a switch is set. Values are bits.
    enum Part : uint8_t
    {
        PORTS = 1,     //!< MTU, class maps, PFC and schedulers of its ports
        BUFFERS = 2,   //!< its buffer and its ECN marker
        WATCHDOGS = 4, //!< its watchdogs
        REST = 6,      //!< what depends on its ports: both
        CABLES = 8,    //!< nothing: the lengths of cables are compared with the delays of links
        ALL = 15       //!< all of it
    };

    /// @param fabricSwitch the switch @param name of it, for messages, such as "leaf 0"
    /// @param options of the program; what they say stays
    SonicSwitch(const Ptr<FabricSwitch>& fabricSwitch,
                const std::string& name,
                const FabricOptions& options = FabricOptions());

    /**
     * Set what the configuration says: all of it or, with a FabricError, nothing.
     * The buffer depends on what ports have: set them before, or together.
     * @param config the configuration
     * @param part of the switch
     */
    void Apply(const SonicConfig& config, Part part = ALL);

    /// Take back what Apply() has set, but for watchdogs.
    void Undo();

    /// @return what of the configuration has no effect on this switch, or another one than it says
    const std::vector<Finding>& GetFindings() const
    {
        return m_findings;
    }

  private:
    /// FabricError if the ports are not those of the switch.
    /// @param ports of the configuration
    void RequirePorts(const SonicConfig& config, const std::vector<SonicConfig::Port>& ports) const;

    Ptr<FabricSwitch> m_switch;
    std::string m_name;
    FabricOptions m_options;
    std::vector<Finding> m_findings;
    std::vector<std::function<void()>> m_undos;
};

/**
 * @ingroup lossless
 *
 * Write the settings of a switch that are in force as SONiC would have them: ports
 * "Ethernet0", "Ethernet4", ..., a profile for each way in which classes use the buffer. Put onto a
 * switch of as many ports, it gives the same settings. What SONiC cannot say is named in a warning,
 * and left out or rounded.
 *
 * @param fabricSwitch the switch
 * @return the configuration
 */
SonicConfig SonicConfigOf(const Ptr<FabricSwitch>& fabricSwitch);

} // namespace ns3

#endif // LOSSLESS_SONIC_SWITCH_H
