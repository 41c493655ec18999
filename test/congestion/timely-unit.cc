// SPDX-License-Identifier: GPL-2.0-only

// TIMELY and patched TIMELY against numeric vectors computed by hand, and known bugs of others.

#include "ns3/boolean.h"
#include "ns3/rdma-patched-timely.h"
#include "ns3/rdma-timely.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;

namespace
{

constexpr double G = 1e9;
constexpr int64_t US = 1000000; // picoseconds
constexpr double EPS = 1;       // bit/s: the vectors have nine digits after Gb/s

RdmaFlowState
State(double line)
{
    RdmaFlowState state;
    state.lineRate = line;
    state.rate = line;
    state.mtuBytes = 1024;
    state.packetWireBytes = 1122;
    return state;
}

/// A vector: what is known before a sample, and what must follow from it.
struct Vector
{
    double rate;
    int64_t previous; // us
    double difference;
    int64_t rtt;
    uint32_t increases;
    double newDifference;
    double newRate;
    uint32_t newIncreases;
};

template <typename T>
void
Check(const Vector& v)
{
    auto timely = CreateObject<T>();
    timely->SetAttribute("MinRate", StringValue("10Mbps"));
    auto state = State(10 * G);
    timely->Init(state, 0);
    RdmaTimely::History history;
    history.sampled = true;
    history.previousRttPs = v.previous * US;
    history.rttDifferencePs = v.difference * US;
    history.increases = v.increases;
    timely->Force(v.rate * G, history);
    timely->OnSample(state, v.rtt * US);
    EXPECT_NEAR(state.rate, v.newRate * G, EPS) << v.rtt;
    EXPECT_NEAR(timely->GetRate(), v.newRate * G, EPS) << v.rtt;
    EXPECT_NEAR(timely->GetHistory().rttDifferencePs, v.newDifference * US, 1e-3) << v.rtt;
    EXPECT_EQ(timely->GetHistory().increases, v.newIncreases) << v.rtt;
    EXPECT_EQ(timely->GetHistory().previousRttPs, v.rtt * US) << v.rtt;
}

RdmaAckEvent
Ack(int64_t nowPs, uint64_t bytes, int64_t rttPs)
{
    RdmaAckEvent ack;
    ack.nowPs = nowPs;
    ack.ackedBytes = bytes;
    ack.telemetryKind = TelemetryKind::DELAY;
    ack.rttPs = rttPs;
    return ack;
}

} // namespace

// The rules of the public HPCC simulator.
TEST(RdmaTimely, UpdatesPerRoundTrip)
{
    auto timely = CreateObject<RdmaTimely>();
    timely->SetAttribute("UpdatePer", StringValue("RoundTrip"));
    timely->SetAttribute("StartAtLineRate", BooleanValue(true));
    auto state = State(10 * G);
    timely->Init(state, 0);
    const auto ack = [&](uint64_t unacked, uint64_t next, int64_t rttPs) {
        RdmaAckEvent event = Ack(unacked * US, 1024, rttPs);
        event.unackedPsn = unacked;
        event.nextPsn = next;
        timely->OnAck(state, event);
        return state.rate;
    };
    ack(1, 10, 100 * US);
    EXPECT_EQ(timely->GetHistory().previousRttPs, 100 * US - 897600) << "the first ACK counts";
    ack(10, 20, 700 * US);
    EXPECT_EQ(state.rate, 10 * G) << "PSN 10 has not been sent when the last update came";
    EXPECT_LT(ack(11, 20, 700 * US), 10 * G) << "it has now";
    const double before = state.rate;
    EXPECT_EQ(ack(12, 30, 700 * US), before) << "once";
    EXPECT_LT(ack(21, 30, 700 * US), before);
}

TEST(RdmaTimely, ASampleMayIncludeSerialisation)
{
    auto timely = CreateObject<RdmaTimely>();
    timely->SetAttribute("SampleSerialisation", BooleanValue(true));
    auto state = State(10 * G);
    timely->Init(state, 0);
    timely->OnAck(state, Ack(100 * US, 16384, 100 * US));
    EXPECT_EQ(timely->GetHistory().previousRttPs, 100 * US);
}

