// SPDX-License-Identifier: GPL-2.0-only

// The budget of a switch is what the built switch has, and the check of a configuration finds each
// mistake, with the value that mends it.

#include "case-budget.h"
#include "fabric-test-case.h"
#include "random-fabric.h"

#include "ns3/boolean.h"
#include "ns3/buffer-check.h"
#include "ns3/double.h"
#include "ns3/nic-receive-buffer.h"
#include "ns3/switch-budget.h"
#include "ns3/wred-ecn-marker.h"

#include <functional>
#include <set>
#include <string>
#include <utility>

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
        constexpr uint32_t ALL = 50;
        const uint32_t least = GetCases(ALL);
        uint32_t cases = 0;
        // A small share of the cases may be of one kind: it runs on until there are both.
        const auto hasBoth = [&] { return m_fits > 0 && m_fits < cases; };
        for (; cases < least || (cases < ALL && !hasBoth()); ++cases)
        {
            Compare(cases);
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

/// @param fabric a fabric @return its findings, but for Kmin, which is 32 us of line rate by
/// default: more than the round trip of the fabrics of these tests
std::vector<Finding>
FindingsOf(const Fabric& fabric)
{
    std::vector<Finding> findings;
    for (const Finding& finding : CheckBuffers(fabric))
    {
        if (finding.rule != "kmin")
        {
            findings.push_back(finding);
        }
    }
    return findings;
}

/// @param findings of a check @return their lines, for messages
std::string
LinesOf(const std::vector<Finding>& findings)
{
    std::string lines;
    for (const Finding& finding : findings)
    {
        lines += "\n  [" + finding.rule + "] " + finding.ToLine();
    }
    return lines;
}

/// What the helper builds from defaults has no findings, whatever the shape and the rate.
class DefaultsTest : public FabricTestCase
{
  public:
    DefaultsTest()
        : FabricTestCase("Fabrics of defaults have no findings")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint64_t gigabits : {10, 25, 40, 50, 100, 200, 400, 800})
        {
            const DataRate rate(gigabits * 1000000000);
            FabricHelper helper;
            helper.SetLink("DataRate", DataRateValue(rate));
            Expect(helper.Star(8), gigabits);
            Expect(helper.LeafSpine(4, 2, 4), gigabits);
            Expect(helper.LeafSpine(2, 2, 8, 2), gigabits);
            Expect(helper.FatTree(4), gigabits);
            Expect(helper.Dumbbell(4, 4, rate), gigabits);
            helper.SetLosslessClasses({2, 3, 4});
            Expect(helper.LeafSpine(2, 1, 2), gigabits);
            helper.SetLosslessClasses({});
            Expect(helper.Star(4), gigabits);
        }
    }

    /// @param fabric without a mistake @param gigabits its rate
    void Expect(const Fabric& fabric, uint64_t gigabits)
    {
        NS_TEST_EXPECT_MSG_EQ(LinesOf(FindingsOf(fabric)), "", gigabits << " Gb/s");
        Simulator::Destroy();
    }
};

/// The number that a finding names as right. @param finding the finding @return the last number of
/// its second half
uint64_t
NumberIn(const Finding& finding)
{
    std::string number;
    for (const char c : finding.right)
    {
        const bool isDigit = c >= '0' && c <= '9';
        number = isDigit                                  ? number + c
                 : number.empty() || number.back() == ' ' ? number
                                                          : number + ' ';
    }
    number.erase(number.find_last_not_of(' ') + 1);
    const std::size_t blank = number.find_last_of(' ');
    return std::stoull(number.substr(blank == std::string::npos ? 0 : blank + 1));
}

/// A mistake is found at its place, and what the finding says to be right mends it.
class MistakeTest : public FabricTestCase
{
  public:
    /// Changes a fabric.
    using Change = std::function<void(const Fabric& fabric)>;
    /// Does what a finding says.
    using Mend = std::function<void(const Fabric& fabric, const Finding& finding)>;

