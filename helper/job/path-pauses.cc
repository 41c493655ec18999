// SPDX-License-Identifier: GPL-2.0-only
#include "path-pauses.h"

#include "ns3/flow-path.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace
{

/// Add a value unless it is there. @param to list
void
AddOnce(std::vector<std::size_t>& to, std::size_t value)
{
    if (std::find(to.begin(), to.end(), value) == to.end())
    {
        to.push_back(value);
    }
}

/// @param pauses of a port, in order @param begin tick @param end tick
/// @param visit called with begin and end of what of them is between these
template <typename Visit>
void
ForEachPause(const TickSpans& pauses, int64_t begin, int64_t end, Visit&& visit)
{
    auto pause = std::partition_point(pauses.begin(), pauses.end(), [begin](const auto& each) {
        return each.second >= 0 && each.second <= begin;
    });
    for (; pause != pauses.end() && pause->first < end; ++pause)
    {
        const int64_t to = pause->second < 0 ? end : std::min(pause->second, end);
        if (to > std::max(pause->first, begin))
        {
            visit(std::max(pause->first, begin), to);
        }
    }
}

} // namespace

PathPauses::PathPauses(const Fabric& fabric, const QueuePairNetwork& network)
    : m_fabric(fabric)
{
    network.ForEachLine([&](const MessageNetwork::Pair& pair, const Fabric::Connection& ends) {
        const HostId host = network.GetPlaces()[pair.source].host;
        const RdmaConnection& terms = ends.source->GetConnection();
        const uint32_t cls = terms.data.trafficClass;
        const std::size_t nic = Look(m_fabric.GetTopology().NodeOf(host), ends.ports.source, cls);
        AddOnce(m_nics[pair.source], nic);
        std::vector<std::size_t>& path = m_paths[pair];
        AddOnce(path, nic);
        for (const auto& [node, port] : FlowPath::Find(m_fabric, host, ends.ports.source, terms))
        {
            AddOnce(path, Look(node, port, cls));
        }
    });
}

std::size_t
PathPauses::Look(NodeId node, uint32_t number, uint32_t cls)
{
    const auto [entry, isNew] =
        m_index.emplace(std::make_pair(std::make_pair(node.Value(), number), cls), m_ports.size());
    if (!isNew)
    {
        return entry->second;
    }
    m_ports.push_back(std::make_unique<Port>());
    Port* const port = m_ports.back().get();
    const auto device = m_fabric.GetDevice(node, number);
    if (device->PausedMask() & (1U << cls))
    {
        PauseChanged(*port, true);
    }
    device->TraceConnectWithoutContext(
        "PauseState",
        Callback<void, const QbbNetDevice&, uint32_t, bool>(
            m_guard.Wrap([port, cls](const QbbNetDevice&, uint32_t which, bool paused) {
                if (which == cls)
                {
                    PauseChanged(*port, paused);
                }
            })));
    const FabricTopology& topology = m_fabric.GetTopology();
    const LinkId link = topology.GetLinksOf(node)[number];
    const NodeId peer = topology.GetLink(link).Peer(node);
    m_fabric.GetDevice(peer, topology.GetPort(peer, link))
        ->TraceConnectWithoutContext(
            "PfcTx",
            Callback<void, const QbbNetDevice&, uint32_t, uint16_t>(
                m_guard.Wrap([port, cls](const QbbNetDevice&, uint32_t which, uint16_t quanta) {
                    if (which == cls && quanta > 0)
                    {
                        port->xoffs.push_back(Simulator::Now().GetTimeStep());
                    }
                })));
    return entry->second;
}

void
PathPauses::PauseChanged(Port& port, bool paused)
{
    const int64_t now = Simulator::Now().GetTimeStep();
    const bool isOpen = !port.pauses.empty() && port.pauses.back().second < 0;
    if (paused && !isOpen)
    {
        port.pauses.emplace_back(now, -1);
    }
    else if (!paused && isOpen)
    {
        port.pauses.back().second = now;
    }
}

void
PathPauses::AddTo(Sum& sum, const Port& port, int64_t begin, int64_t end)
{
    ForEachPause(port.pauses, begin, end, [&sum](int64_t from, int64_t to) {
        sum.paused += to - from;
    });
    sum.xoffFrames +=
        static_cast<uint64_t>(std::upper_bound(port.xoffs.begin(), port.xoffs.end(), end) -
                              std::lower_bound(port.xoffs.begin(), port.xoffs.end(), begin));
}

PathPauses::Sum
PathPauses::GetSum(int64_t begin, int64_t end) const
{
    Sum sum;
    for (const auto& port : m_ports)
    {
        AddTo(sum, *port, begin, end);
    }
    return sum;
}

PathPauses::Sum
PathPauses::GetSumOf(uint32_t rank, int64_t begin, int64_t end) const
{
    Sum sum;
    if (const auto nics = m_nics.find(rank); nics != m_nics.end())
    {
        for (const std::size_t port : nics->second)
        {
            AddTo(sum, *m_ports[port], begin, end);
        }
    }
    return sum;
}

void
PathPauses::AddTo(TickSpans& spans,
                  const MessageNetwork::Pair& pair,
                  int64_t begin,
                  int64_t end) const
{
    const auto path = m_paths.find(pair);
    if (path == m_paths.end())
    {
        return;
    }
    for (const std::size_t port : path->second)
    {
        ForEachPause(m_ports[port]->pauses, begin, end, [&spans](int64_t from, int64_t to) {
            spans.emplace_back(from, to);
        });
    }
}

void
PathPauses::Forget(int64_t tick)
{
    for (const auto& port : m_ports)
    {
        auto& pauses = port->pauses;
        pauses.erase(pauses.begin(),
                     std::find_if(pauses.begin(), pauses.end(), [tick](const auto& pause) {
                         return pause.second < 0 || pause.second >= tick;
                     }));
        auto& xoffs = port->xoffs;
        xoffs.erase(xoffs.begin(), std::lower_bound(xoffs.begin(), xoffs.end(), tick));
    }
}

} // namespace ns3
