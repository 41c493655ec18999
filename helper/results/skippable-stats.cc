// SPDX-License-Identifier: GPL-2.0-only
#include "skippable-stats.h"

#include "fabric-ports.h"

#include "ns3/fabric-error.h"
#include "ns3/log.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("SkippableStats");

namespace
{

constexpr uint32_t NONE = 0xffffffff; //!< no flow

/// @param value now @param first value in the first window @param allowed difference
bool
IsNear(double value, double first, double allowed)
{
    return std::abs(value - first) <= allowed;
}

/// @param part packet-hops @param all packet-hops @return the share
double
Share(uint64_t part, uint64_t all)
{
    return all ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

} // namespace

SkippableStats::SkippableStats(const Fabric& fabric, RdmaFlowHelper& flows)
    : TableReport("skippable", {GetTable()}),
      m_fabric(fabric),
      m_flows(&flows)
{
}

SkippableStats::~SkippableStats()
{
    m_find.Cancel(); // not Remove(): the simulation may be gone
    m_next.Cancel();
    StopListening();
}

void
SkippableStats::Watch(const SteadyRule& rule)
{
    NS_LOG_FUNCTION(this);
    FlowPath::RequireKnown(m_fabric);
    m_rule = rule;
    m_isWatching = true;
    if (m_isListening)
    {
        return;
    }
    m_isListening = true;
    m_flows->AddListener(*this);
    m_ports.clear();
    m_firstPort.assign(m_fabric.GetTopology().GetNNodes(), 0);
    for (const auto& [node, port, isSwitch, device] : PortsOf(m_fabric))
    {
        if (port == 0)
        {
            m_firstPort[node.Value()] = static_cast<uint32_t>(m_ports.size());
        }
        m_ports.push_back({device});
    }
}

void
SkippableStats::Stop()
{
    m_find.Remove();
    m_next.Remove();
    m_watched.clear();
    m_isWatching = false;
    StopListening();
}

void
SkippableStats::StopListening()
{
    if (std::exchange(m_isListening, false))
    {
        m_flows->RemoveListener(*this);
    }
}

// ---- flows come and go

void
SkippableStats::Started(const TrafficSource&, const TrafficItem& item)
{
    m_watched[item.id].start = item.start;
    if (m_find.IsExpired())
    {
        m_find = Simulator::ScheduleNow(&SkippableStats::Find, this); // connected by then
    }
}

void
SkippableStats::Ended(const TrafficSource&, const TrafficItem& item)
{
    const auto found = m_watched.find(item.id);
    if (found == m_watched.end())
    {
        return;
    }
    const Watched& watched = found->second;
    // A flow that has failed is counted as far as the last window showed it.
    const uint64_t packets =
        item.state == TrafficItem::COMPLETED ? watched.message : watched.packets;
    TouchPorts(watched);
    AddRow(item.id, watched, packets);
    Add(m_totals, watched, packets);
    m_watched.erase(found);
    if (m_watched.empty())
    {
        m_find.Remove();
        m_next.Remove(); // nothing is left to watch: the run may end here
    }
}

void
SkippableStats::Gone(const TrafficSource&)
{
    m_isListening = false;
}

void
SkippableStats::Find()
{
    ++m_events;
    const auto active = m_flows->GetActive(); // by number, as m_watched
    if (active.size() != m_watched.size())
    {
        throw std::logic_error("SkippableStats: a flow has started unseen");
    }
    Time longest = m_length;
    auto next = active.begin();
    for (auto& [index, watched] : m_watched)
    {
        const auto& [flow, connection] = *next++;
        if (!watched.requester)
        {
            Take(watched, flow, connection);
            const int64_t rtt = watched.requester->GetFlowState().baseRttPs;
            longest = std::max(longest, PicoSeconds(static_cast<uint64_t>(rtt)));
        }
    }
    if (longest > m_length)
    {
        Restart(longest);
    }
    else if (m_next.IsExpired())
    {
        Restart(m_length); // the first flow after a silence
    }
}

void
SkippableStats::Take(Watched& watched, const RdmaFlow& flow, const Fabric::Connection& connection)
{
    watched.isRead = flow.verb == RdmaVerb::READ;
    watched.requester = connection.source;
    watched.sender = watched.isRead ? connection.destination : connection.source;
    watched.from = watched.isRead ? flow.destination : flow.source;
    watched.fromPort = watched.isRead ? connection.ports.destination : connection.ports.source;
    watched.message = watched.requester->GetConnection().Packets(flow.bytes);
    watched.path = PathOf(watched);
    watched.links = static_cast<uint32_t>(watched.path.size());
    TouchPorts(watched);
}

std::vector<uint32_t>
SkippableStats::PathOf(const Watched& watched) const
{
    std::vector<uint32_t> path;
    for (const auto& [node, port] :
         FlowPath::Find(m_fabric, watched.from, watched.fromPort, watched.sender->GetConnection()))
    {
        path.push_back(m_firstPort[node.Value()] + port);
    }
    return path;
}

void
SkippableStats::TouchPorts(const Watched& watched)
{
    for (const uint32_t port : watched.path)
    {
        m_ports[port].changed = true;
    }
}

void
SkippableStats::FollowPath(Watched& watched)
{
    std::vector<uint32_t> path = PathOf(watched);
    if (path == watched.path)
    {
        return;
    }
    TouchPorts(watched);
    watched.path = std::move(path);
    TouchPorts(watched);
    watched.links =
        watched.path.empty() ? watched.links : static_cast<uint32_t>(watched.path.size());
    watched.readings.assign(watched.path.size(), {}); // its ports have changed: nobody compares
}

// ---- windows

void
SkippableStats::Restart(Time length)
{
    NS_LOG_FUNCTION(this << length);
    m_length = length;
    m_next.Remove();
    for (auto& [index, watched] : m_watched)
    {
        watched.row = 0;
        if (watched.requester)
        {
            BeginWindow(watched);
        }
    }
    m_next = Simulator::Schedule(m_length, &SkippableStats::Poll, this);
}

void
SkippableStats::BeginWindow(Watched& watched)
{
    watched.isWhole = true;
    watched.packets = SentBy(watched);
    watched.readings.clear();
    for (const uint32_t port : watched.path)
    {
        watched.readings.push_back(Read(port, QueueAt(port, watched)));
    }
}

uint64_t
SkippableStats::PacketsOf(const Watched& watched)
{
    const RdmaRequester& requester = watched.requester->GetRequester();
    return watched.isRead ? requester.Unacked() : requester.Next();
}

uint64_t
SkippableStats::SentBy(const Watched& watched)
{
    return watched.requester ? std::max(watched.packets, PacketsOf(watched)) : 0;
}

uint32_t
SkippableStats::QueueAt(uint32_t port, const Watched& watched) const
{
    const RdmaMarking& marking = watched.sender->GetConnection().data;
    const auto map = m_ports[port].device->GetTrafficClassMap();
    if (m_ports[port].device == watched.sender->GetDevice())
    {
        return marking.trafficClass;
    }
    auto* const frame = new Frame;
    frame->dscp = marking.dscp;
    frame->tagged = marking.tagged;
    frame->pcp = marking.pcp;
    const uint8_t queue = map->QueueOf(map->Classify(*frame));
    frame->Release();
    return queue;
}

SkippableStats::Reading
SkippableStats::Read(uint32_t port, uint32_t cls) const
{
    const QbbNetDevice& device = *m_ports[port].device;
    return {device.Queues().Bytes(cls),
            device.GetObeyer().Get(cls).pauses,
            (device.PausedMask() >> cls & 1U) != 0};
}

void
SkippableStats::Poll()
{
    ++m_events;
    for (auto& [index, watched] : m_watched)
    {
        if (watched.requester)
        {
            FollowPath(watched);
        }
    }
    for (auto& [index, watched] : m_watched)
    {
        watched.isSkippable = false;
        if (watched.requester && watched.isWhole)
        {
            Judge(watched);
        }
    }
    JoinFlows();
    for (auto& [index, watched] : m_watched)
    {
        if (watched.requester)
        {
            BeginWindow(watched);
        }
    }
    for (Port& port : m_ports)
    {
        port.changed = false;
    }
    if (!Simulator::IsFinished()) // else it alone would keep the run alive
    {
        m_next = Simulator::Schedule(m_length, &SkippableStats::Poll, this);
    }
}

bool
SkippableStats::Measure(const Watched& watched, Window& window) const
{
    const uint64_t packets = PacketsOf(watched);
    if (packets <= watched.packets || watched.path.empty())
    {
        return false;
    }
    window.packets = packets - watched.packets;
    window.rate = watched.sender->GetFlowState().rate;
    for (std::size_t i = 0; i < watched.path.size(); ++i)
    {
        const Reading& before = watched.readings[i];
        const Reading now = Read(watched.path[i], QueueAt(watched.path[i], watched));
        if (m_ports[watched.path[i]].changed || now.pauses != before.pauses ||
            now.isPaused != before.isPaused)
        {
            return false;
        }
        window.growth.push_back(static_cast<double>(now.bytes) - static_cast<double>(before.bytes));
    }
    return true;
}

bool
SkippableStats::Equals(const Watched& watched, const Window& window) const
{
    const Window& first = watched.first;
    const auto packets = static_cast<double>(first.packets);
    if (!IsNear(static_cast<double>(window.packets),
                packets,
                std::max(1.0, m_rule.tolerance * packets)) ||
        !IsNear(window.rate, first.rate, m_rule.tolerance * first.rate))
    {
        return false;
    }
    const double packet = watched.sender->GetFlowState().packetWireBytes;
    for (std::size_t i = 0; i < window.growth.size(); ++i)
    {
        constexpr double BITS = 8;
        const auto rate =
            static_cast<double>(m_ports[watched.path[i]].device->GetDataRate().GetBitRate());
        const double carried = rate / BITS * m_length.GetSeconds();
        if (!IsNear(window.growth[i], first.growth[i], std::max(packet, m_rule.slope * carried)))
        {
            return false;
        }
    }
    return true;
}

void
SkippableStats::Judge(Watched& watched)
{
    ++watched.windows;
    Window window;
    if (!Measure(watched, window))
    {
        watched.row = 0;
        return;
    }
    watched.sent = window.packets;
    if (watched.row > 0 && Equals(watched, window))
    {
        ++watched.row;
        ++watched.steadyWindows;
    }
    else
    {
        watched.row = 1;
        watched.first = std::move(window);
    }
    if (watched.row == m_rule.rounds)
    {
        ++watched.states;
        watched.firstState = watched.states == 1 ? Simulator::Now() : watched.firstState;
    }
    if (watched.row > m_rule.rounds)
    {
        watched.isSkippable = true;
        watched.skippable += watched.sent;
    }
}

void
SkippableStats::JoinFlows()
{
    std::vector<Watched*> flows;
    for (auto& [index, watched] : m_watched)
    {
        watched.parent = static_cast<uint32_t>(flows.size());
        flows.push_back(&watched);
    }
    const auto rootOf = [&flows](uint32_t flow) {
        while (flows[flow]->parent != flow)
        {
            flows[flow]->parent = flows[flows[flow]->parent]->parent;
            flow = flows[flow]->parent;
        }
        return flow;
    };
    for (Port& port : m_ports)
    {
        port.group = NONE;
    }
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        for (const uint32_t number : flows[i]->path)
        {
            uint32_t& group = m_ports[number].group;
            group = group == NONE ? i : group;
            flows[rootOf(i)]->parent = rootOf(group);
        }
    }
    std::vector<bool> isSteady(flows.size(), true); // by root
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        isSteady[rootOf(i)] = isSteady[rootOf(i)] && flows[i]->isSkippable;
    }
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        flows[i]->skippableTogether += isSteady[rootOf(i)] ? flows[i]->sent : 0;
    }
}

