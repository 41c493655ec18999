// SPDX-License-Identifier: GPL-2.0-only
#include "run-warnings.h"

#include "class-map-check.h"
#include "run-reports.h"
#include "run-time.h"
#include "scheduler-check.h"
#include "vxlan-overlay.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-program.h"
#include "ns3/fabric-stats.h"
#include "ns3/fabric-warning.h"
#include "ns3/fault-helper.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/run-part.h"
#include "ns3/run-traffic.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @param time of the simulation @return the next one: what starts at the stop may have started
Time
After(Time time)
{
    return time < Time::Max() ? time + TimeStep(1) : time;
}

/// @param count how many @param one what one does @param several what more of them do
/// @return "1 flow sends", "2 flows send"
std::string
Count(uint64_t count, const std::string& one, const std::string& several)
{
    return std::to_string(count) + " " + (count == 1 ? one : several);
}

} // namespace

RunWarnings::RunWarnings(const Subject& subject)
    : m_subject(subject),
      m_fabric(subject.fabric),
      m_options(subject.options)
{
}

void
RunWarnings::Check()
{
    FabricProgram::WarnOfUnused();
    WarnOfOptions();
    if (const std::string late = m_fabric.GetLate(); !late.empty())
    {
        PrintWarning("what FabricHelper was told after it had built the fabric is not in force: " +
                         late,
                     "say it before, or build the fabric anew");
    }
    WarnOfLate();
    CheckSchedulers(m_fabric);
    m_subject.rdma.CheckAtBegin();
    if (const auto wrong = FindUnstartable(m_fabric); !wrong.empty())
    {
        throw FabricError(FirstOf(wrong));
    }
    WarnOfLoss(m_fabric);
    VxlanOverlay::CheckLate(m_fabric);
    WarnOfOtherClasses(m_fabric);
}

void
RunWarnings::Begin()
{
    m_lost.emplace(m_fabric);
    m_stacks.emplace(m_fabric);
    m_changes.emplace(m_fabric);
    m_run.emplace(m_fabric, [this] {
        WarnOfOtherClasses(m_fabric);
        m_changes->Warn();
        VxlanOverlay::WarnOfLate(m_fabric);
    });
}

void
RunWarnings::EndedEarly(const std::string& why, bool isOver) const
{
    PrintWarning("the run ended early, at " + Milliseconds(Simulator::Now()) + ", " + why,
                 isOver ? "patience says how long it waits, 0: for ever"
                        : "the summary names what has not completed");
}

void
RunWarnings::End()
{
    if (m_subject.faults)
    {
        WarnOfFaults();
    }
    WarnOfOtherClasses(m_fabric); // of what began to send during the run
    VxlanOverlay::WarnOfLate(m_fabric);
    WarnOfOpen();
    WarnOfWaiting();
    WarnOfLoss(m_fabric); // for what calls of parts themselves have changed during the run
    WarnOfUnused();
    NameLosses();
    if (!m_subject.isOfRanks)
    {
        m_subject.rdma.CheckAtEnd();
        m_subject.rdma.ForEachUnused(
            [](const std::string& what, const std::string& right) { PrintWarning(what, right); });
    }
}

void
RunWarnings::WarnOfUnused() const
{
    constexpr std::size_t MOST = 5; // are named
    const SettingReport* const settings = m_subject.stats.GetSettings();
    std::vector<std::string> unused;
    for (const auto* some : {&settings->differences, &settings->unused})
    {
        for (const SettingDifference& one : *some)
        {
            std::string name = one.name + " (needs " + one.need + ")";
            if (const auto dot = name.find('.'); dot != std::string::npos)
            {
                name.replace(dot, 1, "::");
            }
            const bool isNew = std::find(unused.begin(), unused.end(), name) == unused.end();
            if (isNew && (one.state == SettingState::UNUSED || one.state == SettingState::NOWHERE))
            {
                unused.push_back(name);
            }
        }
    }
    if (unused.empty())
    {
        return;
    }
    std::string names;
    for (std::size_t i = 0; i < std::min(MOST, unused.size()); ++i)
    {
        names += (i ? ", " : "") + unused[i];
    }
    PrintWarning(Count(unused.size(), "setting is unused: ", "settings are unused: ") + names +
                     (unused.size() > MOST ? ", ..." : ""),
                 "settings.csv has all");
}

void
RunWarnings::NameLosses() const
{
    if (!m_subject.isOfRanks)
    {
        m_lost->Warn();
        m_stacks->Warn();
    }
}

