// SPDX-License-Identifier: GPL-2.0-only

// Timed behaviour of RDMA between two hosts that are joined directly (sheet 04).

#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/qbb-channel.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rdma-hw.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <array>
#include <vector>

using namespace ns3;

namespace
{

/// Two hosts, joined by one or more cables; every completion is noted.
struct Hosts
{
    /// @param rate of the cables @param delay of the cables @param cables how many
    explicit Hosts(const std::string& rate = "100Gbps",
                   Time delay = MicroSeconds(1),
                   uint32_t cables = 1)
    {
        for (uint32_t h = 0; h < 2; ++h)
        {
            node[h] = CreateObject<Node>();
            hw[h] = CreateObject<RdmaHw>();
            node[h]->AggregateObject(hw[h]);
        }
        for (uint32_t c = 0; c < cables; ++c)
        {
            auto channel = CreateObject<QbbChannel>();
            channel->SetDelay(delay);
            for (uint32_t h = 0; h < 2; ++h)
            {
                auto port = CreateObject<QbbNetDevice>();
                port->SetAttribute("DataRate", StringValue(rate));
                port->SetAddress(Mac48Address::Allocate());
                node[h]->AddDevice(port);
                port->Attach(channel);
                hw[h]->AddPort(port, Ipv4Address(0x0a000001 + 256 * c + h));
            }
        }
    }

    /// @param name attribute of RdmaQueuePair, at both ends @param value its value
    void Set(const std::string& name, const std::string& value)
    {
        for (auto& one : hw)
        {
            one->SetQueuePairAttribute(name, StringValue(value));
        }
    }

    /// Make and join a queue pair at each host. @param cable which
    void Join(uint32_t cable = 0)
    {
        for (uint32_t h = 0; h < 2; ++h)
        {
            qp[h] = hw[h]->CreateQueuePair(cable);
            qp[h]->SetCompletionCallback(MakeCallback(&Hosts::Completed, this));
            qp[h]->SetReceiveCallback(MakeCallback(&Hosts::Received, this));
        }
        RdmaHw::Connect(qp[0], qp[1]);
    }

    /// Let h post a message. @param h host @param verb what @param bytes length
    void Post(uint32_t h, RdmaVerb verb, uint64_t bytes)
    {
        RdmaWorkRequest request;
        request.verb = verb;
        request.bytes = bytes;
        request.immediate = 0x1234;
        qp[h]->Post(request);
    }

    void Completed(const RdmaCompletion& completion)
    {
        completed.push_back(completion);
    }

    void Received(const RdmaCompletion& completion)
    {
        received.push_back(completion);
    }

    std::array<Ptr<Node>, 2> node;
    std::array<Ptr<RdmaHw>, 2> hw;
    std::array<Ptr<RdmaQueuePair>, 2> qp;
    std::vector<RdmaCompletion> completed;
    std::vector<RdmaCompletion> received;
};

/// Base of the cases: picoseconds, and a clean simulator.
class RdmaTestCase : public TestCase
{
  public:
    explicit RdmaTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    void DoSetup() override
    {
        if (Time::GetResolution() != Time::PS)
        {
            Time::SetResolution(Time::PS);
        }
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
    }
};

/// One WRITE over an idle link takes exactly as long as the closed form says.
class ClosedFormTest : public RdmaTestCase
{
  public:
    ClosedFormTest()
        : RdmaTestCase("One flow: completion time by the closed form")
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
        NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "no event is left");
    }
};

/// The suite.
class RdmaTestSuite : public TestSuite
{
  public:
    RdmaTestSuite()
        : TestSuite("lossless-rdma", Type::UNIT)
    {
        AddTestCase(new ClosedFormTest);
    }
};

RdmaTestSuite g_rdmaTestSuite;

} // namespace
