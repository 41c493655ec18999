// SPDX-License-Identifier: GPL-2.0-only

// What a FabricRun, its traffic and its faults refuse, in one line that says what would be right.

#include "captured-errors.h"
#include "fabric-test-case.h"

#include "ns3/config-monitor.h"
#include "ns3/config.h"
#include "ns3/fabric-program.h"
#include "ns3/fabric-run.h"
#include "ns3/inet-socket-address.h"
#include "ns3/integer.h"
#include "ns3/pause-monitor.h"
#include "ns3/rdma-ping-mesh.h"
#include "ns3/storage-initiator.h"

#include <algorithm>
#include <filesystem>

using namespace ns3;

namespace
{

/// Workloads that cannot be.
class TrafficRefusalsTest : public FabricTestCase
{
  public:
    TrafficRefusalsTest()
        : FabricTestCase("Workloads and faults that cannot be are refused")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(4);
        const Fabric lonely = FabricHelper().Star(1);
        RdmaFlowHelper flows(fabric);
        RdmaFlowHelper alone(lonely);
        ExpectError([&] { flows.Incast(3, 0, 1000, Time(0), 0); },
                    "an incast that is repeated 0 times; it must be 1 time or more");
        ExpectError([&] { flows.Incast(3, 0, 1000, Time(0), 2); }, "interval");
        const std::string last = "after the last time that there is";
        ExpectError([&] { flows.Incast(3, 0, 1, Time(0), 3, Time::Max()); }, last);
        ExpectError([&] { alone.AllToAll(1000, Time(0)); },
                    "an all-to-all of one host; it needs two hosts or more");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNFlows(), 0, "nothing was added");
        ExpectError(
            [&] { flows.Add({0, 1, 1, NanoSeconds(-1)}); },
            "a flow starts 1 ns before the time now; its start, -1ns, is negative: it counts "
            "from the begin of the run, and must be 0 or more");
        Simulator::Schedule(MicroSeconds(5), [] {});
        Simulator::Run();
        FabricRun run(fabric);
        ExpectError([&] { run.Rdma().Incast(3, 0, 1, Time::Max()); }, last);
        ExpectError([&] { run.Faults().CutLink(2, Time::Max()); }, last);
        ExpectError([&] { FabricHelper().LeafSpine(2, 2, 0); },
                    "number of hosts per leaf is 0; it must be 1 or more");
    }
};

/// What can be, and is probably not meant.
class WarningsTest : public FabricTestCase
{
  public:
    WarningsTest()
        : FabricTestCase("What a run does not live to see is found, and what may lose frames")
    {
    }

  private:
    void DoRun() override
    {
        Late();
        Lossy();
        NotTaken();
    }

    /// @param stop of a run, 0: none @param add what it has besides a flow of 80 us and a little
    /// @return what the finding of rule late says; empty: there is none
    static std::string LateOf(Time stop, const std::function<void(FabricRun&)>& add)
    {
        Simulator::Destroy();
        RunOptions options;
        options.stop = stop;
        FabricRun run(FabricHelper().Star(4), options);
        run.Rdma().Add({0, 1, 1000000, Time(0)});
        add(run);
        run.Execute();
        for (const Finding& finding : run.GetFindings())
        {
            if (finding.rule == "late")
            {
                return finding.what.substr(0, finding.what.find(' '));
            }
        }
        return "";
    }

