// SPDX-License-Identifier: GPL-2.0-only

// A day in the life of an operator, in 20 ms: a leaf-spine fabric with traffic, a leaf that was
// given another alpha than intended, and a NIC that pauses without end. The ping mesh sees the
// latency, the pause monitor the NIC, the configuration monitor the alpha.
//
//   operations --outDir=results; utils/plot.py results

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

namespace
{

/// Statistics of pings as a part of a run, which gives each part the fabric first.
struct Pings : PingStats
{
    Pings(const Fabric&, RdmaPingMesh& mesh)
        : PingStats(mesh)
    {
    }
};

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("Ping mesh, pause monitor and configuration monitor at work.");
    RunOptions options;
    options.stopWhenDone = false;   // the monitors go on to their end
    options.firstStream = -1;       // those of the flows alone are fixed
    options.files = {"fct", "pfc"}; // nothing is sampled
    Time stop = MilliSeconds(20);
    program.AddOption("outDir", "folder for CSV files; empty: none", options.outDir);
    program.AddOption("stop", "end of the traffic", stop);
    return program.Run(argc, argv, [&] {
        if (stop.IsZero())
        {
            throw FabricError("--stop is 0", "it must be above 0");
        }
        FabricHelper helper(program.GetOptions());
        helper.SetLink("DataRate", StringValue("25Gbps"), "PfcQuanta", UintegerValue(1024));
        helper.SetSwitch("ns3::SwitchMmu", "Alpha", DoubleValue(1.0 / 16));
        helper.SetAlphaBySpeed(false); // what the monitor intends holds for all ports
        Fabric fabric = helper.LeafSpine(2, 2, 4);

        if (options.outDir.empty())
        {
            options.files.clear();
        }
        FabricRun run(fabric, options);
        run.Rdma().Poisson("websearch", 0.3, stop);
        run.Rdma().AssignStreams(1);

        RdmaPingMesh& mesh = run.Add<RdmaPingMesh>();
        mesh.SetQueuePair("RetransmitTimeout", StringValue("500us"));
        run.Add<Pings>(mesh);
        auto& pauses = run.Add<PauseMonitor>();
        pauses.SetThreshold(PauseMonitor::XOFF_SENT, 8);
        auto& configuration = run.Add<ConfigMonitor>();
        mesh.Run(Time(0), stop);
        pauses.Run(Time(0), stop);
        configuration.CheckEvery(MilliSeconds(1), stop);

        // The faults: alpha of the second leaf from a quarter of the time on; the NIC of host 5
        // pauses its switch during the third quarter.
        Simulator::Schedule(stop / 4, [&] {
            const auto leaf = fabric.GetSwitch(1);
            for (uint32_t port = 0; port < leaf->GetNPorts(); ++port)
            {
                leaf->GetMmu()->SetAlpha(port, 3, 1.0 / 64);
            }
        });
        const auto nic = fabric.GetRdma(5)->GetDevice(0);
        Simulator::Schedule(stop / 2, [&] { nic->OverridePause(1U << 3, 0); });
        Simulator::Schedule(stop / 4 * 3, [&] { nic->OverridePause(0, 0); });

        std::cout << run.Execute().Summary();
        std::cout << pauses.GetAlerts().size() << " alerts of pauses, the first:\n";
        for (std::size_t i = 0; i < std::min<std::size_t>(5, pauses.GetAlerts().size()); ++i)
        {
            std::cout << "  " << PauseMonitor::ToLine(pauses.GetAlerts()[i]) << "\n";
        }
        std::cout << configuration.GetFindings().size() << " values have drifted:\n";
        for (const auto& finding : configuration.GetFindings())
        {
            std::cout << "  " << ConfigMonitor::ToLine(finding) << "\n";
        }
    });
}
