// SPDX-License-Identifier: GPL-2.0-only

// Swift against numeric vectors computed by hand, and known bugs of others.

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/rdma-swift.h"
#include "ns3/string.h"
#include "ns3/swift-window.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;

namespace
{

constexpr double G = 1e9;
constexpr int64_t US = 1000000; // picoseconds
constexpr uint32_t HOPS = 3;

RdmaFlowState
State()
{
    RdmaFlowState state;
    state.lineRate = 100 * G;
    state.rate = state.lineRate;
    state.mtuBytes = 1000;
    state.packetWireBytes = 1100;
    state.baseRttPs = 12 * US;
    return state;
}

/// An ACK of one packet, and the telemetry that it points to.
struct Ack : RdmaAckEvent
{
    Ack(int64_t now, int64_t rtt, uint32_t endpointNs = 0)
    {
        nowPs = now;
        rttPs = rtt;
        ackedBytes = 1000;
        telemetryKind = TelemetryKind::DELAY;
        telemetry = &m_telemetry;
        m_telemetry.delay = {0, endpointNs, HOPS};
    }

  private:
    FrameTelemetry m_telemetry;
};

/// A Swift with a window, ready to decrease.
Ptr<RdmaSwift>
Make(RdmaFlowState& state, double window)
{
    auto swift = CreateObject<RdmaSwift>();
    swift->SetAttribute("BaseTarget", StringValue("25us"));
    swift->Init(state, -1000000 * US);
    swift->Force(window, window, -500000 * US);
    return swift;
}

} // namespace

TEST(SwiftTarget, Vectors)
{
    const SwiftTarget target(25, 1, 100, .1, 100);
    const double vectors[][2] = {{.05, 128},
                                 {.1, 128},
                                 {.5, 70.916211664},
                                 {1, 57.389888830},
                                 {4, 41.062172813},
                                 {16, 32.898314805},
                                 {100, 28},
                                 {200, 28}};
    for (const auto& vector : vectors)
    {
        EXPECT_NEAR(target.Get(HOPS, vector[0]), vector[1], 1e-8) << vector[0];
    }
}

TEST(RdmaSwift, Vectors)
{
    const struct
    {
        double window;
        int64_t delay; // us
        bool canDecrease;
        double newWindow;
        double pace; // us from packet to packet; 0: by the window
    } vectors[] = {{16, 30, true, 16.0625, 0},
                   {16, 60, true, 10.218307158, 0},
                   {16, 60, false, 16, 0},
                   {16, 400, true, 8, 0},
                   {.5, 50, true, 1.5, 0},
                   {.5, 200, true, .25, 800}};

    for (const auto& v : vectors)
    {
        auto state = State();
        auto swift = Make(state, v.window);
        swift->SetAttribute("Pacing", BooleanValue(false));
        if (!v.canDecrease)
        {
            swift->Force(v.window + 1, v.window + 1, 0);
            swift->Force(v.window, v.window, 999 * US);
        }
        swift->OnAck(state, Ack(1000 * US, v.delay * US));
        EXPECT_NEAR(swift->GetWindow(), v.newWindow, 1e-9) << v.delay;
        EXPECT_NEAR(state.rate, v.pace > 0 ? 1100 * 8 / (v.pace * 1e-6) : 100 * G, 1e-3);
        EXPECT_EQ(state.window, static_cast<uint64_t>(std::max(v.newWindow, 1.0) * 1000));
    }
}

TEST(RdmaSwift, DelayAtTheTargetChangesNothing)
{
    auto state = State();
    auto swift = Make(state, 100); // target 28 us, exactly
    swift->OnAck(state, Ack(0, 28 * US));
    EXPECT_EQ(swift->GetWindow(), 100);
    swift->OnAck(state, Ack(0, 28 * US + 1)); // nor was that a decrease
    EXPECT_LT(swift->GetWindow(), 100);
}

TEST(RdmaSwift, OneDecreaseARoundTrip)
{
    auto state = State();
    auto swift = Make(state, 64);
    for (int64_t t = 0; t < 100 * US; t += US)
    {
        swift->OnAck(state, Ack(t, 1000 * US));
    }
    EXPECT_EQ(swift->GetWindow(), 32);
    swift->OnAck(state, Ack(1000 * US, 1000 * US));
    EXPECT_EQ(swift->GetWindow(), 16);
}

TEST(RdmaSwift, IncreaseIsOfARoundTripNotOfAnAck)
{
    auto state = State();
    auto swift = Make(state, 50);
    for (int i = 0; i < 50; i++)
    {
        swift->OnAck(state, Ack(i * US, 20 * US));
    }
    EXPECT_NEAR(swift->GetWindow(), 51, .01);
    auto few = Make(state, 50);
    auto one = Ack(0, 20 * US); // an ACK for 50 packets
    one.ackedBytes = 50000;
    few->OnAck(state, one);
    EXPECT_EQ(few->GetWindow(), 51);
}

TEST(RdmaSwift, WindowBelowOneHasTheTargetOfItsSize)
{
    // Whole packets under the root would make it 0, and the target the largest.
    auto state = State();
    auto swift = Make(state, .9);
    EXPECT_NEAR(swift->GetTarget(HOPS) / US, 28 - 3.265543203 + 32.655432034 / std::sqrt(.9), 1e-6);
}

