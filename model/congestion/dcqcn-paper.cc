// SPDX-License-Identifier: GPL-2.0-only
#include "dcqcn-paper.h"

#include "ns3/integer-power.h"

#include <algorithm>

namespace ns3
{

double
DcqcnPaper::GetAlpha(int64_t nowPs) const
{
    if (m_alphaSince == NEVER)
    {
        return m_alpha; // nothing decays before the first CNP
    }
    int64_t ticks = (nowPs - m_alphaSince) / m_parameters.alphaPs;
    return m_alpha * IntegerPower(1 - m_parameters.gain, static_cast<uint64_t>(ticks));
}

void
DcqcnPaper::OnCnp(RdmaFlowState& state, int64_t nowPs)
{
    OnTimer(state, nowPs);
    double alpha = GetAlpha(nowPs);
    m_target = state.rate;
    state.rate = std::max(m_parameters.minRate, state.rate * (1 - alpha / 2));
    m_alpha = (1 - m_parameters.gain) * alpha + m_parameters.gain;
    m_alphaSince = nowPs;
    m_timerCount = 0;
    m_byteCount = 0;
    m_bytes = 0;
    m_increaseAt = nowPs + m_parameters.increasePs;
}

void
DcqcnPaper::OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs)
{
    if (m_increaseAt == NEVER || m_parameters.byteCounter == 0)
    {
        return;
    }
    OnTimer(state, nowPs);
    m_bytes += wireBytes;
    while (m_bytes >= m_parameters.byteCounter && m_increaseAt != NEVER)
    {
        m_bytes -= m_parameters.byteCounter;
        m_byteCount++;
        Increase(state);
    }
}

int64_t
DcqcnPaper::NextTimer() const
{
    return m_increaseAt;
}

void
DcqcnPaper::OnTimer(RdmaFlowState& state, int64_t nowPs)
{
    while (m_increaseAt <= nowPs)
    {
        m_increaseAt += m_parameters.increasePs;
        m_timerCount++;
        Increase(state);
    }
}

void
DcqcnPaper::Increase(RdmaFlowState& state)
{
    uint32_t f = m_parameters.threshold;
    uint32_t most = std::max(m_timerCount, m_byteCount);
    uint32_t least = std::min(m_timerCount, m_byteCount);
    if (least >= f)
    {
        m_target += m_parameters.haiRate * (least - f + 1);
    }
    else if (most >= f)
    {
        m_target += m_parameters.aiRate;
    }
    MoveToTarget(state);
    if (IsFullSpeed(state))
    {
        m_increaseAt = NEVER;
    }
}

} // namespace ns3
