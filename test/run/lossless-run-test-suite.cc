// SPDX-License-Identifier: GPL-2.0-only

// FabricRun: how a run begins, what it waits for, and how it ends.

#include "deadlock-test-case.h"
#include "fabric-test-case.h"
#include "findings-of.h"
#include "run-scene.h"

#include "ns3/deadlock-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/result-file.h"
#include "ns3/storage-initiator.h"
#include "ns3/string.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <memory>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ns3;

namespace
{

using tests::ContentOf;
using tests::FlowOf;
using tests::TcpOf;

/// What a run waits for.
class AwaitedTest : public FabricTestCase
{
  public:
    AwaitedTest()
        : FabricTestCase("A run ends with the last RDMA flow, TCP flow and storage session")
    {
    }

  private:
    /// @param rdma bytes of an RDMA flow @param tcp bytes of a TCP flow @param storage end of a
    /// storage session @return when the run ended
    double End(uint64_t rdma, uint64_t tcp, Time storage)
    {
        Simulator::Destroy();
        const Fabric fabric = FabricHelper().Star(4);
        FabricRun run(fabric);
        run.Rdma().Add(FlowOf(rdma));
        run.Sockets().AddTcp(TcpOf(tcp));
        run.Sockets().AddTcp(TcpOf(0)); // for ever, and nobody waits for it
        auto& server = run.Add<StorageInitiator>(1, StorageInitiator::Options{});
        server.AddPath(2);
        server.Run(Time(0), storage);
        const RunResults& results = run.Execute();
        NS_TEST_EXPECT_MSG_EQ(results.why, "done", "its end");
        NS_TEST_EXPECT_MSG_EQ((results.end == RunResults::End::DONE), true, "its end");
        NS_TEST_EXPECT_MSG_EQ(run.Rdma().GetNCompleted(), 1, "RDMA");
        NS_TEST_EXPECT_MSG_EQ(run.Sockets().GetCounts().completed, 1, "TCP");
        NS_TEST_EXPECT_MSG_EQ(server.GetCounts().completed, 1, "storage");
        NS_TEST_EXPECT_MSG_EQ(results.unfinished.size(), 1, "what goes on for ever");
        NS_TEST_EXPECT_MSG_EQ(results.unfinished[0].source, "sockets", "which");
        return results.finish.GetSeconds();
    }

