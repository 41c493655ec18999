// SPDX-License-Identifier: GPL-2.0-only

// TxDelay, RxDelay and MessageGap of queue pairs, between two hosts on a cable. What they add to
// the FCT of one message is in lossless-fct.

#include "rdma-hosts.h"

#include "ns3/test.h"

#include <string>

using namespace ns3;

namespace
{

constexpr int64_t CABLE_PS = 1000000;  //!< of Hosts
constexpr int64_t PS_PER_BYTE = 80;    //!< at 100 Gb/s
constexpr uint32_t PACKET_WIRE = 1122; //!< WRITE_ONLY of 1024 bytes
constexpr uint32_t ACK_WIRE = 86;

/// Messages of one packet that are posted at once, with all delays.
class PipelinedTest : public PortTestCase
{
  public:
    PipelinedTest()
        : PortTestCase(
              "Delays of host and NIC add latency and no gap; a gap holds one queue pair up")
    {
    }

  private:
    void DoRun() override
    {
        CheckDelays();
        CheckGap();
        CheckRead();
        CheckClose();
    }

    void CheckDelays()
    {
        Hosts hosts;
        hosts.Set("TxDelay", "2500ns");
        hosts.Set("RxDelay", "1900ns");
        hosts.Join();
        for (int i = 0; i < 3; ++i)
        {
            hosts.Post(0, RdmaVerb::WRITE, 1024);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 3, "all complete");
        NS_TEST_ASSERT_MSG_EQ(hosts.received.size(), 3, "and are received");
        for (int64_t i = 0; i < 3; ++i)
        {
            const int64_t sent = 2500000 + i * PACKET_WIRE * PS_PER_BYTE;
            const int64_t arrived = sent + PACKET_WIRE * PS_PER_BYTE + CABLE_PS;
            const int64_t answered = arrived + ACK_WIRE * PS_PER_BYTE + CABLE_PS;
            NS_TEST_EXPECT_MSG_EQ(hosts.completed[i].firstSent, PicoSeconds(sent), i);
            NS_TEST_EXPECT_MSG_EQ(hosts.received[i].completed, PicoSeconds(arrived + 1900000), i);
            NS_TEST_EXPECT_MSG_EQ(hosts.completed[i].completed,
                                  PicoSeconds(answered + 1900000),
                                  "an ACK does not wait for the host");
        }
        Simulator::Destroy();
    }

    /// 16 KiB by one queue pair, as row 3 of sheet 18's table: the gap is on top of the line.
    void CheckGap()
    {
        constexpr int64_t GAP_PS = 10370;
        constexpr int64_t MESSAGES = 20;
        Hosts hosts("400Gbps");
        hosts.hw[0]->GetDevice(0)->SetMtu(4200);
        hosts.hw[1]->GetDevice(0)->SetMtu(4200);
        hosts.Set("Mtu", "4096");
        hosts.Set("CongestionControl", "ns3::RdmaFixedRate");
        hosts.Set("MessageGap", "10370ps");
        hosts.Join();
        for (int64_t i = 0; i < MESSAGES; ++i)
        {
            hosts.Post(0, RdmaVerb::WRITE, 16384);
        }
        Simulator::Run();
        const int64_t message = (4 * (4096 + 82) + 16) * PS_PER_BYTE / 4;
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), MESSAGES, "all complete");
        NS_TEST_EXPECT_MSG_EQ(hosts.completed.back().firstSent,
                              PicoSeconds((MESSAGES - 1) * (message + GAP_PS)),
                              "each message takes the line and the gap");
        Simulator::Destroy();
    }

    /// The responder fetches the data of a READ over PCIe, too.
    void CheckRead()
    {
        Hosts hosts;
        hosts.Set("TxDelay", "700ns");
        hosts.Set("RxDelay", "300ns");
        hosts.Join();
        hosts.Post(0, RdmaVerb::READ, 1024);
        hosts.Post(0, RdmaVerb::READ, 1024);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 2, "both complete");
        const int64_t request = 700000 + 98 * PS_PER_BYTE + CABLE_PS;
        const int64_t response = 1110 * PS_PER_BYTE;
        const int64_t completed = request + 700000 + response + CABLE_PS + 300000;
        NS_TEST_EXPECT_MSG_EQ(hosts.completed[0].completed, PicoSeconds(completed), "first");
        NS_TEST_EXPECT_MSG_EQ(hosts.completed[1].completed,
                              PicoSeconds(completed + response),
                              "the second follows at once");
        Simulator::Destroy();
    }

    /// What has completed and the host has not seen is told when the queue pair is closed, in
    /// order.
    void CheckClose()
    {
        Hosts hosts;
        hosts.Set("RxDelay", "50us");
        hosts.Join();
        for (int i = 0; i < 3; ++i)
        {
            hosts.Post(0, RdmaVerb::WRITE, i < 2 ? 1024 : 10000000);
        }
        Simulator::Schedule(MicroSeconds(20), [&hosts] { hosts.qp[0]->Close(); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 3, "all are told");
        for (std::size_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(hosts.completed[i].id, i + 1, "in order");
            NS_TEST_EXPECT_MSG_EQ(hosts.completed[i].completed, MicroSeconds(20), "at the close");
            NS_TEST_EXPECT_MSG_EQ((hosts.completed[i].status == RdmaStatus::SUCCESS), (i < 2), i);
        }
        Simulator::Destroy();
    }
};

class HostTimesTestSuite : public TestSuite
{
  public:
    HostTimesTestSuite()
        : TestSuite("lossless-host-times", TestSuite::Type::UNIT)
    {
        AddTestCase(new PipelinedTest);
    }
};

HostTimesTestSuite g_hostTimesTestSuite;

} // namespace
