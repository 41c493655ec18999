// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SETTINGS_CHANGES_H
#define LOSSLESS_SETTINGS_CHANGES_H

#include "buffer-values.h"
#include "fabric-settings.h"
#include "fabric.h"

#include "ns3/wred-ecn-marker.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The changes that settings of some places ask for: which values of which objects, ports and
 * classes of a fabric. They are found first, and then made; each can be taken back.
 */
class SettingsChanges
{
  public:
    /// Takes a change back.
    using Undo = std::function<void()>;

    /// @param setting one @return as scripts write it
    static std::string FullName(const FabricSetting& setting);
    /// @param setting one @return whether it is about an attribute
    static bool IsAttribute(const FabricSetting& setting);

    /// @param fabric with the objects @param places where
    SettingsChanges(const Fabric& fabric, const FabricPlaces& places);

    /// @param setting one that places of the fabric can take; else FabricError. Outlives this
    void Add(const FabricSetting& setting);

    /**
     * Make all of them, in an order in which they can be made: one value may need another one
     * first, such as Kmin above the present Kmax.
     * @param undos gets how to take back those that were made
     * @param wrong gets what is wrong with the first that cannot be made
     * @return its setting; null: all were made
     */
    const FabricSetting* Make(std::vector<Undo>& undos, std::string& wrong);

  private:
    /// One step of a setting.
    struct Change
    {
        const FabricSetting* setting;
        FabricPlace place;
        std::function<Undo()> make; //!< throws if it cannot be
    };

    /// Whether a setting is one of (port, class) pairs at a place.
    bool IsOfClasses(const FabricSetting& setting, const FabricPlace& place) const;
    /// Whether a setting is a value of the curve that a queue may have of its own.
    static bool IsOfCurve(const FabricSetting& setting);
    /// @return the switch at a node; null: it is a host
    Ptr<FabricSwitch> SwitchAt(NodeId node) const;
    /// Do something with each (port, class) of a place.
    /// @param use called with (port, class)
    template <typename Use>
    void ForEachClass(const FabricPlace& place, Use use) const;
    /// A change, unless an option of the program says what the attribute is.
    void Push(const FabricSetting& setting, const FabricPlace& place, std::function<Undo()> make);
    /// A setting of (port, class) pairs.
    void AddClassValue(const FabricSetting& setting, const FabricPlace& place);
    /// A setting of a port of a switch.
    void AddPortValue(const FabricSetting& setting, const FabricPlace& place);
    /// Change what a port of a switch has of its own.
    void PushPortConfig(const FabricSetting& setting,
                        const FabricPlace& place,
                        uint32_t port,
                        const std::function<void(SwitchMmu&, uint32_t)>& edit);
    /// Change one value of the curve of a queue.
    static Undo SetCurve(WredEcnMarker& marker,
                         uint32_t port,
                         uint32_t cls,
                         const FabricSetting& setting);
    /// @param before curve of a queue @param own which of its values are the queue's own
    /// @return how to make it so again
    static Undo UndoCurve(WredEcnMarker& marker,
                          uint32_t port,
                          uint32_t cls,
                          const WredEcnMarker::Curve& before,
                          uint8_t own);
    /// A setting of the objects at a place.
    void AddObjects(const FabricSetting& setting, const FabricPlace& place);
    /**
     * Change what (port, class) pairs of a switch have of their own.
     * @param of which classes
     * @param edit called with the buffer and each pair
     */
    void PushConfigs(const FabricSetting& setting,
                     const FabricPlace& place,
                     ClassValue::Of of,
                     const std::function<void(SwitchMmu&, uint32_t, uint32_t)>& edit);
    /// A value of the whole switch is that of all its queues, whose other values stay.
    void ClearCurveValues(const FabricSetting& setting,
                          const FabricPlace& place,
                          const Ptr<WredEcnMarker>& marker);
    /// Set an attribute of an object.
    static Undo SetAttribute(const Ptr<Object>& object,
                             const FabricSetting& setting,
                             const FabricOptions& options);
    /// Make as many of the changes as can be made now; those that were made leave.
    /// @param undos gets how to take them back @param names of nodes
    /// @return what is wrong with the first that could not be made; empty: all were
    std::string MakeSome(std::vector<Undo>& undos, const std::vector<std::string>& names);

    const Fabric& m_fabric;
    const FabricTopology& m_topology;
    const FabricPlaces& m_places;
    std::vector<Change> m_changes;
    bool m_taken{false};     //!< some place has what the setting is about
    bool m_hasSwitch{false}; //!< some place is at a switch
};

} // namespace ns3

#endif // LOSSLESS_SETTINGS_CHANGES_H
