// SPDX-License-Identifier: GPL-2.0-only

// What a user sets and a run does not use is named on one line: rules of border policies, ECN
// thresholds, pacing, what each flow replaces. What cannot work is refused at once.

#include "captured-errors.h"
#include "fabric-test-case.h"

#include "ns3/boolean.h"
#include "ns3/border-policy.h"
#include "ns3/double.h"
#include "ns3/elephant-separator.h"
#include "ns3/fabric-run.h"
#include "ns3/string.h"

using namespace ns3;

namespace
{

/// A run that may name something.
class UnusedTestCase : public FabricTestCase
{
  public:
    using FabricTestCase::FabricTestCase;

  protected:
    /// Run flows from each host but host 0 to host 0. @param fabric where @param congestion theirs;
    /// empty: that of the fabric @return what was written to standard error
    static std::string Run(const Fabric& fabric, const std::string& congestion = "")
    {
        CapturedErrors errors;
        RunOptions options;
        options.stop = MicroSeconds(100);
        FabricRun run(fabric, options);
        if (!congestion.empty())
        {
            run.Rdma().SetCongestionControl(congestion);
        }
        for (uint32_t host = 1; host < fabric.GetNHosts(); ++host)
        {
            run.Rdma().Add({host, 0, 1000, Time(0)});
        }
        run.Execute();
        return errors.Take();
    }
};

/// Rules of border policies.
class RuleTest : public UnusedTestCase
{
  public:
    RuleTest()
        : UnusedTestCase("A rule of border policies that matches no frame is named, once for all")
    {
    }

  private:
    /// @param rules of all switches @return what was written to standard error
    static std::string RunWith(const std::string& rules)
    {
        Simulator::Destroy();
        FabricHelper helper;
        helper.AddSwitchExtension("ns3::BorderPolicy[Rules=" + rules + "]");
        return Run(helper.LeafSpine(2, 1, 2));
    }

    void DoRun() override
    {
        const std::string begin = "lossless: warning: rule ";
        const std::string end = " of ns3::BorderPolicy of leaf 0 and of 2 more has matched no "
                                "frame; see what it asks for, Ports, and the rules before it\n";
        NS_TEST_EXPECT_MSG_EQ(RunWith("tcp drop; udp 4791 permit; udp 4792 permit;"),
                              begin + "1 \"tcp drop\"" + end + begin + "3 \"udp 4792 permit\"" +
                                  end,
                              "of three switches");
        NS_TEST_EXPECT_MSG_EQ(RunWith("udp 4791 permit; any set dscp 0"), "", "for what is left");
        NS_TEST_EXPECT_MSG_EQ(RunWith("tcp permit; any permit"),
                              begin + "1 \"tcp permit\"" + end,
                              "the second has matched");
        NS_TEST_EXPECT_MSG_EQ(RunWith("udp 4792 permit; tcp permit"),
                              begin + "1 \"udp 4792 permit\"" + end + begin + "2 \"tcp permit\"" +
                                  end,
                              "no rule has matched");
        NS_TEST_EXPECT_MSG_EQ(RunWith("from 10.0.0.0/30 permit; to 10.0.0.0/8 permit"),
                              "",
                              "one of the switches is enough");
        SecondRun();
    }

    /// What one run has matched is nothing to the next.
    void SecondRun()
    {
        Simulator::Destroy();
        FabricHelper helper;
        helper.AddSwitchExtension("ns3::BorderPolicy[Rules=udp 4791 permit; tcp drop]");
        const Fabric fabric = helper.Star(2);
        NS_TEST_EXPECT_MSG_NE(Run(fabric).find("rule 2"), std::string::npos, "TCP");
        NS_TEST_EXPECT_MSG_EQ(Run(fabric), "", "named before");
        CapturedErrors errors;
        RunOptions options;
        options.stop = MicroSeconds(100);
        FabricRun(fabric, options).Execute();
        NS_TEST_EXPECT_MSG_EQ(errors.Take(), "", "nobody sends");
    }
};

/// ECN thresholds and markers.
class MarksTest : public UnusedTestCase
{
  public:
    MarksTest()
        : UnusedTestCase("ECN thresholds are named where no congestion control reads ECN marks")
    {
    }

