// SPDX-License-Identifier: GPL-2.0-only
#include "deadlock-detector.h"

#include "fabric-switch.h"

#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DeadlockDetector");

NS_OBJECT_ENSURE_REGISTERED(DeadlockDetector);

namespace
{

/// @return an address as text @param version 4 or 6 @param high first 96 bits @param low the rest
std::string
AddressText(uint8_t version, const std::array<uint32_t, 3>& high, uint32_t low)
{
    std::ostringstream text;
    if (version == 4)
    {
        text << Ipv4Address(low);
        return text.str();
    }
    const std::array<uint32_t, 4> words{high[0], high[1], high[2], low};
    uint8_t bytes[16];
    for (uint32_t i = 0; i < 16; ++i)
    {
        bytes[i] = static_cast<uint8_t>(words[i / 4] >> (24 - 8 * (i % 4)));
    }
    text << Ipv6Address(bytes);
    return text.str();
}

} // namespace

TypeId
DeadlockDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DeadlockDetector")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddConstructor<DeadlockDetector>()
            .AddAttribute("Period",
                          "Time between two polls, at least 1 ns. Buffers that wait in a cycle and "
                          "have not moved for two periods are a deadlock.",
                          TimeValue(MilliSeconds(1)),
                          MakeLive(MakeTimeAccessor(&DeadlockDetector::m_period),
                                   &DeadlockDetector::PeriodChanged),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Action",
                          "Action on a deadlock: Report it, Stop the simulation, or Drain, which "
                          "flushes queues of the cycle until it is broken. A new action is also "
                          "taken on deadlocks that are known and not broken.",
                          EnumValue(REPORT),
                          MakeLive(MakeLosslessEnumAccessor<Action>(&DeadlockDetector::m_action),
                                   &DeadlockDetector::ActionChanged),
                          MakeEnumChecker(REPORT, "Report", STOP, "Stop", DRAIN, "Drain"))
            .AddTraceSource("Deadlock",
                            "A deadlock was found, and broken if Action is Drain: the deadlock.",
                            MakeTraceSourceAccessor(&DeadlockDetector::m_deadlockTrace),
                            "ns3::DeadlockDetector::DeadlockTracedCallback");
    return tid;
}

void
DeadlockDetector::DoDispose()
{
    m_next.Cancel();
    m_act.Cancel();
    Object::DoDispose();
}

void
DeadlockDetector::Add(const Ptr<FabricSwitch>& fabricSwitch)
{
    NS_LOG_FUNCTION(this << fabricSwitch);
    const uint32_t index = m_graph.GetNSwitches();
    m_graph.AddSwitch(PeekPointer(fabricSwitch));
    for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
    {
        const auto device = fabricSwitch->GetPort(port);
        m_egresses.push_back({PeekPointer(device), index, port, {}});
        // The ports hold this, which holds no port: whatever the script lets go of, it stays.
        const std::size_t place = m_egresses.size() - 1;
        // What is thrown away has left its queue: its class has moved, and no other.
        device->TraceConnectWithoutContext(
            "Drop",
            Callback<void, const QbbNetDevice&, const Frame&, DropReason>(
                [detector = Ptr<DeadlockDetector>(this),
                 place](const QbbNetDevice&, const Frame& frame, DropReason reason) {
                    if (reason == DropReason::LINK_DOWN || reason == DropReason::WATCHDOG ||
                        reason == DropReason::DEADLOCK)
                    {
                        detector->m_egresses[place].waits[frame.trafficClass].looks = 0;
                    }
                }));
        device->TraceConnectWithoutContext(
            "PauseState",
            MakeCallback(&DeadlockDetector::PauseChanged, Ptr<DeadlockDetector>(this)));
        m_deadlockOf.resize(m_deadlockOf.size() + TRAFFIC_CLASSES, NONE);
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            if (device->PausedMask() & (1U << cls))
            {
                PauseChanged(*device, cls, true); // it has begun before this looked
            }
        }
    }
}

// ---- looking

void
DeadlockDetector::PauseChanged(const QbbNetDevice& /* port */, uint32_t /* cls */, bool paused)
{
    // The end of a pause matters only to deadlocks that are known.
    if (paused || m_open > 0)
    {
        LookLater();
    }
}

void
DeadlockDetector::LookLater()
{
    if (m_next.IsExpired())
    {
        m_looked = Simulator::Now();
        PlanPoll();
    }
}

void
DeadlockDetector::PlanPoll()
{
    const Time at = std::max(Simulator::Now(), m_looked + m_period);
    m_next = Simulator::Schedule(at - Simulator::Now(), &DeadlockDetector::Poll, this);
}

void
DeadlockDetector::PeriodChanged()
{
    if (!m_next.IsExpired())
    {
        // From when the poll was planned: who sets the period again and again delays no poll.
        m_next.Cancel();
        PlanPoll();
    }
}

