// SPDX-License-Identifier: GPL-2.0-only

// A second FabricRun of a built fabric: what it counts, what the run before has left, and when the
// times that it is given are.

#include "fabric-test-case.h"
#include "wire-digest.h"

#include "ns3/fabric-run.h"
#include "ns3/rdma-ping-mesh.h"
#include "ns3/storage-initiator.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

using namespace ns3;

namespace
{

/// @param source host @param destination host @param bytes of it @param start of it @return a flow
RdmaFlow
FlowOf(uint32_t source, uint32_t destination, uint64_t bytes, Time start = Time(0))
{
    return {source, destination, bytes, start};
}

/// @param source host @param destination host @param bytes of it @return a TCP flow
SocketFlow::Plan
TcpOf(uint32_t source, uint32_t destination, uint64_t bytes)
{
    SocketFlow::Plan plan;
    plan.source = source;
    plan.destination = destination;
    plan.bytes = bytes;
    return plan;
}

/// Counters and peaks.
class PeaksTest : public FabricTestCase
{
  public:
    PeaksTest()
        : FabricTestCase("Peaks, and why PFC fired, are those of the run")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("2MiB"));
        const Fabric fabric = helper.Star(9);
        FabricRun busy(fabric);
        busy.Rdma().Incast(8, 0, 2000000, Time(0));
        const RunResults first = busy.Execute();
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        NS_TEST_EXPECT_MSG_NE(first.Summary().find("Why PFC fired: "), std::string::npos, "first");
        NS_TEST_EXPECT_MSG_GT(mmu->GetHeadroomPeak(), 0, "the first needs headroom");
        FabricRun quiet(fabric);
        quiet.Rdma().Add(FlowOf(1, 2, 10000));
        const RunResults& second = quiet.Execute();
        NS_TEST_EXPECT_MSG_LT(second.totals.queuePeakBytes, 20000, "longest queue of the second");
        NS_TEST_EXPECT_MSG_GT(second.totals.queuePeakBytes, 0, "its frames were queued");
        const std::string summary = second.Summary();
        NS_TEST_EXPECT_MSG_NE(summary.find("Why PFC did not fire: 0 of 9 "),
                              std::string::npos,
                              summary);
        NS_TEST_EXPECT_MSG_EQ(summary.find("PFC fired"), std::string::npos, summary);
        NS_TEST_EXPECT_MSG_NE(summary.find("most headroom in use 0 KB"),
                              std::string::npos,
                              summary);
        NS_TEST_EXPECT_MSG_LT(mmu->GetSharedPeak() * mmu->GetCellSize().Bytes(), 20000, "buffer");
    }
};

/// What is posted when no run is there.
class PostedTest : public FabricTestCase
{
  public:
    PostedTest()
        : FabricTestCase("What is posted before a run is made is of that run")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(3);
        const auto end = fabric.Connect(HostId(1), HostId(0)).source;
        end->Post({RdmaVerb::WRITE, 1000000});
        {
            FabricRun first(fabric);
            NS_TEST_EXPECT_MSG_EQ(first.Execute().totals.rdma.dataPackets, 977, "first run");
        }
        end->Post({RdmaVerb::WRITE, 1000});
        FabricRun second(fabric);
        second.Rdma().Add(FlowOf(2, 0, 10000000));
        RunOptions options;
        options.stop = MicroSeconds(200);
        second.Choose(options);
        second.Execute();
        end->Post({RdmaVerb::WRITE, 1000});
        FabricRun third(fabric); // stops the flow of the second
        third.Execute();
        NS_TEST_EXPECT_MSG_EQ(third.GetResults().totals.rdma.dataPackets, 1, "third run");
    }
};

/// A pause that begins in one run and ends in the next.
class PauseTest : public FabricTestCase
{
  public:
    PauseTest()
        : FabricTestCase("A pause in force at the begin of a run is in its pause.csv from then on")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(3);
        RunOptions options;
        options.stop = MicroSeconds(50);
        FabricRun run(fabric, options);
        run.Execute();
        // Not of a run: what a run begins ends with it.
        fabric.GetDevice(fabric.GetTopology().GetHosts()[0], 0)->OverridePause(1U << 3, 0);
        options.stop = MicroSeconds(100);
        FabricRun middle(fabric, options);
        middle.Execute();
        const std::string folder = CreateTempDirFilename("pause");
        FabricRun paused(fabric, options);
        paused.WriteTo(folder);
        paused.Execute();
        std::ifstream file(folder + "/pause.csv");
        std::string line;
        std::getline(file, line);
        std::getline(file, line);
        NS_TEST_EXPECT_MSG_EQ(line, "150000,3,switch,0,3,100000", "from the begin of the run");
    }
};

/// What a run has not finished.
class StoppedTest : public FabricTestCase
{
  public:
    StoppedTest()
        : FabricTestCase("What a run has not finished is stopped when the next one begins")
    {
    }

