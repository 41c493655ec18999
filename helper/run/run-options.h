// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_OPTIONS_H
#define LOSSLESS_RUN_OPTIONS_H

#include "ns3/nstime.h"
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
        CANONICAL, //!< that of any number of threads
        /// Likewise, and one thread runs the nodes partition by partition, which is faster for
        /// large fabrics and changes no result. Only for programs that need no more than several
        /// threads allow: no trace sink looks at several nodes, and what acts on several nodes at
        /// once, such as sockets, is there before the run.
        DIVIDED,
        /// That of ns-3, for results that are compared with those of other simulators on ns-3.
        NS3
    };

    std::string outDir;             //!< folder of the files; empty: none
    std::vector<std::string> files; //!< which of those that are streamed; none: all
    std::vector<std::string> keep;  //!< tables in memory, in place of files, such as "pause"
    Time sample{MicroSeconds(10)};  //!< between samples of queues and rates
    Time stop;                      //!< end, from the begin of the run; 0: none
    bool stopWhenDone{true};        //!< end with the last traffic that is awaited
    /// A run without progress for this time is stuck, and ends; 0: never. If not set: never without
    /// faults; with faults 20 ms, or the time that the watchdogs need to act.
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
    std::string undivided; //!< what allows no more than one thread; empty: nothing
    bool skippable{false}; //!< report what share a fast-forward could skip: SkippableStats
    SteadyRule steady;     //!< what is a steady state, if skippable
    Time watermarks;       //!< of WatermarkStats: interval of the periodic ones; 0: no watermarks
    bool pauseTree{false}; //!< report which pause caused which: PauseTree
    bool hasFlows{true};   //!< AddTo() makes what has an effect on flows alone
    bool strict{false};    //!< what is lost or has no effect makes the run fail at its end
    std::vector<std::string> explain; //!< numbers of flows whose times are explained: FlowTimes
    bool linkLoad{false};             //!< sample what ports of switches send: LinkLoad
    bool progress{true};              //!< a line on a terminal
    /// Takes that line, wherever there is no terminal, too; none: standard error.
    std::function<void(const std::string& line)> showProgress;

    /// Make --outDir, --files, --sample, --watermarks, --stop, --patience, --threads, --skippable
    /// with its rule, --pauseTree, --explain, --linkLoad, --strict, --progress and, in a build with
    /// MPI,
    /// --mpi of a program; of these --skippable and --explain only where hasFlows.
    /// @param program gets the options, and sets these fields when its command line is read
    void AddTo(FabricProgram& program);

  private:
    /// Make what has an effect on flows alone. @param program gets the options
    void AddFlows(FabricProgram& program);
};

} // namespace ns3

#endif // LOSSLESS_RUN_OPTIONS_H
