// SPDX-License-Identifier: GPL-2.0-only

// SwitchDelay and CutThrough: when frames arrive, and that pauses are no later. What the two do to
// the FCT is in lossless-fct, to losslessness in lossless-losslessness.

#include "switch-test-star.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/string.h"

#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t FRAME = 1230; //!< bytes: 100 ns at 100 Gb/s
const Time SERIALISATION = NanoSeconds(100);
const Time CABLE = MicroSeconds(1);

/// @return time of 64 bytes, preamble and gap
Time
Head()
{
    return PicoSeconds(84 * 80);
}

class ArrivalTest : public SwitchTestCase
{
  public:
    ArrivalTest()
        : SwitchTestCase("A frame needs SwitchDelay, and with CutThrough no more than its header")
    {
    }

  private:
    void DoRun() override
    {
        const Time delay = NanoSeconds(450);
        const Time stored = 2 * SERIALISATION + 2 * CABLE;
        const Time cut = Head() + SERIALISATION + 2 * CABLE;
        ExpectArrivals({0}, "0ns", false, "100Gbps", {stored});
        ExpectArrivals({0}, "450ns", false, "100Gbps", {stored + delay});
        ExpectArrivals({0}, "0ns", true, "100Gbps", {cut});
        ExpectArrivals({0}, "450ns", true, "100Gbps", {cut + delay});
        // A faster egress port would run empty in the middle of the frame.
        const Time faster = SERIALISATION + SERIALISATION / 4 + 2 * CABLE;
        ExpectArrivals({0}, "450ns", true, "400Gbps", {faster + delay});
        // A slower one does not.
        const Time slower = Head() + 4 * SERIALISATION + 2 * CABLE;
        ExpectArrivals({0}, "450ns", true, "25Gbps", {slower + delay});
        // The second of two waits for the port, and not for its own last bit.
        ExpectArrivals({0, 1}, "0ns", true, "100Gbps", {cut, cut + SERIALISATION});
    }

    /// @param from hosts that send a frame each to host 2, at once @param delay SwitchDelay
    /// @param cuts CutThrough @param rate of the port to host 2 @param expected arrivals
    void ExpectArrivals(const std::vector<uint32_t>& from,
                        const std::string& delay,
                        bool cuts,
                        const std::string& rate,
                        const std::vector<Time>& expected)
    {
        Star star(3);
        star.fabricSwitch->SetAttribute("SwitchDelay", StringValue(delay));
        star.fabricSwitch->SetAttribute("CutThrough", BooleanValue(cuts));
        star.fabricSwitch->GetPort(2)->SetAttribute("DataRate", StringValue(rate));
        Simulator::Schedule(Time(0), [&] {
            for (const uint32_t host : from)
            {
                star.Send(host, 2, 5, 1, FRAME);
            }
        });
        Simulator::Run();
        const std::string what = delay + (cuts ? ", cut through to " : ", stored for ") + rate;
        NS_TEST_ASSERT_MSG_EQ(star.host[2].arrivals.size(), expected.size(), what);
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(star.host[2].arrivals[i].at, expected[i], what);
        }
        ExpectIdle(star);
        Simulator::Destroy();
    }
};

class OrderTest : public SwitchTestCase
{
  public:
    OrderTest()
        : SwitchTestCase("A frame does not overtake when SwitchDelay becomes shorter in the run")
    {
    }

