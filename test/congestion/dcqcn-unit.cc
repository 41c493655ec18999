// SPDX-License-Identifier: GPL-2.0-only

// DCQCN against the numeric vectors computed by hand, and known bugs of others.

#include "dcqcn-nic.h"
#include "dcqcn-paper.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/rdma-dcqcn.h"
#include "ns3/rdma-fixed-rate.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr double G = 1e9;
constexpr int64_t US = 1000000; // picoseconds
constexpr int64_t NS = 1000;
constexpr double EPS = 1; // bit/s: the vectors have nine digits after Gb/s

DcqcnParameters
PaperParameters(double aiRate, double haiRate)
{
    DcqcnParameters p;
    p.gain = 1.0 / 256;
    p.initialAlpha = 1;
    p.aiRate = aiRate;
    p.haiRate = haiRate;
    p.minRate = 40e6;
    p.alphaPs = 55 * US;
    p.increasePs = 55 * US;
    p.byteCounter = 10000000;
    p.threshold = 5;
    return p;
}

DcqcnParameters
NicParameters()
{
    DcqcnParameters p;
    p.gain = 1.0 / 256;
    p.initialAlpha = 1;
    p.aiRate = .02 * G;
    p.haiRate = .2 * G;
    p.minRate = .1 * G;
    p.minDecreaseFactor = .5;
    p.alphaPs = US;
    p.decreasePs = 4 * US;
    p.increasePs = 300 * US;
    p.threshold = 1;
    return p;
}

RdmaFlowState
State(double line)
{
    RdmaFlowState state;
    state.lineRate = line;
    state.rate = line;
    return state;
}

} // namespace

// ---- Paper

TEST(DcqcnPaper, Vector1FromLineRate)
{
    auto p = PaperParameters(.04 * G, .4 * G);
    auto state = State(40 * G);
    DcqcnPaper paper(p, 40 * G);
    paper.OnCnp(state, 0);
    EXPECT_NEAR(state.rate, 20 * G, EPS);
    EXPECT_NEAR(paper.GetTarget(), 40 * G, EPS);
    EXPECT_DOUBLE_EQ(paper.GetAlpha(0), 1);
    EXPECT_DOUBLE_EQ(paper.GetAlpha(55 * US - 1), 1);
    EXPECT_DOUBLE_EQ(paper.GetAlpha(55 * US), 0.99609375);
    const double rates[] = {30, 35, 37.5, 38.75, 39.375, 39.6875};
    for (int i = 0; i < 6; i++)
    {
        paper.OnTimer(state, (i + 1) * 55 * US);
        EXPECT_NEAR(state.rate, rates[i] * G, EPS) << i;
        EXPECT_NEAR(paper.GetTarget(), 40 * G, EPS) << i;
    }
}

TEST(DcqcnPaper, Vector2CutsWithTheOldAlpha)
{
    auto p = PaperParameters(.04 * G, .4 * G);
    auto state = State(40 * G);
    state.rate = 10 * G;
    DcqcnPaper paper(p, 40 * G);
    paper.Force(20 * G, .25);
    paper.OnCnp(state, 0);
    EXPECT_NEAR(state.rate, 8.75 * G, EPS);
    EXPECT_NEAR(paper.GetTarget(), 10 * G, EPS);
    EXPECT_NEAR(paper.GetAlpha(0), .2529296875, 1e-10);
    paper.OnCnp(state, 50 * US); // before K: no decay in between
    EXPECT_NEAR(state.rate, 7.643432617 * G, EPS);
    EXPECT_NEAR(paper.GetTarget(), 8.75 * G, EPS);
    EXPECT_NEAR(paper.GetAlpha(50 * US), .2558479309, 1e-10);
}

