// SPDX-License-Identifier: GPL-2.0-only

// Timed behaviour of RDMA between two hosts that are joined directly.

#include "rdma-hosts.h"

#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/pointer.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rdma-hw.h"

#include <vector>

using namespace ns3;

namespace
{

/// One WRITE over an idle link takes exactly as long as the closed form says.
class ClosedFormTest : public PortTestCase
{
  public:
    ClosedFormTest()
        : PortTestCase("One flow: completion time by the closed form")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        hosts.Set("Mtu", "1000");
        hosts.Join();
        hosts.Post(0, RdmaVerb::WRITE, 1000000);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 1, "one completion");
        // 1000 packets of 1082 wire bytes, the first with a RETH; 80 ps a byte; ACK 86 bytes.
        int64_t data = (1000 * 1082 + 16) * 80;
        int64_t received = data + 1000000;
        NS_TEST_EXPECT_MSG_EQ(hosts.received[0].completed.GetPicoSeconds(), received, "last byte");
        int64_t acked = received + 86 * 80 + 1000000;
        NS_TEST_EXPECT_MSG_EQ(hosts.completed[0].completed.GetPicoSeconds(), acked, "last ACK");
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[0]->GetCounters().dataPackets, 1000, "no retransmission");
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[1]->GetCounters().acksSent, 1000, "one ACK a packet");
        NS_TEST_EXPECT_MSG_LT(hosts.RanOn(), MicroSeconds(5), "no event is left");
    }
};

/// Every verb, in both directions, with its completions at both ends.
class VerbsTest : public PortTestCase
{
  public:
    VerbsTest()
        : PortTestCase("WRITE, WRITE_IMM, SEND, SEND_IMM and READ complete at both ends")
    {
    }

  private:
    void DoRun() override
    {
        const RdmaVerb verbs[] = {RdmaVerb::WRITE,
                                  RdmaVerb::WRITE_IMM,
                                  RdmaVerb::SEND,
                                  RdmaVerb::SEND_IMM,
                                  RdmaVerb::READ};
        for (uint64_t bytes : {0ULL, 1ULL, 1024ULL, 1025ULL, 100000ULL})
        {
            for (RdmaVerb verb : verbs)
            {
                Hosts hosts;
                hosts.Join();
                hosts.qp[0]->PostReceive();
                hosts.Post(1, verb, bytes);
                Simulator::Run();
                NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 1, verb << " " << bytes);
                NS_TEST_ASSERT_MSG_EQ(hosts.received.size(), 1, verb << " " << bytes);
                NS_TEST_EXPECT_MSG_EQ(hosts.completed[0].status, RdmaStatus::SUCCESS, verb);
                NS_TEST_EXPECT_MSG_EQ(hosts.received[0].verb, verb, "the verb at the other end");
                NS_TEST_EXPECT_MSG_EQ(hosts.received[0].bytes, bytes, verb);
                bool immediate = verb == RdmaVerb::WRITE_IMM || verb == RdmaVerb::SEND_IMM;
                NS_TEST_EXPECT_MSG_EQ(hosts.received[0].immediate,
                                      (immediate ? 0x1234U : 0U),
                                      verb);
                uint32_t sink = verb == RdmaVerb::READ ? 1 : 0;
                NS_TEST_EXPECT_MSG_EQ(hosts.hw[sink]->GetCounters().payloadDelivered, bytes, verb);
                NS_TEST_EXPECT_MSG_EQ(hosts.qp[1]->IsIdle(), true, verb);
                Simulator::Destroy();
            }
        }
    }
};

/// Random losses, with each loss recovery.
class LossTest : public PortTestCase
{
  public:
    /// @param recovery LossRecovery @param rate packet error rate
    LossTest(const std::string& recovery, double rate)
        : PortTestCase("Losses of " + std::to_string(rate) + " with " + recovery),
          m_recovery(recovery),
          m_rate(rate)
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        hosts.Set("LossRecovery", m_recovery);
        hosts.Set("RetransmitTimeout", "200us");
        hosts.Set("NackInterval", "20us");
        hosts.Set("RetryLimit", "50");
        hosts.Join();
        for (uint32_t h = 0; h < 2; ++h)
        {
            auto errors = CreateObject<RateErrorModel>();
            errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            errors->SetRate(m_rate);
            errors->AssignStreams(10 + h);
            hosts.hw[h]->GetDevice(0)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        }
        uint64_t bytes = 0;
        for (uint32_t i = 0; i < 40; ++i)
        {
            hosts.Post(i % 2, i % 4 < 2 ? RdmaVerb::WRITE : RdmaVerb::READ, 5000 * i);
            bytes += 5000 * i;
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 40, "all complete");
        uint64_t delivered = 0;
        for (uint32_t h = 0; h < 2; ++h)
        {
            const auto& counters = hosts.hw[h]->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.messagesFailed, 0, "none fails");
            NS_TEST_EXPECT_MSG_GT(counters.retransmitted, 0, "losses were made good");
            delivered += counters.payloadDelivered;
        }
        NS_TEST_EXPECT_MSG_EQ(delivered, bytes, "every byte counted once");
        NS_TEST_EXPECT_MSG_LT(hosts.RanOn(), MicroSeconds(5), "no event is left");
    }

    std::string m_recovery;
    double m_rate;
};

