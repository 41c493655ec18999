// SPDX-License-Identifier: GPL-2.0-only

// The source of ICC: what a record does to the rate, duplicates, limits; and which record an ACK
// keeps.

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/icc-switch.h"
#include "ns3/rdma-icc.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;

namespace
{

constexpr double G = 1e9;
constexpr int64_t US = 1000000; // picoseconds
constexpr double EPS = 500;     // bit/s: the vectors have six digits of Gb/s

/// A source at 100 Gb/s with T = 20 us and delays of 10 us.
class Source
{
  public:
    explicit Source(const std::string& variant)
    {
        icc->SetAttribute("Variant", StringValue(variant));
        icc->SetAttribute("SignalDelay", TimeValue(MicroSeconds(10)));
        icc->SetAttribute("LoopDelay", TimeValue(MicroSeconds(10)));
        icc->SetAttribute("RoundTrip", TimeValue(MicroSeconds(20)));
        state.lineRate = 100 * G;
        state.baseRttPs = 20 * US;
        state.mtuBytes = 1000;
        state.packetWireBytes = 1125; // 0.6 Gb/s with one in 15 us
        icc->Init(state, 0);
    }

    /// An ACK with a record. @return the new rate
    double Tell(const IccTelemetry& record)
    {
        FrameTelemetry telemetry;
        telemetry.icc = record;
        RdmaAckEvent ack;
        ack.nowPs = nowPs;
        ack.telemetryKind = TelemetryKind::ICC;
        ack.telemetry = &telemetry;
        icc->OnAck(state, ack);
        return state.rate;
    }

    Ptr<RdmaIcc> icc{CreateObject<RdmaIcc>()};
    RdmaFlowState state;
    int64_t nowPs{100 * US};
};

/// @return a record with C = 100G and Q_d = 200 KB, one a call in time
IccTelemetry
Record(uint16_t flows, uint16_t utilisation, uint32_t queueBytes, int32_t queueRateMbps)
{
    static uint32_t timeNs = 0;
    return {++timeNs, queueBytes, queueRateMbps, utilisation, flows, 100000, 200000, 1, 2};
}

/// @return a record of another port
IccTelemetry
At(uint16_t port, IccTelemetry record)
{
    record.port = port;
    return record;
}

} // namespace

TEST(RdmaIcc, StartsAtLineRate)
{
    Source source("Derived");
    EXPECT_EQ(source.state.rate, 100 * G);
    EXPECT_EQ(source.state.window, 0);
    EXPECT_EQ(source.icc->NextTimer(), RdmaCongestionOps::NEVER);
}

TEST(RdmaIcc, DerivedVectors)
{
    Source source("Derived");
    EXPECT_NEAR(source.Tell(Record(2, 10000, 50000, 50000)), 27.95 * G, EPS) << "Qd: two frames";
    EXPECT_NEAR(source.Tell(Record(60, 10000, 100000, 500000)), .6 * G, EPS) << "least rate";
    EXPECT_NEAR(source.Tell(Record(4, 9000, 80000, -10000)), 18.25 * G, EPS);
    EXPECT_NEAR(source.Tell(Record(4, 10000, 5000, 5000)), 24.325 * G, EPS);
    EXPECT_NEAR(source.Tell(Record(4, 10000, 300000, 0)), .6 * G, EPS) << "0 growth is line 7";
    EXPECT_NEAR(source.Tell(Record(2, 10000, 50000, 0)), 40 * G, EPS) << "a rate may be raised";
    EXPECT_NEAR(source.Tell(Record(4, 10000, 80000, -40000)), 22 * G, EPS) << "empty within T";
}

TEST(RdmaIcc, IccIsThatOfThePaper)
{
    const auto icc = CreateObject<RdmaIcc>();
    EXPECT_EQ(icc->GetName(), "ICC");
    icc->SetAttribute("Variant", StringValue("Derived"));
    EXPECT_EQ(icc->GetName(), "ICC (derived)");
}

