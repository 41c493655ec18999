// SPDX-License-Identifier: GPL-2.0-only

// Entropy values in a fabric: which ways packets and their answers take, and how much faster that
// is.

#include "rdma-hosts.h"
#include "refusal-of.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-switch.h"
#include "ns3/rdma-entropy-reps.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/switch-cnp-sender.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

constexpr uint32_t LEAVES = 4;
constexpr uint32_t SPINES = 4;
constexpr uint32_t HOSTS = 4; //!< of a leaf

/// A leaf-spine fabric whose queue pairs spray.
class SprayTestCase : public PortTestCase
{
  public:
    /// @param name of the case
    explicit SprayTestCase(const std::string& name)
        : PortTestCase(name)
    {
    }

  protected:
    /// @param entropy attribute Entropy; empty: none @return a helper
    static FabricHelper MakeHelper(const std::string& entropy)
    {
        FabricHelper helper;
        if (!entropy.empty())
        {
            helper.SetQueuePair("Entropy",
                                StringValue(entropy),
                                "LossRecovery",
                                StringValue("ns3::RdmaIrn[ReorderThreshold=-1]"));
        }
        return helper;
    }

    /// Count the frames that a port sends, by kind and UDP source port.
    struct PortCounts
    {
        std::map<uint16_t, uint32_t> data;    //!< data packets
        std::map<uint16_t, uint32_t> answers; //!< ACKs and NAKs
        std::map<uint16_t, uint32_t> cnps;    //!< CNPs

        void Count(const QbbNetDevice&, const Frame& frame)
        {
            if (frame.kind != FrameKind::ROCE)
            {
                return;
            }
            auto& counts = CarriesData(frame.opcode)         ? data
                           : frame.opcode == RoceOpcode::CNP ? cnps
                                                             : answers;
            ++counts[frame.srcPort];
        }

        /// @param device counts what it sends
        void Watch(QbbNetDevice& device)
        {
            device.TraceConnectWithoutContext("FrameTx", MakeCallback(&PortCounts::Count, this));
        }
    };
};

/// One flow.
class WaysTest : public SprayTestCase
{
  public:
    /// @param entropy attribute Entropy @param paths its Paths @param verb of the flow
    WaysTest(const std::string& entropy, uint32_t paths, RdmaVerb verb)
        : SprayTestCase("A " + std::string(ToString(verb)) + " with " + entropy +
                        " takes all ways, and its answers take the same"),
          m_entropy(entropy),
          m_paths(paths),
          m_verb(verb)
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = MakeHelper(m_entropy).LeafSpine(LEAVES, SPINES, HOSTS);
        fabric.AssignStreams(1);
        RdmaFlowHelper flows(fabric);
        RdmaFlow flow;
        flow.source = 0;
        flow.destination = HOSTS; // at the second leaf
        flow.bytes = 2000000;
        flow.verb = m_verb;
        flows.Add(flow);
        const HostId sender = flow.DataSource();
        PortCounts sent;
        PortCounts back;
        sent.Watch(*fabric.GetRdma(sender)->GetDevice(0));
        back.Watch(*fabric.GetRdma(flow.DataDestination())->GetDevice(0));
        std::vector<PortCounts> spines(SPINES);
        for (uint32_t spine = 0; spine < SPINES; ++spine)
        {
            // Which of its ports leads to the receiver does not matter: there is one flow.
            const auto at = fabric.GetSwitch(LEAVES + spine);
            for (uint32_t port = 0; port < at->GetNPorts(); ++port)
            {
                spines[spine].Watch(*at->GetPort(port));
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1, "it completes");
        uint64_t least = UINT64_MAX;
        uint64_t most = 0;
        for (const PortCounts& spine : spines)
        {
            uint64_t frames = 0;
            for (const auto& [port, count] : spine.data)
            {
                frames += count;
            }
            least = std::min(least, frames);
            most = std::max(most, frames);
        }
        NS_TEST_EXPECT_MSG_GT(least, 0, "each spine has a part");
        NS_TEST_EXPECT_MSG_LT(most, 3 * least, "by hash, about alike");
        NS_TEST_EXPECT_MSG_EQ(sent.data.size(), m_paths, "each value is used");
        std::set<uint16_t> high;
        for (const auto& [port, count] : sent.data)
        {
            high.insert(port & ~(m_paths - 1));
        }
        NS_TEST_EXPECT_MSG_EQ(high.size(), 1, "in the low bits");
        NS_TEST_EXPECT_MSG_EQ((*high.begin() & 0xc000), 0xc000, "of a port of RoCE");
        if (m_verb == RdmaVerb::WRITE)
        {
            NS_TEST_EXPECT_MSG_EQ((sent.data == back.answers), true, "one answer each");
            NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(0)->GetCounters().retransmitted, 0, "in time");
        }
        Simulator::Destroy();
    }

    std::string m_entropy;
    uint32_t m_paths;
    RdmaVerb m_verb;
};