uint64_t
DeadlockDetector::Departed(const QbbNetDevice& device, uint32_t cls)
{
    return device.GetCounters().txClassBytes[cls];
}

bool
DeadlockDetector::Look(Egress& egress, uint32_t cls)
{
    Wait& wait = egress.waits[cls];
    const uint8_t waiting = egress.device->PausedMask() & egress.device->Queues().NonEmpty();
    if (!(waiting & (1U << cls)))
    {
        wait.looks = 0;
        return false;
    }
    const uint64_t departed = Departed(*egress.device, cls);
    const bool moved = wait.looks == 0 || departed != wait.departed;
    wait.departed = departed;
    wait.looks = moved ? 1 : std::min<uint8_t>(wait.looks + 1, STILL);
    return wait.looks < STILL;
}

void
DeadlockDetector::Poll()
{
    ++m_polls;
    bool lookAgain = false;
    bool still = false;
    for (Egress& egress : m_egresses)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            lookAgain |= Look(egress, cls);
            still |= egress.waits[cls].looks == STILL;
        }
    }
    if (still)
    {
        Solve();
        CloseDeadlocks(DependencyCycles::FindComponents(m_graph.GetEdges()));
        for (auto component = Find(false); !component.empty(); component = Find(false))
        {
            Found(component);
        }
    }
    else
    {
        CloseDeadlocks({});
    }
    // What Found() has thrown away may have made pauses end, which has planned the next look.
    if (lookAgain)
    {
        LookLater();
    }
}

std::vector<uint32_t>
DeadlockDetector::Find(bool known) const
{
    for (const auto& component : DependencyCycles::FindComponents(m_graph.GetEdges()))
    {
        const auto isKnown = [this](uint32_t vertex) { return m_deadlockOf[vertex] != NONE; };
        if (std::any_of(component.begin(), component.end(), isKnown) == known)
        {
            return component;
        }
    }
    return {};
}

void
DeadlockDetector::Solve()
{
    m_graph.Clear();
    for (const Egress& egress : m_egresses)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            if (egress.waits[cls].looks == STILL)
            {
                m_graph.AddQueue(egress.switchIndex, egress.port, cls);
            }
        }
    }
    m_graph.Solve();
}

void
DeadlockDetector::CloseDeadlocks(const std::vector<std::vector<uint32_t>>& components)
{
    std::vector<bool> goesOn(m_deadlocks.size(), false);
    for (const auto& component : components)
    {
        for (const uint32_t vertex : component)
        {
            if (m_deadlockOf[vertex] != NONE)
            {
                goesOn[m_deadlockOf[vertex]] = true;
            }
        }
    }
    for (uint32_t& deadlock : m_deadlockOf)
    {
        if (deadlock != NONE && !goesOn[deadlock])
        {
            m_open -= m_deadlocks[deadlock].IsOver() ? 0 : 1;
            m_deadlocks[deadlock].end = Simulator::Now();
            deadlock = NONE;
        }
    }
}

// ---- what was found

void
DeadlockDetector::Found(const std::vector<uint32_t>& component)
{
    NS_LOG_DEBUG("deadlock of " << component.size() << " queues");
    Deadlock deadlock;
    deadlock.time = Simulator::Now();
    for (const uint32_t vertex : DependencyCycles::FindCycle(m_graph.GetEdges(), component))
    {
        deadlock.cycle.push_back(m_graph.Describe(vertex));
    }
    deadlock.vertices = static_cast<uint32_t>(component.size());
    ListFlows(QueuesWithin(component), deadlock);
    if (m_action == DRAIN)
    {
        Drain(component, deadlock);
        deadlock.end = Simulator::Now();
    }
    else
    {
        for (const uint32_t vertex : component)
        {
            m_deadlockOf[vertex] = static_cast<uint32_t>(m_deadlocks.size());
        }
        ++m_open;
    }
    m_deadlocks.push_back(deadlock);
    m_deadlockTrace(m_deadlocks.back());
    if (m_action == STOP)
    {
        Simulator::Stop();
    }
}

std::vector<uint32_t>
DeadlockDetector::QueuesWithin(const std::vector<uint32_t>& component) const
{
    const auto within = [&component](uint32_t vertex) {
        return std::binary_search(component.begin(), component.end(), vertex);
    };
    std::vector<uint32_t> places;
    const auto& queues = m_graph.GetQueues();
    for (uint32_t i = 0; i < queues.size(); ++i)
    {
        const auto& cells = queues[i].cells;
        const auto& waitsFor = queues[i].waitsFor;
        if (std::any_of(waitsFor.begin(), waitsFor.end(), within) &&
            std::any_of(cells.begin(), cells.end(), [&](auto& c) { return within(c.first); }))
        {
            places.push_back(i);
        }
    }
    return places;
}

