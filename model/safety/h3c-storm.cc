// SPDX-License-Identifier: GPL-2.0-only
#include "h3c-storm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(H3cStorm);

TypeId
H3cStorm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::H3cStorm")
                            .SetParent<PfcStormRule>()
                            .SetGroupName("Lossless")
                            .AddConstructor<H3cStorm>();
    return tid;
}

PfcStormRule::Defaults
H3cStorm::GetDefaults() const
{
    return {MilliSeconds(100), Time(0), Time(0), MilliSeconds(100)};
}

std::unique_ptr<PfcStormMachine>
H3cStorm::MakeMachine(const PfcStormTimes& times) const
{
    return std::make_unique<H3cStormMachine>(times);
}

bool
H3cStorm::ActsOnPort() const
{
    return true;
}

// ---- the machine

H3cStormMachine::H3cStormMachine(const PfcStormTimes& times)
    : m_times(times)
{
}

void
H3cStormMachine::Reset(const PfcQueueSample& sample)
{
    m_state = PfcQueueState::OPERATIONAL;
    m_storms = 0;
    m_quietSince = sample.time;
    m_next = sample.paused ? sample.time + m_times.detection : NEVER;
}

void
H3cStormMachine::PauseChanged(const PfcQueueSample& sample)
{
    if (m_state == PfcQueueState::OPERATIONAL)
    {
        if (!sample.paused)
        {
            m_next = NEVER;
        }
        else if (m_next == NEVER)
        {
            m_next = sample.time + m_times.detection;
        }
    }
    else if (m_state == PfcQueueState::STORMED && m_times.alert && !sample.paused)
    {
        m_state = PfcQueueState::OPERATIONAL;
        m_quietSince = sample.time;
    }
}

void
H3cStormMachine::Sampled(const PfcQueueSample& sample)
{
    m_next = NEVER;
    if (m_state == PfcQueueState::OPERATIONAL)
    {
        Detect(sample);
        return;
    }
    // Automatic clearing is over.
    m_state = PfcQueueState::OPERATIONAL;
    m_quietSince = sample.time;
    PauseChanged(sample);
}

void
H3cStormMachine::Detect(const PfcQueueSample& sample)
{
    if (m_times.quiet > 0 && sample.time - m_quietSince >= m_times.quiet)
    {
        m_storms = 0;
    }
    ++m_storms;
    if (m_times.alert)
    {
        m_state = PfcQueueState::STORMED; // until the queue opens
    }
    else if (m_times.limit > 0 && m_storms >= m_times.limit)
    {
        m_state = PfcQueueState::DISABLED;
    }
    else
    {
        m_state = PfcQueueState::STORMED;
        m_next = sample.time + m_times.clear;
    }
}

} // namespace ns3
