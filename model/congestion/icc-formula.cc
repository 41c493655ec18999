// SPDX-License-Identifier: GPL-2.0-only
#include "icc-formula.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Variant C: n V T + q + qlenrate * loop - C T = Qd, solved for V.
double
ConservationMax(const IccInput& in)
{
    const double room = in.target - in.queue - in.queueRate * in.loopDelay;
    return (in.capacity + room / in.roundTrip) / in.flows;
}

/// @return whether the queue is empty within a round trip by itself (t1 < T)
bool
DrainsAlone(const IccInput& in)
{
    return in.queueRate < 0 && in.queue < -in.queueRate * in.roundTrip;
}

/// Variant C: n V T + q - C T = 0, solved for V; no slow-down if t1 < T.
double
ConservationMin(const IccInput& in)
{
    return DrainsAlone(in) ? in.rate : (in.capacity - in.queue / in.roundTrip) / in.flows;
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
        return ConservationMin(in);
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

} // namespace

const IccFormula IccFormula::CONSERVATION{"conservation", ConservationMax, ConservationMin};
const IccFormula IccFormula::PUBLISHED{"published", PublishedMax, PublishedMin};
const IccFormula IccFormula::NO_CREDIT{"no credit", NoCreditMax, ConservationMin};

double
IccIncrease(double rate, double lineRate, double utilisation)
{
    return rate * utilisation + lineRate * (1 - utilisation);
}

} // namespace ns3
