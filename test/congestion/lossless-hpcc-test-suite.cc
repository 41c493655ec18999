// SPDX-License-Identifier: GPL-2.0-only

// Congestion control from telemetry (HPCC) and from the share of marks (DCTCP) in whole fabrics:
// how full the bottleneck is, how long its queue, who gets how much, how often PFC must help.

#include "convergence-run.h"
#include "fabric-test-case.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-run.h"
#include "ns3/hpcc-files.h"
#include "ns3/int-stamper.h"
#include "ns3/rdma-hpcc.h"

#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return hosts 1 to count
std::vector<uint32_t>
Senders(uint32_t count)
{
    std::vector<uint32_t> hosts;
    for (uint32_t host = 1; host <= count; ++host)
    {
        hosts.push_back(host);
    }
    return hosts;
}

/// Links of 100 Gb/s and 3 us, so that a round trip through one switch takes 12.4 us.
FabricHelper
Links()
{
    FabricHelper helper;
    helper.SetLink("DataRate", StringValue("100Gbps"), "Delay", StringValue("3us"));
    return helper;
}

/// A congestion control set by a test.
using Setting = std::function<void(FabricHelper&)>;

/// @return HPCC with T of 13 us and one more attribute
Setting
Hpcc(const std::string& name = "MaxStage", const std::string& value = "5")
{
    return [=](FabricHelper& helper) {
        helper.SetCongestionControl("ns3::RdmaHpcc",
                                    "BaseRtt",
                                    StringValue("13us"),
                                    name,
                                    StringValue(value));
    };
}

/// N flows into one host: a queue that drains, a line as full as Eta says, fair shares, and no
/// pauses once the first round trips are over.
class IncastTest : public FabricTestCase
{
  public:
    /// @param flows how many @param name what is set @param setting it
    /// @param least utilisation
    IncastTest(uint32_t flows, const std::string& name, Setting setting, double least = 0.94)
        : FabricTestCase(std::to_string(flows) + " flows, HPCC " + name),
          m_flows(flows),
          m_setting(std::move(setting)),
          m_least(least)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = Links();
        m_setting(helper);
        const Fabric fabric = helper.Star(m_flows + 1);
        ConvergenceRun run(fabric, Senders(m_flows));
        const Measured result = run.Run(MilliSeconds(2), MilliSeconds(4));
        std::cout << GetName() << ": " << result.Text() << "\n";
        NS_TEST_EXPECT_MSG_GT(result.utilisation, m_least, "as full as Eta");
        NS_TEST_EXPECT_MSG_LT(result.utilisation, 0.955, "and no fuller");
        NS_TEST_EXPECT_MSG_LT(result.meanQueue, 3000, "the queue drains");
        NS_TEST_EXPECT_MSG_EQ(result.pauses, 0, "no pause after the first round trips");
        NS_TEST_EXPECT_MSG_GT(result.jain, 0.9, "shares");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetLosslessDrops(), 0, "drops");
    }

    uint32_t m_flows;
    Setting m_setting;
    double m_least;
};

/// Without the gate each ACK of a round trip cuts again what the first has cut: the rate collapses.
class GateTest : public FabricTestCase
{
  public:
    GateTest()
        : FabricTestCase("HPCC without the gate of once per round trip")
    {
    }

