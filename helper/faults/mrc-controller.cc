// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-controller.h"

#include "ns3/fabric-partitions.h"
#include "ns3/flow-path.h"
#include "ns3/mrc-endpoint.h"

#include <algorithm>

namespace ns3
{

bool
MrcController::Knowledge::IsDenied(HostId host, uint32_t port, const Frame& packet) const
{
    const FabricTopology& topology = fabric.GetTopology();
    const FlowPath::Way way = FlowPath::WayOf(fabric, host, port, packet);
    const auto isDown = [this](LinkId link) { return !fabric.IsLinkUp(link); };
    const bool crosses = std::any_of(way.ports.begin(), way.ports.end(), [&](const NodePort& by) {
        const LinkId link = topology.GetLinksOf(by.first)[by.second];
        return denied.count(link) || (deniesDown && isDown(link));
    });
    // Routes leave out links that are down: one of these is where the way ends.
    const bool knowsEnd = deniesDown || std::any_of(denied.begin(), denied.end(), isDown);
    return crosses || (!way.arrives && knowsEnd);
}

MrcController::MrcController(const Fabric& fabric)
    : m_knowledge(std::make_shared<Knowledge>(Knowledge{fabric}))
{
    RequireOneThread("a controller of MRC");
    FlowPath::RequireKnown(fabric);
    Plan(fabric);
    for (const HostId host : fabric.Hosts())
    {
        const auto denial = [knowledge = m_knowledge, host](const Frame& packet, uint32_t port) {
            return knowledge->IsDenied(host, port, packet);
        };
        MrcEndpoint::Of(*fabric.GetRdma(host)).SetDenial(denial);
    }
}

MrcController::~MrcController()
{
    for (const HostId host : m_knowledge->fabric.Hosts())
    {
        MrcEndpoint::Of(*m_knowledge->fabric.GetRdma(host)).SetDenial({});
    }
}

void
MrcController::Review() const
{
    for (const HostId host : m_knowledge->fabric.Hosts())
    {
        MrcEndpoint::Of(*m_knowledge->fabric.GetRdma(host)).Review();
    }
}

void
MrcController::Deny(LinkId link)
{
    RequireOpen("the controller of MRC");
    m_knowledge->denied.insert(link);
    Review();
}

void
MrcController::Allow(LinkId link)
{
    RequireOpen("the controller of MRC");
    m_knowledge->denied.erase(link);
    Review();
}

void
MrcController::DenyKnown()
{
    RequireOpen("the controller of MRC");
    m_knowledge->deniesDown = true;
    Review();
}

} // namespace ns3
