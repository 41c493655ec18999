// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-stats.h"

#include "counters-at-rest.h"
#include "fabric-ports.h"
#include "report-time.h"

#include "ns3/fabric-places.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>
#include <numeric>

namespace ns3
{

PfcStats::PfcStats(const Fabric& fabric)
    : TableReport("pfc", ListTables()),
      m_fabric(fabric)
{
    const FabricCounters before = CountersAtRest::Get(fabric);
    const bool hasBegun = Simulator::Now() > Time(0); // else all counters are 0
    for (const auto& [node, i, isSwitch, device] :
         hasBegun ? PortsOf(m_fabric) : std::vector<FabricPort>())
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            m_before.push_back({before.ports[m_before.size() / TRAFFIC_CLASSES].issued[cls],
                                device->GetObeyer().Get(cls),
                                device->GetObeyer().PausedTicks(cls, NowTicks())});
        }
    }
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto mmu = m_fabric.GetSwitch(which)->GetMmu();
        for (uint32_t port = 0; port < mmu->GetPortCount(); ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                m_mmuBefore.push_back(mmu->GetCounts(port, cls));
            }
        }
    }
}

std::vector<TableSpec>
PfcStats::ListTables()
{
    using C = ColumnSpec;
    const ColumnSpec node = {"node", "", "node of the port"};
    const ColumnSpec type = {"node_type", "", "switch or host", C::TEXT};
    const ColumnSpec port = {"port", "", "port of the node"};
    return {{"pfc",
             "a PFC frame that a port has sent, once for each class that it names",
             {{"time_ns", "ns", "when it was sent"},
              node,
              type,
              port,
              {"class", "", "traffic class"},
              {"type", "", "xoff or xon", C::TEXT},
              {"quanta", "512 bit times", "pause time that it carries"}}},
            {"pause",
             "a pause of a port, when it has ended, or as it stands at the end",
             {{"start_ns", "ns", "when it began"},
              node,
              type,
              port,
              {"class", "", "traffic class that was paused"},
              {"duration_ns", "ns", "how long it lasted"}}}};
}

void
PfcStats::Open(const std::vector<RowSink*>& rows)
{
    m_frames = rows.at(0);
    m_pauses = rows.at(1);
    for (const auto& [node, i, isSwitch, device] : PortsOf(m_fabric))
    {
        m_ports.push_back(std::make_unique<Port>(Port{node, i, isSwitch, {}}));
        Connect(*m_ports.back());
    }
}

void
PfcStats::Connect(Port& port)
{
    const auto device = m_fabric.GetDevice(port.node, port.port);
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        port.since[cls] = device->PausedMask() & (1U << cls) ? NowTicks() : -1;
    }
    Port* const self = &port;
    if (m_frames)
    {
        device->TraceConnectWithoutContext(
            "PfcTx",
            Callback<void, const QbbNetDevice&, uint32_t, uint16_t>(
                m_guard.Wrap([this, self](const QbbNetDevice&, uint32_t cls, uint16_t quanta) {
                    FabricSimulatorImpl::Serially(
                        m_guard.Wrap([this, self, cls, quanta] { FrameSent(*self, cls, quanta); }));
                })));
    }
    if (m_pauses)
    {
        device->TraceConnectWithoutContext(
            "PauseState",
            Callback<void, const QbbNetDevice&, uint32_t, bool>(
                m_guard.Wrap([this, self](const QbbNetDevice&, uint32_t cls, bool paused) {
                    FabricSimulatorImpl::Serially(m_guard.Wrap(
                        [this, self, cls, paused] { PauseChanged(*self, cls, paused); }));
                })));
    }
}

void
PfcStats::FrameSent(const Port& port, uint32_t cls, uint16_t quanta)
{
    m_frames->Add(Simulator::Now().GetNanoSeconds(),
                  port.node,
                  port.isSwitch ? "switch" : "host",
                  port.port,
                  cls,
                  quanta ? "xoff" : "xon",
                  quanta);
}

void
PfcStats::PauseChanged(Port& port, uint32_t cls, bool paused)
{
    if (paused)
    {
        port.since[cls] = port.since[cls] < 0 ? NowTicks() : port.since[cls];
    }
    else if (port.since[cls] >= 0)
    {
        WritePause(port, cls, port.since[cls], NowTicks());
        port.since[cls] = -1;
    }
}

void
PfcStats::WritePause(const Port& port, uint32_t cls, int64_t begin, int64_t end)
{
    m_pauses->Add(TicksToNs(begin),
                  port.node,
                  port.isSwitch ? "switch" : "host",
                  port.port,
                  cls,
                  TicksToNs(end - begin));
}

void
PfcStats::Close(Time)
{
    for (const auto& port : m_ports)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            PauseChanged(*port, cls, false);
        }
    }
}

PfcTotals
PfcStats::GetTotals() const
{
    PfcTotals totals;
    const int64_t now = NowTicks();
    std::size_t place = 0;
    for (const auto& [node, i, isSwitch, device] : PortsOf(m_fabric))
    {
        bool paused = false;
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            const Before before = m_before.empty() ? Before() : m_before[place++];
            const auto issued = CountersSince(device->GetIssuer().Get(cls), before.issued);
            const auto obeyed = CountersSince(device->GetObeyer().Get(cls), before.obeyed);
            const int64_t ticks = device->GetObeyer().PausedTicks(cls, now);
            const Time time = TimeStep(static_cast<uint64_t>(ticks - before.pausedTicks));
            totals.xoffFrames += issued.txXoff;
            totals.refreshes += issued.txRefresh;
            totals.xonFrames += issued.txXon;
            totals.pauses += obeyed.pauses;
            totals.expired += obeyed.expired;
            totals.paused += time;
            totals.longest = std::max(totals.longest, time);
            paused = paused || obeyed.pauses > 0;
        }
        totals.pausedPorts += paused;
    }
    return totals;
}

