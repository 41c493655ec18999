// SPDX-License-Identifier: GPL-2.0-only

// HPCC, its law and its measurement, against the numeric vectors computed by hand, and known bugs
// of others.

#include "hpcc-test-util.h"

#include "ns3/hpcc-path.h"
#include "ns3/hpcc-window.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace hpcctest;

namespace
{

HpccParameters
Parameters()
{
    HpccParameters p;
    p.maxBytes = W_INIT;
    return p;
}

} // namespace

// ---- the law

TEST(HpccWindow, Vector1MultiplicativeDecrease)
{
    HpccWindow window(W_INIT);
    const double u = HpccLink(100 * G, T_NS).Utilisation(10000, 120000, 10000);
    EXPECT_NEAR(u, 1.021538462, 1e-9);
    window.Average(u, 10.0 / 13);
    EXPECT_NEAR(window.GetUtilisation(), 1.016568047, 1e-9);
    window.React(Parameters(), true);
    EXPECT_NEAR(window.GetBytes(), 151938.993, 1e-3);
    EXPECT_EQ(window.GetStage(), 0U);
    EXPECT_EQ(window.GetReference(), window.GetBytes());
}

TEST(HpccWindow, Vector2BusiestHopAndAdditiveIncrease)
{
    const double first = HpccLink(400 * G, T_NS).Utilisation(0, 100000, 10000);
    const double second = HpccLink(100 * G, T_NS).Utilisation(4000, 100000, 10000);
    EXPECT_NEAR(first, 0.2, 1e-12);
    EXPECT_NEAR(second, 0.824615385, 1e-9);
    HpccWindow window;
    window.Force(100000, 1, 2);
    window.Average(second, 10.0 / 13);
    EXPECT_NEAR(window.GetUtilisation(), 0.865088757, 1e-9);
    window.React(Parameters(), true);
    EXPECT_DOUBLE_EQ(window.GetBytes(), 100080);
    EXPECT_EQ(window.GetStage(), 3U);
}

TEST(HpccWindow, Vector3ReferenceWaitsForTheRoundTrip)
{
    HpccWindow window;
    window.Force(100000, .5, 2);
    for (int i = 0; i < 10; ++i)
    {
        window.React(Parameters(), false);
        EXPECT_DOUBLE_EQ(window.GetBytes(), 100080);
        EXPECT_DOUBLE_EQ(window.GetReference(), 100000);
        EXPECT_EQ(window.GetStage(), 2U);
    }
}

TEST(HpccWindow, Vector4MultiplicativeIncreaseIsClamped)
{
    HpccWindow window;
    window.Force(100000, .5, 5);
    auto p = Parameters();
    p.maxBytes = 1e9;
    window.React(p, false);
    EXPECT_NEAR(window.GetBytes(), 190080, 1e-6);
    window.React(Parameters(), true);
    EXPECT_DOUBLE_EQ(window.GetBytes(), W_INIT); // never above the line
    EXPECT_EQ(window.GetStage(), 0U);
}

TEST(HpccWindow, Vector5Halves)
{
    HpccWindow window;
    window.Force(100000, 1.9, 0);
    window.React(Parameters(), true);
    EXPECT_NEAR(window.GetBytes(), 50080, 1e-9);
}

TEST(HpccWindow, NeverBelowTheLeastAndNeverAboveTheMost)
{
    HpccWindow window(W_INIT);
    for (int i = 0; i < 100; ++i)
    {
        window.SetUtilisation(50);
        window.React(Parameters(), true);
    }
    EXPECT_GE(window.GetBytes(), 80);
    EXPECT_LT(window.GetBytes(), 82);
    for (int i = 0; i < 100; ++i)
    {
        window.SetUtilisation(0);
        window.React(Parameters(), true);
    }
    EXPECT_EQ(window.GetBytes(), W_INIT);
}

TEST(HpccWindow, StageZeroIsAlwaysMultiplicative)
{
    auto p = Parameters();
    p.maxStage = 0;
    HpccWindow window;
    window.Force(50000, .475, 0);
    window.React(p, true);
    EXPECT_NEAR(window.GetBytes(), 100080, 1e-9);
}

// ---- the measurement

TEST(HpccPath, FirstIntIsTheBaseline)
{
    HpccPath path(IntFormat(), T_NS);
    EXPECT_FALSE(path.Compare(Int({{1000, 0, 10000}}).hops, 0, false));
    EXPECT_TRUE(path.Compare(Int({{11000, 128 * 900, 20000}}).hops, 0, false));
    // 115200 B in 10 us, and the smaller of two queues.
    EXPECT_NEAR(path.GetHop(0).utilisation, .9216 + 10000.0 / W_INIT, 1e-12);
    EXPECT_NEAR(path.GetHop(0).share, 10.0 / 13, 1e-12);
}

TEST(HpccPath, SmallerQueueWhicheverItIs)
{
    HpccPath path(IntFormat(), T_NS);
    path.Compare(Int({{0, 0, 80000}}).hops, 0, false);
    path.Compare(Int({{1000, 0, 8000}}).hops, 0, false);
    EXPECT_NEAR(path.GetHop(0).utilisation, 8000 / W_INIT, 1e-12);
    path.Compare(Int({{2000, 0, 40000}}).hops, 0, false);
    EXPECT_NEAR(path.GetHop(0).utilisation, 8000 / W_INIT, 1e-12);
}

