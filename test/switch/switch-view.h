// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_VIEW_H
#define LOSSLESS_SWITCH_VIEW_H

#include "ns3/load-balancer.h"

#include <cstdint>
#include <map>

namespace ns3
{

/// A switch that a test sets: what is not set is 0.
class SwitchView : public SwitchPorts
{
  public:
    mutable std::map<uint32_t, uint64_t> queues; //!< bytes by port
    mutable std::map<uint32_t, uint8_t> paused;  //!< masks by port
    int64_t now{0};                              //!< ticks

    uint64_t GetQueueBytes(uint32_t port) const override
    {
        return queues[port];
    }

    uint64_t GetQueueBytes(uint32_t port, uint32_t /* cls */) const override
    {
        return queues[port];
    }

    uint8_t GetPausedMask(uint32_t port) const override
    {
        return paused[port];
    }

    int64_t Now() const override
    {
        return now;
    }
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_VIEW_H