void
PfcStats::AddTotals(RunTotals& totals) const
{
    totals.pfc = GetTotals();
}

void
PfcStats::Print(std::ostream& os, const RunTotals& all) const
{
    const PfcTotals& totals = all.pfc;
    os << "PFC: " << totals.xoffFrames << " XOFF";
    if (totals.refreshes)
    {
        os << " (" << totals.refreshes << " of them refreshes)";
    }
    os << " and " << totals.xonFrames << " XON frames; " << totals.pauses << " pauses of "
       << totals.pausedPorts << " ports, " << std::fixed << std::setprecision(1)
       << static_cast<double>(totals.paused.GetNanoSeconds()) / 1000
       << " us paused in all, at most "
       << static_cast<double>(totals.longest.GetNanoSeconds()) / 1000 << " us at one port";
    if (totals.expired)
    {
        os << "; " << totals.expired << " pauses expired";
    }
    os << '\n';
    PrintReasons(os);
}

void
PfcStats::PrintReasons(std::ostream& os) const
{
    // The lossless (switch, port, class) that paused most often, or came nearest to it.
    std::vector<Nearest> entries;
    std::size_t lossless = 0;
    std::size_t fired = 0;
    std::size_t place = 0;
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto mmu = m_fabric.GetSwitch(which)->GetMmu();
        for (uint32_t port = 0; port < mmu->GetPortCount(); ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls, ++place)
            {
                const MmuIngress& in = mmu->GetIngress(port, cls);
                const int64_t xoffs = int64_t{in.xoffCount} - m_mmuBefore[place].xoffs;
                lossless += in.lossless;
                fired += xoffs > 0;
                if (in.lossless && mmu->GetPeaks(port, cls).ingress > 0)
                {
                    entries.emplace_back(-xoffs, in.smallestMargin, which, port, cls, place);
                }
            }
        }
    }
    if (lossless == 0)
    {
        os << "Why no PFC: no class is lossless at any port of a switch.\n";
        return;
    }
    os << "Why PFC " << (fired ? "fired" : "did not fire") << ": " << fired << " of " << lossless
       << " lossless (port, class) pairs reached their threshold; "
       << (entries.empty() ? "no frame arrived there\n" : "the nearest:\n");
    const std::size_t shown = std::min<std::size_t>(3, entries.size());
    std::partial_sort(entries.begin(),
                      entries.begin() + static_cast<std::ptrdiff_t>(shown),
                      entries.end());
    entries.resize(shown);
    if (shown)
    {
        PrintNearest(os, entries);
    }
}

void
PfcStats::PrintNearest(std::ostream& os, const std::vector<Nearest>& entries) const
{
    const auto names = FabricPlaces::NamesOf(m_fabric.GetTopology());
    const auto kilobytes = [&os](int64_t bytes) {
        os << std::setw(12) << std::fixed << std::setprecision(1)
           << static_cast<double>(bytes) / 1000;
    };
    std::vector<uint64_t> drops;
    for (const auto& [xoffs, margin, which, port, cls, place] : entries)
    {
        const auto sum = [](const SwitchMmu::Counts& counts) {
            return std::accumulate(counts.drops.begin(), counts.drops.end(), uint64_t{0});
        };
        drops.push_back(sum(m_fabric.GetSwitch(which)->GetMmu()->GetCounts(port, cls)) -
                        sum(m_mmuBefore[place]));
    }
    const bool hasDrops = std::any_of(drops.begin(), drops.end(), [](uint64_t n) { return n > 0; });
    os << std::left << std::setw(30) << "  KB of" << std::right << std::setw(8) << "XOFF"
       << std::setw(12) << "peak" << std::setw(12) << "threshold" << std::setw(12) << "nearest"
       << std::setw(12) << "headroom" << std::setw(12) << "its peak"
       << (hasDrops ? "     dropped" : "") << '\n';
    for (std::size_t n = 0; n < entries.size(); ++n)
    {
        const auto [xoffs, margin, which, port, cls, place] = entries[n];
        const auto mmu = m_fabric.GetSwitch(which)->GetMmu();
        const MmuIngress& in = mmu->GetIngress(port, cls);
        const int64_t cell = mmu->GetCellSize().Bytes();
        const BufferWatermarks::ClassMarks peaks = mmu->GetPeaks(port, cls);
        os << "  " << std::left << std::setw(28)
           << names[m_fabric.GetTopology().NodeOf(which).Value()] + " port " +
                  std::to_string(port) + " class " + std::to_string(cls)
           << std::right << std::setw(8) << -xoffs;
        kilobytes(static_cast<int64_t>(peaks.ingress));
        kilobytes(in.lowestThreshold * cell);
        kilobytes(std::max(in.smallestMargin, 0) * cell);
        kilobytes(in.headroom * cell);
        kilobytes(static_cast<int64_t>(peaks.headroom));
        if (hasDrops)
        {
            os << std::setw(12) << drops[n];
        }
        os << '\n';
    }
}

} // namespace ns3