TEST(DcqcnPaper, Vector3TimerAndByteCounter)
{
    auto p = PaperParameters(.02 * G, .2 * G);
    auto state = State(100 * G);
    DcqcnPaper paper(p, 100 * G);
    paper.OnCnp(state, 0); // starts the counters
    state.rate = 30 * G;
    paper.Force(50 * G, .1);
    int64_t now = 0;
    for (int i = 0; i < 5; i++)
    {
        now += 55 * US;
        paper.OnTimer(state, now);
        paper.OnSent(state, 10000000, now);
    }
    EXPECT_NEAR(state.rate, 50.09546875 * G, EPS);
    EXPECT_NEAR(paper.GetTarget(), 50.22 * G, EPS);
    paper.OnTimer(state, now + 55 * US);
    EXPECT_NEAR(paper.GetTarget(), 50.42 * G, EPS);
    EXPECT_NEAR(state.rate, 50.257734375 * G, EPS);
    paper.OnSent(state, 10000000, now + 55 * US);
    EXPECT_NEAR(paper.GetTarget(), 50.82 * G, EPS);
    EXPECT_NEAR(state.rate, 50.538867188 * G, EPS);
}

TEST(DcqcnPaper, CnpRestartsAlphaTimerCountersAndIncreaseTimer)
{
    auto p = PaperParameters(.04 * G, .4 * G);
    auto state = State(40 * G);
    DcqcnPaper paper(p, 40 * G);
    paper.OnCnp(state, 0);
    paper.OnSent(state, 9999999, US);
    paper.OnCnp(state, 50 * US);
    double rate = state.rate;
    EXPECT_EQ(paper.NextTimer(), 105 * US); // not 55
    paper.OnSent(state, 9999999, 51 * US);  // the byte counter began again
    EXPECT_EQ(state.rate, rate);
    double alpha = paper.GetAlpha(50 * US);
    EXPECT_EQ(paper.GetAlpha(105 * US - 1), alpha); // K counts from the last CNP
    EXPECT_LT(paper.GetAlpha(105 * US), alpha);
}

TEST(DcqcnPaper, LateTimerCatchesUpExactly)
{
    auto p = PaperParameters(.04 * G, .4 * G);
    auto one = State(40 * G);
    auto other = State(40 * G);
    DcqcnPaper a(p, 40 * G);
    DcqcnPaper b(p, 40 * G);
    for (int i = 0; i < 10; i++)
    {
        a.OnCnp(one, i * 50 * US);
        b.OnCnp(other, i * 50 * US);
    }
    for (int64_t t = 500 * US; t < 5000 * US; t += 7 * US)
    {
        a.OnTimer(one, t);
    }
    a.OnTimer(one, 5000 * US);
    b.OnTimer(other, 5000 * US);
    EXPECT_EQ(one.rate, other.rate);
    EXPECT_EQ(a.GetTarget(), b.GetTarget());
    EXPECT_EQ(a.NextTimer(), b.NextTimer());
}

TEST(DcqcnPaper, Pitfall05_NoTimerBeforeTheFirstCnpAndNoneOnceAtLineRate)
{
    auto p = PaperParameters(.04 * G, .4 * G);
    auto state = State(40 * G);
    DcqcnPaper paper(p, 40 * G);
    EXPECT_EQ(paper.NextTimer(), DcqcnPaper::NEVER);
    paper.OnSent(state, 100000000, US);
    EXPECT_EQ(paper.NextTimer(), DcqcnPaper::NEVER);
    for (int i = 0; i < 20; i++)
    {
        paper.OnCnp(state, i * 50 * US);
    }
    int timers = 0;
    while (paper.NextTimer() != DcqcnPaper::NEVER)
    {
        ASSERT_LT(timers++, 2000) << "the increase timer never ends";
        paper.OnTimer(state, paper.NextTimer());
        EXPECT_LE(state.rate, 40 * G);
    }
    EXPECT_EQ(state.rate, 40 * G);
    EXPECT_EQ(paper.GetTarget(), 40 * G);
}

TEST(DcqcnPaper, RateStaysAboveTheMinimum)
{
    auto p = PaperParameters(.04 * G, .4 * G);
    auto state = State(40 * G);
    DcqcnPaper paper(p, 40 * G);
    for (int i = 0; i < 100; i++)
    {
        paper.OnCnp(state, i * US);
    }
    EXPECT_EQ(state.rate, 40e6);
}

// ---- Nic

