// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DCTCP_RATE_H
#define LOSSLESS_DCTCP_RATE_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// Constants of DCTCP (RFC 8257). Rates in bit/s.
struct DctcpParameters
{
    double gain{1.0 / 16};      //!< g: weight of a round trip in alpha
    double initialAlpha{1};     //!< alpha at the start
    double increase{0};         //!< additive increase per round trip
    double minRate{0};          //!< lower bound of the rate
    double maxRate{0};          //!< upper bound: the line rate
    bool firstAckUpdates{true}; //!< whether the first ACK updates alpha
};

/**
 * @ingroup lossless
 *
 * DCTCP (Alizadeh et al., "Data Center TCP", SIGCOMM 2010; RFC 8257) on a rate, as in the public
 * HPCC simulator. Alpha averages the share of marked ACKs round trip by round trip. A mark cuts the
 * rate by the factor 1 - alpha / 2, once per round trip; a round trip without a cut increases the
 * rate. A round trip ends with the ACK of the first packet that was sent after the end of the last
 * round trip.
 */
class DctcpRate
{
  public:
    /// @param parameters constants; must outlive this object
    explicit DctcpRate(const DctcpParameters& parameters)
        : m_rate(parameters.maxRate),
          m_alpha(parameters.initialAlpha),
          m_parameters(parameters)
    {
    }

    /**
     * An ACK or NAK came.
     * @param unacked first PSN not acknowledged
     * @param next next PSN to be sent
     * @param marked whether the ACK echoes a CE mark
     */
    void OnAck(uint64_t unacked, uint64_t next, bool marked)
    {
        ++m_acks;
        m_marked += marked;
        const bool roundTrip = unacked > m_roundEnd;
        if (roundTrip)
        {
            if (m_roundEnd > 0 || m_parameters.firstAckUpdates)
            {
                const double share = static_cast<double>(m_marked) / static_cast<double>(m_acks);
                m_alpha += m_parameters.gain * (share - m_alpha);
                m_acks = m_marked = 0;
            }
            m_roundEnd = next;
        }
        if (unacked > m_cutEnd)
        {
            m_cut = false;
        }
        if (marked && !m_cut)
        {
            m_rate = std::max(m_rate * (1 - m_alpha / 2), m_parameters.minRate);
            m_cut = true;
            m_cutEnd = next;
        }
        else if (roundTrip && !m_cut)
        {
            m_rate = std::min(m_rate + m_parameters.increase, m_parameters.maxRate);
        }
    }

    /// The sender goes back: the next ACK ends both round trips.
    /// @param unacked PSN that is acknowledged next
    void GoBack(uint64_t unacked)
    {
        m_roundEnd = std::min(m_roundEnd, unacked);
        m_cutEnd = std::min(m_cutEnd, unacked);
    }

    /// @return the rate, bit/s
    double GetRate() const
    {
        return m_rate;
    }

    /// @return alpha
    double GetAlpha() const
    {
        return m_alpha;
    }

    /// Set the state, for tests. @param rate bit/s @param alpha 0..1
    void Force(double rate, double alpha)
    {
        m_rate = rate;
        m_alpha = alpha;
    }

  private:
    double m_rate;        //!< bit/s
    double m_alpha;       //!< average share of marked ACKs
    uint64_t m_acks{0};   //!< ACKs in this round trip
    uint64_t m_marked{0}; //!< marked ACKs in this round trip
    uint64_t m_roundEnd{
        0};               //!< the round trip ends when all before it is acknowledged, and one more
    uint64_t m_cutEnd{0}; //!< end, likewise, of the round trip with a cut
    bool m_cut{false};    //!< m_cutEnd is valid
    const DctcpParameters& m_parameters; //!< constants
};

} // namespace ns3

#endif // LOSSLESS_DCTCP_RATE_H