  private:
    void DoRun() override
    {
        double utilisation[2] = {};
        for (const bool gate : {true, false})
        {
            FabricHelper helper = Links();
            Hpcc("OncePerRtt", gate ? "true" : "false")(helper);
            const Fabric fabric = helper.Star(9);
            ConvergenceRun run(fabric, Senders(8));
            const Measured result = run.Run(MicroSeconds(100), MilliSeconds(2));
            std::cout << GetName() << ", gate " << gate << ": " << result.Text() << "\n";
            utilisation[gate] = result.utilisation;
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_GT(utilisation[1], 0.85, "with the gate");
        NS_TEST_EXPECT_MSG_LT(utilisation[0], 0.6 * utilisation[1], "without it");
    }
};

/// Sixteen senders and little buffer: PFC helps in the first round trips, and not afterwards.
class PauseTest : public FabricTestCase
{
  public:
    PauseTest()
        : FabricTestCase("HPCC needs PFC only at first")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = Links();
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("4MiB"));
        Hpcc()(helper);
        const Fabric fabric = helper.Star(17);
        ConvergenceRun run(fabric, Senders(16));
        const Measured result = run.Run(MicroSeconds(200), MilliSeconds(3));
        std::cout << GetName() << ": " << result.Text() << "\n";
        NS_TEST_EXPECT_MSG_GT_OR_EQ(result.allPauses, 16, "every sender starts at line rate");
        NS_TEST_EXPECT_MSG_EQ(result.pauses, 0, "no pause once the senders know");
        NS_TEST_EXPECT_MSG_GT(result.utilisation, 0.93, "as full as Eta");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetLosslessDrops(), 0, "drops");
    }
};

/// Hosts of 25 to 200 Gb/s across a link of 400 Gb/s.
class MixedSpeedsTest : public FabricTestCase
{
  public:
    MixedSpeedsTest()
        : FabricTestCase("HPCC over links of several speeds")
    {
    }

  private:
    void DoRun() override
    {
        const auto link = [](const std::string& rate) {
            FabricLinkSpec spec;
            spec.rate = DataRate(rate);
            spec.delay = MicroSeconds(2);
            return spec;
        };
        FabricTopology topology;
        const NodeId receivers = topology.AddSwitch();
        const NodeId senders = topology.AddSwitch();
        topology.AddLink(receivers, senders, link("400Gbps"));
        topology.AddLink(topology.AddHost(), receivers, link("25Gbps"));
        for (const auto* rate : {"100Gbps", "40Gbps", "200Gbps"})
        {
            topology.AddLink(topology.AddHost(), senders, link(rate));
        }
        FabricHelper helper;
        Hpcc()(helper);
        const Fabric fabric = helper.FromTopology(topology);
        ConvergenceRun run(fabric, Senders(3));
        const Measured result = run.Run(MilliSeconds(10), MilliSeconds(20));
        std::cout << GetName() << ": " << result.Text() << "\n";
        NS_TEST_EXPECT_MSG_GT(result.utilisation, 0.93, "as full as Eta");
        NS_TEST_EXPECT_MSG_LT(result.utilisation, 0.96, "and no fuller");
        NS_TEST_EXPECT_MSG_LT(result.meanQueue, 5000, "the queue drains");
        NS_TEST_EXPECT_MSG_GT(result.jain, 0.9, "shares");
        NS_TEST_EXPECT_MSG_EQ(result.pauses, 0, "pauses");

        FabricHelper odd;
        odd.SetLink("DataRate", StringValue("33Gbps"));
        Hpcc()(odd);
        ExpectError([&] { odd.Star(3); }, "LinkSpeeds");
        FabricHelper lossy = odd;
        lossy.AllowLossy();
        ExpectError([&] { lossy.Star(3); }, "LinkSpeeds");
        const StringValue speeds("33Gbps");
        odd.SetCongestionControl("ns3::RdmaHpcc", "LinkSpeeds", speeds);
        odd.AddSwitchExtension("ns3::IntStamper", "LinkSpeeds", speeds);
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { odd.Star(3); }), "", "named");
    }
};

/// Both halves of an algorithm agree, or the fabric is refused.
class NeedsTest : public FabricTestCase
{
  public:
    NeedsTest()
        : FabricTestCase("What senders need of switches is set, or missed in one line")
    {
    }

  private:
    void DoRun() override
    {
        CheckHalves();
        CheckDefaults();
        CheckFlows();
    }

