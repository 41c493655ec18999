// SPDX-License-Identifier: GPL-2.0-only

// What CheckLossless() finds before the run is lost in the worst run, and what it does not find is
// not (worst-case.h): chosen configurations, and random ones. What passes and loses is a failure.
// What is found and loses nothing is counted and printed.
//
// A random case that fails names its number, and runs alone with
//   NS_GLOBAL_VALUE="FindingsCase=17" lossless-test-runner --suite=lossless-findings
//     --fullness=EXTENSIVE

#include "fabric-test-case.h"
#include "findings-of.h"
#include "property-test-suite.h"
#include "random-scene.h"
#include "worst-case.h"

#include "ns3/double.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/global-value.h"
#include "ns3/headroom.h"
#include "ns3/integer.h"
#include "ns3/lossless-link.h"
#include "ns3/nic-receive-buffer.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::tests;

namespace
{

constexpr uint32_t CASES = 500;
constexpr uint32_t ENOUGH = 100; //!< cases to judge by

/// One of the random cases alone.
GlobalValue g_case("FindingsCase",
                   "Run only this one of the random cases of lossless-findings; -1: all",
                   IntegerValue(-1),
                   MakeIntegerChecker<int32_t>(-1));

/// What the cases came to.
struct Tally
{
    uint32_t cases{0};              //!< that ran
    uint32_t found{0};              //!< cases with findings
    uint32_t falseAlarms{0};        //!< found, and nothing was lost
    uint32_t missed{0};             //!< not found, and something was lost
    std::vector<std::string> lines; //!< findings of the false alarms
};

Tally g_tally;

class RandomTest : public FabricTestCase
{
  public:
    explicit RandomTest(uint32_t index)
        : FabricTestCase("Random configuration " + std::to_string(index)),
          m_index(index)
    {
    }

  private:
    void DoRun() override
    {
        IntegerValue only;
        g_case.GetValue(only);
        if (only.Get() >= 0 && only.Get() != m_index)
        {
            return;
        }
        RandomScene random(Dice(7000 + m_index));
        WorstCase& scene = *random.scene;
        const auto findings = scene.Check();
        scene.Run();
        const std::string text = "case " + std::to_string(m_index) + ": " + random.text;
        const bool lost = scene.GetDrops() > 0;
        ++g_tally.cases;
        g_tally.found += !findings.empty();
        g_tally.missed += findings.empty() && lost;
        NS_TEST_EXPECT_MSG_EQ((findings.empty() && lost), false, "passes, and drops: " << text);
        if (!findings.empty() && !lost)
        {
            ++g_tally.falseAlarms;
            g_tally.lines.push_back("case " + std::to_string(m_index) + ": " + findings[0]);
        }
        if (only.Get() >= 0)
        {
            std::cout << text << "\n" << scene.GetDrops() << " drops\n";
            for (const auto& finding : findings)
            {
                std::cout << finding << "\n";
            }
        }
        NS_TEST_EXPECT_MSG_EQ(scene.fabricSwitch->GetMmu()->CheckInvariants(), "", text);
    }

    uint32_t m_index;
};

/// The sum of all cases.
class TallyTest : public FabricTestCase
{
  public:
    TallyTest()
        : FabricTestCase("Few findings are false alarms")
    {
    }

  private:
    void DoRun() override
    {
        const Tally& t = g_tally;
        std::cout << "random configurations: " << t.cases << " of " << CASES << ", with findings "
                  << t.found << ", of which nothing was lost in " << t.falseAlarms
                  << "; without findings " << t.cases - t.found << ", of which lost " << t.missed
                  << "\n";
        for (const auto& line : t.lines)
        {
            std::cout << "  nothing lost, " << line << "\n";
        }
        NS_TEST_EXPECT_MSG_GT(t.cases, 0, "no case has run");
        NS_TEST_EXPECT_MSG_EQ(t.missed, 0, "what passes loses nothing");
        if (t.cases >= ENOUGH)
        {
            NS_TEST_EXPECT_MSG_GT(t.found, t.cases / 4, "findings");
            NS_TEST_EXPECT_MSG_LT(t.found, 3 * t.cases / 4, "cases without");
            NS_TEST_EXPECT_MSG_LT(20 * t.falseAlarms, t.found, "false alarms, at most 5 %");
        }
    }
};

/// A scene with a sender at port 2 of the switch, which is as it should be, or not.
class CheckTest : public FabricTestCase
{
  public:
    /// Change the two ends of the link before the scene is built.
    using Ends = std::function<void(LinkEnd& host, LinkEnd& port)>;
    /// Change the scene.
    using Scene = std::function<void(WorstCase& scene)>;

    /// @param name of the case @param finding a text in the only finding; "": none @param ends
    /// @param scene
    CheckTest(const std::string& name, const std::string& finding, Ends ends, Scene scene = {})
        : FabricTestCase(name + (finding.empty() ? ": lossless" : ": found, and drops")),
          m_finding(finding),
          m_ends(std::move(ends)),
          m_scene(std::move(scene))
    {
    }

