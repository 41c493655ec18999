// SPDX-License-Identifier: GPL-2.0-only
#include "pint-code.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

PintCode::PintCode(double base)
{
    constexpr double SCALE_END = 128;
    if (!(base >= 1.001 && base <= 2))
    {
        throw std::invalid_argument("PintCode: PintBase " + std::to_string(base) +
                                    ": need 1.001 to 2");
    }
    std::vector<double> up{1};
    while (up.back() < SCALE_END)
    {
        up.push_back(up.back() * base);
    }
    m_values.push_back(0);
    for (auto power = up.rbegin(); power != up.rend(); ++power)
    {
        m_values.push_back(1 / *power);
    }
    m_values.insert(m_values.end(), up.begin() + 1, up.end());
}

uint16_t
PintCode::Encode(double utilisation) const
{
    const auto above = std::upper_bound(m_values.begin() + 1, m_values.end(), utilisation);
    if (above == m_values.begin() + 1)
    {
        return 1;
    }
    auto code = static_cast<uint16_t>(above - m_values.begin() - 1);
    if (above != m_values.end() && utilisation * utilisation > m_values[code] * *above)
    {
        ++code; // past the geometric mean of the two
    }
    return code;
}

double
PintCode::Decode(uint16_t code) const
{
    return m_values[std::min<std::size_t>(code, m_values.size() - 1)];
}

} // namespace ns3
