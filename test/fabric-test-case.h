// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_TEST_CASE_H
#define LOSSLESS_FABRIC_TEST_CASE_H

#include "ns3/global-value.h"
#include "ns3/map-scheduler.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3
{
namespace tests
{

/// Base of the test cases that run fabrics: picoseconds, and a clean simulator.
class FabricTestCase : public TestCase
{
  public:
    /// @param name of the case
    explicit FabricTestCase(const std::string& name)
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
        SetScheduler(MapScheduler::GetTypeId());
    }

    /// @param type of the event scheduler of the next simulation
    static void SetScheduler(TypeId type)
    {
        GlobalValue::Bind("SchedulerType", TypeIdValue(type));
    }
};

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_FABRIC_TEST_CASE_H
