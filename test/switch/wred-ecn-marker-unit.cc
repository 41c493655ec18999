// SPDX-License-Identifier: GPL-2.0-only
#include "refusal-of.h"

#include "ns3/coloured-wred-marker.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fabric-switch.h"
#include "ns3/object-factory.h"
#include "ns3/pcn-marker.h"
#include "ns3/polled-wred-marker.h"
#include "ns3/random-variable-stream.h"
#include "ns3/uinteger.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

constexpr uint64_t G = 1000000000;

/// @return whether a marker marks a frame of class 3, or another, in a queue of a length
bool
Marks(EcnMarker& marker, uint32_t port, uint8_t cls, uint64_t queueBytes)
{
    Frame frame;
    frame.trafficClass = cls;
    return marker.ShouldMark(frame, port, queueBytes);
}

/// Answers of a marker to the same question, as a string of 0 and 1.
std::string
Answers(WredEcnMarker& marker, uint64_t queueBytes, int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
    {
        text += Marks(marker, 0, 3, queueBytes) ? '1' : '0';
    }
    return text;
}

} // namespace

TEST(WredEcnMarker, Vectors)
{
    auto marker = CreateObject<WredEcnMarker>();
    marker->SetThresholds(0, 100000, 400000, 0.2);
    EXPECT_EQ(marker->GetProbability(0, 3, 100000), 0);
    EXPECT_NEAR(marker->GetProbability(0, 3, 100001), 6.667e-7, 1e-10);
    EXPECT_DOUBLE_EQ(marker->GetProbability(0, 3, 250000), 0.1);
    EXPECT_DOUBLE_EQ(marker->GetProbability(0, 3, 400000), 0.2);
    EXPECT_EQ(marker->GetProbability(0, 3, 400001), 1);
    marker->SetThresholds(1, 5000, 200000, 0.01);
    EXPECT_DOUBLE_EQ(marker->GetProbability(1, 0, 102500), 0.005);
}

TEST(WredEcnMarker, ThresholdsScaleWithTheSpeed)
{
    auto marker = CreateObject<WredEcnMarker>();
    const std::pair<uint64_t, uint64_t> kmin[] = {{25 * G, 100000},
                                                  {40 * G, 160000},
                                                  {100 * G, 400000},
                                                  {400 * G, 1600000}};
    uint32_t port = 0;
    for (auto [rate, bytes] : kmin)
    {
        marker->SetPort(port, rate);
        EXPECT_EQ(marker->GetCurve(port, 5).kmin, bytes);
        EXPECT_EQ(marker->GetCurve(port, 5).kmax, 4 * bytes);
        EXPECT_EQ(marker->GetCurve(port, 5).pmax, 0.2);
        EXPECT_EQ(marker->QuietBelow(port, 5), bytes);
        ++port;
    }
    auto fixed =
        CreateObjectWithAttributes<WredEcnMarker>("ReferenceRate", DataRateValue(DataRate(0)));
    fixed->SetPort(0, 400 * G);
    EXPECT_EQ(fixed->GetCurve(0, 0).kmin, 100000U);
}

TEST(WredEcnMarker, ThresholdsSetByHandSurviveTheStart)
{
    auto marker = CreateObject<WredEcnMarker>();
    marker->SetThresholds(2, 3, 1000, 2000, 0.5);
    marker->SetPort(2, 25 * G);
    EXPECT_EQ(marker->GetCurve(2, 3).kmin, 1000U);
    EXPECT_EQ(marker->GetCurve(2, 4).kmin, 100000U);
}

TEST(WredEcnMarker, SomeValuesOfACurveAreThoseOfTheAttributesAgain)
{
    auto marker = CreateObject<WredEcnMarker>();
    marker->SetThresholds(2, 3, 1000, 800000, 0.5);
    marker->ClearThresholds(2, 3, WredEcnMarker::KMIN | WredEcnMarker::PMAX);
    marker->SetPort(2, 25 * G);
    EXPECT_EQ(marker->GetCurve(2, 3).kmin, 100000U);
    EXPECT_EQ(marker->GetCurve(2, 3).kmax, 800000U);
    EXPECT_EQ(marker->GetCurve(2, 3).pmax, 0.2);
    marker->ClearThresholds(2, 3);
    marker->SetPort(2, 25 * G);
    EXPECT_EQ(marker->GetCurve(2, 3).kmax, 400000U);
    EXPECT_FALSE(marker->HasOwnCurve(2, 3));
}

