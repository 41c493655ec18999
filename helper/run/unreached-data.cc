// SPDX-License-Identifier: GPL-2.0-only
#include "unreached-data.h"

#include "fabric-places.h"
#include "lossy-class.h"
#include "switch-extensions.h"

#include "ns3/callback.h"
#include "ns3/fabric-frame.h"
#include "ns3/fabric-warning.h"
#include "ns3/qbb-net-device.h"
#include "ns3/ttl-limiter.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/// Routes follow links: behind a link that is cut a host may have none.
const std::string CUTS_ARE_MEANT = "this is for information where links were cut on purpose; ";

} // namespace

UnreachedData::UnreachedData(const Fabric& fabric)
    : m_fabric(fabric),
      m_ports(PortsOf(fabric)),
      m_lossless(LosslessAtHosts(fabric)),
      m_lowered(CountLowered())
{
    const auto add = [this](DropReason reason, const std::string& lostBy, const std::string& hint) {
        m_losses.push_back({reason, lostBy, hint, Frames(m_ports.size()), Frames(m_ports.size())});
    };
    add(DropReason::LINK_DOWN,
        "links that were down lost ",
        CUTS_ARE_MEANT + "else see what took them down");
    add(DropReason::NO_ROUTE,
        "switches had no route for ",
        CUTS_ARE_MEANT + "else see its routes to the hosts of the flows");
    add(DropReason::TTL_EXPIRED, "the time to live has ended of ", "");
    add(DropReason::WATCHDOG,
        "PFC watchdogs have dropped ",
        "this is for information where storms are meant; watchdog.csv says when");
    add(DropReason::BORDER_POLICY,
        "border policies have dropped ",
        "this is for information where a rule is meant to");
    for (std::size_t i = 0; i < m_ports.size(); ++i)
    {
        m_ports[i].device->TraceConnectWithoutContext(
            "Drop",
            MakeCallback(&UnreachedData::Dropped, this, i));
    }
}

UnreachedData::~UnreachedData()
{
    for (std::size_t i = 0; i < m_ports.size(); ++i)
    {
        m_ports[i].device->TraceDisconnectWithoutContext(
            "Drop",
            MakeCallback(&UnreachedData::Dropped, this, i));
    }
}

void
UnreachedData::Dropped(std::size_t index,
                       const QbbNetDevice& /* port */,
                       const Frame& frame,
                       DropReason reason)
{
    const Frame& content = frame.Content();
    const bool isRdma = content.kind == FrameKind::ROCE && CarriesData(content.opcode);
    const bool isIp = content.kind == FrameKind::IP && (m_lossless >> content.sentClass & 1) != 0;
    // Ports of several threads may drop at once, and each has numbers of its own.
    for (Losses& losses : m_losses)
    {
        losses.rdma[index] += isRdma && reason == losses.reason;
        losses.ip[index] += isIp && reason == losses.reason;
    }
}

std::string
UnreachedData::Describe(const Frames& frames, const std::string& what) const
{
    const uint64_t lost = std::accumulate(frames.begin(), frames.end(), uint64_t{0});
    if (lost == 0)
    {
        return {};
    }
    const auto most = std::max_element(frames.begin(), frames.end());
    const FabricPort& port = m_ports[most - frames.begin()];
    return std::to_string(lost) + (lost == 1 ? " frame" : " frames") + " of " + what + ", " +
           (*most == lost ? "" : std::to_string(*most) + " of them ") + "at " +
           FabricPlaces::NameOf(m_fabric.GetTopology(), port.node) + " port " +
           std::to_string(port.port);
}

std::vector<uint64_t>
UnreachedData::CountLowered() const
{
    std::vector<uint64_t> frames;
    for (const SwitchId which : m_fabric.Switches())
    {
        frames.push_back(0);
        for (const auto& limiter : ExtensionsOf<TtlLimiter>(*m_fabric.GetSwitch(which)))
        {
            frames.back() += limiter->GetLowered();
        }
    }
    return frames;
}

std::string
UnreachedData::FindLimiter() const
{
    // Simulator::Destroy() has taken the extensions.
    const auto lowered = m_fabric.IsDestroyed() ? m_lowered : CountLowered();
    for (const SwitchId which : m_fabric.Switches())
    {
        if (const uint64_t frames = lowered[which.Value()] - m_lowered[which.Value()])
        {
            const FabricTopology& topology = m_fabric.GetTopology();
            return "ns3::TtlLimiter of " + FabricPlaces::NameOf(topology, topology.NodeOf(which)) +
                   " has lowered that of " + std::to_string(frames) +
                   " frames: raise its Limits, or see whether routes make a loop";
        }
    }
    return "let InitialTtl of queue pairs exceed the number of switches on the way, or see whether "
           "routes make a loop";
}

void
UnreachedData::Warn() const
{
    for (const Losses& losses : m_losses)
    {
        for (const auto& lost :
             {Describe(losses.rdma, "RDMA data"),
              Describe(losses.ip, "IP stacks, such as TCP and UDP, in lossless classes")})
        {
            if (!lost.empty())
            {
                PrintWarning(losses.lostBy + lost,
                             losses.hint.empty() ? FindLimiter() : losses.hint);
            }
        }
    }
}

} // namespace ns3
