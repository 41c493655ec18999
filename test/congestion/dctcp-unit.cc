// SPDX-License-Identifier: GPL-2.0-only

// DCTCP over RDMA: alpha, cuts and increases round trip by round trip.

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/dctcp-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/rdma-dctcp.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;

namespace
{

constexpr double G = 1e9;
constexpr double M = 1e6;

DctcpParameters
Parameters()
{
    DctcpParameters p;
    p.increase = 615 * M;
    p.minRate = 100 * M;
    p.maxRate = 100 * G;
    return p;
}

/// A round trip of ten packets. @param from first PSN @param marked how many ACKs are marked
void
RoundTrip(DctcpRate& rate, uint64_t from, int marked)
{
    for (int i = 0; i < 10; ++i)
    {
        rate.OnAck(from + i + 1, from + i + 11, i < marked);
    }
}

RdmaFlowState
State()
{
    RdmaFlowState state;
    state.lineRate = state.rate = 100 * G;
    state.baseRttPs = 13000000;
    state.mtuBytes = 1000;
    return state;
}

} // namespace

// As in the public HPCC simulator.
TEST(DctcpRate, TheFirstAckMayOnlyBeginTheFirstRoundTrip)
{
    auto p = Parameters();
    p.firstAckUpdates = false;
    DctcpRate rate(p);
    rate.OnAck(1, 10, false);
    EXPECT_EQ(rate.GetAlpha(), 1);
    for (uint64_t psn = 2; psn <= 11; ++psn)
    {
        EXPECT_EQ(rate.GetAlpha(), 1) << psn;
        rate.OnAck(psn, psn + 9, psn == 5);
    }
    EXPECT_DOUBLE_EQ(rate.GetAlpha(), 1 + (1.0 / 11 - 1) / 16) << "one mark of 11 ACKs";
}

TEST(DctcpRate, AlphaAveragesTheShareOfMarks)
{
    const auto p = Parameters();
    DctcpRate rate(p);
    rate.OnAck(1, 11, false); // ends round trip 0
    EXPECT_DOUBLE_EQ(rate.GetAlpha(), 15.0 / 16);
    DctcpRate other(p);
    other.Force(100 * G, 0);
    other.OnAck(1, 11, false);
    for (int i = 2; i <= 11; ++i)
    {
        EXPECT_EQ(other.GetAlpha(), 0);
        other.OnAck(i, i + 10, i % 2);
    }
    other.OnAck(12, 22, true); // PSN 11, the first that was sent later: 6 of 11
    EXPECT_DOUBLE_EQ(other.GetAlpha(), 6.0 / 11 / 16);
}

TEST(DctcpRate, CutsOncePerRoundTrip)
{
    const auto p = Parameters();
    DctcpRate rate(p);
    rate.OnAck(1, 11, false);
    rate.Force(80 * G, .5);
    rate.OnAck(2, 12, true);
    EXPECT_DOUBLE_EQ(rate.GetRate(), 60 * G); // 80 (1 - .5/2)
    for (int i = 3; i <= 11; ++i)
    {
        rate.OnAck(i, i + 10, true);
        EXPECT_DOUBLE_EQ(rate.GetRate(), 60 * G) << i;
    }
    rate.OnAck(12, 22, true); // a round trip of alpha, not yet one since the cut
    EXPECT_DOUBLE_EQ(rate.GetRate(), 60 * G);
    rate.OnAck(13, 23, true);
    EXPECT_LT(rate.GetRate(), 50 * G);
}

TEST(DctcpRate, IncreasesOncePerRoundTripWithoutACut)
{
    const auto p = Parameters();
    DctcpRate rate(p);
    rate.OnAck(1, 11, false);
    rate.Force(10 * G, .5);
    for (uint64_t round = 0; round < 4; ++round)
    {
        RoundTrip(rate, 1 + 10 * round, 0);
    }
    // The first round trip ends with PSN 11, the second ACK round.
    EXPECT_DOUBLE_EQ(rate.GetRate(), 10 * G + 3 * 615 * M);
    for (int i = 0; i < 1000; ++i)
    {
        RoundTrip(rate, 41 + 10 * i, 0);
    }
    EXPECT_EQ(rate.GetRate(), 100 * G);
    EXPECT_LT(rate.GetAlpha(), 1e-6);
}