TEST(RdmaSwift, LossesHalveOnceARoundTripAndTimeoutsReset)
{
    auto state = State();
    auto swift = Make(state, 64);
    Ack nak(0, 20 * US);
    nak.nak = true;
    swift->OnAck(state, nak);
    EXPECT_EQ(swift->GetWindow(), 32);
    nak.nowPs = 10 * US;
    swift->OnAck(state, nak);
    EXPECT_EQ(swift->GetWindow(), 32);
    for (int i = 1; i <= 4; i++)
    {
        swift->OnTimeout(state, i * 1000 * US);
        EXPECT_EQ(swift->GetWindow(), 32.0 / (1 << i));
    }
    swift->OnTimeout(state, 4001 * US);
    EXPECT_EQ(swift->GetWindow(), .001);

    auto other = Make(state, 64);
    for (int i = 1; i <= 8; i++)
    {
        if (i == 4)
        {
            other->OnAck(state, Ack(i * 1000 * US - US, 20 * US)); // new data: the count begins
        }
        other->OnTimeout(state, i * 1000 * US);
    }
    EXPECT_EQ(other->GetWindow(), .001); // the fifth in a row is the eighth
    EXPECT_LT(state.rate, 1 * G);
    EXPECT_EQ(state.window, 1000); // one packet can always leave, at the pace
}

TEST(RdmaSwift, PaceFollowsTheWindow)
{
    auto state = State();
    auto swift = Make(state, .5);
    swift->OnAck(state, Ack(0, 100 * US));
    const double slow = state.rate;
    swift->OnAck(state, Ack(US, 40 * US)); // below the target
    EXPECT_GT(state.rate, 2 * slow);       // at once, not when a timer of the old pace ends
    auto paced = Make(state, 10);
    paced->OnAck(state, Ack(0, 30 * US));
    EXPECT_NEAR(state.rate, paced->GetWindow() * 1100 * 8 / 30e-6, 1);
}

TEST(RdmaSwift, EndpointDelayIsNoFabricDelay)
{
    auto state = State();
    auto swift = Make(state, 100);
    swift->OnAck(state, Ack(0, 300 * US, 280000)); // 20 us of it in the fabric
    EXPECT_EQ(swift->GetFabricDelay(), 20 * US);
    EXPECT_GT(swift->GetWindow(), 100);

    auto both = CreateObject<RdmaSwift>();
    both->SetAttribute("EndpointControl", BooleanValue(true));
    both->Init(state, -1000000 * US);
    both->Force(100, 100, -500000 * US);
    both->OnAck(state, Ack(0, 300 * US, 280000));
    EXPECT_EQ(both->GetEndpointDelay(), 280 * US);
    EXPECT_GT(both->GetFabricWindow(), 100);
    EXPECT_EQ(both->GetEndpointWindow(), 50); // 1 - .8 * 180 / 280 is less than 1 - max_mdf
    EXPECT_EQ(both->GetWindow(), 50);
    both->OnAck(state, Ack(US, 20 * US, 0));
    EXPECT_EQ(both->GetEndpointDelay(), 245 * US); // an average with weight 1/8
}

TEST(RdmaSwift, Start)
{
    auto swift = CreateObject<RdmaSwift>();
    auto state = State();
    swift->Init(state, 0);
    EXPECT_NEAR(swift->GetWindow(), 100 * G * 12e-6 / 8 / 1100, 1e-9);
    EXPECT_NEAR(state.rate, 100 * G, 1);
    EXPECT_NEAR(swift->GetTarget(0) / US, 25, 1e-9);
    state.baseRttPs = 30 * US; // longer than 25 us: the target must lie above
    swift->Init(state, 0);
    EXPECT_NEAR(swift->GetTarget(0) / US, 35, 1e-9);
    swift->SetAttribute("StartAtLineRate", BooleanValue(false));
    swift->Init(state, 0);
    EXPECT_EQ(swift->GetWindow(), 10);
    EXPECT_EQ(state.window, 10000);
    state.baseRttPs = 0; // unknown
    swift->SetAttribute("StartAtLineRate", BooleanValue(true));
    swift->Init(state, 0);
    EXPECT_EQ(swift->GetWindow(), 10);
    EXPECT_EQ(state.rate, 100 * G);
}

TEST(RdmaSwift, LimitsOfTheWindow)
{
    auto state = State();
    auto swift = Make(state, 5000);
    EXPECT_EQ(swift->GetWindow(), 1000);
    for (int i = 0; i < 100; i++)
    {
        swift->OnAck(state, Ack(i * 10000 * US, 5000 * US));
    }
    EXPECT_EQ(swift->GetWindow(), .001);
}

TEST(RdmaSwift, LimitsTheWrongWayRoundAreRefused)
{
    auto state = State();
    auto swift = CreateObject<RdmaSwift>();
    swift->SetAttribute("FlowScalingMinWindow", DoubleValue(100));
    EXPECT_THROW(swift->Init(state, 0), std::invalid_argument);
    auto other = CreateObject<RdmaSwift>();
    other->SetAttribute("MinWindow", DoubleValue(2000));
    EXPECT_THROW(other->Init(state, 0), std::invalid_argument);
}