TEST(DcqcnNic, VectorFirstCnpThenRecovery)
{
    auto p = NicParameters();
    auto state = State(100 * G);
    DcqcnNic nic(p, 100 * G);
    nic.OnCnp(state, 0);
    EXPECT_EQ(state.rate, 100 * G); // CNPs only set flags
    EXPECT_EQ(nic.NextTimer(), 4 * US + NS);
    EXPECT_NEAR(nic.GetAlpha(4 * US), .9844663145, 1e-10);
    nic.OnTimer(state, 4 * US + NS);
    EXPECT_NEAR(state.rate, 50.776684273 * G, EPS);
    EXPECT_EQ(nic.GetTarget(), 100 * G);
    const double rates[] = {75.388342136, 87.694171068, 93.847085534};
    for (double rate : rates)
    {
        int64_t at = nic.NextTimer();
        nic.OnTimer(state, at);
        EXPECT_NEAR(state.rate, rate * G, EPS);
        EXPECT_EQ(nic.GetTarget(), 100 * G);
    }
}

TEST(DcqcnNic, VectorSecondCutLowersTheTarget)
{
    auto p = NicParameters();
    auto state = State(100 * G);
    DcqcnNic nic(p, 100 * G);
    nic.OnCnp(state, 0);
    for (int i = 0; i < 4; i++)
    {
        nic.OnTimer(state, nic.NextTimer());
    }
    EXPECT_NEAR(state.rate, 93.847085534 * G, EPS);
    // A CNP, and alpha forced to what the vector wants at the tick: no tick of Ta in between.
    p.alphaPs = INT64_MAX / 4;
    int64_t now = 4 * US + NS + 3 * 300 * US + NS;
    nic.OnCnp(state, now);
    nic.Force(nic.GetTarget(), .5);
    nic.OnTimer(state, nic.NextTimer());
    EXPECT_NEAR(nic.GetTarget(), 93.847085534 * G, EPS); // stage > 0
    EXPECT_NEAR(state.rate, 70.385314151 * G, EPS);
    EXPECT_EQ(nic.GetStage(), 0);
}

TEST(DcqcnNic, CutsWithoutIncreaseBetweenKeepTheTarget)
{
    auto p = NicParameters();
    auto state = State(100 * G);
    DcqcnNic nic(p, 100 * G);
    for (int i = 0; i < 5; i++)
    {
        nic.OnCnp(state, i * 4 * US);
        nic.OnTimer(state, nic.NextTimer());
    }
    EXPECT_EQ(nic.GetTarget(), 100 * G);
    EXPECT_LT(state.rate, 5 * G);

    p.clampTarget = true;
    auto clamped = State(100 * G);
    DcqcnNic other(p, 100 * G);
    for (int i = 0; i < 2; i++)
    {
        other.OnCnp(clamped, i * 4 * US + 2 * NS);
        other.OnTimer(clamped, other.NextTimer());
    }
    EXPECT_LT(other.GetTarget(), 60 * G);
}

TEST(DcqcnNic, AtMostOneCutATick)
{
    auto p = NicParameters();
    auto state = State(100 * G);
    DcqcnNic nic(p, 100 * G);
    for (int i = 0; i < 1000; i++)
    {
        nic.OnCnp(state, i * NS);
    }
    EXPECT_EQ(nic.NextTimer(), 4 * US + NS);
    nic.OnTimer(state, 4 * US + NS);
    EXPECT_GE(state.rate, 50 * G);
    EXPECT_EQ(nic.NextTimer(), 304 * US + NS); // only the increase is left
}

TEST(DcqcnNic, CutKeepsAtLeastTheMinimumShare)
{
    auto p = NicParameters();
    p.minDecreaseFactor = .9;
    auto state = State(100 * G);
    DcqcnNic nic(p, 100 * G);
    nic.OnCnp(state, 0);
    nic.OnTimer(state, 4 * US + NS);
    EXPECT_NEAR(state.rate, 90 * G, EPS);
}

