// SPDX-License-Identifier: GPL-2.0-only

// Swift at a bottleneck of 100 Gb/s: the delay that it aims at, windows below one packet, and what
// the receiving host adds.

#include "bottleneck-repeat-test.h"
#include "bottleneck-run.h"
#include "fabric-test-case.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/rdma-swift.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr double LINE = 100; // Gb/s

/// @param queuePair with Swift @return its congestion control
Ptr<RdmaSwift>
SwiftOf(const Ptr<RdmaQueuePair>& queuePair)
{
    return DynamicCast<RdmaSwift>(queuePair->GetCongestionControl());
}

/// The queue is as long as the target says.
class SwiftTargetTest : public FabricTestCase
{
  public:
    /// @param flows how many @param endpointControl whether
    SwiftTargetTest(uint32_t flows, bool endpointControl)
        : FabricTestCase("Swift: queueing delay of " + std::to_string(flows) + " flows" +
                         (endpointControl ? ", with endpoint control" : "")),
          m_flows(flows),
          m_endpointControl(endpointControl)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaSwift",
                                    "EndpointControl",
                                    BooleanValue(m_endpointControl));
        BottleneckRun run(helper, m_flows);
        for (uint32_t i = 1; i <= m_flows; ++i)
        {
            run.Add(i);
        }
        double targets = 0;
        double windows = 0;
        run.onSample = [&] {
            for (uint32_t i = 1; i <= m_flows; ++i)
            {
                targets += SwiftOf(run.GetQueuePair(i))->GetTarget(1);
                windows += SwiftOf(run.GetQueuePair(i))->GetWindow();
            }
        };
        run.Run(MilliSeconds(10), MilliSeconds(20), MicroSeconds(3));
        const double samples = static_cast<double>(run.queues.size()) * m_flows;
        const double baseUs =
            static_cast<double>(run.GetQueuePair(1)->GetFlowState().baseRttPs) * 1e-6;
        const double expectedUs = targets / samples * 1e-6 - baseUs;
        const double queueUs = run.MeanQueue() * 8 / (LINE * 1e3);
        std::cout << GetName() << ": queueing delay " << queueUs << " us, target - empty path "
                  << expectedUs << " us, window " << windows / samples << " packets, sum of rates "
                  << run.TotalRate() << " Gb/s\n";
        NS_TEST_EXPECT_MSG_EQ_TOL(queueUs, expectedUs, 0.2 * expectedUs, "queueing delay");
        NS_TEST_EXPECT_MSG_GT(run.TotalRate(), 0.98 * LINE, "the line is full");
        for (const double rate : run.rates)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(rate, LINE / m_flows, 0.1 * LINE / m_flows, "fair");
        }
        NS_TEST_EXPECT_MSG_EQ(run.losslessDrops, 0, "no drop");
    }

    uint32_t m_flows;
    bool m_endpointControl;
};

/// A thousand flows into one host without PFC: less than one packet in flight for each.
class SwiftIncastTest : public FabricTestCase
{
  public:
    SwiftIncastTest()
        : FabricTestCase("Swift: incast of 1000 flows without PFC")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t SENDERS = 100; // each port costs time when all is checked
        constexpr uint32_t FLOWS = 10;    // of each
        FabricHelper helper;
        helper.SetLosslessClasses({});
        helper.AllowLossy();
        helper.SetSwitch("ns3::SwitchMmu",
                         "BufferSize",
                         StringValue("64MiB"),
                         "Alpha",
                         DoubleValue(8));
        helper.SetCongestionControl("ns3::RdmaSwift", "StartAtLineRate", BooleanValue(false));
        BottleneckRun run(helper, SENDERS);
        for (uint32_t i = 0; i < SENDERS * FLOWS; ++i)
        {
            run.Add(1 + i % SENDERS);
        }
        double windows = 0;
        double paces = 0;
        uint64_t below = 0;
        run.onSample = [&] {
            for (uint32_t i = 0; i < SENDERS * FLOWS; ++i)
            {
                const auto queuePair = run.GetQueuePair(1 + i % SENDERS, i / SENDERS);
                const double window = SwiftOf(queuePair)->GetWindow();
                windows += window;
                below += window < 1;
                paces += queuePair->GetFlowState().rate * 1e-9;
            }
        };
        run.Run(MilliSeconds(15), MilliSeconds(20), MicroSeconds(100));
        const double samples = static_cast<double>(run.queues.size()) * SENDERS * FLOWS;
        std::cout << GetName() << ": window " << windows / samples << " packets, below one in "
                  << 100 * static_cast<double>(below) / samples << " % of samples, mean pace "
                  << paces / samples << " Gb/s, sum of rates " << run.TotalRate() << " Gb/s, queue "
                  << run.MeanQueue() * 8 / (LINE * 1e3) << " us, timeouts " << run.timeouts << "\n";
        NS_TEST_EXPECT_MSG_LT(windows / samples, 1, "less than one packet");
        NS_TEST_EXPECT_MSG_GT(static_cast<double>(below) / samples, 0.5, "most of the time");
        NS_TEST_EXPECT_MSG_LT(paces / samples, 1, "paced");
        NS_TEST_EXPECT_MSG_GT(run.TotalRate(), 0.95 * LINE, "nobody stalls");
        NS_TEST_EXPECT_MSG_EQ(run.timeouts, 0, "no timeout");
        uint64_t retransmitted = 0;
        for (uint32_t i = 1; i <= SENDERS; ++i)
        {
            retransmitted += run.fabric.GetRdma(i)->GetCounters().retransmitted;
        }
        NS_TEST_EXPECT_MSG_EQ(retransmitted, 0, "no loss");
    }
};

