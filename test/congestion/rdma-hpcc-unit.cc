// SPDX-License-Identifier: GPL-2.0-only

// RdmaHpcc: once per round trip, modes, corner cases, and known bugs of others.

#include "hpcc-test-util.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/rdma-hpcc.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace hpcctest;

namespace
{

/// A sender of 100 Gb/s with a base RTT of 13 us, and the ACKs that it gets.
class Sender
{
  public:
    template <typename... Args>
    explicit Sender(Args&&... args)
    {
        hpcc = CreateObject<RdmaHpcc>();
        Set(std::forward<Args>(args)...);
        state.lineRate = state.rate = 100 * G;
        state.baseRttPs = T_PS;
        state.mtuBytes = 1000;
        hpcc->Init(state, 0);
    }

    /// An ACK. @param psn acknowledged @param next to be sent @param telemetry what it carries
    /// @param nowPs time
    void Ack(uint64_t psn, uint64_t next, const FrameTelemetry& telemetry, int64_t nowPs = 0)
    {
        RdmaAckEvent ack;
        ack.nowPs = nowPs;
        ack.unackedPsn = psn + 1;
        ack.nextPsn = next;
        ack.nak = nak;
        ack.telemetryKind = hpcc->GetTelemetry();
        ack.telemetry = &telemetry;
        hpcc->OnAck(state, ack);
    }

    const HpccWindow& Window() const
    {
        return hpcc->GetWindow();
    }

    Ptr<RdmaHpcc> hpcc;
    RdmaFlowState state;
    bool nak{false};

  private:
    void Set()
    {
    }

    template <typename Value, typename... Args>
    void Set(const char* name, const Value& value, Args&&... args)
    {
        hpcc->SetAttribute(name, value);
        Set(std::forward<Args>(args)...);
    }
};

/// Wire bytes of a full packet of Sender: 42 of telemetry, 62 of headers, 20 of gap.
constexpr double WIRE = 1000 + 42 + 62 + 20;

} // namespace

TEST(RdmaHpcc, StartsAtLineRateWithAWindowOfPayload)
{
    const Sender sender;
    EXPECT_EQ(sender.state.rate, 100 * G);
    EXPECT_EQ(sender.state.window, static_cast<uint64_t>(W_INIT * 1000 / WIRE));
    EXPECT_EQ(sender.hpcc->GetTelemetry(), TelemetryKind::INT);
    const std::string speeds = IntFormat::DEFAULT_SPEEDS;
    EXPECT_EQ(sender.hpcc->GetSwitchExtensions(),
              std::vector<std::string>{"ns3::IntStamper[LinkSpeeds=" + speeds +
                                       "|Multiplier=1|PintBase=1.05]"});
    EXPECT_EQ(sender.hpcc->GetHooks(), static_cast<uint32_t>(RdmaCongestionOps::ON_ACK));
}

TEST(RdmaHpcc, RateIsWindowOverT)
{
    Sender sender;
    sender.Ack(0, 100, Int({{0, 0, 80000}}));
    EXPECT_EQ(sender.Window().GetBytes(), W_INIT); // the baseline changes nothing
    sender.Ack(100, 200, Int({{13000, 128 * 1200, 80000}}));
    const double u = 128 * 1200 * 8 / 13000.0 / 100 + 80000 / W_INIT;
    const double bytes = W_INIT / (u / .95) + 80;
    EXPECT_NEAR(sender.Window().GetBytes(), bytes, 1e-6);
    EXPECT_NEAR(sender.state.rate, bytes * 8 / 13e-6, 1);
    EXPECT_EQ(sender.state.window, static_cast<uint64_t>(bytes * (1000 / WIRE)));
}

/// lastUpdateSeq: the first packet sent after an update must be acknowledged.
TEST(RdmaHpcc, ReferenceChangesOncePerRoundTrip)
{
    Sender sender;
    sender.Ack(0, 100, Int({{0, 0, 80000}}));
    for (uint64_t psn = 1; psn < 100; ++psn)
    {
        sender.Ack(psn, 100 + psn, Int({{psn * 100, 1280 * psn, 80000}}));
        EXPECT_EQ(sender.Window().GetReference(), W_INIT) << psn;
    }
    EXPECT_LT(sender.Window().GetBytes(), W_INIT); // and yet it has reacted
    sender.Ack(100, 200, Int({{10000, 128000, 80000}}));
    EXPECT_EQ(sender.Window().GetReference(), sender.Window().GetBytes());
}

