// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_STORM_H
#define LOSSLESS_SONIC_STORM_H

#include "pfc-storm-rule.h"

namespace ns3
{

/// @ingroup lossless
/// Base of the dialects of SONiC: 200 ms for detection, restoration and polls.
class SonicStorm : public PolledStormRule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Defaults GetDefaults() const override;
};

/// @ingroup lossless
/// SONiC on Broadcom chips (sonic-swss, pfc_detect_broadcom.lua): since the last poll PAUSE frames
/// arrived and the queue did not resume, and the queue was paused at both polls.
class SonicBrcmStorm : public SonicStorm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool IsStorming(const PfcQueueSample& last, const PfcQueueSample& now) const override;
};

/// @ingroup lossless
/// SONiC on older Mellanox chips (sonic-swss, pfc_detect_mellanox.lua): since the last poll no
/// frame was sent, and either frames wait and PAUSE frames arrived, or no frame waits and the queue
/// was paused for more than 80 % of the time.
class SonicMlnxOldStorm : public SonicStorm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool IsStorming(const PfcQueueSample& last, const PfcQueueSample& now) const override;
    bool NeedsTransmissions() const override;
};

/// @ingroup lossless
/// SONiC on newer Mellanox chips (sonic-swss, pfc_detect_mellanox.lua): since the last poll no
/// frame was sent, frames wait, PAUSE frames arrived, and the queue was paused for more than 99 %
/// of the time.
class SonicMlnxNewStorm : public SonicStorm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool IsStorming(const PfcQueueSample& last, const PfcQueueSample& now) const override;
    bool NeedsTransmissions() const override;
};

} // namespace ns3

#endif // LOSSLESS_SONIC_STORM_H