TEST(DcqcnNic, CutsFollowTheTickerOfTheFirstCnp)
{
    auto p = NicParameters();
    auto state = State(100 * G);
    DcqcnNic nic(p, 100 * G);
    nic.OnCnp(state, 7 * US);
    nic.OnTimer(state, 12 * US);
    nic.OnCnp(state, 7 * US + 90 * US);
    EXPECT_EQ(nic.NextTimer(), 7 * US + NS + 92 * US);
}

TEST(DcqcnNic, AlphaOfOneCnpPeriodWithTheNicGain)
{
    auto p = NicParameters();
    p.gain = 1 - 1019.0 / 1024;
    auto state = State(100 * G);
    DcqcnNic nic(p, 100 * G);
    nic.OnCnp(state, 0);
    nic.OnTimer(state, 4 * US + NS);
    nic.OnCnp(state, 4 * US + 2 * NS);
    nic.Force(100 * G, .5);
    EXPECT_NEAR(nic.GetAlpha(5 * US), .50244140625, 1e-12);
}

TEST(DcqcnNic, ACnpMayCountForTheExpiryAtItsTime)
{
    for (const bool before : {false, true})
    {
        auto p = NicParameters();
        p.cnpBeforeAlpha = before;
        auto state = State(100 * G);
        DcqcnNic nic(p, 100 * G);
        nic.OnCnp(state, 0);
        nic.OnTimer(state, 4 * US + NS);
        nic.Force(100 * G, .5);
        nic.OnCnp(state, 5 * US);
        EXPECT_NEAR(nic.GetAlpha(5 * US), (1 - p.gain) * .5 + (before ? p.gain : 0), 1e-12);
    }
}

TEST(DcqcnNic, AlphaByElapsedTimeEqualsTickByTick)
{
    auto p = NicParameters();
    auto state = State(100 * G);
    DcqcnNic nic(p, 100 * G);
    double alpha = 1;
    bool cnp = false;
    int64_t next = 0;
    nic.OnCnp(state, 0);
    for (int64_t tick = 1; tick <= 500; tick++)
    {
        // CNPs at odd places between the ticks
        while (next + 1700 * NS < tick * US)
        {
            next += 1700 * NS;
            nic.OnCnp(state, next);
            cnp = true;
        }
        alpha = (1 - p.gain) * alpha + (cnp ? p.gain : 0);
        cnp = false;
        ASSERT_NEAR(nic.GetAlpha(tick * US), alpha, 1e-12) << tick;
    }
}

TEST(DcqcnNic, Pitfall05_TimersEndAtLineRate)
{
    auto p = NicParameters();
    auto state = State(100 * G);
    DcqcnNic nic(p, 100 * G);
    EXPECT_EQ(nic.NextTimer(), DcqcnNic::NEVER);
    for (int i = 0; i < 50; i++)
    {
        nic.OnCnp(state, i * 5 * US);
    }
    int timers = 0;
    while (nic.NextTimer() != DcqcnNic::NEVER)
    {
        ASSERT_LT(timers++, 2000) << "the increase timer never ends";
        nic.OnTimer(state, nic.NextTimer());
    }
    EXPECT_EQ(state.rate, 100 * G);
}

// ---- the object

TEST(RdmaDcqcn, DefaultsOfTheDialectsScaleWithTheLine)
{
    auto dcqcn = CreateObject<RdmaDcqcn>();
    dcqcn->SetAttribute("Dialect", StringValue("Paper"));
    auto state = State(40 * G);
    dcqcn->Init(state, 0);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().gain, 1.0 / 256);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().aiRate, 40e6);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().haiRate, 400e6);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().minRate, 40e6);
    EXPECT_EQ(dcqcn->GetParameters().byteCounter, 10000000);
    EXPECT_EQ(dcqcn->GetParameters().threshold, 5);
    EXPECT_EQ(dcqcn->GetHooks(), RdmaCongestionOps::ON_SENT);

    dcqcn->SetAttribute("Dialect", StringValue("Nic"));
    state = State(100 * G);
    dcqcn->Init(state, 0);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().gain, .0048828125);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().initialAlpha, 1023.0 / 1024);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().aiRate, 20e6);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().haiRate, 200e6);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().minRate, 1e6);
    EXPECT_EQ(dcqcn->GetParameters().increasePs, 300 * US);
    EXPECT_EQ(dcqcn->GetParameters().threshold, 1);
    EXPECT_EQ(dcqcn->GetHooks(), 0);
}