TEST(RdmaHpcc, WithoutTheGateItCollapses)
{
    Sender gated;
    Sender free("OncePerRtt", BooleanValue(false));
    for (uint64_t psn = 0; psn < 100; ++psn)
    {
        const auto telemetry = Int({{psn * 100, 1280 * psn, 80000}});
        gated.Ack(psn, 100 + psn, telemetry);
        free.Ack(psn, 100 + psn, telemetry);
    }
    EXPECT_GT(gated.state.rate, 60 * G);
    EXPECT_LT(free.state.rate, 1 * G);
}

TEST(RdmaHpcc, PerRttModeIgnoresAcksBetween)
{
    Sender sender("FastReact", BooleanValue(false));
    sender.Ack(0, 100, Int({{0, 0, 80000}}));
    for (uint64_t psn = 1; psn < 100; ++psn)
    {
        sender.Ack(psn, 100 + psn, Int({{psn * 100, 1280 * psn, 80000}}));
        EXPECT_EQ(sender.Window().GetBytes(), W_INIT);
    }
    // Compared with the ACK of one round trip ago, not with the one before.
    sender.Ack(100, 200, Int({{13000, 166400, 80000}}));
    EXPECT_NEAR(sender.Window().GetUtilisation(), 1.024 + 80000 / W_INIT, 1e-9);
}

TEST(RdmaHpcc, PathChangeKeepsWindowAndReference)
{
    Sender sender;
    sender.Ack(0, 100, Int({{0, 0, 80000}}, 1));
    sender.Ack(100, 200, Int({{13000, 166400, 80000}}, 1));
    const double bytes = sender.Window().GetBytes();
    const double reference = sender.Window().GetReference();
    ASSERT_LT(bytes, W_INIT);
    sender.Ack(200, 300, Int({{5, 128000000, 8000000}}, 2));
    EXPECT_EQ(sender.Window().GetBytes(), bytes);
    EXPECT_EQ(sender.Window().GetReference(), reference);
    sender.Ack(201, 301, Int({{1005, 128000000, 0}}, 2));
    EXPECT_NE(sender.Window().GetBytes(), bytes);
}

TEST(RdmaHpcc, TooManyHopsAreIgnoredAndCounted)
{
    Sender sender;
    auto telemetry = Int({{0, 0, 8000000}});
    telemetry.hops.hops = 6;
    for (uint64_t psn = 0; psn < 3; ++psn)
    {
        sender.Ack(psn, 100, telemetry);
    }
    EXPECT_EQ(sender.hpcc->GetIntOverflows(), 3U);
    EXPECT_EQ(sender.Window().GetBytes(), W_INIT);
    telemetry.hops.hops = 0; // a cable
    sender.Ack(4, 100, telemetry);
    EXPECT_EQ(sender.hpcc->GetIntOverflows(), 3U);
    EXPECT_EQ(sender.state.rate, 100 * G);
}

/// After going back, sequence numbers are below lastUpdateSeq for long: updates must go on.
TEST(RdmaHpcc, GoingBackDoesNotStopUpdates)
{
    for (const bool timeout : {false, true})
    {
        Sender sender;
        sender.Ack(0, 1000, Int({{0, 0, 80000}}));
        if (timeout)
        {
            sender.hpcc->OnTimeout(sender.state, 0);
        }
        else
        {
            sender.nak = true;
            sender.Ack(0, 1, Int({{100, 1280, 80000}}));
            EXPECT_EQ(sender.Window().GetReference(), W_INIT); // a NAK is not a round trip
            sender.nak = false;
        }
        sender.Ack(1, 2, Int({{13000, 166400, 80000}}));
        EXPECT_LT(sender.Window().GetReference(), W_INIT) << timeout;
    }
}