  private:
    /// @param congestion of the fabric @param change of the helper @param ofFlows congestion
    /// control of flows @return what was written to standard error
    template <typename Change>
    static std::string RunWith(const std::string& congestion,
                               Change change,
                               const std::string& ofFlows = "")
    {
        Simulator::Destroy();
        FabricHelper helper;
        helper.SetCongestionControl(congestion);
        change(helper);
        return Run(helper.Star(3), ofFlows);
    }

    void DoRun() override
    {
        const std::string text =
            "lossless: warning: the ECN thresholds of leaf 0 have no effect on flows; no "
            "congestion control of the fabric reads ECN marks; ns3::RdmaDcqcn does\n";
        const auto nothing = [](FabricHelper&) {};
        const auto curve = [](FabricHelper& helper) {
            helper.SetEcn("ns3::WredEcnMarker", "Kmin", UintegerValue(5000));
        };
        const auto byspeed = [](FabricHelper& helper) {
            helper.SetEcnThresholds(DataRate("100Gbps"), 5000, 90000, 0.1);
        };
        for (const char* control : {"none", "ns3::RdmaTimely", "ns3::RdmaSwift", "ns3::RdmaHpcc"})
        {
            NS_TEST_EXPECT_MSG_EQ(RunWith(control, nothing), "", control << " as usual");
            NS_TEST_EXPECT_MSG_EQ(RunWith(control, curve), text, control);
        }
        for (const char* control :
             {"ns3::RdmaDcqcn", "ns3::RdmaDcqcn[MarksInAcks=true]", "ns3::RdmaDctcp"})
        {
            NS_TEST_EXPECT_MSG_EQ(RunWith(control, curve), "", control << " reads marks");
            NS_TEST_EXPECT_MSG_EQ(RunWith(control, byspeed), "", control << " reads marks");
        }
        for (const char* control : {"ns3::RdmaPcn", "ns3::RdmaIcc"})
        {
            NS_TEST_EXPECT_MSG_EQ(RunWith(control, nothing), "", control << " marks by itself");
        }
        NS_TEST_EXPECT_MSG_EQ(RunWith("ns3::RdmaTimely", byspeed), text, "by speed");
        NS_TEST_EXPECT_MSG_EQ(RunWith("none", curve, "ns3::RdmaDcqcn").find("ECN"),
                              std::string::npos,
                              "flows read");
        NS_TEST_EXPECT_MSG_NE(RunWith("ns3::RdmaDcqcn", curve, "ns3::RdmaTimely").find(text),
                              std::string::npos,
                              "flows do not read");
    }
};

/// What queue pairs and DCQCN are told in vain.
class QueuePairTest : public UnusedTestCase
{
  public:
    QueuePairTest()
        : UnusedTestCase("Pacing without rates, and DCQCN without marks, are named")
    {
    }

  private:
    void DoRun() override
    {
        const std::string begin = "lossless: warning: ns3::RdmaQueuePair::";
        const auto run = [](const std::string& control, const std::string& name, auto value) {
            Simulator::Destroy();
            FabricHelper helper;
            helper.SetCongestionControl(control);
            helper.SetQueuePair(name, value);
            return Run(helper.Star(2));
        };
        const std::string noRate =
            begin + "PaceByRate has no effect; the congestion control sets no rate\n";
        const std::string sameRate =
            begin + "Repace has no effect; the congestion control never changes its rate\n";
        for (const char* control : {"none", "ns3::RdmaFixedWindow"})
        {
            NS_TEST_EXPECT_MSG_EQ(run(control, "PaceByRate", BooleanValue(false)), noRate, control);
            NS_TEST_EXPECT_MSG_EQ(run(control, "Repace", StringValue("Next")), sameRate, control);
        }
        NS_TEST_EXPECT_MSG_EQ(run("ns3::RdmaFixedRate[Rate=1Gbps]", "Repace", StringValue("Next")),
                              sameRate,
                              "a rate that stays");
        NS_TEST_EXPECT_MSG_EQ(run("ns3::RdmaDcqcn", "Repace", StringValue("Next")), "", "DCQCN");
        Simulator::Destroy();
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaDcqcn", "Gain", DoubleValue(0.01));
        helper.SetSwitch("ns3::FabricSwitch", "EcnEnabled", BooleanValue(false));
        NS_TEST_EXPECT_MSG_EQ(
            Run(helper.Star(2)),
            "lossless: warning: ns3::RdmaDcqcn::Gain has no effect; no switch has "
            "EcnEnabled, so no CNPs come\n",
            "no marks");
        Replaced();
    }

