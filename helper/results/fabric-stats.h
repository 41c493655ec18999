// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_STATS_H
#define LOSSLESS_FABRIC_STATS_H

#include "application-stats.h"
#include "deadlock-stats.h"
#include "drop-stats.h"
#include "extension-stats.h"
#include "fct-stats.h"
#include "finding-stats.h"
#include "pfc-stats.h"
#include "queue-stats.h"
#include "rdma-stats.h"
#include "result-report.h"
#include "run-totals.h"
#include "setting-table.h"
#include "throughput-stats.h"
#include "unfinished-flows.h"
#include "watchdog-stats.h"

#include "ns3/callback-guard.h"
#include "ns3/event-id.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/run-traffic.h"
#include "ns3/socket-flow-helper.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * All statistics of a run, from when this is made: flow completion times, PFC, queues, throughput,
 * drops. Make it before the run; ask for the Summary(), and call Finish() for the files, after it.
 * Without Finish() the destructor, or Simulator::Destroy(), does it, unless an exception is on its
 * way.
 *
 * @code
 * FabricStats stats(fabric, flows);
 * stats.WriteTo("results");
 * Simulator::Run();
 * std::cout << stats.Summary();
 * stats.Finish();
 * @endcode
 *
 * Files are streamed, so that memory does not grow with the run, and appear when they are complete:
 * - fct.csv: one line a flow;
 * - pfc.csv, pause.csv: one line a PFC frame and class, and one a pause;
 * - queue.csv, throughput.csv: samples of switch queues and of host ports;
 * - watchdog.csv: one line each change of state, where there are watchdogs;
 * - deadlock.csv: one line a deadlock, where DeadlockHelper has installed a detector;
 * - application.csv: one line a flow of SocketFlowHelper, where there is one;
 * - unfinished.csv: flows that did not complete, each with its reason;
 * - topology.json: nodes and links, to draw them;
 * - summary.json: totals.
 *
 * Samples are taken while flows run or are still to start, so that they keep no simulation alive.
 */
class FabricStats
{
  public:
    /// Totals of the run, as in summary.json.
    using Totals = RunTotals;

    /// @param fabric the fabric @param flows its flows; both must outlive this
    FabricStats(const Fabric& fabric, RdmaFlowHelper& flows);
    ~FabricStats();
    FabricStats(const FabricStats&) = delete;
    FabricStats& operator=(const FabricStats&) = delete;

    /// There are flows of the IP stack, too. Before the run.
    /// @param sockets those; must outlive this
    void AddSockets(SocketFlowHelper& sockets);

    /// There is other traffic to sample for. Before the run.
    /// @param source it; must outlive this
    void AddTraffic(TrafficSource& source);

    /// A report of the caller's own: its tables go to the folder of WriteTo(), its lines to the
    /// summary. Before WriteTo(). @param report it; must outlive this
    void AddReport(Report& report);

    /**
     * Before the run.
     * @param folder where files go; it is made
     * @param files which of those that are streamed: "fct", "pfc" (with pause.csv), "queue",
     * "throughput", "watchdog"; none: all of them. Without queue and throughput no samples are
     * taken. The others are always written; FabricError for other names
     */
    void WriteTo(const std::string& folder, const std::vector<std::string>& files = {});

    /// @param files as of WriteTo(); FabricError for those that there are not
    static void RequireFiles(const std::vector<std::string>& files);

    /// Keep tables in memory, in place of WriteTo(). Before the run. FabricError for other names
    /// @param tables names of tables, such as "pause"
    void Keep(const std::vector<std::string>& tables);

    /// @param table a name @return its rows; null: it was not named to Keep()
    const RowSink* GetTable(const std::string& table) const;

    /// @param interval time between samples of queues and throughput, 10 us by default
    void SetSampleInterval(Time interval);

    /// @return whether something is sampled at that interval
    bool HasSamples() const
    {
        return !m_sampled.empty();
    }

