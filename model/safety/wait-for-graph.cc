// SPDX-License-Identifier: GPL-2.0-only
#include "wait-for-graph.h"

#include "fabric-switch.h"

#include "ns3/node.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace ns3
{
namespace
{

/// Cells of a (port, class) in shared space and in headroom, when so many remain: headroom is given
/// back first, then shared space, then guaranteed space (SwitchMmu::Release()).
struct Regions
{
    uint64_t shared;
    uint64_t headroom;

    Regions(const MmuIngress& in, uint64_t cells)
    {
        cells -= std::min<uint64_t>(cells, in.guaranteedUsed);
        shared = std::min<uint64_t>(cells, in.sharedUsed);
        headroom = cells - shared;
    }
};

} // namespace

void
WaitForGraph::AddSwitch(FabricSwitch* fabricSwitch)
{
    const auto node = fabricSwitch->GetObject<Node>();
    if (!node)
    {
        throw std::invalid_argument(
            "WaitForGraph: the switch belongs to no node; aggregate it to one");
    }
    const auto index = static_cast<uint32_t>(m_switches.size());
    if (m_indexOfNode.size() <= node->GetId())
    {
        m_indexOfNode.resize(node->GetId() + 1, NONE);
    }
    if (m_indexOfNode[node->GetId()] != NONE)
    {
        throw std::invalid_argument("WaitForGraph: the switch of node " +
                                    std::to_string(node->GetId()) +
                                    " is added a second time; add each once");
    }
    m_indexOfNode[node->GetId()] = index;
    m_first.push_back(static_cast<uint32_t>(m_switchOf.size()));
    m_switches.push_back(fabricSwitch);
    m_switchOf.resize(m_switchOf.size() + fabricSwitch->GetNPorts() * TRAFFIC_CLASSES, index);
    m_stuck.resize(m_switchOf.size(), false);
    m_edges.resize(m_switchOf.size());
}

BufferVertex
WaitForGraph::Describe(uint32_t vertex) const
{
    const uint32_t index = m_switchOf[vertex];
    const uint32_t local = vertex - m_first[index];
    return {index, local / TRAFFIC_CLASSES, local % TRAFFIC_CLASSES};
}

void
WaitForGraph::Clear()
{
    m_queues.clear();
}

std::vector<uint32_t>
WaitForGraph::PausedBy(const QbbNetDevice& egress, uint32_t queue) const
{
    const auto peer = egress.GetPeer();
    if (!peer || !(egress.PausedMask() & (1U << queue)))
    {
        return {};
    }
    const uint32_t node = peer->GetNode()->GetId();
    const uint32_t index = node < m_indexOfNode.size() ? m_indexOfNode[node] : NONE;
    if (index == NONE)
    {
        return {}; // a host, or a switch that nobody watches
    }
    const uint32_t port = peer->GetPortIndex();
    if (egress.GetCbfcClasses() & (1U << queue))
    {
        return {m_first[index] + port * TRAFFIC_CLASSES + queue};
    }
    const uint8_t priorities =
        egress.GetTrafficClassMap()->GetTable()->PrioritiesOfQueues(1U << queue) &
        egress.GetObeyer().Held();
    const uint8_t groups = peer->GetTrafficClassMap()->GetTable()->GroupsOfPriorities(priorities);
    // A pause that the buffer did not ask for, such as a fault's, ends some time.
    std::vector<uint32_t> vertices;
    for (uint32_t group = 0; group < TRAFFIC_CLASSES; ++group)
    {
        if ((groups & (1U << group)) && m_switches[index]->GetMmu()->GetIngress(port, group).paused)
        {
            vertices.push_back(m_first[index] + port * TRAFFIC_CLASSES + group);
        }
    }
    return vertices;
}

void
WaitForGraph::AddQueue(uint32_t switchIndex, uint32_t port, uint32_t trafficClass)
{
    const QbbNetDevice& egress = *m_switches[switchIndex]->GetPort(port);
    StuckQueue queue{switchIndex, port, trafficClass, PausedBy(egress, trafficClass), {}};
    std::map<uint32_t, uint64_t> cells;
    for (const Frame* frame = egress.Queues().Head(trafficClass); frame; frame = frame->next)
    {
        if (frame->credits.count > 0)
        {
            cells[m_first[switchIndex] + frame->inPort * TRAFFIC_CLASSES + frame->credits.cls] +=
                frame->credits.count;
        }
        else if (frame->cells > 0)
        {
            cells[m_first[switchIndex] + frame->inPort * TRAFFIC_CLASSES + frame->inClass] +=
                frame->cells;
        }
    }
    queue.cells.assign(cells.begin(), cells.end());
    m_queues.push_back(std::move(queue));
}

bool
WaitForGraph::HasCredits(uint32_t vertex) const
{
    const BufferVertex at = Describe(vertex);
    return m_switches[at.switchIndex]->GetPort(at.port)->GetCbfcClasses() & (1U << at.trafficClass);
}

bool
WaitForGraph::WaitsForEver(const StuckQueue& queue) const
{
    return std::any_of(queue.waitsFor.begin(), queue.waitsFor.end(), [this](uint32_t vertex) {
        return m_stuck[vertex];
    });
}

std::vector<uint64_t>
WaitForGraph::Remaining(uint32_t without) const
{
    std::vector<uint64_t> remaining(m_switchOf.size(), 0);
    for (uint32_t i = 0; i < m_queues.size(); ++i)
    {
        if (i != without && WaitsForEver(m_queues[i]))
        {
            for (const auto& [vertex, cells] : m_queues[i].cells)
            {
                remaining[vertex] += cells;
            }
        }
    }
    return remaining;
}

std::vector<uint64_t>
WaitForGraph::SharedOf(const std::vector<uint64_t>& remaining) const
{
    std::vector<uint64_t> shared(m_switches.size() * ServicePool::MOST, 0);
    for (uint32_t vertex = 0; vertex < remaining.size(); ++vertex)
    {
        if (remaining[vertex] > 0 && !HasCredits(vertex))
        {
            const BufferVertex at = Describe(vertex);
            const auto mmu = m_switches[at.switchIndex]->GetMmu();
            const MmuIngress& in = mmu->GetIngress(at.port, at.trafficClass);
            shared[at.switchIndex * ServicePool::MOST + in.pool] +=
                Regions(in, remaining[vertex]).shared;
        }
    }
    return shared;
}

bool
WaitForGraph::Resumes(uint32_t vertex,
                      const std::vector<uint64_t>& remaining,
                      const std::vector<uint64_t>& shared) const
{
    const BufferVertex at = Describe(vertex);
    if (HasCredits(vertex))
    {
        const auto sender = m_switches[at.switchIndex]->GetPort(at.port)->GetPeer();
        return sender->GetCbfc()->IsOpenWith(static_cast<uint32_t>(remaining[vertex]));
    }
    // As SwitchMmu decides about an XON.
    const auto mmu = m_switches[at.switchIndex]->GetMmu();
    const MmuIngress& in = mmu->GetIngress(at.port, at.trafficClass);
    const Regions held(in, remaining[vertex]);
    const uint64_t free =
        mmu->GetPool(in.pool).size - shared[at.switchIndex * ServicePool::MOST + in.pool];
    const uint64_t threshold = in.threshold.Cells(free);
    return held.headroom == 0 && (held.shared == 0 || held.shared + in.xonOffset <= threshold);
}

void
WaitForGraph::Solve()
{
    std::fill(m_stuck.begin(), m_stuck.end(), false);
    for (const StuckQueue& queue : m_queues)
    {
        for (const uint32_t vertex : queue.waitsFor)
        {
            m_stuck[vertex] = true;
        }
    }
    for (bool changed = true; changed;)
    {
        changed = false;
        const auto remaining = Remaining(NONE);
        const auto shared = SharedOf(remaining);
        for (uint32_t vertex = 0; vertex < m_stuck.size(); ++vertex)
        {
            if (m_stuck[vertex] && Resumes(vertex, remaining, shared))
            {
                m_stuck[vertex] = false;
                changed = true;
            }
        }
    }
    for (auto& edges : m_edges)
    {
        edges.clear();
    }
    for (const StuckQueue& queue : m_queues)
    {
        for (const uint32_t waitsFor : queue.waitsFor)
        {
            for (const auto& [vertex, cells] : queue.cells)
            {
                if (m_stuck[waitsFor] && m_stuck[vertex])
                {
                    m_edges[vertex].push_back(waitsFor);
                }
            }
        }
    }
}

bool
WaitForGraph::ResumesWithout(uint32_t vertex, uint32_t queue) const
{
    const auto remaining = Remaining(queue);
    return Resumes(vertex, remaining, SharedOf(remaining));
}

} // namespace ns3