  private:
    /// A run that its stop ends while all kinds of traffic and faults are under way and to come.
    /// @param fabric its fabric @return it
    static std::unique_ptr<FabricRun> Unfinished(const Fabric& fabric)
    {
        RunOptions options;
        options.stop = MicroSeconds(60);
        auto run = std::make_unique<FabricRun>(fabric, options);
        run->Rdma().Add(FlowOf(1, 0, 50000000));
        run->Rdma().Add(FlowOf(2, 3, 50000000));
        run->Rdma().Add(FlowOf(2, 3, 1000000, MicroSeconds(150)));
        run->Rdma().Poisson("websearch", 0.3, MilliSeconds(5), MicroSeconds(40));
        run->Sockets().AddTcp(TcpOf(2, 3, 50000000));
        SocketFlow::Plan later = TcpOf(2, 3, 0);
        later.start = MicroSeconds(90);
        run->Sockets().AddUdp(later, DataRate("10Gbps"));
        later.start = MicroSeconds(10);
        run->Sockets().AddUdp(later, DataRate("10Gbps"));
        ObjectFactory sender("ns3::OnOffApplication");
        sender.Set("Remote", AddressValue(InetSocketAddress(fabric.GetAddress(3), 9)));
        run->Sockets().AddApplication(0, sender, MicroSeconds(20));
        auto& server = run->Add<StorageInitiator>(1, StorageInitiator::Options{});
        server.AddPath(2);
        server.Run(Time(0), MilliSeconds(5));
        auto& mesh = run->Add<RdmaPingMesh>();
        mesh.SetInterval(MicroSeconds(5));
        mesh.Run(Time(0), MilliSeconds(5));
        run->Faults().CutLink(4, MicroSeconds(20));
        run->Faults().CutLink(2, MicroSeconds(70), MicroSeconds(500));
        run->Faults().GetConvergence().SetUniform(MicroSeconds(45));
        run->Execute();
        return run;
    }

    void DoRun() override
    {
        Time alone;
        RunTotals of;
        {
            FabricRun run(FabricHelper().Star(6));
            run.Rdma().Add(FlowOf(2, 3, 1000000));
            run.Rdma().OnEnd([&](const RdmaFlowResult& result) { alone = result.fct; });
            of = run.Execute().totals;
            Simulator::Destroy();
        }
        for (const bool alive : {true, false})
        {
            const Fabric fabric = FabricHelper().Star(6);
            std::unique_ptr<FabricRun> first = Unfinished(fabric);
            NS_TEST_EXPECT_MSG_EQ(fabric.IsLinkUp(4), false, "as the first run has left it");
            const uint64_t probes = first->GetTraffic().GetSources().back()->GetCounts().completed;
            NS_TEST_EXPECT_MSG_GT(probes, 100, "the mesh was under way");
            first = alive ? std::move(first) : nullptr;
            const std::string folder = CreateTempDirFilename(alive ? "alive" : "gone");
            FabricRun second(fabric);
            NS_TEST_EXPECT_MSG_EQ(fabric.IsLinkUp(4), true, "faults end with their run");
            second.WriteTo(folder);
            second.Rdma().Add(FlowOf(2, 3, 1000000, MicroSeconds(1000)));
            Time again;
            second.Rdma().OnEnd([&](const RdmaFlowResult& result) { again = result.fct; });
            const RunResults& results = second.Execute();
            NS_TEST_EXPECT_MSG_EQ(again, alone, "as alone in the fabric");
            NS_TEST_EXPECT_MSG_EQ(results.why, "done", "its own flow is awaited");
            NS_TEST_EXPECT_MSG_EQ(results.totals.rdma.dataPackets, of.rdma.dataPackets, "sent");
            NS_TEST_EXPECT_MSG_EQ(results.totals.flowsTotal, 1, "flows of the second");
            NS_TEST_EXPECT_MSG_EQ(results.unfinished.size(), 0, "nothing of the first");
            std::ifstream fct(folder + "/fct.csv");
            NS_TEST_EXPECT_MSG_EQ(std::count(std::istreambuf_iterator<char>(fct), {}, '\n'),
                                  2,
                                  "head and one flow");
            const std::string summary = results.Summary();
            NS_TEST_EXPECT_MSG_NE(summary.find(" of the run before had not ended, and "),
                                  std::string::npos,
                                  summary);
            if (alive)
            {
                NS_TEST_EXPECT_MSG_NE(first->GetResults().Summary().find("Not completed: "),
                                      std::string::npos,
                                      "the first still says what it has not finished");
            }
            FabricRun third(fabric);
            third.Rdma().Add(FlowOf(2, 3, 1000));
            NS_TEST_EXPECT_MSG_EQ(third.Execute().Summary().find("the run before"),
                                  std::string::npos,
                                  "the second has left nothing");
            first.reset();
            Simulator::Destroy();
        }
    }
};