TEST(RdmaDcqcn, StrawmanIsPaperWithTheConstantsOfQcn)
{
    auto dcqcn = CreateObject<RdmaDcqcn>();
    dcqcn->SetAttribute("Dialect", StringValue("Strawman"));
    auto state = State(40 * G);
    dcqcn->Init(state, 0);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().gain, 1.0 / 16);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().initialAlpha, 1);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().aiRate, 40e6);
    EXPECT_EQ(dcqcn->GetParameters().byteCounter, 150000);
    EXPECT_EQ(dcqcn->GetParameters().increasePs, 1500 * US);
    EXPECT_EQ(dcqcn->GetParameters().threshold, 5);
    EXPECT_EQ(dcqcn->GetHooks(), RdmaCongestionOps::ON_SENT);
    dcqcn->OnCnp(state, 0);
    EXPECT_EQ(state.rate, 20 * G); // at once: the reaction point of the paper
}

TEST(RdmaDcqcn, AttributesOverrideDefaults)
{
    auto dcqcn = CreateObject<RdmaDcqcn>();
    dcqcn->SetAttribute("AiRate", StringValue("7Mbps"));
    dcqcn->SetAttribute("IncreaseTimer", StringValue("900us"));
    dcqcn->SetAttribute("MinRate", StringValue("200Gbps"));
    auto state = State(100 * G);
    dcqcn->Init(state, 0);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().aiRate, 7e6);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().haiRate, 70e6);
    EXPECT_EQ(dcqcn->GetParameters().increasePs, 900 * US);
    EXPECT_DOUBLE_EQ(dcqcn->GetParameters().minRate, 100 * G); // never above the line
}

TEST(RdmaDcqcn, EqualOnesShareTheirConstants)
{
    const auto make = [](const char* aiRate, double lineRate) {
        auto dcqcn = CreateObject<RdmaDcqcn>();
        dcqcn->SetAttribute("AiRate", StringValue(aiRate));
        auto state = State(lineRate);
        dcqcn->SetUsed();
        dcqcn->Init(state, 0);
        return dcqcn;
    };
    const auto first = make("0Mbps", 100 * G);
    EXPECT_TRUE(first->ShareWith(nullptr));
    const auto equal = make("0Mbps", 100 * G);
    EXPECT_TRUE(equal->ShareWith(PeekPointer(first)));
    EXPECT_EQ(&equal->GetParameters(), &first->GetParameters());
    for (const auto& other : {make("8Mbps", 100 * G), make("0Mbps", 40 * G)})
    {
        EXPECT_TRUE(other->ShareWith(PeekPointer(first)));
        EXPECT_NE(&other->GetParameters(), &first->GetParameters());
    }
    auto state = State(100 * G);
    equal->OnCnp(state, 0);
    equal->OnCnp(state, 10 * US);
    EXPECT_NE(equal->GetAlpha(10 * US), first->GetAlpha(10 * US)); // the state is its own
}

TEST(RdmaDcqcn, Pitfall16_OneCnpAnInterval)
{
    auto dcqcn = CreateObject<RdmaDcqcn>();
    dcqcn->SetAttribute("Dialect", StringValue("Paper"));
    auto state = State(100 * G);
    dcqcn->Init(state, 0);
    int cnps = 0;
    for (int64_t t = 0; t < 500 * US; t += US)
    {
        cnps += dcqcn->OnMarkedData(t);
    }
    EXPECT_EQ(cnps, 10);

    dcqcn->SetAttribute("CnpInterval", StringValue("0s"));
    dcqcn->Init(state, 0);
    EXPECT_TRUE(dcqcn->OnMarkedData(600 * US));
    EXPECT_TRUE(dcqcn->OnMarkedData(600 * US));
}