/// ACKs that wait in the receiving host are its delay and not the fabric's.
class EndpointDelayTest : public FabricTestCase
{
  public:
    EndpointDelayTest()
        : FabricTestCase("Swift: delay of the receiving host")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        // Class 4 of the receiver is busy with data of its own before the ACKs of class 0.
        helper.SetLosslessClasses({3, 4});
        helper.SetQueuePair("AckClass", IntegerValue(0));
        helper.SetCongestionControl("ns3::RdmaSwift", "EndpointControl", BooleanValue(true));
        const Fabric fabric = helper.Star(4);
        RdmaFlowHelper flows(fabric);
        RdmaFlow flow;
        flow.source = 1;
        flow.destination = 0;
        flow.bytes = uint64_t{1} << 39;
        flows.Add(flow); // measured
        flow.source = 0;
        flow.trafficClass = 4;
        flows.SetCongestionControl(ObjectFactory("ns3::RdmaFixedRate"));
        flow.destination = 2;
        flow.start = MicroSeconds(100);
        flow.bytes = 400000; // 35 us of the line
        flows.Add(flow);
        double most = 0;
        double mostFabric = 0;
        for (Time at = MicroSeconds(50); at < MicroSeconds(300); at += NanoSeconds(500))
        {
            Simulator::Schedule(at, [&] {
                const auto queuePair = fabric.GetRdma(1)->GetQueuePair(RdmaHw::FIRST_QUEUE_PAIR);
                const auto swift = DynamicCast<RdmaSwift>(queuePair->GetCongestionControl());
                most = std::max(most, swift->GetEndpointDelay() * 1e-6);
                mostFabric = std::max(mostFabric, swift->GetFabricDelay() * 1e-6);
            });
        }
        Simulator::Stop(MicroSeconds(300));
        Simulator::Run();
        std::cout << GetName() << ": at most " << most << " us, fabric at most " << mostFabric
                  << " us\n";
        NS_TEST_EXPECT_MSG_GT(most, 10, "seen");
        NS_TEST_EXPECT_MSG_LT(most, 40, "not more than the line was busy");
        NS_TEST_EXPECT_MSG_LT(mostFabric, 15, "no part of the fabric's delay");
    }
};

/// @return what builds fabrics with Swift
FabricHelper
WithSwift()
{
    FabricHelper helper;
    helper.SetCongestionControl("ns3::RdmaSwift");
    return helper;
}

/// The suite.
class SwiftTestSuite : public TestSuite
{
  public:
    SwiftTestSuite()
        : TestSuite("lossless-swift", Type::SYSTEM)
    {
        AddTestCase(new SwiftTargetTest(2, false));
        AddTestCase(new SwiftTargetTest(2, true));
        AddTestCase(new SwiftTargetTest(16, false));
        AddTestCase(new SwiftIncastTest);
        AddTestCase(new EndpointDelayTest);
        AddTestCase(new BottleneckRepeatTest("Swift: the same in every run", &WithSwift));
    }
};

SwiftTestSuite g_swiftTestSuite; //!< registers the suite

} // namespace
