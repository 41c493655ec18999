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
      m_before(Count()),
      m_destroyed(CountDestroyed())
{
}

LostData::Frames
LostData::Count() const
{
    Frames frames{};
    for (const SwitchId which : m_fabric.Switches())
    {
        for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            frames[cls] += m_fabric.GetSwitch(which)->GetLostData(cls).frames;
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
LostData::DescribeFirst(uint8_t classes) const
{
    for (const SwitchId which : m_fabric.Switches())
    {
        for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            const FabricSwitch::LostData& data = m_fabric.GetSwitch(which)->GetLostData(cls);
            if (data.frames && classes & (1U << cls))
            {
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
LostData::FindHint(uint8_t classes) const
{
    bool isHeadroom = true; // of the first, everywhere
    for (const SwitchId which : m_fabric.Switches())
    {
        for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            const FabricSwitch::LostData& data = m_fabric.GetSwitch(which)->GetLostData(cls);
            const bool counts = data.frames && classes & (1U << cls);
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
    const Frames now = Count();
    uint64_t lost = 0;
    uint8_t classes = 0;
    for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const bool isPromised = (lossless | m_lossless) & (1U << cls) || WasLossless(m_fabric, cls);
        if (const uint64_t frames = now[cls] - m_before[cls]; frames && isPromised)
        {
            lost += frames;
            classes |= 1U << cls;
        }
    }
    if (lost)
    {
        PrintWarning("switches had no room for " + std::to_string(lost) + " frames of RDMA data (" +
                         DescribeFirst(classes) + "), though hosts send them in class " +
                         ClassList(classes) + ", which " +
                         (classes & ~lossless ? "was lossless there before" : "is lossless there"),
                     FindHint(classes));
    }
}

} // namespace ns3
