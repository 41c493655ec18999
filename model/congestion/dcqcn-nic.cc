// SPDX-License-Identifier: GPL-2.0-only
#include "dcqcn-nic.h"

#include "ns3/integer-power.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// A tick of Td comes this long after the tick of Ta, so that it cuts with the newest alpha.
constexpr int64_t DECREASE_AFTER_ALPHA_PS = 1000;

} // namespace

double
DcqcnNic::GetAlpha(int64_t nowPs) const
{
    int64_t ticks = m_firstCnp == NEVER ? 0 : (nowPs - m_alphaTick) / m_parameters.alphaPs;
    if (ticks <= 0)
    {
        return m_alpha;
    }
    // The first tick takes the CNP into account, the others decay.
    double first = (1 - m_parameters.gain) * m_alpha + (m_cnpForAlpha ? m_parameters.gain : 0);
    return first * IntegerPower(1 - m_parameters.gain, static_cast<uint64_t>(ticks - 1));
}

void
DcqcnNic::AdvanceAlpha(int64_t nowPs)
{
    int64_t ticks = (nowPs - m_alphaTick) / m_parameters.alphaPs;
    if (ticks > 0)
    {
        m_alpha = GetAlpha(nowPs);
        m_alphaTick += ticks * m_parameters.alphaPs;
        m_cnpForAlpha = false;
    }
}

void
DcqcnNic::OnCnp(RdmaFlowState& state, int64_t nowPs)
{
    OnTimer(state, nowPs);
    if (m_firstCnp == NEVER)
    {
        m_firstCnp = nowPs;
        m_alphaTick = nowPs;
        state.rate = std::max(m_parameters.minRate, m_parameters.firstCnpFactor * state.rate);
        m_target = state.rate;
    }
    else
    {
        AdvanceAlpha(nowPs - m_parameters.cnpBeforeAlpha);
        m_cnpForAlpha = true;
    }
    if (m_decreaseAt == NEVER)
    {
        int64_t since = nowPs - m_firstCnp - DECREASE_AFTER_ALPHA_PS;
        int64_t ticks = since < 0 ? 0 : since / m_parameters.decreasePs;
        m_decreaseAt = m_firstCnp + DECREASE_AFTER_ALPHA_PS + (ticks + 1) * m_parameters.decreasePs;
    }
}

void
DcqcnNic::OnSent(RdmaFlowState& /* state */, uint32_t /* wireBytes */, int64_t /* nowPs */)
{
}

int64_t
DcqcnNic::NextTimer() const
{
    return std::min(m_decreaseAt, m_increaseAt);
}

void
DcqcnNic::OnTimer(RdmaFlowState& state, int64_t nowPs)
{
    while (NextTimer() <= nowPs)
    {
        if (m_decreaseAt <= m_increaseAt)
        {
            Decrease(state, m_decreaseAt);
        }
        else
        {
            m_increaseAt += m_parameters.increasePs;
            Increase(state);
        }
    }
}

void
DcqcnNic::Decrease(RdmaFlowState& state, int64_t nowPs)
{
    AdvanceAlpha(nowPs);
    if (m_parameters.clampTarget || m_stage != 0)
    {
        m_target = state.rate;
    }
    state.rate = std::max({m_parameters.minRate,
                           state.rate * (1 - m_alpha / 2),
                           state.rate * m_parameters.minDecreaseFactor});
    m_stage = 0;
    m_decreaseAt = NEVER;
    m_increaseAt = nowPs + m_parameters.increasePs;
}

void
DcqcnNic::Increase(RdmaFlowState& state)
{
    if (m_stage > m_parameters.threshold)
    {
        m_target += m_parameters.haiRate;
    }
    else if (m_stage == m_parameters.threshold)
    {
        m_target += m_parameters.aiRate;
    }
    MoveToTarget(state);
    m_stage++;
    if (IsFullSpeed(state))
    {
        m_increaseAt = NEVER;
    }
}

} // namespace ns3
