// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAULT_WATCH_H
#define LOSSLESS_FAULT_WATCH_H

#include "ns3/fabric.h"
#include "ns3/fault-helper.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/run-traffic.h"
#include "ns3/run-watch.h"
#include "ns3/simulator.h"

namespace ns3
{

/// All traffic of a test that has no FabricRun.
struct TestTraffic
{
    /// @param sources what there is
    template <typename... Sources>
    explicit TestTraffic(Sources&... sources)
    {
        (traffic.Add(sources), ...);
    }

    /// End the simulation with the last item that is awaited.
    void StopWhenDone()
    {
        traffic.OnDone([] { Simulator::Stop(); });
    }

    RunTraffic traffic; //!< all of it
};

/// The watch of a test with faults and without FabricRun.
class FaultWatch : private TestTraffic, public RunWatch
{
  public:
    /// @param fabric the fabric @param flows its flows @param faults its faults
    FaultWatch(const Fabric& fabric, RdmaFlowHelper& flows, FaultHelper& faults)
        : TestTraffic(flows),
          RunWatch(fabric, traffic)
    {
        Expect(faults);
    }
};

} // namespace ns3

#endif // LOSSLESS_FAULT_WATCH_H
