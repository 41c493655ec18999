// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NO_SWITCH_VIEW_H
#define LOSSLESS_NO_SWITCH_VIEW_H

#include "ns3/load-balancer.h"

#include <utility>
#include <vector>

namespace ns3
{

/// @param ports of a group, all of them up @return the group
inline NextHopGroup
GroupOf(std::vector<uint16_t> ports)
{
    NextHopGroup group;
    group.all = ports;
    group.ports = std::move(ports);
    return group;
}

/// A switch that nobody asks.
class NoSwitchView : public SwitchPorts
{
    uint64_t GetQueueBytes(uint32_t) const override
    {
        return 0;
    }

    uint64_t GetQueueBytes(uint32_t, uint32_t) const override
    {
        return 0;
    }

    uint8_t GetPausedMask(uint32_t) const override
    {
        return 0;
    }

    int64_t Now() const override
    {
        return 0;
    }
};

} // namespace ns3

#endif // LOSSLESS_NO_SWITCH_VIEW_H