    void DoRun() override
    {
        // 10 MB take 0.8 ms at 100 Gb/s; each in turn is the last by far.
        const double rdma = End(10000000, 1000, MicroSeconds(10));
        NS_TEST_EXPECT_MSG_EQ((rdma > 0.8e-3 && rdma < 2e-3), true, "RDMA was last, " << rdma);
        const double tcp = End(1000, 5000000, MicroSeconds(10));
        NS_TEST_EXPECT_MSG_EQ((tcp > 0.4e-3 && tcp < 2e-3), true, "TCP was last, " << tcp);
        const double storage = End(1000, 1000, MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ((storage >= 1e-3 && storage < 1.1e-3), true, "storage " << storage);
    }
};

/// Times count from the begin; a built fabric runs again.
class SecondRunTest : public FabricTestCase
{
  public:
    SecondRunTest()
        : FabricTestCase("Times count from the begin of a run, also of a second one")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(4);
        fabric.InstallInternet(); // before the simulation begins
        Time alone;
        Time middle;
        RunTotals first;
        {
            FabricRun run(fabric);
            run.Rdma().Add(FlowOf(1000000, MicroSeconds(5)));
            run.Rdma().OnEnd([&](const RdmaFlowResult& result) { alone = result.fct; });
            first = run.Execute().totals;
            middle = run.GetResults().finish;
            NS_TEST_EXPECT_MSG_EQ(middle, MicroSeconds(5) + alone, "the first begins at 0");
            ExpectError([&] { run.Execute(); },
                        "a second execution of a run that was executed; make another run");
            ExpectError([&] { run.Faults(); }, "the first fault of a run that was executed");
        }
        RunOptions options;
        options.stop = MicroSeconds(400);
        FabricRun run(fabric, options);
        NS_TEST_EXPECT_MSG_EQ(run.GetBegin(), middle, "the second begins where the clock is");
        run.Rdma().Add(FlowOf(1000000, MicroSeconds(7)));
        run.Rdma().Add(FlowOf(1000000, MicroSeconds(500))); // after the stop
        run.Sockets().AddTcp(TcpOf(1000, MicroSeconds(9)));
        run.Faults().CutLink(3, MicroSeconds(300), MicroSeconds(2));
        Time again;
        Time start;
        run.Rdma().OnEnd([&](const RdmaFlowResult& result) {
            again = result.fct;
            start = result.flow.start;
        });
        const RunResults results = run.Execute();
        NS_TEST_EXPECT_MSG_EQ(start, middle + MicroSeconds(7), "of an RDMA flow");
        NS_TEST_EXPECT_MSG_EQ(again, alone, "the same flow takes as long");
        NS_TEST_EXPECT_MSG_EQ(run.Sockets().GetFlows()[0]->GetPlan().start,
                              middle + MicroSeconds(9),
                              "of a TCP flow");
        NS_TEST_EXPECT_MSG_EQ(run.Faults().GetLog().at(0).time,
                              middle + MicroSeconds(300),
                              "fault");
        NS_TEST_EXPECT_MSG_EQ(results.finish, middle + MicroSeconds(400), "of the stop");
        NS_TEST_EXPECT_MSG_EQ((results.end == RunResults::End::STOPPED), true, results.why);
        NS_TEST_EXPECT_MSG_NE(results.Summary().find("End: stopped at "),
                              std::string::npos,
                              "said");
        NS_TEST_EXPECT_MSG_EQ(results.unfinished.size(), 1, "what the stop was too early for");
        NS_TEST_EXPECT_MSG_EQ(results.totals.flowsTotal, 2, "flows of this run");
        NS_TEST_EXPECT_MSG_EQ(results.totals.rdma.dataPackets, first.rdma.dataPackets, "the same");
        NS_TEST_EXPECT_MSG_EQ(results.totals.simulated, MicroSeconds(400), "from its begin");
        NS_TEST_EXPECT_MSG_LT(results.totals.events, 2 * first.events, "of this run");
    }
};

/// One simulation, one run at a time.
class OneAtATimeTest : public FabricTestCase
{
  public:
    OneAtATimeTest()
        : FabricTestCase("Another run is refused while one has not ended; then it may be made")
    {
    }

  private:
    /// @param fabric a fabric @return fct of an incast in it
    std::vector<Time> Incast(const Fabric& fabric)
    {
        FabricRun run(fabric);
        run.Rdma().Incast(3, 0, 300000, MicroSeconds(1));
        std::vector<Time> fct;
        run.Rdma().OnEnd([&](const RdmaFlowResult& result) { fct.push_back(result.fct); });
        const RunResults& results = run.Execute();
        NS_TEST_EXPECT_MSG_EQ(results.totals.flowsCompleted, 3, "all completed");
        return fct;
    }

    void DoRun() override
    {
        const std::string refused = "of a fabric of 4 hosts and 1 switches, begun at 0 ms, has not "
                                    "ended; execute it first";
        const Fabric fabric = FabricHelper().Star(4);
        {
            FabricRun run(fabric);
            ExpectError([&] { FabricRun again(fabric); }, refused);
            run.Rdma().Add(FlowOf(1000));
            run.Rdma().OnEnd([&](const RdmaFlowResult&) {
                ExpectError([&] { FabricRun again(fabric); }, refused);
            });
            ExpectError([&] { run.GetResults(); }, "no results before its end");
            run.Execute();
            FabricRun another(fabric); // the first may still be there
            NS_TEST_EXPECT_MSG_EQ(run.GetResults().totals.flowsCompleted, 1, "and its results");
        }
        // The same in a process that has had a run, without Destroy(), and in a new simulation.
        const Fabric second = FabricHelper().Star(5);
        const std::vector<Time> after = Incast(second);
        Simulator::Destroy();
        const std::vector<Time> alone = Incast(FabricHelper().Star(5));
        NS_TEST_EXPECT_MSG_EQ((after == alone), true, "two fabrics, one after the other");
    }
};

/// Nothing of a run is usable without its simulation.
class DestroyedTest : public FabricTestCase
{
  public:
    DestroyedTest()
        : FabricTestCase("After Simulator::Destroy() all that is asked of a run is an error")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(4);
        FabricRun run(fabric);
        run.Rdma().Add(FlowOf(1000));
        Simulator::Destroy();
        const std::string text = "of a run after Simulator::Destroy(); make a fabric";
        ExpectError([&] { run.Rdma(); }, text);
        ExpectError([&] { run.Add<StorageInitiator>(0, StorageInitiator::Options{}); }, text);
        ExpectError([&] { run.Execute(); }, text);
        FabricRun another(FabricHelper().Star(4)); // it waits no more
    }
};

