// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_IDLE_SETTINGS_H
#define LOSSLESS_IDLE_SETTINGS_H

#include "fabric.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Name attributes that no object with that value reads, as another setting says so, on one line
/// each: ECN thresholds of switches that do not mark, class maps of a field that is not trusted,
/// LossyShare where lossless and lossy classes share no pool, priority groups of hosts without a
/// receive buffer. @param fabric that begins to run @param hasFaults whether faults may give hosts
/// receive buffers
void WarnOfIdleAttributes(const Fabric& fabric, bool hasFaults);

/// @ingroup lossless
/// Names XON offsets that lossy classes have of their own.
class IdleXonOffsets
{
  public:
    /// @param fabric that begins to run
    explicit IdleXonOffsets(const Fabric& fabric);

    /// Name them on one line: those that were set since the last call, of classes that were not
    /// lossless then.
    void Warn();

  private:
    Fabric m_fabric;
    /// Classes that were lossless or had an offset at the last call, by port of all switches in
    /// turn.
    std::vector<uint8_t> m_known;
};

/// @ingroup lossless
/// Name, once for a fabric, limits of queues of IP frames where no node has an IP stack.
/// @param fabric that has run
void WarnOfIdleIpQueues(const Fabric& fabric);

/// @ingroup lossless
/// Name a load balancer that was chosen, if no switch has a choice of ways. @param fabric that
/// begins to run
void WarnOfIdleBalancers(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_IDLE_SETTINGS_H
