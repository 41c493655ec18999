// SPDX-License-Identifier: GPL-2.0-only

// A tenth of the flows are elephants and carry 85 % of the bytes. Do mice gain when the switches
// give elephants a class of their own, and do elephants lose? The same flows run in one class, in
// two classes with moves at gaps, and in two with moves at once, which reorder. With --lossy they
// run without ECN in one lossy class, where elephants are dropped as mice are, or first.
//
//   elephants-and-mice --repeats=3 --load=0.6 --elephantBytes=100KB
//   elephants-and-mice --lossy

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr double MOUSE = 60000;      //!< bytes
constexpr double ELEPHANT = 3060000; //!< bytes: 0.1 * ELEPHANT is 85 % of the mean

/// A name, and attributes of the ElephantSeparator; empty: none.
using Case = std::pair<std::string, std::string>;

/// Run the flows once, and print a line. @param helper of the fabric @param options of the run
/// @param load of the hosts' links @param lossy whether they run in a lossy class, without ECN
void
RunCase(FabricHelper& helper, const RunOptions& options, double load, bool lossy)
{
    helper.SetLosslessClasses({3, 4});
    helper.SetScheduler("ns3::DwrrScheduler"); // equal weights
    if (lossy)
    {
        helper.AllowLossy();
        helper.SetEcn("ns3::ColouredWredMarker");
        helper.SetQueuePair("EcnCapable",
                            BooleanValue(false),
                            "LossRecovery",
                            StringValue("ns3::RdmaIrn"));
    }
    const Fabric fabric = helper.LeafSpine(2, 2, 4);
    FabricRun run(fabric, options);
    if (lossy)
    {
        run.Rdma().SetClass(1);
    }
    const FlowSizeDistribution sizes({{MOUSE, 0}, {MOUSE, 90}, {ELEPHANT, 90}, {ELEPHANT, 100}});
    run.Rdma().Poisson(sizes, load, MilliSeconds(4));
    std::vector<double> mice{};      // FCTs, us
    std::vector<double> elephants{}; // rates, Gb/s
    run.Rdma().OnEnd([&](const RdmaFlowResult& result) {
        const bool isMouse = result.flow.bytes < ELEPHANT;
        const double us = result.fct.ToDouble(Time::US);
        (isMouse ? mice : elephants).push_back(isMouse ? us : 8e-3 * result.flow.bytes / us);
    });
    const RunTotals totals = run.Execute().totals;
    const auto counters = totals.elephants.value_or(ElephantSeparator::Counters());
    if (mice.empty() || elephants.empty())
    {
        throw FabricError("there are no mice, or no elephants", "let --load be higher");
    }
    const auto mean = [](const std::vector<double>& all) {
        return std::accumulate(all.begin(), all.end(), 0.0) / all.size();
    };
    std::sort(mice.begin(), mice.end());
    std::cout << std::fixed << std::setprecision(1) << std::setw(11) << mean(mice) << std::setw(10)
              << mice[mice.size() * 99 / 100] << std::setw(17) << mean(elephants) << std::setw(7)
              << counters.moves << std::setw(13) << counters.reorderings << std::setw(6)
              << totals.rdma.naksReceived << std::endl;
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("Do mice gain, and elephants lose, when they wait in queues apart?");
    uint32_t repeats = 3;
    double load = 0.6;
    bool lossy = false;
    uint64_t bytes = 100000;
    program.AddOption("repeats", "how many sets of flows", repeats);
    program.AddOption("load", "of the links of hosts, 0 to 1", load);
    program.AddOption("lossy", "whether the flows run in a lossy class, without ECN", lossy);
    program.AddSize("elephantBytes", "bytes that make an elephant", bytes);
    program.StandsFor("elephantBytes", {"ns3::ElephantSeparator::ElephantBytes"});
    return program.Run(argc, argv, [&] {
        std::cout
            << "                  mice: mean us    p99 us  elephants: Gb/s  moves  reorderings"
               "  NAKs\n";
        const std::vector<Case> cases =
            lossy ? std::vector<Case>{{"one colour", ""},
                                      {"yellow elephants",
                                       "MouseClass=1|ElephantClass=1|ElephantColour=Yellow"}}
                  : std::vector<Case>{{"one class", ""},
                                      {"AtFlowletGap", "Move=AtFlowletGap"},
                                      {"Immediate", "Move=Immediate"}};
        RunOptions options;
        const uint64_t first = RngSeedManager::GetRun(); // --run
        for (options.rngRun = first; *options.rngRun < first + repeats; ++*options.rngRun)
        {
            for (const auto& [name, attributes] : cases)
            {
                FabricHelper helper(program.GetOptions());
                if (!attributes.empty())
                {
                    helper.AddSwitchExtension("ns3::ElephantSeparator[" + attributes +
                                              "|ElephantBytes=" + std::to_string(bytes) + "]");
                }
                std::cout << std::left << std::setw(21) << name << std::right;
                RunCase(helper, options, load, lossy);
            }
        }
    });
}
