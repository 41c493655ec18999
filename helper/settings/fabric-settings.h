// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_SETTINGS_H
#define LOSSLESS_FABRIC_SETTINGS_H

#include "ns3/attribute.h"
#include "ns3/fabric-options.h"
#include "ns3/fabric-places.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class FabricObjects;

/// @ingroup lossless
/// A value of an attribute, for some places.
struct FabricSetting
{
    TypeId type;               //!< whose attribute
    std::string name;          //!< of the attribute
    Ptr<AttributeValue> value; //!< text, or a value of the attribute's type
    std::string file;          //!< that says so; empty: a script
    uint64_t line{0};          //!< of the file

    /**
     * Checks the value, unless it is text of an object: each place gets an object of its own then.
     * FabricError says what is wrong.
     * @param fullName "ns3::SwitchMmu::Alpha", or "SwitchMmu.Alpha"
     * @param value text, or a value of the attribute's type
     * @param options of the program
     * @return the setting
     */
    static FabricSetting Read(const std::string& fullName,
                              const AttributeValue& value,
                              const FabricOptions& options);

    /// @return as scripts write it: "ns3::SwitchMmu::Alpha"
    std::string GetFullName() const;
    /// @return where it is said: "fabric.toml:3", or "script"
    std::string GetSource() const;
    /// @return the value as text
    std::string GetText() const;
    /// @return whether it is of an attribute
    bool IsAttribute() const;
    /// @return whether the value is an object or its type, which other settings may be about
    bool IsObject() const;
    /// Throw FabricError with the line that says the setting. @param what is wrong
    [[noreturn]] void Fail(const std::string& what) const;
};

/// @ingroup lossless
/// What is set together for some places.
struct FabricSettings
{
    FabricPlaces places;                   //!< where
    std::vector<FabricSetting> settings;   //!< values
    std::vector<ObjectFactory> extensions; //!< added to the switches, where a fabric is built
    std::vector<std::string> sonic{};      //!< paths of configurations of SONiC for the switches

    /**
     * Set the values on a fabric that is built, before or during its run: all of them or, with a
     * FabricError, none. Their order does not matter. What an option of the program says stays.
     * - Attributes of QbbNetDevice, of its scheduler and class map, and of QbbChannel: at each port
     *   of the places.
     * - Attributes of FabricSwitch, SwitchMmu, the ECN marker, the load balancer and extensions,
     *   and of NicWatchdog: at each node.
     * - Alpha, LossyAlpha, EgressAlpha, XonOffset, GuaranteedBytes and EgressGuaranteedBytes of
     *   SwitchMmu, and its Headroom, StaticThreshold and EgressStaticThreshold, which are no
     *   attributes, all in bytes, and ServicePool, which is the name of a pool: also at ports and
     *   classes. A value for the node replaces those of
     *   its ports. PortLimit and EgressPortLimit: also at ports.
     * - Kmin, Kmax and Pmax of WredEcnMarker: also at ports and classes, in bytes at the speed of
     *   the port.
     * @param fabric the fabric
     */
    void Apply(const FabricObjects& fabric) const;

    /// Take them as they were said together: FabricError where one thing is set twice, and one of
    /// the values would win in silence. What utils/ablate leaves out leaves.
    void Check();
};

/**
 * @ingroup lossless
 *
 * Sets attributes at some places of a fabric, see FabricHelper::At() and Fabric::At().
 */
class FabricAt
{
  public:
    /// Takes what is set together.
    using Taker = std::function<void(const FabricSettings& settings)>;

    /// @param places where @param options of the program @param take gets each call
    FabricAt(const FabricPlaces& places, const FabricOptions& options, Taker take)
        : m_places(places),
          m_options(options),
          m_take(std::move(take))
    {
    }

    /**
     * Set attributes, all of them or none (FabricError). See FabricSettings::Apply() for what has a
     * value at which places. Text of an object, "ns3::Type[Attribute=value|...]", makes one for
     * each place.
     * @param args full names and values in turn: "ns3::SwitchMmu::Alpha", DoubleValue(1.0 / 32)
     * @return itself
     */
    template <typename... Args>
    FabricAt& Set(Args&&... args)
    {
        FabricSettings settings{m_places, {}, {}};
        Append(settings, std::forward<Args>(args)...);
        return Take(settings);
    }

    /// The same. @param settings as of FabricSetting::Read() @return itself
    FabricAt& SetAll(const std::vector<FabricSetting>& settings);

    /// Set the buffer of the switches of the places as that of a published switch.
    /// @param preset name of a SwitchPreset @return itself
    FabricAt& SetSwitchPreset(const std::string& preset);

    /**
     * Set ports, buffers, queues and watchdogs of each switch of the places as a config_db.json of
     * SONiC says (SonicSwitch; doc/sonic.rst), before the run. Where a fabric is built, settings of
     * the same and of narrower places win over it. What of the file has no effect is named in
     * warnings.
     * @param path of the file; FabricError if it cannot be used, or is not of such switches
     * @return itself
     */
    FabricAt& SetSonicConfig(const std::string& path);

    /**
     * Add an extension to each switch of the places, where a fabric is built. To one that is built,
     * FabricSwitch::AddExtension() and WatchdogHelper add them.
     * @param type "ns3::PfcWatchdog" or "ns3::PfcWatchdog[Action=Alert|...]"
     * @return itself
     */
    FabricAt& AddSwitchExtension(const std::string& type);

  private:
    /// Hand over what one call says. @return itself
    FabricAt& Take(FabricSettings settings);

    /// No more.
    void Append(FabricSettings& /* settings */) const
    {
    }

    /// FabricError unless the places are whole switches. @param what is set there @param all such
    /// things
    void RequireSwitches(const std::string& what, const std::string& all) const;

    /// Read one setting after the other.
    template <typename... Args>
    void Append(FabricSettings& settings,
                const std::string& name,
                const AttributeValue& value,
                Args&&... args) const
    {
        settings.settings.push_back(FabricSetting::Read(name, value, m_options));
        Append(settings, std::forward<Args>(args)...);
    }

    FabricPlaces m_places;
    FabricOptions m_options;
    Taker m_take;
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_SETTINGS_H