TEST(RdmaIcc, PublishedLowers)
{
    Source source("Published");
    EXPECT_EQ(source.Tell(Record(2, 10000, 50000, 50000)), 100 * G) << "131.8, at most the line";
    EXPECT_NEAR(source.Tell(Record(4, 9000, 80000, -10000)), 55.5 * G, EPS);
    EXPECT_NEAR(source.Tell(Record(4, 9000, 80000, -40000)), 55.5 * G, EPS) << "empty within T";
    EXPECT_NEAR(source.Tell(Record(4, 10000, 300000, 5000)), 27.903226 * G, EPS);
    EXPECT_NEAR(source.Tell(Record(4, 9000, 80000, -10000)), 27.903226 * G, EPS) << "no raise";
    EXPECT_NEAR(source.Tell(Record(60, 10000, 100000, 500000)), 1 * G, EPS) << "t_m < 0";
}

TEST(RdmaIcc, IncreaseWhileTheQueueIsEmpty)
{
    Source published("Published");
    published.state.rate = 10 * G;
    EXPECT_NEAR(published.Tell(Record(1, 2000, 0, 0)), 82 * G, EPS);
    EXPECT_NEAR(published.Tell(Record(1, 5000, 0, 0)), 91 * G, EPS);
    EXPECT_NEAR(published.Tell(Record(1, 9000, 0, -5000)), 91.9 * G, EPS);
    EXPECT_NEAR(published.Tell(Record(1, 9500, 0, 0)), 92.305 * G, EPS);
    Source source("Derived");
    source.state.rate = 10 * G;
    EXPECT_NEAR(source.Tell(Record(4, 2000, 0, 0)), 25 * G, EPS) << "3/4 of 80 G, for 4 flows";
}

TEST(RdmaIcc, ARecordCountsOnce)
{
    Source source("Published");
    source.icc->SetAttribute("HoldRoundTrips", DoubleValue(0));
    source.icc->Init(source.state, 0);
    source.state.rate = 10 * G;
    const IccTelemetry record = Record(1, 9000, 0, 0);
    const double once = source.Tell(record);
    EXPECT_NEAR(once, 19 * G, EPS);
    EXPECT_EQ(source.Tell(record), once);
    IccTelemetry other = record; // another port, at the same time
    other.port = 3;
    EXPECT_GT(source.Tell(other), once);
    const double twice = source.state.rate;
    EXPECT_EQ(source.Tell(record), twice) << "the first one again";
    EXPECT_EQ(source.Tell(other), twice);
    EXPECT_EQ(source.icc->GetRecords(), 2);
    EXPECT_EQ(source.icc->GetDuplicates(), 3);
}

TEST(RdmaIcc, AQueueHoldsBackWhatOthersAllow)
{
    Source source("Derived");
    EXPECT_NEAR(source.Tell(Record(2, 10000, 50000, 0)), 40 * G, EPS);
    EXPECT_NEAR(source.Tell(At(3, Record(1, 2000, 0, 0))), 40 * G, EPS) << "empty, elsewhere";
    EXPECT_NEAR(source.Tell(At(3, Record(2, 10000, 25000, 0))), 40 * G, EPS) << "45, elsewhere";
    EXPECT_EQ(source.icc->GetRecords(), 1);
    EXPECT_EQ(source.icc->GetHeldBack(), 2);
    EXPECT_NEAR(source.Tell(Record(2, 10000, 25000, 0)), 45 * G, EPS) << "the queue itself";
    source.nowPs += 20 * US - 1; // T after that
    EXPECT_NEAR(source.Tell(At(3, Record(1, 2000, 0, 0))), 45 * G, EPS);
    source.nowPs += 1;
    EXPECT_EQ(source.Tell(At(3, Record(1, 2000, 0, 0))), 100 * G) << "45 + 60";
}

TEST(RdmaIcc, TheLowestOfAllQueuesCounts)
{
    Source source("Derived");
    EXPECT_NEAR(source.Tell(Record(2, 10000, 50000, 0)), 40 * G, EPS);
    EXPECT_NEAR(source.Tell(At(3, Record(4, 10000, 50000, 0))), 20 * G, EPS) << "lower, elsewhere";
    EXPECT_NEAR(source.Tell(Record(2, 10000, 50000, 0)), 20 * G, EPS) << "that one holds";
    EXPECT_NEAR(source.Tell(At(3, Record(4, 10000, 25000, 0))), 22.5 * G, EPS);
    EXPECT_NEAR(source.Tell(At(3, Record(1, 9000, 0, 0))), 30 * G, EPS) << "22.5 + 7.5, below 40";
    EXPECT_NEAR(source.Tell(At(3, Record(1, 9000, 0, 0))), 37.5 * G, EPS);
    EXPECT_NEAR(source.Tell(At(3, Record(1, 9000, 0, 0))), 40 * G, EPS) << "the first one holds";
}

