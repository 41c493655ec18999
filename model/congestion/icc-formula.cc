// SPDX-License-Identifier: GPL-2.0-only
#include "icc-formula.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return what is on the way when the link is used to lu: B T lu
double
InFlight(const IccInput& in)
{
    return in.capacity * in.roundTrip * in.utilisation;
}

/// Equation (2).
double
PublishedMax(const IccInput& in)
{
    const double timeLeft = in.target / in.queueRate - in.signalDelay; // t_m = t_q - t_d
    const double most = timeLeft > 0 ? in.capacity + (in.target + InFlight(in)) / timeLeft
                                     : in.capacity - in.queue / in.roundTrip;
    return std::min(in.rate, most / in.flows);
}

/// Equation (4), with 1/T where the dimensions need it.
double
PublishedMin(const IccInput& in)
{
    const bool drainsAlone = in.queue < -in.queueRate * in.roundTrip; // t1 < T
    const double most = in.capacity + (InFlight(in) + in.queue) / in.roundTrip;
    return drainsAlone ? in.rate : std::min(in.rate, most / in.flows);
}

/// Equation (6).
double
PublishedIdle(const IccInput& in)
{
    return in.rate * in.utilisation + in.lineRate * (1 - in.utilisation);
}

/// @return the queue that a rate finds which answers the record
double
QueueAhead(const IccInput& in)
{
    return std::max(in.queue + in.queueRate * in.loopDelay, 0.0);
}

/// n V T + q' - C T = Qd, solved for V.
double
DerivedMax(const IccInput& in)
{
    return (in.capacity + (in.target - QueueAhead(in)) / in.roundTrip) / in.flows;
}

/// n V T + q' - C T = 0, solved for V.
double
DerivedMin(const IccInput& in)
{
    return (in.capacity - QueueAhead(in) / in.roundTrip) / in.flows;
}

/// What the link does not carry, shared, and given out over the time T until a record can tell of
/// it.
double
DerivedIdle(const IccInput& in)
{
    const double share = in.capacity * (1 - in.utilisation) / in.flows;
    const double now = std::min(in.interval / in.roundTrip, 1.0);
    return in.rate + share * now;
}

} // namespace

const IccFormula IccFormula::PUBLISHED{PublishedMax, PublishedMin, PublishedIdle};
const IccFormula IccFormula::DERIVED{DerivedMax, DerivedMin, DerivedIdle};

} // namespace ns3
