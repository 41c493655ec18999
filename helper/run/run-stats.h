// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_STATS_H
#define LOSSLESS_RUN_STATS_H

#include "run-options.h"
#include "run-results.h"

#include "ns3/event-id.h"
#include "ns3/fabric-differences.h"
#include "ns3/fabric.h"
#include "ns3/lost-stats.h"
#include "ns3/nstime.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/result-report.h"
#include "ns3/run-traffic.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The reports of a run, its samples, its totals and its summary, from when this is made. Rows of
 * tables are streamed, so that memory does not grow with the run. Samples are taken while traffic
 * runs or is still to start, so that they keep no simulation alive.
 */
class RunStats
{
  public:
    /// @param fabric what runs @param flows of RDMA @param traffic all of it; both outlive this
    RunStats(const Fabric& fabric, RdmaFlowHelper& flows, const RunTraffic& traffic);
    ~RunStats();
    RunStats(const RunStats&) = delete;
    RunStats& operator=(const RunStats&) = delete;

    /// @param report one more, after those that each run has; must outlive this
    void Add(Report& report);

    /// Make the reports that cost time and that the options ask for, and no others: a try to
    /// execute may fail, and another one may begin with other options. @param options of the run
    void Ask(const RunOptions& options);

    /// @param visit called with each report of Ask()
    void ForEachAsked(const std::function<void(RunPart&)>& visit) const;

    /// Open files, or tables in memory, as the options say. The simulation is to begin.
    /// @param options of the run
    void Open(const RunOptions& options);

    /// @param files as of RunOptions::files; FabricError for those that there are not
    static void RequireFiles(const std::vector<std::string>& files);

    /// @param table a name @return its rows; null: the options do not keep it
    const RowSink* GetTable(const std::string& table) const;

    /// @param events events that are not the run's, such as those of RunProgress
    void IgnoreEvents(uint64_t events)
    {
        m_foreignEvents += events;
    }

    /// A run begins: what is there now counts as used, though it may change in the run; defaults,
    /// seed and run number that are chosen from now on are for later.
    void NoteBegin();

    /// The run has ended: read the settings that are in force.
    void NoteSettings();

    /// @return those of NoteSettings(); null: it was not called
    const SettingReport* GetSettings() const
    {
        return m_settings ? &*m_settings : nullptr;
    }

    /// @return what is lost
    LostStats& GetLost()
    {
        return *m_lost;
    }

    /// The run has ended: collect what came of it, and give the files their names.
    /// @param results gets slowdown, summary and totals; has how the run ended
    void Finish(RunResults& results);

    /// The run has failed: its files are removed.
    void Abandon();

    /// @return the totals, up to now
    RunTotals GetTotals() const;

  private:
    /// Make a report. @param where it is kept @param args of its constructor @return it
    template <typename Made, typename... Args>
    static Made& Make(std::vector<std::unique_ptr<Report>>& where, Args&&... args)
    {
        where.push_back(std::make_unique<Made>(std::forward<Args>(args)...));
        return static_cast<Made&>(*where.back());
    }

    /// @return all reports, in the order of the summary
    std::vector<Report*> GetReports() const;
    /// @param totals of the run @return a table for people
    std::string Summarize(const RunTotals& totals) const;
    /// @param payloadDelivered of the run @return how long there was traffic, for rates
    Time GetActive(uint64_t payloadDelivered) const;
    /// The simulation begins.
    void Begin();
    /// Plan the next sample, a whole number of intervals from time 0, when flows run again.
    void PlanSample();
    /// Take a sample, and plan the next.
    void Sample();

    Fabric m_fabric;
    RdmaFlowHelper& m_flows;
    const RunTraffic& m_traffic;
    std::optional<SettingReport> m_settings;      //!< of NoteSettings()
    std::vector<std::unique_ptr<Report>> m_own;   //!< those that each run has
    std::vector<std::unique_ptr<Report>> m_asked; //!< those of Ask()
    std::vector<Report*> m_added;                 //!< those of Add()
    FctStats* m_fct;                              //!< of m_own
    LostStats* m_lost;                            //!< of m_own
    std::vector<Report*> m_sampled;               //!< those that samples are wanted of
    std::unique_ptr<ResultFolder> m_folder;       //!< where the files go
    std::unique_ptr<ResultMemory> m_memory;       //!< tables without files
    Time m_interval;                              //!< between samples
    bool m_hasSamples{false};                     //!< one was taken
    uint64_t m_idleSamples{0};                    //!< without traffic that may still have rows
    EventId m_next;                               //!< Begin(), or the next sample
    std::vector<NamedTotal> m_end;                //!< how the run has ended; none: it has not
    std::optional<uint64_t> m_seed;               //!< of NoteBegin()
    uint64_t m_rngRun{0};                         //!< run number of ns-3's, likewise
    uint64_t m_foreignEvents{0};
    std::chrono::steady_clock::time_point m_begin;
    double m_beginCpu;
    Time m_beginTime;       //!< of the simulation
    uint64_t m_beginEvents; //!< events executed before
};

} // namespace ns3

#endif // LOSSLESS_RUN_STATS_H
