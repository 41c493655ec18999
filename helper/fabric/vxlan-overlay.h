// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_VXLAN_OVERLAY_H
#define LOSSLESS_VXLAN_OVERLAY_H

#include "fabric.h"

#include "ns3/fabric-frame.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Joins the VxlanEndpoints of a fabric: those of switches with hosts get the addresses of their
 * switches (Fabric::GetSwitchAddress()), routes to each other, and the table of hosts; the links
 * between switches get an MTU that holds what tunnels over either IP
 * version add. End points of other switches stay
 * idle.
 */
class VxlanOverlay
{
  public:
    /**
     * FabricError where tunnels cannot work: an extension reads RoCE headers, which tunnels hide;
     * VXLAN networks differ; or an MTU that was set is too small.
     * @param fabric whose switches have their extensions, and ports their attributes
     * @param mtuIsSet whether the Mtu of some port was set: it is then not raised
     * @return whether there are tunnels
     */
    static bool Join(const Fabric& fabric, bool mtuIsSet);

    /**
     * By how many bytes tunnels make frames longer on each link of a path.
     * @param fabric where
     * @param from the host at which it begins
     * @param path the links, in order
     * @param frame to the destination; unlike those on the way, it stays as it is
     * @return bytes, by link
     */
    static std::vector<uint32_t> AddedBytes(const Fabric& fabric,
                                            NodeId from,
                                            const std::vector<LinkId>& path,
                                            const Frame& frame);

    /// Do to a frame what the end points of a switch do at its arrival, without counting.
    /// @param fabricSwitch the switch @param frame the frame
    static void Pass(const FabricSwitch& fabricSwitch, Frame& frame);

    /// Refuse extensions that were added after the build and that tunnels make useless, with
    /// FabricError, and name end points that came too late to be joined. @param fabric that begins
    /// to run
    static void CheckLate(const Fabric& fabric);

    /// The same for extensions that were added during the run: also what CheckLate() refuses is
    /// named, and the run goes on. @param fabric that runs
    static void WarnOfLate(const Fabric& fabric);

    /// @param fabric a fabric @return whether it has tunnels
    static bool Has(const Fabric& fabric);
};

} // namespace ns3

#endif // LOSSLESS_VXLAN_OVERLAY_H
