// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_STORM_H
#define LOSSLESS_SONIC_STORM_H

#include "pfc-storm-rule.h"

namespace ns3
{

/// @ingroup lossless
/// What the dialects of SONiC have in common: 200 ms for detection, restoration and polls.
class SonicStorm : public PolledStormRule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Defaults GetDefaults() const override;
};

/// @ingroup lossless
/// SONiC on Broadcom chips (sonic-swss, pfc_detect_broadcom.lua): PAUSE came, the queue did not
/// resume since the last poll, and was paused at both of its ends.
class SonicBrcmStorm : public SonicStorm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool IsStorming(const PfcQueueSample& last, const PfcQueueSample& now) const override;
};

/// @ingroup lossless
/// SONiC on older Mellanox chips (sonic-swss, pfc_detect_mellanox.lua): nothing was sent, and
/// either frames wait and PAUSE came, or none waits and the queue was paused for more than 80 % of
/// the time.
class SonicMlnxOldStorm : public SonicStorm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool IsStorming(const PfcQueueSample& last, const PfcQueueSample& now) const override;
    bool NeedsTransmissions() const override;
};

/// @ingroup lossless
/// SONiC on newer Mellanox chips (sonic-swss, pfc_detect_mellanox.lua): nothing was sent, frames
/// wait, PAUSE came, and the queue was paused for more than 99 % of the time.
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
