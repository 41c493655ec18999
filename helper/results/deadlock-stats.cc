// SPDX-License-Identifier: GPL-2.0-only
#include "deadlock-stats.h"

#include "fabric-ports.h"

#include "ns3/fabric-places.h"
#include "ns3/ipv4-address.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>

namespace ns3
{
namespace
{

constexpr std::size_t SHOWN = 3; //!< deadlocks, vertices and flows that Print() shows

std::string
Milliseconds(Time time)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.3f ms", time.GetSeconds() * 1e3);
    return text;
}

/// @param deadlocks any @return how many are not broken
uint64_t
CountOpen(const std::vector<Deadlock>& deadlocks)
{
    return static_cast<uint64_t>(
        std::count_if(deadlocks.begin(), deadlocks.end(), [](const Deadlock& deadlock) {
            return !deadlock.IsOver();
        }));
}

/// Give directions of flows whose packets have several UDP ports (RdmaEntropy) the port of their
/// connection, which both directions share. @param fabric with the flows @param directions of flows
void
UnifyPorts(const Fabric& fabric, std::vector<DeadlockFlow>& directions)
{
    std::map<std::pair<std::string, uint32_t>, uint16_t> ports; // by address and number
    const auto note = [&ports](HostId, const RdmaQueuePair& end) {
        if (end.GetEntropyPolicy())
        {
            const RdmaConnection& connection = end.GetConnection();
            std::ostringstream address;
            address << Ipv4Address(connection.local.low);
            ports[{address.str(), end.GetNumber()}] = connection.udpPort;
        }
    };
    if (!fabric.IsDestroyed())
    {
        ForEachQueuePair(fabric, note);
    }
    for (DeadlockFlow& one : directions)
    {
        const auto known = ports.find({one.destination, one.destinationQp});
        one.udpPort = known == ports.end() ? one.udpPort : known->second;
    }
}

/// @param fabric with the flows @param directions of flows, of which data and answers may both be
/// stuck @return each flow once, in the direction of its data
std::vector<DeadlockFlow>
WholeFlows(const Fabric& fabric, std::vector<DeadlockFlow> directions)
{
    UnifyPorts(fabric, directions);
    std::vector<DeadlockFlow> whole;
    // What is still without its other direction, by the ends of that. Ports of flows may be equal.
    std::multimap<std::tuple<std::string, std::string, uint16_t>, std::size_t> single;
    for (const DeadlockFlow& one : directions)
    {
        const auto back = single.find({one.source, one.destination, one.udpPort});
        if (back != single.end())
        {
            whole[back->second] = one.hasData ? one : whole[back->second];
            single.erase(back);
            continue;
        }
        if (one.udpPort != 0)
        {
            single.insert({{one.destination, one.source, one.udpPort}, whole.size()});
        }
        whole.push_back(one);
    }
    return whole;
}

} // namespace

DeadlockStats::DeadlockStats(const Fabric& fabric)
    : TableReport("deadlock", {GetTable()}),
      m_fabric(fabric),
      m_found(0),
      m_headroomDrops(ReadHeadroomDrops())
{
    m_found = Get().size();
}

bool
DeadlockStats::IsInstalled() const
{
    return bool(m_fabric.GetDeadlockDetector());
}

std::vector<Deadlock>
DeadlockStats::Get() const
{
    const auto detector = m_fabric.GetDeadlockDetector();
    std::vector<Deadlock> found = detector ? detector->GetDeadlocks() : std::vector<Deadlock>();
    found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(m_found));
    return found;
}

uint64_t
DeadlockStats::ReadHeadroomDrops() const
{
    uint64_t drops = 0;
    for (const SwitchId which : m_fabric.Switches())
    {
        for (const auto reason : {DropReason::HEADROOM_FULL, DropReason::POOL_FULL})
        {
            drops += m_fabric.GetSwitch(which)->GetDropCount(reason);
        }
    }
    return drops;
}

TableSpec
DeadlockStats::GetTable()
{
    using C = ColumnSpec;
    return {
        "deadlock",
        "a deadlock that was found; no file where there is no detector",
        {{"time_ns", "ns", "when it was found"},
         {"end_ns", "ns", "when it was seen broken; empty: it was not", C::REAL, "%.0f"},
         {"vertices", "", "ingress buffers that wait for each other"},
         {"cycle", "", "a shortest circle of them, node:port:class, with blanks between", C::TEXT},
         {"frames", "frames", "frames stuck in it"},
         {"flows",
          "",
          "its flows, source>destination/queue pair, with blanks between; data and answers apart",
          C::TEXT},
         {"flushed_queues", "", "queues thrown away to break it"},
         {"flushed_frames", "frames", "frames thrown away to break it"}},
        false};
}

