// SPDX-License-Identifier: GPL-2.0-only

// TIMELY and patched TIMELY at a bottleneck of 10 Gb/s, against the analysis of Zhu et al., "ECN or
// Delay: Lessons Learnt from Analysis of DCQCN and TIMELY", CoNEXT 2016.

#include "bottleneck-run.h"
#include "fabric-test-case.h"

#include "ns3/boolean.h"
#include "ns3/rdma-timely.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr double LINE = 10; // Gb/s

/// Starts flows with these rates at 10 Gb/s.
/// @param type of TIMELY @param rates Gb/s, by flow @param segment bytes @param bursts pacing
std::unique_ptr<BottleneckRun>
Start(const std::string& type,
      const std::vector<double>& rates,
      uint32_t segment = 16384,
      bool bursts = false)
{
    FabricHelper helper;
    helper.SetLink("DataRate", StringValue("10Gbps"), "Delay", StringValue("100ns"));
    // PFC must not take part.
    helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("32MiB"));
    helper.SetCongestionControl(type); // for the length of packets
    auto run = std::make_unique<BottleneckRun>(helper, rates.size());
    for (uint32_t i = 0; i < rates.size(); ++i)
    {
        ObjectFactory factory(type);
        factory.Set("InitialRate", DataRateValue(DataRate(static_cast<uint64_t>(rates[i] * 1e9))));
        factory.Set("Segment", UintegerValue(segment));
        factory.Set("BurstPacing", BooleanValue(bursts));
        run->flows.SetCongestionControl(factory);
        run->Add(i + 1);
    }
    return run;
}

/// The original has no unique fixed point: where it ends depends on where it starts.
class OriginalTest : public FabricTestCase
{
  public:
    /// @param rates at the start, Gb/s
    explicit OriginalTest(const std::vector<double>& rates)
        : FabricTestCase("TIMELY: two flows, the " +
                         std::string(rates[0] > rates[1] ? "first" : "second") + " starts faster"),
          m_start(rates)
    {
    }

  private:
    void DoRun() override
    {
        const auto run = Start("ns3::RdmaTimely", m_start);
        run->Run(MilliSeconds(200), MilliSeconds(300), MicroSeconds(20));
        std::cout << GetName() << ": " << run->rates[0] << " and " << run->rates[1]
                  << " Gb/s, queue " << run->MeanQueue() << " B (deviation "
                  << run->QueueDeviation() << ")\n";
        NS_TEST_EXPECT_MSG_GT(std::abs(run->rates[0] - run->rates[1]), 0.1 * LINE, "not fair");
        NS_TEST_EXPECT_MSG_EQ((run->rates[0] > run->rates[1]),
                              (m_start[0] > m_start[1]),
                              "who leads");
        NS_TEST_EXPECT_MSG_EQ(run->losslessDrops, 0, "no drop");
    }

    std::vector<double> m_start;
};

/// The patched one goes to equal rates, and to a queue that is known beforehand.
class PatchedTest : public FabricTestCase
{
  public:
    /// @param rates at the start, Gb/s, by flow @param queueBytes at the fixed point
    PatchedTest(const std::vector<double>& rates, double queueBytes)
        : FabricTestCase("Patched TIMELY: " + std::to_string(rates.size()) + " flows"),
          m_start(rates),
          m_queueBytes(queueBytes)
    {
    }

  private:
    void DoRun() override
    {
        const auto run = Start("ns3::RdmaPatchedTimely", m_start);
        run->Run(MilliSeconds(200), MilliSeconds(300), MicroSeconds(20));
        const double share = run->TotalRate() / static_cast<double>(m_start.size());
        const auto [least, most] = std::minmax_element(run->rates.begin(), run->rates.end());
        // The queue of the analysis is the whole round trip times the rate of the line.
        const Ptr<RdmaQueuePair> queuePair = run->GetQueuePair(1);
        const double emptyBytes =
            static_cast<double>(queuePair->GetFlowState().baseRttPs) * 1e-12 * LINE * 1e9 / 8;
        const double queue = run->MeanQueue() + emptyBytes;
        std::cout << GetName() << ": from " << *least << " to " << *most << " Gb/s, sum "
                  << run->TotalRate() << ", queue " << run->MeanQueue() << " B (deviation "
                  << run->QueueDeviation() << ") + empty path " << emptyBytes << " B, expected "
                  << m_queueBytes << " B\n";
        NS_TEST_EXPECT_MSG_GT(run->TotalRate(), 0.99 * LINE, "the line is full");
        NS_TEST_EXPECT_MSG_EQ_TOL(*least, share, 0.05 * share, "fair");
        NS_TEST_EXPECT_MSG_EQ_TOL(*most, share, 0.05 * share, "fair");
        NS_TEST_EXPECT_MSG_EQ_TOL(queue, m_queueBytes, 0.1 * m_queueBytes, "the fixed point");
        NS_TEST_EXPECT_MSG_EQ(run->losslessDrops, 0, "no drop");
    }

