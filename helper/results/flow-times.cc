// SPDX-License-Identifier: GPL-2.0-only
#include "flow-times.h"

#include "fabric-ports.h"
#include "report-time.h"

#include "ns3/fabric-error.h"
#include "ns3/rdma-queue-pair.h"

#include <algorithm>
#include <utility>

namespace ns3
{

FlowTimes::FlowTimes(const Fabric& fabric, RdmaFlowHelper& flows)
    : TableReport("explanation of flows", {GetTable()}),
      m_fabric(fabric),
      m_flows(&flows)
{
}

FlowTimes::~FlowTimes()
{
    StopListening();
}

TableSpec
FlowTimes::GetTable()
{
    using C = ColumnSpec;
    return {"flow-hops",
            "a part of the time of a flow that was to be explained and has completed",
            {{"flow", "", "number of the flow"},
             {"frame",
              "",
              "last: the frame that arrived last, whose parts add up to the flow completion time; "
              "mean: of all data frames that arrived",
              C::TEXT},
             {"part",
              "",
              "at the source, sending, paused, window, paced and other; queue and line at each "
              "port; answer at the destination; back: the way of the ACK",
              C::TEXT},
             {"node", "", "node where it is; -1: the way back"},
             {"port", "", "port of the node that sends; -1: none"},
             {"ns", "ns", "how long", C::REAL, "%.3f"},
             {"paused_ns", "ns", "how much of it PFC kept the port from sending", C::REAL, "%.3f"}},
            false};
}

std::vector<uint64_t>
FlowTimes::Parse(const std::vector<std::string>& text)
{
    std::vector<uint64_t> flows;
    for (const std::string& word : text)
    {
        if (word.empty() || word.size() > 18 ||
            word.find_first_not_of("0123456789") != std::string::npos)
        {
            throw FabricError("\"" + word + "\" is to be explained, and is no number of a flow",
                              "flows are numbered from 0 in the order of adding");
        }
        flows.push_back(std::stoull(word));
    }
    std::sort(flows.begin(), flows.end());
    if (const auto twice = std::adjacent_find(flows.begin(), flows.end()); twice != flows.end())
    {
        throw FabricError("flow " + std::to_string(*twice) + " is to be explained twice",
                          "name it once");
    }
    return flows;
}

void
FlowTimes::Watch(const std::vector<uint64_t>& flows)
{
    m_wanted = flows;
    if (flows.empty())
    {
        StopListening();
        return;
    }
    if (!std::exchange(m_isListening, true))
    {
        m_flows->AddListener(*this);
    }
    Connect();
    Plan(m_fabric); // the run asks at its end what has not started
}

void
FlowTimes::Open(const std::vector<RowSink*>& rows)
{
    TableReport::Open(rows);
    if (m_rows && !m_wanted.empty())
    {
        m_rows->Start();
    }
}

void
FlowTimes::Stop()
{
    StopListening();
    m_watched.clear();
    m_active.clear();
}

void
FlowTimes::StopListening()
{
    if (std::exchange(m_isListening, false))
    {
        m_flows->RemoveListener(*this);
    }
}

void
FlowTimes::Gone(const TrafficSource&)
{
    m_isListening = false;
}

void
FlowTimes::Connect()
{
    if (std::exchange(m_isConnected, true))
    {
        return;
    }
    using FrameSink = Callback<void, const QbbNetDevice&, const Frame&>;
    for (const auto& one : PortsOf(m_fabric))
    {
        const NodeId node = one.node;
        const uint32_t number = one.port;
        one.device->TraceConnectWithoutContext(
            "FrameTx",
            FrameSink(m_guard.Wrap([this, node](const QbbNetDevice& port, const Frame& frame) {
                Sent(node, port, frame);
            })));
        one.device->TraceConnectWithoutContext(
            "FrameRx",
            FrameSink(m_guard.Wrap(
                [this, node](const QbbNetDevice&, const Frame& frame) { Arrived(node, frame); })));
        one.device->TraceConnectWithoutContext(
            "PauseState",
            Callback<void, const QbbNetDevice&, uint32_t, bool>(
                m_guard.Wrap([this, node, number](const QbbNetDevice&, uint32_t cls, bool paused) {
                    PauseChanged(node, number, cls, paused);
                })));
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            if (one.device->PausedMask() & (1U << cls))
            {
                PauseChanged(node, number, cls, true);
            }
        }
    }
}

// ---- flows come and go

void
FlowTimes::Started(const TrafficSource&, const TrafficItem& item)
{
    m_active.insert(item.id);
    if (!std::binary_search(m_wanted.begin(), m_wanted.end(), item.id))
    {
        return;
    }
    m_seen.push_back(item.id);
    Watched& watched = m_watched[item.id];
    watched.posted = NowTicks();
    watched.last = watched.posted;
    watched.from = m_fabric.GetTopology().NodeOf(item.source);
    watched.to = m_fabric.GetTopology().NodeOf(item.destination);
    m_hasNew = true; // connected when its first frame leaves
}