  private:
    void DoRun() override
    {
        Star star(2);
        star.fabricSwitch->SetAttribute("SwitchDelay", StringValue("3us"));
        Simulator::Schedule(Time(0), [&] { star.Send(0, 1, 5, 1, FRAME); });
        Simulator::Schedule(MicroSeconds(2), [&] {
            star.fabricSwitch->SetAttribute("SwitchDelay", StringValue("0ns"));
            star.Send(0, 1, 4, 1, FRAME);
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(star.host[1].arrivals.size(), 2, "both arrive");
        const Time first = MicroSeconds(3) + 2 * SERIALISATION + 2 * CABLE;
        NS_TEST_EXPECT_MSG_EQ(+star.host[1].arrivals[0].cls, 5, "the first one first");
        NS_TEST_EXPECT_MSG_EQ(star.host[1].arrivals[0].at, first, "with its delay");
        NS_TEST_EXPECT_MSG_EQ(star.host[1].arrivals[1].at, first + SERIALISATION, "behind it");
        ExpectIdle(star);
    }
};

class CutLinkTest : public SwitchTestCase
{
  public:
    CutLinkTest()
        : SwitchTestCase(
              "A frame on its way through the switch is lost with its link, and booked out")
    {
    }

  private:
    void DoRun() override
    {
        Star star(2);
        star.fabricSwitch->SetAttribute("SwitchDelay", StringValue("3us"));
        Simulator::Schedule(Time(0), [&] { star.Send(0, 1, 3, 1, FRAME); });
        Simulator::Schedule(MicroSeconds(2), [&] { star.channel[1]->SetUp(false); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(star.host[1].arrivals.size(), 0, "lost");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetDropCount(DropReason::LINK_DOWN), 1, "why");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetLosslessDropsOfLinks(), 1, "of the link");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetMmu()->IsIdle(), true, "booked out");
    }
};

class PauseTest : public SwitchTestCase
{
  public:
    PauseTest()
        : SwitchTestCase("SwitchDelay makes no pause later, CutThrough makes pauses earlier")
    {
    }

  private:
    void DoRun() override
    {
        const Time stored = FirstPause("0ns", false);
        NS_TEST_EXPECT_MSG_GT(stored, Time(0), "there is a pause");
        // Earlier even: what is in the pipeline is booked, and does not leave.
        NS_TEST_EXPECT_MSG_LT_OR_EQ(FirstPause("5us", false), stored, "no later");
        NS_TEST_EXPECT_MSG_EQ(FirstPause("0ns", true),
                              stored - (SERIALISATION - Head()),
                              "earlier");
    }

    /// @param delay SwitchDelay @param cuts CutThrough @return when the first XOFF leaves
    static Time FirstPause(const std::string& delay, bool cuts)
    {
        Star star(3);
        star.fabricSwitch->SetAttribute("SwitchDelay", StringValue(delay));
        star.fabricSwitch->SetAttribute("CutThrough", BooleanValue(cuts));
        star.fabricSwitch->GetMmu()->SetStaticThreshold(0, 3, 20000);
        for (uint32_t port = 0; port < 3; ++port)
        {
            star.fabricSwitch->GetPort(port)->SetAttribute("PfcClasses", UintegerValue(8));
            star.nic[port]->SetAttribute("PfcClasses", UintegerValue(8));
        }
        Time first;
        star.fabricSwitch->GetPort(0)->TraceConnectWithoutContext(
            "PfcTx",
            Callback<void, const QbbNetDevice&, uint32_t, uint16_t>(
                [&first](const QbbNetDevice&, uint32_t, uint16_t quanta) {
                    first = first.IsZero() && quanta ? Simulator::Now() : first;
                }));
        Simulator::Schedule(Time(0), [&] {
            star.Send(0, 2, 3, 200, FRAME);
            star.Send(1, 2, 3, 200, FRAME);
        });
        Simulator::Run();
        Simulator::Destroy();
        return first;
    }
};

class SwitchDelayTestSuite : public TestSuite
{
  public:
    SwitchDelayTestSuite()
        : TestSuite("lossless-switch-delay", Type::UNIT)
    {
        AddTestCase(new ArrivalTest);
        AddTestCase(new OrderTest);
        AddTestCase(new CutLinkTest);
        AddTestCase(new PauseTest);
    }
};

SwitchDelayTestSuite g_switchDelayTestSuite; //!< registers the suite

} // namespace
