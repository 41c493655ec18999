// SPDX-License-Identifier: GPL-2.0-only

// Defects of other simulators of this kind that no other suite covers; the list of all, and of the
// tests that cover them, is doc/pitfalls.rst.

#include "fabric-test-case.h"

#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fct-stats.h"
#include "ns3/pointer.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>

#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
#include <malloc.h>
#define LOSSLESS_HEAP_IN_USE
#endif
#endif

using namespace ns3;

namespace
{

/// Every packet is marked, so that the only ACK of a message comes with its first CNP; the queue
/// pairs stay. Whatever the CNP sets off must not go on.
class IdleTimersTest : public FabricTestCase
{
  public:
    /// @param dialect of DCQCN
    explicit IdleTimersTest(const std::string& dialect)
        : FabricTestCase("Pitfall 5: a CNP for a queue pair that is done starts no timer, " +
                         dialect),
          m_dialect(dialect)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaDcqcn", "Dialect", StringValue(m_dialect));
        helper.SetSwitch("ns3::FabricSwitch", "MarkAt", StringValue("Enqueue"));
        helper.SetEcn("ns3::WredEcnMarker", "Kmin", UintegerValue(0), "Kmax", UintegerValue(0));
        const Fabric fabric = helper.Star(2);
        const auto ends = fabric.Connect(0, 1);
        RdmaWorkRequest request;
        request.bytes = 500;
        ends.source->Post(request);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(0)->GetCounters().cnpsReceived, 1, "the CNP came");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(0)->GetCounters().messagesCompleted, 1, "it is done");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MicroSeconds(10), "nothing goes on");
        // And the pair still works.
        ends.source->Post(request);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(0)->GetCounters().messagesCompleted, 2, "again");
    }

    std::string m_dialect;
};

/// A paced queue pair is woken in time although another one of its NIC waits for its window.
class WakeUpTest : public FabricTestCase
{
  public:
    WakeUpTest()
        : FabricTestCase("Pitfall 7: a paced sender keeps its pace beside one that waits")
    {
    }

  private:
    /// @param beside whether there is another queue pair @return completion of the paced message
    Time Run(bool beside)
    {
        FabricHelper helper;
        helper.SetLink("Delay", StringValue("20us"));
        helper.SetCongestionControl("ns3::RdmaFixedRate", "Rate", StringValue("1Gbps"));
        const Fabric fabric = helper.Star(3);
        Time completed;
        const auto paced = fabric.Connect(0, 1);
        paced.source->SetCompletionCallback(Callback<void, const RdmaCompletion&>(
            [&completed](const RdmaCompletion& completion) { completed = completion.completed; }));
        RdmaWorkRequest request;
        request.bytes = 100 * 1024;
        paced.source->Post(request);
        Fabric::QueuePairOptions options;
        options.congestion = ObjectFactory("ns3::RdmaFixedRate");
        options.attributes.emplace_back("Window", Create<UintegerValue>(1024));
        const auto waits = fabric.Connect(0, 2, options);
        if (beside)
        {
            waits.source->Post(request); // a packet a round trip, blocked in between
        }
        Simulator::Run();
        Simulator::Destroy();
        return completed;
    }

    void DoRun() override
    {
        const Time alone = Run(false);
        const Time beside = Run(true);
        // 99 gaps of 1106 bytes at 1 Gb/s lie before the last packet.
        NS_TEST_EXPECT_MSG_GT(alone, NanoSeconds(99 * 1106 * 8), "it is paced");
        // A packet of the other may stand in the way of the last one, and its ACK too.
        NS_TEST_EXPECT_MSG_LT(beside - alone, NanoSeconds(2 * 1122 * 8 / 100), "no later");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(beside, alone, "nor earlier");
    }
};

/// What does not happen draws no random number.
class NoDrawTest : public FabricTestCase
{
  public:
    NoDrawTest()
        : FabricTestCase("Pitfall 13: no error model where nothing is destroyed")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetLink("ErrorRate", DoubleValue(0));
        const Fabric fabric = helper.Star(2);
        for (uint32_t port = 0; port < 2; ++port)
        {
            PointerValue model;
            fabric.GetDevice(2, port)->GetAttribute("ReceiveErrorModel", model);
            NS_TEST_EXPECT_MSG_EQ((model.GetObject() == nullptr), true, "nothing to ask");
        }
    }
};

/// Many flows of one host, over several NICs, parallel links, without a switch.
class ManyFlowsTest : public FabricTestCase
{
  public:
    ManyFlowsTest()
        : FabricTestCase("Pitfall 20: 600 flows of a host, over parallel links, switch or not")
    {
    }

