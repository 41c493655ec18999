// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_OPTIONS_H
#define LOSSLESS_RUN_OPTIONS_H

#include "ns3/nstime.h"
#include "ns3/option-text.h"
#include "ns3/skippable-stats.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class FabricProgram;

/**
 * @ingroup lossless
 *
 * What a program lets its user choose about a run.
 */
struct RunOptions
{
    /// In which order events of one time leave.
    enum class EventOrder
    {
        CANONICAL, //!< that of any number of threads, also with one
        /// That of ns-3, for results that are compared with those of other simulators on ns-3.
        NS3
    };

    std::string outDir;             //!< folder of the files; empty: none
    std::vector<std::string> files; //!< which of those that are streamed; none: all
    std::vector<std::string> keep;  //!< tables in memory, in place of files, such as "pause"
    Time sample{MicroSeconds(10)};  //!< between samples of queues and rates
    Time stop;                      //!< end, from the begin of the run; 0: none
    bool stopWhenDone{true};        //!< end with the last traffic that is awaited
    /// A run without progress for this time is stuck, and ends; 0: never. If not set: 20 ms with
    /// faults or MRC, or the time that the watchdogs need to act; never without both.
    std::optional<Time> patience;
    bool stopWhenStuck{true};       //!< else a run that is stuck goes on to its stop
    std::optional<uint32_t> seed;   //!< of all random streams; none: that in force
    std::optional<uint64_t> rngRun; //!< run number of ns-3's; none: that in force
    int64_t firstStream{1000};      //!< of the run; negative: streams stay as they are
    /// How many threads run the fabric, with the same results whatever their number; 0: as many as
    /// the machine has cores. If not set: one.
    std::optional<uint32_t> threads;
    /// In which order events of one time leave, where threads is not set.
    EventOrder order{EventOrder::CANONICAL};
    /// What looks at several nodes at once, such as a trace sink of the program: one thread runs
    /// all nodes together, in the order of time. Empty: nothing does, and each node runs by itself
    /// from one window to the next, which is faster and changes no result.
    std::string undivided;
    bool skippable{false}; //!< report what share a fast-forward could skip: SkippableStats
    SteadyRule steady;     //!< what is a steady state, if skippable
    Time watermarks;       //!< of WatermarkStats: interval of the periodic ones; 0: no watermarks
    bool pauseTree{false}; //!< report which pause caused which: PauseTree
    bool hasFlows{true};   //!< AddTo() makes what has an effect on flows alone
    bool allowReordering{false}; //!< queue pairs run that reordered packets keep from working
    bool strict{false};          //!< what is lost or has no effect makes the run fail at its end
    std::vector<std::string> explain; //!< numbers of flows whose times are explained: FlowTimes
    bool linkLoad{false};             //!< sample what ports of switches send, how evenly: LinkLoad
    bool progress{true};              //!< a line on a terminal
    /// Takes that line, wherever there is no terminal, too; none: standard error.
    std::function<void(const std::string& line)> showProgress;