TEST(DctcpRate, NeverBelowTheLeast)
{
    const auto p = Parameters();
    DctcpRate rate(p);
    for (int i = 0; i < 1000; ++i)
    {
        RoundTrip(rate, 10 * i, 10);
    }
    EXPECT_EQ(rate.GetRate(), 100 * M);
    EXPECT_NEAR(rate.GetAlpha(), 1, 1e-9);
}

TEST(DctcpRate, GoingBackEndsTheRoundTrip)
{
    const auto p = Parameters();
    DctcpRate rate(p);
    rate.OnAck(1, 1001, false);
    rate.Force(80 * G, .5);
    rate.OnAck(2, 1002, true);
    ASSERT_DOUBLE_EQ(rate.GetRate(), 60 * G);
    rate.GoBack(2);
    rate.OnAck(3, 4, true);
    EXPECT_LT(rate.GetRate(), 60 * G); // without GoBack() not before PSN 1001
}

TEST(RdmaDctcp, IncreaseIsOnePacketPerRoundTrip)
{
    auto dctcp = CreateObject<RdmaDctcp>();
    auto state = State();
    dctcp->Init(state, 0);
    EXPECT_NEAR(dctcp->GetParameters().increase, 615.4 * M, .1 * M);
    EXPECT_TRUE(dctcp->EchoesMarks());
    EXPECT_EQ(dctcp->GetTelemetry(), TelemetryKind::NONE);
    dctcp->SetAttribute("Increase", StringValue("1Gbps"));
    dctcp->Init(state, 0);
    EXPECT_EQ(dctcp->GetParameters().increase, 1 * G);
}

TEST(RdmaDctcp, SetsRateOrWindow)
{
    const double full = 162500.0 * 1000 / 1082; // payload of line rate times base RTT
    for (const bool window : {false, true})
    {
        auto dctcp = CreateObject<RdmaDctcp>();
        dctcp->SetAttribute("Control", StringValue(window ? "Window" : "Rate"));
        auto state = State();
        dctcp->Init(state, 0);
        EXPECT_EQ(state.rate, 100 * G);
        EXPECT_NEAR(state.window, full, 1);
        RdmaAckEvent ack;
        ack.unackedPsn = 1;
        ack.nextPsn = 10;
        ack.marked = true;
        dctcp->OnAck(state, ack); // alpha 1: half
        EXPECT_NEAR(state.rate, window ? 100 * G : 50 * G, 1);
        EXPECT_NEAR(state.window, window ? full / 2 : full, 1);
    }
}

TEST(RdmaDctcp, WindowBesideTheRate)
{
    const double full = 162500.0 * 1000 / 1082;
    for (const bool use : {false, true})
    {
        auto dctcp = CreateObject<RdmaDctcp>();
        dctcp->SetAttribute("UseWindow", BooleanValue(use));
        dctcp->SetAttribute("VariableWindow", BooleanValue(true));
        auto state = State();
        dctcp->Init(state, 0);
        EXPECT_NEAR(state.window, use ? full : 0, 1);
        RdmaAckEvent ack;
        ack.nextPsn = 10;
        ack.marked = true;
        dctcp->OnAck(state, ack); // alpha 1: half
        EXPECT_NEAR(state.rate, 50 * G, 1);
        EXPECT_NEAR(state.window, use ? full / 2 : 0, 1);
    }
}

TEST(RdmaDctcp, NeedsARoundTripTime)
{
    auto dctcp = CreateObject<RdmaDctcp>();
    auto state = State();
    state.baseRttPs = 0;
    EXPECT_THROW(dctcp->Init(state, 0), std::invalid_argument);
    dctcp->SetAttribute("BaseRtt", TimeValue(MicroSeconds(13)));
    EXPECT_NO_THROW(dctcp->Init(state, 0));
}