// ---- report

TableSpec
SkippableStats::GetTable()
{
    return {"skippable",
            "an RDMA flow that has started, in the order of ends; where steady states are looked "
            "for",
            {{"flow", "", "number of the flow"},
             {"start_ns", "ns", "when it was posted"},
             {"links", "", "links of its path"},
             {"windows", "", "windows through which it ran"},
             {"steady_windows", "", "those that equal the first of their row"},
             {"steady_states", "", "steady states"},
             {"first_state_ns", "ns", "when the first began; -1: there was none"},
             {"hops", "frames", "data packets times links"},
             {"skippable_hops", "frames", "those in windows of its steady states"},
             {"component_hops",
              "frames",
              "those in windows in which all flows of its component were in steady states"}},
            false};
}

void
SkippableStats::Open(const std::vector<RowSink*>& rows)
{
    TableReport::Open(rows);
    if (m_rows && m_isWatching)
    {
        m_rows->Start();
    }
}

void
SkippableStats::AddRow(uint64_t index, const Watched& watched, uint64_t packets)
{
    if (!m_rows)
    {
        return;
    }
    m_rows->Add(index,
                watched.start.GetNanoSeconds(),
                watched.links,
                watched.windows,
                watched.steadyWindows,
                watched.states,
                watched.states ? watched.firstState.GetNanoSeconds() : -1,
                packets * watched.links,
                watched.skippable * watched.links,
                watched.skippableTogether * watched.links);
}