TEST(RdmaFixedRate, RateIsKeptAndCapped)
{
    auto fixed = CreateObject<RdmaFixedRate>();
    auto state = State(100 * G);
    fixed->Init(state, 0);
    EXPECT_EQ(state.rate, 100 * G);
    fixed->SetAttribute("Rate", StringValue("25Gbps"));
    fixed->Init(state, 0);
    EXPECT_EQ(state.rate, 25 * G);
    fixed->OnCnp(state, 0);
    EXPECT_EQ(state.rate, 25 * G);
    EXPECT_FALSE(fixed->OnMarkedData(0));
    fixed->SetAttribute("Rate", StringValue("400Gbps"));
    fixed->Init(state, 0);
    EXPECT_EQ(state.rate, 100 * G);
    EXPECT_EQ(fixed->NextTimer(), RdmaCongestionOps::NEVER);
}

// As in the public HPCC simulator.
TEST(RdmaDcqcn, AcksMayBringTheMarks)
{
    auto dcqcn = CreateObject<RdmaDcqcn>();
    EXPECT_FALSE(dcqcn->EchoesMarks());
    EXPECT_TRUE(dcqcn->SendsCnps());
    dcqcn->SetAttribute("MarksInAcks", BooleanValue(true));
    RdmaFlowState state;
    state.lineRate = state.rate = 100 * G;
    dcqcn->Init(state, 0);
    EXPECT_TRUE(dcqcn->EchoesMarks());
    EXPECT_FALSE(dcqcn->SendsCnps());
    EXPECT_TRUE(dcqcn->GetHooks() & RdmaCongestionOps::ON_ACK);
    EXPECT_FALSE(dcqcn->OnMarkedData(0)) << "no CNP";
    RdmaAckEvent ack;
    dcqcn->OnAck(state, ack);
    EXPECT_EQ(dcqcn->NextTimer(), RdmaCongestionOps::NEVER) << "no mark";
    ack.marked = true;
    dcqcn->OnAck(state, ack);
    EXPECT_LT(dcqcn->NextTimer(), RdmaCongestionOps::NEVER) << "as a CNP";
}

TEST(Dcqcn, ReadsBackWhatIsInForce)
{
    const auto read = [](const RdmaCongestionOps& ops, const char* name) {
        StringValue value;
        ops.GetAttribute(name, value);
        return value.Get();
    };
    for (const char* dialect : {"Paper", "Nic", "Strawman"})
    {
        const auto ops = CreateObject<RdmaDcqcn>();
        ops->SetAttribute("Dialect", StringValue(dialect));
        ops->SetAttribute("IncreaseTimer", StringValue("0us")); // the default
        ops->SetAttribute("MinRate", StringValue("200Gbps"));   // more than the line
        RdmaFlowState state;
        state.lineRate = 100 * G;
        ops->SetUsed();
        ops->Init(state, 0);
        const DcqcnParameters& p = ops->GetParameters();
        EXPECT_EQ(Time(read(*ops, "IncreaseTimer")).GetPicoSeconds(), p.increasePs);
        EXPECT_GT(p.increasePs, 0);
        EXPECT_EQ(Time(read(*ops, "AlphaTimer")).GetPicoSeconds(), p.alphaPs);
        EXPECT_GT(Time(read(*ops, "CnpInterval")), Time(0));
        EXPECT_EQ(DataRate(read(*ops, "AiRate")).GetBitRate(), static_cast<uint64_t>(p.aiRate));
        EXPECT_EQ(DataRate(read(*ops, "HaiRate")).GetBitRate(), static_cast<uint64_t>(p.haiRate));
        EXPECT_EQ(DataRate(read(*ops, "MinRate")).GetBitRate(), static_cast<uint64_t>(100 * G));
        EXPECT_EQ(read(*ops, "FastRecoveryTimes"), std::to_string(p.threshold));
        EXPECT_EQ(read(*ops, "ByteCounter"), std::to_string(p.byteCounter));
        EXPECT_NEAR(std::stod(read(*ops, "Gain")), p.gain, 1e-6);
        EXPECT_NEAR(std::stod(read(*ops, "InitialAlpha")), p.initialAlpha, 1e-5);
    }
}