/// How a run may end, in the results, the summary and summary.json.
class EndTest : public tests::DeadlockTest
{
  public:
    EndTest()
        : DeadlockTest("How a run has ended is said")
    {
    }

  private:
    /// Execute, and expect an end. @param run it @param end in a word @param why a part of it
    void Expect(FabricRun& run, const std::string& end, const std::string& why)
    {
        const std::filesystem::path folder = CreateTempDirFilename(end);
        run.WriteTo(folder);
        const RunResults& results = run.Execute();
        NS_TEST_EXPECT_MSG_EQ((results.Summary().find("FCT slowdown") != std::string::npos),
                              (results.totals.flowsCompleted > 0),
                              "a table of nothing");
        NS_TEST_EXPECT_MSG_EQ(RunResults::NameOf(results.end), end, "its end");
        NS_TEST_EXPECT_MSG_NE(results.why.find(why), std::string::npos, results.why);
        NS_TEST_EXPECT_MSG_EQ((results.Summary().find("End: " + results.why) == std::string::npos),
                              (end == "done"),
                              results.Summary());
        NS_TEST_EXPECT_MSG_NE(ContentOf(folder / "summary.json").find("\"end\": \"" + end + '"'),
                              std::string::npos,
                              "summary.json");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        RunOptions options;
        {
            FabricRun run(FabricHelper().Star(4));
            run.Rdma().Add(FlowOf(1000));
            Expect(run, "done", "done");
        }
        {
            FabricRun run(FabricHelper().Star(4));
            run.Rdma().Add(FlowOf(1000000));
            Simulator::Schedule(MicroSeconds(3), [&] { run.EndNow("the test has seen enough"); });
            Expect(run, "ended-by-part", "the test has seen enough");
        }
        {
            FabricRun run(FabricHelper().Star(4));
            run.Rdma().Add(FlowOf(1000000));
            run.EndNow("not wanted");
            Expect(run, "ended-by-part", "not wanted");
        }
        {
            options.stop = MicroSeconds(10);
            FabricRun run(FabricHelper().Star(4), options);
            run.Rdma().Add(FlowOf(1000000));
            run.Rdma().Add(FlowOf(1000000, MicroSeconds(20)));
            Expect(run, "stopped", "stopped at 0.01 ms");
            options.stop = Time(0);
        }
        {
            options.patience = MilliSeconds(2);
            FabricRun run(FabricHelper().Star(4), options);
            run.Rdma().Add(FlowOf(10000000));
            run.Faults().StormHost(0, MicroSeconds(100));
            Expect(run, "stuck", "stuck: no progress since ");
        }
        {
            options.stopWhenStuck = false;
            options.stop = MilliSeconds(5);
            FabricRun run(FabricHelper().Star(4), options);
            run.Rdma().Add(FlowOf(10000000));
            run.Faults().StormHost(0, MicroSeconds(100));
            Expect(run, "stopped", "stopped at 5 ms");
            options.stopWhenStuck = true;
            options.stop = Time(0);
            options.patience.reset();
        }
        {
            options.stop = MilliSeconds(20);
            const Fabric fabric = BuildRing(MakeHelper());
            DeadlockHelper(fabric).InstallDetector("Action", StringValue("Stop"));
            FabricRun run(fabric, options);
            FillRing(run.Rdma());
            Expect(run, "deadlock", "in a deadlock");
        }
    }
};

/// What a signal leaves.
class InterruptTest : public FabricTestCase
{
  public:
    InterruptTest()
        : FabricTestCase("A signal ends a run with complete files; a second one the program")
    {
    }

