// SPDX-License-Identifier: GPL-2.0-only

// Sizes the buffers of switches, without a run.
//
//   lossless-buffers                                      headroom of usual links, by several rules
//   lossless-buffers --rate=100Gbps,400Gbps --metres=40 --mtu=4200 --csv=headroom.csv
//   lossless-buffers --buffer=32MiB --ports=32x100Gbps:100,8x400Gbps:300 --classes=2
//   lossless-buffers --cnp=50us --rate=25Gbps --flows=8   the largest Pmax that has an effect
//   lossless-buffers --config=config.txt                  what is wrong in a whole configuration

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <string>

using namespace ns3;

namespace
{

/// What the command line says.
struct Options
{
    HeadroomTexts links;
    BudgetCase budget;
    std::string ports;
    std::string config;
    std::string topology;
    std::string csv;
    Time cnp;
    uint32_t flows{1};
};

/// Headroom of links.
void
PrintHeadrooms(const Options& options)
{
    const auto rows = MakeHeadroomTable(options.links.Read());
    if (!options.csv.empty())
    {
        WriteHeadroomTable(options.csv, rows);
    }
    PrintHeadroomTable(std::cout, rows);
}

/// The buffer of a switch.
void
PrintBudget(const Options& options)
{
    const HeadroomCases links = options.links.Read();
    if (links.mtus.size() * links.reactions.size() * links.cellBytes.size() > 1)
    {
        throw FabricError("--mtu, --reaction or --cell has several values", "a switch has one");
    }
    BudgetCase budget = options.budget;
    budget.ports = SwitchBudget::ToPorts(options.ports);
    budget.link.mtuBytes = links.mtus.front();
    budget.link.reaction = links.reactions.front();
    budget.link.cellBytes = links.cellBytes.front();
    SwitchBudget(budget).Print(std::cout);
}

/// A whole configuration. @param options what the command line says @param attributes of the
/// program
/// @return number of findings
std::size_t
PrintFindings(const Options& options, const FabricOptions& attributes)
{
    FabricHelper helper(attributes);
    helper.AllowLossy();
    const Fabric fabric = options.config.empty()
                              ? helper.FromTopology(HpccFiles::ReadTopology(options.topology))
                              : HpccScenario(options.config, attributes).Build(true);
    const std::vector<Finding> findings = CheckBuffers(fabric);
    if (!options.csv.empty())
    {
        WriteFindings(options.csv, findings);
    }
    for (const Finding& finding : findings)
    {
        std::cout << finding.ToLine() << "\n";
    }
    if (findings.empty())
    {
        std::cout << "no findings: " << fabric.GetNSwitches() << " switches, "
                  << 2 * fabric.GetTopology().GetLinks().size() << " ports\n";
    }
    return findings.size();
}

/// What the options ask for. @return number of findings
std::size_t
Print(const Options& options, const FabricOptions& attributes)
{
    const bool isCheck = !options.config.empty() || !options.topology.empty();
    const bool isPmax = options.cnp.IsStrictlyPositive();
    if (!options.config.empty() + !options.topology.empty() + !options.ports.empty() + isPmax > 1)
    {
        throw FabricError("--config, --topology, --ports and --cnp ask for different things",
                          "give one of them");
    }
    if (isCheck)
    {
        return PrintFindings(options, attributes);
    }
    if (!attributes.IsEmpty())
    {
        throw FabricError("--settings and --ns3::Type::Attribute have no effect here",
                          "they need --config or --topology");
    }
    if (isPmax)
    {
        PrintEffectivePmax(std::cout, options.links.Read(), options.flows, options.cnp);
        return 0;
    }
    options.ports.empty() ? PrintHeadrooms(options) : PrintBudget(options);
    return 0;
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program(
        "Sizes the buffers of switches: a table of headroom by several rules; with --ports the "
        "budget of a switch; with --cnp the largest Pmax that has an effect; with --config or "
        "--topology what is wrong in a whole configuration, "
        "and exit status 1 if something is.");
    Options options;
    HeadroomTexts& links = options.links;
    BudgetCase& budget = options.budget;
    program.AddOption("rate", "line rates of the table", links.rates);
    program.AddOption("metres", "lengths of cables of the table, 5 ns a metre", links.metres);
    program.AddOption("mtu", "longest IP packets, bytes; frames have 22 more", links.mtus);
    program.AddOption("reaction", "reaction delays of the peer to a pause", links.reactions);
    program.AddOption("cell", "bytes of a cell of the buffer", links.cellBytes);
    program.AddOption("csv", "file for the table, or for the findings; empty: none", options.csv);
    program.AddOption("cnp",
                      "least time between two CNPs of a flow: print the largest Pmax that has an "
                      "effect, by rate and MTU",
                      options.cnp);
    program.AddNumber("flows", "flows at a port, with --cnp", options.flows, 1, 1000000);
    program.AddOption("ports", "ports of a switch: 32x100Gbps:100,8x400Gbps:300", options.ports);
    program.AddSize("buffer", "packet memory of the switch", budget.bufferBytes);
    program.AddOption("classes", "lossless classes of each port", budget.losslessClasses);
    program.AddSize("guaranteed", "guaranteed to each (port, class)", budget.guaranteedBytes);
    program.AddOption("alpha", "alpha of lossless classes", budget.alpha);
    program.AddOption("config", "check a configuration of the HPCC simulator", options.config);
    program.AddOption("topology", "check a fabric of this topology file", options.topology);
    std::size_t findings = 0;
    const int status =
        program.Run(argc, argv, [&] { findings = Print(options, program.GetOptions()); });
    return status == 0 && findings > 0 ? 1 : status;
}
