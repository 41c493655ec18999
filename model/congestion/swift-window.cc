// SPDX-License-Identifier: GPL-2.0-only
#include "swift-window.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

SwiftTarget::SwiftTarget(double basePs,
                         double hopPs,
                         double rangePs,
                         double smallWindow,
                         double largeWindow)
    : m_basePs(basePs),
      m_hopPs(hopPs),
      m_rangePs(rangePs)
{
    const double large = 1 / std::sqrt(largeWindow);
    m_alphaPs = rangePs / (1 / std::sqrt(smallWindow) - large);
    m_betaPs = -m_alphaPs * large;
}

double
SwiftTarget::Get(uint32_t hops, double window) const
{
    const double scaling = m_alphaPs / std::sqrt(window) + m_betaPs;
    return m_basePs + hops * m_hopPs + std::clamp(scaling, 0.0, m_rangePs);
}

void
SwiftWindow::Set(double packets, const SwiftParameters& parameters, int64_t nowPs)
{
    const double before = m_packets;
    m_packets = std::clamp(packets, parameters.minWindow, parameters.maxWindow);
    if (m_packets < before)
    {
        m_decreasedPs = nowPs;
    }
}

void
SwiftWindow::OnSample(const Sample& sample, const SwiftParameters& parameters)
{
    double packets = m_packets;
    if (sample.delayPs < sample.targetPs)
    {
        const double increase = parameters.additiveIncrease * sample.ackedPackets;
        packets += packets >= 1 ? increase / packets : increase;
    }
    else if (sample.nowPs - m_decreasedPs >= sample.rttPs)
    {
        const double excess = (sample.delayPs - sample.targetPs) / sample.delayPs;
        packets *= std::max(1 - parameters.beta * excess, 1 - parameters.maxDecrease);
    }
    Set(packets, parameters, sample.nowPs);
}

void
SwiftWindow::OnLoss(int64_t rttPs, int64_t nowPs, const SwiftParameters& parameters)
{
    if (nowPs - m_decreasedPs >= rttPs)
    {
        Set(m_packets * (1 - parameters.maxDecrease), parameters, nowPs);
    }
}

} // namespace ns3
