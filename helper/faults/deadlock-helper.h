// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEADLOCK_HELPER_H
#define LOSSLESS_DEADLOCK_HELPER_H

#include "ns3/deadlock-detector.h"
#include "ns3/fabric.h"
#include "ns3/tagger.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Deadlock detection and prevention for a Fabric, a line each, before the run:
 *
 * @code
 * DeadlockHelper deadlocks(fabric);
 * deadlocks.InstallDetector("Action", StringValue("Stop"));
 * deadlocks.InstallUplinkGroups({3, 4});
 * @endcode
 *
 * Prevention moves frames from class to class. So it is refused (FabricError) unless all ports
 * classify by DSCP and with the same map, all the classes are lossless with the headroom that their
 * links need, and the class that is to lose frames is lossy. For a prevention that moves frames
 * build the fabric with all the classes: FabricHelper::SetLosslessClasses({3, 4}).
 */
class DeadlockHelper
{
  public:
    /// @param fabric the fabric
    explicit DeadlockHelper(const Fabric& fabric);

    /**
     * Watch all switches for deadlocks. A run then reports them and writes deadlock.csv.
     * @param args names and values of attributes of DeadlockDetector in turn
     * @return the detector
     */
    template <typename... Args>
    Ptr<DeadlockDetector> InstallDetector(Args&&... args)
    {
        const auto detector = CreateObject<DeadlockDetector>();
        SetAttributes(*detector, std::forward<Args>(args)...);
        AddDetector(detector);
        return detector;
    }

    /// The same with a detector that has its attributes already. @param detector it
    void AddDetector(const Ptr<DeadlockDetector>& detector);

    /**
     * Port groups (PortGroupRemap) at one switch.
     * @param node of the switch
     * @param ports of the group
     * @param classes lossless classes, at least 2: each pass within the group moves a frame from
     * one to the next
     * @param lossyClass where frames of the last one go
     */
    void InstallPortGroup(NodeId node,
                          const std::vector<uint32_t>& ports,
                          const std::vector<uint32_t>& classes,
                          uint32_t lossyClass = 0);

    /// InstallPortGroup() at all switches, for all ports towards a higher tier: what comes from
    /// above and goes up again is moved. @param classes as there @param lossyClass as there
    void InstallUplinkGroups(const std::vector<uint32_t>& classes, uint32_t lossyClass = 0);

    /**
     * Tagger at all switches, with the rules of an up-down topology.
     * @param classes lossless classes of the tags 0, 1, ..: k + 1 of them allow k bounces
     * @param lossyClass where what bounces more often goes
     */
    void InstallTagger(const std::vector<uint32_t>& classes, uint32_t lossyClass = 0);

    /// TTL classes (TtlLimiter) at all switches. @param trafficClass class @param limit TTL
    void InstallTtlLimit(uint32_t trafficClass, uint32_t limit);

    /// @param node a switch @return by port: where it leads, by the tiers of the topology
    std::vector<Tagger::Direction> GetDirections(NodeId node) const;

  private:
    /// Nothing is left to set.
    void SetAttributes(Object& /* object */)
    {
    }

    /// Set an attribute, and the others.
    template <typename... Args>
    void SetAttributes(Object& object,
                       const std::string& name,
                       const AttributeValue& value,
                       Args&&... args)
    {
        SetOne(object, name, value);
        SetAttributes(object, std::forward<Args>(args)...);
    }

    /// Set an attribute; FabricError if that cannot be.
    void SetOne(Object& object, const std::string& name, const AttributeValue& value);
    /// Refuse what would not prevent deadlocks.
    void RequireClasses(const std::vector<uint32_t>& classes, uint32_t lossyClass) const;
    /// Refuse a class at a port. @param lossless what it must be
    void RequireClass(NodeId node, uint32_t port, uint32_t cls, bool lossless) const;
    /// @param node a switch @param port one of its ports @return their name, for messages
    std::string NameOf(NodeId node, uint32_t port) const;
    /// @param cls a class @return the DSCP that stands for it
    uint32_t DscpOf(uint32_t cls) const;
    /// Add an extension, and start the switch.
    void Add(SwitchId which, const Ptr<SwitchExtension>& extension) const;
    /// @param node a node @return which switch it is; FabricError if it is none
    SwitchId SwitchAt(NodeId node) const;

    Fabric m_fabric;
    std::vector<uint32_t> m_tiers; //!< by node
};

} // namespace ns3

#endif // LOSSLESS_DEADLOCK_HELPER_H