    /// What the fabric says and each flow replaces.
    void Replaced()
    {
        const auto run = [](bool replacesAll) {
            Simulator::Destroy();
            FabricHelper helper;
            helper.SetQueuePair("Mtu", UintegerValue(512));
            const Fabric fabric = helper.Star(3);
            CapturedErrors errors;
            RunOptions options;
            options.stop = MicroSeconds(100);
            FabricRun run(fabric, options);
            if (!replacesAll)
            {
                run.Rdma().Add({1, 0, 1000, Time(0)});
            }
            run.Rdma().SetQueuePair("Mtu", UintegerValue(256));
            run.Rdma().Add({2, 0, 1000, Time(0)});
            run.Execute();
            return errors.Take();
        };
        NS_TEST_EXPECT_MSG_EQ(run(true),
                              "lossless: warning: ns3::RdmaQueuePair::Mtu of the fabric has no "
                              "effect; each queue pair has a value of its own\n",
                              "all");
        NS_TEST_EXPECT_MSG_EQ(run(false), "", "one takes it");
    }
};

/// Extensions that are added during a run.
class LateExtensionTest : public UnusedTestCase
{
  public:
    LateExtensionTest()
        : UnusedTestCase("An extension that cannot work is refused when it is added to a run")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(2);
        std::string said;
        Simulator::Schedule(MicroSeconds(1), [&] {
            try
            {
                fabric.GetSwitch(0)->AddExtension(CreateObject<ElephantSeparator>());
            }
            catch (const std::invalid_argument& error)
            {
                said = error.what();
            }
        });
        NS_TEST_EXPECT_MSG_EQ(Run(fabric), "", "the run goes on");
        NS_TEST_EXPECT_MSG_EQ(said.rfind("ElephantSeparator: ", 0), 0, said);
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetNExtensions(), 0, "none is left");
    }
};

/// Parts and settings that are where they can do nothing.
class PlaceTest : public UnusedTestCase
{
  public:
    PlaceTest()
        : UnusedTestCase("L2Tables without hosts and a dialect that hosts do not speak are named")
    {
    }

  private:
    /// @param tables a part @param places of it @return what a run says
    static std::string RunTables(const std::string& tables, const std::string& places)
    {
        Simulator::Destroy();
        FabricHelper helper;
        helper.At(places).AddSwitchExtension(tables);
        return Run(helper.LeafSpine(2, 2, 2));
    }

    /// @param dialect of PFC @param places of the ports @return what a run says
    static std::string RunDialect(const std::string& dialect, const std::string& places)
    {
        Simulator::Destroy();
        FabricHelper helper;
        helper.AllowLossy(); // the pauses of this dialect may run out
        helper.At(places).Set("ns3::QbbNetDevice::PfcDialect", StringValue(dialect));
        return Run(helper.LeafSpine(2, 2, 2));
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(RunTables("ns3::L2Tables", "spine"),
                              "lossless: warning: ns3::L2Tables of spine 0 and of 1 more has no "
                              "effect; it is for switches with hosts\n",
                              "no hosts");
        NS_TEST_EXPECT_MSG_EQ(RunTables("ns3::L2Tables[Groups=All]", "spine"), "", "it floods");
        NS_TEST_EXPECT_MSG_EQ(RunTables("ns3::L2Tables", "switches"), "", "some have hosts");
        NS_TEST_EXPECT_MSG_EQ(RunDialect("ShortQuanta", "hosts"),
                              "lossless: warning: ns3::QbbNetDevice::PfcDialect of host 0 port 0 "
                              "has no effect; hosts send no pauses without a receive buffer\n",
                              "hosts obey quanta in both");
        NS_TEST_EXPECT_MSG_EQ(RunDialect("ShortQuanta", "all"), "", "switches send them");
    }
};

/// Suite of what is named as unused.
class UnusedTestSuite : public TestSuite
{
  public:
    UnusedTestSuite()
        : TestSuite("lossless-unused", TestSuite::Type::SYSTEM)
    {
        AddTestCase(new RuleTest);
        AddTestCase(new MarksTest);
        AddTestCase(new QueuePairTest);
        AddTestCase(new LateExtensionTest);
        AddTestCase(new PlaceTest);
    }
};

UnusedTestSuite g_unusedTestSuite; //!< registers the suite

} // namespace