/// A peer that never answers.
class TimeoutTest : public PortTestCase
{
  public:
    TimeoutTest()
        : PortTestCase("Pitfall 8: retry limit, error completion, flush")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        hosts.Set("RetransmitTimeout", "100us");
        hosts.Join();
        hosts.qp[1]->Close();
        hosts.Post(0, RdmaVerb::WRITE, 1000);
        hosts.Post(0, RdmaVerb::SEND, 1000);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 2, "both end");
        NS_TEST_EXPECT_MSG_EQ(hosts.completed[0].status, RdmaStatus::RETRY_EXCEEDED, "the first");
        NS_TEST_EXPECT_MSG_EQ(hosts.completed[1].status, RdmaStatus::FLUSHED, "the second");
        NS_TEST_EXPECT_MSG_EQ(hosts.qp[0]->GetState(), RdmaQueuePair::ERROR, "state");
        // Two packets at once at 0; eight timeouts, each from the transmission that it follows.
        NS_TEST_EXPECT_MSG_EQ(hosts.completed[0].completed, MicroSeconds(800), "when");
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[0]->GetCounters().timeouts, 8, "seven retries");
        hosts.Post(0, RdmaVerb::WRITE, 10);
        NS_TEST_EXPECT_MSG_EQ(hosts.completed.size(), 3, "a failed queue pair flushes at once");
        NS_TEST_EXPECT_MSG_LT(hosts.RanOn(), MicroSeconds(5), "no event is left");
    }
};

/// A window limits what is in flight, and thereby the rate.
class WindowTest : public PortTestCase
{
  public:
    WindowTest()
        : PortTestCase("A window of W bytes gives W per round trip")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        hosts.Set("Window", "10240"); // ten packets
        hosts.Join();
        hosts.Post(0, RdmaVerb::SEND, 100 * 1024);
        hosts.qp[1]->PostReceive();
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 1, "completes");
        // A round of ten packets a round trip: 1106 bytes out, 2 us, 86 bytes back.
        Time roundTrip = PicoSeconds((1106 + 86) * 80) + MicroSeconds(2);
        Time last = PicoSeconds(9 * 1106 * 80);
        NS_TEST_EXPECT_MSG_EQ(hosts.completed[0].completed, 10 * roundTrip + last, "ten rounds");
    }
};

/// PFC stops all queue pairs of a class, at once, and the retransmission timer with them.
class PauseTest : public PortTestCase
{
  public:
    /// @param cls class of the queue pairs, set after they were made
    explicit PauseTest(uint8_t cls)
        : PortTestCase(
              "A paused class stops its queue pairs; no timeout while it is paused; class " +
              std::to_string(cls)),
          m_class(cls)
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        hosts.Set("RetransmitTimeout", "30us");
        hosts.Set("AckInterval", "64"); // so that some packets wait for their ACK all the time
        for (uint32_t h = 0; h < 2; ++h)
        {
            hosts.hw[h]->GetDevice(0)->SetPfcClasses(1U << m_class);
        }
        hosts.Join(0, m_class);
        auto sink = hosts.hw[1]->GetDevice(0);
        Simulator::Schedule(MicroSeconds(10), &QbbNetDevice::RequestPause, sink, m_class, true);
        Simulator::Schedule(MicroSeconds(110), &QbbNetDevice::RequestPause, sink, m_class, false);
        hosts.Post(0, RdmaVerb::WRITE, 1000000);
        uint64_t atPause = 0;
        uint64_t later = 0;
        const auto& counters = hosts.hw[0]->GetCounters();
        // The PFC frame: at 10 us, in 6.72 ns and 1 us; a packet may just have begun.
        Simulator::Schedule(NanoSeconds(11100), [&]() { atPause = counters.dataPackets; });
        Simulator::Schedule(MicroSeconds(109), [&]() { later = counters.dataPackets; });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(atPause, 100, "it was sending");
        NS_TEST_EXPECT_MSG_EQ(later, atPause, "and stopped");
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), 1, "completes");
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[0]->GetCounters().timeouts, 0, "no spurious timeout");
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[0]->GetCounters().retransmitted, 0, "nothing sent again");
        NS_TEST_EXPECT_MSG_GT(hosts.completed[0].completed, MicroSeconds(180), "100 us later");
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[0]->GetDevice(0)->Queues().TotalBytes(), 0, "no queue");
    }

    uint8_t m_class;
};

