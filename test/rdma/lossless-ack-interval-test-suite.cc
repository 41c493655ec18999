// SPDX-License-Identifier: GPL-2.0-only

// Whichever packets ask for an ACK, and whatever windows congestion controls set: where nothing is
// lost, no flow waits for a timeout.
//
// A case that fails runs alone with
//   LOSSLESS_BUDGET=1 NS_GLOBAL_VALUE="AckIntervalCase=17" lossless-test-runner
//     --suite=lossless-ack-interval --fullness=EXTENSIVE

#include "fabric-test-case.h"
#include "property-test-suite.h"
#include "random-fabric.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/integer.h"

#include <iterator>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::tests;

namespace
{

constexpr uint32_t ACK_CASES = 480;

/// One of the incasts alone.
GlobalValue g_ackCase("AckIntervalCase",
                      "Run only this one of the incasts of lossless-ack-interval; -1: all",
                      IntegerValue(-1),
                      MakeIntegerChecker<int32_t>(-1));

/// A congestion control that has a window, of its own or of its queue pairs.
struct WindowedControl
{
    const char* type;
    const char* attribute;
    const char* value;
    bool setsWindow;
};

constexpr WindowedControl WINDOWED_CONTROLS[] = {
    {"ns3::RdmaHpcc", "Telemetry", "Fixed", true},
    {"ns3::RdmaHpcc", "Telemetry", "Growing", true},
    {"ns3::RdmaHpcc", "Telemetry", "Pint", true},
    {"ns3::RdmaHpcc", "MultiRate", "true", true},
    {"ns3::RdmaSwift", "", "", true},
    {"ns3::RdmaNscc", "", "", true},
    {"ns3::RdmaDctcp", "Control", "Rate", true},
    {"ns3::RdmaDctcp", "Control", "Window", true},
    {"ns3::RdmaIcc", "LimitWindow", "true", true},
    {"ns3::RdmaFixedWindow", "", "", true},
    {"ns3::RdmaTimely", "", "", false},
    {"ns3::RdmaPatchedTimely", "", "", false},
    {"ns3::RdmaDcqcn", "Dialect", "Nic", false},
    {"ns3::RdmaDcqcn", "Dialect", "Paper", false},
    {"ns3::RdmaPcn", "", "", false},
    {"ns3::RdmaFixedRate", "", "", false},
};

constexpr uint32_t ACK_INTERVALS[] = {1, 2, 3, 4, 8, 16, 32, 64};

/// A random incast with one control and one AckInterval.
class RandomIncastTest : public FabricTestCase
{
  public:
    explicit RandomIncastTest(uint32_t index)
        : FabricTestCase("ACKs and windows of random incast " + std::to_string(index)),
          m_index(index),
          m_dice(index)
    {
    }

