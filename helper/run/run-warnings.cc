// SPDX-License-Identifier: GPL-2.0-only
#include "run-warnings.h"

#include "class-map-check.h"
#include "run-time.h"
#include "scheduler-check.h"
#include "vxlan-overlay.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-stats.h"
#include "ns3/fault-helper.h"
#include "ns3/lost-stats.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/run-traffic.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3
{

RunWarnings::RunWarnings(const Subject& subject)
    : m_subject(subject),
      m_fabric(subject.fabric)
{
}

void
RunWarnings::Check()
{
    if (const std::string late = m_fabric.GetLate(); !late.empty())
    {
        m_fabric.GetFindings().Add(
            {Level::UNUSED,
             "helper",
             "",
             {},
             "what FabricHelper was told after it had built the fabric is not in force: " + late,
             "say it before, or build the fabric anew"});
    }
    CheckSchedulers(m_fabric);
    m_subject.rdma.CheckAtBegin();
    if (const auto wrong = FindUnstartable(m_fabric); !wrong.empty())
    {
        throw FabricError(FirstOf(wrong));
    }
    AddLoss(m_fabric);
    VxlanOverlay::CheckLate(m_fabric);
    AddOtherClasses(m_fabric);
}

void
RunWarnings::Begin()
{
    m_subject.lost.Watch();
    m_run.emplace(m_fabric, [this] {
        AddLoss(m_fabric);
        AddOtherClasses(m_fabric);
        VxlanOverlay::WarnOfLate(m_fabric);
    });
}

void
RunWarnings::End()
{
    AddOtherClasses(m_fabric); // of what began to send during the run
    VxlanOverlay::WarnOfLate(m_fabric);
    AddLate();
    AddLoss(m_fabric); // for what calls of parts themselves have changed during the run
    AddUnused();
    m_subject.lost.Find();
    if (!m_subject.isOfRanks)
    {
        m_subject.rdma.CheckAtEnd();
    }
}

void
RunWarnings::AddUnused() const
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
    m_fabric.GetFindings().Add({Level::UNUSED,
                                "unused",
                                "",
                                {},
                                std::to_string(unused.size()) +
                                    (unused.size() == 1 ? " setting is" : " settings are") +
                                    " unused: " + names + (unused.size() > MOST ? ", ..." : ""),
                                "settings.csv has all"});
}

void
RunWarnings::AddLate() const
{
    const Time end = Simulator::Now() + TimeStep(1); // what begins at the end may have begun
    uint64_t late = m_subject.faults ? m_subject.faults->CountFrom(end) : 0;
    for (const TrafficSource* source : m_subject.traffic.GetSources())
    {
        late += source->CountFrom(end);
    }
    if (late)
    {
        m_fabric.GetFindings().Add(
            {Level::UNUSED,
             "late",
             "",
             {},
             std::to_string(late) + " flows, workloads or faults begin after the end of the run, " +
                 Milliseconds(Simulator::Now()),
             "begin earlier, or let the run stop later"});
    }
}

} // namespace ns3
