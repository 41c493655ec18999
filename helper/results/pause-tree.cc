// SPDX-License-Identifier: GPL-2.0-only
#include "pause-tree.h"

#include "fabric-ports.h"
#include "report-time.h"

#include "ns3/fabric-places.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/qbb-channel.h"
#include "ns3/traffic-class-map.h"

#include <algorithm>
#include <cstdio>
#include <tuple>

namespace ns3
{
namespace
{

/// Cells in an egress queue of an ingress port. @param groups mask of its priority groups
uint64_t
CellsFrom(const Frame* head, uint32_t inPort, uint8_t groups)
{
    uint64_t cells = 0;
    for (const Frame* frame = head; frame; frame = frame->next)
    {
        const bool isOne = frame->inPort == inPort && (groups & (1U << frame->inClass));
        cells += isOne ? frame->cells : 0;
    }
    return cells;
}

} // namespace

PauseTree::PauseTree(const Fabric& fabric)
    : TableReport("pause tree", ListTables()),
      m_fabric(fabric)
{
}

std::vector<TableSpec>
PauseTree::ListTables()
{
    using C = ColumnSpec;
    return {{"pause-tree",
             "a pause of a port and what caused it, when the pause has ended, or as it stands at "
             "the end",
             {{"id", "", "number of the pause, in the order of their begins"},
              {"start_ns", "ns", "when it began"},
              {"duration_ns", "ns", "how long it lasted"},
              {"node", "", "node that was paused"},
              {"node_type", "", "switch or host, of that node", C::TEXT},
              {"port", "", "port that was paused"},
              {"class", "", "traffic class that was paused"},
              {"by_node", "", "node that sent the XOFF: the other end of the link"},
              {"by_port", "", "port that sent it"},
              {"cause",
               "",
               "queue: an egress queue of by_node held the buffer; pause: that queue was paused "
               "itself; host: a host did not keep up; forced: a fault or a watchdog; nothing: "
               "nothing waited of what came in there; before: it began before the run",
               C::TEXT},
              {"egress_port", "", "port of by_node with that queue; -1: none"},
              {"egress_class", "", "traffic class of that queue; -1: none"},
              {"share",
               "",
               "of the cells that came in at by_port in this class and waited: those in that "
               "queue",
               C::REAL,
               "%.4f"},
              {"parent", "", "id of the pause of that queue; -1: the pause is a root"},
              {"root", "", "id of the root of its tree; its own id if it is one"}},
             false},
            {"pause-why",
             "a lossless traffic class of a switch port where frames arrived, and why PFC fired "
             "there or did not; written with pause-tree.csv",
             {{"node", "", "node of the switch"},
              {"port", "", "ingress port"},
              {"class", "", "traffic class"},
              {"xoffs", "pauses", "pauses that it asked for"},
              {"why", "", "thresholds and use of the buffer, in words", C::TEXT}},
             false}};
}

const char*
PauseTree::NameOf(Cause cause)
{
    static const char* names[] = {"queue", "pause", "host", "forced", "nothing", "before"};
    return names[cause];
}

void
PauseTree::Watch(bool watch)
{
    m_isWatching = watch;
    if (!watch || !m_ports.empty())
    {
        return;
    }
    m_firstPort.assign(m_fabric.GetTopology().GetNNodes(), 0);
    for (const auto& [node, port, isSwitch, device] : PortsOf(m_fabric))
    {
        if (port == 0)
        {
            m_firstPort[node.Value()] = m_ports.size();
        }
        m_ports.push_back({node, port, isSwitch, device, 0, {}, {}});
    }
    for (Port& port : m_ports)
    {
        const FabricTopology& topology = m_fabric.GetTopology();
        const LinkId link = topology.GetLinksOf(port.node).at(port.port);
        const NodeId other = topology.GetLink(link).Peer(port.node);
        port.peer = m_firstPort[other.Value()] + topology.GetPort(other, link);
    }
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto mmu = m_fabric.GetSwitch(which)->GetMmu();
        m_before.emplace_back();
        for (uint32_t at = 0; at < mmu->GetPortCount() * TRAFFIC_CLASSES; ++at)
        {
            m_before.back().push_back(mmu->GetCounts(at / TRAFFIC_CLASSES, at % TRAFFIC_CLASSES));
        }
    }
    for (std::size_t at = 0; at < m_ports.size(); ++at)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            if (m_ports[at].device->PausedMask() & (1U << cls))
            {
                Begin(at, cls);
            }
        }
        Connect(at);
    }
}

void
PauseTree::Stop()
{
    m_isWatching = false;
}

void
PauseTree::Open(const std::vector<RowSink*>& rows)
{
    TableReport::Open(rows);
    m_why = rows.at(1);
    for (RowSink* const sink : rows)
    {
        if (sink && m_isWatching)
        {
            sink->Start();
        }
    }
}

