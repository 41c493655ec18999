// SPDX-License-Identifier: GPL-2.0-only
#include "unreached-data.h"

#include "fabric-places.h"

#include "ns3/callback.h"
#include "ns3/fabric-frame.h"
#include "ns3/fabric-warning.h"
#include "ns3/qbb-net-device.h"

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
    : m_topology(fabric.GetTopology()),
      m_ports(PortsOf(fabric)),
      m_down{DropReason::LINK_DOWN, std::vector<uint64_t>(m_ports.size())},
      m_unrouted{DropReason::NO_ROUTE, std::vector<uint64_t>(m_ports.size())}
{
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
    if (content.kind != FrameKind::ROCE || !CarriesData(content.opcode))
    {
        return;
    }
    // Ports of several threads may drop at once, and each has a number of its own.
    for (Losses* losses : {&m_down, &m_unrouted})
    {
        losses->frames[index] += reason == losses->reason;
    }
}

std::string
UnreachedData::Describe(const Losses& losses) const
{
    const auto& frames = losses.frames;
    const uint64_t lost = std::accumulate(frames.begin(), frames.end(), uint64_t{0});
    if (lost == 0)
    {
        return {};
    }
    const auto most = std::max_element(frames.begin(), frames.end());
    const FabricPort& port = m_ports[most - frames.begin()];
    return std::to_string(lost) + (lost == 1 ? " frame" : " frames") + " of RDMA data, " +
           (*most == lost ? "" : std::to_string(*most) + " of them ") + "at " +
           FabricPlaces::NameOf(m_topology, port.node) + " port " + std::to_string(port.port);
}

void
UnreachedData::Warn() const
{
    if (const std::string down = Describe(m_down); !down.empty())
    {
        PrintWarning("links that were down lost " + down,
                     CUTS_ARE_MEANT + "else see what took them down");
    }
    if (const std::string unrouted = Describe(m_unrouted); !unrouted.empty())
    {
        PrintWarning("switches had no route for " + unrouted,
                     CUTS_ARE_MEANT + "else see its routes to the hosts of the flows");
    }
}

} // namespace ns3
