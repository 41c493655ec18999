// SPDX-License-Identifier: GPL-2.0-only

// What a FabricRun, its traffic and its faults refuse, in one line that says what would be right.

#include "captured-errors.h"
#include "fabric-test-case.h"

#include "ns3/boolean.h"
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

/// Options that cannot be.
class OptionRefusalsTest : public FabricTestCase
{
  public:
    OptionRefusalsTest()
        : FabricTestCase("Options of a run that cannot be are refused")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(3);
        const auto refused = [&](const std::string& text, auto change) {
            RunOptions options;
            change(options);
            ExpectError([&] { FabricRun run(fabric, options); }, text);
        };
        refused("patience is -1000 ns; it must be above 0, or 0 for none",
                [](RunOptions& options) { options.patience = Time(0) - MicroSeconds(1); });
        refused("is before its begin; stop must be above 0, or 0 for none",
                [](RunOptions& options) { options.stop = Time(0) - MicroSeconds(1); });
        refused("sample interval is 0", [](RunOptions& options) { options.sample = Time(0); });
        refused("no file \"pause\"; choose of fct, pfc (which has pause.csv), queue, throughput",
                [](RunOptions& options) { options.files = {"fct", "pause"}; });
        RunOptions options;
        options.files = {"fct"};
        {
            FabricRun run(fabric, options);
            ExpectError([&] { run.Execute(); },
                        "files are chosen, and there is no folder for them; choose a folder, "
                        "or no files");
        }
        FabricRun run(fabric, options);
        run.WriteTo(CreateTempDirFilename("files"));
        run.Execute();
        options = RunOptions();
        options.stop = Time::Max();
        Simulator::Schedule(MicroSeconds(1), [] {});
        Simulator::Run();
        ExpectError([&] { FabricRun late(fabric, options); },
                    "after the last time that there is; shorten stop");
    }
};

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
        const std::string interval = "one after the other; the interval must be above 0";
        ExpectError([&] { flows.Incast(3, 0, 1000, Time(0), 2); }, interval);
        ExpectError([&] { flows.Incast(3, 0, 1, Time(0), 2, MicroSeconds(-1)); }, interval);
        ExpectError([&] { flows.Incast(3, 0, 1, Time(0), 1, MicroSeconds(-1)); }, interval);
        const std::string last = "after the last time that there is";
        ExpectError([&] { flows.Incast(3, 0, 1, Time(0), 3, Time::Max()); }, last);
        ExpectError([&] { flows.Incast(3, 0, 1, Time::Max(), 2, MicroSeconds(1)); }, last);
        ExpectError([&] { alone.AllToAll(1000, Time(0)); },
                    "an all-to-all of one host; it needs two hosts or more");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNFlows(), 0, "nothing was added");
        ExpectError(
            [&] { flows.Add({0, 1, 1, NanoSeconds(-1)}); },
            "a flow starts 1 ns before the time now; its start, -1ns, is negative: it counts "
            "from the begin of the run, and must be 0 or more");
        ExpectError([&] { flows.Add({0, 1, 1, Time::Min()}); }, "before the time now");
        FaultHelper faults(fabric);
        ExpectError([&] { faults.CutLink(2, MicroSeconds(-1)); },
                    "at -1 us, before the time now; its begin, -1us, is negative: it counts from ");
        Simulator::Schedule(MicroSeconds(5), [] {});
        Simulator::Run();
        FabricRun run(fabric);
        ExpectError([&] { run.Rdma().Incast(3, 0, 1, Time::Max()); }, last);
        ExpectError([&] { run.Faults().CutLink(2, Time::Max()); }, last);
        ExpectError([&] { FabricHelper().LeafSpine(2, 2, 0); },
                    "number of hosts per leaf is 0; it must be 1 or more");
    }
};

/// What can be, has no effect or is probably not meant, and is named on one line.
class WarningsTest : public FabricTestCase
{
  public:
    WarningsTest()
        : FabricTestCase("Options and flows without effect are named before the run")
    {
    }

