// SPDX-License-Identifier: GPL-2.0-only
#include "convergence.h"

#include "ns3/fabric-error.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <functional>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Convergence");

namespace
{

constexpr uint32_t FAR = 0xffffffff; //!< no way there

/// A delay must not be negative.
void
RequireDelay(Time delay)
{
    if (delay.IsStrictlyNegative())
    {
        throw FabricError("a convergence delay of " + std::to_string(delay.GetNanoSeconds()) +
                              " ns",
                          "it must be 0 or more");
    }
}

} // namespace

Convergence::Convergence(const Fabric& fabric)
    : m_fabric(fabric),
      m_delays(fabric.GetNSwitches(), Time(0)),
      m_random(CreateObject<UniformRandomVariable>()),
      m_waveOf(fabric.GetNSwitches(), 0)
{
}

void
Convergence::SetUniform(Time delay)
{
    SetDelays(std::vector<Time>(m_fabric.GetNSwitches(), delay));
}

void
Convergence::SetDelays(const std::vector<Time>& delays)
{
    if (delays.size() != m_fabric.GetNSwitches())
    {
        throw FabricError(std::to_string(delays.size()) + " convergence delays",
                          "the fabric has " + std::to_string(m_fabric.GetNSwitches()) +
                              " switches");
    }
    std::for_each(delays.begin(), delays.end(), RequireDelay);
    m_order = FIXED;
    m_delays = delays;
}

void
Convergence::SetByDistance(Time first, Time perHop)
{
    RequireDelay(first);
    RequireDelay(perHop);
    m_order = BY_DISTANCE;
    m_first = first;
    m_step = perHop;
}

void
Convergence::SetRandom(Time low, Time high)
{
    RequireDelay(low);
    if (high < low)
    {
        throw FabricError("the most of random convergence delays is below the least",
                          "give the least first");
    }
    m_order = RANDOM;
    m_first = low;
    m_step = high - low;
}

std::vector<uint32_t>
Convergence::GetDistances(const std::vector<LinkId>& links) const
{
    const FabricTopology& topology = m_fabric.GetTopology();
    std::vector<uint32_t> distance(topology.GetNNodes(), FAR);
    std::vector<NodeId> queue;
    for (const LinkId link : links)
    {
        for (const NodeId end : {topology.GetLink(link).a, topology.GetLink(link).b})
        {
            if (topology.IsSwitch(end) && distance[end.Value()] == FAR)
            {
                distance[end.Value()] = 0;
                queue.push_back(end);
            }
        }
    }
    for (std::size_t i = 0; i < queue.size(); ++i)
    {
        for (const LinkId link : topology.GetLinksOf(queue[i]))
        {
            const NodeId peer = topology.GetLink(link).Peer(queue[i]);
            if (topology.IsSwitch(peer) && distance[peer.Value()] == FAR)
            {
                distance[peer.Value()] = distance[queue[i].Value()] + 1;
                queue.push_back(peer);
            }
        }
    }
    return distance;
}

Time
Convergence::GetDelay(SwitchId which, const std::vector<uint32_t>& distances)
{
    if (m_order == FIXED)
    {
        return m_delays[which.Value()];
    }
    if (m_order == RANDOM)
    {
        return m_first + TimeStep(static_cast<uint64_t>(
                             m_random->GetValue(0, static_cast<double>(m_step.GetTimeStep()))));
    }
    const uint32_t distance = distances[m_fabric.GetTopology().NodeOf(which).Value()];
    const int64_t hops = distance == FAR ? 0 : distance; // no way there: no matter
    return m_first + TimeStep(static_cast<uint64_t>(m_step.GetTimeStep() * hops));
}

void
Convergence::Start(const std::vector<LinkId>& links)
{
    NS_LOG_FUNCTION(this << links.size());
    const auto routes = m_fabric.ComputeRoutes();
    const uint64_t wave = ++m_wave;
    const auto distances = m_order == BY_DISTANCE ? GetDistances(links) : std::vector<uint32_t>();
    for (const SwitchId which : m_fabric.Switches())
    {
        const Time delay = GetDelay(which, distances);
        if (delay.IsZero())
        {
            Install(which, wave, *routes);
            continue;
        }
        ++m_waiting;
        Simulator::Schedule(delay, std::function<void()>(m_guard.Wrap([this, which, wave, routes] {
                                --m_waiting;
                                Install(which, wave, *routes);
                            })));
    }
}

void
Convergence::Install(SwitchId which, uint64_t wave, const FabricRoutes& routes)
{
    NS_LOG_FUNCTION(this << which << wave);
    if (wave >= m_waveOf[which.Value()])
    {
        m_waveOf[which.Value()] = wave;
        m_fabric.InstallRoutesAt(which, routes);
    }
}

int64_t
Convergence::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3