void
FlowTimes::Find()
{
    const auto active = m_flows->GetActive(); // by number, as m_active
    if (active.size() != m_active.size())
    {
        return; // a flow is being started: it has sent nothing yet
    }
    m_hasNew = false;
    auto next = m_active.begin();
    for (const auto& [flow, connection] : active)
    {
        const auto found = m_watched.find(*next++);
        if (found == m_watched.end() || found->second.sender)
        {
            continue;
        }
        if (flow.verb == RdmaVerb::READ)
        {
            m_watched.erase(found); // what it sends is an answer
            continue;
        }
        Watched& watched = found->second;
        watched.sender = connection.source;
        const RdmaConnection& terms = connection.source->GetConnection();
        watched.packets = terms.Packets(flow.bytes);
        watched.cls = terms.data.trafficClass;
        watched.fromPort = connection.ports.source;
        watched.isPaused = connection.source->GetDevice()->PausedMask() & (1U << watched.cls);
        watched.here = terms.local.low;
        watched.there = terms.remote.low;
        watched.localQp = terms.localQp;
        watched.remoteQp = terms.remoteQp;
    }
}

void
FlowTimes::Ended(const TrafficSource&, const TrafficItem& item)
{
    m_active.erase(item.id);
    const auto found = m_watched.find(item.id);
    if (found == m_watched.end())
    {
        return;
    }
    const Watched& watched = found->second;
    const int64_t end = item.end.GetTimeStep();
    const auto answer = std::find_if(watched.got.begin(),
                                     watched.got.end(),
                                     [end](const Answer& one) { return one.received == end; });
    if (item.state == TrafficItem::COMPLETED && m_rows && answer != watched.got.end())
    {
        Write(item.id, watched, *answer);
    }
    m_watched.erase(found);
}

// ---- frames

bool
FlowTimes::IsClosed(const Watched& watched)
{
    if (const auto& transport = watched.sender->GetTransport())
    {
        return !transport->CanSend();
    }
    return !watched.sender->GetRequester().CanSend(watched.sender->GetFlowState().window);
}

void
FlowTimes::Account(Watched& watched, bool isClosed)
{
    const int64_t now = NowTicks();
    const int64_t sent = std::clamp(watched.sendingUntil, watched.last, now);
    watched.spent[SENDING] += sent - watched.last;
    if (watched.isPaused)
    {
        watched.spent[PAUSED] += now - sent;
    }
    else if (isClosed)
    {
        watched.spent[watched.isAllSent ? OTHER : WINDOW] += now - sent;
    }
    else
    {
        const int64_t paced = std::clamp(watched.pacedUntil, sent, now);
        watched.spent[PACED] += paced - sent;
        watched.spent[OTHER] += now - paced;
    }
    watched.last = now;
}

FlowTimes::Watched*
FlowTimes::FlowOf(const Frame& frame, bool isAnswer)
{
    for (auto& [index, watched] : m_watched)
    {
        if (watched.sender && frame.destQp == (isAnswer ? watched.localQp : watched.remoteQp) &&
            frame.dst == (isAnswer ? watched.here : watched.there) &&
            frame.src == (isAnswer ? watched.there : watched.here))
        {
            return &watched;
        }
    }
    return nullptr;
}

void
FlowTimes::Sent(NodeId node, const QbbNetDevice& port, const Frame& sent)
{
    const Frame& frame = sent.Content(); // a packet in a tunnel is on its way, too
    if (frame.kind != FrameKind::ROCE || m_watched.empty())
    {
        return;
    }
    if (m_hasNew)
    {
        Find();
    }
    if (Watched* const watched = FlowOf(frame, false))
    {
        DataSent(*watched, node, port, sent);
    }
    else if (Watched* const answered = FlowOf(frame, true))
    {
        if (node == answered->to && answered->hasArrived)
        {
            const Way& way = answered->arrived;
            answered->underWay[frame.psn] = {NowTicks(), 0, way};
        }
    }
}

void
FlowTimes::DataSent(Watched& watched, NodeId node, const QbbNetDevice& port, const Frame& frame)
{
    const int64_t now = NowTicks();
    const uint64_t psn = frame.Content().psn;
    Hop hop;
    hop.node = node;
    hop.port = port.GetPortIndex();
    if (node == watched.from)
    {
        Account(watched, false); // it could be sent
        const double rate = std::max(watched.sender->GetFlowState().rate, 1.0);
        const auto line = port.GetDataRate().CalculateBytesTxTime(frame.WireBytes());
        watched.sendingUntil = now + line.GetTimeStep();
        watched.pacedUntil = now + Seconds(8.0 * frame.WireBytes() / rate).GetTimeStep();
        watched.isAllSent = psn + 1 >= watched.packets;
        watched.ways[psn] = {watched.spent, now, {hop}};
        return;
    }
    const auto found = watched.ways.find(psn);
    if (found != watched.ways.end())
    {
        Way& way = found->second;
        hop.queued = now - way.at;
        hop.paused = PausedSince(node, hop.port, frame.trafficClass, way.at);
        way.at = now;
        way.hops.push_back(hop);
    }
}

