// SPDX-License-Identifier: GPL-2.0-only
#include "run-options.h"

#include "ns3/fabric-program.h"

#include <unistd.h>

namespace ns3
{

void
RunOptions::AddTo(FabricProgram& program)
{
    program.AddOption("outDir", "folder for CSV files; empty: none", outDir);
    program.AddOption("files", "which of them, as in fct,pfc; empty: all", files);
    program.AddOption("sample", "time between samples of queues and rates", sample);
    program.AddOption("watermarks",
                      "interval of the periodic watermarks of switch buffers; 0: no watermarks.csv",
                      watermarks);
    program.AddOption("stop", "end of the run; 0: with the last flow", stop);
    program.AddOption("patience", "end without progress for so long; 0: never", patience);
    program.AddOption("threads",
                      "threads, with the same results whatever their number; 0: as many as cores",
                      threads);
    program.StandsFor("threads", {"ns3::FabricSimulatorImpl::Threads"});
    if (hasFlows)
    {
        AddFlows(program);
    }
    program.AddOption("pauseTree", "report which pause caused which", pauseTree);
    program.AddOption("linkLoad", "sample what ports of switches send", linkLoad);
    program.AddOption("strict", "end with status 2 if something is lost or idle", strict);
    program.AddOption("progress", "a line on a terminal", progress);
    program.AddMpi();
}

void
RunOptions::AddFlows(FabricProgram& program)
{
    program.AddOption("skippable", "report what share of the run was in steady states", skippable);
    program.AddOption("steadyTolerance",
                      "by what share packets and rates of equal windows may differ",
                      steady.tolerance);
    program.AddOption("steadySlope",
                      "by what share of the link the growth of queues may differ",
                      steady.slope);
    program.AddOption("steadyRounds", "equal windows before a state is steady", steady.rounds);
    program.AddOption("explain", "flows whose times are explained, as in 3,17", explain);
}

} // namespace ns3
