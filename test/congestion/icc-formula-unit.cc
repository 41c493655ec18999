// SPDX-License-Identifier: GPL-2.0-only

// The rate formulas of ICC against numeric vectors computed by hand.

#include "ns3/icc-formula.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr double G = 1e9;
constexpr double KB = 8000;
constexpr double US = 1e-6;
constexpr double EPS = 500; // bit/s: the vectors have six digits of Gb/s

/// A record with C = B = 100G, T = 20 us, t_d = t_fb = 10 us, Q_d = 200 KB, every 15 us.
IccInput
Input(double flows, double utilisation, double queue, double queueRate)
{
    IccInput in;
    in.capacity = 100 * G;
    in.flows = flows;
    in.roundTrip = 20 * US;
    in.utilisation = utilisation;
    in.queue = queue;
    in.queueRate = queueRate;
    in.target = 200 * KB;
    in.signalDelay = 10 * US;
    in.loopDelay = 10 * US;
    in.rate = 77 * G;
    in.lineRate = 100 * G;
    in.interval = 15 * US;
    return in;
}

/// @return a record of which the source hears at once
IccInput
AtOnce(IccInput in)
{
    in.loopDelay = 0;
    return in;
}

/// @return a record for a source of another rate
IccInput
At(double rate, IccInput in)
{
    in.rate = rate;
    return in;
}

/// @return an empty queue: a source of a rate is told of a utilisation
IccInput
Idle(double flows, double utilisation, double rate)
{
    return At(rate, Input(flows, utilisation, 0, 0));
}

const IccInput CASE_1 = Input(2, 1, 50 * KB, 50 * G);
const IccInput CASE_2 = Input(60, 1, 100 * KB, 500 * G);
const IccInput CASE_3 = Input(4, .9, 80 * KB, -10 * G);
const IccInput CASE_4 = Input(4, 1, 300 * KB, 5 * G);

} // namespace

TEST(IccFormula, PublishedMax)
{
    EXPECT_NEAR(IccFormula::PUBLISHED.vMax(At(200 * G, CASE_1)), 131.818182 * G, EPS);
    EXPECT_NEAR(IccFormula::PUBLISHED.vMax(CASE_4), 27.903226 * G, EPS);
}

TEST(IccFormula, APublishedReductionRaisesNoRate)
{
    EXPECT_EQ(IccFormula::PUBLISHED.vMax(At(20 * G, CASE_4)), 20 * G) << "27.9 is the highest";
    EXPECT_EQ(IccFormula::PUBLISHED.vMax(At(.5 * G, CASE_2)), .5 * G) << "1 is the highest";
    EXPECT_EQ(IccFormula::PUBLISHED.vMin(At(20 * G, CASE_3)), 20 * G) << "55.5 is the highest";
    // t1 = 16 us, below T: no need to slow down. 20 us are not below T.
    EXPECT_EQ(IccFormula::PUBLISHED.vMin(Input(4, 1, 80 * KB, -40 * G)), 77 * G);
    EXPECT_NEAR(IccFormula::PUBLISHED.vMin(At(90 * G, Input(4, 1, 80 * KB, -32 * G))), 58 * G, EPS);
    EXPECT_NEAR(IccFormula::PUBLISHED.vMin(At(90 * G, Input(4, 1, 80 * KB, 0))), 58 * G, EPS);
}

TEST(IccFormula, PublishedMaxIsUndefinedWhenTheBurstIsFasterThanTheLoop)
{
    EXPECT_NEAR(IccFormula::PUBLISHED.vMax(CASE_2), 1 * G, EPS) << "drained within T";
}

TEST(IccFormula, PublishedMin)
{
    EXPECT_NEAR(IccFormula::PUBLISHED.vMin(At(200 * G, CASE_1)), 110 * G, EPS);
    EXPECT_NEAR(IccFormula::PUBLISHED.vMin(CASE_2), 4 * G, EPS);
    EXPECT_NEAR(IccFormula::PUBLISHED.vMin(CASE_3), 55.5 * G, EPS);
    EXPECT_NEAR(IccFormula::PUBLISHED.vMin(At(90 * G, CASE_4)), 80 * G, EPS);
}

TEST(IccFormula, DerivedMax)
{
    EXPECT_NEAR(IccFormula::DERIVED.vMax(CASE_1), 67.5 * G, EPS);
    EXPECT_NEAR(IccFormula::DERIVED.vMax(CASE_2), -110 * G / 60, EPS);
    EXPECT_NEAR(IccFormula::DERIVED.vMax(CASE_3), 38.25 * G, EPS);
    EXPECT_NEAR(IccFormula::DERIVED.vMax(CASE_4), 14.375 * G, EPS);
}