/// All before the first packet is acknowledged: PSN 0 - 1 must not count as the far future.
TEST(RdmaHpcc, NakOfTheFirstPacket)
{
    Sender sender;
    sender.nak = true;
    sender.Ack(UINT64_MAX, 0, Int({{0, 0, 80000}}));
    sender.nak = false;
    sender.Ack(0, 2, Int({{13000, 166400, 80000}}));
    EXPECT_LT(sender.Window().GetReference(), W_INIT);
}

/// A paused hop sends nothing and holds much: the window shrinks.
TEST(RdmaHpcc, PausedHopIsBusy)
{
    Sender sender;
    sender.Ack(0, 100, Int({{0, 0, 400000}}));
    sender.Ack(100, 200, Int({{13000, 1280, 400000}}));
    EXPECT_LT(sender.state.rate, 45 * G); // U = 2.47
}

TEST(RdmaHpcc, IdleRestartTakesABaseline)
{
    Sender sender;
    sender.Ack(0, 100, Int({{0, 0, 80000}}));
    sender.Ack(100, 200, Int({{13000, 166400, 80000}}));
    const double bytes = sender.Window().GetBytes();
    sender.Ack(200, 300, Int({{26000, 332800, 8000000}}), 20000000000);
    EXPECT_EQ(sender.Window().GetBytes(), bytes);
}

TEST(RdmaHpcc, SlowFlowKeepsOnePacket)
{
    Sender sender("MinWindow", UintegerValue(1));
    sender.Ack(0, 1, Int({{0, 0, 8000000}}));
    for (uint64_t i = 1; i < 20; ++i)
    {
        sender.Ack(i, i + 1, Int({{i * 13000, 0, 8000000}}));
    }
    EXPECT_LT(sender.state.window, 1000U);
    EXPECT_GE(sender.state.window, 1U); // 0 would be no limit
    EXPECT_NEAR(sender.state.rate, sender.Window().GetBytes() * 8 / 13e-6, 1);
}

TEST(RdmaHpcc, MultiRateKeepsAWindowPerHop)
{
    Sender one;
    Sender many("MultiRate", BooleanValue(true));
    const auto both = [&](uint64_t psn, const FrameTelemetry& telemetry) {
        one.Ack(psn, psn + 1, telemetry);
        many.Ack(psn, psn + 1, telemetry);
    };
    both(0, Int({{0, 0, 80000}, {0, 0, 0}}));
    both(1, Int({{13000, 162432, 80000}, {13000, 0, 0}}));
    EXPECT_NEAR(one.Window().GetBytes(), many.Window().GetBytes(), 1e-6);
    // The jam moves to the other hop: the first one's window does not forget.
    both(2, Int({{26000, 162432, 0}, {26000, 162432, 0}}));
    EXPECT_NEAR(many.Window().GetBytes(), one.Window().GetBytes(), 1e4);
    EXPECT_LT(many.Window().GetBytes(), W_INIT);
    // Another path: all hops start from the window in force.
    const double bytes = many.Window().GetBytes();
    many.Ack(3, 4, Int({{0, 0, 0}, {0, 0, 0}}, 9));
    EXPECT_EQ(many.Window().GetBytes(), bytes);
}

TEST(RdmaHpcc, SampleFeedbackLooksAtQueuesOnlyWithinARoundTrip)
{
    Sender sender("SampleFeedback", BooleanValue(true));
    sender.Ack(0, 100, Int({{0, 0, 0}}));
    sender.Ack(1, 101, Int({{1000, 25600, 0}})); // twice the line, no queue
    EXPECT_EQ(sender.Window().GetBytes(), W_INIT);
    sender.Ack(2, 102, Int({{2000, 51200, 800}}));
    EXPECT_LT(sender.Window().GetBytes(), W_INIT);
    sender.Ack(102, 202, Int({{15000, 384000, 0}})); // a round trip: always
    EXPECT_LT(sender.Window().GetReference(), W_INIT);
}

TEST(RdmaHpcc, WindowModes)
{
    const Sender none("UseWindow", BooleanValue(false));
    EXPECT_EQ(none.state.window, 0U);
    Sender fixed("VariableWindow", BooleanValue(false));
    const uint64_t first = fixed.state.window;
    fixed.Ack(0, 100, Int({{0, 0, 80000}}));
    fixed.Ack(100, 200, Int({{13000, 166400, 80000}}));
    EXPECT_LT(fixed.state.rate, 80 * G);
    EXPECT_EQ(fixed.state.window, first);
}

