// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STRICT_PRIORITY_SCHEDULER_H
#define LOSSLESS_STRICT_PRIORITY_SCHEDULER_H

#include "egress-scheduler.h"

namespace ns3
{

/// @ingroup lossless
/// The eligible class with the highest number sends.
class StrictPriorityScheduler : public EgressScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t Pick(uint8_t eligible, const ClassHeads& heads) override;
    bool IsStateless() const override;
};

} // namespace ns3

#endif // LOSSLESS_STRICT_PRIORITY_SCHEDULER_H
