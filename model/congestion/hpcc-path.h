// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_PATH_H
#define LOSSLESS_HPCC_PATH_H

#include "ns3/frame-telemetry.h"
#include "ns3/int-record.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * How busy a link is, from two looks at its port: u = min(q, q') / (B T) + txRate / B (Li et al.,
 * SIGCOMM 2019, equation 2). The smaller of the queues, as a single packet is no congestion.
 */
class HpccLink
{
  public:
    HpccLink() = default;

    /// @param bitsPerSecond B; 0: there is no such link, its utilisation is 0
    /// @param baseRttNs T, nanoseconds
    HpccLink(double bitsPerSecond, double baseRttNs);

    /// @param queueBytes the smaller of two queues @param txBytes sent between
    /// @param elapsedNs time between, not 0 @return u
    double Utilisation(double queueBytes, double txBytes, double elapsedNs) const
    {
        return queueBytes * m_perQueueByte + txBytes * m_perTxByte / elapsedNs;
    }

  private:
    double m_perQueueByte{0}; //!< 8 / (B T)
    double m_perTxByte{0};    //!< 8 / B, nanoseconds
};

/**
 * @ingroup lossless
 *
 * The measurement of HPCC: remembers the last INT of a path and compares the next with it.
 */
class HpccPath
{
  public:
    /// What one hop tells.
    struct Hop
    {
        double utilisation{0}; //!< u
        double share{0};       //!< tau / T, at most 1; 0: it tells nothing
    };

    /// After that long without INT nothing is compared: the time of records wraps.
    static constexpr int64_t STALE_PS = 8000000000;

    HpccPath() = default;

    /// @param format what records mean @param baseRttNs T, nanoseconds
    HpccPath(const IntFormat& format, double baseRttNs);

    /**
     * Compare with the INT before.
     * @param telemetry the INT, of 1 to MAX_HOPS hops
     * @param nowPs time, picoseconds
     * @param onlyQueues leave hops out, with their history as it is, that have no queue
     * @return false: there is nothing to compare with, as this is the first INT, the path is
     *         another, or the last is too old. It is the baseline of the next.
     */
    bool Compare(const IntTelemetry& telemetry, int64_t nowPs, bool onlyQueues);

    /// @return hops of the path
    uint32_t GetNHops() const
    {
        return m_count;
    }

    /// @param index a hop, from 0 @return what the last Compare() found; valid when it was true
    const Hop& GetHop(uint32_t index) const
    {
        return m_hops[index];
    }

    /// @return the busiest hop as of the last Compare(); its share is 0 if no hop tells anything
    Hop GetBusiest() const;

  private:
    /// Take a baseline. @param telemetry the INT @return false
    bool Restart(const IntTelemetry& telemetry);

    std::array<HpccLink, IntFormat::SPEEDS> m_links;       //!< by speed code
    std::array<uint32_t, IntFormat::SPEEDS> m_longestNs{}; //!< time after which bytes may have
                                                           //!< wrapped, by speed code
    std::array<IntRecord, IntTelemetry::MAX_HOPS> m_last;  //!< L
    std::array<Hop, IntTelemetry::MAX_HOPS> m_hops;        //!< of the last comparison
    double m_txUnit{0};                                    //!< bytes
    double m_queueUnit{0};                                 //!< bytes
    double m_perBaseRtt{0};                                //!< 1 / T, 1/ns
    int64_t m_lastPs{0};                                   //!< time of L
    uint32_t m_count{0};                                   //!< hops of L; 0: there is none
    uint16_t m_pathId{0};                                  //!< of L
};

} // namespace ns3

#endif // LOSSLESS_HPCC_PATH_H
