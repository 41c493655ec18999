// SPDX-License-Identifier: GPL-2.0-only

// What helpers refuse, and what ends although a port is dead.

#include "fabric-test-case.h"

using namespace ns3;

namespace
{

/// ScheduleLink() counts from the start of the simulation, whenever it is called.
class ScheduleLinkTest : public FabricTestCase
{
  public:
    ScheduleLinkTest()
        : FabricTestCase("The time of a link's change counts from the start of the simulation")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(2);
        const auto device = fabric.GetDevice(0, 0);
        Simulator::Schedule(MicroSeconds(10), [&] {
            fabric.ScheduleLink(0, false, MicroSeconds(15));
            ExpectError([&] { fabric.ScheduleLink(0, true, MicroSeconds(9)); },
                        "before the time now");
        });
        Simulator::Schedule(MicroSeconds(14),
                            [&] { NS_TEST_EXPECT_MSG_EQ(device->IsLinkUp(), true, "too early"); });
        Simulator::Schedule(MicroSeconds(16),
                            [&] { NS_TEST_EXPECT_MSG_EQ(device->IsLinkUp(), false, "too late"); });
        ExpectError([&] { fabric.ScheduleLink(0, true, Seconds(-1)); }, "before the time now");
        Simulator::Run();
    }
};

/// A wrong number of a node, port, link or switch is told with the right ones.
class NumbersTest : public FabricTestCase
{
  public:
    NumbersTest()
        : FabricTestCase("Numbers of parts that are not there are errors that name those that are")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(2);
        ExpectError([&] { fabric.ScheduleLink(99, false, Seconds(1)); },
                    "there is no link 99; links are 0 to 1");
        ExpectError([&] { fabric.SetLinkUp(2, false); }, "there is no link 2; links are 0 to 1");
        ExpectError([&] { fabric.GetChannel(2); }, "there is no link 2; links are 0 to 1");
        ExpectError([&] { fabric.GetNode(3); }, "there is no node 3; nodes are 0 to 2");
        ExpectError([&] { fabric.GetHost(2); }, "there is no host 2; hosts are 0 to 1");
        ExpectError([&] { fabric.GetSwitch(1); }, "there is no switch 1; switches are 0 to 0");
        ExpectError([&] { fabric.GetDevice(3, 0); }, "there is no node 3; nodes are 0 to 2");
        ExpectError([&] { fabric.GetDevice(2, 2); },
                    "there is no port 2; ports of node 2 are 0 to 1");
        ExpectError([&] { fabric.EnablePcap(CreateTempDirFilename("x"), {7}); },
                    "there is no node 7; nodes are 0 to 2");
        ExpectError([&] { fabric.GetIdeal(0, 1, {0, 1}, {}); }, "host 1 has no port 1");
    }
};

/// The suite.
class LimitsTestSuite : public TestSuite
{
  public:
    LimitsTestSuite()
        : TestSuite("lossless-limits", Type::UNIT)
    {
        AddTestCase(new ScheduleLinkTest);
        AddTestCase(new NumbersTest);
    }
};

LimitsTestSuite g_limitsTestSuite;

} // namespace