    /// The control of the helper.
    void CheckHalves()
    {
        const auto four = [] {
            FabricHelper helper;
            helper.SetCongestionControl("ns3::RdmaHpcc",
                                        "Multiplier",
                                        UintegerValue(4),
                                        "LinkSpeeds",
                                        StringValue("33Gbps 100Gbps"),
                                        "PintBase",
                                        DoubleValue(1.0625001));
            return helper;
        };
        const auto stamper = four().Star(2).GetSwitch(0)->GetExtension(0);
        UintegerValue multiplier;
        stamper->GetAttribute("Multiplier", multiplier);
        NS_TEST_EXPECT_MSG_EQ(multiplier.Get(), 4, "of the sender");
        StringValue speeds;
        stamper->GetAttribute("LinkSpeeds", speeds);
        NS_TEST_EXPECT_MSG_EQ(speeds.Get(), "33Gbps 100Gbps", "of the sender");
        DoubleValue base;
        stamper->GetAttribute("PintBase", base);
        NS_TEST_EXPECT_MSG_EQ(base.Get(), 1.0625001, "of the sender, all digits");

        FabricHelper other = four();
        other.AddSwitchExtension("ns3::IntStamper", "Multiplier", UintegerValue(2));
        ExpectError([&] { other.Star(2); },
                    "ns3::IntStamper::Multiplier is \"2\" and ns3::RdmaHpcc::Multiplier is \"4\"");
        FabricHelper same = four();
        same.AddSwitchExtension("ns3::IntStamper", "Multiplier", UintegerValue(4));
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { same.Star(2); }), "", "both say 4");
        FabricHelper icc;
        icc.SetCongestionControl("ns3::RdmaIcc", "Feedback", StringValue("ReceiverEcho"));
        icc.AddSwitchExtension("ns3::IccSwitch", "Feedback", StringValue("SwitchAck"));
        ExpectError([&] { icc.Star(2); },
                    "ns3::IccSwitch::Feedback is \"SwitchAck\" and ns3::RdmaIcc::Feedback is "
                    "\"ReceiverEcho\"");
    }

    /// Defaults and options that one half alone has.
    void CheckDefaults()
    {
        const FabricOptions options;
        FabricHelper helper(options);
        helper.SetCongestionControl("ns3::RdmaHpcc");
        const std::string differ =
            "ns3::IntStamper::Multiplier is \"8\" and ns3::RdmaHpcc::Multiplier is \"1\"";
        Config::SetDefault("ns3::IntStamper::Multiplier", UintegerValue(8));
        ExpectError([&] { helper.Star(2); }, differ);
        Config::SetDefault("ns3::RdmaHpcc::Multiplier", UintegerValue(8));
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { helper.Star(2); }), "", "both say 8");
        Config::Reset();
        options.Add("ns3::IntStamper::Multiplier", "8");
        ExpectError([&] { helper.Star(2); }, differ);
        Config::Reset();
        FabricHelper another;
        another.SetCongestionControl("ns3::RdmaHpcc");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { another.Star(2); }), "", "as before");
    }

    /// The control of some flows.
    void CheckFlows()
    {
        FabricHelper helper;
        const Fabric without = helper.Star(2);
        RdmaFlowHelper flows(without);
        const ObjectFactory hpcc("ns3::RdmaHpcc");
        ExpectError([&] { flows.SetCongestionControl(hpcc); },
                    "ns3::RdmaHpcc needs ns3::IntStamper in all switches, and leaf 0 has none; "
                    "give all switches ns3::IntStamper when the fabric is built");
        ExpectError([&] { flows.SetCongestionControl(ObjectFactory("ns3::RdmaPcn")); },
                    "give all switches ns3::PcnMarker when");
        ObjectFactory icc("ns3::RdmaIcc");
        icc.Set("Feedback", StringValue("ReceiverEcho"));
        ExpectError([&] { flows.SetCongestionControl(icc); },
                    "give all switches ns3::IccSwitch[Feedback=ReceiverEcho] when");
        Fabric::QueuePairOptions options;
        options.congestion = hpcc;
        ExpectError([&] { without.Connect(0, 1, options); }, "needs ns3::IntStamper");
        NS_TEST_EXPECT_MSG_EQ(without.GetRdma(0)->GetNQueuePairs(), 0, "nothing half made");

        helper.AddSwitchExtension("ns3::IntStamper");
        const Fabric with = helper.Star(2);
        RdmaFlowHelper stamped(with);
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { stamped.SetCongestionControl(hpcc); }), "", "has one");
        ObjectFactory four = hpcc;
        four.Set("Multiplier", UintegerValue(4));
        ExpectError([&] { stamped.SetCongestionControl(four); },
                    "ns3::IntStamper::Multiplier is \"1\" and ns3::RdmaHpcc::Multiplier is \"4\"");

        FabricTopology cable;
        cable.AddLink(cable.AddHost(), cable.AddHost(), FabricLinkSpec());
        RdmaFlowHelper direct(FabricHelper().FromTopology(cable));
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { direct.SetCongestionControl(hpcc); }), "", "no switch");
    }
};

