// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_PATCHED_TIMELY_H
#define LOSSLESS_RDMA_PATCHED_TIMELY_H

#include "rdma-timely.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Patched TIMELY (Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY",
 * CoNEXT 2016, section 4.3). Between the thresholds the rate depends on the distance of the round
 * trip time from LowThreshold, weighted by the gradient. With C the line rate of the bottleneck, N
 * flows and q' = C * LowThreshold, the one fixed point has equal rates and the queue q* = N * Delta
 * * q' / (Beta * C) + q'. q* and q' include the data on the empty path.
 */
class RdmaPatchedTimely : public RdmaTimely
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::string GetName() const override;

    /// w(g) of the paper. @param gradient without unit @return weight of the decrease, 0..1
    static double Weight(double gradient);

  protected:
    double DefaultBeta() const override;
    bool UsesHyperIncrease() const override;
    double RateBetweenThresholds(int64_t rttPs, double gradient) override;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_PATCHED_TIMELY_H