TEST(RdmaIcc, AnEmptyQueueHoldsBackWhatAnIdlerOneAllows)
{
    Source source("Derived");
    source.state.rate = 10 * G;
    EXPECT_NEAR(source.Tell(Record(4, 9000, 0, 0)), 11.875 * G, EPS);
    EXPECT_NEAR(source.Tell(At(3, Record(1, 1000, 0, 0))), 11.875 * G, EPS)
        << "as the first allows";
    EXPECT_EQ(source.icc->GetHeldBack(), 1);
    EXPECT_NEAR(source.Tell(Record(4, 9000, 0, 0)), 13.75 * G, EPS);
}

TEST(RdmaIcc, MoreQueuesThanAPathHas)
{
    Source source("Derived");
    EXPECT_NEAR(source.Tell(At(1, Record(2, 10000, 50000, 0))), 40 * G, EPS);
    for (uint16_t port = 2; port <= 8; ++port)
    {
        EXPECT_NEAR(source.Tell(At(port, Record(2, 10000, 25000, 0))), 40 * G, EPS) << port;
    }
    EXPECT_NEAR(source.Tell(At(9, Record(2, 10000, 25000, 0))), 45 * G, EPS)
        << "takes the place of the first one";
}

TEST(RdmaIcc, HoldRoundTrips)
{
    Source source("Derived");
    source.icc->SetAttribute("HoldRoundTrips", DoubleValue(0));
    source.icc->Init(source.state, 0);
    EXPECT_NEAR(source.Tell(Record(2, 10000, 50000, 0)), 40 * G, EPS);
    EXPECT_EQ(source.Tell(At(3, Record(1, 2000, 0, 0))), 100 * G) << "as they come: 40 + 60";
    source.icc->SetAttribute("HoldRoundTrips", DoubleValue(2.5));
    source.icc->Init(source.state, 0);
    EXPECT_NEAR(source.Tell(Record(2, 10000, 50000, 0)), 40 * G, EPS);
    source.nowPs += 50 * US - 1;
    EXPECT_NEAR(source.Tell(At(3, Record(1, 2000, 0, 0))), 40 * G, EPS);
    source.nowPs += 1;
    EXPECT_EQ(source.Tell(At(3, Record(1, 2000, 0, 0))), 100 * G);
    EXPECT_FALSE(source.icc->SetAttributeFailSafe("HoldRoundTrips", DoubleValue(-1)));
}

TEST(RdmaIcc, DefaultsFollowFromTheReportTimer)
{
    Source source("Derived");
    source.icc->SetAttribute("RoundTrip", TimeValue(Time(0)));
    source.icc->Init(source.state, 0);
    // T is 20 us + 15 us: (100 - 0.4 Mb / 35 us) / 2.
    EXPECT_NEAR(source.Tell(Record(2, 10000, 50000, 0)), (100 * G - 400e3 / 35e-6) / 2, EPS);
    EXPECT_NEAR(source.Tell(Record(60, 10000, 1000000, 0)), .6 * G, EPS) << "a packet in 15 us";
    EXPECT_NEAR(source.Tell(Record(200, 10000, 1000000, 0)), .25 * G, EPS) << "half of the link";
    Source published("Published");
    published.icc->SetAttribute("RoundTrip", TimeValue(Time(0)));
    published.icc->Init(published.state, 0);
    // T is 20 us: (100 + 90 + 0.64 Mb / 20 us) / 4. It holds until the next record has acted.
    EXPECT_NEAR(published.Tell(Record(4, 9000, 80000, 0)), 55.5 * G, EPS);
    published.nowPs += 35 * US - 1;
    EXPECT_NEAR(published.Tell(At(3, Record(1, 2000, 0, 0))), 55.5 * G, EPS);
    published.nowPs += 1;
    EXPECT_NEAR(published.Tell(At(3, Record(1, 2000, 0, 0))), 91.1 * G, EPS);
    source.icc->SetAttribute("ReportTimer", TimeValue(MicroSeconds(30)));
    source.icc->Init(source.state, 0);
    EXPECT_NEAR(source.Tell(Record(2, 10000, 50000, 0)), (100 * G - 400e3 / 50e-6) / 2, EPS);
    EXPECT_NEAR(source.Tell(Record(60, 10000, 1000000, 0)), .3 * G, EPS) << "a packet in 30 us";
}