/// Switches in a row: five fit into INT, as only data is stamped; with six it says nothing.
class HopsTest : public FabricTestCase
{
  public:
    /// @param switches how many @param telemetry what packets carry
    HopsTest(uint32_t switches, const std::string& telemetry)
        : FabricTestCase("HPCC across " + std::to_string(switches) + " switches, " + telemetry),
          m_switches(switches),
          m_telemetry(telemetry)
    {
    }

  private:
    void DoRun() override
    {
        FabricTopology topology;
        FabricLinkSpec link;
        NodeId last = topology.AddHost();
        for (uint32_t i = 0; i < m_switches; ++i)
        {
            const NodeId next = topology.AddSwitch();
            topology.AddLink(last, next, link);
            last = next;
        }
        topology.AddLink(last, topology.AddHost(), link);
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaHpcc", "Telemetry", StringValue(m_telemetry));
        const Fabric fabric = helper.FromTopology(topology);
        ConvergenceRun run(fabric, {1});
        const Measured result = run.Run(MilliSeconds(1), MilliSeconds(2));
        const auto hpcc = run.Control<RdmaHpcc>(0);
        std::cout << GetName() << ": " << result.Text() << ", overflows " << hpcc->GetIntOverflows()
                  << "\n";
        const bool fits = m_switches <= IntTelemetry::MAX_HOPS;
        NS_TEST_EXPECT_MSG_EQ((hpcc->GetIntOverflows() == 0), fits, "overflows");
        NS_TEST_EXPECT_MSG_GT(result.utilisation, (fits ? 0.93 : 0.99), "as full as Eta, or full");
        NS_TEST_EXPECT_MSG_LT(result.utilisation,
                              (fits ? 0.955 : 1.001),
                              "as full as Eta, or full");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetLosslessDrops(), 0, "drops");
    }

    uint32_t m_switches;
    std::string m_telemetry;
};

/// DCTCP with a step of 30 KB per 10 Gb/s.
class DctcpTest : public FabricTestCase
{
  public:
    /// @param flows how many @param control "Rate" or "Window"
    DctcpTest(uint32_t flows, const std::string& control)
        : FabricTestCase(std::to_string(flows) + " flows, DCTCP by " + control),
          m_flows(flows),
          m_control(control)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = Links();
        helper.SetCongestionControl("ns3::RdmaDctcp", "Control", StringValue(m_control));
        helper.SetEcn("ns3::WredEcnMarker",
                      "Kmin",
                      UintegerValue(30000),
                      "Kmax",
                      UintegerValue(30000),
                      "ReferenceRate",
                      StringValue("10Gbps"));
        const Fabric fabric = helper.Star(m_flows + 1);
        ConvergenceRun run(fabric, Senders(m_flows));
        const Measured result = run.Run(MilliSeconds(10), MilliSeconds(20));
        std::cout << GetName() << ": " << result.Text() << "\n";
        NS_TEST_EXPECT_MSG_GT(result.utilisation, 0.95, "the line is full");
        NS_TEST_EXPECT_MSG_GT(result.jain, 0.95, "all get the same");
        NS_TEST_EXPECT_MSG_LT(result.meanQueue, 400000, "the queue is about the threshold");
        NS_TEST_EXPECT_MSG_EQ(result.pauses, 0, "pauses");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetLosslessDrops(), 0, "drops");
    }

    uint32_t m_flows;
    std::string m_control;
};

