// SPDX-License-Identifier: GPL-2.0-only

// The budget of a switch is what the built switch has, and the check of a configuration finds each
// mistake, with the value that mends it.

#include "case-budget.h"
#include "fabric-test-case.h"
#include "random-fabric.h"

#include "ns3/double.h"
#include "ns3/switch-budget.h"

#include <string>

using namespace ns3;
using namespace ns3::tests;

namespace
{

/// A switch drawn at random: its budget is the division of the built switch, to the byte.
class BudgetTest : public FabricTestCase
{
  public:
    BudgetTest()
        : FabricTestCase("The budget of a switch is the division of the built switch")
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t cases = GetCases(50);
        for (uint32_t i = 0; i < cases; ++i)
        {
            Compare(i);
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_GT(m_fits, 0, "of " << cases << " buffers, so many fit");
        NS_TEST_EXPECT_MSG_LT(m_fits, cases, "and some do not");
    }

    /// @param dice decide @return a switch
    static BudgetCase Draw(Dice& dice)
    {
        BudgetCase input;
        for (uint64_t left = dice.Between(1, 3); left > 0; --left)
        {
            const uint64_t gigabits = dice.Pick({1, 10, 25, 40, 50, 100, 200, 400, 800});
            input.ports.push_back({static_cast<uint32_t>(dice.Between(1, 6)),
                                   DataRate(gigabits * 1000000000),
                                   static_cast<uint32_t>(dice.Below(2000))});
        }
        input.losslessClasses = static_cast<uint32_t>(dice.Between(0, 8));
        input.bufferBytes = dice.Between(100000, 30000000);
        input.guaranteedBytes = dice.Chance(50) ? 1518 : dice.Below(20000);
        input.link.cellBytes = static_cast<uint32_t>(dice.Pick({1, 64, 80, 144, 208, 256, 1000}));
        input.link.mtuBytes = static_cast<uint32_t>(dice.Between(1500, 9216));
        input.link.reaction = NanoSeconds(dice.Below(3000));
        input.link.format = dice.Chance(20) ? FRAMES_HPCC : FRAMES_STANDARD;
        return input;
    }

    /// @param input a switch @return a fabric around it
    static Fabric Build(const BudgetCase& input)
    {
        FabricTopology topology;
        const NodeId middle = topology.AddSwitch();
        for (const BudgetPorts& group : input.ports)
        {
            for (uint32_t i = 0; i < group.count; ++i)
            {
                topology.AddLink(topology.AddHost(),
                                 middle,
                                 {group.rate, NanoSeconds(5 * group.metres), 0});
            }
        }
        std::vector<uint32_t> classes;
        for (uint32_t cls = 0; cls < input.losslessClasses; ++cls)
        {
            classes.push_back(cls);
        }
        FabricHelper helper;
        helper.AllowLossy();
        helper.SetLosslessClasses(classes);
        helper.SetLink("Mtu", UintegerValue(input.link.mtuBytes));
        if (!classes.empty())
        {
            helper.SetLink("PfcReactionDelay",
                           TimeValue(input.link.reaction),
                           "FrameFormat",
                           StringValue(input.link.format == FRAMES_HPCC ? "Hpcc" : "Standard"));
        }
        helper.SetSwitch("ns3::SwitchMmu",
                         "BufferSize",
                         UintegerValue(input.bufferBytes),
                         "CellBytes",
                         UintegerValue(input.link.cellBytes),
                         "GuaranteedBytes",
                         UintegerValue(input.guaranteedBytes));
        return helper.FromTopology(topology);
    }

    /// @param index number of the case
    void Compare(uint32_t index)
    {
        Dice dice(index);
        const BudgetCase input = Draw(dice);
        const SwitchBudget budget(input);
        const Fabric fabric = Build(input);
        const auto fabricSwitch = fabric.GetSwitch(0);
        const SwitchMmu& mmu = *fabricSwitch->GetMmu();
        const std::string where = "case " + std::to_string(index);
        try
        {
            fabricSwitch->Start();
        }
        catch (const std::invalid_argument& error)
        {
            NS_TEST_EXPECT_MSG_EQ(budget.Fits(), false, where << ": " << error.what());
            // Where not even the guarantees fit, the switch says so before it asks for headroom.
            const std::string missing = std::to_string(budget.GetMissing()) + " bytes short";
            const bool isNamed = std::string(error.what()).find(missing) != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ((isNamed || !budget.Fits(0)),
                                  true,
                                  where << ": " << error.what() << ", not " << missing);
            return;
        }
        ++m_fits;
        const uint64_t cell = input.link.cellBytes;
        uint64_t guaranteed = 0;
        uint64_t headroom = 0;
        uint32_t port = 0;
        for (std::size_t group = 0; group < input.ports.size(); ++group)
        {
            for (uint32_t i = 0; i < input.ports[group].count; ++i, ++port)
            {
                for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
                {
                    const MmuIngress& in = mmu.GetIngress(port, cls);
                    const uint64_t wanted =
                        cls < input.losslessClasses ? budget.GetHeadroomOf(group) : 0;
                    NS_TEST_EXPECT_MSG_EQ(in.headroom * cell, wanted, where << " port " << port);
                    guaranteed += in.guaranteed * cell;
                    headroom += in.headroom * cell;
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(budget.Fits(), true, where);
        NS_TEST_EXPECT_MSG_EQ(budget.GetShared(), mmu.GetSharedPool() * cell, where);
        NS_TEST_EXPECT_MSG_EQ(budget.GetGuaranteed(), guaranteed, where);
        NS_TEST_EXPECT_MSG_EQ(budget.GetHeadroom(), headroom, where);
    }

    uint32_t m_fits{0}; //!< cases whose buffer holds the classes
};

/// The suite.
class BufferCheckTestSuite : public TestSuite
{
  public:
    BufferCheckTestSuite()
        : TestSuite("lossless-buffer-check", Type::UNIT)
    {
        AddTestCase(new BudgetTest);
    }
};

BufferCheckTestSuite g_bufferCheckTestSuite; //!< the suite

} // namespace
