// SPDX-License-Identifier: GPL-2.0-only

// How long it takes until all hosts of a zone know by iNOF that one of them has gone, and that it
// has come back: against the number of hosts and of switches between them.
//
//   inof-latency --hosts=64                  one switch, direct mode
//   inof-latency --leaves=4 --hosts=16       leaf-spine, 16 hosts a leaf, the two spines reflect
//   inof-latency --k=4                       fat tree, the core switches reflect

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <memory>
#include <optional>

using namespace ns3;

namespace
{

/// Times of events at hosts.
struct Seen
{
    std::vector<Time> down; //!< by host; 0: never
    std::vector<Time> up;   //!< by host; 0: never
};

/// Note what hosts hear of the last one. @param inof installed @param hosts how many @param seen
/// where to note it
void
Listen(const InofHelper& inof, uint32_t hosts, Seen& seen)
{
    seen.down.resize(hosts);
    seen.up.resize(hosts);
    for (uint32_t host = 0; host + 1 < hosts; ++host)
    {
        const auto agent = inof.GetHostAgent(host);
        agent->TraceConnectWithoutContext(
            "PeerUp",
            Callback<void, const InofHostInfo&>([&seen, host, hosts](const InofHostInfo& peer) {
                if (peer.id + 1 == hosts)
                {
                    seen.up[host] = Simulator::Now();
                }
            }));
        agent->TraceConnectWithoutContext(
            "PeerDown",
            Callback<void, const InofHostInfo&, InofReason>(
                [&seen, host, hosts](const InofHostInfo& peer, InofReason) {
                    if (peer.id + 1 == hosts)
                    {
                        seen.down[host] = Simulator::Now();
                    }
                }));
    }
}

/// @param options of the program @param leaves of a leaf-spine fabric; 0: a star @param hosts a
/// leaf
/// @param k of a fat tree @param reflectors where they go @return the fabric
Fabric
Build(const FabricOptions& options,
      uint32_t leaves,
      uint32_t hosts,
      uint32_t k,
      std::vector<SwitchId>& reflectors)
{
    FabricHelper helper(options);
    if (k > 0)
    {
        const Fabric fabric = helper.FatTree(k);
        for (uint32_t core = k * k; core < fabric.GetNSwitches(); ++core)
        {
            reflectors.push_back(core);
        }
        return fabric;
    }
    if (leaves == 0)
    {
        return helper.Star(hosts);
    }
    reflectors = {leaves, leaves + 1};
    return helper.LeafSpine(leaves, 2, hosts);
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("How long iNOF needs to tell all hosts.");
    uint32_t hosts = 4;
    uint32_t leaves = 0;
    uint32_t k = 0;
    std::string outDir;
    program.AddOption("hosts", "hosts of each switch", hosts);
    program.AddOption("leaves", "leaf switches; 0: one switch, direct mode", leaves);
    program.AddOption("k", "a fat tree of so many ports a switch instead; 0: none", k);
    program.AddOption("outDir", "folder for CSV files; empty: none", outDir);
    return program.Run(argc, argv, [&] {
        std::optional<FolderLock> folder; // refused before the run, not after it
        if (!outDir.empty())
        {
            folder.emplace(outDir);
        }
        std::vector<SwitchId> reflectors;
        const Fabric fabric = Build(program.GetOptions(), leaves, hosts, k, reflectors);
        const uint32_t all = fabric.GetNHosts();
        if (all < 2)
        {
            throw FabricError("one host has nobody to be told", "use --hosts=2 or more");
        }
        InofHelper inof(fabric);
        inof.SetReflectors(reflectors);
        inof.Install();
        Seen seen;
        const Time begin = MilliSeconds(100);
        const Time back = MilliSeconds(200);
        const FabricTopology& topology = fabric.GetTopology();
        const LinkId link = topology.GetLinksOf(topology.GetHosts()[all - 1])[0];
        Simulator::Schedule(begin - MilliSeconds(1), [&] { Listen(inof, all, seen); });
        FaultHelper faults(fabric);
        faults.CutLink(link, begin, back - begin);
        RunOptions options;
        options.stop = MilliSeconds(300);
        options.firstStream = -1; // as ns-3 gives them
        FabricRun(fabric, options).Execute();

        Time last;
        Time lastUp;
        for (uint32_t host = 0; host + 1 < all; ++host)
        {
            last = std::max(last, seen.down[host] - begin);
            lastUp = std::max(lastUp, seen.up[host] - back);
        }
        std::cout << all << " hosts, " << fabric.GetNSwitches() << " switches: all know after "
                  << last.GetSeconds() * 1e6 << " us that a host has gone, after "
                  << lastUp.GetSeconds() * 1e6 << " us that it is back; "
                  << inof.GetTotals().notifications << " notifications\n";
        if (outDir.empty())
        {
            return;
        }
        ResultFile file(outDir + "/notification.csv");
        file.Stream() << "host,down_ns,up_ns\n";
        for (uint32_t host = 0; host + 1 < all; ++host)
        {
            file.Stream() << host << ',' << (seen.down[host] - begin).GetNanoSeconds() << ','
                          << (seen.up[host] - back).GetNanoSeconds() << '\n';
        }
        file.Commit();
    });
}
