// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COUNTERS_AT_REST_H
#define LOSSLESS_COUNTERS_AT_REST_H

#include "ns3/fabric.h"
#include "ns3/pfc-issuer.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rdma-verbs.h"

#include <array>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What a fabric has counted of what may happen outside of events: a request that is posted before
/// a run sends its first frame at once, and a setting may send PFC frames.
struct FabricCounters
{
    /// Of one port.
    struct Port
    {
        QbbNetDevice::Counters device;                           //!< frames and bytes
        std::array<PfcIssuer::Counters, TRAFFIC_CLASSES> issued; //!< PFC frames, by class
    };

    std::vector<Port> ports; //!< in the order of PortsOf(); none: all are 0
    RdmaCounters rdma;       //!< sum over the hosts

    /// @param fabric a fabric @return its counters now
    static FabricCounters Read(const Fabric& fabric);
    /// @param then counters of the same fabric, not later @return what was counted since
    FabricCounters Since(const FabricCounters& then) const;
};

/**
 * @ingroup lossless
 *
 * The counters of a fabric when its last run ended, or when it was built. As long as no event
 * happens, that is where the next run begins to count: what is posted before a run is made belongs
 * to the run.
 */
class CountersAtRest
{
  public:
    /// The fabric is built, or its run has ended. @param fabric it
    static void Note(const Fabric& fabric);

    /// @param fabric a fabric @return its counters when it came to rest; those of now if events
    /// have happened since
    static FabricCounters Get(const Fabric& fabric);

    /// While it lives, what happens to a fabric belongs to no run.
    class Aside
    {
      public:
        /// @param fabric it
        explicit Aside(const Fabric& fabric);
        ~Aside();
        Aside(const Aside&) = delete;
        Aside& operator=(const Aside&) = delete;

      private:
        Fabric m_fabric;
        FabricCounters m_before; //!< when this was made
    };
};

} // namespace ns3

#endif // LOSSLESS_COUNTERS_AT_REST_H
