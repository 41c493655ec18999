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
        Simulator::Schedule(MicroSeconds(14), [&] {
            NS_TEST_EXPECT_MSG_EQ(device->IsLinkUp(), true, "too early");
        });
        Simulator::Schedule(MicroSeconds(16), [&] {
            NS_TEST_EXPECT_MSG_EQ(device->IsLinkUp(), false, "too late");
        });
        ExpectError([&] { fabric.ScheduleLink(0, true, Seconds(-1)); }, "before the time now");
        Simulator::Run();
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
    }
};

LimitsTestSuite g_limitsTestSuite;

} // namespace