  private:
    void DoRun() override
    {
        LinkEnd host;
        LinkEnd port;
        if (m_ends)
        {
            m_ends(host, port);
        }
        WorstCase scene({3});
        scene.AddSender(host, port, MicroSeconds(1));
        scene.fabricSwitch->GetMmu()->SetStaticThreshold(2, 3, 50000);
        if (m_scene)
        {
            m_scene(scene);
        }
        const auto findings = scene.Check();
        const std::string first = findings.empty() ? "" : findings[0];
        NS_TEST_EXPECT_MSG_EQ(findings.size(), (m_finding.empty() ? 0 : 1), first);
        NS_TEST_EXPECT_MSG_NE(first.find(m_finding), std::string::npos, first);
        scene.Run();
        const bool dropped = scene.GetDrops() > 0;
        NS_TEST_EXPECT_MSG_EQ(dropped, !m_finding.empty(), "drops, with \"" << first << "\"");
        NS_TEST_EXPECT_MSG_EQ(scene.fabricSwitch->GetMmu()->CheckInvariants(), "", "books");
    }

    std::string m_finding;
    Ends m_ends;
    Scene m_scene;
};

/// Hosts with receive buffers take part in the check of a fabric.
class FabricNicTest : public FabricTestCase
{
  public:
    FabricNicTest()
        : FabricTestCase("The check of a fabric sees the receive buffers of its hosts")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue("400Gbps"), "Delay", TimeValue(MicroSeconds(5)));
        const Fabric fabric = helper.Star(3);
        const auto buffer = CreateObject<NicReceiveBuffer>();
        fabric.GetRdma(1)->SetReceiveBuffer(0, buffer);
        NS_TEST_EXPECT_MSG_EQ(fabric.CheckLossless().size(), 0, "1 MB holds the headroom");
        buffer->SetAttribute("BufferBytes", UintegerValue(100000));
        const uint64_t needed = HeadroomBytes(GetHeadroomLink(*fabric.GetDevice(1, 0)), 1);
        ExpectError([&] { fabric.RequireLossless(); },
                    "node 1 port 0: the receive buffer of 100000 bytes is " +
                        std::to_string(needed - 100000) + " bytes short");
    }
};

/// The helper builds what CheckLossless() finds something in only when loss is allowed.
class RefusalTest : public FabricTestCase
{
  public:
    RefusalTest()
        : FabricTestCase("The helper refuses pauses that run out, unless loss is allowed")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetLink("PfcRefreshInterval", TimeValue(Time(0)));
        ExpectError(
            [&] { helper.Star(3); },
            "leaf 0 (node 3) port 0: the pause of the peer runs out after 335.5392 us, and the "
            "XOFF is never sent again; set PfcRefreshInterval below 335.4");
        ExpectError([&] { helper.Star(3); }, "(and 2 more findings); correct it, or allow loss");
        helper.AllowLossy();
        NS_TEST_EXPECT_MSG_EQ(helper.Star(3).CheckLossless().size(), 3, "one for each port");
    }
};

/// @param rate of both ends @param delay of the cable @param bytes of the
/// receive buffer @return what adds such a NIC to a scene
CheckTest::Scene
Nic(const std::string& rate, Time delay, uint64_t bytes)
{
    return [=](WorstCase& scene) {
        LinkEnd end;
        end.rate = DataRate(rate);
        scene.AddNic(end, end, delay, bytes);
    };
}

class FindingsTestSuite : public PropertyTestSuite
{
  public:
    FindingsTestSuite()
        : PropertyTestSuite("lossless-findings")
    {
        AddLinks();
        AddPauses();
        AddBuffers();
        AddNics();
        AddTestCase(new FabricNicTest);
        AddTestCase(new RefusalTest);
        AddCases(CASES, [](uint32_t index) { return new RandomTest(index); });
        AddTestCase(new TallyTest);
    }

  private:
    void AddLinks()
    {
        AddTestCase(new CheckTest("Defaults", "", {}));
        AddTestCase(new CheckTest("A peer that is four times as fast", "", [](auto& host, auto&) {
            host.rate = DataRate("400Gbps");
        }));
        AddTestCase(new CheckTest(
            "A peer that is four times as fast, headroom of the own rate",
            "port 2 class 3: headroom of 69888 bytes is ",
            [](auto& host, auto&) { host.rate = DataRate("400Gbps"); },
            [](WorstCase& scene) {
                scene.fabricSwitch->GetMmu()->SetLossless(2, 3, 69888); // 100 Gb/s and 1 us
            }));
        AddTestCase(new CheckTest("A peer that is four times as slow", "", [](auto& host, auto&) {
            host.rate = DataRate("25Gbps");
        }));
        AddTestCase(new CheckTest("Long frames on the way back", "", [](auto&, auto& port) {
            port.mtu = 9216;
            port.rate = DataRate("10Gbps");
        }));
        AddTestCase(new CheckTest("Long frames of the peer", "", [](auto& host, auto&) {
            host.mtu = 9216;
            host.reaction = MicroSeconds(2);
        }));
    }