  private:
    void DoRun() override
    {
        IntegerValue only;
        g_ackCase.GetValue(only);
        if (only.Get() >= 0 && only.Get() != m_index)
        {
            return;
        }
        const FabricTopology topology = DrawStar();
        DrawQueuePairs();
        m_helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("256MiB"));
        const Fabric fabric = m_helper.FromTopology(topology);
        fabric.AssignStreams(1000);
        RdmaFlowHelper flows(fabric);
        AddFlows(flows);
        flows.AssignStreams(5000);
        RunUntil(Seconds(2));
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), flows.GetNFlows(), m_text);
        uint64_t timeouts = 0;
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            timeouts += fabric.GetRdma(host)->GetCounters().timeouts;
        }
        NS_TEST_EXPECT_MSG_EQ(timeouts, 0, m_text);
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetLosslessDrops(), 0, m_text);
    }

    FabricTopology DrawStar()
    {
        m_hosts = static_cast<uint32_t>(m_dice.Between(2, 17));
        FabricTopology star;
        const NodeId middle = star.AddSwitch();
        const bool isMixed = m_dice.Chance(50);
        FabricLinkSpec link;
        for (uint32_t host = 0; host < m_hosts; ++host)
        {
            if (host == 0 || isMixed)
            {
                link.rate = DataRate(m_dice.Pick<uint64_t>({25, 100, 400}) * 1000000000);
                link.delay = NanoSeconds(m_dice.Pick<uint64_t>({5, 100, 1000, 5000, 30000}));
            }
            star.AddLink(star.AddHost(), middle, link);
        }
        m_text = std::to_string(m_hosts) + " hosts";
        return star;
    }

    void DrawQueuePairs()
    {
        constexpr std::size_t CONTROLS = std::size(WINDOWED_CONTROLS);
        const WindowedControl& control = WINDOWED_CONTROLS[m_index % CONTROLS];
        const uint32_t interval = ACK_INTERVALS[m_index % std::size(ACK_INTERVALS)];
        const std::string name = control.attribute;
        name.empty()
            ? m_helper.SetCongestionControl(control.type)
            : m_helper.SetCongestionControl(control.type, name, StringValue(control.value));
        const uint64_t mtu = m_dice.Pick<uint64_t>({256, 1000, 4096});
        // The queues of all flows together are shorter than the timeout.
        m_helper.SetQueuePair("AckInterval",
                              UintegerValue(interval),
                              "Mtu",
                              UintegerValue(mtu),
                              "RetransmitTimeout",
                              StringValue("20ms"));
        m_text += std::string(", ") + control.type + " " + control.attribute + " " + control.value +
                  ", ACK every " + std::to_string(interval) + ", MTU " + std::to_string(mtu);
        if (!control.setsWindow)
        {
            const bool isVariable = m_dice.Chance(80);
            const uint64_t packets = m_dice.Pick<uint64_t>({0, 1, 5, 40, 300});
            const uint64_t window = isVariable ? packets * mtu : (packets + 1) * mtu;
            m_helper.SetQueuePair("VariableWindow",
                                  BooleanValue(isVariable),
                                  "Window",
                                  UintegerValue(window));
            m_text += (isVariable ? ", variable window " : ", window ") + std::to_string(window);
        }
        if (m_dice.Chance(25))
        {
            m_helper.SetQueuePair("LossRecovery",
                                  StringValue("ns3::RdmaIrn[TimeoutLow=20ms|TimeoutHigh=20ms]"));
            m_text += ", IRN";
        }
    }

    void AddFlows(RdmaFlowHelper& flows)
    {
        const uint64_t bytes = m_dice.Pick<uint64_t>({1, 5000, 60000, 300000, 1000000});
        const uint64_t rounds = m_dice.Between(1, 3);
        for (uint32_t sender = 1; sender < m_hosts; ++sender)
        {
            for (uint64_t round = 0; round < rounds; ++round)
            {
                RdmaFlow flow;
                flow.source = sender;
                flow.destination = 0;
                flow.bytes = m_dice.Chance(70) ? bytes : m_dice.Below(bytes);
                flow.start = NanoSeconds(round * 20000 + m_dice.Below(2000));
                flow.verb = m_dice.Pick<RdmaVerb>(
                    {RdmaVerb::WRITE, RdmaVerb::WRITE, RdmaVerb::SEND, RdmaVerb::READ});
                if (flow.verb == RdmaVerb::READ)
                {
                    std::swap(flow.source, flow.destination);
                }
                flows.Add(flow);
            }
        }
        m_text += ", " + std::to_string(flows.GetNFlows()) + " flows of " + std::to_string(bytes) +
                  " bytes";
    }

    int32_t m_index;
    Dice m_dice;
    FabricHelper m_helper;
    uint32_t m_hosts{0};
    std::string m_text;
};

/// The suite.
class AckIntervalTestSuite : public PropertyTestSuite
{
  public:
    AckIntervalTestSuite()
        : PropertyTestSuite("lossless-ack-interval")
    {
        AddCases(ACK_CASES, [](uint32_t index) { return new RandomIncastTest(index); });
    }
};

AckIntervalTestSuite g_ackIntervalTestSuite;

} // namespace
