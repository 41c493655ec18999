// SPDX-License-Identifier: GPL-2.0-only

// Rate limits and shares of classes, on switches and NICs: DwrrScheduler and ShapedScheduler.

#include "fabric-test-case.h"

#include "ns3/data-rate.h"
#include "ns3/pointer.h"
#include "ns3/shaped-scheduler.h"
#include "ns3/strict-priority-scheduler.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

using namespace ns3;

namespace
{

constexpr uint8_t BULK = 3;      //!< class of most data
constexpr uint8_t REAL_TIME = 4; //!< a second lossless class
constexpr uint8_t CNP = 6;       //!< class of CNPs

/// Base of the tests: hosts around one switch that send without congestion control.
class ShapingTestCase : public FabricTestCase
{
  public:
    using FabricTestCase::FabricTestCase;

  protected:
    /// @return settings of the fabric
    static FabricHelper MakeHelper()
    {
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue("100Gbps"), "Delay", StringValue("1us"));
        helper.SetCongestionControl("ns3::RdmaFixedRate");
        helper.SetLosslessClasses({BULK, REAL_TIME});
        return helper;
    }

    /// @param device a port @param cls a class @return frame bytes sent since the last call
    uint64_t SentBy(QbbNetDevice& device, uint8_t cls)
    {
        const uint64_t bytes = device.Queues().SentBytes(cls);
        return bytes - std::exchange(m_before[cls], bytes);
    }

    /// @param device a port @return wire bytes sent since the last call
    uint64_t WireSentBy(const QbbNetDevice& device)
    {
        const uint64_t bytes = device.GetCounters().txWireBytes;
        return bytes - std::exchange(m_wireBefore, bytes);
    }

    std::array<uint64_t, TRAFFIC_CLASSES> m_before{}; //!< of SentBy()
    uint64_t m_wireBefore{0};                         //!< of WireSentBy()
};

/// Two classes share a link 70 to 30, and the one has all of it while the other is paused.
class EtsTest : public ShapingTestCase
{
  public:
    EtsTest(const std::string& scheduler, const std::string& name)
        : ShapingTestCase(name),
          m_scheduler(scheduler)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = MakeHelper();
        helper.SetScheduler(m_scheduler, "Weights", StringValue("1 1 1 7 3 1 1 1"));
        const Fabric fabric = helper.Star(3);
        RdmaFlowHelper flows(fabric);
        for (const uint8_t cls : {BULK, REAL_TIME})
        {
            flows.Add({HostId(cls == BULK ? 1 : 2), 0, 100'000'000, Time(0), cls});
        }
        const auto receiver = fabric.GetDevice(fabric.GetTopology().NodeOf(HostId(0)), 0);
        const auto port = receiver->GetPeer();
        RunUntil(MicroSeconds(100));
        SentBy(*port, BULK);
        SentBy(*port, REAL_TIME);

        RunUntil(MilliSeconds(2));
        double bulk = SentBy(*port, BULK);
        double other = SentBy(*port, REAL_TIME);
        NS_TEST_EXPECT_MSG_EQ_TOL(bulk / (bulk + other), 0.7, 0.007, "without pauses");

        receiver->RequestPause(BULK, true);
        RunUntil(MicroSeconds(2010)); // the pause is there after 1 us
        SentBy(*port, BULK);
        WireSentBy(*port);
        RunUntil(MicroSeconds(2110));
        bulk = SentBy(*port, BULK);
        const double wire = WireSentBy(*port);
        NS_TEST_EXPECT_MSG_EQ(bulk, 0, "paused");
        const double full = 100e9 / 8 * 100e-6;
        NS_TEST_EXPECT_MSG_EQ_TOL(wire / full, 1, 0.01, "what one leaves, the other has");
        receiver->RequestPause(BULK, false);

        // A pause of 10 us every 30 us: where both may send, they share as before.
        RunUntil(MicroSeconds(2200));
        bulk = 0;
        other = 0;
        for (int64_t round = 0; round < 60; ++round)
        {
            const int64_t begin = 2200 + 30 * round;
            receiver->RequestPause(BULK, true);
            RunUntil(MicroSeconds(begin + 10));
            receiver->RequestPause(BULK, false);
            RunUntil(MicroSeconds(begin + 13));
            SentBy(*port, BULK);
            SentBy(*port, REAL_TIME);
            RunUntil(MicroSeconds(begin + 30));
            bulk += SentBy(*port, BULK);
            other += SentBy(*port, REAL_TIME);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(bulk / (bulk + other), 0.7, 0.007, "with pauses");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(SwitchId(0))->GetLosslessDrops(), 0, "drops");
    }

    std::string m_scheduler;
};