void
FlowTimes::Arrived(NodeId node, const Frame& arrived)
{
    const Frame& frame = arrived.Content();
    if (frame.kind != FrameKind::ROCE || m_watched.empty())
    {
        return;
    }
    const int64_t now = NowTicks();
    if (Watched* const watched = FlowOf(frame, false))
    {
        const auto found = watched->ways.find(frame.psn);
        if (found == watched->ways.end())
        {
            return;
        }
        Way& way = found->second;
        way.hops.back().line = now - way.at;
        way.at = now;
        if (node == watched->to)
        {
            AddToSums(*watched, way);
            watched->arrived = std::move(way);
            watched->hasArrived = true;
            watched->ways.erase(found);
        }
        return;
    }
    Watched* const answered = FlowOf(frame, true);
    if (!answered || node != answered->from)
    {
        return;
    }
    Account(*answered, IsClosed(*answered)); // until now: the frame has no effect yet
    const auto found = answered->underWay.find(frame.psn);
    if (found != answered->underWay.end())
    {
        found->second.received = now;
        if (answered->got.size() > 8) // with several windows the end is told later
        {
            answered->got.erase(answered->got.begin());
        }
        answered->got.push_back(std::move(found->second));
        answered->underWay.erase(found);
    }
}

void
FlowTimes::PauseChanged(NodeId node, uint32_t port, uint32_t cls, bool paused)
{
    auto& pauses = m_pauses[{node.Value(), port}][cls];
    if (paused)
    {
        pauses.emplace_back(NowTicks(), -1);
    }
    else if (!pauses.empty())
    {
        pauses.back().second = NowTicks();
    }
    for (auto& [index, watched] : m_watched)
    {
        if (watched.sender && watched.from == node && watched.fromPort == port &&
            watched.cls == cls)
        {
            Account(watched, IsClosed(watched));
            watched.isPaused = paused;
        }
    }
}

int64_t
FlowTimes::PausedSince(NodeId node, uint32_t port, uint32_t cls, int64_t begin) const
{
    const auto found = m_pauses.find({node.Value(), port});
    if (found == m_pauses.end())
    {
        return 0;
    }
    const auto& pauses = found->second[cls];
    const int64_t now = NowTicks();
    int64_t paused = 0;
    for (auto pause = pauses.rbegin(); pause != pauses.rend(); ++pause)
    {
        const int64_t end = pause->second < 0 ? now : pause->second;
        if (end <= begin)
        {
            break;
        }
        paused += end - std::max(pause->first, begin);
    }
    return paused;
}

// ---- rows

void
FlowTimes::AddToSums(Watched& watched, const Way& way)
{
    ++watched.frames;
    for (const Hop& hop : way.hops)
    {
        const auto same = [&hop](const Sums& sums) {
            return sums.node == hop.node && sums.port == hop.port;
        };
        auto found = std::find_if(watched.sums.begin(), watched.sums.end(), same);
        if (found == watched.sums.end())
        {
            watched.sums.push_back({hop.node, hop.port, 0, 0, 0, 0});
            found = watched.sums.end() - 1;
        }
        ++found->frames;
        found->queued += hop.queued;
        found->paused += hop.paused;
        found->line += hop.line;
    }
}

void
FlowTimes::Write(uint64_t index, const Watched& watched, const Answer& answer) const
{
    static const char* waits[] = {"sending", "paused", "window", "paced", "other"};
    const auto row = [&](const char* frame,
                         const char* part,
                         int64_t node,
                         int64_t port,
                         double ticks,
                         double paused) {
        static const double nsPerTick = 1e9 / static_cast<double>(Seconds(1).GetTimeStep());
        m_rows->Add(index, frame, part, node, port, ticks * nsPerTick, paused * nsPerTick);
    };
    const int64_t from = watched.from.Value();
    for (uint32_t wait = 0; wait < WAITS; ++wait)
    {
        const auto ticks = static_cast<double>(answer.way.spent[wait]);
        row("last", waits[wait], from, watched.fromPort, ticks, wait == PAUSED ? ticks : 0);
    }
    for (const Hop& hop : answer.way.hops)
    {
        const int64_t node = hop.node.Value();
        if (hop.node != watched.from)
        {
            row("last", "queue", node, hop.port, hop.queued, hop.paused);
        }
        row("last", "line", node, hop.port, hop.line, 0);
    }
    row("last", "answer", watched.to.Value(), -1, answer.sent - answer.way.at, 0);
    row("last", "back", -1, -1, answer.received - answer.sent, 0);
    for (const Sums& sums : watched.sums)
    {
        // Over all frames, not only those that came by: the means of a flow over several paths add
        // up, too.
        const auto frames = static_cast<double>(watched.frames);
        const int64_t node = sums.node.Value();
        if (sums.node != watched.from)
        {
            row("mean", "queue", node, sums.port, sums.queued / frames, sums.paused / frames);
        }
        row("mean", "line", node, sums.port, sums.line / frames, 0);
    }
}

} // namespace ns3