TEST(RdmaIcc, AnEmptyRecordIsNone)
{
    Source source("Derived");
    source.state.rate = 10 * G;
    EXPECT_EQ(source.Tell(IccTelemetry{}), 10 * G);
    EXPECT_EQ(source.icc->GetRecords(), 0);
}

TEST(RdmaIcc, DelaysAreMeasured)
{
    Source source("Derived");
    source.icc->SetAttribute("SignalDelay", TimeValue(Time(0)));
    source.icc->SetAttribute("LoopDelay", TimeValue(Time(0)));
    source.icc->Init(source.state, 0);
    IccTelemetry record = Record(2, 10000, 50000, 50000);
    record.timeNs = 97000; // 3 us ago, and half the base RTT from the source to the switch
    // (100 + (18 Kb - 0.4 Mb - 50G * 13 us) / 20 us) / 2
    EXPECT_NEAR(source.Tell(record), 24.2 * G, EPS);
    // The time stamp has 32 bits.
    source.nowPs = (int64_t{1} << 32) * 1000 + 1 * US;
    record.timeNs = 0xffffffffU - 1999;
    EXPECT_NEAR(source.Tell(record), 24.2 * G, EPS);
}

TEST(RdmaIcc, Limits)
{
    Source source("Derived");
    source.icc->SetAttribute("MinRate", StringValue("2Gbps"));
    source.icc->SetAttribute("LimitWindow", BooleanValue(true));
    source.icc->Init(source.state, 0);
    EXPECT_EQ(source.state.window, 250000) << "100 Gb/s in 20 us";
    EXPECT_NEAR(source.Tell(Record(60, 10000, 100000, 500000)), 2 * G, EPS);
}

TEST(RdmaIcc, NeedsARoundTrip)
{
    const auto icc = CreateObject<RdmaIcc>();
    RdmaFlowState state;
    state.lineRate = 100 * G;
    EXPECT_THROW(icc->Init(state, 0), std::invalid_argument);
    icc->SetAttribute("RoundTrip", TimeValue(MicroSeconds(20)));
    EXPECT_NO_THROW(icc->Init(state, 0));
}

TEST(RdmaIcc, SwitchesDoWhatTheSourceExpects)
{
    const auto icc = CreateObject<RdmaIcc>();
    EXPECT_EQ(icc->GetSwitchExtensions()[0],
              "ns3::IccSwitch[Feedback=Piggyback|ReportTimer=15000000ps]");
    EXPECT_EQ(icc->GetTelemetry(), TelemetryKind::NONE);
    icc->SetAttribute("Feedback", StringValue("ReceiverEcho"));
    icc->SetAttribute("ReportTimer", StringValue("20us"));
    EXPECT_EQ(icc->GetSwitchExtensions()[0],
              "ns3::IccSwitch[Feedback=ReceiverEcho|ReportTimer=20000000ps]");
    EXPECT_EQ(icc->GetTelemetry(), TelemetryKind::ICC);
    EXPECT_FALSE(icc->OnMarkedData(0)) << "no CNPs";
}

TEST(IccSwitch, TheWorstHopIsKept)
{
    const IccTelemetry shorter = Record(2, 10000, 50000, 0);
    const IccTelemetry longer = Record(2, 5000, 60000, 0);
    EXPECT_TRUE(IccSwitch::IsWorse(longer, shorter));
    EXPECT_FALSE(IccSwitch::IsWorse(shorter, longer));
    IccTelemetry slow = shorter; // 50 KB take longer at 25 Gb/s than 60 KB at 100 Gb/s
    slow.capacityMbps = 25000;
    EXPECT_TRUE(IccSwitch::IsWorse(slow, longer));
    IccTelemetry busier = shorter;
    busier.utilisation = 10001;
    EXPECT_TRUE(IccSwitch::IsWorse(busier, shorter)) << "a tie";
    EXPECT_FALSE(IccSwitch::IsWorse(shorter, busier));
    EXPECT_FALSE(IccSwitch::IsWorse(shorter, shorter));
}
