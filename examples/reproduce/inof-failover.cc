// SPDX-License-Identifier: GPL-2.0-only

// A storage server and two redundant disks, one of which fails: how long I/O is interrupted when
// the server learns of it from iNOF (H3C intelligent lossless network white paper), and when it
// waits until its queue pair has exhausted its retries.
//
//   inof-failover --fault=link --useInof=false --outDir=results
//
// Three leaves with a server, disk A and disk B, and two spines, which are the reflectors. Faults:
// link: the cable of disk A is cut; leaf: both uplinks of its leaf are cut; crash: disk A falls
// silent with its links up; reflector: the control plane of one spine stops.

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <map>
#include <optional>

using namespace ns3;

namespace
{

/// Let something fail. @param fault what @param fabric where @param inof installed there
void
Fail(const std::string& fault, const Fabric& fabric, const InofHelper& inof)
{
    const FabricTopology& topology = fabric.GetTopology();
    const NodeId disk = topology.GetHosts()[1];
    if (fault == "link")
    {
        fabric.SetLinkUp(topology.GetLinksOf(disk)[0], false);
    }
    else if (fault == "leaf")
    {
        for (const uint32_t spine : {3, 4})
        {
            const auto& switches = topology.GetSwitches();
            fabric.SetLinkUp(topology.FindLink(switches[1], switches[spine]), false);
        }
    }
    else if (fault == "crash")
    {
        inof.GetHostAgent(1)->Crash();
        const auto rdma = fabric.GetRdma(1);
        for (uint32_t number = RdmaHw::FIRST_QUEUE_PAIR; number < 10000; ++number)
        {
            if (const auto queuePair = rdma->GetQueuePair(number))
            {
                queuePair->Close(); // answers nothing any more
            }
        }
    }
    else if (fault == "reflector")
    {
        inof.GetSwitchAgent(3)->Stop();
    }
}

/// @param server after the run @param perHalfMs I/Os completed by time, in 0.5 ms
/// @param outDir where files go; empty: nowhere
void
PrintAndWrite(const StorageInitiator& server,
              const std::map<int64_t, uint64_t>& perHalfMs,
              const std::string& outDir)
{
    const auto& failovers = server.GetFailovers();
    std::cout << server.GetCompleted() << " I/Os, longest interruption "
              << server.GetLongestGap().GetSeconds() * 1000 << " ms, " << failovers.size() - 1
              << " failovers";
    for (const auto& failover : failovers)
    {
        std::cout << "; " << failover.when.GetSeconds() * 1000 << " ms: " << failover.why;
    }
    std::cout << "\n";
    if (outDir.empty())
    {
        return;
    }
    ResultFile file(outDir + "/failover.csv");
    file.Stream() << "interruption_ns,failovers,completed,reissued,why\n"
                  << server.GetLongestGap().GetNanoSeconds() << ',' << failovers.size() - 1 << ','
                  << server.GetCompleted() << ',' << server.GetReissued() << ','
                  << failovers.back().why << '\n';
    file.Commit();
    ResultFile rate(outDir + "/io.csv");
    rate.Stream() << "time_ns,ios\n";
    for (const auto& [bin, ios] : perHalfMs)
    {
        rate.Stream() << bin * 500000 << ',' << ios << '\n';
    }
    rate.Commit();
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("A storage server whose disk fails.");
    std::string fault = "link";
    std::string outDir;
    bool useInof = true;
    Time at = MilliSeconds(50);
    Time stop = Seconds(1);
    uint64_t ioBytes = 4096;
    uint32_t depth = 2;
    program.AddOption("fault", "link, leaf, crash or reflector", fault);
    program.AddOption("useInof", "whether the server listens to iNOF", useInof);
    program.AddOption("at", "when it happens", at);
    program.AddOption("stop", "end of the run", stop);
    program.AddSize("ioBytes", "bytes of an I/O", ioBytes);
    program.AddOption("depth", "I/Os at a time", depth);
    program.AddOption("outDir", "folder for CSV files; empty: none", outDir);
    return program.Run(argc, argv, [&] {
        if (fault != "link" && fault != "leaf" && fault != "crash" && fault != "reflector")
        {
            throw FabricError("--fault is \"" + fault + "\"",
                              "it must be link, leaf, crash or reflector");
        }
        std::optional<FolderLock> folder; // refused before the run, not after it
        if (!outDir.empty())
        {
            folder.emplace(outDir);
        }
        const Time begin = MilliSeconds(30);
        if (stop <= begin)
        {
            throw FabricError("--stop is " + ExactText(stop),
                              "it must be more than 30 ms, when the I/Os begin");
        }
        FabricHelper helper(program.GetOptions());
        const Fabric fabric = helper.LeafSpine(3, 2, 1);
        InofHelper inof(fabric);
        inof.SetReflectors({3, 4});
        inof.SetDisk(1);
        inof.SetDisk(2);
        inof.Install();
        inof.AddZone("storage", {0, 1, 2});
        RunOptions options;
        options.stop = stop;
        options.firstStream = -1; // as ns-3 gives them
        FabricRun run(fabric, options);
        StorageInitiator& server = run.Add<StorageInitiator>(
            0,
            StorageInitiator::Options{ioBytes, depth, RdmaVerb::WRITE, {}});
        server.AddPath(1);
        server.AddPath(2);
        if (useInof)
        {
            server.UseInof(inof);
        }
        std::map<int64_t, uint64_t> perHalfMs;
        for (int64_t bin = 60; bin < stop.GetMicroSeconds() / 500; ++bin)
        {
            perHalfMs[bin] = 0;
        }
        server.OnCompletion(
            [&](uint32_t) { ++perHalfMs[Simulator::Now().GetMicroSeconds() / 500]; });
        server.Run(begin, stop);
        Simulator::Schedule(at, [&] { Fail(fault, fabric, inof); });
        run.Execute();
        PrintAndWrite(server, perHalfMs, outDir);
    });
}
