// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_WINDOW_H
#define LOSSLESS_HPCC_WINDOW_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// Constants of HPCC (Li et al., SIGCOMM 2019). Windows count wire bytes.
struct HpccParameters
{
    double eta{0.95};         //!< target utilisation
    uint32_t maxStage{5};     //!< successive additive increases; 0: always multiplicative
    double increaseBytes{80}; //!< W_AI: additive increase, bytes
    double minBytes{80};      //!< lower bound of the window, bytes
    double maxBytes{0};       //!< W_init: upper bound, line rate times base RTT, bytes
};

/**
 * @ingroup lossless
 *
 * The window of HPCC: algorithm 1 of the paper (Li et al., SIGCOMM 2019) without the measurement.
 * Each ACK computes the window W from a reference window Wc, which changes only once per round
 * trip. The sender thus reacts to each ACK, but not twice to the same packets.
 */
class HpccWindow
{
  public:
    /// @param bytes initial window and reference window
    explicit HpccWindow(double bytes = 0)
        : m_bytes(bytes),
          m_reference(bytes)
    {
    }

    /// Average a measurement: U = (1 - tau/T) U + tau/T u.
    /// @param utilisation u @param share tau / T, at most 1
    void Average(double utilisation, double share)
    {
        m_utilisation = (1 - share) * m_utilisation + share * utilisation;
    }

    /// Set the utilisation, which switches have averaged (PINT). @param utilisation U
    void SetUtilisation(double utilisation)
    {
        m_utilisation = utilisation;
    }

    /**
     * Compute the window from the reference.
     * @param p constants
     * @param full whether a round trip has passed: the window becomes the reference
     */
    void React(const HpccParameters& p, bool full)
    {
        uint32_t stage = 0;
        if (m_utilisation >= p.eta || m_stage >= p.maxStage)
        {
            m_bytes = m_reference / (m_utilisation / p.eta) + p.increaseBytes;
        }
        else
        {
            m_bytes = m_reference + p.increaseBytes;
            stage = m_stage + 1;
        }
        m_bytes = std::clamp(m_bytes, p.minBytes, p.maxBytes);
        if (full)
        {
            m_reference = m_bytes;
            m_stage = stage;
        }
    }

    /// @return W, bytes
    double GetBytes() const
    {
        return m_bytes;
    }

    /// @return Wc, bytes
    double GetReference() const
    {
        return m_reference;
    }

    /// @return U
    double GetUtilisation() const
    {
        return m_utilisation;
    }

    /// @return additive increases since the last multiplicative change
    uint32_t GetStage() const
    {
        return m_stage;
    }

    /// Set the state, for tests. @param bytes window and reference window
    /// @param utilisation U @param stage additive increases so far
    void Force(double bytes, double utilisation, uint32_t stage)
    {
        m_bytes = m_reference = bytes;
        m_utilisation = utilisation;
        m_stage = stage;
    }

  private:
    double m_bytes;          //!< W
    double m_reference;      //!< Wc
    double m_utilisation{1}; //!< U; the initial 1, a busy path, is that of the HPCC simulator
    uint32_t m_stage{0};     //!< incStage
};

} // namespace ns3

#endif // LOSSLESS_HPCC_WINDOW_H