  private:
    /// @param text in the only line that was written; empty: there is none @param change of the
    /// options @param add traffic
    template <typename Change, typename Add>
    void Expect(const std::string& text, Change change, Add add)
    {
        Simulator::Destroy();
        CapturedErrors errors;
        RunOptions options;
        change(options);
        FabricRun run(FabricHelper().Star(4), options);
        add(run.Rdma());
        const bool byFlows = !errors.Take().empty();
        add(run.Rdma()); // once is enough
        run.Execute();
        const std::string said = errors.Take();
        NS_TEST_EXPECT_MSG_EQ(byFlows, false, "only what is of flows is said at once");
        if (text.empty())
        {
            NS_TEST_EXPECT_MSG_EQ(said, "", "nothing is odd");
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(said, "lossless: warning: " + text + "\n", "the warning");
    }

    void DoRun() override
    {
        const auto none = [](RunOptions&) {};
        const auto flow = [](RdmaFlowHelper& flows) { flows.Add({0, 1, 1000, MicroSeconds(5)}); };
        Expect("", none, flow);
        Expect(
            "the sample interval has no effect: nothing is sampled; write queue.csv or "
            "throughput.csv to a folder",
            [](RunOptions& options) { options.sampleIsAsked = true; },
            flow);
        Expect(
            "the interval of watermarks has no effect: nobody takes watermarks.csv; choose a "
            "folder, or keep the table watermarks",
            [](RunOptions& options) { options.watermarks = MicroSeconds(5); },
            flow);
        Expect(
            "not to stop when stuck has no effect: nobody looks whether the run is stuck; "
            "it is for runs with faults",
            [](RunOptions& options) { options.stopWhenStuck = false; },
            flow);
        Expect(
            "patience has no effect: the run does not stop when it is stuck; leave one of them "
            "out",
            [](RunOptions& options) {
                options.stopWhenStuck = false;
                options.patience = MilliSeconds(1);
            },
            flow);
        Expect(
            "2 flows and workloads send nothing, as they start when the run has ended, at 0.005 ms "
            "or "
            "later; start earlier, or let the run stop later",
            [](RunOptions& options) { options.stop = MicroSeconds(5); },
            flow);
        Expect("", [](RunOptions& options) { options.stop = MicroSeconds(6); }, flow);
        Expect(
            "2 flows and workloads send nothing, as they start when the run has ended, at 0.005 ms "
            "or "
            "later; start earlier, or let the run stop later",
            [](RunOptions& options) { options.stop = MicroSeconds(5); },
            [](RdmaFlowHelper& flows) {
                flows.Poisson("websearch", 0.1, MicroSeconds(9), MicroSeconds(7));
            });
        NoFlow();
        Faults();
        Late();
        Lossy();
        NotTaken();
    }

    /// A workload so short that it starts nothing.
    void NoFlow()
    {
        Simulator::Destroy();
        FabricRun run(FabricHelper().Star(3));
        run.Rdma().Poisson("websearch", 0.1, NanoSeconds(1));
        CapturedErrors errors;
        run.Execute();
        const std::string said = errors.Take();
        NS_TEST_EXPECT_MSG_EQ(said,
                              "lossless: warning: a workload starts no flow: 2.19e-06 were to be "
                              "expected; raise its load or its duration\n",
                              "it is named");
    }

    /// Faults that the run does not live to see.
    void Faults()
    {
        const auto said = [](Time stop, const std::function<void(FaultHelper&)>& add) {
            Simulator::Destroy();
            RunOptions options;
            options.stop = stop;
            FabricRun run(FabricHelper().Star(3), options);
            run.Rdma().Add({0, 1, 1000000, Time(0)}); // of 80 us and a little
            add(run.Faults());
            CapturedErrors errors;
            run.Execute();
            return errors.Take();
        };
        const Time late = MicroSeconds(200);
        const auto cut = [late](FaultHelper& faults) { faults.CutLink(2, late, late); };
        const auto flap = [](FaultHelper& faults) {
            faults.FlapLink(2, MicroSeconds(1), MicroSeconds(1), MicroSeconds(9), 30);
        };
        NS_TEST_EXPECT_MSG_EQ(said(MicroSeconds(199), cut),
                              "lossless: warning: 1 fault does nothing, as it begins after the end "
                              "of the run, at 0.199 ms; "
                              "begin earlier, or let the run stop later\n",
                              "beyond the stop");
        NS_TEST_EXPECT_MSG_EQ(said(MicroSeconds(30), flap),
                              "lossless: warning: 1 fault does nothing, as it begins after the end "
                              "of the run, at 0.03 ms; "
                              "begin earlier, or let the run stop later\n",
                              "the last of several");
        for (const auto& add : {std::function<void(FaultHelper&)>(cut), {flap}})
        {
            for (const Time& stop : {Time(0), MilliSeconds(1)})
            {
                NS_TEST_EXPECT_MSG_NE(
                    said(stop, add).find(
                        "1 of the faults had still to begin when the run ended, at 0.0"),
                    std::string::npos,
                    "beyond the last flow");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(
            said(Time(0),
                 [](FaultHelper& faults) { faults.CutLink(2, MicroSeconds(10), MilliSeconds(9)); }),
            "",
            "one that lasts has begun");
    }

    /// Parts that the run does not live to see, of the run and of none.
    void Late()
    {
        Simulator::Destroy();
        const Fabric fabric = FabricHelper().Star(4);
        PauseMonitor ofNobody(fabric);
        ofNobody.Run(MilliSeconds(6), MilliSeconds(7));
        PauseMonitor ofOther(FabricHelper().Star(2)); // a run of another fabric says nothing of it
        ofOther.Run(MilliSeconds(6), MilliSeconds(7));
        const std::string end = ", after the end of the run at 3 ms: it did nothing; begin "
                                "earlier, or let the run go on\n";
        {
            RunOptions options;
            options.stop = MilliSeconds(3);
            FabricRun run(fabric, options);
            run.Rdma().Add({0, 1, 1000, Time(0)});
            run.Add<RdmaPingMesh>().Run(MilliSeconds(5), MilliSeconds(8));
            run.Add<PauseMonitor>().Run(MilliSeconds(4), MilliSeconds(8));
            run.Add<ConfigMonitor>().CheckEvery(MilliSeconds(9), MilliSeconds(20));
            run.Add<PauseMonitor>().Run(MilliSeconds(1), MilliSeconds(8)); // it begins
            CapturedErrors errors;
            run.Execute();
            NS_TEST_EXPECT_MSG_EQ(errors.Take(),
                                  "lossless: warning: the pause monitor begins at 6 ms" + end +
                                      "lossless: warning: the ping mesh begins at 5 ms" + end +
                                      "lossless: warning: the pause monitor begins at 4 ms" + end +
                                      "lossless: warning: the first check of the configuration is "
                                      "at 9 ms" +
                                      end,
                                  "each in a line");
        }
        Simulator::Destroy();
        FabricRun run(FabricHelper().Star(4)); // ends with its flow
        run.Rdma().Add({0, 1, 1000, Time(0)});
        SocketFlow::Plan plan;
        plan.source = 0;
        plan.destination = 1;
        plan.start = MilliSeconds(5);
        run.Sockets().AddUdp(plan, DataRate("1Gbps"));
        ObjectFactory sink("ns3::PacketSink");
        sink.Set("Local", AddressValue(InetSocketAddress(Ipv4Address::GetAny(), 9)));
        run.Sockets().AddApplication(0, sink, MilliSeconds(2));
        CapturedErrors errors;
        run.Execute();
        const std::string said = errors.Take();
        NS_TEST_EXPECT_MSG_NE(
            said.find("1 of the TCP and UDP flows begin, the first at 5 ms, after "
                      "the end of the run at 0.00"),
            std::string::npos,
            said);
        NS_TEST_EXPECT_MSG_NE(said.find("1 of the applications begin, the first at 2 ms, after"),
                              std::string::npos,
                              said);
        NS_TEST_EXPECT_MSG_EQ(std::count(said.begin(), said.end(), '\n'),
                              2,
                              "the parts of the simulation before are forgotten");
    }

    /// Flows of a class without PFC.
    void Lossy()
    {
        Simulator::Destroy();
        CapturedErrors errors;
        FabricHelper helper;
        RdmaFlowHelper flows(helper.Star(3));
        RdmaFlow flow{0, 1, 1000, Time(0)};
        flows.Add(flow);
        NS_TEST_EXPECT_MSG_EQ(errors.Take(), "", "class 3 is lossless");
        flow.trafficClass = 2;
        flows.Add(flow);
        flows.Add(flow);
        NS_TEST_EXPECT_MSG_EQ(
            errors.Take(),
            "lossless: warning: flows of class 2 may lose frames, as PFC is on for "
            "class 3 only; choose such a class, or name theirs in the lossless "
            "classes\n",
            "once");
        flows.SetClass(5);
        flows.Poisson("websearch", 0.1, MicroSeconds(9));
        NS_TEST_EXPECT_MSG_NE(errors.Take().find("flows of class 5"), std::string::npos, "Poisson");
        helper.SetLosslessClasses({});
        RdmaFlowHelper meant(helper.Star(3));
        meant.Add(flow);
        NS_TEST_EXPECT_MSG_EQ(errors.Take(), "", "a fabric without PFC is meant to be lossy");
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
        ExpectError([&] { run.Rdma().Incast(3, 0, 1000, Time(0)); }, "a flow" + text);
        ExpectError([&] { run.Rdma().Poisson("websearch", 0.5, MicroSeconds(9)); },
                    "a workload" + text);
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
        AddTestCase(new OptionRefusalsTest);
        AddTestCase(new TrafficRefusalsTest);
        AddTestCase(new WarningsTest);
        AddTestCase(new TooLateTest);
        AddTestCase(new FullDiskTest);
        AddTestCase(new FullCaptureTest);
    }
};

RunRefusalsTestSuite g_runRefusalsTestSuite; //!< registers itself

} // namespace
