// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ICC_FORMULA_H
#define LOSSLESS_ICC_FORMULA_H

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// Inputs of the rate formulas of ICC, in bits, bit/s and seconds.
struct IccInput
{
    double capacity{0};    //!< C, speed of the link; B of the paper is the same
    double flows{1};       //!< n, number of flows that share the queue, at least 1
    double roundTrip{0};   //!< T, round trip time, above 0
    double utilisation{0}; //!< lu, utilisation of the link, 0..1
    double queue{0};       //!< qlen, length of the queue
    double queueRate{0};   //!< qlenrate, growth of the queue
    double target{0};      //!< Qd, the length that the queue must stay below
    double signalDelay{0}; //!< t_d, time from the measurement to its arrival at the source
    double loopDelay{0};   //!< time from the measurement until a new rate reaches the queue
    double rate{0};        //!< V, current rate of the source
    double lineRate{0};    //!< line rate of the source's port
    double interval{0};    //!< time between two records of the queue
};

/**
 * @ingroup lossless
 *
 * The rates of an ICC source: while the queue grows, a rate with which it stays below Qd; while it
 * does not, a rate that drains the queue; while it is empty, an increase. A variant has three pure
 * functions. Results may be negative or exceed the line rate: the caller clamps them.
 */
struct IccFormula
{
    double (*vMax)(const IccInput&);  //!< rate for qlen > 0 and qlenrate > 0, bit/s
    double (*vMin)(const IccInput&);  //!< rate for qlen > 0 and qlenrate <= 0, bit/s
    double (*vIdle)(const IccInput&); //!< rate for qlen = 0, bit/s

    /**
     * ICC (Wang et al., CMC 2023, section 4.3): equations (2), (4) and (6), with the missing factor
     * 1/T in (4). Vmax and Vmin lower the rate: a rate below them stays, and so does a rate while
     * the queue drains by itself within T (t1 < T). Where (2) has no solution, as the queue reaches
     * Qd before the source hears of it (t_m <= 0), Vmax is that of (3) with -qlen and without the
     * data in flight: (C - qlen / T) / n empties the queue, which is the purpose that the paper
     * gives for Vmin.
     */
    static const IccFormula PUBLISHED;
    /**
     * ICC (derived), an algorithm of this module: mass balance. q' is the queue that the new rate
     * will find. In the time T for which a rate acts, n flows may send what the link carries, plus
     * what is missing in q' to Qd (queue grows) or to an empty queue (queue does not grow). While
     * the queue is empty, they share what the link does not carry, given out over the time T. The
     * balance has one fixed point: n V = C with an empty queue.
     */
    static const IccFormula DERIVED;
};

} // namespace ns3

#endif // LOSSLESS_ICC_FORMULA_H
