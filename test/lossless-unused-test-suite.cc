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

/// Suite of what is named as unused.
class UnusedTestSuite : public TestSuite
{
  public:
    UnusedTestSuite()
        : TestSuite("lossless-unused", TestSuite::Type::SYSTEM)
    {
        AddTestCase(new RuleTest);
    }
};

UnusedTestSuite g_unusedTestSuite; //!< registers the suite

} // namespace