    void AddPauses()
    {
        AddTestCase(new CheckTest("Refresh 0",
                                  "port 2: the pause of the peer runs out after ",
                                  [](auto&, auto& port) { port.refresh = Time(0); }));
        AddTestCase(new CheckTest("Refresh longer than the pause",
                                  "; set PfcRefreshInterval below 335.4",
                                  [](auto&, auto& port) { port.refresh = MicroSeconds(400); }));
        // 335.539 us of pause, and 0.123 us of a longest frame that the XOFF waits for.
        AddTestCase(new CheckTest("Refresh just too late",
                                  "is sent again only after up to 335.5",
                                  [](auto&, auto& port) { port.refresh = NanoSeconds(335417); }));
        AddTestCase(new CheckTest("Refresh just in time", "", [](auto&, auto& port) {
            port.refresh = NanoSeconds(335410);
        }));
        AddTestCase(new CheckTest("ShortQuanta",
                                  "; set PfcDialect to Standard",
                                  [](auto& host, auto& port) {
                                      host.dialect = "ShortQuanta";
                                      port.dialect = "ShortQuanta";
                                  }));
        AddTestCase(new CheckTest("EndlessXoff at the switch only",
                                  "; set PfcDialect to EndlessXoff at the peer too",
                                  [](auto&, auto& port) { port.dialect = "EndlessXoff"; }));
        AddTestCase(new CheckTest("EndlessXoff at the host only", "", [](auto& host, auto&) {
            host.dialect = "EndlessXoff";
        }));
        AddTestCase(new CheckTest("EndlessXoff at both ends", "", [](auto& host, auto& port) {
            host.dialect = "EndlessXoff";
            port.dialect = "EndlessXoff";
        }));
        AddTestCase(new CheckTest("A pause of one quantum",
                                  "; set PfcQuanta to 65535",
                                  [](auto&, auto& port) { port.quanta = 1; }));
    }

    void AddBuffers()
    {
        AddTestCase(new CheckTest("A shared headroom pool below the need of one port",
                                  "the shared headroom pool of 50128 bytes is ",
                                  {},
                                  [](WorstCase& scene) {
                                      scene.fabricSwitch->GetMmu()->SetAttribute(
                                          "SharedHeadroomPool",
                                          UintegerValue(50000));
                                  }));
        AddTestCase(
            new CheckTest("A headroom pool over-subscribed twice",
                          "; set HeadroomOversubscription to 1, or to 0 for separate headrooms",
                          {},
                          [](WorstCase& scene) {
                              scene.fabricSwitch->GetMmu()->SetAttribute("HeadroomOversubscription",
                                                                         DoubleValue(2));
                          }));
        AddTestCase(
            new CheckTest("SetLossy with PFC on",
                          "port 2 class 3: PFC is on at the port, but the class is lossy",
                          {},
                          [](WorstCase& scene) { scene.fabricSwitch->GetMmu()->SetLossy(2, 3); }));
        AddTestCase(new CheckTest("PFC off at the host",
                                  "port 2 class 3: PFC is on at one end of the link only",
                                  [](auto& host, auto&) { host.pfcClasses = 0; }));
        AddTestCase(
            new CheckTest("A static threshold above the shared space",
                          "",
                          {},
                          [](WorstCase& scene) {
                              scene.fabricSwitch->GetMmu()->SetStaticThreshold(2, 3, 1 << 29);
                              scene.CutBuffer(100000);
                          }));
        AddTestCase(new CheckTest("Lossy traffic beside", "", {}, [](WorstCase& scene) {
            scene.AddLossyTraffic(1000);
            scene.CutBuffer(100000);
        }));
    }

    void AddNics()
    {
        AddTestCase(new CheckTest("A NIC at 400Gbps and 5 us",
                                  "",
                                  {},
                                  Nic("400Gbps", MicroSeconds(5), 1000000)));
        AddTestCase(new CheckTest("A NIC at 800Gbps and 2 us",
                                  "",
                                  {},
                                  Nic("800Gbps", MicroSeconds(2), 1000000)));
        AddTestCase(new CheckTest("A NIC without PFC",
                                  "port 0 class 3: PFC is on at one end of the link only",
                                  {},
                                  [](WorstCase& scene) {
                                      LinkEnd without;
                                      without.pfcClasses = 0;
                                      scene.AddNic(LinkEnd(), without, MicroSeconds(1), 100000);
                                  }));
        AddTestCase(new CheckTest("A NIC without room for headroom",
                                  "port 0: the receive buffer of 400000 bytes is ",
                                  {},
                                  Nic("400Gbps", MicroSeconds(5), 400000)));
    }
};

FindingsTestSuite g_findingsTestSuite; //!< registers the suite

} // namespace
