// SPDX-License-Identifier: GPL-2.0-only

// Headroom: the rule of doc/link.rst is enough, is not much more than enough, and less than
// it is told before the run and loses frames in the run.

#include "fabric-test-case.h"

#include "ns3/fabric-helper.h"
#include "ns3/headroom.h"
#include "ns3/ipv4-header.h"
#include "ns3/packet.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>

using namespace ns3;

namespace
{

/// Headroom without what the cable holds: told before the run; the run drops, by that name.
class CutHeadroomTest : public FabricTestCase
{
  public:
    /// @param rate of links @param delay of links @param mtu of queue pairs
    CutHeadroomTest(const std::string& rate, Time delay, uint32_t mtu)
        : FabricTestCase("Pitfall 1: headroom without the cable drops, and says so, " + rate +
                         " MTU " + std::to_string(mtu)),
          m_rate(rate),
          m_delay(delay),
          m_mtu(mtu)
    {
    }

  private:
    static constexpr uint32_t SENDERS = 8;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue(m_rate), "Delay", TimeValue(m_delay));
        helper.SetQueuePair("Mtu", UintegerValue(m_mtu));
        helper.SetSwitch("ns3::SwitchMmu", "CellBytes", UintegerValue(1));
        helper.SetCongestionControl("none");
        const Fabric fabric = helper.Star(SENDERS + 1);
        FabricSwitch& fabricSwitch = *fabric.GetSwitch(0);
        const HeadroomLink link = fabricSwitch.GetHeadroomLink(0);
        const uint64_t needed = HeadroomBytes(link, 1);
        const uint64_t cable = link.bitsPerSecond / 1000000 * (2 * link.delayPs / 1000) / 8000;
        for (uint32_t port = 0; port <= SENDERS; ++port)
        {
            fabricSwitch.GetMmu()->SetLossless(port, 3, needed - cable);
            fabricSwitch.GetMmu()->SetStaticThreshold(port, 3, 20000);
        }
        CheckReport(fabric, cable);
        RdmaFlowHelper flows(fabric);
        flows.Incast(SENDERS, 0, 20000 + 4 * needed, Time(0));
        Simulator::Run();
        const uint64_t drops = fabricSwitch.GetDropCount(DropReason::HEADROOM_FULL);
        NS_TEST_EXPECT_MSG_GT(drops, 0, "it is not enough");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetLosslessDrops(), drops, "each drop has that reason");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetLossyDrops(), 0, "no other");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), SENDERS, "what was lost is sent again");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetMmu()->IsIdle(), true, "drops leave no debts");
    }

    /// One finding a port, with its name and what is missing.
    void CheckReport(const Fabric& fabric, uint64_t missing)
    {
        const auto findings = fabric.CheckLossless();
        NS_TEST_ASSERT_MSG_EQ(findings.size(), SENDERS + 1, "one a port");
        for (uint32_t port = 0; port < findings.size(); ++port)
        {
            const std::string& text = findings[port];
            const std::string where = "port " + std::to_string(port) + " class 3";
            const std::string bytes = std::to_string(missing) + " bytes short";
            NS_TEST_EXPECT_MSG_NE(text.find(where), std::string::npos, text);
            NS_TEST_EXPECT_MSG_NE(text.find(bytes), std::string::npos, text);
        }
    }

    std::string m_rate;
    Time m_delay;
    uint32_t m_mtu;
};

/**
 * One sender at 100 Gb/s over 100 m, and a sink that is held paused: nothing drains while what is
 * on its way after the XOFF arrives.
 */
class HeldSink
{
  public:
    static constexpr uint32_t PAYLOAD = 1416; //!< longest with an IP MTU of 1500, over IPv6 too
    static constexpr uint32_t FRAME = PAYLOAD + 62;   //!< a middle packet of a WRITE
    static constexpr uint32_t THRESHOLD = 13 * FRAME; //!< no frame crosses it: XOFF at 13 frames
    static constexpr int64_t START_US = 5;            //!< when the sender starts
    static constexpr int64_t RELEASE_US = 50;         //!< when the sink may receive again

