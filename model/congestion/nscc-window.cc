// SPDX-License-Identifier: GPL-2.0-only
#include "nscc-window.h"

#include "unit-factors.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

// The network for which the constants are given, 100 Gb/s and 12 us.
constexpr double REFERENCE_RTT_PS = 12e6;
constexpr double REFERENCE_BYTES = 150000;

constexpr int64_t EMPTY_PS = 1000000;      // a delay below 1 us is "about 0" in the text
constexpr double EWMA_GAIN = 0.0125;       // of uet-htsim
constexpr double UNMARKED_SHARE = 0.25;    // of the base RTT: a high delay without a mark
constexpr double TRIMMING_TARGET = 0.75;   // of R
constexpr int64_t QUICK_ADAPT_TARGETS = 4; // a queue of 5 C R, which drops
constexpr uint32_t PENALTY_BITS = 7;

} // namespace

NsccParameters
NsccParameters::Of(const Network& network)
{
    NsccParameters p;
    p.bytesPerPs = network.bitsPerSecond / BITS / PS_PER_SECOND;
    p.baseRttPs = network.baseRttPs;
    p.mtu = network.mtuBytes;
    p.dialect = network.dialect;
    const double share = network.trimming ? TRIMMING_TARGET : 1;
    p.targetPs = network.targetPs ? network.targetPs
                                  : std::llround(share * static_cast<double>(p.baseRttPs));
    const double a = p.ProductBytes() / REFERENCE_BYTES;
    p.alpha = 4 * p.mtu * a / REFERENCE_RTT_PS;
    p.fi = 5 * p.mtu * a;
    p.eta = 0.15 * p.mtu * a;
    p.fiScale = 0.25 * a;
    const bool never = network.trimming && network.dialect == UE;
    p.qaThresholdPs = never ? NEVER : QUICK_ADAPT_TARGETS * p.targetPs;
    p.adjustBytes = 8 * p.mtu;
    p.adjustPeriodPs = network.baseRttPs;
    return p;
}

NsccWindow::NsccWindow(const NsccParameters& parameters, int64_t baseRttPs, int64_t nowPs)
    : m_parameters(parameters),
      m_baseRttPs(baseRttPs),
      m_sampledPs(nowPs),
      m_adjustedPs(nowPs),
      m_decreasedPs(nowPs)
{
    m_window = GetMax();
}

void
NsccWindow::SetRate(double bitsPerSecond)
{
    const double bytesPerPs = bitsPerSecond / BITS / PS_PER_SECOND;
    const double factor = bytesPerPs / m_parameters.bytesPerPs;
    m_parameters.bytesPerPs = bytesPerPs;
    for (double* scaled :
         {&m_parameters.alpha, &m_parameters.fi, &m_parameters.eta, &m_parameters.fiScale})
    {
        *scaled *= factor;
    }
    m_window = std::min(m_window, GetMax());
}

double
NsccWindow::GetMax() const
{
    const double product = m_parameters.bytesPerPs * static_cast<double>(m_baseRttPs);
    return std::max(m_parameters.windows * product, m_parameters.mtu);
}

void
NsccWindow::OnAck(const Answer& ack)
{
    m_ignored += ack.bytes;
    m_received += ack.bytes;
    m_achieved += ack.bytes;
    const bool penalty = ApplyPenalty(ack);
    if (ack.rttPs <= 0)
    {
        return;
    }
    const int64_t delay = QueueingDelay(ack.rttPs);
    AverageDelay(delay, ack.marked, ack.nowPs);
    if (QuickAdapt({false, ack.marked, delay}, ack))
    {
        return;
    }
    const bool high = delay >= m_parameters.targetPs;
    if (ack.marked && high)
    {
        Decrease(ack.nowPs);
    }
    else if (!ack.marked && !penalty && high)
    {
        m_increase += m_parameters.fi * static_cast<double>(ack.bytes);
    }
    else if (!ack.marked && !penalty)
    {
        Increase(ack.bytes, delay);
    }
    Adjust(ack.nowPs);
}

void
NsccWindow::OnTrim(const Answer& nak)
{
    if (nak.rttPs > 0)
    {
        QueueingDelay(nak.rttPs);
    }
    AverageDelay(m_parameters.baseRttPs, true, nak.nowPs); // so long is a queue that trims
    m_ignored += nak.bytes;
    m_trimmed = true;
    if (!QuickAdapt({true, true, 0}, nak))
    {
        Shrink(static_cast<double>(nak.bytes));
    }
}

void
NsccWindow::OnLoss(int64_t bytes)
{
    Shrink(static_cast<double>(bytes));
    if (m_parameters.dialect == NsccParameters::UE)
    {
        m_ignored += bytes;
    }
}

