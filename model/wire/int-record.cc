// SPDX-License-Identifier: GPL-2.0-only
#include "int-record.h"

#include "ns3/data-rate.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3
{

IntFormat::IntFormat(const std::string& speeds, uint32_t multiplier)
    : m_multiplier(multiplier)
{
    if (multiplier == 0)
    {
        throw std::invalid_argument("IntFormat: Multiplier 0: need at least 1");
    }
    std::istringstream words(speeds);
    std::string word;
    uint32_t count = 0;
    while (words >> word)
    {
        std::istringstream text(word);
        DataRate rate;
        if (count == SPEEDS || !(text >> rate) || rate.GetBitRate() == 0 ||
            CodeOf(static_cast<double>(rate.GetBitRate())) != UNKNOWN)
        {
            throw std::invalid_argument("IntFormat: LinkSpeeds \"" + speeds + "\": \"" + word +
                                        "\": need up to 8 different speeds, such as \"25Gbps "
                                        "100Gbps\"");
        }
        m_speeds[count++] = static_cast<double>(rate.GetBitRate());
    }
}

uint32_t
IntFormat::CodeOf(double bitsPerSecond) const
{
    const auto found = std::find(m_speeds.begin(), m_speeds.end(), bitsPerSecond);
    return static_cast<uint32_t>(found - m_speeds.begin()); // the end: UNKNOWN
}

IntRecord
IntFormat::Quantise(uint32_t speedCode, uint64_t nowNs, uint64_t txBytes, uint64_t queueBytes) const
{
    const uint64_t queueUnits =
        std::min<uint64_t>(queueBytes / GetQueueUnit(), IntRecord::Mask(IntRecord::QUEUE_BITS));
    return {static_cast<uint8_t>(speedCode),
            static_cast<uint32_t>(nowNs) & IntRecord::Mask(IntRecord::TIME_BITS),
            static_cast<uint32_t>(txBytes / GetTxUnit()) & IntRecord::Mask(IntRecord::TX_BITS),
            static_cast<uint32_t>(queueUnits)};
}

} // namespace ns3