TEST(WredEcnMarker, StepFunctionWhenKminIsKmax)
{
    auto marker = CreateObject<WredEcnMarker>();
    marker->SetThresholds(0, 30000, 30000, 1);
    EXPECT_EQ(marker->GetProbability(0, 3, 30000), 0);
    EXPECT_EQ(marker->GetProbability(0, 3, 30001), 1);
}

TEST(WredEcnMarker, Pitfall13_OneStreamAndNoDrawOutsideTheRamp)
{
    // Two markers with the same stream; one is also asked where the answer is certain. Had that
    // drawn a number, or a new stream been taken, the answers on the ramp would differ.
    auto plain = CreateObject<WredEcnMarker>();
    auto busy = CreateObject<WredEcnMarker>();
    for (const auto& marker : {plain, busy})
    {
        marker->SetThresholds(0, 100000, 400000, 0.5);
        marker->SetThresholds(1, 100000, 400000, 0);
        marker->SetThresholds(2, 100000, 400000, 1);
        EXPECT_EQ(marker->AssignStreams(77), 1);
    }
    const std::string expected = Answers(*plain, 250000, 400);
    std::string got;
    for (int i = 0; i < 400; ++i)
    {
        EXPECT_FALSE(Marks(*busy, 0, 3, 100000));
        EXPECT_TRUE(Marks(*busy, 0, 3, 400001));
        EXPECT_FALSE(Marks(*busy, 1, 3, 300000)); // Pmax 0
        EXPECT_TRUE(Marks(*busy, 2, 3, 400000));  // Pmax 1
        got += Answers(*busy, 250000, 1);
    }
    EXPECT_EQ(got, expected);
    EXPECT_NE(expected.find('1'), std::string::npos);
    EXPECT_NE(expected.find('0'), std::string::npos);
}

TEST(WredEcnMarker, FrequencyIsTheProbability)
{
    auto marker = CreateObject<WredEcnMarker>();
    marker->AssignStreams(5);
    marker->SetThresholds(0, 100000, 400000, 0.2);
    const std::string answers = Answers(*marker, 250000, 100000);
    const auto marks = std::count(answers.begin(), answers.end(), '1');
    EXPECT_NEAR(marks, 10000, 400); // four standard deviations
}

TEST(WredEcnMarker, ClassesThatAreNotMarked)
{
    auto marker = CreateObjectWithAttributes<WredEcnMarker>("Classes", UintegerValue(1U << 3));
    marker->SetPort(0, 25 * G);
    EXPECT_TRUE(Marks(*marker, 0, 3, 1000000));
    EXPECT_FALSE(Marks(*marker, 0, 6, 1000000));
    EXPECT_EQ(marker->QuietBelow(0, 6), EcnMarker::NEVER);
}

TEST(WredEcnMarker, ClassesHoldWhateverThresholdsThereAre)
{
    auto marker = CreateObjectWithAttributes<WredEcnMarker>("Classes", UintegerValue(1U << 3));
    marker->SetPort(0, 25 * G);
    marker->SetThresholds(0, 1000, 2000, 1);
    for (int i = 0; i < 2; ++i)
    {
        EXPECT_EQ(marker->QuietBelow(0, 3), 1000);
        EXPECT_EQ(marker->QuietBelow(0, 6), EcnMarker::NEVER);
        EXPECT_FALSE(Marks(*marker, 0, 6, 1000000));
        marker->SetPort(0, 25 * G); // as a later change does
    }
    marker->SetAttribute("Classes", UintegerValue(1U << 6));
    marker->SetPort(0, 25 * G);
    EXPECT_EQ(marker->QuietBelow(0, 3), EcnMarker::NEVER);
    EXPECT_EQ(marker->QuietBelow(0, 6), 1000) << "the thresholds are kept";
}

