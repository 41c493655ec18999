// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_TEST_STAR_H
#define LOSSLESS_SWITCH_TEST_STAR_H

// A switch between real ports, and hosts that note what arrives: for the suites of the switch.

#include "port-test-case.h"

#include "ns3/fabric-switch.h"
#include "ns3/node.h"
#include "ns3/qbb-channel.h"

#include <deque>
#include <string>
#include <vector>

namespace ns3
{

/// A host that sends what it is given, and notes what arrives.
class TestHost : public QueuePortOwner
{
  public:
    /// What arrived, and when.
    struct Arrival
    {
        Time at;      //!< last bit
        uint32_t src; //!< source address
        Ecn ecn;      //!< ECN field
        uint8_t cls;  //!< class
        uint8_t ttl;  //!< TTL
    };

    void FrameArrived(QbbNetDevice&, Frame* frame) override
    {
        arrivals.push_back(
            {Simulator::Now(), frame->src, frame->ecn, frame->trafficClass, frame->ttl});
        frame->Release();
    }

    std::vector<Arrival> arrivals; //!< in order
};

/// A star: hosts 10.0.0.1 and so on around one switch, 100 Gb/s, 1 us.
struct Star
{
    explicit Star(uint32_t hosts)
        : host(hosts)
    {
        // A pause that never ends is refreshed for ever: fail then, and do not hang.
        Simulator::Stop(MilliSeconds(20));
        switchNode = CreateObject<Node>();
        fabricSwitch = CreateObject<FabricSwitch>();
        switchNode->AggregateObject(fabricSwitch);
        for (uint32_t i = 0; i < hosts; ++i)
        {
            Ptr<QbbNetDevice> ends[2];
            for (auto& end : ends)
            {
                end = CreateObject<QbbNetDevice>();
                end->SetAddress(Mac48Address::Allocate());
            }
            auto node = CreateObject<Node>();
            node->AddDevice(ends[0]);
            switchNode->AddDevice(ends[1]);
            ends[0]->SetOwner(&host[i], 0);
            fabricSwitch->AddPort(ends[1]);
            auto cable = CreateObject<QbbChannel>();
            cable->SetDelay(MicroSeconds(1));
            ends[0]->Attach(cable);
            ends[1]->Attach(cable);
            nic.push_back(ends[0]);
            channel.push_back(cable);
            fabricSwitch->AddRoute(Ipv4Address(Address(i)), {static_cast<uint16_t>(i)});
        }
    }

    /// @param i a host @return its address
    static uint32_t Address(uint32_t i)
    {
        return 0x0a000001 + i;
    }

    /// @return a frame from one host to another; its class follows from its DSCP
    static Frame* MakeFrame(uint32_t from, uint32_t to, uint8_t cls, uint32_t bytes)
    {
        auto frame = new Frame;
        frame->src = Address(from);
        frame->dst = Address(to);
        frame->trafficClass = cls;
        frame->dscp = cls << 3;
        frame->ecn = Ecn::ECT0;
        frame->bytes = bytes;
        return frame;
    }

    /// Queue a frame at its source. @param from the source @param frame the frame
    void Send(uint32_t from, Frame* frame)
    {
        nic[from]->Queues().Push(frame);
        nic[from]->Kick();
    }

    /// Queue frames at one host. @param from source @param to destination @param cls class
    /// @param count how many @param bytes frame bytes
    void Send(uint32_t from, uint32_t to, uint8_t cls, uint32_t count, uint32_t bytes)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            nic[from]->Queues().Push(MakeFrame(from, to, cls, bytes));
        }
        nic[from]->Kick();
    }

    /// @return frames dropped by the switch, all reasons
    uint64_t Drops() const
    {
        return fabricSwitch->GetLosslessDrops() + fabricSwitch->GetLossyDrops();
    }

    std::deque<TestHost> host;
    Ptr<Node> switchNode;
    Ptr<FabricSwitch> fabricSwitch;
    std::vector<Ptr<QbbNetDevice>> nic;
    std::vector<Ptr<QbbChannel>> channel;
};

/// Base of the cases.
class SwitchTestCase : public PortTestCase
{
  public:
    explicit SwitchTestCase(std::string name)
        : PortTestCase(std::move(name))
    {
    }

  protected:
    /// Everything has drained (the buffer is free again). @param star the network
    void ExpectIdle(const Star& star)
    {
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetMmu()->IsIdle(), true, "buffer is empty");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetMmu()->CheckInvariants(), "", "books agree");
        for (uint32_t i = 0; i < star.nic.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(+star.nic[i]->PausedMask(), 0, "host " << i << " is not paused");
        }
    }
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_TEST_STAR_H
