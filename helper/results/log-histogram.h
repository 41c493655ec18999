// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOG_HISTOGRAM_H
#define LOSSLESS_LOG_HISTOGRAM_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Quantiles of any number of values in bounded memory: counters whose borders are 0.1 % apart, so
 * that a quantile is right to 0.05 %. Count, mean, smallest and largest value are exact.
 */
class LogHistogram
{
  public:
    /// @param value 1e-3 to 1e7; what is beyond counts as the nearest of these
    void Add(double value);

    /// @return how many values
    uint64_t Count() const
    {
        return m_count;
    }

    /// @return their mean; 0 if there is none
    double Mean() const
    {
        return m_count ? m_sum / static_cast<double>(m_count) : 0;
    }

    /// @return the largest; 0 if there is none
    double Max() const
    {
        return m_max;
    }

    /**
     * @param fraction 0..1
     * @return the smallest value that this fraction of values does not exceed (nearest rank); 0 if
     * there is none
     */
    double Quantile(double fraction) const;

  private:
    std::vector<uint64_t> m_counters; //!< grows to the largest value seen
    uint64_t m_count{0};
    double m_sum{0};
    double m_min{0};
    double m_max{0};
};

} // namespace ns3

#endif // LOSSLESS_LOG_HISTOGRAM_H
