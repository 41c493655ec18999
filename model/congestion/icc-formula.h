// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ICC_FORMULA_H
#define LOSSLESS_ICC_FORMULA_H

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// What the rate formulas of ICC are computed from. Bits, bit/s and seconds.
struct IccInput
{
    double capacity{0};    //!< C, of the link that the queue feeds; the paper's B is the same
    double flows{1};       //!< n, that share the queue, at least 1
    double roundTrip{0};   //!< T, above 0
    double utilisation{0}; //!< lu, of the link, 0..1
    double queue{0};       //!< qlen
    double queueRate{0};   //!< qlenrate, growth of the queue
    double target{0};      //!< Qd, the queue shall stay below
    double signalDelay{0}; //!< td, from the measurement to the source
    double loopDelay{0};   //!< from the measurement until a changed rate reaches the queue
    double rate{0};        //!< V, of the source now
};

/**
 * @ingroup lossless
 *
 * The rates that an ICC source takes when the queue is not empty (Wang et al., CMC 2023, section
 * 4.3): while it grows the highest that does not reach Qd, else one that drains it. A table of two
 * pure functions per variant; doc/congestion.rst says what is published and what is not. Results
 * may be negative or exceed the line rate: the caller clamps them.
 */
struct IccFormula
{
    const char* name;                //!< for reports
    double (*vMax)(const IccInput&); //!< qlenrate > 0, bit/s
    double (*vMin)(const IccInput&); //!< qlenrate <= 0, bit/s

    /// Variant C: mass balance. In one round trip n flows may send what the link carries, plus what
    /// the queue may still take, less what is already under way.
    static const IccFormula CONSERVATION;
    /// Variant P: what the paper prints in (2) and (4), the missing 1/T of (4) put in. While t_q <=
    /// t_d, where (2) has no meaning, vMin of variant C.
    static const IccFormula PUBLISHED;
    /// Variant M: P without the credit for what is in flight, with the exact time to Qd.
    static const IccFormula NO_CREDIT;
};

/**
 * @ingroup lossless
 * The increase when the queue is empty (ICC paper, formula (6)).
 * @param rate of the source now, bit/s
 * @param lineRate of its port, bit/s
 * @param utilisation of the link, 0..1
 * @return its new rate, bit/s
 */
double IccIncrease(double rate, double lineRate, double utilisation);

} // namespace ns3

#endif // LOSSLESS_ICC_FORMULA_H