/// CNPs of the receiver, and of a switch that does not see the way back.
class CnpPortTest : public SprayTestCase
{
  public:
    /// @param bySwitch whether a switch makes them
    explicit CnpPortTest(bool bySwitch)
        : SprayTestCase(bySwitch ? "CNPs of switches find senders with entropy values"
                                 : "CNPs go back by the UDP port of a marked packet"),
          m_bySwitch(bySwitch)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = MakeHelper("ns3::RdmaEntropyMixed");
        helper.SetCongestionControl("ns3::RdmaDcqcn", "Dialect", StringValue("Paper"));
        if (m_bySwitch)
        {
            helper.AddSwitchExtension("ns3::SwitchCnpSender",
                                      "MarkCe",
                                      BooleanValue(false),
                                      "LimitBytes",
                                      UintegerValue(20000));
        }
        const Fabric fabric = helper.LeafSpine(LEAVES, SPINES, HOSTS);
        fabric.AssignStreams(1);
        RdmaFlowHelper flows(fabric);
        for (uint32_t host = HOSTS; host < 3 * HOSTS; ++host)
        {
            flows.Add({host, 0, 1000000});
        }
        PortCounts back;
        back.Watch(*fabric.GetRdma(0)->GetDevice(0));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 2 * HOSTS, "all complete");
        uint64_t received = 0;
        uint64_t refused = 0;
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            received += fabric.GetRdma(host)->GetCounters().cnpsReceived;
            refused += fabric.GetRdma(host)
                           ->GetDevice(0)
                           ->GetCounters()
                           .drops[static_cast<std::size_t>(DropReason::NO_QUEUE_PAIR)];
        }
        NS_TEST_EXPECT_MSG_GT(received, 10, "CNPs find their senders");
        NS_TEST_EXPECT_MSG_EQ(refused, 0, "all of them");
        NS_TEST_EXPECT_MSG_EQ(back.cnps.empty(), m_bySwitch, "who makes them");
        NS_TEST_EXPECT_MSG_EQ((m_bySwitch || back.cnps.size() > 10), true, "by many ports");
        Simulator::Destroy();
    }

    bool m_bySwitch;
};

/// A permutation.
class PermutationTest : public SprayTestCase
{
  public:
    PermutationTest()
        : SprayTestCase("A permutation is faster by many ways, the same in each run")
    {
    }

  private:
    /// What became of a run.
    struct Outcome
    {
        Time last;                 //!< when the last flow ended
        std::vector<int64_t> ends; //!< of the flows, ps
        uint64_t again{0};         //!< packets sent again
    };

