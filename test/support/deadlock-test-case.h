// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEADLOCK_TEST_CASE_H
#define LOSSLESS_DEADLOCK_TEST_CASE_H

#include "fabric-test-case.h"
#include "ring-fabric.h"

#include "ns3/deadlock-helper.h"

#include <string>
#include <vector>

namespace ns3
{
namespace tests
{

constexpr uint32_t SWITCHES = 4;
constexpr uint32_t HOSTS = 2; //!< of each switch

/// What the tests have in common: a helper, and a ring of four switches in which every host sends
/// two switches on.
class DeadlockTest : public FabricTestCase
{
  public:
    explicit DeadlockTest(const std::string& name)
        : FabricTestCase(name)
    {
    }

  protected:
    FabricHelper MakeHelper(const std::vector<uint32_t>& classes = {3})
    {
        FabricHelper helper;
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("3MiB"));
        helper.SetCongestionControl("none");
        helper.SetQueuePair("RetransmitTimeout", TimeValue(Time(0)));
        helper.SetLosslessClasses(classes);
        return helper;
    }

    /// @return a helper whose queue pairs send again what a drained deadlock has lost
    FabricHelper MakeRetryingHelper()
    {
        FabricHelper helper = MakeHelper();
        helper.SetQueuePair("RetransmitTimeout",
                            TimeValue(MicroSeconds(500)),
                            "RetryLimit",
                            UintegerValue(254),
                            "Window",
                            UintegerValue(1000000));
        return helper;
    }

    Fabric BuildRing(const FabricHelper& helper)
    {
        FabricLinkSpec link;
        link.rate = DataRate("40Gbps");
        const Fabric fabric = helper.FromTopology(MakeRing(SWITCHES, HOSTS, link, link));
        RouteRound(fabric, SWITCHES, HOSTS);
        return fabric;
    }

    /// Every host sends to a host two switches on.
    void FillRing(RdmaFlowHelper& flows, uint64_t bytes = 10000000)
    {
        for (uint32_t host = 0; host < SWITCHES * HOSTS; ++host)
        {
            AddFlow(flows, host, (host + 2 * HOSTS) % (SWITCHES * HOSTS), bytes);
        }
    }

    void AddFlow(RdmaFlowHelper& flows, uint32_t from, uint32_t to, uint64_t bytes)
    {
        flows.Add({from, to, bytes});
    }

    void RunUntil(Time end)
    {
        Simulator::Stop(end - Simulator::Now());
        Simulator::Run();
    }
};

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_DEADLOCK_TEST_CASE_H