    /// @param rule that finds the mistake @param line begin of the finding's line @param right text
    /// in its second half @param mistake makes it @param mend mends one finding
    MistakeTest(std::string rule, std::string line, std::string right, Change mistake, Mend mend)
        : FabricTestCase("A mistake is found and mended: " + line),
          m_rule(std::move(rule)),
          m_line(std::move(line)),
          m_right(std::move(right)),
          m_mistake(std::move(mistake)),
          m_mend(std::move(mend))
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([this] { Check(); }), "", "a setting was refused");
    }

    /// Make the mistake, and mend it.
    void Check()
    {
        FabricHelper helper;
        helper.AllowLossy();
        // leaf 0 has hosts 0 and 1 at ports 0 and 1, and spines at ports 2 and 3
        const Fabric fabric = helper.LeafSpine(2, 2, 2);
        NS_TEST_EXPECT_MSG_EQ(LinesOf(FindingsOf(fabric)), "", "before");
        m_mistake(fabric);
        const auto findings = FindingsOf(fabric);
        bool isFound = false;
        std::set<std::string> lines;
        for (const Finding& finding : findings)
        {
            NS_TEST_EXPECT_MSG_EQ(lines.insert(finding.ToLine()).second, true, "named once");
            if (finding.rule == m_rule && finding.ToLine().rfind(m_line, 0) == 0)
            {
                isFound = true;
                NS_TEST_EXPECT_MSG_NE(finding.right.find(m_right),
                                      std::string::npos,
                                      finding.ToLine());
                const FabricPlaces place(finding.place); // which settings take
                NS_TEST_EXPECT_MSG_EQ(place.In(fabric.GetTopology()).size(), 1, finding.place);
            }
            if (finding.rule == m_rule)
            {
                m_mend(fabric, finding);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(isFound, true, "found:" << LinesOf(findings));
        NS_TEST_EXPECT_MSG_EQ(LinesOf(FindingsOf(fabric)), "", "mended");
    }

    std::string m_rule;
    std::string m_line;
    std::string m_right;
    Change m_mistake;
    Mend m_mend;
};

/// @param place where @param name of an attribute @param value text @return what sets it
MistakeTest::Change
Set(const std::string& place, const std::string& name, const std::string& value)
{
    return [=](const Fabric& fabric) { fabric.At(place).Set("ns3::" + name, StringValue(value)); };
}

/// @param name of an attribute @param suffix of its place @return what sets it to the number that a
/// finding names
MistakeTest::Mend
SetNumber(const std::string& name, const std::string& suffix = "")
{
    return [=](const Fabric& fabric, const Finding& finding) {
        fabric.At(finding.place + suffix).Set("ns3::" + name, UintegerValue(NumberIn(finding)));
    };
}

/// @param places where @param name of an attribute @param value text @return what sets it
MistakeTest::Mend
Reset(const std::string& places, const std::string& name, const std::string& value)
{
    return [=](const Fabric& fabric, const Finding& /* finding */) {
        fabric.At(places).Set("ns3::" + name, StringValue(value));
    };
}

/// Map the DSCP of a finding as it says, "map DSCP 24 to class 3 there".
void
MapAsSaid(const Fabric& fabric, const Finding& finding)
{
    const std::size_t dscp = std::string("map DSCP ").size();
    const std::size_t end = finding.right.find(' ', dscp);
    // That the two ends of a link differ says no more.
    NS_ABORT_IF(!finding.cls);
    fabric.At(finding.place)
        .Set("ns3::TrafficClassMap::Dscp",
             StringValue(finding.right.substr(dscp, end - dscp) + ":" +
                         std::to_string(*finding.cls)));
}

/// A wrong class map matters where frames arrive, and there alone.
class ReachTest : public FabricTestCase
{
  public:
    ReachTest()
        : FabricTestCase("A class map that no frame of a host meets is no finding")
    {
    }

  private:
    void DoRun() override
    {
        const FabricLinkSpec link;
        FabricTopology topology = FabricTopology::Star(2, link);
        const NodeId star = topology.GetSwitches()[0];
        const NodeId beside = topology.AddSwitch(); // without hosts: no way leads through it
        topology.AddLink(star, beside, link);
        const Fabric fabric = FabricHelper().FromTopology(topology);
        for (const char* place : {"switch 0 port 2", "switch 1 port 0"})
        {
            fabric.At(place).Set("ns3::TrafficClassMap::Dscp", StringValue("24:1"));
        }
        NS_TEST_EXPECT_MSG_EQ(LinesOf(FindingsOf(fabric)), "", "beside all ways");

        fabric.At("switch 0 port 1").Set("ns3::TrafficClassMap::Dscp", StringValue("24:1"));
        fabric.At("host 1").Set("ns3::TrafficClassMap::Dscp", StringValue("24:1"));
        std::vector<std::string> lines;
        for (const Finding& finding : FindingsOf(fabric))
        {
            lines.push_back(finding.ToLine());
        }
        // Host 1 marks its frames of class 3 with DSCP 25, host 0 with DSCP 24.
        NS_TEST_ASSERT_MSG_EQ(lines.size(), 1, "the host that host 0 sends to");
        NS_TEST_EXPECT_MSG_EQ(lines[0],
                              "host 1 port 0 class 3: frames that hosts send in class 3, with "
                              "DSCP 24, are taken for class 1; map DSCP 24 to class 3 there",
                              "the line");
    }
};

/// A switch that does not mark has no thresholds that could be wrong.
class NoMarksTest : public FabricTestCase
{
  public:
    NoMarksTest()
        : FabricTestCase("ECN thresholds that nothing marks by are no finding")
    {
    }

  private:
    void DoRun() override
    {
        const auto count = [](auto&& set) {
            FabricHelper helper;
            helper.SetEcn("ns3::WredEcnMarker",
                          "Kmin",
                          UintegerValue(100000000),
                          "Kmax",
                          UintegerValue(100000000));
            set(helper);
            return FindingsOf(helper.Star(3)).size();
        };
        NS_TEST_EXPECT_MSG_EQ(count([](FabricHelper&) {}), 3, "one for each port");
        NS_TEST_EXPECT_MSG_EQ(
            count([](FabricHelper& helper) {
                helper.AddSwitchExtension("ns3::SwitchCnpSender", "MarkCe", BooleanValue(false));
                helper.SetCongestionControl("ns3::RdmaDcqcn");
            }),
            0,
            "CNPs in place of marks");
        NS_TEST_EXPECT_MSG_EQ(count([](FabricHelper& helper) {
                                  helper.AddSwitchExtension("ns3::SwitchCnpSender",
                                                            "MarkCe",
                                                            BooleanValue(false),
                                                            "Ports",
                                                            StringValue("1"));
                              }),
                              2,
                              "at one port");
        NS_TEST_EXPECT_MSG_EQ(
            count([](FabricHelper& helper) {
                helper.SetSwitch("ns3::FabricSwitch", "EcnEnabled", BooleanValue(false));
                helper.SetCongestionControl("none");
            }),
            0,
            "no marks");
    }
};

/// Marks must begin within a bandwidth-delay product.
class KminTest : public FabricTestCase
{
  public:
    KminTest()
        : FabricTestCase("Kmin above the bandwidth-delay product is a finding for each rate")
    {
    }

  private:
    /// @param kmin at 25 Gb/s @param shape makes the fabric @return findings of the rule
    template <typename Shape>
    static std::vector<Finding> Find(uint64_t kmin, Shape&& shape)
    {
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue("25Gbps"), "Delay", StringValue("1us"));
        helper.SetEcn("ns3::WredEcnMarker", "Kmin", UintegerValue(kmin));
        std::vector<Finding> findings;
        for (const Finding& finding : CheckBuffers(shape(helper)))
        {
            if (finding.rule == "kmin")
            {
                findings.push_back(finding);
            }
        }
        Simulator::Destroy();
        return findings;
    }

    void DoRun() override
    {
        const auto star = [](FabricHelper& helper) { return helper.Star(3); };
        // 4 us of cables, and on two links 1122 bytes of a WRITE of 1024 bytes and 86 of its ACK
        constexpr uint64_t product = 12500 + 2 * 1122 + 2 * 86;
        NS_TEST_EXPECT_MSG_EQ(Find(product, star).size(), 0, "Kmin is the product");
        const auto above = Find(product + 1, star);
        NS_TEST_ASSERT_MSG_EQ(above.size(), 1, "three ports have the same");
        NS_TEST_EXPECT_MSG_EQ(NumberIn(above[0]), product, above[0].ToLine());
        NS_TEST_EXPECT_MSG_EQ(above[0].place, "leaf 0 port 0", above[0].ToLine());
        NS_TEST_EXPECT_MSG_EQ((above[0].level == Level::INFO), true, "it is no loss");

        // Hosts at 25 Gb/s, uplinks at 100 Gb/s: Kmin of the one is four times that of the other.
        const auto shape = [](FabricHelper& helper) { return helper.LeafSpine(2, 1, 8, 2); };
        const auto both = Find(100000, shape);
        NS_TEST_ASSERT_MSG_EQ(both.size(), 2, LinesOf(both));
        const uint64_t slow = NumberIn(both[0]);
        NS_TEST_EXPECT_MSG_EQ_TOL(NumberIn(both[1]), 4 * slow, 4, LinesOf(both));
        NS_TEST_EXPECT_MSG_GT(slow, 25000, "8 us of cables");
        NS_TEST_EXPECT_MSG_LT(slow, 30000, "and some frames");
        NS_TEST_EXPECT_MSG_EQ(Find(slow - 1, shape).size(), 0, "a value that is right for both");
    }
};