    /// Flows, workloads and faults that the run does not live to see.
    void Late()
    {
        const auto flows = [](FabricRun& run) {
            run.Rdma().Add({0, 1, 1000, MicroSeconds(200)});
            run.Rdma().Poisson("websearch", 0.1, MicroSeconds(9), MicroSeconds(200));
        };
        const auto cut = [](FabricRun& run) { run.Faults().CutLink(2, MicroSeconds(200)); };
        const auto flap = [](FabricRun& run) {
            run.Faults().FlapLink(2, MicroSeconds(1), MicroSeconds(1), MicroSeconds(9), 30);
        };
        NS_TEST_EXPECT_MSG_EQ(LateOf(MicroSeconds(199), flows), "2", "beyond the stop");
        NS_TEST_EXPECT_MSG_EQ(LateOf(Time(0), flows), "", "the run waits for them");
        NS_TEST_EXPECT_MSG_EQ(LateOf(MicroSeconds(199), cut), "1", "beyond the stop");
        NS_TEST_EXPECT_MSG_EQ(LateOf(Time(0), cut), "1", "beyond the last flow");
        NS_TEST_EXPECT_MSG_EQ(LateOf(MicroSeconds(30), flap), "1", "the last of several");
        NS_TEST_EXPECT_MSG_EQ(LateOf(MilliSeconds(1), [](FabricRun&) {}), "", "nothing is late");
    }

    /// Flows of a class without PFC.
    void Lossy()
    {
        Simulator::Destroy();
        FabricHelper helper;
        const Fabric fabric = helper.Star(3);
        RdmaFlowHelper flows(fabric);
        RdmaFlow flow{0, 1, 1000, Time(0)};
        flows.Add(flow);
        NS_TEST_EXPECT_MSG_EQ(fabric.GetFindings().Get().size(), 0, "class 3 is lossless");
        flow.trafficClass = 2;
        flows.Add(flow);
        flows.Add(flow);
        flows.SetClass(5);
        flows.Poisson("websearch", 0.1, MicroSeconds(9));
        const auto& found = fabric.GetFindings().Get();
        NS_TEST_ASSERT_MSG_EQ(found.size(), 2, "each class once");
        NS_TEST_EXPECT_MSG_EQ(found[0].rule + " " + std::to_string(*found[0].cls), "lossy 2", "");
        NS_TEST_EXPECT_MSG_EQ(found[1].rule + " " + std::to_string(*found[1].cls), "lossy 5", "");
        helper.SetLosslessClasses({});
        const Fabric lossy = helper.Star(3);
        RdmaFlowHelper meant(lossy);
        meant.Add(flow);
        NS_TEST_EXPECT_MSG_EQ(lossy.GetFindings().Get().size(), 0, "it is meant to be lossy");
    }

    /// Options of a program that makes its fabric without them.
    void NotTaken()
    {
        Simulator::Destroy();
        CapturedErrors errors;
        bool ran = false;
        FabricProgram program("Takes no options.");
        std::string name = "program";
        std::string option = "--ns3::SwitchMmu::Alpha=0.5";
        char* arguments[] = {name.data(), option.data(), nullptr};
        const int status = program.Run(2, arguments, [&] {
            FabricRun run(FabricHelper().Star(2));
            Simulator::ScheduleNow([&] { ran = true; });
            run.Execute();
        });
        NS_TEST_EXPECT_MSG_EQ(status, 2, "refused");
        NS_TEST_EXPECT_MSG_EQ(ran, false, "before the run");
        NS_TEST_EXPECT_MSG_NE(errors.Take().find("must make its FabricHelper with GetOptions()"),
                              std::string::npos,
                              "says what would be right");
        Config::Reset();
    }
};

/// What comes too late.
class TooLateTest : public FabricTestCase
{
  public:
    TooLateTest()
        : FabricTestCase(
              "A run that has ended takes no more traffic, one that failed has no results")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(4);
        FabricRun run(fabric);
        run.Sockets();
        run.Faults();
        auto& server = run.Add<StorageInitiator>(1, StorageInitiator::Options{});
        auto& mesh = run.Add<RdmaPingMesh>();
        server.AddPath(2);
        run.Execute();
        const std::string text = " of a run that has ended; make another run";
        ExpectError([&] { run.Rdma().Add({0, 1, 1000, Time(0)}); }, "a flow" + text);
        ExpectError([&] { run.Sockets().AddTcp(SocketFlow::Plan()); }, "a flow" + text);
        ExpectError(
            [&] { run.Sockets().AddApplication(0, ObjectFactory("ns3::PacketSink"), Time(0)); },
            "an application" + text);
        ExpectError([&] { run.Faults().CutLink(2, MicroSeconds(1)); }, "a fault" + text);
        ExpectError([&] { server.Run(Time(0), Seconds(1)); }, "I/Os" + text);
        ExpectError([&] { mesh.Run(Time(0), Seconds(1)); }, "probes" + text);