  private:
    /// Among signals: time goes by until the next one ends the program.
    static constexpr int LATER = 0;

    /// A run that is still going on when signals come at 20 us. @param folder of its files
    /// @param signals which @return the run
    static std::unique_ptr<FabricRun> Make(const std::string& folder,
                                           const std::vector<int>& signals)
    {
        auto run = std::make_unique<FabricRun>(FabricHelper().Star(4));
        run->Rdma().Add(FlowOf(1000));
        run->Rdma().Add(FlowOf(1000000));
        run->WriteTo(folder);
        Simulator::Schedule(MicroSeconds(20), [signals] {
            for (const int signal : signals)
            {
                signal == LATER ? std::this_thread::sleep_for(std::chrono::milliseconds(1100))
                                : static_cast<void>(std::raise(signal));
            }
        });
        return run;
    }

    /// @param folder of files @return the first that is not complete, or empty
    static std::string FirstPart(const std::string& folder)
    {
        for (const auto& entry : std::filesystem::directory_iterator(folder))
        {
            if (entry.path().extension() == ".part")
            {
                return entry.path();
            }
        }
        return "";
    }

    void Once(int signal, const std::string& name)
    {
        const std::string folder = CreateTempDirFilename(name);
        const auto run = Make(folder, {signal});
        int got = 0;
        std::string summary;
        std::string what;
        try
        {
            run->Execute();
        }
        catch (const FabricInterrupt& interrupt)
        {
            got = interrupt.GetSignal();
            what = interrupt.what();
            summary = interrupt.GetSummary();
        }
        NS_TEST_EXPECT_MSG_EQ(got, signal, "which signal");
        NS_TEST_EXPECT_MSG_EQ(what, "interrupted by " + name + " at 0.02 ms", "when");
        const RunResults& results = run->GetResults();
        NS_TEST_EXPECT_MSG_EQ(results.Summary(), summary, "the summary");
        NS_TEST_EXPECT_MSG_NE(summary.find("1 of 2 flows completed"), std::string::npos, summary);
        NS_TEST_EXPECT_MSG_EQ(results.unfinished.size(), 1, "and what was under way");
        NS_TEST_EXPECT_MSG_EQ(results.finish, MicroSeconds(20), "at once");
        const std::string json = ContentOf(folder + "/summary.json");
        NS_TEST_EXPECT_MSG_NE(json.find("\"end\": \"interrupted\""), std::string::npos, json);
        NS_TEST_EXPECT_MSG_NE(json.find("\"interrupted_at_ns\": 20000"), std::string::npos, json);
        const std::string fct = ContentOf(folder + "/fct.csv");
        NS_TEST_EXPECT_MSG_EQ(std::count(fct.begin(), fct.end(), '\n'), 2, "head and one flow");
        NS_TEST_EXPECT_MSG_EQ(FirstPart(folder), "", "nothing incomplete");
        struct sigaction now = {};
        sigaction(signal, nullptr, &now);
        NS_TEST_EXPECT_MSG_EQ((now.sa_handler == SIG_DFL), true, "as it was before");
        Simulator::Destroy();
    }

    void Twice()
    {
        int status = StatusOf("twice", {SIGTERM, SIGINT, SIGTERM});
        NS_TEST_EXPECT_MSG_EQ((WIFEXITED(status) && WEXITSTATUS(status) == SIGTERM), true, status);
        NS_TEST_EXPECT_MSG_NE(ContentOf(CreateTempDirFilename("twice") + "/summary.json")
                                  .find("\"end\": \"interrupted\""),
                              std::string::npos,
                              "the files are written");
        status = StatusOf("late", {SIGTERM, LATER, SIGTERM});
        NS_TEST_EXPECT_MSG_EQ((WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM), true, status);
        NS_TEST_EXPECT_MSG_EQ(
            std::filesystem::exists(CreateTempDirFilename("late") + "/summary.json"),
            false,
            "at once");
    }