    /// @param linkMtu IP MTU of the links
    explicit HeldSink(uint32_t linkMtu)
        : m_fabric(Make(linkMtu))
    {
        SwitchMmu& mmu = *GetSwitch().GetMmu();
        mmu.SetGuaranteed(0, 3, 0);
        mmu.SetStaticThreshold(0, 3, THRESHOLD);
    }

    /// @return its headroom by the rule of doc/link.rst
    uint64_t RuleA() const
    {
        return HeadroomWireBytes(GetSwitch().GetHeadroomLink(0));
    }

    /// @param bytes headroom of the sender's port
    void SetHeadroom(uint64_t bytes)
    {
        GetSwitch().GetMmu()->SetLossless(0, 3, bytes);
        GetSwitch().Start();
    }

    /// @param bytes threshold of the sender's port
    void SetThreshold(uint64_t bytes)
    {
        GetSwitch().GetMmu()->SetStaticThreshold(0, 3, bytes);
    }

    /// Host 2 sends one long frame of another class to the sender. @param at when
    void SendJumbo(Time at)
    {
        Simulator::Schedule(at, [this] {
            Ipv4Header header;
            header.SetSource(m_fabric.GetAddress(2));
            header.SetDestination(m_fabric.GetAddress(0));
            header.SetProtocol(17);
            header.SetTtl(64);
            header.SetPayloadSize(9198 - 20);
            auto packet = Create<Packet>(9198 - 20);
            packet->AddHeader(header);
            const auto from = m_fabric.GetDevice(2, 0);
            from->Send(packet, from->GetBroadcast(), 0x0800);
        });
    }

    /// Run to the end.
    void Run()
    {
        const auto sink = m_fabric.GetDevice(1, 0);
        Simulator::Schedule(Time(0), [sink] { sink->RequestPause(3, true); });
        Simulator::Schedule(MicroSeconds(RELEASE_US), [sink] { sink->RequestPause(3, false); });
        GetSwitch().GetPort(0)->TraceConnectWithoutContext(
            "PfcTx",
            Callback<void, const QbbNetDevice&, uint32_t, uint16_t>(
                [this](const QbbNetDevice&, uint32_t, uint16_t quanta) {
                    xoffAt = quanta > 0 && xoffAt == Time(0) ? Simulator::Now() : xoffAt;
                }));
        RdmaFlowHelper flows(m_fabric);
        flows.Add({0, 1, 100 * PAYLOAD, MicroSeconds(START_US)});
        Simulator::Run();
        completed = flows.GetNCompleted();
        drops = GetSwitch().GetLosslessDrops();
        peak = GetSwitch().GetMmu()->GetIngress(0, 3).headroomPeak;
        Simulator::Destroy();
    }

    Time xoffAt;           //!< first bit of the first XOFF to the sender
    uint64_t drops{0};     //!< in lossless classes
    uint64_t peak{0};      //!< highest use of headroom, bytes
    uint64_t completed{0}; //!< flows

  private:
    static Fabric Make(uint32_t linkMtu)
    {
        FabricHelper helper;
        helper.SetLink("Delay", TimeValue(NanoSeconds(500)), "Mtu", UintegerValue(linkMtu));
        helper.SetSwitch("ns3::SwitchMmu", "CellBytes", UintegerValue(1));
        helper.SetQueuePair("Mtu", UintegerValue(PAYLOAD));
        helper.SetCongestionControl("none");
        return helper.Star(3);
    }

    FabricSwitch& GetSwitch() const
    {
        return *m_fabric.GetSwitch(0);
    }

    Fabric m_fabric;
};

class TightTest : public FabricTestCase
{
  public:
    TightTest()
        : FabricTestCase("Pitfall 1: headroom by rule (A) is enough, and 80 % of it is needed")
    {
    }

