// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_REPRODUCTION_H
#define LOSSLESS_REPRODUCTION_H

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <string>

/// What the reproductions have in common: the options that all have, and the run. Parameters of
/// algorithms are no options of theirs: --ns3::RdmaDcqcn::Dialect=Paper and the like set them.
struct Reproduction
{
    std::string congestion = "ns3::RdmaDcqcn"; //!< type, or none
    std::string outDir;                        //!< folder of the CSV files; empty: none
    ns3::Time sample = ns3::MicroSeconds(10);  //!< time between samples of queues and throughput
    ns3::Time stop = ns3::Time(0);             //!< end of the run; 0: with the last flow

    /// @param program gets the options
    explicit Reproduction(ns3::FabricProgram& program)
    {
        program.AddOption("congestion", "congestion control, or none", congestion);
        program.AddOption("outDir", "folder for CSV files; empty: none", outDir);
        program.AddOption("sample", "time between samples of queues and rates", sample);
        program.AddOption("stop", "end of the run; 0: with the last flow", stop);
    }

    /**
     * Packet memory counted in bytes, not cells, as in the simulators of the papers: with cells the
     * headroom of long links does not fit into 5 MB.
     * @param helper gets the setting @param bytes packet memory of a switch
     */
    static void SetByteBuffer(ns3::FabricHelper& helper, uint64_t bytes)
    {
        helper.SetSwitch("ns3::SwitchMmu",
                         "BufferSize",
                         ns3::UintegerValue(bytes),
                         "CellBytes",
                         ns3::UintegerValue(1));
    }

    /// Run what was set up, print the table and write the files.
    /// @param fabric the fabric @param flows its flows
    void Run(ns3::Fabric& fabric, ns3::RdmaFlowHelper& flows) const
    {
        // Fixed streams: the same numbers whatever else draws some.
        flows.AssignStreams(1000 + fabric.AssignStreams(1000));
        flows.StopWhenDone();
        ns3::FabricStats stats(fabric, flows);
        stats.SetSampleInterval(sample);
        if (!outDir.empty())
        {
            stats.WriteTo(outDir);
        }
        if (!stop.IsZero())
        {
            ns3::Simulator::Stop(stop);
        }
        ns3::RunProgress progress(flows, stop);
        ns3::Simulator::Run();
        progress.Finish();
        stats.IgnoreEvents(progress.GetEvents());
        std::cout << stats.Summary();
        stats.Finish();
    }
};

#endif // LOSSLESS_REPRODUCTION_H