/// The files of the HPCC simulator.
class OutputTest : public FabricTestCase
{
  public:
    OutputTest()
        : FabricTestCase("Files of the HPCC simulator are complete when their run ends")
    {
    }

  private:
    /// @param name of a folder @param fails whether the run does @return the folder
    std::filesystem::path Write(const std::string& name, bool fails)
    {
        const std::filesystem::path folder = CreateTempDirFilename(name);
        FabricRun run(FabricHelper().Star(3));
        auto& output = run.Add<HpccOutput>(run.Rdma());
        output.WriteFct(folder / "fct.txt");
        output.WritePfc(folder / "pfc.txt");
        ExpectError(
            [&] { output.WriteQueues(folder / "none.txt", MicroSeconds(-1), MicroSeconds(20)); },
            "the start must not be negative");
        output.WriteQueues(folder / "queues.txt", MicroSeconds(1), MicroSeconds(20));
        run.Rdma().Incast(2, 0, 100000, Time(0));
        if (fails)
        {
            Simulator::Schedule(MicroSeconds(5), [] { throw FabricError("no luck"); });
            ExpectError([&] { run.Execute(); }, "no luck");
            return folder;
        }
        run.Execute();
        for (const char* file : {"fct.txt", "pfc.txt", "queues.txt"})
        {
            NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder / file), true, file);
        }
        return folder;
    }

    void DoRun() override
    {
        const auto folder = Write("hpcc-output", false);
        NS_TEST_EXPECT_MSG_GT(std::filesystem::file_size(folder / "fct.txt"), 80, "two flows");
        NS_TEST_EXPECT_MSG_GT(std::filesystem::file_size(folder / "queues.txt"), 10, "lengths");
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::is_empty(Write("hpcc-failed", true)),
                              true,
                              "nothing of a run that has failed");
    }
};

class HpccTestSuite : public TestSuite
{
  public:
    HpccTestSuite()
        : TestSuite("lossless-hpcc", Type::SYSTEM)
    {
        for (const uint32_t flows : {2, 4, 8, 16})
        {
            AddTestCase(new IncastTest(flows, "as published", Hpcc()));
        }
        AddTestCase(new IncastTest(4, "growing INT", Hpcc("Telemetry", "Growing")));
        AddTestCase(new IncastTest(4, "per hop", Hpcc("MultiRate", "true")));
        AddTestCase(new IncastTest(4, "sampled", Hpcc("SampleFeedback", "true")));
        AddTestCase(new IncastTest(4, "once per RTT", Hpcc("FastReact", "false")));
        // Codes are 5 % apart: it turns between the neighbours of Eta, 0.907 and 0.952.
        AddTestCase(new IncastTest(4, "PINT", Hpcc("Telemetry", "Pint"), 0.907));
        AddTestCase(new IncastTest(4, "without window", Hpcc("UseWindow", "false")));
        AddTestCase(new IncastTest(4, "MaxStage 0", Hpcc("MaxStage", "0")));
        AddTestCase(new GateTest);
        AddTestCase(new PauseTest);
        AddTestCase(new MixedSpeedsTest);
        AddTestCase(new NeedsTest);
        for (const auto* telemetry : {"Fixed", "Growing"})
        {
            AddTestCase(new HopsTest(5, telemetry));
            AddTestCase(new HopsTest(6, telemetry));
        }
        AddTestCase(new OutputTest);
        for (const uint32_t flows : {2, 8, 16})
        {
            AddTestCase(new DctcpTest(flows, "Rate"));
            AddTestCase(new DctcpTest(flows, "Window"));
        }
    }
};

HpccTestSuite g_hpccTestSuite; //!< registers the suite

} // namespace
