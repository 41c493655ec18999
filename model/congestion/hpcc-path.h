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
 * Normalised load of a link from two INT records of its port: u = min(q, q') / (B T) + txRate / B
 * (Li et al., SIGCOMM 2019, equation 2). The smaller queue counts, as a single packet is no
 * congestion.
 */
class HpccLink
{
  public:
    HpccLink() = default;

    /// @param bitsPerSecond B; 0: unknown speed, for which the utilisation is 0
    /// @param baseRttNs T, nanoseconds
    HpccLink(double bitsPerSecond, double baseRttNs);

    /// @param queueBytes the smaller queue @param txBytes bytes sent between the records @param
    /// elapsedNs time between the records, nanoseconds, not 0 @return u
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
 * The measurement of HPCC: keeps the last INT of a path and compares the next INT with it.
 */
class HpccPath
{
  public:
    /// Measurement of one hop.
    struct Hop
    {
        double utilisation{0}; //!< u
        double share{0};       //!< tau / T, at most 1; 0: no measurement
    };

    /// INT older than this is not compared, as the time of records wraps.
    static constexpr int64_t STALE_PS = 8000000000;

    HpccPath() = default;

    /// @param format speed table and units of records @param baseRttNs T, nanoseconds
    HpccPath(const IntFormat& format, double baseRttNs);

    /**
     * Compare an INT with the last one, and keep it for the next comparison.
     * @param telemetry the INT, of 1 to MAX_HOPS hops
     * @param nowPs time, picoseconds
     * @param onlyQueues whether to skip hops without a queue, and keep their last record
     * @return false if there is no INT to compare with: this is the first one, the path has
     * changed, or the last INT is too old
     */
    bool Compare(const IntTelemetry& telemetry, int64_t nowPs, bool onlyQueues);

    /// @return hops of the path
    uint32_t GetNHops() const
    {
        return m_count;
    }

    /// @param index a hop, from 0 @return its measurement; valid if the last Compare() returned
    /// true
    const Hop& GetHop(uint32_t index) const
    {
        return m_hops[index];
    }

    /// @return the busiest hop of the last Compare(); its share is 0 if no hop has a measurement
    Hop GetBusiest() const;

  private:
    /// Keep an INT without a comparison. @param telemetry the INT @return false
    bool Restart(const IntTelemetry& telemetry);

    std::array<HpccLink, IntFormat::SPEEDS> m_links;       //!< by speed code
    std::array<uint32_t, IntFormat::SPEEDS> m_longestNs{}; //!< time after which txUnits may have
                                                           //!< wrapped, by speed code
    std::array<IntRecord, IntTelemetry::MAX_HOPS> m_last;  //!< L of the paper: last records
    std::array<Hop, IntTelemetry::MAX_HOPS> m_hops;        //!< measurements of the last Compare()
    double m_txUnit{0};                                    //!< unit of txUnits, bytes
    double m_queueUnit{0};                                 //!< unit of queueUnits, bytes
    double m_perBaseRtt{0};                                //!< 1 / T, 1/ns
    int64_t m_lastPs{0};                                   //!< time of L, picoseconds
    uint32_t m_count{0};                                   //!< hops of L; 0: L is empty
    uint16_t m_pathId{0};                                  //!< path identifier of L
};

} // namespace ns3

#endif // LOSSLESS_HPCC_PATH_H