TEST(RdmaHpcc, IncreaseAndLeastWindowAsRates)
{
    const Sender bytes;
    EXPECT_EQ(bytes.hpcc->GetParameters().increaseBytes, 80);
    EXPECT_EQ(bytes.hpcc->GetParameters().minBytes, 80);
    // 40 Mb/s and 1 Gb/s, times 13 us.
    const Sender rates("IncreaseRate", StringValue("40Mbps"), "MinRate", StringValue("1Gbps"));
    EXPECT_DOUBLE_EQ(rates.hpcc->GetParameters().increaseBytes, 65);
    EXPECT_DOUBLE_EQ(rates.hpcc->GetParameters().minBytes, 1625);
    const Sender increase("IncreaseRate", StringValue("40Mbps"));
    EXPECT_DOUBLE_EQ(increase.hpcc->GetParameters().minBytes, 65);
    const Sender window("IncreaseRate", StringValue("40Mbps"), "MinWindow", UintegerValue(500));
    EXPECT_DOUBLE_EQ(window.hpcc->GetParameters().minBytes, 500);
    const Sender most("MinRate", StringValue("400Gbps"));
    EXPECT_DOUBLE_EQ(most.hpcc->GetParameters().minBytes, W_INIT);
}

TEST(RdmaHpcc, PintSetsTheWindowFromTheSwitchesAverage)
{
    Sender sender("Telemetry", StringValue("Pint"));
    const PintCode code(1.05);
    FrameTelemetry telemetry;
    telemetry.pint = {code.Encode(1.9)};
    sender.Ack(1, 100, telemetry);
    EXPECT_EQ(sender.Window().GetBytes(), W_INIT) << "the first begins the first round trip";
    sender.Ack(2, 100, telemetry);
    const double decoded = code.Decode(code.Encode(1.9));
    EXPECT_NEAR(sender.Window().GetBytes(), W_INIT / (decoded / .95) + 80, 1e-6);
    EXPECT_EQ(sender.hpcc->GetTelemetry(), TelemetryKind::PINT);
    EXPECT_EQ(sender.hpcc->GetName(), "HPCC-PINT");
    telemetry.pint = {0}; // no switch on the way
    const double bytes = sender.Window().GetBytes();
    sender.Ack(100, 200, telemetry);
    EXPECT_EQ(sender.Window().GetBytes(), bytes);

    Sender never("Telemetry", StringValue("Pint"), "PintProbability", DoubleValue(0));
    telemetry.pint = {code.Encode(1.9)};
    never.Ack(0, 100, telemetry);
    EXPECT_EQ(never.Window().GetBytes(), W_INIT);
}

TEST(RdmaHpcc, AcksWithoutItsTelemetryChangeNothing)
{
    Sender sender;
    RdmaAckEvent ack;
    ack.nextPsn = 1;
    sender.hpcc->OnAck(sender.state, ack);
    FrameTelemetry telemetry;
    telemetry.pint = {1000};
    ack.telemetry = &telemetry;
    ack.telemetryKind = TelemetryKind::PINT;
    sender.hpcc->OnAck(sender.state, ack);
    EXPECT_EQ(sender.state.rate, 100 * G);
}

TEST(RdmaHpcc, NeedsARoundTripTime)
{
    auto hpcc = CreateObject<RdmaHpcc>();
    RdmaFlowState state;
    state.lineRate = 100 * G;
    state.mtuBytes = 1000;
    EXPECT_THROW(hpcc->Init(state, 0), std::invalid_argument);
    hpcc->SetAttribute("BaseRtt", TimeValue(MicroSeconds(13)));
    hpcc->Init(state, 0);
    EXPECT_NEAR(hpcc->GetParameters().maxBytes, W_INIT, 1e-6);
    hpcc->SetAttribute("LinkSpeeds", StringValue("fast"));
    EXPECT_THROW(hpcc->Init(state, 0), std::invalid_argument);
}
