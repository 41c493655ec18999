// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_POLLED_AVERAGE_H
#define LOSSLESS_POLLED_AVERAGE_H

#include "ns3/integer-power.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The average queue length of a switching chip with WRED: the chip polls the length at intervals,
 * and averages the polls:
 *
 *     at every multiple of the interval:   average = (1 - w) * average + w * length,   w = 2^-k
 *
 * Polls cost no events: the polls that are due are computed when the length changes or a caller
 * asks for the average. The result is the same, as the length is constant in between. The average
 * of an idle queue decays.
 */
class PolledAverage
{
  public:
    /// Parameters of the polls.
    struct Config
    {
        int64_t interval{0}; //!< ticks between two polls; 0: average = current length
        double weight{1};    //!< w
    };

    /// The length has changed. @param config how to poll @param now the time @param length new
    /// length, bytes
    void Change(const Config& config, int64_t now, uint64_t length)
    {
        CatchUp(config, now);
        m_length = length;
    }

    /// @param config how to poll @param now the time @return the average, bytes, with a poll that
    /// is due now
    double Get(const Config& config, int64_t now)
    {
        CatchUp(config, now);
        return config.interval > 0 ? m_average : static_cast<double>(m_length);
    }

    /// Poll otherwise from now on. @param before how to poll until now @param after and from now on
    /// @param now the time
    void Configure(const Config& before, const Config& after, int64_t now)
    {
        m_average = Get(before, now);
        if (after.interval > 0)
        {
            m_next = (now / after.interval + 1) * after.interval;
        }
    }

  private:
    /// Compute the polls that are due. @param config how to poll @param now the time
    void CatchUp(const Config& config, int64_t now)
    {
        if (config.interval <= 0 || now < m_next)
        {
            return;
        }
        const int64_t polls = (now - m_next) / config.interval + 1;
        const double length = static_cast<double>(m_length);
        m_average = length + (m_average - length) * IntegerPower(1 - config.weight, polls);
        m_next += polls * config.interval;
    }

    int64_t m_next{0};    //!< time of the next poll
    uint64_t m_length{0}; //!< current length of the queue, bytes
    double m_average{0};  //!< average at the last poll, bytes
};

} // namespace ns3

#endif // LOSSLESS_POLLED_AVERAGE_H
