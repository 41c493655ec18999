// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-state.h"

#include "fabric-ports.h"

namespace ns3
{
namespace tests
{
namespace
{

/// @param device a port @return what of it is not settled; empty: nothing
std::string
UnsettledOf(const QbbNetDevice& device)
{
    return device.Queues().NonEmpty()                        ? "has frames queued"
           : device.PausedMask()                             ? "is paused"
           : device.GetIssuer().Wanted()                     ? "pauses"
           : device.GetIssuer().Pending()                    ? "is about to pause"
           : device.GetObeyer().Ignored()                    ? "ignores pauses"
           : device.GetCbfc() && !device.GetCbfc()->IsIdle() ? "has credits in use"
                                                             : "";
}

} // namespace

std::string
FindDisagreement(const Fabric& fabric)
{
    for (const SwitchId which : fabric.Switches())
    {
        const std::string wrong = fabric.GetSwitch(which)->GetMmu()->CheckInvariants();
        if (!wrong.empty())
        {
            return "buffer of " + which.Name() + ": " + wrong;
        }
    }
    return "";
}

std::string
FindUnsettled(const Fabric& fabric)
{
    const std::string disagreement = FindDisagreement(fabric);
    if (!disagreement.empty())
    {
        return disagreement;
    }
    for (const SwitchId which : fabric.Switches())
    {
        if (!fabric.GetSwitch(which)->GetMmu()->IsIdle())
        {
            return "the buffer of " + which.Name() + " is not empty";
        }
    }
    for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
    {
        const std::string wrong = UnsettledOf(*device);
        if (!wrong.empty())
        {
            return node.Name() + " port " + std::to_string(port) + " " + wrong;
        }
    }
    for (const HostId host : fabric.Hosts())
    {
        if (fabric.GetRdma(host)->GetNQueuePairs() > 0)
        {
            return host.Name() + " has a queue pair left";
        }
    }
    return "";
}

} // namespace tests
} // namespace ns3
