// SPDX-License-Identifier: GPL-2.0-only
#include "log-histogram.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace
{

constexpr double SMALLEST = 1e-3;
constexpr double LARGEST = 1e7;
const double g_step = std::log(1.001); // between borders

} // namespace

void
LogHistogram::Add(double value)
{
    const double inRange = std::clamp(value, SMALLEST, LARGEST);
    const auto i = static_cast<std::size_t>(std::log(inRange / SMALLEST) / g_step);
    if (i >= m_counters.size())
    {
        m_counters.resize(i + 1, 0);
    }
    ++m_counters[i];
    m_min = m_count ? std::min(m_min, value) : value;
    m_max = m_count ? std::max(m_max, value) : value;
    m_sum += value;
    ++m_count;
}

double
LogHistogram::Quantile(double fraction) const
{
    if (m_count == 0)
    {
        return 0;
    }
    const auto rank = static_cast<uint64_t>(
        std::ceil(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(m_count)));
    uint64_t seen = 0;
    for (std::size_t i = 0; i < m_counters.size(); ++i)
    {
        seen += m_counters[i];
        if (seen >= std::max<uint64_t>(rank, 1))
        {
            const double middle = SMALLEST * std::exp((static_cast<double>(i) + 0.5) * g_step);
            return std::clamp(middle, m_min, m_max);
        }
    }
    return m_max;
}

} // namespace ns3
