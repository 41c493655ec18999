// SPDX-License-Identifier: GPL-2.0-only
#include "lost-data.h"

#include "fabric-places.h"
#include "fabric-ports.h"
#include "loss-warning.h"
#include "lossy-class.h"

#include "ns3/fabric-warning.h"

#include <cstddef>
#include <string>

namespace ns3
{

namespace
{

/// @param fabric a fabric @return mask of the classes that are lossless at some host
uint8_t
LosslessAtHosts(const Fabric& fabric)
{
    uint8_t lossless = 0;
    for (const FabricPort& port : PortsOf(fabric))
    {
        lossless |= port.isSwitch ? 0 : port.device->GetPausableClasses();
    }
    return lossless;
}

/// @param classes mask @return such as "class 3" or "classes 3, 4"
std::string
NameOf(uint8_t classes)
{
    std::string text;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (classes & (1U << cls))
        {
            text += (text.empty() ? "" : ", ") + std::to_string(cls);
        }
    }
    return (text.size() > 1 ? "classes " : "class ") + text;
}

} // namespace

LostData::LostData(const Fabric& fabric)
    : m_fabric(fabric),
      m_lossless(LosslessAtHosts(fabric)),
      m_before(Count()),
      m_destroyed(CountDestroyed())
{
}

uint64_t
LostData::Count() const
{
    uint64_t frames = 0;
    for (const SwitchId which : m_fabric.Switches())
    {
        frames += m_fabric.GetSwitch(which)->GetLostData().frames;
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

uint8_t
LostData::FindPromised() const
{
    const uint8_t lossless = m_lossless | LosslessAtHosts(m_fabric);
    uint8_t promised = 0;
    for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (!IsSent(m_fabric, cls))
        {
            continue;
        }
        if (!(lossless & (1U << cls)) || IsNamedLossy(m_fabric, cls))
        {
            return 0;
        }
        promised |= 1U << cls;
    }
    return promised;
}

void
LostData::Warn() const
{
    // Not after Simulator::Destroy(), which takes the ports.
    if (m_fabric.IsDestroyed() || !IsLossForbidden(m_fabric) || HasNamedLoss(m_fabric))
    {
        return;
    }
    const uint64_t lost = Count() - m_before;
    const uint8_t promised = lost ? FindPromised() : 0;
    if (!promised)
    {
        return;
    }
    bool isHeadroom = true; // of the first, everywhere
    std::string first;
    for (const SwitchId which : m_fabric.Switches())
    {
        const FabricSwitch::LostData& data = m_fabric.GetSwitch(which)->GetLostData();
        isHeadroom = isHeadroom && (!data.frames || data.reason == DropReason::HEADROOM_FULL ||
                                    data.reason == DropReason::POOL_FULL);
        if (data.frames && first.empty())
        {
            first =
                " (" + std::string(ToString(data.reason)) + ", such as in priority group " +
                std::to_string(data.group) + " of " +
                FabricPlaces::NameOf(m_fabric.GetTopology(), m_fabric.GetTopology().NodeOf(which)) +
                " port " + std::to_string(data.port) + ")";
        }
    }
    if (isHeadroom && CountDestroyed() > m_destroyed)
    {
        return; // an XOFF may be among the frames: the summary says what that does
    }
    PrintWarning("switches had no room for " + std::to_string(lost) + " frames of RDMA data" +
                     first + ", though hosts send RDMA in " + NameOf(promised) +
                     ", which is lossless there",
                 "see what the frames meet on their way: class maps, border policies, watchdogs, "
                 "MTUs, and other traffic in their priority group");
}

} // namespace ns3
