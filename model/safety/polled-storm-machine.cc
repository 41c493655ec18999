// SPDX-License-Identifier: GPL-2.0-only
#include "polled-storm-machine.h"

#include <algorithm>

namespace ns3
{

PolledStormMachine::PolledStormMachine(const PolledStormRule& rule, const PfcStormTimes& times)
    : m_rule(rule),
      m_times(times),
      m_countdown(times.detection),
      m_restoration(times.restoration)
{
}

void
PolledStormMachine::Reset(const PfcQueueSample& sample)
{
    m_state = PfcQueueState::OPERATIONAL;
    m_countdown = m_times.detection;
    m_last = sample;
    m_next = sample.paused ? NextPoll(sample.time) : NEVER;
}

int64_t
PolledStormMachine::NextPoll(int64_t now) const
{
    return (now / m_times.poll + 1) * m_times.poll;
}

void
PolledStormMachine::PauseChanged(const PfcQueueSample& sample)
{
    if (m_next == NEVER && sample.paused)
    {
        // The poll before this pause would have seen what the last sample has.
        m_next = NextPoll(sample.time);
        m_last.time = std::max(m_last.time, m_next - m_times.poll);
    }
}

void
PolledStormMachine::Sampled(const PfcQueueSample& sample)
{
    if (m_state == PfcQueueState::STORMED)
    {
        AwaitRestoration(sample);
    }
    else
    {
        Detect(sample);
    }
    m_last = sample;
    const bool idle =
        m_state == PfcQueueState::OPERATIONAL && !sample.paused && m_countdown == m_times.detection;
    m_next = idle ? NEVER : NextPoll(sample.time);
}

void
PolledStormMachine::Detect(const PfcQueueSample& sample)
{
    if (!m_rule.IsStorming(m_last, sample))
    {
        m_countdown = m_times.detection;
        return;
    }
    // One poll alone never ends the countdown: it may have met a pause that is about to end.
    m_countdown -= std::min(sample.time - m_last.time, m_times.detection - 1);
    if (m_countdown <= 0)
    {
        m_state = PfcQueueState::STORMED;
        m_restoration = m_times.restoration;
        m_countdown = m_times.detection;
    }
}

void
PolledStormMachine::AwaitRestoration(const PfcQueueSample& sample)
{
    bool over = false;
    if (m_times.alert)
    {
        over = !m_rule.IsStorming(m_last, sample);
    }
    else if (m_rule.CountPauses(sample) == m_rule.CountPauses(m_last))
    {
        m_restoration -= sample.time - m_last.time;
        over = m_restoration <= 0;
    }
    else
    {
        m_restoration = m_times.restoration;
    }
    if (over)
    {
        m_state = PfcQueueState::OPERATIONAL;
    }
}

} // namespace ns3