    /// @param events events that are not the run's, such as those of RunProgress
    void IgnoreEvents(uint64_t events);

    /// A run begins: what is there now counts as used, though it may change in the run; and
    /// defaults that change from now on are not those of what was made before.
    void NoteUse();

    /// Read the settings that are in force, for the summary and summary.json: at the end of the
    /// run, before Finish().
    void NoteSettings();

    /// @return those of NoteSettings(); null: it was not called
    const SettingReport* GetSettings() const
    {
        return m_settings ? &*m_settings : nullptr;
    }

    /**
     * How the run has ended, for summary.json. Before Finish().
     * @param end in a word @param interrupted when a signal came; Time::Max(): none
     */
    void SetEnd(const std::string& end, Time interrupted);

    /// @param end in a word @param interrupted when a signal came; Time::Max(): none @return that
    /// as summary.json has it
    static std::vector<NamedTotal> EndTotals(const std::string& end, Time interrupted);

    /// Write what is left and give the files their names. After the run; a second call does nothing
    void Finish();

    /// The run has failed: its files are removed, and Finish() does nothing.
    void Abandon();

    /// @return a table for people
    std::string Summary() const;

    /// @return the totals, up to now
    Totals GetTotals() const;

    /// @return flow completion times
    const FctStats& GetFct() const
    {
        return m_fct;
    }

    /// @return the fabric that it belongs to
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

  private:
    /// @param payloadDelivered of the run @return how long there was traffic, for rates
    Time GetActive(uint64_t payloadDelivered) const;

    /// Take a sample, and plan the next.
    void Sample();
    /// The simulation begins.
    void Begin();
    /// Rows of a report are wanted: so may be samples. @param report it
    void NoteOpened(Report& report);
    /// Rows are wanted: begin with the simulation, and end before it is gone.
    void PlanBegin();
    /// Plan the next sample, a whole number of intervals from time 0, when flows run again.
    void PlanSample();
    /// Finish(), where nobody could catch an error: one line on standard error instead.
    void FinishQuietly();

    Fabric m_fabric;
    RdmaFlowHelper& m_flows;
    std::vector<std::unique_ptr<ApplicationStats>> m_applications; //!< of AddSockets()
    RunTraffic m_traffic;                                          //!< flows, sockets, and all else
    UnfinishedStats m_unfinished;
    FctStats m_fct;
    PfcStats m_pfc;
    DropStats m_drops;
    WatchdogStats m_watchdogs;
    std::vector<std::unique_ptr<Report>> m_extensions;
    DeadlockStats m_deadlocks;
    QueueStats m_queues;
    ThroughputStats m_throughput;
    RdmaStats m_rdma;
    /// Of NoteSettings(); none: it was not called.
    std::optional<SettingReport> m_settings;
    SettingTable m_settingTable;
    FindingStats m_findings;
    std::vector<Report*> m_reports;         //!< in the order of the summary
    std::size_t m_own;                      //!< how many of these are members; AddReport() follows
    std::vector<Report*> m_sampled;         //!< those that WriteTo() wants samples of
    std::unique_ptr<ResultFolder> m_folder; //!< of WriteTo()
    std::unique_ptr<ResultMemory> m_memory; //!< of Keep()
    bool m_isFinished{false};               //!< nothing more is to be written
    Time m_interval;
    bool m_hasSamples{false};  //!< one was taken
    uint64_t m_idleSamples{0}; //!< without traffic that may still have rows
    EventId m_next;
    EventId m_atDestroy;            //!< FinishQuietly()
    int m_exceptions;               //!< that were on their way at construction
    std::vector<NamedTotal> m_more; //!< how the run has ended; none: not known
    uint64_t m_foreignEvents{0};
    std::chrono::steady_clock::time_point m_begin;
    double m_beginCpu;
    Time m_beginTime;       //!< of the simulation
    uint64_t m_beginEvents; //!< events executed before
    CallbackGuard m_guard;  //!< of the flows, which may outlive the statistics
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_STATS_H