void
PauseTree::Connect(std::size_t at)
{
    const auto device = m_ports[at].device;
    device->TraceConnectWithoutContext(
        "PfcTx",
        Callback<void, const QbbNetDevice&, uint32_t, uint16_t>(
            m_guard.Wrap([this, at](const QbbNetDevice&, uint32_t cls, uint16_t quanta) {
                if (quanta == 0 || !m_isWatching)
                {
                    return;
                }
                const Reason reason = FindReason(m_ports[at], cls); // of this node alone
                FabricSimulatorImpl::Serially(
                    m_guard.Wrap([this, at, cls, reason] { XoffSent(at, cls, reason); }));
            })));
    device->TraceConnectWithoutContext(
        "PauseState",
        Callback<void, const QbbNetDevice&, uint32_t, bool>(
            m_guard.Wrap([this, at](const QbbNetDevice&, uint32_t cls, bool paused) {
                FabricSimulatorImpl::Serially(m_guard.Wrap([this, at, cls, paused] {
                    if (!paused)
                    {
                        End(at, cls, NowTicks());
                    }
                    else if (m_isWatching && m_ports[at].pauses[cls].begin < 0)
                    {
                        Begin(at, cls);
                    }
                }));
            })));
}

PauseTree::Reason
PauseTree::FindReason(const Port& port, uint32_t cls) const
{
    Reason reason;
    reason.sent = NowTicks();
    if (port.device->GetIssuer().Stuck() & (1U << cls))
    {
        reason.cause = FORCED;
        return reason;
    }
    if (!port.isSwitch)
    {
        reason.cause = HOST;
        return reason;
    }
    const SwitchId which = m_fabric.GetTopology().SwitchAt(port.node);
    const auto fabricSwitch = m_fabric.GetSwitch(which);
    const auto map = port.device->GetTrafficClassMap()->GetTable();
    const uint8_t groups = map->GroupsOfPriorities(1U << cls);
    uint64_t most = 0;
    uint64_t all = 0;
    for (uint32_t out = 0; out < fabricSwitch->GetNPorts(); ++out)
    {
        const auto device = fabricSwitch->GetPort(out);
        for (uint32_t queue = 0; queue < TRAFFIC_CLASSES; ++queue)
        {
            const uint64_t cells = CellsFrom(device->Queues().Head(queue), port.port, groups);
            all += cells;
            if (cells > most)
            {
                most = cells;
                reason.outPort = out;
                reason.outClass = queue;
                reason.cause = device->PausedMask() & (1U << queue) ? PAUSE : QUEUE;
            }
        }
    }
    if (most == 0)
    {
        reason.cause = NOTHING;
        return reason;
    }
    reason.share = static_cast<double>(most) / static_cast<double>(all);
    return reason;
}

void
PauseTree::XoffSent(std::size_t at, uint32_t cls, Reason reason)
{
    Port& port = m_ports[at];
    if (reason.cause == PAUSE)
    {
        const Port& egress = m_ports[m_firstPort[port.node.Value()] + reason.outPort];
        const Pause& parent = egress.pauses[reason.outClass];
        if (parent.begin >= 0)
        {
            reason.parent = parent.id;
            reason.root = parent.reason.root;
            reason.depth = parent.reason.depth;
            reason.place = parent.reason.place;
        }
        else
        {
            reason.cause = QUEUE; // its pause has begun while nobody watched
        }
    }
    port.sent[cls].push_back(reason);
}

PauseTree::Reason
PauseTree::TakeReason(const Port& port, uint32_t cls)
{
    // An XOFF takes effect after its serialisation, the delay of the link and the reaction delay;
    // the next one leaves no earlier than the serialisation of this one has ended.
    const Time way = DynamicCast<QbbChannel>(port.device->GetChannel())->GetDelay() +
                     port.device->GetPfcReactionDelay();
    const int64_t latest = NowTicks() - way.GetTimeStep();
    const auto map = port.device->GetTrafficClassMap()->GetTable();
    Reason reason;
    bool isFound = false;
    for (uint8_t left = map->PrioritiesOfQueues(1U << cls); left; left &= left - 1)
    {
        auto& sent = m_ports[port.peer].sent[__builtin_ctz(left)];
        std::size_t last = 0;
        while (last + 1 < sent.size() && sent[last + 1].sent < latest)
        {
            ++last;
        }
        sent.erase(sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(last));
        // The first stays: a link that was cut may ask for its pause again.
        if (!sent.empty() && (!isFound || sent.front().sent > reason.sent))
        {
            reason = sent.front();
            isFound = true;
        }
    }
    return reason;
}

std::size_t
PauseTree::PlaceOf(const Root& root)
{
    const Key key = {root.cause, root.node.Value(), root.port, root.cls};
    const auto [found, isNew] = m_index.emplace(key, m_places.size());
    if (isNew)
    {
        m_places.push_back(root);
    }
    return found->second;
}

