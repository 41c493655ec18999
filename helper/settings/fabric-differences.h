// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_DIFFERENCES_H
#define LOSSLESS_FABRIC_DIFFERENCES_H

#include "ns3/fabric-places.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class FabricObjects;
class RdmaQueuePair;

/// @ingroup lossless
/// What became of a setting.
enum class SettingState : uint8_t
{
    IN_FORCE,  //!< an object reads it, or may
    IDLE,      //!< a part that has done nothing in the run
    UNUSED,    //!< no object that has it reads it, as other settings of the objects are
    NOWHERE,   //!< a default of a type of which there is no object
    OVERRIDDEN //!< of some places, where other settings win
};

/// @ingroup lossless
/// A setting of a fabric that is not its type's default.
struct SettingDifference
{
    std::string places;  //!< "all", or such as "leaf, spine 2"; ports as "leaf to spine"
    std::string name;    //!< of the attribute, such as "SwitchMmu.Alpha"
    std::string initial; //!< the default
    std::string value;   //!< what is set
    SettingState state{SettingState::IN_FORCE}; //!< what became of it
    std::string need{};   //!< what it needs to be read, such as "Telemetry Pint"; else empty
    std::string source{}; //!< where it is said: "fabric.toml:3", "script"; empty: not known

    /// @return "in-force", "idle", "unused", "nowhere" or "overridden"
    const char* GetState() const;

    /// @return "leaf: SwitchMmu.Alpha is 0.03125, by default 0.125"
    std::string ToText() const;
};

/// @ingroup lossless
/// Defaults of attributes, as text, by names such as "ns3::RdmaDcqcn::Gain".
using AttributeDefaults = std::map<std::string, std::string>;

/// @ingroup lossless
/// @return the defaults of the attributes of the module's types now
AttributeDefaults ReadDefaults();

/// @ingroup lossless
/// What a run has had, which may be replaced or switched off before its end.
struct SettingUse
{
    AttributeDefaults defaults;                         //!< ReadDefaults() at its begin
    std::set<TypeId> types;                             //!< of which there were objects
    std::set<std::pair<std::string, std::string>> read; //!< names and values that objects read
};

/// @ingroup lossless
/// Note what objects are there and read now. @param fabric a fabric @param places whose objects
/// @param use gets it
void NoteUse(const FabricObjects& fabric, const FabricPlaces& places, SettingUse& use);

/**
 * @ingroup lossless
 *
 * What is in force now, read from the objects, whoever has set it: attributes of switches, of their
 * parts and ports, of the ports of hosts and of queue pairs to come; and what SwitchMmu and
 * WredEcnMarker have of their own for a port or class. Looks at every object once.
 * @param fabric a fabric; FabricError after Simulator::Destroy()
 * @param use what a run that ends now has had: a default that has changed since its begin is not
 * that of objects that were made before; null: of no run
 * @return what differs from the defaults of the types
 */
std::vector<SettingDifference> FindDifferences(const FabricObjects& fabric,
                                               const SettingUse* use = nullptr);

/// @ingroup lossless
/// The settings of a fabric.
struct SettingReport
{
    std::vector<SettingDifference> differences; //!< those of FindDifferences()
    /// What has no effect beside: values that queue pairs, their congestion controls and their loss
    /// recoveries do not read, and defaults of types of which there is no object.
    std::vector<SettingDifference> unused;
    std::vector<SettingDifference> overridden; //!< settings of places
};

/// @ingroup lossless
/// What a run tells of its settings at its end.
struct SettingsOfRun
{
    const SettingUse* use{nullptr};        //!< what it has had; null: not known
    std::vector<SettingDifference> claims; //!< settings of places, see FabricClaims::List()
    std::set<TypeId> controls;             //!< congestion controls that queue pairs have had
    std::vector<Ptr<RdmaQueuePair>> ends;  //!< not connected, made as flows have theirs
};

/// @ingroup lossless
/// Look at every object once, at the end of a run: parts of switches that have done nothing are
/// idle. @param fabric of the run @param run what it tells @return what differs from the defaults
/// of the types
SettingReport FindSettings(const FabricObjects& fabric, const SettingsOfRun& run);

} // namespace ns3

#endif // LOSSLESS_FABRIC_DIFFERENCES_H
