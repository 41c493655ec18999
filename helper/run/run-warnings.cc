// SPDX-License-Identifier: GPL-2.0-only
#include "run-warnings.h"

#include "class-map-check.h"
#include "path-check.h"
#include "run-stats.h"
#include "run-time.h"
#include "scheduler-check.h"
#include "vxlan-overlay.h"

#include "ns3/fabric-error.h"
#include "ns3/fault-helper.h"
#include "ns3/lost-stats.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/run-traffic.h"
#include "ns3/simulator.h"

#include <string>

namespace ns3
{

RunWarnings::RunWarnings(const Subject& subject)
    : m_subject(subject),
      m_fabric(subject.fabric)
{
}

void
RunWarnings::AddLateHelper() const
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
}

void
RunWarnings::Check()
{
    AddLateHelper();
    CheckSchedulers(m_fabric);
    CheckPaths(m_fabric, m_subject.allowsReordering, m_subject.rdma.MakeEnds());
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
    AddLateHelper();           // of the run
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
    const SettingReport* const settings = m_subject.stats.GetSettings();
    for (const auto* some : {&settings->differences, &settings->unused})
    {
        for (const SettingDifference& one : *some)
        {
            const bool isNowhere = one.state == SettingState::NOWHERE;
            if (one.state == SettingState::UNUSED || isNowhere)
            {
                m_fabric.GetFindings().Add({Level::UNUSED,
                                            "unused",
                                            isNowhere ? "" : one.places,
                                            {},
                                            one.name + " is unused, as it needs " + one.need,
                                            "settings.csv has all"});
            }
        }
    }
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