TEST(IccFormula, DerivedMin)
{
    // By the sheet: the queue as it is.
    EXPECT_NEAR(IccFormula::DERIVED.vMin(AtOnce(CASE_1)), 40 * G, EPS);
    EXPECT_NEAR(IccFormula::DERIVED.vMin(AtOnce(CASE_2)), 1 * G, EPS);
    EXPECT_NEAR(IccFormula::DERIVED.vMin(AtOnce(CASE_3)), 17 * G, EPS);
    EXPECT_NEAR(IccFormula::DERIVED.vMin(AtOnce(CASE_4)), -5 * G, EPS);
    // After 10 us of its growth: 112.5, 725, 67.5 and 306.25 KB.
    EXPECT_NEAR(IccFormula::DERIVED.vMin(CASE_1), 27.5 * G, EPS);
    EXPECT_NEAR(IccFormula::DERIVED.vMin(CASE_2), -190 * G / 60, EPS);
    EXPECT_NEAR(IccFormula::DERIVED.vMin(CASE_3), 18.25 * G, EPS);
    EXPECT_NEAR(IccFormula::DERIVED.vMin(CASE_4), -5.625 * G, EPS);
    EXPECT_NEAR(IccFormula::DERIVED.vMin(Input(4, 1, 10 * KB, -40 * G)), 25 * G, EPS)
        << "empty before the new rate arrives: the fair share";
}

TEST(IccFormula, AQueueThatDrainsByItselfDoesNotLowerTheMeanOfDerivedRates)
{
    for (double growth = -100 * G; growth < 0; growth += 5 * G)
    {
        const double sent = 100 * G + growth; // by all flows, now
        for (double share = .05; share < 1; share += .05)
        {
            const IccInput in = Input(4, 1, -growth * 20 * US * share, growth);
            EXPECT_GE(in.flows * IccFormula::DERIVED.vMin(in), sent - EPS)
                << share << " of T, growth " << growth;
        }
    }
}

TEST(IccFormula, DerivedIdle)
{
    // A record every 15 us gives out 3/4 of what is free over T = 20 us.
    EXPECT_NEAR(IccFormula::DERIVED.vIdle(Idle(4, .9, 20 * G)), 21.875 * G, EPS);
    EXPECT_NEAR(IccFormula::DERIVED.vIdle(Idle(1, .2, 10 * G)), 70 * G, EPS);
    EXPECT_NEAR(IccFormula::DERIVED.vIdle(Idle(1, .9, 90 * G)), 97.5 * G, EPS);
    IccInput in = Idle(4, .6, 10 * G);
    in.interval = 40 * US;
    EXPECT_NEAR(IccFormula::DERIVED.vIdle(in), 20 * G, EPS) << "all of it";
    EXPECT_EQ(IccFormula::DERIVED.vIdle(Idle(4, 1, 25 * G)), 25 * G);
}

TEST(IccFormula, TheFixedPointOfDerivedIsAFullLinkWithoutAQueue)
{
    for (const double flows : {1., 2., 16., 64.})
    {
        double rate = 1 * G / flows;
        for (int i = 0; i < 40; ++i)
        {
            rate = IccFormula::DERIVED.vIdle(Idle(flows, flows * rate / (100 * G), rate));
            EXPECT_LE(flows * rate, 100 * G + EPS) << "never more than the link carries";
        }
        EXPECT_NEAR(flows * rate, 100 * G, EPS * flows);
        EXPECT_NEAR(IccFormula::DERIVED.vMin(Idle(flows, 1, rate)), 100 * G / flows, EPS);
    }
}

TEST(IccFormula, PublishedIdle)
{
    const IccInput in = Idle(4, .9, 20 * G);
    EXPECT_NEAR(IccFormula::PUBLISHED.vIdle(in), 28 * G, EPS);
}

TEST(IccFormula, Increase)
{
    double rate = 10 * G;
    const double utilisation[] = {.2, .5, .9, .95};
    const double expected[] = {82, 91, 91.9, 92.305};
    for (int i = 0; i < 4; ++i)
    {
        rate = IccFormula::PUBLISHED.vIdle(Idle(1, utilisation[i], rate));
        EXPECT_NEAR(rate, expected[i] * G, EPS);
    }
}