void
DeadlockStats::AddTotals(RunTotals& totals) const
{
    if (IsInstalled())
    {
        totals.deadlocks = GetTotals();
    }
}

void
DeadlockStats::Print(std::ostream& os, const RunTotals&) const
{
    if (!IsInstalled())
    {
        return;
    }
    const auto& switches = m_fabric.GetTopology().GetSwitches();
    const auto names = FabricPlaces::NamesOf(m_fabric.GetTopology());
    const auto deadlocks = Get();
    const uint64_t before =
        CountOpen(m_fabric.GetDeadlockDetector()->GetDeadlocks()) - CountOpen(deadlocks);
    os << "Deadlocks: " << deadlocks.size();
    if (before)
    {
        os << ", and " << before << " of before, not broken";
    }
    os << '\n';
    for (std::size_t i = 0; i < deadlocks.size() && i < SHOWN; ++i)
    {
        const Deadlock& deadlock = deadlocks[i];
        os << "  at " << Milliseconds(deadlock.time)
           << (deadlock.IsOver() ? ", over at " + Milliseconds(deadlock.end) : ", not broken");
        if (deadlock.flushedQueues)
        {
            os << " by throwing away " << deadlock.flushedFrames << " frames of "
               << deadlock.flushedQueues << " queues";
        }
        os << ": ";
        for (const BufferVertex& vertex : deadlock.cycle)
        {
            os << names[switches[vertex.switchIndex].Value()] << " port " << vertex.port
               << " class " << vertex.trafficClass << " -> ";
        }
        const std::vector<DeadlockFlow> flows = WholeFlows(m_fabric, deadlock.flows);
        os << "the first; " << deadlock.frames << " frames of " << flows.size() << " flows:";
        for (std::size_t f = 0; f < flows.size() && f < SHOWN; ++f)
        {
            const DeadlockFlow& flow = flows[f];
            os << (f ? ", " : " ") << flow.source << " to " << flow.destination << " queue pair "
               << flow.destinationQp;
        }
        os << (flows.size() > SHOWN ? ", ..\n" : "\n");
    }
    if (deadlocks.size() > SHOWN)
    {
        os << "  and " << deadlocks.size() - SHOWN << " more\n";
    }
}

void
DeadlockStats::Close(Time)
{
    if (!m_rows || !IsInstalled())
    {
        return;
    }
    m_rows->Start();
    const auto& switches = m_fabric.GetTopology().GetSwitches();
    for (const Deadlock& deadlock : Get())
    {
        std::ostringstream cycle;
        const char* separator = "";
        for (const BufferVertex& vertex : deadlock.cycle)
        {
            cycle << separator << switches[vertex.switchIndex] << ':' << vertex.port << ':'
                  << vertex.trafficClass;
            separator = " ";
        }
        std::ostringstream flows;
        separator = "";
        for (const DeadlockFlow& flow : deadlock.flows)
        {
            flows << separator << flow.source << '>' << flow.destination << '/'
                  << flow.destinationQp;
            separator = " ";
        }
        m_rows->Add(deadlock.time.GetNanoSeconds(),
                    deadlock.IsOver() ? static_cast<double>(deadlock.end.GetNanoSeconds())
                                      : std::numeric_limits<double>::quiet_NaN(),
                    deadlock.vertices,
                    cycle.str(),
                    deadlock.frames,
                    flows.str(),
                    deadlock.flushedQueues,
                    deadlock.flushedFrames);
    }
}

DeadlockTotals
DeadlockStats::GetTotals() const
{
    DeadlockTotals totals;
    totals.open = CountOpen(m_fabric.GetDeadlockDetector()->GetDeadlocks());
    for (const Deadlock& deadlock : Get())
    {
        if (totals.found++ == 0)
        {
            totals.firstNs = deadlock.time.GetNanoSeconds();
        }
        totals.flushedFrames += deadlock.flushedFrames;
    }
    totals.headroomDrops = ReadHeadroomDrops() - m_headroomDrops;
    return totals;
}

} // namespace ns3
