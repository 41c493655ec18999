// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TTL_LIMITER_H
#define LOSSLESS_TTL_LIMITER_H

#include "ns3/switch-extension.h"

#include <array>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * TTL classes: a switch lowers the TTL of frames of some classes to a limit. In a routing loop of n
 * switches with links of rate B, a flow of rate r deadlocks the loop if r > n B / TTL (Hu et al.,
 * "Deadlocks in Datacenter Networks: Why Do They Form, and How to Avoid Them", HotNets 2016): a
 * lower TTL raises that bound. The limit must exceed the length of the longest path.
 * RdmaQueuePair::InitialTtl limits the TTL at the source.
 */
class TtlLimiter : public SwitchExtension
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    Verdict Routed(Frame& frame, uint32_t outPort) override;

    /// @return frames whose TTL was lowered
    uint64_t GetLowered() const
    {
        return m_lowered;
    }

  private:
    std::string m_limits;                             //!< attribute Limits
    std::array<uint8_t, TRAFFIC_CLASSES> m_limitOf{}; //!< highest TTL, by class
    uint64_t m_lowered{0};
};

} // namespace ns3

#endif // LOSSLESS_TTL_LIMITER_H
