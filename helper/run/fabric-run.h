// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_RUN_H
#define LOSSLESS_FABRIC_RUN_H

#include "run-options.h"
#include "run-results.h"

#include "ns3/event-id.h"
#include "ns3/fabric.h"
#include "ns3/fault-helper.h"
#include "ns3/fault-stats.h"
#include "ns3/nstime.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/run-part.h"
#include "ns3/run-traffic.h"
#include "ns3/run-watch.h"
#include "ns3/socket-flow-helper.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class RunInterrupt;
class RunRanks;
class RunStats;

/**
 * @ingroup lossless
 *
 * One run of a fabric: its traffic, its faults, its statistics, and how it ends.
 *
 * @code
 * FabricRun run(fabric);
 * run.Rdma().Incast(16, 0, 500000, Time(0));
 * run.Faults().CutLink(3, MilliSeconds(1));
 * run.WriteTo("results");
 * std::cout << run.Execute().Summary();
 * @endcode
 *
 * All times that are given to the run, its traffic and its faults count from the begin of the run:
 * the time of the simulation when the run is made. Times in results and files are times
 * of the simulation; only sim_seconds counts from the begin of the run.
 *
 * A process has one simulation. While a run waits for its end another one is refused. When it has
 * ended, another one may be made, of the same fabric or of another, without Simulator::Destroy()
 * between; it counts from its begin. After Simulator::Destroy() a run has its results, and all else
 * that is asked of it is a FabricError.
 *
 * Traffic and faults end with their run: when the next run is made, or the run is destroyed, what
 * has not ended is stopped, nothing that was planned happens, links that were cut come back, and
 * all switches have the routes of the whole fabric. The summary of the next run says how much was
 * stopped; its results and files have nothing of it. Frames that are under way, pauses, and what
 * the buffers of TCP sockets hold stay.
 */
class FabricRun
{
  public:
    /// @param fabric what runs @param options what its user has chosen
    explicit FabricRun(const Fabric& fabric, RunOptions options = {});
    ~FabricRun();
    FabricRun(const FabricRun&) = delete;
    FabricRun& operator=(const FabricRun&) = delete;

    /// Choose the options anew, before Execute(). FabricError for what cannot be, and all stays as
    /// it was.
    /// @param options what the user has chosen
    void Choose(RunOptions options);

    /// @return what the user has chosen
    const RunOptions& GetOptions() const
    {
        return m_options;
    }

    // ---- what the run carries

    /// @return RDMA flows and workloads
    RdmaFlowHelper& Rdma();

    /// @return TCP, UDP, and other applications of ns-3; made at first use, also within the run
    SocketFlowHelper& Sockets();

    /// @return faults; made at first use. Their log is faults.csv in the folder of WriteTo()
    FaultHelper& Faults();

    /**
     * Add a part of one's own, such as a StorageInitiator. The part lives as long as the run. The
     * run waits for a TrafficSource as the source says; a Report has its tables in the folder of
     * WriteTo(), its totals in summary.json, and its lines in the summary.
     * @param args of its constructor, after the fabric
     * @return the part
     */
    template <typename Part, typename... Args>
    Part& Add(Args&&... args)
    {
        RequireWaiting("one more part");
        auto part = std::make_unique<Part>(m_fabric, std::forward<Args>(args)...);
        Part& added = *part;
        Keep(std::move(part));
        return added;
    }

    // ---- what comes of the run

    /// @param folder where files go; the run makes the folder
    void WriteTo(const std::string& folder);

    /// @param listener called once the simulation has stopped, before the files are complete,
    /// unless a signal stopped it. An exception of the listener makes the run fail
    void OnStop(std::function<void()> listener);

    /**
     * Run, once, to the end. When it returns, or throws FabricInterrupt because of a signal, the
     * files are complete. After a FabricError that comes before the first event, such as of a
     * folder that cannot be written, Execute() may be called again.
     * @return the results
     */
    const RunResults& Execute();

    /// @return the totals, up to now
    RunTotals GetTotals() const;

