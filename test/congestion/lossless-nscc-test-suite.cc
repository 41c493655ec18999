// SPDX-License-Identifier: GPL-2.0-only

// NSCC at a bottleneck of 100 Gb/s, with marks at 0.2 and 0.8 of the bandwidth-delay product: how
// long the queue is, who gets how much, and how fast an overload ends.

#include "bottleneck-repeat-test.h"
#include "bottleneck-run.h"
#include "fabric-test-case.h"

#include "ns3/boolean.h"
#include "ns3/rdma-nscc.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr double LINE = 100; // Gb/s

/// @param queuePair with NSCC @return its congestion control
Ptr<RdmaNscc>
NsccOf(const Ptr<RdmaQueuePair>& queuePair)
{
    return DynamicCast<RdmaNscc>(queuePair->GetCongestionControl());
}

/// @return a fabric whose links of 2.83 us make a base RTT of 12 us, with the marks of NSCC
FabricHelper
Fabric12()
{
    FabricHelper helper;
    helper.SetLink("DataRate", StringValue("100Gbps"), "Delay", StringValue("2830ns"));
    helper.SetEcnThresholds(DataRate("100Gbps"), 30000, 120000, 1);
    helper.SetQueuePair("Mtu", UintegerValue(4096));
    return helper;
}

/// The queue is as long as the target says, and the flows share the line.
class NsccTargetTest : public FabricTestCase
{
  public:
    /// @param flows how many @param trimming attribute: a target of 0.75 R in place of R
    NsccTargetTest(uint32_t flows, bool trimming)
        : FabricTestCase("NSCC: queueing delay of " + std::to_string(flows) + " flows" +
                         (trimming ? ", target 0.75 R" : "")),
          m_flows(flows),
          m_trimming(trimming)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = Fabric12();
        helper.SetCongestionControl("ns3::RdmaNscc", "Trimming", BooleanValue(m_trimming));
        BottleneckRun run(helper, m_flows);
        for (uint32_t i = 1; i <= m_flows; ++i)
        {
            run.Add(i);
        }
        run.Run(MilliSeconds(5), MilliSeconds(15), MicroSeconds(3));
        TimeValue target;
        NsccOf(run.GetQueuePair(1))->GetAttribute("TargetDelay", target);
        const double targetUs = target.Get().GetSeconds() * 1e6;
        const double queueUs = run.MeanQueue() * 8 / (LINE * 1e3);
        std::cout << GetName() << ": queueing delay " << queueUs << " us, target " << targetUs
                  << " us, sum of rates " << run.TotalRate() << " Gb/s, from "
                  << *std::min_element(run.rates.begin(), run.rates.end()) << " to "
                  << *std::max_element(run.rates.begin(), run.rates.end()) << "\n";
        NS_TEST_EXPECT_MSG_EQ_TOL(queueUs, targetUs, 0.2 * targetUs, "queueing delay");
        NS_TEST_EXPECT_MSG_GT(run.TotalRate(), 0.99 * LINE, "the line is full");
        double squares = 0;
        for (const double rate : run.rates)
        {
            squares += rate * rate;
        }
        const double jain = run.TotalRate() * run.TotalRate() / (m_flows * squares);
        NS_TEST_EXPECT_MSG_GT(jain, 0.97, "Jain's index");
        NS_TEST_EXPECT_MSG_EQ(run.losslessDrops, 0, "no drop");
    }

    uint32_t m_flows;
    bool m_trimming;
};

/// 32 flows begin at once with 1.5 of the bandwidth-delay product each: quick adapt ends that
/// within a few round trips, marks alone take longer.
class NsccOverloadTest : public FabricTestCase
{
  public:
    NsccOverloadTest()
        : FabricTestCase("NSCC: an overload of 32 flows")
    {
    }

  private:
    /// @param quickAdapt attribute @return when the queue is below 2 R for the first time since it
    /// was above, us
    double Drained(bool quickAdapt)
    {
        Simulator::Destroy();
        FabricHelper helper = Fabric12();
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("64MiB"));
        helper.SetCongestionControl("ns3::RdmaNscc", "QuickAdapt", BooleanValue(quickAdapt));
        constexpr uint32_t FLOWS = 32;
        BottleneckRun run(helper, FLOWS);
        for (uint32_t i = 1; i <= FLOWS; ++i)
        {
            run.Add(i);
        }
        run.Run(Time(0), MilliSeconds(2), MicroSeconds(1));
        const auto full = std::max_element(run.queues.begin(), run.queues.end());
        const auto drained =
            std::find_if(full, run.queues.end(), [](double bytes) { return bytes < 300000; });
        std::cout << GetName() << (quickAdapt ? ": " : ", without quick adapt: ") << "at most "
                  << *full / 1000 << " KB, below 300 KB after " << drained - run.queues.begin()
                  << " us\n";
        NS_TEST_EXPECT_MSG_EQ(run.losslessDrops, 0, "no drop");
        return static_cast<double>(drained - run.queues.begin());
    }

    void DoRun() override
    {
        const double quick = Drained(true);
        const double slow = Drained(false);
        NS_TEST_EXPECT_MSG_LT(quick, slow, "quick adapt is quicker");
    }
};

/// @return what builds such fabrics with NSCC
FabricHelper
WithNscc()
{
    FabricHelper helper = Fabric12();
    helper.SetCongestionControl("ns3::RdmaNscc");
    return helper;
}

/// The suite.
class NsccTestSuite : public TestSuite
{
  public:
    NsccTestSuite()
        : TestSuite("lossless-nscc", Type::SYSTEM)
    {
        AddTestCase(new NsccTargetTest(2, false));
        AddTestCase(new NsccTargetTest(2, true));
        AddTestCase(new NsccTargetTest(16, false));
        AddTestCase(new NsccOverloadTest);
        AddTestCase(new BottleneckRepeatTest("NSCC: the same in every run", &WithNscc));
    }
};

NsccTestSuite g_nsccTestSuite; //!< registers the suite

} // namespace
