// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INT_RECORD_H
#define LOSSLESS_INT_RECORD_H

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The record of a switch port in IntTelemetry. Its 64 bits are, from the highest on, 3 bits of
 * speed code, 24 of time, 20 of bytes sent and 17 of queue length (Li et al., "HPCC: High Precision
 * Congestion Control", SIGCOMM 2019, section 4.1, and its public simulator). Time and bytes wrap;
 * the queue length saturates. IntFormat gives the units.
 */
struct IntRecord
{
    static constexpr uint32_t SPEED_BITS = 3;  //!< width of speedCode
    static constexpr uint32_t TIME_BITS = 24;  //!< width of timeNs
    static constexpr uint32_t TX_BITS = 20;    //!< width of txUnits
    static constexpr uint32_t QUEUE_BITS = 17; //!< width of queueUnits

    uint8_t speedCode{0};   //!< code of the link speed, see IntFormat
    uint32_t timeNs{0};     //!< time, nanoseconds mod 2^24
    uint32_t txUnits{0};    //!< wire bytes sent so far, in units mod 2^20
    uint32_t queueUnits{0}; //!< queue length, in units, at most 2^17 - 1

    /// @return the 64 bits
    constexpr uint64_t Pack() const
    {
        return static_cast<uint64_t>(speedCode) << (TIME_BITS + TX_BITS + QUEUE_BITS) |
               static_cast<uint64_t>(timeNs) << (TX_BITS + QUEUE_BITS) |
               static_cast<uint64_t>(txUnits) << QUEUE_BITS | queueUnits;
    }

    /// @param packed the 64 bits @return the record
    static constexpr IntRecord Unpack(uint64_t packed)
    {
        return {static_cast<uint8_t>(packed >> (TIME_BITS + TX_BITS + QUEUE_BITS)),
                static_cast<uint32_t>(packed >> (TX_BITS + QUEUE_BITS)) & Mask(TIME_BITS),
                static_cast<uint32_t>(packed >> QUEUE_BITS) & Mask(TX_BITS),
                static_cast<uint32_t>(packed) & Mask(QUEUE_BITS)};
    }

    /// @param before an earlier record of the port @return nanoseconds since, mod 2^24
    constexpr uint32_t NsSince(const IntRecord& before) const
    {
        return (timeNs - before.timeNs) & Mask(TIME_BITS);
    }

    /// @param before an earlier record of the port @return units sent since, mod 2^20
    constexpr uint32_t TxUnitsSince(const IntRecord& before) const
    {
        return (txUnits - before.txUnits) & Mask(TX_BITS);
    }

    /// @param bits a width @return that many ones
    static constexpr uint32_t Mask(uint32_t bits)
    {
        return (1U << bits) - 1;
    }
};

/**
 * @ingroup lossless
 *
 * Speed table and units of IntRecords; all switches and senders must use the same format. The HPCC
 * simulator uses the speeds 25, 50, 100, 200 and 400 Gb/s, and the multiplier (speed of the NICs) /
 * 25 Gb/s.
 */
class IntFormat
{
  public:
    static constexpr uint32_t SPEEDS = 8;       //!< speeds that three bits can tell apart
    static constexpr uint32_t UNKNOWN = SPEEDS; //!< CodeOf() of a speed that is not in the table

    /// Default of the attribute LinkSpeeds: the five of HPCC, and three more.
    static constexpr const char* DEFAULT_SPEEDS =
        "25Gbps 50Gbps 100Gbps 200Gbps 400Gbps 10Gbps 40Gbps 800Gbps";

    /**
     * @param speeds up to eight speeds, separated by spaces, as in DEFAULT_SPEEDS; the first has
     * code 0. Another text is an error (std::invalid_argument)
     * @param multiplier factor of both units, at least 1
     */
    explicit IntFormat(const std::string& speeds = DEFAULT_SPEEDS, uint32_t multiplier = 1);

    /// @param bitsPerSecond a speed @return its code, or UNKNOWN
    uint32_t CodeOf(double bitsPerSecond) const;

    /// @param code a code @return the speed, bit/s; 0: the table has no such code
    double GetSpeed(uint32_t code) const
    {
        return m_speeds[code];
    }

    /// @return bytes in a unit of IntRecord::txUnits
    uint64_t GetTxUnit() const
    {
        return TX_UNIT * m_multiplier;
    }

    /// @return bytes in a unit of IntRecord::queueUnits
    uint64_t GetQueueUnit() const
    {
        return QUEUE_UNIT * m_multiplier;
    }

    /**
     * @param speedCode of the link
     * @param nowNs time, nanoseconds
     * @param txBytes wire bytes sent so far
     * @param queueBytes queue length
     * @return the record; bytes are rounded down to units
     */
    IntRecord Quantise(uint32_t speedCode,
                       uint64_t nowNs,
                       uint64_t txBytes,
                       uint64_t queueBytes) const;

  private:
    static constexpr uint64_t TX_UNIT = 128;
    static constexpr uint64_t QUEUE_UNIT = 80;

    std::array<double, SPEEDS> m_speeds{}; //!< bit/s; 0: none
    uint32_t m_multiplier;                 //!< of both units
};

} // namespace ns3

#endif // LOSSLESS_INT_RECORD_H
