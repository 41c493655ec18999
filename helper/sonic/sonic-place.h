// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_PLACE_H
#define LOSSLESS_SONIC_PLACE_H

#include "sonic-config.h"
#include "sonic-switch.h"

#include "ns3/attribute.h"
#include "ns3/fabric-options.h"
#include "ns3/fabric-switch.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/qbb-net-device.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A switch that gets a configuration of SONiC, and what came of it.
struct SonicPlace
{
    const SonicConfig& config;                //!< the configuration
    Ptr<FabricSwitch> fabricSwitch;           //!< the switch
    std::string name;                         //!< of the switch, such as "leaf 0"
    FabricOptions options;                    //!< of the program; they win
    std::vector<SonicConfig::Port> ports;     //!< of the configuration, by port of the switch
    std::vector<Finding> findings;            //!< what has no effect, or another one
    std::vector<std::function<void()>> undos; //!< take back what was set, the last first

    /// @param type a type @param attribute one of its attributes @return whether an option of the
    /// program says what it is
    bool Has(TypeId type, const std::string& attribute) const
    {
        return options.Has(type, attribute);
    }

    /// @param port one of the switch @return its device
    Ptr<QbbNetDevice> GetDevice(uint32_t port) const
    {
        return fabricSwitch->GetPort(port);
    }

    /// Set an attribute, unless an option says what it is. @param object whose @param attribute its
    /// name @param value its value
    void Set(const Ptr<Object>& object, const std::string& attribute, const AttributeValue& value);

    /// Note what the configuration has not as effect that it has elsewhere. @param rule in a word
    /// @param what it is @param right what would be right, or what is so in its place
    /// @param port of the switch; none: the whole configuration @param level how much it matters
    void Find(const std::string& rule,
              const std::string& what,
              const std::string& right,
              std::optional<uint32_t> port = {},
              Level level = Level::INFO);

    /// @return whether the configuration says which PFC priorities ports have
    bool SaysPfcClasses() const;
    /// @param port one of the switch @return mask of the PFC priorities that it gets
    uint8_t GetPfcClasses(uint32_t port) const;
    /// @param port one of the switch @return mask of the priority groups that PFC of the port
    /// pauses
    uint8_t GetPausedGroups(uint32_t port) const;
    /// @param port one of the switch @return mask of its queues that have frames of such groups, of
    /// any port
    uint8_t GetLosslessQueues(uint32_t port) const;
    /// @param fabricSwitch a switch @param port one of it @return mask of the queues of the port
    /// that have frames of priority groups that PFC pauses, of any port
    static uint8_t LosslessQueues(const FabricSwitch& fabricSwitch, uint32_t port);
};

} // namespace ns3

#endif // LOSSLESS_SONIC_PLACE_H
