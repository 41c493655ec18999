// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SLOW_GUARDS_H
#define LOSSLESS_SLOW_GUARDS_H

#include "fabric.h"

#include "ns3/nstime.h"

#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Names watchdogs of switches and NICs that took longer than a run to detect a storm, and a
/// deadlock detector that was told to.
class SlowGuards
{
  public:
    /// @param fabric that begins to run
    explicit SlowGuards(const Fabric& fabric);

    /// The run has ended: name, once for a fabric, what was too slow when it began, or came later,
    /// and is too slow now. What was changed in between may have been fast for a while.
    /// @param length of the run
    void Warn(Time length) const;

  private:
    Fabric m_fabric;
    std::vector<Time> m_detections; //!< of watchdogs at the begin, by node
    Time m_period;                  //!< of the deadlock detector at the begin
};

} // namespace ns3

#endif // LOSSLESS_SLOW_GUARDS_H
