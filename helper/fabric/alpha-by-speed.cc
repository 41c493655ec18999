// SPDX-License-Identifier: GPL-2.0-only
#include "alpha-by-speed.h"

#include "recipe-value.h"

#include "ns3/double.h"
#include "ns3/switch-mmu.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ns3
{

namespace
{

/// @param topology a graph @return rate of its slowest host link, bit/s
uint64_t
HostRate(const FabricTopology& topology)
{
    uint64_t rate = std::numeric_limits<uint64_t>::max();
    for (const FabricTopology::Link& link : topology.GetLinks())
    {
        if (!topology.IsSwitch(link.a) || !topology.IsSwitch(link.b))
        {
            rate = std::min(rate, link.spec.rate.GetBitRate());
        }
    }
    return rate;
}

} // namespace

void
SetAlphaBySpeed(const FabricRecipe& recipe, const Fabric& fabric)
{
    if (!recipe.alphaBySpeed)
    {
        return;
    }
    const uint64_t hostRate = HostRate(fabric.GetTopology());
    const auto base = ValueInForce<DoubleValue>(SwitchMmu::GetTypeId(), "Alpha", recipe.mmu).Get();
    for (const SwitchId which : fabric.Switches())
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        for (uint16_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
        {
            const Ptr<QbbNetDevice> device = fabricSwitch->GetPort(port);
            double alpha = base;
            for (uint64_t faster = device->GetDataRate().GetBitRate() / 2;
                 faster >= hostRate && alpha < 1;
                 faster /= 2)
            {
                alpha = std::min(2 * alpha, 1.0);
            }
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                if (alpha > base && (device->GetPausingGroups() & (1U << cls)))
                {
                    fabricSwitch->GetMmu()->SetAlpha(port, cls, alpha);
                }
            }
        }
    }
}

} // namespace ns3