void
DeadlockDetector::ListFlows(const std::vector<uint32_t>& queues, Deadlock& deadlock) const
{
    using High = std::array<uint32_t, 3>;
    std::map<std::tuple<uint8_t, High, uint32_t, High, uint32_t, uint32_t>, DeadlockFlow> flows;
    for (const uint32_t place : queues)
    {
        const auto& queue = m_graph.GetQueues()[place];
        const auto device = m_graph.GetSwitch(queue.switchIndex).GetPort(queue.port);
        for (auto* queued = device->Queues().Head(queue.trafficClass); queued;
             queued = queued->next)
        {
            const Frame* const f = &queued->Content(); // flows are of hosts, in tunnels as well
            const bool isRoce = f->kind == FrameKind::ROCE;
            const uint32_t queuePair = isRoce ? f->destQp : 0;
            auto& flow = flows[{f->ipVersion, f->srcHigh, f->src, f->dstHigh, f->dst, queuePair}];
            flow.destinationQp = queuePair;
            flow.udpPort = isRoce ? f->srcPort : 0;
            flow.hasData = flow.hasData || !isRoce || CarriesData(f->opcode);
            ++flow.frames;
            ++deadlock.frames;
        }
    }
    for (auto& [key, flow] : flows)
    {
        const auto& [version, srcHigh, src, dstHigh, dst, queuePair] = key;
        flow.source = AddressText(version, srcHigh, src);
        flow.destination = AddressText(version, dstHigh, dst);
        deadlock.flows.push_back(std::move(flow));
    }
}

// ---- breaking it

uint32_t
DeadlockDetector::ChooseVictim(const std::vector<uint32_t>& component) const
{
    // The shortest queue without which one of its vertices resumes; if there is none, the longest,
    // which brings them nearest.
    uint32_t victim = NONE;
    std::pair<bool, int64_t> best;
    for (const uint32_t place : QueuesWithin(component))
    {
        const auto& queue = m_graph.GetQueues()[place];
        const auto device = m_graph.GetSwitch(queue.switchIndex).GetPort(queue.port);
        const int64_t frames = device->Queues().Frames(queue.trafficClass);
        bool breaks = false;
        for (const auto& held : queue.cells)
        {
            breaks |= std::binary_search(component.begin(), component.end(), held.first) &&
                      m_graph.ResumesWithout(held.first, place);
        }
        const std::pair<bool, int64_t> merit{breaks, breaks ? -frames : frames};
        if (victim == NONE || merit > best)
        {
            victim = place;
            best = merit;
        }
    }
    return victim;
}

void
DeadlockDetector::Drain(std::vector<uint32_t> component, Deadlock& deadlock)
{
    NS_LOG_FUNCTION(this << component.size());
    const std::set<uint32_t> members(component.begin(), component.end());
    while (!component.empty())
    {
        const auto queue = m_graph.GetQueues()[ChooseVictim(component)];
        Egress& egress = *std::find_if(m_egresses.begin(), m_egresses.end(), [&](const Egress& e) {
            return e.switchIndex == queue.switchIndex && e.port == queue.port;
        });
        deadlock.flushedFrames +=
            egress.device->FlushClass(queue.trafficClass, DropReason::DEADLOCK);
        ++deadlock.flushedQueues;
        egress.waits[queue.trafficClass].looks = 0;
        Solve();
        component.clear();
        for (const auto& left : DependencyCycles::FindComponents(m_graph.GetEdges()))
        {
            if (std::any_of(left.begin(), left.end(), [&](uint32_t v) { return members.count(v); }))
            {
                component = left;
                break;
            }
        }
    }
}

// ---- a new action

void
DeadlockDetector::ActionChanged()
{
    // Later: the attribute may be set while a switch handles a frame.
    if (m_open > 0 && m_act.IsExpired())
    {
        m_act = Simulator::ScheduleNow(&DeadlockDetector::ActOnKnown, this);
    }
}

void
DeadlockDetector::ActOnKnown()
{
    bool moved = false;
    for (Egress& egress : m_egresses)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            // The others keep their number of looks, as no period has passed.
            moved |= egress.waits[cls].looks == STILL && Look(egress, cls);
        }
    }
    Solve();
    if (m_action == DRAIN)
    {
        for (auto component = Find(true); !component.empty(); component = Find(true))
        {
            const auto known = std::find_if(component.begin(), component.end(), [this](auto v) {
                return m_deadlockOf[v] != NONE;
            });
            Drain(component, m_deadlocks[m_deadlockOf[*known]]);
        }
    }
    CloseDeadlocks(DependencyCycles::FindComponents(m_graph.GetEdges()));
    if (m_action == STOP && m_open > 0)
    {
        Simulator::Stop();
    }
    if (moved)
    {
        LookLater();
    }
}

} // namespace ns3