  private:
    void DoRun() override
    {
        HeldSink exact(1500);
        const uint64_t headroom = exact.RuleA();
        NS_TEST_EXPECT_MSG_EQ(headroom, 15660 + 2 * 4, "the table in doc/link.rst, and two tags");
        exact.SetHeadroom(headroom);
        exact.Run();
        Expect(exact, headroom);

        // The frame that crosses a threshold is in headroom itself: that is one frame more.
        HeldSink crossing(1500);
        const uint64_t more = headroom + 1518;
        crossing.SetThreshold(HeldSink::THRESHOLD + 1);
        crossing.SetHeadroom(more);
        crossing.Run();
        Expect(crossing, more);

        HeldSink small(1500);
        small.SetHeadroom(headroom - 12500); // without what the cable holds, 2 * 0.5 us
        small.Run();
        NS_TEST_EXPECT_MSG_GT(small.drops, 0, "too small");
        NS_TEST_EXPECT_MSG_EQ(small.completed, 1, "sent again");
    }

    void Expect(const HeldSink& run, uint64_t headroom)
    {
        NS_TEST_EXPECT_MSG_EQ(run.drops, 0, "no drop");
        NS_TEST_EXPECT_MSG_EQ(run.completed, 1, "the message arrives");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(run.peak, headroom, "within the headroom");
        NS_TEST_EXPECT_MSG_GT(run.peak, 8 * headroom / 10, "not oversized");
    }
};

class JumboTest : public FabricTestCase
{
  public:
    JumboTest()
        : FabricTestCase("A frame of 9216 bytes on the way back delays the XOFF by what is left")
    {
    }

  private:
    void DoRun() override
    {
        HeldSink without(9198);
        without.Run();
        // It starts at the switch's port to the sender 10 ns before the XOFF would.
        const Time serialisation = PicoSeconds((9216 + 20) * 80);
        const Time before = NanoSeconds(10);
        HeldSink with(9198);
        with.SendJumbo(without.xoffAt - before - serialisation - NanoSeconds(500));
        with.Run();
        const Time left = serialisation - before;
        NS_TEST_EXPECT_MSG_EQ(with.xoffAt - without.xoffAt, left, "XOFF waits for the frame");
        // At line rate 80 ps a byte, 20 of them between two frames.
        const double frames =
            static_cast<double>(left.GetPicoSeconds()) / (80 * (HeldSink::FRAME + 20));
        const double growth = static_cast<double>(with.peak - without.peak) / HeldSink::FRAME;
        NS_TEST_EXPECT_MSG_EQ_TOL(growth, frames, 1, "headroom grows by what arrives meanwhile");
        NS_TEST_EXPECT_MSG_EQ(with.drops + without.drops, 0, "the rule knows of long frames");
        NS_TEST_EXPECT_MSG_EQ(with.completed + without.completed, 2, "both arrive");
    }
};

class HeadroomTestSuite : public TestSuite
{
  public:
    HeadroomTestSuite()
        : TestSuite("lossless-headroom", Type::UNIT)
    {
        AddTestCase(new CutHeadroomTest("10Gbps", MicroSeconds(5), 1024));
        AddTestCase(new CutHeadroomTest("25Gbps", MicroSeconds(5), 256));
        AddTestCase(new CutHeadroomTest("100Gbps", MicroSeconds(2), 4096));
        AddTestCase(new CutHeadroomTest("100Gbps", MicroSeconds(1), 1024));
        AddTestCase(new CutHeadroomTest("400Gbps", MicroSeconds(1), 2048));
        AddTestCase(new CutHeadroomTest("800Gbps", NanoSeconds(500), 4096));
        AddTestCase(new TightTest);
        AddTestCase(new JumboTest);
    }
};

HeadroomTestSuite g_headroomTestSuite; //!< registers the suite

} // namespace