TEST(WredEcnMarker, KminAboveKmaxIsRefused)
{
    auto marker = CreateObject<WredEcnMarker>();
    const std::string message = RefusalOf([&] { marker->SetThresholds(1, 3, 2000, 1000, 0.1); });
    EXPECT_NE(message.find("port 1 class 3"), std::string::npos);
    EXPECT_NE(message.find("Kmin <= Kmax"), std::string::npos);
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_THROW(marker->SetThresholds(1, 3, 1000, 2000, 1.5), std::invalid_argument);
    auto byAttribute = CreateObjectWithAttributes<WredEcnMarker>("Kmin", UintegerValue(500000));
    EXPECT_THROW(byAttribute->SetPort(0, 25 * G), std::invalid_argument);
}

TEST(PolledWredMarker, TakesTheCurvesOfTheMarkerBeforeIt)
{
    auto wred = CreateObjectWithAttributes<WredEcnMarker>("Kmin",
                                                          UintegerValue(7000),
                                                          "Kmax",
                                                          UintegerValue(9000),
                                                          "ReferenceRate",
                                                          DataRateValue(DataRate("0bps")));
    wred->SetThresholds(0, 3, 50, 60, 0.5);
    auto polled = CreateObjectWithAttributes<PolledWredMarker>("Kmax", UintegerValue(8000));
    auto fabricSwitch = CreateObject<FabricSwitch>();
    fabricSwitch->SetEcnMarker(wred);
    fabricSwitch->AddExtension(polled);
    EXPECT_EQ(fabricSwitch->GetEcnMarker(), polled);
    ASSERT_EQ(fabricSwitch->GetNExtensions(), 1U) << "still found there";
    EXPECT_EQ(fabricSwitch->GetExtension(0), polled);
    polled->SetPort(0, 25 * G);
    EXPECT_EQ(polled->GetCurve(0, 2).kmin, 7000U) << "of the marker before";
    EXPECT_EQ(polled->GetCurve(0, 2).kmax, 8000U) << "what was set counts";
    EXPECT_EQ(polled->GetCurve(0, 3).kmax, 60U) << "set by hand";
    EXPECT_EQ(polled->QuietBelow(0, 3), EcnMarker::NEVER) << "the switch need not ask";
    EXPECT_TRUE(polled->IsMarked(0, 3));
    EXPECT_TRUE(Marks(*polled, 0, 3, 61));
    EXPECT_FALSE(Marks(*polled, 0, 3, 50));
}

TEST(EcnMarker, ASwitchHasOne)
{
    auto fabricSwitch = CreateObject<FabricSwitch>();
    fabricSwitch->AddExtension(CreateObject<PcnMarker>());
    EXPECT_EQ(RefusalOf([&] { fabricSwitch->AddExtension(CreateObject<PolledWredMarker>()); }),
              "FabricSwitch: ns3::PcnMarker and ns3::PolledWredMarker cannot both mark: a "
              "switch has one ECN marker");
    EXPECT_EQ(fabricSwitch->GetNExtensions(), 1U);
    auto wred = CreateObject<WredEcnMarker>();
    fabricSwitch->SetEcnMarker(wred);
    EXPECT_EQ(fabricSwitch->GetEcnMarker(), wred);
    EXPECT_EQ(fabricSwitch->GetNExtensions(), 0U) << "PCN is replaced";
    auto pcn = CreateObject<PcnMarker>();
    EXPECT_EQ(pcn->AssignStreams(5), wred->AssignStreams(5)) << "what comes after draws the same";
    pcn->SetPort(1, G);
    EXPECT_EQ(pcn->QuietBelow(1, 7), EcnMarker::NEVER);
    EXPECT_FALSE(Marks(*pcn, 1, 7, 1000000));
}

TEST(WredEcnMarker, MarkersMayShareTheirDraws)
{
    auto draws = CreateObject<UniformRandomVariable>();
    auto same = CreateObject<UniformRandomVariable>();
    draws->SetStream(5);
    same->SetStream(5);
    Ptr<WredEcnMarker> markers[] = {CreateObject<WredEcnMarker>(), CreateObject<WredEcnMarker>()};
    for (const auto& marker : markers)
    {
        marker->SetDraw(draws);
        marker->SetThresholds(0, 3, 0, 1000, 1);
    }
    for (int i = 0; i < 20; ++i)
    {
        EXPECT_EQ(Marks(*markers[i % 2], 0, 3, 500), same->GetValue() < 0.5);
    }
}

