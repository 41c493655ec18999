// SPDX-License-Identifier: GPL-2.0-only

// The same seed gives the same bytes: twice in a row, with either event scheduler, with
// FabricSimulatorImpl, and, by way of
// the digests below, in every build, in debug and release, stand-alone and in ns-3's tree. ctest
// runs this suite under several settings of the allocator as well: no address may decide anything
// (pitfall 4).
//
// When a digest changes because the model has changed, say so in the commit; --verbose prints the
// new ones.

#include "fabric-ports.h"
#include "fabric-test-case.h"
#include "property-test-suite.h"
#include "random-fabric.h"

#include "ns3/double.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/fault-loss.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wheel-scheduler.h"

#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::tests;

namespace
{

/// FNV-1a, 64 bits.
class Digest
{
  public:
    /// @param text to be added
    void Add(const std::string& text)
    {
        for (const char c : text)
        {
            m_value = (m_value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        }
    }

    /// @param number to be added
    void Add(uint64_t number)
    {
        Add(std::to_string(number) + ",");
    }

    /// @return the digest
    uint64_t Get() const
    {
        return m_value;
    }

  private:
    uint64_t m_value{0xcbf29ce484222325};
};

/// A run, with its flows.
using Scene = std::unique_ptr<FabricRun>;

/// @param fabric what runs @return its run, whose random streams are those of the scene
Scene
RunOf(const Fabric& fabric)
{
    RunOptions options;
    options.sample = MicroSeconds(5);
    options.order = RunOptions::EventOrder::NS3;
    options.stopWhenDone = false;
    options.firstStream = -1;
    return std::make_unique<FabricRun>(fabric, options);
}

/// @param congestion a congestion control @return a workload with an incast on top
Scene
MakeWorkload(const std::string& congestion)
{
    FabricHelper helper;
    helper.SetCongestionControl(congestion);
    helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("4MiB"));
    Scene scene = RunOf(helper.LeafSpine(3, 2, 4));
    scene->Rdma().Poisson("fb-hadoop", 0.5, MicroSeconds(100));
    scene->Rdma().Incast(8, 0, 50000, MicroSeconds(20));
    scene->Rdma().AssignStreams(1000 + scene->GetFabric().AssignStreams(1000));
    scene->Rdma().Permutation(20000, MicroSeconds(30)); // drawn at once
    return scene;
}

/// @return a workload with IRN in a fabric without PFC that is short of buffer, and loses by chance
Scene
MakeIrn()
{
    FabricHelper helper;
    helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn"));
    helper.SetLosslessClasses({});
    helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("300KB"));
    Scene scene = RunOf(helper.LeafSpine(3, 2, 4));
    scene->Rdma().Poisson("fb-hadoop", 0.5, MicroSeconds(100));
    scene->Rdma().Incast(8, 0, 50000, MicroSeconds(20));
    scene->Rdma().SetVerb(RdmaVerb::READ);
    scene->Rdma().Incast(8, 1, 50000, MicroSeconds(30));
    scene->Rdma().AssignStreams(1000 + scene->GetFabric().AssignStreams(1000));
    const Fabric& fabric = scene->GetFabric();
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        const auto loss = CreateObjectWithAttributes<RandomFrameLoss>("Rate", DoubleValue(0.002));
        loss->AssignStreams(1 + i);
        for (uint32_t port = 0; port < fabric.GetSwitch(i)->GetNPorts(); ++port)
        {
            fabric.GetSwitch(i)->GetPort(port)->AddReceiveLoss(loss);
        }
    }
    return scene;
}

/// @param index of a random fabric @return it
Scene
MakeRandom(uint32_t index)
{
    RandomFabric random(index);
    Scene scene = RunOf(random.Build());
    random.AddFlows(scene->Rdma());
    return scene;
}

/// A scene that can be run several times.
class SceneTest : public FabricTestCase
{
  protected:
    /// @param name of the test @param make makes the scene
    SceneTest(const std::string& name, std::function<Scene()> make)
        : FabricTestCase(name),
          m_make(std::move(make))
    {
    }

