// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_RESULTS_H
#define LOSSLESS_RUN_RESULTS_H

#include "ns3/fct-stats.h"
#include "ns3/finding.h"
#include "ns3/nstime.h"
#include "ns3/run-totals.h"
#include "ns3/traffic-source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What came of a run: plain values, which outlive the simulation.
 */
struct RunResults
{
    /// How a run ended.
    enum class End
    {
        DONE,         //!< all traffic that was awaited has ended
        STOPPED,      //!< its time was over
        STUCK,        //!< nothing moved any more
        INTERRUPTED,  //!< a signal came
        DEADLOCK,     //!< the detector has found a deadlock, and was told to stop
        ENDED_BY_PART //!< FabricRun::EndNow() was called
    };

    /// Something that has not completed.
    struct Unfinished
    {
        std::string source; //!< name of its TrafficSource
        TrafficItem item;   //!< what it is
        std::string why;    //!< on one line, without commas
    };

    End end{End::DONE};                  //!< how it ended
    std::string why;                     //!< the same for people, on one line
    int signal{0};                       //!< that interrupted it; 0: none
    Time begin;                          //!< clock of the simulation at its begin
    Time finish;                         //!< and at its end
    RunTotals totals;                    //!< all counters
    std::vector<FctStats::Bin> slowdown; //!< by flow size; the last is of all flows
    std::vector<Unfinished> unfinished;  //!< what has not completed
    std::vector<Finding> findings;       //!< what was found out about the fabric and the run
    std::string folder;                  //!< of the files; empty: none
    std::string summary;                 //!< see Summary()

    /// @return a table for people
    const std::string& Summary() const
    {
        return summary;
    }

    /// @param end how a run ended @return that in a word, as in summary.json
    static const char* NameOf(End end);
};

} // namespace ns3

#endif // LOSSLESS_RUN_RESULTS_H