/// The limit of a lossless queue is found where it may drop frames in the worst case, and drops
/// some there when loss is allowed.
class LimitTest : public FabricTestCase
{
  public:
    LimitTest()
        : FabricTestCase("Limits of lossless queues: none, large enough, and too small")
    {
    }

  private:
    static constexpr uint32_t SENDERS = 8;
    static constexpr uint64_t CELL = 208;

    /// @param set called with the helper @return a star of which no lossy queue takes a frame
    template <typename Set>
    static Fabric Build(Set&& set)
    {
        FabricHelper helper;
        helper.SetSwitch("ns3::SwitchMmu",
                         "EgressAlpha",
                         DoubleValue(0),
                         "EgressGuaranteedBytes",
                         UintegerValue(0),
                         "BufferSize",
                         UintegerValue(3000000));
        helper.SetSwitch("ns3::FabricSwitch", "EcnEnabled", BooleanValue(false));
        helper.SetCongestionControl("none");
        set(helper);
        return helper.Star(SENDERS + 1);
    }

    /// @param fabric a star @return lossless frames that an incast loses
    uint64_t Lose(const Fabric& fabric)
    {
        RdmaFlowHelper flows(fabric);
        flows.Incast(SENDERS, 0, 1000000, Time(0));
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        const auto& middle = *fabric.GetSwitch(0);
        const auto mmu = middle.GetMmu();
        uint64_t refused = 0;
        for (uint32_t port = 0; port <= SENDERS; ++port)
        {
            refused += mmu->GetDrops(port, 3, DropReason::EGRESS_LIMIT);
        }
        NS_TEST_EXPECT_MSG_EQ(middle.GetLosslessDrops(), refused, "no other drops");
        NS_TEST_EXPECT_MSG_EQ(middle.GetDropCount(DropReason::EGRESS_LIMIT), refused, "the reason");
        NS_TEST_EXPECT_MSG_GT(mmu->GetCounts(1, 3).xoffs, 0, "XOFF");
        return refused;
    }