    /// @param name of a folder @param signals as of Make() @return status of a process that runs;
    /// it exits with the signal that has interrupted the run
    int StatusOf(const std::string& name, const std::vector<int>& signals)
    {
        const std::string folder = CreateTempDirFilename(name);
        std::filesystem::create_directories(folder);
        const pid_t child = fork();
        if (child == 0)
        {
            try
            {
                Make(folder, signals)->Execute();
            }
            catch (const FabricInterrupt& interrupt)
            {
                _exit(interrupt.GetSignal());
            }
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        NS_TEST_EXPECT_MSG_EQ(FirstPart(folder), "", "no parts are left");
        return status;
    }

    /// Signals that come while files get their names wait until all have theirs.
    void BetweenFiles()
    {
        sigset_t waiting;
        {
            const SignalPause pause;
            std::raise(SIGTERM);
            sigpending(&waiting);
            NS_TEST_EXPECT_MSG_EQ(sigismember(&waiting, SIGTERM), 1, "it waits");
            struct timespec none = {};
            sigset_t ours;
            sigemptyset(&ours);
            sigaddset(&ours, SIGTERM);
            sigtimedwait(&ours, nullptr, &none); // the test goes on without it
        }
        sigset_t blocked;
        pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
        NS_TEST_EXPECT_MSG_EQ(sigismember(&blocked, SIGTERM), 0, "as it was before");
    }

    void Told()
    {
        const auto run = Make(CreateTempDirFilename("told"), {});
        Simulator::Schedule(MicroSeconds(10), [] { FabricRun::Interrupt(SIGINT); });
        int got = 0;
        try
        {
            run->Execute();
        }
        catch (const FabricInterrupt& interrupt)
        {
            got = interrupt.GetSignal();
        }
        NS_TEST_EXPECT_MSG_EQ(got, SIGINT, "of a handler of someone else");
        NS_TEST_EXPECT_MSG_EQ(run->GetResults().finish, MicroSeconds(10), "at once");
        Simulator::Destroy();
    }

    /// A part of a run that raises a signal when the run asks it for something.
    class Raiser : public Report
    {
      public:
        /// When the signal comes.
        enum Moment
        {
            STREAMS, //!< before the simulation
            OPEN,    //!< when the files are opened
            CLOSE,   //!< when the simulation has ended
            TOTALS   //!< when summary.json is written
        };

        /// @param moment when @param signal which
        Raiser(const Fabric&, Moment moment, int signal)
            : m_moment(moment),
              m_signal(signal)
        {
        }

        std::string GetName() const override
        {
            return "raiser";
        }

        int64_t AssignStreams(int64_t) override
        {
            return Raise(STREAMS);
        }

        void Open(const std::vector<RowSink*>&) override
        {
            Raise(OPEN);
        }

        void Close(Time) override
        {
            Raise(CLOSE);
        }

        void AddTotals(RunTotals&) const override
        {
            Raise(TOTALS);
        }

      private:
        int64_t Raise(Moment moment) const
        {
            if (moment == m_moment && !m_raised)
            {
                m_raised = true;
                std::raise(m_signal);
            }
            return 0;
        }

        Moment m_moment;
        int m_signal;
        mutable bool m_raised{false};
    };

    /// @param moment of the signal @param signal which @param end how the run itself ends
    void At(Raiser::Moment moment, int signal, const std::string& end)
    {
        const std::string folder = CreateTempDirFilename("moment-" + std::to_string(moment));
        FabricRun run(FabricHelper().Star(4));
        run.Rdma().Add(FlowOf(1000000));
        run.Add<Raiser>(moment, signal);
        run.WriteTo(folder);
        int got = 0;
        try
        {
            run.Execute();
        }
        catch (const FabricInterrupt& interrupt)
        {
            got = interrupt.GetSignal();
            NS_TEST_EXPECT_MSG_NE(std::string(interrupt.what()).find("SIG"), std::string::npos, "");
        }
        NS_TEST_EXPECT_MSG_EQ(got, signal, "which signal, at moment " << moment);
        NS_TEST_EXPECT_MSG_EQ(RunResults::NameOf(run.GetResults().end), end, "the end");
        NS_TEST_EXPECT_MSG_EQ(FirstPart(folder), "", "nothing incomplete");
        NS_TEST_EXPECT_MSG_NE(ContentOf(folder + "/summary.json").find("\"end\": \"" + end + '"'),
                              std::string::npos,
                              "summary.json");
        Simulator::Destroy();
    }

    void Ignored()
    {
        const auto old = std::signal(SIGHUP, SIG_IGN); // as nohup does
        const auto run = Make(CreateTempDirFilename("ignored"), {SIGHUP});
        NS_TEST_EXPECT_MSG_EQ(run->Execute().why, "done", "nohup");
        std::signal(SIGHUP, old);
        Simulator::Destroy();
    }

    void DoRun() override
    {
        // The tests themselves may run below nohup, or in the background of a shell.
        std::vector<std::pair<int, sighandler_t>> inherited;
        for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        {
            inherited.emplace_back(signal, std::signal(signal, SIG_DFL));
        }
        Once(SIGINT, "SIGINT");
        Once(SIGTERM, "SIGTERM");
        Once(SIGHUP, "SIGHUP");
        Twice();
        BetweenFiles();
        Told();
        Ignored();
        At(Raiser::STREAMS, SIGTERM, "interrupted");
        At(Raiser::OPEN, SIGINT, "interrupted");
        At(Raiser::CLOSE, SIGTERM, "done");
        At(Raiser::TOTALS, SIGINT, "done");
        for (const auto& [signal, handler] : inherited)
        {
            std::signal(signal, handler);
        }
    }
};

/// Runs one after the other, all of them alive, with files; and one that fails.
class AliveTest : public FabricTestCase
{
  public:
    AliveTest()
        : FabricTestCase("A run that has ended, or failed, writes no more")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(3);
        std::vector<std::unique_ptr<FabricRun>> runs;
        for (uint32_t i = 0; i < 3; ++i)
        {
            const std::string folder = CreateTempDirFilename("alive-" + std::to_string(i));
            runs.push_back(std::make_unique<FabricRun>(fabric));
            runs.back()->Rdma().Incast(2, 0, 1000000, MicroSeconds(1));
            runs.back()->WriteTo(folder);
            runs.back()->Execute();
            const std::string flows = ContentOf(folder + "/fct.csv");
            NS_TEST_EXPECT_MSG_EQ(std::count(flows.begin(), flows.end(), '\n'), 3, "two flows");
        }
        const std::string folder = CreateTempDirFilename("failed");
        FabricRun run(fabric);
        run.Rdma().Incast(2, 0, 1000000, Time(0));
        run.WriteTo(folder);
        Simulator::Schedule(MicroSeconds(30), [] { throw FabricError("no luck"); });
        ExpectError([&] { run.Execute(); }, "no luck");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::is_empty(folder), true, "no file of a failed run");
        ExpectError([&] { run.GetResults(); }, "a run that has failed has no results");
        FabricRun refused(fabric);
        refused.Rdma().Incast(2, 0, 1000000, Time(0));
        refused.WriteTo(folder);
        refused.OnStop([] { throw FabricError("not as it should be"); });
        ExpectError([&] { refused.Execute(); }, "not as it should be");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::is_empty(folder), true, "nor of a refused one");
        FabricRun next(fabric); // while the flows of the failed run come to their end
        next.Rdma().Incast(2, 1, 5000000, Time(0));
        next.Execute();
        NS_TEST_EXPECT_MSG_EQ(next.GetTotals().flowsCompleted, 2, "the failed run ends no other");
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::is_empty(folder), true, "nor after Destroy()");
        ExpectError([&] { FabricRun another(fabric); },
                    "a run of a fabric after Simulator::Destroy()");
    }
};

