// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SLOW_PARTS_H
#define LOSSLESS_SLOW_PARTS_H

#include "fabric.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ns3
{

/// @ingroup lossless
/// Names parts that need longer than a run for what they do: watchdogs of switches and NICs, a
/// deadlock detector that was told to, and parts of switches that look at intervals (EcnTuner,
/// SwitchCnpSender, PolledWredMarker).
class SlowParts
{
  public:
    /// @param fabric that begins to run
    explicit SlowParts(const Fabric& fabric);

    /// The run has ended: name, once for a fabric, one part of each kind that is too slow now, and
    /// was so when the run began, or came later; of a part that counts how often it has looked, one
    /// that has not looked. What was changed in between may have been fast for a while.
    /// @param length of the run
    void Warn(Time length) const;

  private:
    /// Parts of a node, when the run began.
    struct Before
    {
        Time longest;      //!< that one of them takes
        uint64_t looks{0}; //!< how often they had looked
    };

    Fabric m_fabric;
    std::map<std::pair<std::string, NodeId>, Before> m_before; //!< by kind and node
};

} // namespace ns3

#endif // LOSSLESS_SLOW_PARTS_H