    /// @param name of the run @return digest of its files and of every frame sent
    uint64_t Run(const std::string& name)
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        Digest digest;
        Scene scene = m_make();
        TraceFrames(scene->GetFabric(), digest);
        const std::string folder = CreateTempDirFilename(name);
        scene->WriteTo(folder);
        scene->Execute();
        NS_TEST_EXPECT_MSG_GT(scene->Rdma().GetNCompleted(), 0, "it does something");
        for (const char* file :
             {"fct.csv", "pfc.csv", "pause.csv", "queue.csv", "throughput.csv", "summary.json"})
        {
            AddFile(folder + "/" + file, digest);
        }
        scene.reset();
        Simulator::Destroy();
        return digest.Get();
    }

    /// Every frame that leaves a port, with its time, goes into the digest.
    void TraceFrames(const Fabric& fabric, Digest& digest)
    {
        for (const FabricPort& each : PortsOf(fabric))
        {
            const uint64_t place = uint64_t{each.node.Value()} << 32 | each.port;
            each.device->TraceConnectWithoutContext(
                "FrameTx",
                Callback<void, const QbbNetDevice&, const Frame&>(
                    [&digest, place](const QbbNetDevice&, const Frame& frame) {
                        digest.Add(Simulator::Now().GetTimeStep());
                        digest.Add(place);
                        digest.Add(uint64_t{frame.bytes} << 32 | frame.destQp);
                        digest.Add(frame.psn);
                    }));
        }
    }

    /// Add the lines of a file, except for what the machine decides, and for the number of events:
    /// ns-3 adds events of its own, and not the same ones in all releases. Of summary.json the
    /// fields up to the seed count, which all versions have: others may be added.
    void AddFile(const std::string& path, Digest& digest)
    {
        std::ifstream file(path);
        NS_TEST_EXPECT_MSG_EQ(file.is_open(), true, path);
        for (std::string line; std::getline(file, line);)
        {
            const bool machine = line.find("\"wall_seconds\"") != std::string::npos ||
                                 line.find("\"cpu_seconds\"") != std::string::npos ||
                                 line.find("\"peak_rss_bytes\"") != std::string::npos ||
                                 line.find("\"events\"") != std::string::npos;
            if (line.find("  \"seed\"") == 0)
            {
                digest.Add(line.substr(0, line.find(',')) + "\n}\n");
                return;
            }
            if (!machine)
            {
                digest.Add(line + "\n");
            }
        }
    }

  private:
    std::function<Scene()> m_make;
};

/// One scene: twice, with either scheduler, and with FabricSimulatorImpl.
class SameBytesTest : public SceneTest
{
  public:
    /// @param name of the scene @param make makes it @param reference digest of all it puts out
    SameBytesTest(const std::string& name, std::function<Scene()> make, uint64_t reference)
        : SceneTest("Pitfall 4: the same bytes in every run and build, " + name, std::move(make)),
          m_reference(reference)
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t first = Run("first");
        // Other addresses for all that the next run allocates.
        std::vector<std::unique_ptr<char[]>> blocks;
        for (std::size_t bytes = 8; bytes < 100000; bytes += 24)
        {
            blocks.push_back(std::make_unique<char[]>(bytes));
            if (bytes % 3 == 0)
            {
                blocks[blocks.size() / 2].reset();
            }
        }
        NS_TEST_EXPECT_MSG_EQ(Run("again"), first, "a second run");
        SetScheduler(WheelScheduler::GetTypeId());
        NS_TEST_EXPECT_MSG_EQ(Run("wheel"), first, "with WheelScheduler");
        SetScheduler(MapScheduler::GetTypeId());
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        NS_TEST_EXPECT_MSG_EQ(Run("engine"), first, "with FabricSimulatorImpl");
        std::cout << GetName() << ": 0x" << std::hex << first << std::dec << "\n";
        NS_TEST_EXPECT_MSG_EQ(first, m_reference, "the digest of every other build");
    }

    uint64_t m_reference;
};

/// One scene: with ns-3's simulator and with FabricSimulatorImpl.
class SameBytesOfSimulatorsTest : public SceneTest
{
  public:
    /// @param index of a random fabric
    explicit SameBytesOfSimulatorsTest(uint32_t index)
        : SceneTest("the same bytes of two simulators, random fabric " + std::to_string(index),
                    [index] { return MakeRandom(index); })
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t expected = Run("default");
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        NS_TEST_EXPECT_MSG_EQ(Run("engine"), expected, "with FabricSimulatorImpl");
    }
};

class DeterminismTestSuite : public PropertyTestSuite
{
  public:
    DeterminismTestSuite()
        : PropertyTestSuite("lossless-determinism")
    {
        const auto random = [](uint32_t index) { return [index] { return MakeRandom(index); }; };
        const auto workload = [](const std::string& congestion) {
            return [congestion] { return MakeWorkload(congestion); };
        };
        AddTestCase(new SameBytesTest("workload", workload("ns3::RdmaDcqcn"), 0x42e05afb7a6dfea1));
        AddTestCase(new SameBytesTest("TIMELY", workload("ns3::RdmaTimely"), 0x42935d82315dcd2c));
        AddTestCase(new SameBytesTest("Swift", workload("ns3::RdmaSwift"), 0x8602f669e6246503));
        AddTestCase(new SameBytesTest("HPCC", workload("ns3::RdmaHpcc"), 0x4f4cfeedde878262));
        AddTestCase(new SameBytesTest("DCTCP", workload("ns3::RdmaDctcp"), 0x6260c9ee488423f3));
        AddTestCase(new SameBytesTest("PCN", workload("ns3::RdmaPcn"), 0x3c0de13bca7157b3));
        AddTestCase(new SameBytesTest("ICC", workload("ns3::RdmaIcc"), 0x0b079fcb6a73688b));
        AddTestCase(new SameBytesTest("IRN without PFC", MakeIrn, 0xf777d908e41f4068));
        AddTestCase(new SameBytesTest("random fabric 5", random(5), 0xa5f63d1491aed6cb));
        AddTestCase(new SameBytesTest("random fabric 61", random(61), 0x3da3c70dbb6138f2));
        constexpr uint32_t FABRICS = 50;
        AddCases(FABRICS,
                 [](uint32_t index) { return new SameBytesOfSimulatorsTest(1000 + index); });
    }
};

DeterminismTestSuite g_determinismTestSuite; //!< registers the suite

} // namespace
