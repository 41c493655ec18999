// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_TEST_CASE_H
#define LOSSLESS_FABRIC_TEST_CASE_H

#include "fabric-state.h"
#include "refusal-of.h"

#include "ns3/default-simulator-impl.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric.h"
#include "ns3/global-value.h"
#include "ns3/map-scheduler.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

namespace ns3
{

/// A test of a whole fabric: a fresh simulator that counts picoseconds, before and after.
class FabricTestCase : public TestCase
{
  public:
    explicit FabricTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /// What FabricError a call throws. @return its message, empty if none
    template <typename F>
    static std::string ErrorOf(F call)
    {
        return tests::RefusalOf<FabricError>(call);
    }

    /// Expect that a part of the model refuses a call, in one line with a text in it.
    template <typename F>
    void ExpectRefusal(F call, const std::string& text)
    {
        const std::string message = tests::RefusalOf<std::logic_error>(call);
        NS_TEST_EXPECT_MSG_NE(message.find(text), std::string::npos, "says: " << message);
        NS_TEST_EXPECT_MSG_EQ(message.find('\n'), std::string::npos, "one line");
        NS_TEST_EXPECT_MSG_NE(message, "", "it is not refused");
    }

    /// Expect a FabricError with a text in its message.
    template <typename F>
    void ExpectError(F call, const std::string& text)
    {
        const std::string message = ErrorOf(call);
        NS_TEST_EXPECT_MSG_NE(message.find(text),
                              std::string::npos,
                              "says \"" << message << "\", not \"" << text << "\"");
    }

    /// Run until a time. @param when from the start
    static void RunUntil(Time when)
    {
        Simulator::Stop(when - Simulator::Now());
        Simulator::Run();
    }

    /// All buffers are empty, nobody is paused, nothing lossless was dropped.
    void ExpectClean(const Fabric& fabric)
    {
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            const auto fabricSwitch = fabric.GetSwitch(i);
            NS_TEST_EXPECT_MSG_EQ(fabricSwitch->GetMmu()->IsIdle(), true, "buffer of " << i);
            NS_TEST_EXPECT_MSG_EQ(fabricSwitch->GetMmu()->CheckInvariants(), "", "buffer of " << i);
            NS_TEST_EXPECT_MSG_EQ(fabricSwitch->GetLosslessDrops(), 0, "drops of " << i);
        }
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(host)->GetNQueuePairs(), 0, "host " << host);
        }
    }

    /// Books agree: invariants I1 to I5 of doc/switch.rst.
    void ExpectInvariants(const Fabric& fabric, const std::string& where)
    {
        NS_TEST_EXPECT_MSG_EQ(tests::FindDisagreement(fabric), "", where);
    }

    /// Nothing is booked, queued or paused any more, PFC is honoured, and no queue pair is left.
    void ExpectSettled(const Fabric& fabric, const std::string& where = "")
    {
        NS_TEST_EXPECT_MSG_EQ(tests::FindUnsettled(fabric), "", where);
    }

    /// @param type of the simulator of the next simulation of this case
    static void SetSimulator(TypeId type)
    {
        GlobalValue::Bind("SimulatorImplementationType", StringValue(type.GetName()));
    }

    /// @param type of the event scheduler of the next simulation of this case
    static void SetScheduler(TypeId type)
    {
        GlobalValue::Bind("SchedulerType", TypeIdValue(type));
    }

  private:
    void DoSetup() override
    {
        if (Time::GetResolution() != Time::PS)
        {
            Time::SetResolution(Time::PS);
        }
        Simulator::Destroy();
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
        SetScheduler(MapScheduler::GetTypeId());
        SetSimulator(DefaultSimulatorImpl::GetTypeId());
    }
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_TEST_CASE_H
