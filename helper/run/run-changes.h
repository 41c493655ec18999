// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_CHANGES_H
#define LOSSLESS_RUN_CHANGES_H

#include "ns3/fabric.h"
#include "ns3/rdma-connection.h"
#include "ns3/traffic-class-map.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What changes of settings during a run do to the frames that are under way: PFC of their class is
 * switched off everywhere, so that no port disagrees with its peer, or all class maps change, and
 * the frames keep the marks that they have.
 */
class RunChanges
{
  public:
    /// @param fabric that begins to run; it outlives this object
    explicit RunChanges(const Fabric& fabric);

    /// Something has changed: name on one line each class of which a host sends data and that may
    /// lose frames from now on. Each class is named once, and none where loss is allowed.
    void Warn() const;

  private:
    /// What a port had at the begin.
    struct Before
    {
        uint8_t pausable;                                  //!< mask of the classes that stop
        std::shared_ptr<const TrafficClassMap::Table> map; //!< of its classes
        std::vector<RdmaMarking> markings;                 //!< of lossless classes; at hosts
    };

    /// @param cls a class @return whether some port can no longer be paused for it, and was named
    bool WarnOfPfc(uint8_t cls) const;
    /// Name a class whose frames that were marked before are now taken for another. @param cls it
    void WarnOfMarks(uint8_t cls) const;

    const Fabric& m_fabric;
    std::vector<Before> m_before; //!< by port, in the order of PortsOf()
};

} // namespace ns3

#endif // LOSSLESS_RUN_CHANGES_H