        FabricRun failed(fabric);
        Simulator::Schedule(MicroSeconds(1), [] { throw FabricError("no luck"); });
        ExpectError([&] { failed.Execute(); }, "no luck");
        ExpectError([&] { failed.GetResults(); },
                    "a run that has failed has no results; make another run");
    }
};

/// A disk that is full.
class FullDiskTest : public FabricTestCase
{
  public:
    FullDiskTest()
        : FabricTestCase("A full disk ends a run when the first write fails")
    {
    }

  private:
    void DoRun() override
    {
        const std::filesystem::path folder = CreateTempDirFilename("full");
        std::filesystem::remove_all(folder); // of an earlier run of the test
        std::filesystem::create_directories(folder);
        std::filesystem::create_symlink("/dev/full", folder / "queue.csv");
        RunOptions options;
        options.sample = MicroSeconds(1);
        FabricRun run(FabricHelper().Star(9), options);
        run.Rdma().Incast(8, 0, 100000000, Time(0));
        run.WriteTo(folder);
        ExpectError([&] { run.Execute(); }, "queue.csv: cannot be written to its end");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MilliSeconds(2), "long before its end");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder / "fct.csv"), false, "no half result");
    }
};

/// A disk that is too full for a capture.
class FullCaptureTest : public FabricTestCase
{
  public:
    FullCaptureTest()
        : FabricTestCase("A capture that a full disk cuts short is an error")
    {
    }

  private:
    /// @return a fabric that captures what host 0 sends and receives
    Fabric Make()
    {
        Simulator::Destroy();
        const Fabric fabric = FabricHelper().Star(2);
        fabric.EnablePcap((m_folder / "capture").string(), {0, 1});
        return fabric;
    }

    /// @param bytes of a flow: more or less than a file keeps in memory
    void InRun(uint64_t bytes)
    {
        CapturedErrors errors;
        {
            FabricRun run(Make());
            run.Rdma().Add({0, 1, bytes, Time(0)});
            run.WriteTo(m_folder / "results");
            ExpectError([&] { run.Execute(); },
                        "capture-1-0.pcap: cannot be written to its end; is the disk full?");
        }
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(errors.Take(), "", "once is enough");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(m_folder / "results" / "fct.csv"),
                              false,
                              "half of a run is no result");
    }

    void DoRun() override
    {
        m_folder = CreateTempDirFilename("capture");
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
        std::filesystem::create_symlink("/dev/full", m_folder / "capture-1-0.pcap");
        InRun(100);
        InRun(1000000);
        CapturedErrors errors;
        {
            RdmaFlowHelper flows(Make());
            flows.Add({0, 1, 100, Time(0)});
            Simulator::Run();
        }
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_NE(errors.Take().find("capture-1-0.pcap is cut short"),
                              std::string::npos,
                              "a program without a run is told");
    }

    std::filesystem::path m_folder;
};

class RunRefusalsTestSuite : public TestSuite
{
  public:
    RunRefusalsTestSuite()
        : TestSuite("lossless-run-refusals", Type::SYSTEM)
    {
        AddTestCase(new TrafficRefusalsTest);
        AddTestCase(new WarningsTest);
        AddTestCase(new TooLateTest);
        AddTestCase(new FullDiskTest);
        AddTestCase(new FullCaptureTest);
    }
};

RunRefusalsTestSuite g_runRefusalsTestSuite; //!< registers itself

} // namespace
