// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GUO16_STORM_H
#define LOSSLESS_GUO16_STORM_H

#include "pfc-storm-rule.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The switch watchdog of Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section
 * 4.3, on server-facing ports. A storm is when frames wait, none leaves, and PAUSE frames keep
 * arriving. The port is then lossy in both directions until no PAUSE has arrived for 200 ms. The
 * paper gives no detection time: the default is that of its NIC watchdog, 100 ms, with polls every
 * 50 ms.
 */
class Guo16Storm : public PolledStormRule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Defaults GetDefaults() const override;
    bool IsStorming(const PfcQueueSample& last, const PfcQueueSample& now) const override;
    uint64_t CountPauses(const PfcQueueSample& sample) const override;
    bool NeedsTransmissions() const override;
    bool IsForServerPorts() const override;
    bool ActsOnPort() const override;

  private:
    bool m_serverPortsOnly; //!< attribute ServerPortsOnly
};

} // namespace ns3

#endif // LOSSLESS_GUO16_STORM_H
