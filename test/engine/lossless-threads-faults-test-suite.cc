// SPDX-License-Identifier: GPL-2.0-only

// Random faults of all kinds, and probes, with several partitions and threads: the same run as with
// one.

#include "fabric-ports.h"
#include "fabric-test-case.h"
#include "property-test-suite.h"
#include "random-faults.h"

#include "ns3/enum.h"
#include "ns3/fabric-partitions.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/nstime.h"
#include "ns3/rdma-ping-mesh.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::tests;

namespace
{

constexpr uint32_t CASES = 60;

/// One random fabric with random faults, divided in several ways.
class ThreadsFaultsTest : public FabricTestCase
{
  public:
    explicit ThreadsFaultsTest(uint32_t index)
        : FabricTestCase("Divided faults " + std::to_string(index)),
          m_index(index)
    {
    }

  private:
    void DoRun() override
    {
        const std::string expected = RunOnce(1, 1);
        NS_TEST_EXPECT_MSG_GT(expected.size(), 200, "it ran");
        for (const auto& [partitions, threads] :
             std::vector<std::pair<uint32_t, uint32_t>>{{2, 2}, {100, 1}, {100, 3}})
        {
            NS_TEST_EXPECT_MSG_EQ((RunOnce(partitions, threads) == expected),
                                  true,
                                  m_text << ", in " << partitions << " partitions on " << threads
                                         << " threads");
        }
    }

    /// @param partitions of the fabric @param threads that run it @return all that happened
    std::string RunOnce(uint32_t partitions, uint32_t threads)
    {
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        RandomFaults random(m_index);
        const Fabric fabric = random.Build();
        const auto simulator = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
        simulator->SetAttribute("Order", EnumValue(FabricSimulatorImpl::CANONICAL));
        simulator->SetAttribute("Threads", UintegerValue(threads));
        RdmaFlowHelper flows(fabric);
        random.AddFlows(flows);
        FaultHelper faults(fabric);
        random.AddFaults(faults, fabric);
        m_text = "case " + std::to_string(m_index) + ": " + random.Describe();
        std::ostringstream said;
        flows.OnEnd([&](const RdmaFlowResult& result) {
            said << result.index << ' ' << ToString(result.status) << ' ' << result.fct << '\n';
        });
        faults.OnFault([&](const FaultHelper::Event& event) {
            said << event.time << ' ' << event.what << ' ' << event.where << ' ' << event.begins
                 << '\n';
        });
        RdmaPingMesh mesh(fabric);
        mesh.SetInterval(MicroSeconds(20));
        mesh.OnProbe([&](const RdmaPingMesh::Outcome& outcome) {
            said << outcome.source.Value() << ' ' << outcome.destination.Value() << ' '
                 << outcome.result << ' ' << outcome.posted << ' ' << outcome.ended << '\n';
        });
        mesh.Run(Time(0), MicroSeconds(200));
        flows.AssignStreams(1000 + fabric.AssignStreams(1000));
        DivideFabric(fabric, GetShortestDelay(fabric).IsZero() ? 1 : partitions);
        Simulator::Stop(MilliSeconds(5)); // some faults are for good
        Simulator::Run();
        for (const FabricPort& each : PortsOf(fabric))
        {
            const auto counters = each.device->GetCounters();
            said << counters.rxFrames << ' ' << counters.rxWireBytes;
            for (const uint64_t drops : counters.drops)
            {
                said << ' ' << drops;
            }
            said << '\n';
        }
        said << Simulator::GetEventCount() << '\n';
        return said.str();
    }

    uint32_t m_index;
    std::string m_text;
};

class ThreadsFaultsTestSuite : public PropertyTestSuite
{
  public:
    ThreadsFaultsTestSuite()
        : PropertyTestSuite("lossless-threads-faults")
    {
        AddCases(CASES, [](uint32_t index) { return new ThreadsFaultsTest(index); });
    }
};

ThreadsFaultsTestSuite g_threadsFaultsTestSuite; //!< registers the suite

} // namespace