    /// @param entropy attribute Entropy; empty: none @param stream first random stream
    static Outcome Run(const std::string& entropy, int64_t stream)
    {
        FabricHelper helper = MakeHelper(entropy);
        helper.SetCongestionControl("ns3::RdmaDctcp");
        const Fabric fabric = helper.LeafSpine(LEAVES, SPINES, HOSTS);
        fabric.AssignStreams(stream);
        RdmaFlowHelper flows(fabric);
        for (uint32_t host = 0; host < LEAVES * HOSTS; ++host)
        {
            flows.Add({host, (host + HOSTS + 1) % (LEAVES * HOSTS), 400000});
        }
        Outcome outcome;
        flows.OnEnd([&outcome](const RdmaFlowResult& result) {
            outcome.ends.push_back(result.fct.GetPicoSeconds());
            outcome.last = Max(outcome.last, result.fct);
        });
        Simulator::Run();
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            outcome.again += fabric.GetRdma(host)->GetCounters().retransmitted;
        }
        Simulator::Destroy();
        return outcome;
    }

    void DoRun() override
    {
        const Outcome one = Run("", 1);
        std::cout << "one port: " << one.last.GetMicroSeconds() << " us\n";
        for (const char* name : {"Oblivious", "Bitmap", "Reps", "Mixed", "Aware"})
        {
            const std::string entropy = std::string("ns3::RdmaEntropy") + name;
            const Outcome many = Run(entropy, 1);
            std::cout << entropy << ": " << many.last.GetMicroSeconds() << " us, " << many.again
                      << " sent again\n";
            NS_TEST_ASSERT_MSG_EQ(many.ends.size(), LEAVES * HOSTS, "all complete");
            NS_TEST_EXPECT_MSG_LT(many.last.GetSeconds(), 0.7 * one.last.GetSeconds(), entropy);
            NS_TEST_EXPECT_MSG_EQ(many.again, 0, "PFC loses nothing, and reordering is no loss");
            NS_TEST_EXPECT_MSG_EQ((Run(entropy, 1).ends == many.ends), true, "the same again");
            NS_TEST_EXPECT_MSG_EQ((Run(entropy, 2).ends == many.ends), false, "other draws");
        }
    }
};

/// A permutation where one link is slow.
class SlowLinkTest : public SprayTestCase
{
  public:
    SlowLinkTest()
        : SprayTestCase("Policies that listen leave a slow link alone")
    {
    }

  private:
    /// @param entropy attribute Entropy @return when the last flow ended
    static Time Run(const std::string& entropy)
    {
        FabricHelper helper = MakeHelper(entropy);
        helper.SetCongestionControl("ns3::RdmaDctcp");
        helper.At("leaf 0 to spine 0")
            .Set("ns3::QbbNetDevice::DataRate", DataRateValue(DataRate("25Gbps")));
        const Fabric fabric = helper.LeafSpine(LEAVES, SPINES, HOSTS);
        fabric.AssignStreams(1);
        RdmaFlowHelper flows(fabric);
        for (uint32_t host = 0; host < LEAVES * HOSTS; ++host)
        {
            flows.Add({host, (host + HOSTS + 1) % (LEAVES * HOSTS), 1000000});
        }
        Time last;
        flows.OnEnd([&last](const RdmaFlowResult& result) { last = Max(last, result.fct); });
        Simulator::Run();
        NS_ABORT_UNLESS(flows.GetNCompleted() == LEAVES * HOSTS);
        Simulator::Destroy();
        return last;
    }

    void DoRun() override
    {
        const Time deaf = Run("ns3::RdmaEntropyOblivious");
        std::cout << "a slow link, oblivious: " << deaf.GetMicroSeconds() << " us\n";
        for (const char* name : {"Bitmap", "Reps", "Mixed", "Aware"})
        {
            const Time last = Run(std::string("ns3::RdmaEntropy") + name);
            std::cout << name << ": " << last.GetMicroSeconds() << " us\n";
            const bool recycles = name[0] == 'R' || name == std::string("Mixed");
            NS_TEST_EXPECT_MSG_LT(last.GetSeconds(),
                                  (recycles ? 0.5 : 1) * deaf.GetSeconds(),
                                  name);
        }
    }
};