  private:
    void DoRun() override
    {
        const FabricLinkSpec link;
        FabricTopology topology;
        const NodeId a = topology.AddHost();
        const NodeId b = topology.AddHost();
        const NodeId c = topology.AddHost();
        const NodeId middle = topology.AddSwitch();
        const NodeId other = topology.AddSwitch();
        topology.AddLink(a, b, link); // 0, 1: joined directly
        topology.AddLink(a, b, link);
        topology.AddLink(a, middle, link);     // 2
        topology.AddLink(middle, other, link); // 3, 4: parallel
        topology.AddLink(middle, other, link);
        topology.AddLink(other, c, link); // 5
        const Fabric fabric = FabricHelper().FromTopology(topology);
        RdmaFlowHelper flows(fabric);
        for (uint32_t i = 0; i < 600; ++i)
        {
            RdmaFlow flow;
            flow.destination = 1 + i % 2; // taking turns, which must not keep a port idle
            flow.bytes = 3000;
            flows.Add(flow);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 600, "all complete");
        for (uint32_t port = 0; port < 3; ++port)
        {
            NS_TEST_EXPECT_MSG_GT(fabric.GetDevice(a, port)->GetCounters().txFrames, 100, port);
        }
        for (uint32_t port = 1; port < 3; ++port)
        {
            NS_TEST_EXPECT_MSG_GT(fabric.GetDevice(middle, port)->GetCounters().txFrames,
                                  100,
                                  port);
        }
    }
};

/// Flows under different congestion controls share a port.
class MixedAlgorithmsTest : public FabricTestCase
{
  public:
    MixedAlgorithmsTest()
        : FabricTestCase("Pitfall 11: two flows of a run use different algorithms")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(3);
        RdmaFlowHelper flows(fabric);
        Time fixed;
        flows.OnEnd([&fixed](const RdmaFlowResult& result) {
            fixed = result.flow.source == 1 ? result.fct : fixed;
        });
        RdmaFlow flow;
        flow.destination = 0;
        flow.bytes = 1024 * 1000;
        flow.source = 2;
        flows.Add(flow); // DCQCN
        ObjectFactory rate("ns3::RdmaFixedRate");
        rate.Set("Rate", StringValue("10Gbps"));
        flows.SetCongestionControl(rate);
        flow.source = 1;
        flows.Add(flow);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 2, "both complete");
        // 1106 bytes a packet at 10 Gb/s, and what the other leaves in its way.
        NS_TEST_EXPECT_MSG_EQ_TOL(fixed,
                                  NanoSeconds(1000 * 1106 * 8 / 10),
                                  MicroSeconds(60),
                                  "paced");
    }
};

#ifdef LOSSLESS_HEAP_IN_USE
/// Statistics take the same memory after a hundred flows and after a hundred thousand.
class BoundedMemoryTest : public FabricTestCase
{
  public:
    BoundedMemoryTest()
        : FabricTestCase("Pitfall 21: statistics do not grow with the run")
    {
    }

  private:
    /// Add results. @param stats to which @param count how many
    static void Add(FctStats& stats, uint32_t count)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            RdmaFlowResult result;
            result.index = i;
            result.flow.bytes = uint64_t{1} << (i % 24);
            result.ideal = MicroSeconds(10);
            result.fct = MicroSeconds(10 + i % 1000);
            stats.Add(result);
        }
    }

    void DoRun() override
    {
        FctStats stats;
        ReportFiles files(stats, {CreateTempDirFilename("fct.csv")});
        Add(stats, 24000);
        const auto before = mallinfo2();
        Add(stats, 100000);
        const auto after = mallinfo2();
        NS_TEST_EXPECT_MSG_LT_OR_EQ(after.uordblks + after.hblkhd,
                                    before.uordblks + before.hblkhd + 1024,
                                    "heap in use");
        files.Commit();
    }
};
#endif

class PitfallTestSuite : public TestSuite
{
  public:
    PitfallTestSuite()
        : TestSuite("lossless-pitfall", Type::UNIT)
    {
        AddTestCase(new IdleTimersTest("Nic"));
        AddTestCase(new IdleTimersTest("Paper"));
        AddTestCase(new WakeUpTest);
        AddTestCase(new MixedAlgorithmsTest);
        AddTestCase(new NoDrawTest);
        AddTestCase(new ManyFlowsTest);
#ifdef LOSSLESS_HEAP_IN_USE
        AddTestCase(new BoundedMemoryTest);
#endif
    }
};

PitfallTestSuite g_pitfallTestSuite; //!< registers the suite

} // namespace