    /**
     * Call a visitor with each option that a command line or Python has, in the order of --help;
     * without hasFlows those of flows are left out.
     * @param visit called with (value, ProgramOption, check)
     */
    template <typename Visit>
    void ForEachOption(Visit&& visit)
    {
        constexpr const char* FLAG = "True or False";
        constexpr const char* SHARE = "a share, at least 0 and below 1, such as 0.05";
        const auto any = [](const auto&) { return true; };
        const auto isShare = [](double share) { return share >= 0 && share < 1; };
        const auto isTime = [](const auto& time) { return IsTime(time); };
        visit(outDir, {"outDir", "write_to", "folder for CSV files; empty: none", "a folder"}, any);
        visit(files,
              {"files",
               "files",
               "which of them, as in fct,pfc; empty: all",
               "a list of names, such as [\"fct\"]"},
              any);
        visit(keep,
              {nullptr,
               "keep",
               "tables in memory, in place of files",
               "a list of names, such as [\"pause\"]"},
              any);
        visit(sample,
              {"sample",
               "sample_interval",
               "time between samples of queues and rates",
               "1ns or more, for no frame is shorter"},
              [](const Time& time) { return time >= NanoSeconds(1); });
        visit(watermarks,
              {"watermarks",
               "watermarks",
               "interval of the periodic watermarks of switch buffers; 0: no watermarks.csv",
               "above 0, or 0 for none"},
              isTime);
        visit(stop,
              {"stop", "stop", "end of the run; 0: with the last flow", "above 0, or 0 for none"},
              isTime);
        visit(stopWhenDone,
              {nullptr, "stop_when_done", "end with the last awaited traffic", FLAG},
              any);
        visit(patience,
              {"patience",
               "patience",
               "end without progress for so long; 0: never",
               "above 0, or 0 for none"},
              isTime);
        visit(stopWhenStuck, {nullptr, "stop_when_stuck", "whether it ends then", FLAG}, any);
        visit(seed,
              {nullptr,
               "seed",
               "of all random streams; None: that in force",
               "a whole number, 1 to 4294944442"},
              [](const auto& number) { return !number || (*number > 0 && *number <= MOST_SEED); });
        visit(rngRun,
              {nullptr,
               "run",
               "run number of ns-3's; None: that in force",
               "a whole number, 0 to 2^64 - 1"},
              any);
        visit(firstStream,
              {nullptr,
               "first_stream",
               "first random stream; negative: streams stay as they are",
               "a whole number, at most 2^62"},
              [](int64_t stream) { return stream <= int64_t{1} << 62; });
        visit(threads,
              {"threads",
               "threads",
               "threads, with the same results whatever their number; 0: as many as cores",
               "a whole number, 0 to 1024"},
              any);
        if (hasFlows)
        {
            visit(skippable,
                  {"skippable",
                   "skippable",
                   "report what share of the run was in steady states",
                   FLAG},
                  any);
            visit(steady.tolerance,
                  {"steadyTolerance",
                   "steady_tolerance",
                   "by what share packets and rates of equal windows may differ",
                   SHARE},
                  isShare);
            visit(steady.slope,
                  {"steadySlope",
                   "steady_slope",
                   "by what share of the link the growth of queues may differ",
                   SHARE},
                  isShare);
            visit(steady.rounds,
                  {"steadyRounds",
                   "steady_rounds",
                   "equal windows before a state is steady",
                   "a whole number, 1 or more"},
                  [](uint32_t rounds) { return rounds > 0; });
            visit(explain,
                  {"explain",
                   "explain",
                   "flows whose times are explained, as in 3,17",
                   "a list of numbers of flows, such as [0, 17]"},
                  any);
        }
        visit(pauseTree, {"pauseTree", "pause_tree", "report which pause caused which", FLAG}, any);
        visit(linkLoad, {"linkLoad", "link_load", "sample what ports of switches send", FLAG}, any);
        visit(allowReordering,
              {"allowReordering",
               "allow_reordering",
               "run what cannot work where packets take several paths",
               FLAG},
              any);
        visit(strict,
              {"strict", "strict", "end with status 2 if something is lost or idle", FLAG},
              any);
        visit(progress, {"progress", "progress", "a line on a terminal", FLAG}, any);
    }

    /// Make an option of a program of each that has a name, and --mpi in a build with MPI.
    /// @param program gets the options, and sets these fields when its command line is read
    void AddTo(FabricProgram& program);

  private:
    static constexpr uint32_t MOST_SEED = 4294944442; //!< of RngStream

    /// @param time an option @return whether it can be
    static bool IsTime(const std::optional<Time>& time)
    {
        return !time || !time->IsStrictlyNegative();
    }
};

} // namespace ns3

#endif // LOSSLESS_RUN_OPTIONS_H