/// Losses beside reordering.
class LossyTest : public SprayTestCase
{
  public:
    LossyTest()
        : SprayTestCase("Without PFC all complete, and what is sent again was lost, most of it")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = MakeHelper("ns3::RdmaEntropyMixed");
        helper.SetCongestionControl("ns3::RdmaDctcp");
        helper.SetLosslessClasses({});
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("200KiB"));
        const Fabric fabric = helper.LeafSpine(LEAVES, SPINES, HOSTS);
        fabric.AssignStreams(1);
        RdmaFlowHelper flows(fabric);
        for (uint32_t host = 1; host < LEAVES * HOSTS; ++host)
        {
            RdmaFlow flow;
            flow.source = host;
            flow.destination = 0;
            flow.bytes = 200000;
            flows.Add(flow);
            std::swap(flow.source, flow.destination);
            flow.verb = RdmaVerb::READ;
            flows.Add(flow);
        }
        Simulator::Run();
        uint64_t again = 0;
        uint64_t duplicates = 0;
        for (const HostId host : fabric.Hosts())
        {
            again += fabric.GetRdma(host)->GetCounters().retransmitted;
            duplicates += fabric.GetRdma(host)->GetCounters().duplicates;
        }
        uint64_t drops = 0;
        for (const SwitchId at : fabric.Switches())
        {
            drops += fabric.GetSwitch(at)->GetLossyDrops();
        }
        std::cout << drops << " drops, " << again << " sent again, " << duplicates
                  << " for nothing\n";
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 2 * (LEAVES * HOSTS - 1), "all complete");
        NS_TEST_EXPECT_MSG_GT(drops, 100, "there are losses");
        NS_TEST_EXPECT_MSG_LT(2 * duplicates, again, "most are needed");
        Simulator::Destroy();
    }
};

/// Both ends must agree.
class EntropyRefusalTest : public PortTestCase
{
  public:
    EntropyRefusalTest()
        : PortTestCase("One end with and one without entropy values is refused")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        hosts.qp[0] = hosts.hw[0]->CreateQueuePair(0);
        hosts.qp[1] = hosts.hw[1]->CreateQueuePair(0);
        hosts.qp[0]->SetAttribute("Entropy", StringValue("ns3::RdmaEntropyReps[Paths=128]"));
        const std::string refusal = RefusalOf([&] { RdmaHw::Connect(hosts.qp[0], hosts.qp[1]); });
        NS_TEST_EXPECT_MSG_EQ(refusal.empty(), false, "it is");
        NS_TEST_EXPECT_MSG_EQ(hosts.qp[0]->GetEntropyPolicy()->GetPaths(), 128, "its attribute");
        NS_TEST_EXPECT_MSG_EQ(bool(hosts.qp[1]->GetEntropyPolicy()), false, "the default is none");
        StringValue text;
        hosts.qp[0]->GetAttribute("Entropy", text);
        NS_TEST_EXPECT_MSG_EQ(text.Get(), "ns3::RdmaEntropyReps[Paths=128|]", "as it is in force");
        hosts.qp[1]->GetAttribute("Entropy", text);
        NS_TEST_EXPECT_MSG_EQ(text.Get(), "ns3::RdmaEntropyNone[]", "none");
    }
};

/// The suite.
class LosslessEntropyTestSuite : public TestSuite
{
  public:
    LosslessEntropyTestSuite()
        : TestSuite("lossless-entropy", UNIT)
    {
        AddTestCase(new WaysTest("ns3::RdmaEntropyOblivious[Paths=32]", 32, RdmaVerb::WRITE));
        AddTestCase(new WaysTest("ns3::RdmaEntropyMixed[Paths=32]", 32, RdmaVerb::READ));
        AddTestCase(new CnpPortTest(false));
        AddTestCase(new CnpPortTest(true));
        AddTestCase(new PermutationTest);
        AddTestCase(new SlowLinkTest);
        AddTestCase(new LossyTest);
        AddTestCase(new EntropyRefusalTest);
    }
};

LosslessEntropyTestSuite g_losslessEntropyTestSuite; //!< the suite

} // namespace