TEST(RdmaTimely, UpdatesBelowTheLowThresholdMayCount)
{
    auto timely = CreateObject<RdmaTimely>();
    timely->SetAttribute("CountBelowLow", BooleanValue(true));
    auto state = State(10 * G);
    timely->Init(state, 0);
    RdmaTimely::History history;
    history.sampled = true;
    history.increases = 3;
    timely->Force(1 * G, history);
    timely->OnSample(state, 40 * US);
    EXPECT_NEAR(state.rate, 1.01 * G, EPS) << "the fourth is additive";
    timely->OnSample(state, 40 * US);
    EXPECT_NEAR(state.rate, 1.06 * G, EPS) << "the fifth is a hyper increase";
}

TEST(RdmaTimely, Vectors)
{
    Check<RdmaTimely>({5, 100, 0, 40, 3, -52.5, 5.01, 0});
    Check<RdmaTimely>({5, 100, 0, 120, 3, 17.5, 1.5, 0});
    Check<RdmaTimely>({5, 590, 0, 600, 0, 8.75, 4.333333333, 0});
    Check<RdmaTimely>({5, 100, 4, 96, 4, -3, 5.05, 5});
    Check<RdmaTimely>({5, 100, -2, 95, 0, -4.625, 5.01, 1});
    Check<RdmaTimely>({5, 100, 0, 140, 0, 35, .01, 0}); // a factor below 0
}

TEST(RdmaPatchedTimely, Vectors)
{
    Check<RdmaPatchedTimely>({5, 100, 0, 100, 0, 0, 4.985, 0});
    Check<RdmaPatchedTimely>({5, 98, 0, 100, 0, 1.75, 4.97625, 0});
    Check<RdmaPatchedTimely>({5, 110, 0, 100, 0, -8.75, 5.01, 0});
    Check<RdmaPatchedTimely>({5, 90, 0, 100, 0, 8.75, 4.96, 0});
    Check<RdmaPatchedTimely>({5, 590, 0, 600, 0, 8.75, 4.993333333, 0});
}

TEST(RdmaPatchedTimely, WeightOfTheGradient)
{
    EXPECT_EQ(RdmaPatchedTimely::Weight(-1), 0);
    EXPECT_EQ(RdmaPatchedTimely::Weight(-.25), 0);
    EXPECT_EQ(RdmaPatchedTimely::Weight(0), .5);
    EXPECT_EQ(RdmaPatchedTimely::Weight(.125), .75);
    EXPECT_EQ(RdmaPatchedTimely::Weight(.25), 1);
    EXPECT_EQ(RdmaPatchedTimely::Weight(3), 1);
}

TEST(RdmaPatchedTimely, FixedPointHoldsTheRate)
{
    // rate C / N and a round trip of T_low * (1 + N * delta / (b * C)): nothing changes.
    for (const int flows : {2, 10})
    {
        auto timely = CreateObject<RdmaPatchedTimely>();
        auto state = State(10 * G);
        timely->Init(state, 0);
        RdmaTimely::History history;
        history.sampled = true;
        history.previousRttPs = static_cast<int64_t>(50 * US * (1 + flows * .01 / (.008 * 10)));
        timely->Force(10 * G / flows, history);
        timely->OnSample(state, history.previousRttPs);
        EXPECT_NEAR(timely->GetRate(), 10 * G / flows, EPS);
        // The same as a queue: 78125 and 140625 bytes.
        EXPECT_EQ(history.previousRttPs, flows == 2 ? 62500000 : 112500000);
    }
}

TEST(RdmaTimely, FirstSampleOnlySetsThePrevious)
{
    auto timely = CreateObject<RdmaTimely>();
    auto state = State(10 * G);
    timely->Init(state, 0);
    timely->Force(5 * G, RdmaTimely::History());
    timely->OnSample(state, 600 * US); // above the upper threshold
    EXPECT_EQ(timely->GetRate(), 5 * G);
    EXPECT_EQ(timely->GetHistory().rttDifferencePs, 0);
    EXPECT_EQ(timely->GetHistory().previousRttPs, 600 * US);
    timely->OnSample(state, 600 * US);
    EXPECT_LT(timely->GetRate(), 5 * G);
}

TEST(RdmaTimely, OneSampleASegment)
{
    auto timely = CreateObject<RdmaTimely>();
    auto state = State(10 * G);
    timely->Init(state, 0);
    for (int i = 1; i <= 15; i++)
    {
        timely->OnAck(state, Ack(i * US, 1024, 77 * US));
        EXPECT_FALSE(timely->GetHistory().sampled);
    }
    timely->OnAck(state, Ack(16 * US, 1024, 78 * US)); // 16384 bytes
    EXPECT_TRUE(timely->GetHistory().sampled);
    // Its own serialisation is no part of the sample: 1122 bytes at 10 Gb/s.
    EXPECT_EQ(timely->GetHistory().previousRttPs, 78 * US - 897600);
}