/// A timeout is named where no frame was lost, and where it was set too short for the queues.
class TimeoutsTest : public FabricTestCase
{
  public:
    TimeoutsTest()
        : FabricTestCase("Timeouts of a run that has lost nothing are named")
    {
    }

  private:
    /// @param timeout of queue pairs @param loses whether a link loses frames
    /// @return what was found of timeouts
    static std::string Run(const std::string& timeout, bool loses = false)
    {
        Simulator::Destroy();
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetQueuePair("RetransmitTimeout", StringValue(timeout));
        const Fabric fabric = helper.Star(4);
        FabricRun run(fabric);
        if (loses)
        {
            run.Faults().CutLink(1, MicroSeconds(5), MicroSeconds(10));
        }
        run.Rdma().Incast(2, 0, 1000000, Time(0)); // of hosts 1 and 2
        RdmaFlow late{3, 0, 1000};
        late.start = MicroSeconds(30);
        run.Rdma().Add(late);
        run.Execute();
        return FindingsOf(run.GetFindings(), "timeout");
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Run("4ms"), "", "no timeout");
        NS_TEST_EXPECT_MSG_NE(Run("10us").find(" retransmission timeouts of queue pairs"),
                              std::string::npos,
                              "without a loss");
        NS_TEST_EXPECT_MSG_EQ(Run("10us", true), "", "a loss");
    }
};