void
RunWarnings::WarnOfOptions() const
{
    if (m_options.sampleIsAsked && !m_subject.stats.HasSamples())
    {
        PrintWarning("the sample interval has no effect: nothing is sampled",
                     "write queue.csv or throughput.csv to a folder");
    }
    m_subject.reports.ForEachUnread(m_options, PrintWarning);
    if (!m_options.stopWhenStuck && m_options.patience && m_options.patience->IsStrictlyPositive())
    {
        PrintWarning("patience has no effect: the run does not stop when it is stuck",
                     "leave one of them out");
    }
    else if (!m_options.stopWhenStuck && !m_subject.looksForProgress)
    {
        PrintWarning("not to stop when stuck has no effect: nobody looks whether the run is stuck",
                     "it is for runs with faults");
    }
}

void
RunWarnings::WarnOfLate()
{
    if (!m_options.stop.IsStrictlyPositive())
    {
        return;
    }
    const Time stop = m_subject.begin + m_options.stop;
    uint64_t late = 0;
    for (const TrafficSource* source : m_subject.traffic.GetSources())
    {
        const uint64_t count = source->CountFrom(stop);
        late += count;
        if (count)
        {
            m_named[source] = source->CountFrom(After(stop));
        }
    }
    if (late)
    {
        PrintWarning(Count(late,
                           "flow or workload sends nothing, as it starts",
                           "flows and workloads send nothing, as they start") +
                         " when the run has ended, at " + Milliseconds(stop) + " or later",
                     "start earlier, or let the run stop later");
    }
    // Those that begin at the stop do begin.
    m_lateFaults = m_subject.faults ? m_subject.faults->CountFrom(After(stop)) : 0;
    if (m_lateFaults)
    {
        PrintWarning(Count(m_lateFaults,
                           "fault does nothing, as it begins",
                           "faults do nothing, as they begin") +
                         " after the end of the run, at " + Milliseconds(stop),
                     "begin earlier, or let the run stop later");
    }
}

void
RunWarnings::WarnOfWaiting() const
{
    const Time length = Simulator::Now() - m_subject.begin;
    if (m_options.sampleIsAsked && m_subject.stats.HasSamples() && m_options.sample > length)
    {
        PrintWarning("the sample interval, " + Milliseconds(m_options.sample) +
                         ", is longer than the run, " + Milliseconds(length),
                     "choose a shorter one");
    }
    WarnOfAdded();
    for (const RunPart* part : RunPart::Planned(m_fabric))
    {
        if (!m_named.count(part))
        {
            part->ForEachWaiting([](const std::string& what, Time when) {
                PrintWarning(what + " at " + Milliseconds(when) + ", after the end of the run at " +
                                 Milliseconds(Simulator::Now()) + ": it did nothing",
                             "begin earlier, or let the run go on");
            });
        }
        part->ForEachUnused(
            [](const std::string& what, const std::string& right) { PrintWarning(what, right); });
    }
}

void
RunWarnings::WarnOfOpen() const
{
    for (const TrafficSource* source : m_subject.traffic.GetSources())
    {
        if (const std::string open = source->GetOpen(); !open.empty())
        {
            PrintWarning(open, "let the run stop later than " + Milliseconds(Simulator::Now()));
        }
    }
}

void
RunWarnings::WarnOfAdded() const
{
    if (!m_options.stop.IsStrictlyPositive())
    {
        return;
    }
    const Time stop = m_subject.begin + m_options.stop;
    const auto named = m_named.find(&m_subject.rdma);
    const uint64_t before = named == m_named.end() ? 0 : named->second;
    if (const uint64_t late = m_subject.rdma.CountFrom(After(stop)) - before)
    {
        PrintWarning(Count(late,
                           "flow or workload that was added during the run sends nothing, as it "
                           "starts",
                           "flows and workloads that were added during the run send nothing, as "
                           "they start") +
                         " when the run has ended, at " + Milliseconds(stop) + " or later",
                     "start earlier, or let the run stop later");
    }
}

void
RunWarnings::WarnOfFaults() const
{
    const uint32_t waiting = m_subject.faults->CountFrom(Simulator::Now());
    if (const uint32_t missed = waiting - std::min(waiting, m_lateFaults))
    {
        PrintWarning(std::to_string(missed) +
                         " of the faults had still to begin when the run ended, at " +
                         Milliseconds(Simulator::Now()),
                     "let them begin earlier, or let the run go on to its stop");
    }
    const Convergence& convergence = m_subject.faults->GetConvergence();
    if (convergence.IsUnused())
    {
        PrintWarning(
            std::string("the delays of convergence have had no effect: no fault has cut a link, or "
                        "ended a cut") +
                (convergence.HasBegun() ? " since they were chosen" : ""),
            convergence.HasBegun() ? "choose them before the change"
                                   : "cut a link, or leave them out");
    }
}

} // namespace ns3