TEST(ColouredWredMarker, EachColourHasItsCurve)
{
    auto marker = CreateObject<ColouredWredMarker>();
    marker->SetPort(0, 25 * G);
    constexpr auto GREEN = DropPrecedence::GREEN;
    constexpr auto YELLOW = DropPrecedence::YELLOW;
    constexpr auto RED = DropPrecedence::RED;
    EXPECT_EQ(marker->QuietBelow(0, 1), 25000) << "that of red, which begins first";
    EXPECT_EQ(marker->GetColourProbability(RED, 0, 1, 25000), 0);
    EXPECT_DOUBLE_EQ(marker->GetColourProbability(RED, 0, 1, 62500), 0.1);
    EXPECT_DOUBLE_EQ(marker->GetColourProbability(YELLOW, 0, 1, 125000), 0.1);
    EXPECT_EQ(marker->GetColourProbability(YELLOW, 0, 1, 200001), 1);
    EXPECT_DOUBLE_EQ(marker->GetColourProbability(GREEN, 0, 1, 250000), 0.1);
    EXPECT_EQ(marker->GetColourProbability(GREEN, 0, 1, 100000), 0);

    Frame frame;
    frame.trafficClass = 1;
    frame.dscp = 12; // AF12
    EXPECT_TRUE(marker->ShouldMark(frame, 0, 200001)) << "yellow";
    frame.dscp = 10; // AF11
    EXPECT_FALSE(marker->ShouldMark(frame, 0, 100000)) << "green";
    frame.dscp = 14; // AF13
    EXPECT_TRUE(marker->ShouldMark(frame, 0, 100001)) << "red";
}

TEST(ColouredWredMarker, EachColourHasItsShareOfTheBuffer)
{
    auto marker = CreateObject<ColouredWredMarker>();
    marker->SetAttribute("YellowShare", DoubleValue(0.7));
    marker->SetAttribute("RedShare", DoubleValue(0.1));
    EXPECT_EQ(marker->GetBufferShare(0), 1);
    EXPECT_EQ(marker->GetBufferShare(10), 1);   // AF11
    EXPECT_EQ(marker->GetBufferShare(12), 0.7); // AF12
    EXPECT_EQ(marker->GetBufferShare(38), 0.1); // AF43
}

TEST(ColouredWredMarker, CurvesFollowSpeedQueuesAndAttributes)
{
    auto marker = CreateObject<ColouredWredMarker>();
    marker->SetAttribute("Classes", UintegerValue(2));
    marker->SetPort(0, 100 * G);
    EXPECT_EQ(marker->QuietBelow(0, 1), 100000) << "four times";
    EXPECT_EQ(marker->QuietBelow(0, 3), EcnMarker::NEVER) << "not marked, whatever the colour";
    EXPECT_EQ(marker->GetColourProbability(DropPrecedence::RED, 0, 3, 10000000), 0);
    marker->SetThresholds(0, 1, 5000, 5000, 1);
    EXPECT_EQ(marker->QuietBelow(0, 1), 5000) << "a green curve may begin first";
    marker->SetAttribute("RedKmin", UintegerValue(1000));
    marker->SetPort(0, 100 * G);
    EXPECT_EQ(marker->QuietBelow(0, 1), 4000) << "also beside a curve that was set by hand";
    marker->SetAttribute("YellowKmin", UintegerValue(300000));
    EXPECT_THROW(marker->SetPort(0, 100 * G), std::invalid_argument) << "above YellowKmax";
}

TEST(ColouredWredMarker, TakesOverGreenFromTheMarkerBefore)
{
    auto wred = CreateObject<WredEcnMarker>();
    wred->SetAttribute("Kmin", UintegerValue(70000));
    auto marker = CreateObject<ColouredWredMarker>();
    marker->TakeOver(*wred);
    marker->SetPort(0, 25 * G);
    EXPECT_EQ(marker->GetCurve(0, 2).kmin, 70000);
}