    void DoRun() override
    {
        const Fabric plain = Build([](FabricHelper&) {});
        NS_TEST_EXPECT_MSG_EQ(CheckBuffers(plain).size(), 0, "no limit");
        const uint64_t headroom =
            plain.GetSwitch(0)->GetMmu()->GetIngress(1, 3).headroom; // the same at all ports
        NS_TEST_EXPECT_MSG_EQ(Lose(plain), 0, "limits of lossy frames do not bind");
        Simulator::Destroy();

        const auto cells = [](uint64_t bytes) { return (bytes + CELL - 1) / CELL; };
        const uint64_t share = cells(30000);
        const uint64_t needed = SENDERS * (share + cells(1518) + headroom);
        for (const bool isEnough : {true, false})
        {
            const uint64_t limit = (isEnough ? needed : needed - 1) * CELL;
            const auto set = [limit](FabricHelper& helper) {
                helper.At("switches class 3")
                    .Set("ns3::SwitchMmu::StaticThreshold", UintegerValue(30000));
                helper.At("switch 0 port 0 class 3")
                    .Set("ns3::SwitchMmu::EgressStaticThreshold", UintegerValue(limit));
            };
            if (isEnough)
            {
                const Fabric fabric = Build(set);
                NS_TEST_EXPECT_MSG_EQ(CheckBuffers(fabric).size(), 0, "it holds them all");
                NS_TEST_EXPECT_MSG_EQ(Lose(fabric), 0, "and drops none");
            }
            else
            {
                ExpectError([&] { Build(set); }, std::to_string(limit));
            }
            Simulator::Destroy();
        }

        const Fabric lossy = Build([](FabricHelper& helper) {
            helper.AllowLossy();
            helper.At("switches class 3")
                .Set("ns3::SwitchMmu::StaticThreshold", UintegerValue(30000));
            helper.At("switch 0 port 0 class 3")
                .Set("ns3::SwitchMmu::EgressStaticThreshold", UintegerValue(100000));
        });
        const auto findings = CheckBuffers(lossy);
        NS_TEST_ASSERT_MSG_EQ(findings.size(), 1, "one queue has a limit");
        NS_TEST_EXPECT_MSG_EQ(findings[0].rule, "egress", findings[0].ToLine());
        NS_TEST_EXPECT_MSG_EQ((findings[0].level == Level::LOSS), true, findings[0].ToLine());
        NS_TEST_EXPECT_MSG_EQ(findings[0].place, "leaf 0 port 0", findings[0].ToLine());
        NS_TEST_EXPECT_MSG_EQ(*findings[0].cls, 3, findings[0].ToLine());
        NS_TEST_EXPECT_MSG_NE(findings[0].right.find(std::to_string(needed * CELL)),
                              std::string::npos,
                              findings[0].ToLine());
        NS_TEST_EXPECT_MSG_GT(Lose(lossy), 0, "beyond the limit");
        Simulator::Destroy();

        // What is free may be nothing: a share of it is sure of what is guaranteed alone.
        ExpectError(
            [] {
                Build([](FabricHelper& helper) {
                    helper.At("switch 0 port 0 class 3")
                        .Set("ns3::SwitchMmu::EgressAlpha", DoubleValue(8));
                });
            },
            "EgressStaticThreshold");
    }
};

