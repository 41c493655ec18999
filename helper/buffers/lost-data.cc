// SPDX-License-Identifier: GPL-2.0-only
#include "lost-data.h"

#include "class-list.h"
#include "fabric-places.h"
#include "fabric-ports.h"
#include "loss-warning.h"
#include "lossy-class.h"

#include "ns3/fabric-warning.h"

#include <cstddef>

namespace ns3
{

namespace
{

/// @param reason of a drop @return whether XOFF was to prevent it
bool
IsHeadroom(DropReason reason)
{
    return reason == DropReason::HEADROOM_FULL || reason == DropReason::POOL_FULL;
}

} // namespace

LostData::LostData(const Fabric& fabric)
    : m_fabric(fabric),
      m_lossless(LosslessAtHosts(fabric)),
      m_kinds{Kind{"RDMA data", &FabricSwitch::GetLostData, {}},
              Kind{"IP stacks, such as TCP and UDP", &FabricSwitch::GetLostIp, {}}},
      m_receivers(CountReceivers()),
      m_destroyed(CountDestroyed())
{
    for (Kind& kind : m_kinds)
    {
        for (const SwitchId which : fabric.Switches())
        {
            kind.before.push_back(CountAt(kind, which));
        }
    }
}

LostData::Frames
LostData::CountAt(const Kind& kind, SwitchId which) const
{
    Frames frames{};
    for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        frames[cls] = (PeekPointer(m_fabric.GetSwitch(which))->*kind.lost)(cls).frames;
    }
    return frames;
}

uint64_t
LostData::CountLost(const Kind& kind, SwitchId which, uint8_t cls) const
{
    return CountAt(kind, which)[cls] - kind.before[which.Value()][cls];
}

std::vector<uint64_t>
LostData::CountReceivers() const
{
    std::vector<uint64_t> frames;
    for (const FabricPort& port : PortsOf(m_fabric))
    {
        if (!port.isSwitch)
        {
            const auto& drops = port.device->GetCounters().drops;
            frames.push_back(drops[static_cast<std::size_t>(DropReason::RECEIVE_FULL)]);
        }
    }
    return frames;
}

uint64_t
LostData::CountDestroyed() const
{
    uint64_t frames = 0;
    for (const FabricPort& port : PortsOf(m_fabric))
    {
        const auto& drops = port.device->GetCounters().drops;
        frames += drops[static_cast<std::size_t>(DropReason::CORRUPTED)] +
                  drops[static_cast<std::size_t>(DropReason::INJECTED)];
    }
    return frames;
}

std::string
LostData::DescribeOne(const Kind& kind, uint8_t classes) const
{
    for (const SwitchId which : m_fabric.Switches())
    {
        for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            if (classes & (1U << cls) && CountLost(kind, which, cls))
            {
                const FabricSwitch::LostData& data =
                    (PeekPointer(m_fabric.GetSwitch(which))->*kind.lost)(cls);
                const FabricTopology& topology = m_fabric.GetTopology();
                return std::string(ToString(data.reason)) + ", such as in priority group " +
                       std::to_string(data.group) + " of " +
                       FabricPlaces::NameOf(topology, topology.NodeOf(which)) + " port " +
                       std::to_string(data.port);
            }
        }
    }
    return {};
}

std::string
LostData::FindHint(const Kind& kind, uint8_t classes) const
{
    bool isHeadroom = true; // of the last, everywhere
    for (const SwitchId which : m_fabric.Switches())
    {
        for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            const bool counts = classes & (1U << cls) && CountLost(kind, which, cls);
            const auto& data = (PeekPointer(m_fabric.GetSwitch(which))->*kind.lost)(cls);
            isHeadroom = isHeadroom && (!counts || IsHeadroom(data.reason));
        }
    }
    const uint64_t destroyed = CountDestroyed() - m_destroyed;
    bool isNamed = HasNamedLoss(m_fabric);
    for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        isNamed = isNamed || (classes & (1U << cls) && IsNamedLossy(m_fabric, cls));
    }
    if (isHeadroom && destroyed)
    {
        return "links or faults have destroyed " + std::to_string(destroyed) +
               " frames, among which XOFFs may have been";
    }
    return std::string(isNamed ? "an earlier warning may say why; else " : "") +
           "see what the frames meet on their way: class maps, border policies, watchdogs, MTUs, "
           "and other traffic in their priority group";
}

void
LostData::Warn() const
{
    // Not after Simulator::Destroy(), which takes the ports.
    if (m_fabric.IsDestroyed() || !IsLossForbidden(m_fabric))
    {
        return;
    }
    const uint8_t lossless = LosslessAtHosts(m_fabric);
    uint8_t promised = 0;
    uint8_t sent = 0; // of them
    for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const bool isPromised = (lossless | m_lossless) & (1U << cls) || WasLossless(m_fabric, cls);
        promised |= isPromised ? 1U << cls : 0;
        sent |= isPromised && IsSent(m_fabric, cls) ? 1U << cls : 0;
    }
    for (const Kind& kind : m_kinds)
    {
        WarnOfSwitches(kind, promised);
    }
    WarnOfReceivers(sent);
}

void
LostData::WarnOfSwitches(const Kind& kind, uint8_t promised) const
{
    uint64_t lost = 0;
    uint8_t classes = 0;
    for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        for (const SwitchId which : m_fabric.Switches())
        {
            const uint64_t frames = promised & (1U << cls) ? CountLost(kind, which, cls) : 0;
            lost += frames;
            classes |= frames ? 1U << cls : 0;
        }
    }
    if (lost)
    {
        PrintWarning("switches had no room for " + std::to_string(lost) + " frames of " +
                         kind.name + " (" + DescribeOne(kind, classes) +
                         "), though hosts send them in class " + ClassList(classes) + ", which " +
                         (classes & ~LosslessAtHosts(m_fabric) ? "was lossless there before"
                                                               : "is lossless there"),
                     FindHint(kind, classes));
    }
}

void
LostData::WarnOfReceivers(uint8_t classes) const
{
    const std::vector<uint64_t> now = CountReceivers();
    uint64_t lost = 0;
    std::string first;
    std::size_t i = 0;
    for (const FabricPort& port : PortsOf(m_fabric))
    {
        if (port.isSwitch)
        {
            continue;
        }
        const uint64_t frames = now[i] - m_receivers[i];
        ++i;
        lost += frames;
        if (frames && first.empty())
        {
            first = FabricPlaces::NameOf(m_fabric.GetTopology(), port.node) + " port " +
                    std::to_string(port.port);
        }
    }
    if (lost && classes)
    {
        const auto findings = FindLoss(m_fabric);
        PrintWarning("receive buffers of NICs had no room for " + std::to_string(lost) +
                         " frames, such as at " + first + ", though class " + ClassList(classes) +
                         " is lossless at hosts",
                     findings.empty() ? "see what keeps their pauses from the sender: links, "
                                        "faults, and other traffic in their priority group"
                                      : FirstOf(findings));
    }
}

} // namespace ns3
