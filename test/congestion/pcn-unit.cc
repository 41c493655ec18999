// SPDX-License-Identifier: GPL-2.0-only

// PCN at the NICs, against the numeric vectors computed by hand, and known bugs of others.

#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-pcn.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

constexpr double G = 1e9;
constexpr double M = 1e6;
constexpr int64_t US = 1000000; // picoseconds
constexpr int64_t T = 50 * US;
constexpr double EPS = 1; // bit/s: the vectors have nine digits after Gb/s
constexpr uint32_t WIRE = 1086;

/// A connected end.
struct End
{
    explicit End(double line, double maxWeight = .5)
        : pcn(CreateObjectWithAttributes<RdmaPcn>("MaxWeight", DoubleValue(maxWeight)))
    {
        state.lineRate = line;
        pcn->Init(state, 0);
    }

    /// A report of the receiver. @param congested its verdict @param rate its rate
    void Report(bool congested, double rate = 0)
    {
        RdmaRateReport report;
        report.congested = congested;
        report.rate = rate;
        pcn->OnRateReport(state, report, 0);
    }

    /// Data packets arrive. @param count how many @param marked how many of them with CE
    /// @param from the first one @param gap between two
    void Arrive(int count, int marked, int64_t from, int64_t gap = 1000)
    {
        for (int i = 0; i < count; ++i)
        {
            pcn->OnData({from + i * gap, WIRE, i < marked});
        }
    }

    Ptr<RdmaPcn> pcn;
    RdmaFlowState state;
};

} // namespace

// ---- reaction point

TEST(Pcn, StartsAtLineRate)
{
    End end(40 * G);
    EXPECT_EQ(end.state.rate, 40 * G);
    EXPECT_EQ(end.state.window, 0U);
    EXPECT_EQ(end.pcn->GetWeight(), 1. / 128);
    EXPECT_EQ(end.pcn->NextTimer(), RdmaCongestionOps::NEVER);
}

TEST(Pcn, Vector1CutThenIncreases)
{
    End end(40 * G);
    end.pcn->Force(.3);
    end.Report(true, 10 * G);
    EXPECT_NEAR(end.state.rate, 9.921875 * G, EPS);
    EXPECT_EQ(end.pcn->GetWeight(), .0078125);
    const std::vector<std::pair<double, double>> steps = {{10.156860352, .011657715},
                                                          {10.504763164, .017350670},
                                                          {11.016525283, .025724959},
                                                          {11.762123987, .037925665}};
    for (auto [rate, weight] : steps)
    {
        end.Report(false);
        EXPECT_NEAR(end.state.rate, rate * G, EPS);
        EXPECT_NEAR(end.pcn->GetWeight(), weight, 1e-9);
    }
}

TEST(Pcn, Vector2ACutNeverRaises)
{
    End end(40 * G);
    end.state.rate = 8 * G;
    end.pcn->Force(.1);
    end.Report(true, 9.5 * G);
    EXPECT_EQ(end.state.rate, 8 * G);
    EXPECT_EQ(end.pcn->GetWeight(), .0078125);
}

TEST(Pcn, Vector3At100G)
{
    End end(100 * G);
    end.state.rate = 25 * G;
    end.pcn->Force(.25);
    end.Report(false);
    EXPECT_NEAR(end.state.rate, 43.75 * G, EPS);
    EXPECT_DOUBLE_EQ(end.pcn->GetWeight(), .3125);
}

TEST(Pcn, Vector4StepsBackToTheLine)
{
    const std::pair<double, int> expected[] = {{.5, 15}, {.25, 26}};
    for (auto [maxWeight, steps] : expected)
    {
        End end(100 * G, maxWeight);
        end.state.rate = G;
        int count = 0;
        while (end.state.rate < 95 * G)
        {
            end.Report(false);
            ++count;
        }
        EXPECT_EQ(count, steps) << maxWeight;
    }
}

TEST(Pcn, WeightConvergesAndTheRateStaysWithinTheLine)
{
    End end(100 * G);
    for (int i = 0; i < 200; ++i)
    {
        end.Report(false);
        EXPECT_LE(end.state.rate, 100 * G);
    }
    EXPECT_NEAR(end.pcn->GetWeight(), .5, 1e-12);
    EXPECT_EQ(end.state.rate, 100 * G);
}

TEST(Pcn, ReportOfRateZeroDoesNotStop)
{
    End end(100 * G);
    end.Report(true, 0); // a slow flow, rounded down to whole Mb/s
    EXPECT_EQ(end.state.rate, 20 * M);
    end.Report(false);
    EXPECT_NEAR(end.state.rate, 20 * M * 127 / 128 + 100 * G / 128, EPS);
}

// ---- notification point

TEST(Pcn, Vector5ReceivingRate)
{
    End end(40 * G);
    end.Arrive(184, 0, US, 270000);
    RdmaRateReport report;
    EXPECT_EQ(end.pcn->NextNotice(), US + T);
    ASSERT_TRUE(end.pcn->OnNotice(US + T, report));
    EXPECT_NEAR(report.rate, 31.97184 * G, EPS);
    EXPECT_FALSE(report.congested);
}