/// Thousands of queue pairs share a port fairly, and leave nothing behind.
class ManyTest : public PortTestCase
{
  public:
    ManyTest()
        : PortTestCase("Pitfalls 12, 20: 3000 queue pairs on a port")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t COUNT = 3000;
        Hosts hosts;
        hosts.Set("CongestionControl", "ns3::RdmaFixedRate[Rate=20Mbps]");
        std::vector<Ptr<RdmaQueuePair>> all;
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            hosts.Join();
            hosts.Post(0, RdmaVerb::WRITE, 4096);
            all.push_back(hosts.qp[0]);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.completed.size(), COUNT, "all complete");
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[0]->GetCounters().dataPackets, 4 * COUNT, "no loss");
        // 60 Gb/s in all: each has its pace. Three gaps after the first packet (1122 bytes), which
        // waits for at most all others.
        Time gaps = NanoSeconds((1122 + 2 * 1106) * 400);
        Time round = NanoSeconds(COUNT * 1122 * 8 / 100);
        Time slack = MicroSeconds(3);
        for (const auto& completion : hosts.completed)
        {
            Time took = completion.completed - completion.firstSent;
            NS_TEST_EXPECT_MSG_EQ((took >= gaps), true, "not faster than its rate");
            NS_TEST_EXPECT_MSG_EQ((took <= gaps + round + slack), true, "not much slower");
        }
        NS_TEST_EXPECT_MSG_LT(hosts.RanOn(), MicroSeconds(5), "no event is left");
        for (const auto& qp : all)
        {
            hosts.hw[0]->DestroyQueuePair(qp);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[0]->GetNQueuePairs(), 0, "all gone");
        NS_TEST_EXPECT_MSG_EQ(all[0]->GetReferenceCount(), 1, "only ours is left");
    }
};

/// A fixed rate is exact in the long run, at any resolution of the pace.
class PaceTest : public PortTestCase
{
  public:
    /// @param rate of the sender
    explicit PaceTest(const std::string& rate)
        : PortTestCase("Pace of " + rate + " is exact"),
          m_rate(rate)
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        hosts.Set("CongestionControl", "ns3::RdmaFixedRate[Rate=" + m_rate + "]");
        hosts.Join();
        constexpr uint64_t PACKETS = 20000;
        hosts.Post(0, RdmaVerb::WRITE, PACKETS * 1024);
        Simulator::Run();
        // The last packet starts after the pace of all before it; then it takes its line time.
        double bitsBefore = 8.0 * ((PACKETS - 1) * 1106 + 16);
        double start = bitsBefore / DataRate(m_rate).GetBitRate() * 1e12;
        double end = start + 1106 * 80 + 1e6;
        double measured = hosts.received.at(0).completed.GetPicoSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(measured, end, 2.0, "picoseconds");
        NS_TEST_EXPECT_MSG_EQ(hosts.hw[0]->GetCounters().retransmitted, 0, "no timeout");
    }

    std::string m_rate;
};

/// The suite.
class RdmaTestSuite : public TestSuite
{
  public:
    RdmaTestSuite()
        : TestSuite("lossless-rdma", Type::UNIT)
    {
        AddTestCase(new ClosedFormTest);
        AddTestCase(new VerbsTest);
        AddTestCase(new LossTest("ns3::RdmaGoBackN", 0.01));
        AddTestCase(new LossTest("ns3::RdmaGoBackN", 0.1));
        AddTestCase(new LossTest("ns3::RdmaGoBack0", 0.002));
        AddTestCase(new LossTest("ns3::RdmaGoBack0[ChunkBytes=4000]", 0.02));
        AddTestCase(new TimeoutTest);
        AddTestCase(new WindowTest);
        AddTestCase(new PauseTest(3));
        AddTestCase(new PauseTest(5));
        AddTestCase(new ManyTest);
        AddTestCase(new PaceTest("50Gbps"));
        AddTestCase(new PaceTest("33333333333bps"));
        AddTestCase(new PaceTest("7Mbps"));
    }
};

RdmaTestSuite g_rdmaTestSuite;

} // namespace