/// Times count from the begin of the run, of all its parts.
class TimesTest : public FabricTestCase
{
  public:
    TimesTest()
        : FabricTestCase("Storage and probes count their times from the begin of the run, too")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(4);
        for (uint32_t i = 0; i < 2; ++i)
        {
            FabricRun run(fabric);
            const Time begin = run.GetBegin();
            NS_TEST_EXPECT_MSG_EQ(begin.IsZero(), (i == 0), "the second one begins later");
            auto& server = run.Add<StorageInitiator>(1, StorageInitiator::Options{});
            server.AddPath(2);
            server.Run(MicroSeconds(10), MicroSeconds(50));
            auto& mesh = run.Add<RdmaPingMesh>();
            mesh.Run(MicroSeconds(20), MicroSeconds(100));
            Time first = Time::Max();
            mesh.OnProbe(
                [&](const RdmaPingMesh::Outcome& probe) { first = std::min(first, probe.posted); });
            const RunResults& results = run.Execute();
            NS_TEST_EXPECT_MSG_EQ(server.GetFailovers().at(0).when,
                                  begin + MicroSeconds(10),
                                  "storage");
            NS_TEST_EXPECT_MSG_EQ(first, begin + MicroSeconds(20), "probes");
            NS_TEST_EXPECT_MSG_GT(results.finish, begin + MicroSeconds(50), "the end");
            NS_TEST_EXPECT_MSG_LT(results.finish, begin + MicroSeconds(250), "the end");
        }
    }
};

/// The IP stack.
class TcpTest : public FabricTestCase
{
  public:
    TcpTest()
        : FabricTestCase("TCP that a second run asks for first carries as much as in a first run")
    {
    }

  private:
    /// @param fabric its fabric @return throughput of a TCP flow, bit/s
    static double Throughput(const Fabric& fabric)
    {
        FabricRun run(fabric);
        const auto flow = run.Sockets().AddTcp(TcpOf(0, 1, 5000000));
        run.Execute();
        return flow->GetState() == SocketFlow::COMPLETED ? flow->GetThroughput() : 0;
    }

    void DoRun() override
    {
        const Fabric fresh = FabricHelper().Star(2);
        const double once = Throughput(fresh);
        NS_TEST_EXPECT_MSG_EQ_TOL(Throughput(fresh), once, once / 100, "ports are free again");
        Simulator::Destroy();
        const Fabric fabric = FabricHelper().Star(2);
        FabricRun run(fabric);
        run.Rdma().Add(FlowOf(0, 1, 1000));
        run.Execute();
        NS_TEST_EXPECT_MSG_GT(once, 1e9, "of a first run");
        NS_TEST_EXPECT_MSG_EQ_TOL(Throughput(fabric), once, once / 100, "of a second run");
    }
};

/// Options of a run that change what it does.
class ChosenTest : public FabricTestCase
{
  public:
    ChosenTest()
        : FabricTestCase("Streams and the end of a run are those that were chosen")
    {
    }

  private:
    /// @param options of a run @param end is set to when it ended @return what the ports sent
    static uint64_t Digest(const RunOptions& options, Time& end)
    {
        const Fabric fabric = FabricHelper().Star(9);
        const tests::WireDigest digest(fabric);
        FabricRun run(fabric, options);
        run.Rdma().Incast(8, 0, 200000, Time(0));
        run.Execute();
        end = Simulator::Now();
        const uint64_t sum = digest.Get();
        Simulator::Destroy();
        return sum;
    }

    void DoRun() override
    {
        RunOptions options;
        options.stop = MilliSeconds(5);
        Time end;
        const uint64_t first = Digest(options, end);
        NS_TEST_EXPECT_MSG_LT(end, options.stop, "done");
        NS_TEST_EXPECT_MSG_EQ(Digest(options, end), first, "the same again");
        options.firstStream = 5000;
        NS_TEST_EXPECT_MSG_NE(Digest(options, end), first, "other marks");
        options.stopWhenDone = false;
        Digest(options, end);
        NS_TEST_EXPECT_MSG_EQ(end, options.stop, "at its stop");
    }
};

class SecondRunTestSuite : public TestSuite
{
  public:
    SecondRunTestSuite()
        : TestSuite("lossless-second-run", Type::SYSTEM)
    {
        AddTestCase(new PeaksTest);
        AddTestCase(new PostedTest);
        AddTestCase(new PauseTest);
        AddTestCase(new ChosenTest);
        AddTestCase(new StoppedTest);
        AddTestCase(new TimesTest);
        AddTestCase(new TcpTest);
    }
};

SecondRunTestSuite g_secondRunTestSuite; //!< registers itself

} // namespace