TEST(Pcn, RateOfTheActualPackets)
{
    End end(40 * G);
    end.pcn->OnData({0, 1086, false});
    end.pcn->OnData({1000, 86, false});
    RdmaRateReport report;
    ASSERT_TRUE(end.pcn->OnNotice(T, report));
    EXPECT_NEAR(report.rate, 1172 * 8 / 50e-6, EPS);
}

TEST(Pcn, Vector5OnePacketAnInterval)
{
    End end(40 * G);
    RdmaRateReport report;
    bool sent = false;
    // One packet every 120 us: the average of the gaps goes from 50 to 120 us.
    for (int i = 0; i < 60; ++i)
    {
        const int64_t now = i * 120 * US;
        end.pcn->OnData({now, WIRE, true});
        ASSERT_EQ(end.pcn->NextNotice(), now + T);
        sent = end.pcn->OnNotice(now + T, report);
        EXPECT_TRUE(sent);
        EXPECT_FALSE(end.pcn->OnNotice(now + 2 * T, report)); // empty: no CNP
    }
    EXPECT_NEAR(report.rate, 72.4 * M, .01 * M);
    EXPECT_TRUE(report.congested);
}

TEST(Pcn, Vector6NinetyFivePercent)
{
    End end(40 * G);
    const std::tuple<int, int, bool> expected[] = {{20, 19, true},
                                                   {20, 18, false},
                                                   {1, 1, true},
                                                   {1, 0, false},
                                                   {19, 18, false},
                                                   {100, 95, true},
                                                   {100, 94, false}};
    int64_t now = 0;
    for (auto [packets, marked, congested] : expected)
    {
        end.Arrive(packets, marked, now);
        RdmaRateReport report;
        ASSERT_TRUE(end.pcn->OnNotice(now + T, report));
        EXPECT_EQ(report.congested, congested) << packets << " " << marked;
        now += T;
    }
}

TEST(Pcn, NoReportWithoutPackets)
{
    // Were "nothing came" told as "not congested", a sender whose packets are all held up by
    // pauses would be raised.
    End end(40 * G);
    RdmaRateReport report;
    EXPECT_EQ(end.pcn->NextNotice(), RdmaCongestionOps::NEVER);
    end.Arrive(10, 10, 0);
    ASSERT_TRUE(end.pcn->OnNotice(T, report));
    EXPECT_EQ(end.pcn->NextNotice(), 2 * T);
    EXPECT_FALSE(end.pcn->OnNotice(2 * T, report));
    EXPECT_EQ(end.pcn->NextNotice(), RdmaCongestionOps::NEVER); // idle: no events
}

TEST(Pcn, NoRateOverIdleTime)
{
    End end(40 * G);
    RdmaRateReport report;
    end.Arrive(184, 0, 0, 270000);
    ASSERT_TRUE(end.pcn->OnNotice(T, report));
    ASSERT_FALSE(end.pcn->OnNotice(2 * T, report));
    // 49 us into what would have been the third interval.
    const int64_t again = 2 * T + 49 * US;
    end.Arrive(184, 0, again, 270000);
    EXPECT_EQ(end.pcn->NextNotice(), again + T);
    ASSERT_TRUE(end.pcn->OnNotice(again + T, report));
    EXPECT_NEAR(report.rate, 31.97184 * G, EPS);
}

TEST(Pcn, CountsOfAnIntervalAreItsOwn)
{
    End end(40 * G);
    RdmaRateReport report;
    end.Arrive(20, 20, 0);
    ASSERT_TRUE(end.pcn->OnNotice(T, report));
    EXPECT_TRUE(report.congested);
    end.Arrive(20, 0, T + 1);
    ASSERT_TRUE(end.pcn->OnNotice(2 * T, report));
    EXPECT_FALSE(report.congested);
    EXPECT_NEAR(report.rate, 20 * WIRE * 8 / 50e-6, EPS);
}

TEST(Pcn, LongPauseForgetsTheGap)
{
    End end(40 * G);
    RdmaRateReport report;
    end.Arrive(100, 0, 0, 1000); // gaps of 1 ns
    ASSERT_TRUE(end.pcn->OnNotice(T, report));
    const int64_t later = 20000 * US;
    end.Arrive(1, 0, later);
    ASSERT_TRUE(end.pcn->OnNotice(later + T, report));
    EXPECT_NEAR(report.rate, WIRE * 8 / 50e-6, EPS); // the gap began anew at T
}

TEST(Pcn, EachQueuePairCountsForItself)
{
    End a(40 * G);
    End b(40 * G);
    RdmaRateReport report;
    a.Arrive(50, 50, 0);
    b.Arrive(50, 0, 0);
    ASSERT_TRUE(a.pcn->OnNotice(T, report));
    EXPECT_TRUE(report.congested);
    ASSERT_TRUE(b.pcn->OnNotice(T, report));
    EXPECT_FALSE(report.congested);
}

TEST(Pcn, NeedsItsMarkerAndDataPackets)
{
    End end(40 * G);
    EXPECT_EQ(end.pcn->GetSwitchExtensions(), std::vector<std::string>{"ns3::PcnMarker"});
    EXPECT_EQ(end.pcn->GetHooks(), static_cast<uint32_t>(RdmaCongestionOps::ON_DATA));
    EXPECT_FALSE(end.pcn->OnMarkedData(0)); // no CNPs beside the notices
}
