// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SLOW_POLLS_H
#define LOSSLESS_SLOW_POLLS_H

#include "fabric.h"

#include "ns3/nstime.h"

#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Names parts of switches that look at intervals (EcnTuner, SwitchCnpSender, PolledWredMarker) and
/// whose interval is longer than a run.
class SlowPolls
{
  public:
    /// @param fabric that begins to run
    explicit SlowPolls(const Fabric& fabric);

    /// The run has ended: name, once for a fabric, one part of each type that was too slow when the
    /// run began, or came later, and is too slow now.
    /// @param length of the run
    void Warn(Time length) const;

  private:
    Fabric m_fabric;
    std::vector<Time> m_intervals; //!< at the begin, by switch and type; 0: there was none
};

} // namespace ns3

#endif // LOSSLESS_SLOW_POLLS_H
