// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PORT_TEST_CASE_H
#define LOSSLESS_PORT_TEST_CASE_H

#include "ns3/node.h"
#include "ns3/qbb-channel.h"
#include "ns3/qbb-net-device.h"
#include "ns3/qbb-port-owner.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <string>
#include <utility>

namespace ns3
{

/// Feeds a port with what stands in its queues; what arrives is a test's own business.
class QueuePortOwner : public QbbPortOwner
{
  public:
    Frame* NextFrame(QbbNetDevice& port) override
    {
        return port.PopQueues();
    }

    bool HasNext(const QbbNetDevice& port) const override
    {
        return port.HasSendable();
    }
};

/// Two nodes with a port each, one cable. @tparam Owner of each port
template <typename Owner>
struct PortPair
{
    /// @param rate of both ports @param delay of the cable
    PortPair(const std::string& rate, Time delay)
    {
        channel->SetDelay(delay);
        for (uint32_t i = 0; i < 2; ++i)
        {
            node[i] = CreateObject<Node>();
            port[i] = CreateObject<QbbNetDevice>();
            port[i]->SetAttribute("DataRate", StringValue(rate));
            port[i]->SetAddress(Mac48Address::Allocate());
            node[i]->AddDevice(port[i]);
            port[i]->SetOwner(&owner[i], 0);
            port[i]->Attach(channel);
        }
    }

    /// Queue frames at end 0. @param cls class @param count how many @param bytes frame bytes
    void Send(uint8_t cls, uint32_t count, uint32_t bytes)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            auto* const frame = new Frame;
            frame->trafficClass = cls;
            frame->bytes = bytes;
            frame->immediate = sent++;
            port[0]->Queues().Push(frame);
        }
        port[0]->Kick();
    }

    Ptr<QbbChannel> channel{CreateObject<QbbChannel>()}; //!< the cable
    Ptr<Node> node[2];                                   //!< its ends
    Ptr<QbbNetDevice> port[2];                           //!< their ports
    Owner owner[2];                                      //!< of the ports
    uint32_t sent{0}; //!< frames of Send(), whose numbers are their immediate data
};

/// Base of tests without a whole fabric: picoseconds, and a clean simulator.
class PortTestCase : public TestCase
{
  public:
    explicit PortTestCase(std::string name)
        : TestCase(std::move(name))
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

} // namespace ns3

#endif // LOSSLESS_PORT_TEST_CASE_H