/// A CNP overtakes data: it is at its sender within 3 us, and within 10 us through a full queue.
class CnpTest : public ShapingTestCase
{
  public:
    /// @param isFull whether a data queue stands in the way of CNPs
    explicit CnpTest(bool isFull)
        : ShapingTestCase(isFull ? "A CNP through a full data queue"
                                 : "A CNP through an idle fabric"),
          m_isFull(isFull)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = MakeHelper();
        helper.SetCongestionControl("ns3::RdmaDcqcn");
        helper.SetScheduler("ns3::ShapedScheduler", "StrictClasses", UintegerValue(1 << CNP));
        helper.SetEcnThresholds(DataRate("100Gbps"), 10000, 20000, 1.0);
        const Fabric fabric = helper.Star(6);
        RdmaFlowHelper flows(fabric);
        const auto add = [&flows](uint32_t from, uint32_t to, uint64_t bytes) {
            flows.Add({HostId(from), HostId(to), bytes});
        };
        add(1, 0, 2'000'000); // both get CNPs of host 0
        add(2, 0, 2'000'000);
        for (const uint32_t from : {3U, 4U, 5U})
        {
            add(from, 1, m_isFull ? 4'000'000 : 0); // in the way of the CNPs to host 1
        }
        const auto device = [&fabric](uint32_t host) {
            return fabric.GetDevice(fabric.GetTopology().NodeOf(HostId(host)), 0);
        };
        device(0)->TraceConnectWithoutContext("FrameTx", MakeCallback(&CnpTest::Sent, this));
        device(1)->TraceConnectWithoutContext("FrameRx", MakeCallback(&CnpTest::Arrived, this));
        const auto hub = device(1)->GetPeer();
        Simulator::Schedule(MicroSeconds(30),
                            [this, hub] { m_queued = hub->Queues().Bytes(BULK); });
        RunUntil(MilliSeconds(5));
        NS_TEST_EXPECT_MSG_GT(m_arrived, 3, "CNPs");
        NS_TEST_EXPECT_MSG_EQ((m_queued > 50'000), m_isFull, "data in the way: " << m_queued);
        NS_TEST_EXPECT_MSG_LT(m_longest, MicroSeconds(m_isFull ? 10 : 3), "the slowest CNP");
    }

    /// A frame leaves host 0. @param frame the frame
    void Sent(const QbbNetDevice& /* device */, const Frame& frame)
    {
        if (frame.kind == FrameKind::ROCE && frame.opcode == RoceOpcode::CNP)
        {
            m_sent[frame.dst] = Simulator::Now();
        }
    }

    /// A frame arrives at host 1. @param device its port @param frame the frame
    void Arrived(const QbbNetDevice& /* device */, const Frame& frame)
    {
        if (frame.kind == FrameKind::ROCE && frame.opcode == RoceOpcode::CNP)
        {
            const auto sent = m_sent.find(frame.dst);
            if (sent != m_sent.end())
            {
                ++m_arrived;
                m_longest = std::max(m_longest, Simulator::Now() - sent->second);
                m_sent.erase(sent);
            }
        }
    }

    bool m_isFull;
    std::map<uint32_t, Time> m_sent; //!< last CNP on its way, by its destination
    uint32_t m_arrived{0};
    uint64_t m_queued{0};
    Time m_longest;
};

/// A NIC and a switch port keep to their rates, and to new ones at once.
class RateTest : public ShapingTestCase
{
  public:
    /// @param isNic shape the NIC, or the port of the switch
    explicit RateTest(bool isNic)
        : ShapingTestCase(isNic ? "Rates of a NIC" : "Rates of a switch port"),
          m_isNic(isNic)
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = MakeHelper().Star(2);
        RdmaFlowHelper flows(fabric);
        flows.Add({HostId(1), 0, 100'000'000});
        const auto nic = fabric.GetDevice(fabric.GetTopology().NodeOf(HostId(1)), 0);
        const auto port =
            m_isNic ? nic : fabric.GetDevice(fabric.GetTopology().NodeOf(HostId(0)), 0)->GetPeer();
        const auto scheduler = CreateObject<ShapedScheduler>();
        const auto expect = [&](int64_t untilUs, double bitsPerSecond, const std::string& what) {
            const double begin = Simulator::Now().GetSeconds();
            WireSentBy(*port);
            RunUntil(MicroSeconds(untilUs));
            const double bits = 8.0 * WireSentBy(*port);
            const double seconds = Simulator::Now().GetSeconds() - begin;
            NS_TEST_EXPECT_MSG_EQ_TOL(bits / seconds / bitsPerSecond, 1, 0.01, what);
        };
        RunUntil(MicroSeconds(50));
        expect(150, 100e9, "unlimited");
        scheduler->SetAttribute("MaxRates", StringValue("3:10%"));
        port->SetAttribute("EgressScheduler", PointerValue(scheduler));
        RunUntil(MicroSeconds(160));
        expect(1160, 10e9, "a share of the line");
        scheduler->SetAttribute("MaxRates", StringValue("3:1Mbps"));
        RunUntil(MicroSeconds(1161)); // the next frame is due 8.8 ms after the last one
        scheduler->SetAttribute("MaxRates", StringValue("3:25Gbps"));
        RunUntil(MicroSeconds(1170));
        expect(2170, 25e9, "raised while the port waits");
        scheduler->SetAttribute("PortRate", StringValue("5Gbps"));
        RunUntil(MicroSeconds(2180));
        expect(3180, 5e9, "of the port");
        port->SetAttribute("EgressScheduler",
                           PointerValue(CreateObject<StrictPriorityScheduler>()));
        RunUntil(MicroSeconds(3190));
        expect(3290, 100e9, "unlimited again");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(SwitchId(0))->GetLosslessDrops(), 0, "drops");
    }

    bool m_isNic;
};

/// The suite.
class ShapingTestSuite : public TestSuite
{
  public:
    ShapingTestSuite()
        : TestSuite("lossless-shaping", Type::UNIT)
    {
        AddTestCase(new EtsTest("ns3::DwrrScheduler", "70 to 30 by DWRR"));
        AddTestCase(new EtsTest("ns3::ShapedScheduler", "70 to 30 by DWRR with shapers"));
        AddTestCase(new CnpTest(false));
        AddTestCase(new CnpTest(true));
        AddTestCase(new RateTest(false));
        AddTestCase(new RateTest(true));
    }
};

ShapingTestSuite g_shapingTestSuite; //!< registers itself

} // namespace
