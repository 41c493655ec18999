// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_PACER_H
#define LOSSLESS_RDMA_PACER_H

#include "ns3/cut-time.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// The pace of a queue pair: when its next packet may leave, by the rate of its congestion control.
/// Times are ticks of the simulation.
class RdmaPacer
{
  public:
    /// What a new rate does to the gap after the packet that was sent last (doc/rdma.rst).
    enum Repace : uint8_t
    {
        FROM_NOW,  //!< the rest of the gap follows the new rate; it ends now at the earliest
        FROM_SENT, //!< the whole gap follows the new rate, from when the packet was sent
        NEXT       //!< nothing: the new rate counts from the next packet on
    };

    RdmaPacer()
        : m_unit(1),
          m_lastBytes(0)
    {
    }

    /// @param wireBytes length of a packet @param rate bit/s @param ticksPerSecond ticks in a
    /// second
    /// @return ticks that the packet takes at the rate
    static double TicksOf(uint32_t wireBytes, double rate, int64_t ticksPerSecond)
    {
        return BITS * wireBytes / rate * ticksPerSecond;
    }

    /// @param ticks unit to which CutTime() cuts each gap; 1: fractions are carried to the next
    /// packet
    void SetUnit(int64_t ticks)
    {
        m_unit = ticks;
    }

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
    /// @param repace what becomes of the gap that has begun
    void SetRate(double rate, int64_t ticksPerSecond, int64_t now, Repace repace = FROM_NOW)
    {
        const double ticksPerByte = BITS * ticksPerSecond / rate;
        if (repace == FROM_NOW)
        {
            const double change = m_lastBytes * (ticksPerByte - m_ticksPerByte);
            m_nextSend = std::max(now, m_nextSend + static_cast<int64_t>(change));
        }
        m_ticksPerByte = ticksPerByte;
        m_rate = rate;
        if (repace == FROM_SENT)
        {
            m_nextSend = m_sentAt + (m_unit > 1 ? CutGap(m_lastBytes)
                                                : static_cast<int64_t>(m_lastBytes * ticksPerByte));
        }
    }

    /// A packet leaves: compute when the next may. @param wireBytes length of this packet @param
    /// now tick
    void Sent(uint32_t wireBytes, int64_t now)
    {
        const double ticks = wireBytes * m_ticksPerByte + m_fraction;
        auto whole = static_cast<int64_t>(ticks);
        m_fraction = ticks - whole;
        if (m_unit > 1)
        {
            whole = CutGap(wireBytes);
            m_fraction = 0;
        }
        m_nextSend = now + whole;
        m_sentAt = now;
        m_lastBytes = wireBytes;
    }

  private:
    static constexpr double BITS = 8; //!< of a byte

    /// @param wireBytes length of a packet @return the gap after it, cut to the unit, ticks
    int64_t CutGap(uint32_t wireBytes) const
    {
        const int64_t ticksPerSecond = std::llround(m_ticksPerByte * m_rate / BITS);
        return CutTime(BITS * wireBytes / m_rate, ticksPerSecond, m_unit);
    }

    int64_t m_nextSend{0};    //!< NextSend()
    int64_t m_sentAt{0};      //!< when the last packet was sent
    double m_rate{0};         //!< rate from which the pace was computed, bit/s
    double m_ticksPerByte{0}; //!< pace: ticks per wire byte
    double m_fraction{0};     //!< fraction of a tick carried to the next packet
    int64_t m_unit : 40;      //!< SetUnit()
    int64_t m_lastBytes : 24; //!< wire bytes of the last packet
};

} // namespace ns3

#endif // LOSSLESS_RDMA_PACER_H
