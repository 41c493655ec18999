// SPDX-License-Identifier: GPL-2.0-only

// NicReceiveBuffer at 40 Gb/s with packets of 1 KiB, against the closed form: with a miss ratio m a
// packet takes 128 ns + m * 1 us, and 221.2 ns to arrive.

#include "fault-test-case.h"

#include "ns3/double.h"

#include <algorithm>

using namespace ns3;

namespace
{

/// Largest region of 4 KB pages with which the line rate is kept.
constexpr uint64_t EDGE = 9250000;

/// Goodput of one flow through a receiver.
class RateTest : public FaultTestCase
{
  public:
    RateTest(uint64_t region, uint64_t page, double expectedGbps)
        : FaultTestCase("Region of " + std::to_string(region) + " bytes, pages of " +
                        std::to_string(page)),
          m_region(region),
          m_page(page),
          m_expected(expectedGbps)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetQueuePair("Mtu", UintegerValue(1024));
        const Fabric fabric =
            helper.FromTopology(FabricTopology::Star(2, {DataRate("40Gbps"), MicroSeconds(1), 0}));
        ObjectFactory factory("ns3::NicReceiveBuffer");
        factory.Set("RegionBytes", UintegerValue(m_region));
        factory.Set("PageBytes", UintegerValue(m_page));
        const auto buffer = factory.Create<NicReceiveBuffer>();
        fabric.GetRdma(1)->SetReceiveBuffer(0, buffer);
        fabric.AssignStreams(5);
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 1, 1000000000});
        const auto& rdma = fabric.GetRdma(1)->GetCounters();
        // The cache is warm, and the buffer has swung, after 15 ms.
        uint64_t delivered = 0;
        uint64_t xoffs = 0;
        NicReceiveBuffer::Counters before;
        Simulator::Schedule(MilliSeconds(15), [&] {
            delivered = rdma.payloadDelivered;
            xoffs = fabric.GetDevice(1, 0)->GetIssuer().Get(3).txXoff;
            before = buffer->GetCounters();
        });
        Simulator::Stop(MilliSeconds(55));
        Simulator::Run();
        const double gbps = static_cast<double>(rdma.payloadDelivered - delivered) * 8 / 40e6;
        NS_TEST_EXPECT_MSG_EQ_TOL(gbps, m_expected, 0.01 * m_expected, "goodput, Gb/s");
        const auto& after = buffer->GetCounters();
        const double misses = static_cast<double>(after.misses - before.misses) /
                              static_cast<double>(after.touched - before.touched);
        const double pages = static_cast<double>(m_region) / static_cast<double>(m_page);
        NS_TEST_EXPECT_MSG_EQ_TOL(misses, 1 - std::min(1.0, 2048 / pages), 0.01, "miss ratio");
        const bool slow = m_expected < 37;
        const bool edge = m_region == EDGE; // the mean load is 1: a pause now and then
        NS_TEST_EXPECT_MSG_EQ((!edge && fabric.GetDevice(1, 0)->GetIssuer().Get(3).txXoff > xoffs),
                              slow,
                              "XOFF frames");
        NS_TEST_EXPECT_MSG_EQ(after.dropped, 0, "the pause comes in time");
        ExpectInvariants(fabric, "slow receiver");
    }

    uint64_t m_region;
    uint64_t m_page;
    double m_expected;
};

/// Without PFC the buffer overflows, and says so.
class OverflowTest : public FaultTestCase
{
  public:
    OverflowTest()
        : FaultTestCase("What does not fit is dropped")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetLosslessClasses({});
        const Fabric fabric = helper.Star(2);
        auto buffer = CreateObject<NicReceiveBuffer>();
        fabric.GetRdma(1)->SetReceiveBuffer(0, buffer);
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 1, 4000000});
        Simulator::Run();
        const auto& counters = buffer->GetCounters();
        const auto& drops = fabric.GetDevice(1, 0)->GetCounters().drops;
        NS_TEST_EXPECT_MSG_GT(counters.dropped, 0, "drops");
        NS_TEST_EXPECT_MSG_EQ(counters.dropped,
                              drops[static_cast<std::size_t>(DropReason::RECEIVE_FULL)],
                              "reason");
        NS_TEST_EXPECT_MSG_EQ(counters.arrived, counters.processed + counters.dropped, "frames");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(counters.peakBytes, 1000000, "buffer");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1, "recovered");
        ExpectSettled(fabric);
    }
};

class SlowReceiverTestSuite : public TestSuite
{
  public:
    SlowReceiverTestSuite()
        : TestSuite("lossless-slow-receiver", Type::SYSTEM)
    {
        constexpr uint64_t MIB = 1 << 20;
        constexpr uint64_t GIB = 1 << 30;
        AddTestCase(new RateTest(9000000, 4096, 37.03)); // line rate, 1024 of 1106 bytes
        AddTestCase(new RateTest(EDGE, 4096, 37.03));
        AddTestCase(new RateTest(16 * MIB, 4096, 8.192 / 0.628));
        AddTestCase(new RateTest(80 * MIB, 4096, 8.192 / 1.028)); // 20480 pages: m = 0.9
        AddTestCase(new RateTest(GIB, 4096, 8.192 / (0.128 + 1 - 2048.0 / 262144)));
        AddTestCase(new RateTest(4 * GIB, 2 * MIB, 37.03));
        AddTestCase(new RateTest(16 * GIB, 2 * MIB, 8.192 / 0.878)); // m = 0.75
        AddTestCase(new OverflowTest);
    }
};

SlowReceiverTestSuite g_slowReceiverTestSuite; //!< registers the suite

} // namespace