/// What a user chooses.
class OptionsTest : public FabricTestCase
{
  public:
    OptionsTest()
        : FabricTestCase("Options of a run take effect or are refused")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(4);
        RunOptions options;
        options.stop = Time(0) - MicroSeconds(1);
        ExpectError([&] { FabricRun run(fabric, options); },
                    "us; it must be above 0, or 0 for none");
        options.stop = Time(0);
        options.seed = 0;
        ExpectError([&] { FabricRun run(fabric, options); },
                    "seed is 0; it must be a whole number, 1 to 429");
        options.seed = 4294944443;
        ExpectError([&] { FabricRun run(fabric, options); }, "seed is 4294944443");
        const uint32_t seedBefore = RngSeedManager::GetSeed();
        options.seed = 7;
        options.rngRun = 9;
        options.sample = Time(0);
        ExpectError([&] { FabricRun run(fabric, options); }, "sample is ");
        options.sample = MicroSeconds(1);
        options.files = {"queue"};
        options.outDir = CreateTempDirFilename("options");
        FabricRun run(fabric, options);
        NS_TEST_EXPECT_MSG_EQ(RngSeedManager::GetSeed(), 7, "seed");
        NS_TEST_EXPECT_MSG_EQ(RngSeedManager::GetRun(), 9, "run");
        run.Rdma().Incast(3, 0, 100000, Time(0));
        RunOptions wrong = run.GetOptions();
        wrong.seed = 0;
        ExpectError([&] { run.Choose(wrong); }, "seed is 0");
        NS_TEST_EXPECT_MSG_EQ(*run.GetOptions().seed, 7, "as before");
        wrong.seed = 8;
        wrong.files = {"queues"};
        ExpectError([&] { run.Choose(wrong); }, "no file \"queues\"");
        NS_TEST_EXPECT_MSG_EQ(RngSeedManager::GetSeed(), 7, "as before");
        wrong.files = {"queue"};
        wrong.outDir = "/dev/null/results";
        run.Choose(wrong);
        NS_TEST_EXPECT_MSG_EQ(RngSeedManager::GetSeed(), 8, "another seed");
        ExpectError([&] { run.Execute(); }, "/dev/null/results");
        NS_TEST_EXPECT_MSG_EQ(run.HasEnded(), false, "it waits still");
        wrong.seed.reset();
        run.Choose(wrong);
        NS_TEST_EXPECT_MSG_EQ(RngSeedManager::GetSeed(), seedBefore, "no choice leaves no trace");
        run.Choose(options);
        NS_TEST_EXPECT_MSG_EQ(run.Execute().totals.flowsCompleted, 3, "its flows are there");
        NS_TEST_EXPECT_MSG_EQ(run.HasEnded(), true, "it has run");
        ExpectError([&] { run.Choose(options); }, "a choice of options of a run that was executed");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(options.outDir + "/fct.csv"), false, "files");
        const std::string queue = ContentOf(options.outDir + "/queue.csv");
        NS_TEST_EXPECT_MSG_NE(queue.find("\n3000,"), std::string::npos, "sampled each 1 us");
    }
};

class RunTestSuite : public TestSuite
{
  public:
    RunTestSuite()
        : TestSuite("lossless-run", Type::SYSTEM)
    {
        AddTestCase(new AwaitedTest);
        AddTestCase(new SecondRunTest);
        AddTestCase(new OneAtATimeTest);
        AddTestCase(new DestroyedTest);
        AddTestCase(new EndTest);
        AddTestCase(new InterruptTest);
        AddTestCase(new AliveTest);
        AddTestCase(new TimeoutsTest);
        AddTestCase(new OptionsTest);
    }
};

RunTestSuite g_runTestSuite; //!< registers itself

} // namespace