/// What comes first in a run is what the check says.
class OrderTest : public FabricTestCase
{
  public:
    OrderTest()
        : FabricTestCase("Marks come before XOFF where there is no finding, and after it else")
    {
    }

  private:
    void DoRun() override
    {
        for (const double alpha : {1.0 / 64, 1.0 / 8, 1.0})
        {
            for (const uint64_t slow : {100, 50, 25}) // Gb/s of the receiver: n is 2 or 1
            {
                for (const bool isLate : {false, true})
                {
                    Run(alpha, slow * 1000000000, isLate);
                    Simulator::Destroy();
                }
            }
        }
    }

    /// @param alpha of the switch @param slow rate of the receiver @param isLate Kmin above what is
    /// right
    void Run(double alpha, uint64_t slow, bool isLate)
    {
        FabricTopology topology = FabricTopology::Star(2, FabricLinkSpec());
        topology.AddLink(topology.AddHost(),
                         topology.GetSwitches()[0],
                         {DataRate(slow), MicroSeconds(1), 0});
        FabricHelper helper;
        helper.SetSwitch("ns3::SwitchMmu",
                         "Alpha",
                         DoubleValue(alpha),
                         "CellBytes",
                         UintegerValue(1),
                         "BufferSize",
                         UintegerValue(2000000));
        helper.SetEcn("ns3::WredEcnMarker",
                      "Kmin",
                      UintegerValue(1000000000),
                      "Kmax",
                      UintegerValue(1000000000),
                      "Pmax",
                      DoubleValue(1));
        helper.SetCongestionControl("none");
        const Fabric fabric = helper.FromTopology(topology);
        const auto fabricSwitch = fabric.GetSwitch(0);
        uint64_t right = 0;
        for (const Finding& finding : FindingsOf(fabric))
        {
            right = finding.place == "leaf 0 port 2" ? NumberIn(finding) : right;
        }
        const std::string where = "alpha " + std::to_string(alpha) + " rate " +
                                  std::to_string(slow) + " Kmin " + std::to_string(right);
        NS_TEST_ASSERT_MSG_GT(right, 0, where);
        // Beside what the check counts there are guaranteed space, and the few frames that arrive
        // between two departures, when marks are made.
        constexpr uint64_t few = 10000;
        const uint64_t kmin = isLate ? right + few : right - few;
        DynamicCast<WredEcnMarker>(fabricSwitch->GetEcnMarker())->SetThresholds(2, kmin, kmin, 1);
        bool isFirst = false;
        fabricSwitch->TraceConnectWithoutContext(
            "EcnMark",
            Callback<void, uint32_t, uint32_t, uint64_t>(
                [&](uint32_t /* port */, uint32_t /* cls */, uint64_t /* bytes */) {
                    const SwitchMmu& mmu = *fabricSwitch->GetMmu();
                    isFirst = isFirst || mmu.GetCounts(0, 3).xoffs + mmu.GetCounts(1, 3).xoffs == 0;
                }));
        RdmaFlowHelper flows(fabric);
        for (uint32_t host = 0; host < (slow < 100000000000 ? 1 : 2); ++host)
        {
            flows.Add({host, 2, 20000000});
        }
        RunUntil(MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(isFirst, !isLate, where);
        const SwitchMmu& mmu = *fabricSwitch->GetMmu();
        NS_TEST_EXPECT_MSG_GT(mmu.GetCounts(0, 3).xoffs, 0, where << ": PFC acts at last");
    }
};

/// The suite.
class BufferCheckTestSuite : public TestSuite
{
  public:
    BufferCheckTestSuite()
        : TestSuite("lossless-buffer-check", Type::UNIT)
    {
        AddTestCase(new BudgetTest);
        AddTestCase(new DefaultsTest);
        AddTestCase(new ReachTest);
        AddTestCase(new NoMarksTest);
        AddTestCase(new KminTest);
        AddTestCase(new LimitTest);
        AddTestCase(new OrderTest);
        AddMistakesOfBuffers();
        AddMistakesOfEcn();
        AddMistakesOfPorts();
        AddMistakesOfMaps();
    }