    std::vector<double> m_start;
    double m_queueBytes;
};

/// Bursts of 64 KB make the queue swing more than packets do.
class BurstTest : public FabricTestCase
{
  public:
    BurstTest()
        : FabricTestCase("Patched TIMELY: pacing by bursts and by packets")
    {
    }

  private:
    void DoRun() override
    {
        double deviations[2];
        for (const bool bursts : {false, true})
        {
            Simulator::Destroy();
            const auto run = Start("ns3::RdmaPatchedTimely", {5, 5}, 65536, bursts);
            run->Run(MilliSeconds(50), MilliSeconds(150), MicroSeconds(7));
            deviations[bursts] = run->QueueDeviation();
            std::cout << GetName() << ": " << (bursts ? "bursts" : "packets") << ", rates "
                      << run->rates[0] << " and " << run->rates[1] << " Gb/s, queue "
                      << run->MeanQueue() << " B, deviation " << run->QueueDeviation() << " B\n";
            NS_TEST_EXPECT_MSG_GT(run->TotalRate(), 0.95 * LINE, "the line is full");
            NS_TEST_EXPECT_MSG_EQ(run->losslessDrops, 0, "no drop");
        }
        NS_TEST_EXPECT_MSG_GT(deviations[1], 1.5 * deviations[0], "bursts swing");
    }
};

/// A queue pair starts with its share of the port: those with nothing to do do not count.
class StartTest : public FabricTestCase
{
  public:
    StartTest()
        : FabricTestCase("TIMELY: rate at the start")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaTimely");
        const Fabric fabric = helper.Star(2);
        const RdmaWorkRequest request{RdmaVerb::WRITE, 100000};
        const auto first = fabric.Connect(1, 0);
        const auto second = fabric.Connect(1, 0);
        ExpectRate(second, 1);
        first.source->Post(request);
        second.source->Post(request);
        const auto third = fabric.Connect(1, 0);
        ExpectRate(third, 3);
        Simulator::Run();
        const auto fourth = fabric.Connect(1, 0);
        ExpectRate(fourth, 1);
        fourth.source->Post(request);
        third.source->Post(request);
        third.source->Close();
        fabric.GetRdma(1)->DestroyQueuePair(first.source);
        ExpectRate(fabric.Connect(1, 0), 2);
        fabric.GetRdma(1)->DestroyQueuePair(fourth.source);
        ExpectRate(fabric.Connect(1, 0), 1);
    }

    /// @param connection with TIMELY @param flows that share the line of 100 Gb/s
    void ExpectRate(const Fabric::Connection& connection, uint32_t flows)
    {
        const auto timely = DynamicCast<RdmaTimely>(connection.source->GetCongestionControl());
        NS_TEST_EXPECT_MSG_EQ_TOL(timely->GetRate(), 100e9 / flows, 1, flows << " flows");
    }
};

/// The same run twice gives the same samples.
class TimelyRepeatTest : public FabricTestCase
{
  public:
    TimelyRepeatTest()
        : FabricTestCase("TIMELY: the same in every run")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string type : {"ns3::RdmaTimely", "ns3::RdmaPatchedTimely"})
        {
            std::vector<uint64_t> traces[2];
            for (auto& trace : traces)
            {
                Simulator::Destroy();
                const auto run = Start(type, {7, 3, 2});
                run->Run(MilliSeconds(0), MilliSeconds(20), MicroSeconds(3));
                trace = run->trace;
            }
            NS_TEST_EXPECT_MSG_GT(traces[0].size(), 10000, "samples");
            NS_TEST_EXPECT_MSG_EQ((traces[0] == traces[1]), true, type);
        }
    }
};

/// The suite.
class TimelyTestSuite : public TestSuite
{
  public:
    TimelyTestSuite()
        : TestSuite("lossless-timely", Type::SYSTEM)
    {
        AddTestCase(new OriginalTest({7, 3}));
        AddTestCase(new OriginalTest({3, 7}));
        AddTestCase(new PatchedTest({7, 3}, 78125));
        AddTestCase(new PatchedTest({3, 1, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5}, 140625));
        AddTestCase(new BurstTest);
        AddTestCase(new StartTest);
        AddTestCase(new TimelyRepeatTest);
    }
};

TimelyTestSuite g_timelyTestSuite; //!< registers the suite

} // namespace
