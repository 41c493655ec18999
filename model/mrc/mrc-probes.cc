// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-probes.h"

#include <algorithm>

namespace ns3
{

void
MrcProbes::Update(int64_t now)
{
    uint32_t bad = 0;
    for (const MrcPlaneEvs& evs : m_evs)
    {
        bad += evs.GetBad();
    }
    const auto isOver = [this](const Probe& probe) {
        return m_evs[probe.plane].GetState(probe.ev) != MrcPlaneEvs::ASSUMED_BAD;
    };
    m_probes.erase(std::remove_if(m_probes.begin(), m_probes.end(), isOver), m_probes.end());
    if (bad == m_probes.size())
    {
        return;
    }
    for (uint8_t plane = 0; plane < m_evs.size(); ++plane)
    {
        for (uint16_t ev = 0; ev < m_evs[plane].GetN(); ++ev)
        {
            const auto isOfIt = [plane, ev](const Probe& probe) {
                return probe.plane == plane && probe.ev == ev;
            };
            if (m_evs[plane].GetState(ev) == MrcPlaneEvs::ASSUMED_BAD &&
                std::none_of(m_probes.begin(), m_probes.end(), isOfIt))
            {
                m_probes.push_back({plane, ev, 0, now + m_interval});
            }
        }
    }
}

int64_t
MrcProbes::NextAt(int64_t since) const
{
    int64_t next = QuestionAt(since);
    for (const Probe& probe : m_probes)
    {
        next = std::min(next, probe.nextAt);
    }
    return next;
}

std::optional<MrcRequester::Waiting>
MrcProbes::TakeQuestion(const MrcHeader& answer)
{
    std::optional<MrcRequester::Waiting> question;
    if (answer.answersProbe && answer.probe == m_asked)
    {
        question.swap(m_question);
        m_counters.probesAnswered += question.has_value();
    }
    return question;
}

void
MrcProbes::Answered(const MrcHeader& answer)
{
    for (Probe& probe : m_probes)
    {
        if (probe.number == answer.probe)
        {
            MrcPlaneEvs& evs = m_evs[probe.plane];
            m_counters.probesAnswered++;
            probe.number = 0;
            evs.Probed(probe.ev, true, answer.mark != MrcMark::NONE);
            m_counters.evsBack += evs.GetState(probe.ev) != MrcPlaneEvs::ASSUMED_BAD;
            return;
        }
    }
}

} // namespace ns3
