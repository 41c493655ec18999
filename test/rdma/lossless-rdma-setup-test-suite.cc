// SPDX-License-Identifier: GPL-2.0-only

// What queue pairs may be set to: ports, addresses, MTUs, and what is refused.

#include "rdma-hosts.h"
#include "refusal-of.h"

#include "ns3/qbb-net-device.h"
#include "ns3/rdma-hw.h"

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

/// Two cables, used at once; a frame with another host's address is not taken.
class TwoPortsTest : public PortTestCase
{
  public:
    TwoPortsTest()
        : PortTestCase("Pitfall 20: two NICs in a host work side by side")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts("100Gbps", MicroSeconds(1), 2);
        for (uint32_t cable = 0; cable < 2; ++cable)
        {
            hosts.Join(cable);
            hosts.Post(0, RdmaVerb::WRITE, 1024000);
            hosts.Post(1, RdmaVerb::READ, 0);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 4, "all complete");
        uint64_t first = hosts.hw[0]->GetDevice(0)->GetCounters().txWireBytes;
        uint64_t second = hosts.hw[0]->GetDevice(1)->GetCounters().txWireBytes;
        NS_TEST_EXPECT_MSG_EQ(first, second, "each cable carried one flow");
        NS_TEST_EXPECT_MSG_GT(first, 1024000, "a whole one");
        NS_TEST_EXPECT_MSG_EQ(hosts.completed[2].completed, hosts.completed[3].completed, "alike");
    }
};

/// A queue pair is found by its number alone: the ends have UDP ports of their own.
class UdpPortTest : public PortTestCase
{
  public:
    UdpPortTest()
        : PortTestCase("Packets find their queue pair whatever their UDP source port")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        for (uint32_t h = 0; h < 2; ++h)
        {
            hosts.qp[h] = hosts.hw[h]->CreateQueuePair(0);
            hosts.qp[h]->SetAttribute("UdpPort", UintegerValue(50000 + h));
            hosts.qp[h]->SetCompletionCallback(MakeCallback(&Hosts::Completed, &hosts));
        }
        for (uint32_t h = 0; h < 2; ++h)
        {
            const auto& peer = *hosts.qp[1 - h];
            hosts.qp[h]->ConnectTo({peer.GetConnection().local}, peer.GetNumber(), Time());
        }
        hosts.Post(0, RdmaVerb::WRITE, 100000);
        hosts.Post(1, RdmaVerb::READ, 100000);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 2, "both complete");
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[0]->GetCounters().timeouts, 0, "nothing was dropped");
    }
};

/// Over IPv6.
class Ipv6Test : public PortTestCase
{
  public:
    Ipv6Test()
        : PortTestCase("Queue pairs over IPv6")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts("100Gbps", MicroSeconds(1), 0);
        auto channel = CreateObject<QbbChannel>();
        channel->SetDelay(MicroSeconds(1));
        const char* addresses[] = {"2001:db8::1", "2001:db8:0:1::1"};
        for (uint32_t h = 0; h < 2; ++h)
        {
            auto port = Hosts::MakePort(hosts.node[h], channel, "100Gbps");
            hosts.hw[h]->AddPort(port, Ipv6Address(addresses[h]));
        }
        hosts.Join();
        hosts.Post(0, RdmaVerb::WRITE, 1024);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 1, "completes");
        // 20 bytes more in each direction
        Time expected = PicoSeconds((1122 + 20 + 86 + 20) * 80) + MicroSeconds(2);
        NS_TEST_EXPECT_MSG_EQ(hosts.completed[0].completed, expected, "closed form");
    }
};