  private:
    /// Rules about the buffers of switches and NICs.
    void AddMistakesOfBuffers()
    {
        AddTestCase(new MistakeTest(
            "buffer",
            "leaf 0: SwitchMmu: buffer of 200000 bytes is ",
            "set BufferSize to ",
            Set("leaf 0", "SwitchMmu::BufferSize", "200000"),
            [](const Fabric& fabric, const Finding& finding) {
                // Guaranteed space and headroom fit, and nothing more.
                const uint64_t size = NumberIn(finding);
                fabric.At("leaf 0").Set("ns3::SwitchMmu::BufferSize", UintegerValue(size));
                fabric.GetSwitch(0)->Start();
                NS_ABORT_IF(fabric.GetSwitch(0)->GetMmu()->GetSharedPool() != 0);
                fabric.At("leaf 0").Set("ns3::SwitchMmu::BufferSize", StringValue("32MiB"));
            }));
        AddTestCase(new MistakeTest("start",
                                    "spine 1: SwitchMmu: a buffer of ",
                                    "",
                                    Set("spine 1", "SwitchMmu::BufferSize", "1TiB"),
                                    Reset("spine 1", "SwitchMmu::BufferSize", "32MiB")));
        AddTestCase(new MistakeTest("headroom",
                                    "leaf 0 port 1 class 3: headroom of ",
                                    "give it a headroom of ",
                                    Set("leaf 0 port 1 class 3", "SwitchMmu::Headroom", "1000"),
                                    SetNumber("SwitchMmu::Headroom", " class 3")));
        AddTestCase(new MistakeTest("pool",
                                    "leaf 1: the shared headroom pool of ",
                                    "set SharedHeadroomPool to ",
                                    Set("leaf 1", "SwitchMmu::SharedHeadroomPool", "100000"),
                                    [](const Fabric& fabric, const Finding& finding) {
                                        const std::string& right = finding.right;
                                        const std::size_t to = right.find(" to ") + 4;
                                        fabric.At(finding.place)
                                            .Set("ns3::SwitchMmu::SharedHeadroomPool",
                                                 UintegerValue(std::stoull(right.substr(to))));
                                    }));
        AddTestCase(new MistakeTest(
            "receive",
            "host 2 port 0: the receive buffer of ",
            "set BufferBytes of NicReceiveBuffer to ",
            [](const Fabric& fabric) {
                const auto buffer = CreateObject<NicReceiveBuffer>();
                buffer->SetAttribute("BufferBytes", UintegerValue(20000));
                fabric.GetRdma(2)->SetReceiveBuffer(0, buffer);
            },
            [](const Fabric& fabric, const Finding& finding) {
                const auto buffer = CreateObject<NicReceiveBuffer>();
                buffer->SetAttribute("BufferBytes", UintegerValue(NumberIn(finding)));
                fabric.GetRdma(2)->SetReceiveBuffer(0, buffer);
            }));
    }

