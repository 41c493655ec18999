// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-scenario.h"

#include "ns3/fabric-helper.h"
#include "ns3/fabric-partitions.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace ns3;

namespace
{

/// @param count number of hosts @return a permutation without fixed points, always the same
std::vector<uint32_t>
Derangement(uint32_t count)
{
    std::vector<uint32_t> to(count);
    std::iota(to.begin(), to.end(), 0);
    std::mt19937 random(7); // its sequence is fixed by the C++ standard; std::shuffle's is not
    for (uint32_t i = count - 1; i > 0; --i)
    {
        std::swap(to[i], to[random() % i]); // Sattolo: one cycle, so no host writes to itself
    }
    return to;
}

/// Connect two hosts and post a WRITE.
void
Write(const Fabric& fabric, uint32_t from, uint32_t to, uint64_t bytes, BenchResult& result)
{
    auto ends = fabric.Connect(from, to);
    const Callback<void, const RdmaCompletion&> done([&result](const RdmaCompletion& completion) {
        FabricSimulatorImpl::Serially([&result, completion] {
            constexpr uint64_t ODD = 1000003;
            result.flowsCompleted += completion.status == RdmaStatus::SUCCESS;
            result.flowTimes = result.flowTimes * ODD + completion.completed.GetTimeStep();
        });
    });
    ends.source->SetCompletionCallback(done);
    ends.source->Post({RdmaVerb::WRITE, bytes});
    ++result.flows;
}

/// @return partitions of the simulator's nodes
uint32_t
CountPartitions()
{
    const auto simulator = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
    return simulator ? simulator->GetNPartitions() : 1;
}

/// Run, and read the counters of all ports and switches.
void
RunAndCount(const Fabric& fabric, BenchResult& result)
{
    const double start = CpuSeconds();
    const double startWall = WallSeconds();
    Simulator::Run();
    result.cpuSeconds = CpuSeconds() - start;
    result.wallSeconds = WallSeconds() - startWall;
    result.events = Simulator::GetEventCount();
    const auto simulator = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
    result.criticalEvents = simulator ? simulator->GetCriticalCount() : 0;
    result.simSeconds = Simulator::Now().GetSeconds();
    const FabricTopology& topology = fabric.GetTopology();
    for (const NodeId node : topology.Nodes())
    {
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            auto device = fabric.GetDevice(node, port);
            result.packetHops += device->GetCounters().rxFrames;
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                const auto& pfc = device->GetIssuer().Get(cls);
                result.pfcFrames += pfc.txXoff + pfc.txXon;
            }
        }
    }
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        auto fabricSwitch = fabric.GetSwitch(i);
        result.losslessDrops += fabricSwitch->GetLosslessDrops();
        for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
        {
            const auto& marks = fabricSwitch->GetCounters(port).ecnMarks;
            result.ecnMarks += std::accumulate(marks.begin(), marks.end(), uint64_t{0});
        }
    }
    Simulator::Destroy();
}

/// What the messages of a permutation are.
struct Messages
{
    uint64_t bytes;      //!< length of each
    uint32_t writes;     //!< of each host, each by a queue pair of its own
    uint32_t partitions; //!< of the nodes; 0: as DivideFabric() does
};

/// All hosts write. @param build makes the fabric @param messages of it @param result gets what it
/// took
template <typename Build>
void
RunPermutation(Build build, const Messages& messages, BenchResult& result)
{
    const double begin = CpuSeconds();
    const uint64_t heap = HeapBytes();
    const Fabric fabric = build();
    result.hosts = fabric.GetNHosts();
    result.bytesPerHost = (HeapBytes() - heap) / result.hosts;
    result.setupSeconds = CpuSeconds() - begin;
    DivideFabric(fabric, messages.partitions);
    result.partitions = CountPartitions();
    const auto to = Derangement(fabric.GetNHosts());
    const double beginWrites = CpuSeconds();
    const uint64_t heapBefore = HeapBytes();
    for (uint32_t host = 0; host < to.size(); ++host)
    {
        uint32_t target = host;
        for (uint32_t i = 0; i < messages.writes; ++i)
        {
            target = to[target]; // one cycle: as many different hosts as there are
            Write(fabric, host, target, messages.bytes, result);
        }
    }
    result.connectSeconds = CpuSeconds() - beginWrites;
    result.bytesPerQp = (HeapBytes() - heapBefore) / (2 * result.flows);
    RunAndCount(fabric, result);
}

} // namespace

BenchResult
RunFatTree(const FatTreeScenario& scenario)
{
    BenchResult result;
    result.scenario = scenario.name;
    UseEvents(scenario.scheduler);
    const auto build = [&scenario] {
        FabricHelper helper;
        helper.SetCongestionControl(scenario.congestionControl);
        return helper.FatTree(scenario.k);
    };
    RunPermutation(build, {scenario.bytes, scenario.writes, scenario.partitions}, result);
    return result;
}

BenchResult
RunPlanes(const PlanesScenario& scenario)
{
    BenchResult result;
    result.scenario = scenario.name;
    UseEvents(scenario.scheduler);
    const auto build = [&scenario] {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        return helper.MultiPlane(scenario.planes, scenario.leaves, scenario.spines, scenario.hosts);
    };
    RunPermutation(build, {scenario.bytes, 1, 0}, result);
    return result;
}

BenchResult
RunIncast(uint32_t senders, uint64_t bytes, const std::string& scheduler)
{
    BenchResult result;
    result.scenario = "incast-" + std::to_string(senders);
    UseEvents(scheduler);
    const double begin = CpuSeconds();
    const Fabric fabric = FabricHelper().Star(senders + 1);
    result.hosts = fabric.GetNHosts();
    result.setupSeconds = CpuSeconds() - begin;
    DivideFabric(fabric);
    result.partitions = CountPartitions();
    for (uint32_t host = 1; host <= senders; ++host)
    {
        Write(fabric, host, 0, bytes, result);
    }
    RunAndCount(fabric, result);
    return result;
}

BenchResult
MeasureIdleQueuePairs(uint32_t count)
{
    BenchResult result;
    result.scenario = "idle-queue-pairs";
    const Fabric fabric = FabricHelper().Star(2);
    result.hosts = 2;
    const double begin = CpuSeconds();
    const uint64_t heap = HeapBytes();
    for (uint32_t i = 0; i < count / 2; ++i)
    {
        fabric.Connect(0, 1);
    }
    result.bytesPerQp = (HeapBytes() - heap) / (count / 2 * 2);
    result.setupSeconds = CpuSeconds() - begin;
    Simulator::Destroy();
    return result;
}