void
PauseTree::Begin(std::size_t at, uint32_t cls)
{
    Port& port = m_ports[at];
    Pause& pause = port.pauses[cls];
    pause.id = m_begun++;
    pause.begin = NowTicks();
    pause.reason = TakeReason(port, cls);
    Reason& reason = pause.reason;
    ++reason.depth;
    if (reason.cause != PAUSE)
    {
        const Port& by = m_ports[port.peer];
        Root root;
        root.cause = reason.cause;
        root.node = by.node;
        root.port = reason.cause == QUEUE ? reason.outPort : by.port;
        root.cls = reason.cause == QUEUE ? reason.outClass : cls;
        reason.root = pause.id;
        reason.place = PlaceOf(root);
        ++m_places[reason.place].roots;
    }
    Root& place = m_places[reason.place];
    ++place.pauses;
    place.deepest = std::max(place.deepest, reason.depth);
}

void
PauseTree::End(std::size_t at, uint32_t cls, int64_t end)
{
    Port& port = m_ports[at];
    Pause& pause = port.pauses[cls];
    if (pause.begin < 0)
    {
        return;
    }
    const Reason& reason = pause.reason;
    m_places[reason.place].paused += TimeStep(static_cast<uint64_t>(end - pause.begin));
    if (m_rows)
    {
        const bool hasQueue = reason.cause == QUEUE || reason.cause == PAUSE;
        m_rows->Add(pause.id,
                    TicksToNs(pause.begin),
                    TicksToNs(end - pause.begin),
                    port.node,
                    port.isSwitch ? "switch" : "host",
                    port.port,
                    cls,
                    m_ports[port.peer].node,
                    m_ports[port.peer].port,
                    NameOf(reason.cause),
                    hasQueue ? static_cast<int64_t>(reason.outPort) : -1,
                    hasQueue ? static_cast<int64_t>(reason.outClass) : -1,
                    reason.share,
                    reason.cause == PAUSE ? static_cast<int64_t>(reason.parent) : -1,
                    reason.root);
    }
    pause.begin = -1;
}

void
PauseTree::Close(Time end)
{
    for (std::size_t at = 0; at < m_ports.size(); ++at)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            End(at, cls, end.GetTimeStep());
        }
    }
    if (m_isWatching && m_why)
    {
        WriteWhy();
    }
    m_isWatching = false;
}

void
PauseTree::WriteWhy() const
{
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto mmu = m_fabric.GetSwitch(which)->GetMmu();
        const auto& before = m_before[which.Value()];
        for (std::size_t at = 0; at < before.size(); ++at)
        {
            const auto port = static_cast<uint32_t>(at / TRAFFIC_CLASSES);
            const auto cls = static_cast<uint32_t>(at % TRAFFIC_CLASSES);
            if (mmu->GetIngress(port, cls).lossless && mmu->GetPeaks(port, cls).ingress > 0)
            {
                std::string why = mmu->Explain(port, cls, before[at]);
                std::replace(why.begin(), why.end(), ',', ';'); // a cell has none
                m_why->Add(m_fabric.GetTopology().NodeOf(which),
                           port,
                           cls,
                           mmu->GetCounts(port, cls).xoffs - before[at].xoffs,
                           why);
            }
        }
    }
}

std::vector<PauseTree::Root>
PauseTree::GetRoots() const
{
    std::vector<Root> roots = m_places;
    for (const Port& port : m_ports)
    {
        for (const Pause& pause : port.pauses)
        {
            if (pause.begin >= 0)
            {
                roots[pause.reason.place].paused +=
                    TimeStep(static_cast<uint64_t>(NowTicks() - pause.begin));
            }
        }
    }
    std::sort(roots.begin(), roots.end(), [](const Root& one, const Root& other) {
        return std::make_tuple(-one.paused.GetTimeStep(),
                               one.node.Value(),
                               one.port,
                               one.cls,
                               one.cause) < std::make_tuple(-other.paused.GetTimeStep(),
                                                            other.node.Value(),
                                                            other.port,
                                                            other.cls,
                                                            other.cause);
    });
    return roots;
}

void
PauseTree::Print(std::ostream& os, const RunTotals& /* totals */) const
{
    if (m_ports.empty())
    {
        return;
    }
    const std::vector<Root> roots = GetRoots();
    os << "Pause tree: " << m_begun << " pauses from " << roots.size() << " places"
       << (roots.empty() ? "\n" : "; the time paused below them:\n");
    const auto names = FabricPlaces::NamesOf(m_fabric.GetTopology());
    static const char* words[] = {" is congested",
                                  "",
                                  " does not keep up",
                                  " is forced to pause",
                                  " has nothing waiting",
                                  " was paused before"};
    for (std::size_t i = 0; i < std::min(SHOWN, roots.size()); ++i)
    {
        const Root& root = roots[i];
        const Port& port = m_ports[m_firstPort[root.node.Value()] + root.port];
        char line[96];
        std::snprintf(line,
                      sizeof(line),
                      "%.1f us in %llu pauses, %llu of them roots, chains of up to %u",
                      static_cast<double>(root.paused.GetNanoSeconds()) / 1000,
                      static_cast<unsigned long long>(root.pauses),
                      static_cast<unsigned long long>(root.roots),
                      root.deepest);
        os << "  " << names[root.node.Value()] << " port " << root.port << " class " << root.cls
           << " (to " << names[m_ports[port.peer].node.Value()] << ")" << words[root.cause] << ": "
           << line << '\n';
    }
}

} // namespace ns3