void
SkippableStats::Add(SkippableTotals& totals, const Watched& watched, uint64_t packets)
{
    ++totals.flows;
    totals.steadyFlows += watched.states ? 1 : 0;
    totals.windows += watched.windows;
    totals.steadyWindows += watched.steadyWindows;
    totals.states += watched.states;
    totals.hops += packets * watched.links;
    totals.skippableHops += watched.skippable * watched.links;
    totals.componentHops += watched.skippableTogether * watched.links;
}

void
SkippableStats::Close(Time)
{
    for (const auto& [index, watched] : m_watched)
    {
        AddRow(index, watched, SentBy(watched));
    }
}

SkippableTotals
SkippableStats::GetTotals() const
{
    SkippableTotals totals = m_totals;
    for (const auto& [index, watched] : m_watched)
    {
        Add(totals, watched, SentBy(watched));
    }
    totals.window = m_length;
    totals.share = Share(totals.skippableHops, totals.hops);
    totals.componentShare = Share(totals.componentHops, totals.hops);
    return totals;
}

void
SkippableStats::AddTotals(RunTotals& totals) const
{
    if (m_isWatching)
    {
        totals.skippable = GetTotals();
    }
}

void
SkippableStats::Print(std::ostream& os, const RunTotals& totals) const
{
    if (!totals.skippable)
    {
        return;
    }
    const SkippableTotals& found = *totals.skippable;
    char line[256];
    std::snprintf(line,
                  sizeof(line),
                  "Skippable: %.1f %% of %llu packet-hops by flows, %.1f %% by components; %llu of "
                  "%llu flows had a steady state; windows of %.3f us\n",
                  100 * found.share,
                  static_cast<unsigned long long>(found.hops),
                  100 * found.componentShare,
                  static_cast<unsigned long long>(found.steadyFlows),
                  static_cast<unsigned long long>(found.flows),
                  found.window.GetSeconds() * 1e6);
    os << line;
}

} // namespace ns3
