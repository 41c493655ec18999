// SPDX-License-Identifier: GPL-2.0-only

// HPCC against the numeric vectors computed by hand, its corner cases, and known bugs of others.

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/hpcc-path.h"
#include "ns3/hpcc-window.h"
#include "ns3/nstime.h"
#include "ns3/rdma-hpcc.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <stdexcept>
#include <string>

using namespace ns3;

namespace
{

constexpr double G = 1e9;
constexpr double T_NS = 13000;
constexpr int64_t T_PS = 13000000;
constexpr double W_INIT = 162500; // 100 Gb/s times 13 us

HpccParameters
Parameters()
{
    HpccParameters p;
    p.maxBytes = W_INIT;
    return p;
}

/// One hop as a switch would write it.
struct Seen
{
    uint64_t ns;
    uint64_t txBytes;
    uint64_t queueBytes;
    uint32_t code{2}; // 100 Gb/s
};

FrameTelemetry
Int(std::initializer_list<Seen> hops, uint16_t pathId = 7)
{
    const IntFormat format;
    FrameTelemetry telemetry;
    telemetry.hops = {static_cast<uint8_t>(hops.size()), pathId, {}};
    uint32_t i = 0;
    for (const Seen& hop : hops)
    {
        telemetry.hops.records[i++] =
            format.Quantise(hop.code, hop.ns, hop.txBytes, hop.queueBytes).Pack();
    }
    return telemetry;
}

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
        ack.ackedPsn = psn;
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

// ---- the sender

TEST(RdmaHpcc, StartsAtLineRateWithAWindowOfPayload)
{
    const Sender sender;
    EXPECT_EQ(sender.state.rate, 100 * G);
    EXPECT_EQ(sender.state.window, static_cast<uint64_t>(W_INIT * 1000 / WIRE));
    EXPECT_EQ(sender.hpcc->GetTelemetry(), TelemetryKind::INT);
    EXPECT_EQ(sender.hpcc->GetSwitchExtensions(), std::vector<std::string>{"ns3::IntStamper"});
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

TEST(RdmaHpcc, PintSetsTheWindowFromTheSwitchesAverage)
{
    Sender sender("Telemetry", StringValue("Pint"));
    const PintCode code(1.05);
    FrameTelemetry telemetry;
    telemetry.pint = {code.Encode(1.9)};
    sender.Ack(0, 100, telemetry);
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