TEST(RdmaTimely, NoTwoUpdatesWithinMinRtt)
{
    auto timely = CreateObject<RdmaTimely>();
    auto state = State(100 * G);
    timely->Init(state, 0);
    int updates = 0;
    int64_t last = -1;
    for (int i = 1; i <= 1000; i++) // a segment every 2 us, for 2 ms
    {
        timely->OnAck(state, Ack(2 * i * US, 16384, 70 * US));
        updates += timely->GetHistory().updatedPs != last;
        last = timely->GetHistory().updatedPs;
    }
    EXPECT_EQ(updates, 100); // one in 20 us
}

TEST(RdmaTimely, IgnoresWhatIsNoSample)
{
    auto timely = CreateObject<RdmaTimely>();
    auto state = State(10 * G);
    timely->Init(state, 0);
    RdmaAckEvent nak = Ack(US, 16384, 900 * US);
    nak.nak = true;
    timely->OnAck(state, nak);
    RdmaAckEvent bare;
    bare.nowPs = 2 * US;
    bare.ackedBytes = 16384;
    timely->OnAck(state, bare);
    EXPECT_FALSE(timely->GetHistory().sampled);
}

TEST(RdmaTimely, LimitsOfTheRate)
{
    auto timely = CreateObject<RdmaTimely>();
    auto state = State(10 * G);
    timely->Init(state, 0);
    for (int i = 0; i < 3000; i++)
    {
        timely->OnSample(state, 30 * US);
    }
    EXPECT_EQ(timely->GetRate(), 10 * G);
    for (int i = 0; i < 3000; i++)
    {
        timely->OnSample(state, 5000 * US);
    }
    EXPECT_EQ(timely->GetRate(), .1 * G); // 1/100 of the line
}

TEST(RdmaTimely, RateAtTheStart)
{
    auto timely = CreateObject<RdmaTimely>();
    auto state = State(10 * G);
    timely->Init(state, 0);
    EXPECT_EQ(state.rate, 10 * G);
    state.activeFlows = 3;
    timely->Init(state, 0);
    EXPECT_EQ(state.rate, 2.5 * G);
    timely->SetAttribute("StartAtLineRate", BooleanValue(true));
    timely->Init(state, 0);
    EXPECT_EQ(state.rate, 10 * G);
    timely->SetAttribute("InitialRate", StringValue("7Gbps"));
    timely->Init(state, 0);
    EXPECT_EQ(state.rate, 7 * G);
}

TEST(RdmaTimely, DeltaScalesWithTheLine)
{
    for (const double line : {10 * G, 25 * G, 40 * G, 100 * G})
    {
        auto timely = CreateObject<RdmaTimely>();
        auto state = State(line);
        timely->Init(state, 0);
        RdmaTimely::History history;
        history.sampled = true;
        timely->Force(line / 2, history);
        timely->OnSample(state, 40 * US);
        EXPECT_NEAR(timely->GetRate(), line / 2 + line / 1000, EPS);
    }
}

TEST(RdmaTimely, ThresholdsTheWrongWayRoundAreRefused)
{
    auto timely = CreateObject<RdmaTimely>();
    timely->SetAttribute("LowThreshold", StringValue("600us"));
    auto state = State(10 * G);
    EXPECT_THROW(timely->Init(state, 0), std::invalid_argument);
}

TEST(RdmaTimely, BurstPacingKeepsTheAverage)
{
    auto timely = CreateObject<RdmaTimely>();
    timely->SetAttribute("BurstPacing", BooleanValue(true));
    timely->SetAttribute("InitialRate", StringValue("2Gbps"));
    auto state = State(10 * G);
    timely->Init(state, 0);
    EXPECT_EQ(timely->GetHooks(), RdmaCongestionOps::ON_ACK | RdmaCongestionOps::ON_SENT);
    EXPECT_EQ(state.rate, 10 * G);
    double seconds = 0;
    for (int packet = 1; packet <= 160; packet++)
    {
        timely->OnSent(state, 1122, 0);
        seconds += 1122 * 8 / state.rate; // until the next packet
        if (packet % 16)
        {
            EXPECT_EQ(state.rate, 10 * G) << packet; // a segment has 16 packets
        }
        else
        {
            EXPECT_LT(state.rate, .2 * G) << packet;
        }
    }
    EXPECT_NEAR(160 * 1122 * 8 / seconds, 2 * G, 10);
}
