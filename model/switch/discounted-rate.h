// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DISCOUNTED_RATE_H
#define LOSSLESS_DISCOUNTED_RATE_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Mechanism: the discounting rate estimator of CONGA (Alizadeh et al., SIGCOMM 2014). A register
 * grows by the bytes of each frame, and loses a part of itself in each period; so it holds about
 * rate * period / part. The periods that have passed are made up for when the register is used: an
 * idle link needs no events.
 */
class DiscountedRate
{
  public:
    /// How a register works.
    struct Terms
    {
        int64_t period{1};   //!< ticks
        double decay{0.2};   //!< part that is lost in a period
        double fullBytes{1}; //!< what the register of a busy link holds
        uint32_t levels{8};  //!< number of levels
    };

    /// @param bytes that were sent @param now ticks @param terms of the link
    void Add(uint32_t bytes, int64_t now, const Terms& terms)
    {
        Decay(now, terms);
        m_bytes += bytes;
    }

    /// @param now ticks @param terms of the link @return 0 of an idle link up to levels - 1
    uint8_t GetLevel(int64_t now, const Terms& terms)
    {
        Decay(now, terms);
        const auto level = static_cast<uint32_t>(m_bytes / terms.fullBytes * terms.levels);
        return static_cast<uint8_t>(std::min(level, terms.levels - 1));
    }

  private:
    /// Make up for the periods that have passed. @param now ticks @param terms of the link
    void Decay(int64_t now, const Terms& terms)
    {
        const int64_t period = now / terms.period;
        for (int64_t passed = m_period; passed < period && m_bytes >= 1; ++passed)
        {
            m_bytes *= 1 - terms.decay;
        }
        m_period = period;
    }

    double m_bytes{0};   //!< the register
    int64_t m_period{0}; //!< number of the period of the last use
};

} // namespace ns3

#endif // LOSSLESS_DISCOUNTED_RATE_H
