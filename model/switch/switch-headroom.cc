// SPDX-License-Identifier: GPL-2.0-only
#include "switch-headroom.h"

#include "ns3/apply-or-undo.h"
#include "ns3/log.h"
#include "ns3/qbb-channel.h"
#include "ns3/qbb-net-device.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("SwitchHeadroom");

namespace
{

/// @return a time in picoseconds, for headroom
uint64_t
Picoseconds(Time time)
{
    return time.IsNegative() ? 0 : time.GetPicoSeconds();
}

/// @return the longest frame that a port sends, a tag included
uint32_t
LongestFrame(const QbbNetDevice& device)
{
    return device.GetMtu() + ETHERNET_OVERHEAD_BYTES + 4;
}

} // namespace

HeadroomLink
SwitchHeadroom::LinkOf(const QbbNetDevice& device)
{
    HeadroomLink link;
    link.bitsPerSecond = device.GetDataRate().GetBitRate();
    link.maxFrameBytes = LongestFrame(device);
    link.reverseMaxFrameBytes = LongestFrame(device);
    if (auto peer = device.GetPeer())
    {
        link.delayPs = Picoseconds(DynamicCast<QbbChannel>(device.GetChannel())->GetDelay());
        link.maxFrameBytes = LongestFrame(*peer);
        link.reactionPs = Picoseconds(peer->GetPfcReactionDelay());
    }
    return link;
}

void
SwitchHeadroom::Configure(SwitchMmu& mmu,
                          const std::vector<Ptr<QbbNetDevice>>& ports,
                          bool isRunning)
{
    m_chosen.resize(ports.size());
    mmu.Finalize(); // for the cell size, and to refuse what a script has set already
    const auto chosen = m_chosen;
    std::vector<std::array<MmuClassConfig, TRAFFIC_CLASSES>> configs(ports.size());
    for (uint32_t port = 0; port < ports.size(); ++port)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            configs[port][cls] = mmu.GetConfig(port, cls);
        }
    }
    const auto apply = [&](bool anew) {
        for (uint32_t port = 0; port < ports.size(); ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                if (anew)
                {
                    Choose(mmu, *ports[port], port, cls, isRunning);
                }
                else
                {
                    mmu.SetConfig(port, cls, configs[port][cls]);
                }
            }
        }
        m_chosen = anew ? m_chosen : chosen;
        mmu.Finalize();
    };
    ApplyOrUndo(false, true, apply);
}

void
SwitchHeadroom::Choose(SwitchMmu& mmu,
                       const QbbNetDevice& device,
                       uint32_t port,
                       uint32_t cls,
                       bool isRunning)
{
    // What is not as we left it, a script has set.
    const MmuClassConfig& config = mmu.GetConfig(port, cls);
    MmuClassConfig& chosen = m_chosen[port][cls];
    if (config.kind != chosen.kind || config.headroomBytes != chosen.headroomBytes)
    {
        return;
    }
    if (device.IsPfcEnabled(cls))
    {
        const uint64_t needed = HeadroomBytes(LinkOf(device), mmu.GetCellSize().Bytes());
        mmu.SetLossless(port, cls, std::max(needed, isRunning ? chosen.headroomBytes : 0));
    }
    else
    {
        mmu.SetLossy(port, cls);
    }
    chosen = mmu.GetConfig(port, cls);
    NS_LOG_LOGIC("port " << port << " class " << cls << ": headroom " << chosen.headroomBytes
                         << " bytes");
}

std::vector<std::string>
SwitchHeadroom::Check(const SwitchMmu& mmu,
                      const std::vector<Ptr<QbbNetDevice>>& ports,
                      const std::string& name)
{
    std::vector<std::string> findings;
    const uint32_t cell = mmu.GetCellSize().Bytes();
    for (uint32_t port = 0; port < ports.size(); ++port)
    {
        const QbbNetDevice& device = *ports[port];
        const auto peer = device.GetPeer();
        if (!peer)
        {
            continue; // nothing can arrive
        }
        const uint64_t needed = HeadroomBytes(LinkOf(device), cell);
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            const std::string where =
                name + " port " + std::to_string(port) + " class " + std::to_string(cls) + ": ";
            const uint64_t headroom = uint64_t{mmu.GetIngress(port, cls).headroom} * cell;
            if (mmu.IsLossless(port, cls) && headroom < needed)
            {
                findings.push_back(where + "headroom of " + std::to_string(headroom) +
                                   " bytes is " + std::to_string(needed - headroom) +
                                   " bytes short of what the link needs");
            }
            if (mmu.IsLossless(port, cls) && !device.IsPfcEnabled(cls))
            {
                findings.push_back(where + "lossless in the buffer, but PFC is off at the port");
            }
            if (device.IsPfcEnabled(cls) != peer->IsPfcEnabled(cls))
            {
                findings.push_back(where + "PFC is on at one end of the link only");
            }
        }
        if (device.GetPfcClasses() &&
            !device.GetTrafficClassMap()->SameAs(*peer->GetTrafficClassMap()))
        {
            findings.push_back(name + " port " + std::to_string(port) +
                               ": the class maps at the two ends of the link differ");
        }
    }
    return findings;
}

} // namespace ns3