    /// The rule about ECN thresholds.
    void AddMistakesOfEcn()
    {
        AddTestCase(new MistakeTest(
            "ecn",
            "leaf 0 port 0 class 3: PFC acts before ECN: 2 ports ",
            "set Kmin there to ",
            [](const Fabric& fabric) {
                fabric.At("leaf 0 port 0")
                    .Set("ns3::WredEcnMarker::Kmin",
                         UintegerValue(100000000),
                         "ns3::WredEcnMarker::Kmax",
                         UintegerValue(100000000));
            },
            SetNumber("WredEcnMarker::Kmin", " class 3")));
        AddTestCase(new MistakeTest(
            "ecn",
            "leaf 1 port 0 class 3: PFC acts before ECN: ",
            "set Kmax there to ",
            [](const Fabric& fabric) {
                const auto leaf = fabric.GetSwitch(1);
                DynamicCast<WredEcnMarker>(leaf->GetEcnMarker())
                    ->SetThresholds(0, 3, 0, 100000000, 0);
            },
            SetNumber("WredEcnMarker::Kmax", " class 3")));
        AddTestCase(new MistakeTest("ecn",
                                    "leaf 0 port 0 class 3: PFC acts before ECN: 2 ports ",
                                    "set Kmin there to 199",
                                    Set("leaf 0 class 3", "SwitchMmu::StaticThreshold", "99840"),
                                    SetNumber("WredEcnMarker::Kmin", " class 3")));
    }

