// SPDX-License-Identifier: GPL-2.0-only

// Speed and memory, one JSON line a scenario, and in the same run the yardstick: stock ns-3
// forwarding UDP. Each scenario runs in a process of its own, so that none finds the memory of
// another. Absolute figures depend on the machine; the ratio to the stock chain says more.

#include "fabric-scenario.h"
#include "stock-chain.h"

#include "ns3/config.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-program.h"
#include "ns3/fabric-text.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <iomanip>
#include <iostream>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace ns3;

namespace
{

/**
 * Run a scenario in a child process and print its line.
 * @param scenario what to run
 * @param stockSpeed packet-hops per CPU second of the stock chain; 0: not known
 * @param quiet print nothing
 * @return packet-hops per CPU second of this one
 */
double
RunApart(const std::function<BenchResult()>& scenario, double stockSpeed, bool quiet = false)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        throw std::runtime_error("no pipe to a child process");
    }
    const pid_t child = fork();
    if (child == 0)
    {
        const BenchResult result = scenario();
        if (!quiet)
        {
            std::cout << result.ToJson(stockSpeed) << std::endl;
        }
        const double speed = result.HopsPerCpuSecond();
        const bool written = write(ends[1], &speed, sizeof(speed)) == sizeof(speed);
        _exit(written ? 0 : 1);
    }
    close(ends[1]);
    double speed = 0;
    const bool whole = read(ends[0], &speed, sizeof(speed)) == sizeof(speed);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (!whole || status != 0)
    {
        throw std::runtime_error("a scenario ended early");
    }
    return speed;
}

/// All congestion controls on the fat-tree of 128 hosts, in turns, and their CPU time for a
/// packet-hop as a multiple of that of the first, DCQCN: the least of three runs of each.
/// @param scheduler see UseEvents()
void
CompareControls(const std::string& scheduler)
{
    constexpr int ROUNDS = 3;
    const std::vector<std::string> controls{"RdmaDcqcn",
                                            "RdmaTimely",
                                            "RdmaPatchedTimely",
                                            "RdmaHpcc",
                                            "RdmaIcc",
                                            "RdmaPcn",
                                            "RdmaSwift",
                                            "RdmaNscc",
                                            "RdmaDctcp",
                                            "RdmaFixedWindow",
                                            "RdmaFixedRate"};
    std::vector<double> best(controls.size(), 0);
    for (int round = 0; round < ROUNDS; ++round)
    {
        for (std::size_t i = 0; i < controls.size(); ++i)
        {
            const FatTreeScenario scenario{"", 8, 4000000, 1, scheduler, "ns3::" + controls[i], 0};
            const double speed = RunApart([&] { return RunFatTree(scenario); }, 0, true);
            best[i] = std::max(best[i], speed);
        }
    }
    std::cout << "{\"scenario\": \"congestion-controls\"" << std::fixed << std::setprecision(3);
    for (std::size_t i = 0; i < controls.size(); ++i)
    {
        std::cout << ", \"" << controls[i] << "\": " << best[0] / best[i];
    }
    std::cout << "}" << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("Measures speed and memory; prints one JSON line a scenario.");
    std::string scheduler = "ns3::FabricSimulatorImpl";
    std::string control = "ns3::RdmaDcqcn";
    uint32_t partitions = 0;
    std::optional<uint32_t> threads;
    std::string only;
    uint32_t packets = 500000;
    program.AddOption("scheduler",
                      "simulator, or event scheduler of ns-3's simulator, of the fabrics",
                      scheduler);
    program.AddOption("threads",
                      "threads, in canonical order; 0: as many as cores; none: ns-3's order",
                      threads);
    program.AddOption("partitions",
                      "partitions of the fat-trees, with --threads; 0: as the library does",
                      partitions);
    program.AddOption("cc", "congestion control of the fat-trees", control);
    program.AddOption("only", "run this scenario and the stock chain alone", only);
    program.AddOption("chain-packets", "datagrams through the stock chain", packets);
    return program.Run(argc, argv, [&] {
        FabricProgram::RequireOptionsTaken(); // now, not after minutes
        if (threads)
        {
            Config::SetDefault("ns3::FabricSimulatorImpl::Order", StringValue("Canonical"));
            Config::SetDefault("ns3::FabricSimulatorImpl::Threads", UintegerValue(*threads));
        }
        std::vector<std::pair<std::string, std::function<BenchResult()>>> scenarios;
        const auto addFatTree =
            [&](const std::string& name, uint32_t k, uint64_t bytes, uint32_t writes) {
                scenarios.emplace_back(name, [=] {
                    return RunFatTree({name, k, bytes, writes, scheduler, control, partitions});
                });
            };
        addFatTree("fat-tree-16", 4, 16000000, 1);
        addFatTree("fat-tree-128", 8, 4000000, 1);
        addFatTree("fat-tree-1024", 16, 1000000, 1);
        scenarios.emplace_back("incast-16", [&] { return RunIncast(16, 4000000, scheduler); });
        addFatTree("fat-tree-8192", 32, 100000, 1);
        addFatTree("fat-tree-27648", 48, 30000, 1);
        addFatTree("live-queue-pairs", 16, 10000, 98); // 100,352 flows at a time
        scenarios.emplace_back("mrc-8192", [&] {
            return RunPlanes({"mrc-8192", 8, 64, 64, 128, 262144, scheduler});
        });
        scenarios.emplace_back("idle-queue-pairs", [] { return MeasureIdleQueuePairs(20000); });
        std::vector<std::string> names{"congestion-controls"};
        for (const auto& [name, run] : scenarios)
        {
            names.push_back(name);
        }
        if (!only.empty() && std::find(names.begin(), names.end(), only) == names.end())
        {
            throw FabricError("there is no scenario \"" + only + "\"",
                              FabricText::DidYouMean(only, names));
        }
        // The stock chain as ns-3 ships it: with its default event scheduler.
        const double stock =
            RunApart([&] { return RunStockChain(packets, "ns3::MapScheduler"); }, 0);
        for (const auto& [name, run] : scenarios)
        {
            if (only.empty() || only == name)
            {
                RunApart(run, stock);
            }
        }
        if (only.empty() || only == "congestion-controls")
        {
            CompareControls(scheduler);
        }
    });
}