    /// @return whether the run has been executed, to its end or to an error
    bool HasEnded() const;

    /// @return whether an error has ended the run: it has no results
    bool HasFailed() const
    {
        return HasEnded() && !m_hasResults;
    }

    /// @return the results, after Execute(); FabricError if the run has failed
    const RunResults& GetResults() const;

    /// @return what was found out about the fabric and this run, up to now
    std::vector<Finding> GetFindings() const;

    /// @param name of a table of RunOptions::keep; FabricError for others @return its rows so far
    const RowSink& GetTable(const std::string& name) const;

    /// End the run after the event that is under way. @param why on one line
    void EndNow(const std::string& why);

    /// A signal came that someone else handles, such as Python: the run that is under way ends as
    /// by a signal of its own. A handler may call this. @param signal its number
    static void Interrupt(int signal);

    /// @return the fabric
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

    /// @return time of the simulation from which its times count
    Time GetBegin() const
    {
        return m_begin;
    }

    /// @return all its traffic
    const RunTraffic& GetTraffic() const
    {
        return m_traffic;
    }

  private:
    /// The run is over: its parts stop.
    void StopParts();
    /// FabricError if the simulation was destroyed. @param what was asked for
    void RequireAlive(const char* what) const;
    /// FabricError unless it is still to be executed. @param what was asked for
    void RequireWaiting(const char* what) const;
    /// Take a part over. @param part it
    void Keep(std::unique_ptr<RunPart> part);
    /// Fix the random streams: of the fabric, then of the parts.
    void AssignStreams();
    /// RDMA, faults, sockets, then the others as they were added. @param visit called with each
    void ForEachPart(const std::function<void(RunPart&)>& visit);
    /// @return whether a RunWatch ends the run when it is stuck
    bool LooksForProgress() const;
    /// Post what ends the run, and let the simulation go on. @param interrupt watches for signals
    void Simulate(const RunInterrupt& interrupt);
    /// Take back what would end the simulation: a later run would meet it.
    void Withdraw();
    /// @param end how it ends @param why on one line
    void End(RunResults::End end, const std::string& why);
    /// @return what says that nothing of it can happen any more, one line; empty: nothing says so
    std::string GetStuck() const;
    /// Say how it has ended, if nobody has. @param signal that came; 0: none
    void Conclude(int signal);
    /// It has ended or failed: another run may be made, and the parts take nothing more.
    void Leave();
    /// Take over what came of it, and complete the files.
    void Collect();

    Fabric m_fabric;
    RunOptions m_options;
    Time m_begin;
    uint32_t m_seedBefore;   //!< seed in force when the run was made
    uint64_t m_rngRunBefore; //!< run number of ns-3's, likewise
    bool m_executed{false};
    bool m_hasResults{false}; //!< else it was not executed, or has failed
    bool m_destroyed{false};
    bool m_ended{false};             //!< End() was called
    bool m_isStopped{false};         //!< StopParts() was called
    std::size_t m_findingsBefore{0}; //!< of the fabric, when the run was made
    uint64_t m_stoppedBefore{0};     //!< items of traffic of the run before that had not ended
    EventId m_stop;                  //!< the end that was asked for
    EventId m_signalCheck;           //!< looks for a signal that came before the first event
    EventId m_atDestroy;             //!< notes that the simulation is gone
    std::function<void()> m_onStop;
    std::unique_ptr<RdmaFlowHelper> m_rdma;
    std::unique_ptr<SocketFlowHelper> m_sockets;
    std::unique_ptr<FaultHelper> m_faults;
    std::unique_ptr<FaultStats> m_faultLog;        //!< faults.csv
    std::vector<std::unique_ptr<RunPart>> m_parts; //!< of Add()
    RunTraffic m_traffic;
    uint64_t m_lastPlan{0};            //!< of parts of this run or of none, when it ended
    std::unique_ptr<RunRanks> m_ranks; //!< where FabricRanks is on; a report of m_stats
    std::unique_ptr<RunStats> m_stats;
    std::unique_ptr<RunWatch> m_watch;
    RunResults m_results;
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_RUN_H