TEST(HpccPath, WrapsAreNoLeaps)
{
    HpccPath path(IntFormat(), T_NS);
    const uint64_t ns = (1U << 24) - 4000;
    const uint64_t bytes = (128U << 20) - 128 * 100;
    path.Compare(Int({{ns, bytes, 0}}).hops, 0, false);
    EXPECT_TRUE(path.Compare(Int({{ns + 10000, bytes + 128 * 500, 0}}).hops, 0, false));
    EXPECT_NEAR(path.GetHop(0).utilisation, 128 * 500 * 8 / 10000.0 / 100, 1e-12);
}

TEST(HpccPath, BusiestHopNotTheFirst)
{
    HpccPath path(IntFormat(), T_NS);
    path.Compare(Int({{0, 0, 0, 4}, {0, 0, 5040}, {0, 0, 0, 0}}).hops, 0, false);
    path.Compare(Int({{5000, 64000, 0, 4}, {10000, 102400, 4000}, {20000, 25600, 0, 0}}).hops,
                 0,
                 false);
    const auto busiest = path.GetBusiest();
    EXPECT_NEAR(busiest.utilisation, 4000 / W_INIT + .8192, 1e-12);
    EXPECT_NEAR(busiest.share, 10.0 / 13, 1e-12); // tau of that hop
}

TEST(HpccPath, TauIsAtMostT)
{
    HpccPath path(IntFormat(), T_NS);
    path.Compare(Int({{0, 0, 0}}).hops, 0, false);
    path.Compare(Int({{100000, 1280, 0}}).hops, 0, false);
    EXPECT_EQ(path.GetHop(0).share, 1);
}

TEST(HpccPath, SameNanosecondTellsNothing)
{
    HpccPath path(IntFormat(), T_NS);
    path.Compare(Int({{50, 0, 0}, {100, 0, 0}}).hops, 0, false);
    EXPECT_TRUE(path.Compare(Int({{50, 1280, 0}, {200, 1280, 0}}).hops, 0, false));
    EXPECT_EQ(path.GetHop(0).share, 0);
    EXPECT_NEAR(path.GetBusiest().utilisation, 1280 * 8 / 100.0 / 100, 1e-12);
    EXPECT_TRUE(path.Compare(Int({{50, 1280, 0}, {200, 1280, 0}}).hops, 0, false));
    EXPECT_EQ(path.GetBusiest().share, 0);
}

TEST(HpccPath, AnotherPathStartsAnew)
{
    HpccPath path(IntFormat(), T_NS);
    path.Compare(Int({{0, 0, 0}}, 7).hops, 0, false);
    EXPECT_FALSE(path.Compare(Int({{1000, 128, 0}}, 8).hops, 0, false)); // identifier
    EXPECT_TRUE(path.Compare(Int({{2000, 256, 0}}, 8).hops, 0, false));
    EXPECT_FALSE(path.Compare(Int({{3000, 0, 0}, {3000, 0, 0}}, 8).hops, 0, false)); // hops
    EXPECT_TRUE(path.Compare(Int({{4000, 0, 0}, {4000, 0, 0}}, 8).hops, 0, false));
}

TEST(HpccPath, OldHistoryIsForgotten)
{
    HpccPath path(IntFormat(), T_NS);
    path.Compare(Int({{0, 0, 0}}).hops, 0, false);
    const int64_t ms = 1000000000;
    EXPECT_FALSE(path.Compare(Int({{1000, 0, 0}}).hops, 9 * ms, false)); // 16.8 ms + 1 us later
    EXPECT_TRUE(path.Compare(Int({{2000, 0, 0}}).hops, 9 * ms, false));
    // 134 MB may have gone in 5.4 ms at 100 Gb/s twice over, and not at 25 Gb/s.
    EXPECT_FALSE(path.Compare(Int({{5500000, 0, 0}}).hops, 15 * ms, false));
    HpccPath slow(IntFormat(), T_NS);
    slow.Compare(Int({{0, 0, 0, 0}}).hops, 0, false);
    EXPECT_TRUE(slow.Compare(Int({{5500000, 0, 0, 0}}).hops, 5 * ms, false));
    // An older record than the one before.
    EXPECT_FALSE(slow.Compare(Int({{5499000, 0, 0, 0}}).hops, 5 * ms, false));
}

TEST(HpccPath, SampledHopsKeepTheirHistory)
{
    HpccPath path(IntFormat(), T_NS);
    path.Compare(Int({{0, 0, 0}}).hops, 0, false);
    EXPECT_TRUE(path.Compare(Int({{1000, 1280, 0}}).hops, 0, true));
    EXPECT_EQ(path.GetBusiest().share, 0); // no queue: not looked at
    EXPECT_TRUE(path.Compare(Int({{2000, 2560, 800}}).hops, 0, true));
    EXPECT_NEAR(path.GetBusiest().share, 2.0 / 13, 1e-12); // since the last that was
    EXPECT_NEAR(path.GetBusiest().utilisation, 2560 * 8 / 2000.0 / 100, 1e-12);
}
