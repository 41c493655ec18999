// SPDX-License-Identifier: GPL-2.0-only
#include "deadlock-stats.h"

#include "result-file.h"

#include <cstdio>

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

} // namespace

DeadlockStats::DeadlockStats(const Fabric& fabric)
    : m_fabric(fabric)
{
}

bool
DeadlockStats::IsInstalled() const
{
    return bool(m_fabric.GetDeadlockDetector());
}

const std::vector<Deadlock>&
DeadlockStats::Get() const
{
    static const std::vector<Deadlock> none;
    const auto detector = m_fabric.GetDeadlockDetector();
    return detector ? detector->GetDeadlocks() : none;
}

void
DeadlockStats::Print(std::ostream& os) const
{
    if (!IsInstalled())
    {
        return;
    }
    const auto& switches = m_fabric.GetTopology().GetSwitches();
    const auto& deadlocks = Get();
    os << "Deadlocks: " << deadlocks.size() << '\n';
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
            os << "switch " << switches[vertex.switchIndex] << " port " << vertex.port << " class "
               << vertex.trafficClass << " -> ";
        }
        os << "the first; " << deadlock.frames << " frames of " << deadlock.flows.size()
           << " flows:";
        for (std::size_t f = 0; f < deadlock.flows.size() && f < SHOWN; ++f)
        {
            const DeadlockFlow& flow = deadlock.flows[f];
            os << (f ? ", " : " ") << flow.source << " to " << flow.destination << " queue pair "
               << flow.destinationQp;
        }
        os << (deadlock.flows.size() > SHOWN ? ", ..\n" : "\n");
    }
    if (deadlocks.size() > SHOWN)
    {
        os << "  and " << deadlocks.size() - SHOWN << " more\n";
    }
}

void
DeadlockStats::Write(const std::string& path) const
{
    if (!IsInstalled())
    {
        return;
    }
    const auto& switches = m_fabric.GetTopology().GetSwitches();
    ResultFile file(path);
    auto& os = file.Stream();
    os << "time_ns,end_ns,vertices,cycle,frames,flows,flushed_queues,flushed_frames\n";
    for (const Deadlock& deadlock : Get())
    {
        os << deadlock.time.GetNanoSeconds() << ',';
        if (deadlock.IsOver())
        {
            os << deadlock.end.GetNanoSeconds();
        }
        os << ',' << deadlock.vertices;
        const char* separator = ",";
        for (const BufferVertex& vertex : deadlock.cycle)
        {
            os << separator << switches[vertex.switchIndex] << ':' << vertex.port << ':'
               << vertex.trafficClass;
            separator = " ";
        }
        os << ',' << deadlock.frames;
        separator = ",";
        for (const DeadlockFlow& flow : deadlock.flows)
        {
            os << separator << flow.source << '>' << flow.destination << '/' << flow.destinationQp;
            separator = " ";
        }
        os << ',' << deadlock.flushedQueues << ',' << deadlock.flushedFrames << '\n';
    }
    file.Commit();
}

DeadlockTotals
DeadlockStats::GetTotals() const
{
    DeadlockTotals totals;
    if (!IsInstalled())
    {
        return totals;
    }
    for (const Deadlock& deadlock : Get())
    {
        if (totals.found++ == 0)
        {
            totals.firstNs = deadlock.time.GetNanoSeconds();
        }
        totals.open += !deadlock.IsOver();
        totals.flushedFrames += deadlock.flushedFrames;
    }
    for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
    {
        for (const auto reason : {DropReason::HEADROOM_FULL, DropReason::POOL_FULL})
        {
            totals.headroomDrops += m_fabric.GetSwitch(i)->GetDropCount(reason);
        }
    }
    return totals;
}

} // namespace ns3
