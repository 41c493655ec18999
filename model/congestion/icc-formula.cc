// SPDX-License-Identifier: GPL-2.0-only
#include "icc-formula.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return the queue that a rate finds which answers the record
double
QueueAhead(const IccInput& in)
{
    return std::max(in.queue + in.queueRate * in.loopDelay, 0.0);
}

/// Variant C: n V T + q' - C T = Qd, solved for V.
double
ConservationMax(const IccInput& in)
{
    return (in.capacity + (in.target - QueueAhead(in)) / in.roundTrip) / in.flows;
}

/// Variant C: n V T + q' - C T = 0, solved for V. A queue that drains by itself within T (t1 < T)
/// slows nobody down, as the paper demands: then q' / T is below the shrinkage, and n V above what
/// the flows send now.
double
ConservationMin(const IccInput& in)
{
    return (in.capacity - QueueAhead(in) / in.roundTrip) / in.flows;
}

/// Variant C: what the link does not carry, shared, and given out over the time T until a record
/// can tell of it.
double
ConservationIdle(const IccInput& in)
{
    const double share = in.capacity * (1 - in.utilisation) / in.flows;
    const double now = std::min(in.interval / in.roundTrip, 1.0);
    return in.rate + share * now;
}

/// Equation (6).
double
PublishedIdle(const IccInput& in)
{
    return in.rate * in.utilisation + in.lineRate * (1 - in.utilisation);
}

/// Drain the queue within a round trip.
double
Drain(const IccInput& in)
{
    return (in.capacity - in.queue / in.roundTrip) / in.flows;
}

/// @return what is on the way when the link is used to lu: B T lu
double
InFlight(const IccInput& in)
{
    return in.capacity * in.roundTrip * in.utilisation;
}

/// Variant P: formula (2).
double
PublishedMax(const IccInput& in)
{
    const double timeLeft = in.target / in.queueRate - in.signalDelay; // t_m = t_q - t_d
    if (timeLeft <= 0)
    {
        return Drain(in);
    }
    return in.capacity / in.flows + (in.target + InFlight(in)) / (in.flows * timeLeft);
}

/// Variant P: formula (4), with 1/T where the dimensions need it.
double
PublishedMin(const IccInput& in)
{
    return in.capacity / in.flows + (InFlight(in) + in.queue) / (in.flows * in.roundTrip);
}

/// Variant M.
double
NoCreditMax(const IccInput& in)
{
    constexpr double SHORTEST = 0.25; // of a round trip
    const double room = in.target - in.queue;
    const double timeLeft = std::max(room / in.queueRate - in.signalDelay, SHORTEST * in.roundTrip);
    return in.capacity / in.flows + room / (in.flows * timeLeft);
}

/// Variant M; no slow-down if the queue is empty within a round trip by itself (t1 < T).
double
NoCreditMin(const IccInput& in)
{
    const bool drainsAlone = in.queueRate < 0 && in.queue < -in.queueRate * in.roundTrip;
    return drainsAlone ? in.rate : Drain(in);
}

} // namespace

const IccFormula IccFormula::CONSERVATION{"conservation",
                                          ConservationMax,
                                          ConservationMin,
                                          ConservationIdle};
const IccFormula IccFormula::PUBLISHED{"published", PublishedMax, PublishedMin, PublishedIdle};
const IccFormula IccFormula::NO_CREDIT{"no credit", NoCreditMax, NoCreditMin, PublishedIdle};

} // namespace ns3