int64_t
NsccWindow::QueueingDelay(int64_t rttPs)
{
    m_baseRttPs = std::min(m_baseRttPs, rttPs);
    return rttPs - m_baseRttPs;
}

void
NsccWindow::AverageDelay(int64_t delayPs, bool marked, int64_t nowPs)
{
    const auto base = static_cast<double>(m_baseRttPs);
    auto sample = static_cast<double>(delayPs);
    double gain = EWMA_GAIN;
    if (m_parameters.average == NsccParameters::TIME)
    {
        gain = std::min(1.0, static_cast<double>(nowPs - m_sampledPs) / base);
        m_sampledPs = nowPs;
    }
    else if (!marked && delayPs > m_parameters.targetPs)
    {
        sample = UNMARKED_SHARE * base; // a queue that does not mark is no sign of congestion
    }
    m_delayPs += gain * (sample - m_delayPs);
}

bool
NsccWindow::ApplyPenalty(const Answer& ack)
{
    if (ack.penalty > 0)
    {
        if (m_saved == 0)
        {
            m_saved = m_window;
        }
        m_window = std::min(m_window, static_cast<double>(ack.inFlight));
        Shrink(static_cast<double>((ack.penalty * ack.bytes) >> PENALTY_BITS));
    }
    else if (ack.restore && m_saved > 0)
    {
        m_window = m_saved;
        m_saved = 0;
    }
    return ack.penalty > 0;
}

bool
NsccWindow::QuickAdapt(const Cause& cause, const Answer& answer)
{
    if (!m_parameters.quickAdapt)
    {
        return false;
    }
    bool done = m_ignored < m_toIgnore && cause.marked;
    if (!done && HasCome(answer.nowPs, m_periodEndPs))
    {
        done = MustAdapt(cause);
        if (done)
        {
            m_window = std::max(static_cast<double>(m_achieved), m_parameters.mtu);
            m_toIgnore = answer.inFlight;
            m_ignored = 0;
            m_trimmed = false;
        }
        m_achieved = 0;
        m_periodEndPs = answer.nowPs + m_baseRttPs + m_parameters.targetPs;
    }
    if (done)
    {
        m_increase = 0;
        m_received = 0;
    }
    return done;
}

bool
NsccWindow::MustAdapt(const Cause& cause) const
{
    const bool caused = m_trimmed || cause.loss || cause.delayPs > m_parameters.qaThresholdPs;
    const double gate = std::ldexp(GetMax(), -static_cast<int>(m_parameters.qaGate));
    return m_periodEndPs != 0 && caused && static_cast<double>(m_achieved) < gate;
}

void
NsccWindow::Increase(int64_t bytes, int64_t delayPs)
{
    const auto delivered = static_cast<double>(bytes);
    if (delayPs < EMPTY_PS)
    {
        m_fastBytes += bytes;
        m_fast = m_fast || static_cast<double>(m_fastBytes) > m_window;
    }
    else
    {
        m_fastBytes = 0;
        m_fast = false;
    }
    if (m_fast)
    {
        m_window = std::min(m_window + delivered * m_parameters.fiScale, GetMax());
    }
    else
    {
        m_increase +=
            m_parameters.alpha * delivered * static_cast<double>(m_parameters.targetPs - delayPs);
    }
}

void
NsccWindow::Decrease(int64_t nowPs)
{
    m_fast = false;
    m_fastBytes = 0;
    const auto target = static_cast<double>(m_parameters.targetPs);
    if (m_delayPs > target && nowPs - m_decreasedPs > m_baseRttPs)
    {
        const double share = 1 - m_parameters.gamma * (m_delayPs - target) / m_delayPs;
        m_window *= std::max(share, m_parameters.maxMdJump);
        m_window = std::max(m_window, m_parameters.mtu);
        m_decreasedPs = nowPs;
    }
}

void
NsccWindow::Adjust(int64_t nowPs)
{
    const int64_t due = m_adjustedPs + m_parameters.adjustPeriodPs;
    if (!HasCome(nowPs, due) && static_cast<double>(m_received) <= m_parameters.adjustBytes)
    {
        return;
    }
    m_window += m_increase / m_window;
    if (nowPs >= due)
    {
        m_adjustedPs = nowPs;
        m_window += m_parameters.eta;
    }
    m_window = std::min(m_window, GetMax());
    m_increase = 0;
    m_received = 0;
}

bool
NsccWindow::HasCome(int64_t nowPs, int64_t thenPs) const
{
    return m_parameters.dialect == NsccParameters::HTSIM ? nowPs > thenPs : nowPs >= thenPs;
}

void
NsccWindow::Shrink(double bytes)
{
    m_window = std::max(m_window - bytes, m_parameters.mtu);
}

} // namespace ns3