/// What cannot work is refused, in words.
class RefusalTest : public PortTestCase
{
  public:
    RefusalTest()
        : PortTestCase("Different MTUs, an MTU beyond the port's and too long messages are refused")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        hosts.hw[0]->SetQueuePairAttribute("Mtu", StringValue("512"));
        NS_TEST_EXPECT_MSG_NE(RefusalOf([&]() { hosts.Join(); }), "", "512 and 1024");
        hosts.Set("Mtu", "4096");
        hosts.hw[0]->GetDevice(0)->SetMtu(1500);
        NS_TEST_EXPECT_MSG_NE(RefusalOf([&]() { hosts.Join(); }), "", "4096 over 1500");
        hosts.Set("Mtu", "1024");
        hosts.hw[0]->SetQueuePairAttribute("UdpPort", StringValue("7"));
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&]() { hosts.Join(); }),
                              "RdmaHw: the ends have different UDP ports, 7 and 0",
                              "one of both");
        hosts.hw[0]->SetQueuePairAttribute("UdpPort", StringValue("0"));
        hosts.Join();
        auto tooLong = [&]() { hosts.Post(0, RdmaVerb::WRITE, (1ULL << 40) + 1); };
        NS_TEST_EXPECT_MSG_NE(RefusalOf(tooLong), "", "2^40 + 1 bytes");
        auto again = [&]() { RdmaHw::Connect(hosts.qp[0], hosts.qp[1]); };
        NS_TEST_EXPECT_MSG_NE(RefusalOf(again), "", "connected twice");
        NS_TEST_EXPECT_MSG_NE(RefusalOf([&]() { hosts.hw[0]->CreateQueuePair(7); }),
                              "",
                              "no port 7");
    }
};

/// Telemetry makes packets longer; the MTU of the port counts it.
class TelemetryMtuTest : public PortTestCase
{
  public:
    TelemetryMtuTest()
        : PortTestCase("The MTU of the port must hold a packet with its telemetry")
    {
    }

  private:
    void DoRun() override
    {
        // IP 20, UDP 8, BTH 12, RETH 16, immediate data 4, payload 1024, ICRC 4.
        constexpr uint32_t PLAIN = 1088;
        Check("ns3::RdmaDcqcn", PLAIN);
        Check("ns3::RdmaTimely", PLAIN + 16);
        Check("ns3::RdmaHpcc[Telemetry=Fixed]", PLAIN + 42);
        Check("ns3::RdmaHpcc[Telemetry=Growing]", PLAIN + 42); // at the last hop
        Check("ns3::RdmaHpcc[Telemetry=Pint]", PLAIN + 2);
    }

    /// @param congestion a congestion control @param needed MTU that it needs
    void Check(const std::string& congestion, uint32_t needed)
    {
        Hosts hosts;
        hosts.Set("Mtu", "1024");
        hosts.Set("CongestionControl", congestion);
        hosts.hw[0]->GetDevice(0)->SetMtu(static_cast<uint16_t>(needed - 1));
        const std::string message = RefusalOf([&] { Join(hosts); });
        const std::string expected = "needs IP packets of " + std::to_string(needed) + " bytes";
        NS_TEST_EXPECT_MSG_NE(message.find(expected),
                              std::string::npos,
                              congestion << " says \"" << message << "\"");
        hosts.hw[0]->GetDevice(0)->SetMtu(static_cast<uint16_t>(needed));
        Join(hosts);
        NS_TEST_EXPECT_MSG_EQ(hosts.qp[0]->GetState(), RdmaQueuePair::READY, congestion);
    }

    /// HPCC must know a round trip time. @param hosts whose queue pairs are joined
    static void Join(Hosts& hosts)
    {
        for (uint32_t h = 0; h < 2; ++h)
        {
            hosts.qp[h] = hosts.hw[h]->CreateQueuePair(0);
        }
        RdmaHw::Connect(hosts.qp[0], hosts.qp[1], MicroSeconds(2));
    }
};

/// The suite.
class RdmaSetupSuite : public TestSuite
{
  public:
    RdmaSetupSuite()
        : TestSuite("lossless-rdma-setup", Type::UNIT)
    {
        AddTestCase(new Ipv6Test);
        AddTestCase(new RefusalTest);
        AddTestCase(new TelemetryMtuTest);
        AddTestCase(new TwoPortsTest);
        AddTestCase(new UdpPortTest);
    }
};

RdmaSetupSuite g_rdmaSetupSuite; //!< registers itself

} // namespace