    /// Rules about the ports at both ends of links.
    void AddMistakesOfPorts()
    {
        AddTestCase(new MistakeTest("pfc",
                                    "leaf 0 port 2 class 3: PFC is on at one end of the link only",
                                    "alike at both ends",
                                    Set("spine 0 port 0", "QbbNetDevice::PfcClasses", "0"),
                                    Reset("spine 0 port 0", "QbbNetDevice::PfcClasses", "8")));
        AddTestCase(new MistakeTest(
            "pfc",
            "leaf 0 port 2 class 3: frames of class 3, lossless at hosts, arrive by a link without",
            "add the class to PfcClasses at both ends",
            [](const Fabric& fabric) {
                Set("spine 0 port 0", "QbbNetDevice::PfcClasses", "0")(fabric);
                Set("leaf 0 port 2", "QbbNetDevice::PfcClasses", "0")(fabric);
            },
            [](const Fabric& fabric, const Finding& finding) {
                fabric.At(finding.place).Set("ns3::QbbNetDevice::PfcClasses", UintegerValue(8));
            }));
        AddTestCase(new MistakeTest(
            "pfc",
            "leaf 0 port 1 class 3: PFC is on at the port, but the class is lossy in the buffer",
            "make it lossless there with a headroom of ",
            [](const Fabric& fabric) { fabric.GetSwitch(0)->GetMmu()->SetLossy(1, 3); },
            [](const Fabric& fabric, const Finding& finding) {
                fabric.GetSwitch(0)->GetMmu()->SetLossless(1, 3, NumberIn(finding));
            }));
        AddTestCase(new MistakeTest(
            "pfc",
            "leaf 0 port 1 class 4: lossless in the buffer, but PFC is off at the port",
            "or make it lossy in the buffer",
            [](const Fabric& fabric) { fabric.GetSwitch(0)->GetMmu()->SetLossless(1, 4, 99999); },
            [](const Fabric& fabric, const Finding& /* finding */) {
                fabric.GetSwitch(0)->GetMmu()->SetLossy(1, 4);
            }));
        AddTestCase(new MistakeTest(
            "refresh",
            "leaf 1 port 0: the pause of the peer runs out after ",
            "set PfcRefreshInterval below ",
            Set("leaf 1 port 0", "QbbNetDevice::PfcRefreshInterval", "1s"),
            [](const Fabric& fabric, const Finding& finding) {
                const double most =
                    std::stod(finding.right.substr(finding.right.find("below ") + 6));
                fabric.At(finding.place)
                    .Set("ns3::QbbNetDevice::PfcRefreshInterval",
                         TimeValue(NanoSeconds(static_cast<uint64_t>(most * 1000) - 1)));
            }));
        AddTestCase(new MistakeTest("format",
                                    "leaf 0 port 0: the headrooms at the two ends of the link are",
                                    "set FrameFormat alike",
                                    Set("host 0", "QbbNetDevice::FrameFormat", "Hpcc"),
                                    Reset("host 0", "QbbNetDevice::FrameFormat", "Standard")));
    }

    /// The rule about class maps.
    void AddMistakesOfMaps()
    {
        AddTestCase(new MistakeTest("map",
                                    "spine 0 port 0: the class maps at the two ends of the link",
                                    "set TrafficClassMap alike",
                                    Set("spine 0 port 0", "TrafficClassMap::Dscp", "63:1"),
                                    Reset("spine 0 port 0", "TrafficClassMap::Dscp", "63:7")));
        AddTestCase(new MistakeTest("map",
                                    "spine 0 port 0 class 3: frames that hosts send in class 3, "
                                    "with DSCP 24, are taken for "
                                    "class 1",
                                    "map DSCP 24 to class 3 there",
                                    Set("spine 0 port 0", "TrafficClassMap::Dscp", "24:1"),
                                    MapAsSaid));
        AddTestCase(new MistakeTest(
            "map",
            "leaf 0 port 2 class 3: frames that hosts send in class 3, with DSCP 24, are taken for "
            "class 1",
            "map DSCP 24 to class 3 there",
            [](const Fabric& fabric) { // both ends of the link agree
                Set("spine 0 port 0", "TrafficClassMap::Dscp", "24:1")(fabric);
                Set("leaf 0 port 2", "TrafficClassMap::Dscp", "24:1")(fabric);
            },
            MapAsSaid));
        AddTestCase(new MistakeTest(
            "map",
            "leaf 0 port 2 class 3: frames that hosts send in class 3, without a tag, are taken "
            "for "
            "class 0",
            "set DefaultClass of the map there to 3",
            [](const Fabric& fabric) {
                Set("spine 0 port 0", "TrafficClassMap::Trust", "Dot1p")(fabric);
                Set("leaf 0 port 2", "TrafficClassMap::Trust", "Dot1p")(fabric);
            },
            [](const Fabric& fabric, const Finding& finding) {
                fabric.At(finding.place)
                    .Set("ns3::TrafficClassMap::DefaultClass", UintegerValue(*finding.cls));
            }));
    }
};

BufferCheckTestSuite g_bufferCheckTestSuite; //!< the suite

} // namespace
