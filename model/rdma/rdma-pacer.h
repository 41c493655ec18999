// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_PACER_H
#define LOSSLESS_RDMA_PACER_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// The pace of a queue pair: when its next packet may leave, by the rate of its congestion control.
/// Times are ticks of the simulation.
class RdmaPacer
{
  public:
    /// @return the rate in force, bit/s
    double Rate() const
    {
        return m_rate;
    }

    /// @return tick before which nothing is sent
    int64_t NextSend() const
    {
        return m_nextSend;
    }

    /// @param lineRate line rate, bit/s @param now tick @return whether a packet may leave now
    bool MaySend(double lineRate, int64_t now) const
    {
        return m_rate >= lineRate || m_nextSend <= now; // at line rate the line paces
    }

    /// @param rate the new rate, bit/s @param ticksPerSecond ticks in a second @param now tick
    void SetRate(double rate, int64_t ticksPerSecond, int64_t now)
    {
        constexpr double BITS = 8;
        const double ticksPerByte = BITS * ticksPerSecond / rate;
        // The packet that was sent last takes as long as the new rate says (doc/rdma.rst).
        const double change = m_lastBytes * (ticksPerByte - m_ticksPerByte);
        m_nextSend = std::max(now, m_nextSend + static_cast<int64_t>(change));
        m_ticksPerByte = ticksPerByte;
        m_rate = rate;
    }

    /// A packet leaves: compute when the next may. @param wireBytes length of this packet @param
    /// now tick
    void Sent(uint32_t wireBytes, int64_t now)
    {
        const double ticks = wireBytes * m_ticksPerByte + m_fraction;
        const auto whole = static_cast<int64_t>(ticks);
        m_fraction = ticks - whole;
        m_nextSend = now + whole;
        m_lastBytes = wireBytes;
    }

  private:
    int64_t m_nextSend{0};    //!< NextSend()
    double m_rate{0};         //!< rate from which the pace was computed, bit/s
    double m_ticksPerByte{0}; //!< pace: ticks per wire byte
    double m_fraction{0};     //!< fraction of a tick carried to the next packet
    uint32_t m_lastBytes{0};  //!< wire bytes of the last packet
};

} // namespace ns3

#endif // LOSSLESS_RDMA_PACER_H
