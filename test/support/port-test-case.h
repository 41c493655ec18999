// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PORT_TEST_CASE_H
#define LOSSLESS_PORT_TEST_CASE_H

#include "ns3/qbb-net-device.h"
#include "ns3/qbb-port-owner.h"
#include "ns3/simulator.h"
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

/// Base of tests of ports and switches: picoseconds, and a clean simulator.
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
