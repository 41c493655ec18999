// SPDX-License-Identifier: GPL-2.0-only

// Sizes the buffers of switches, without a run.
//
//   lossless-buffers                                      headroom of usual links, by several rules
//   lossless-buffers --rate=100Gbps,400Gbps --metres=40 --mtu=4200 --csv=headroom.csv
//   lossless-buffers --buffer=32MiB --ports=32x100Gbps:100,8x400Gbps:300 --classes=2

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <limits>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// What the command line says.
struct Options
{
    std::vector<std::string>
        rates{"10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"};
    std::vector<std::string> metres{"5", "15", "100", "300"};
    std::vector<std::string> mtus{"1500"};
    std::vector<std::string> reactions{"0"};
    std::vector<std::string> cells{"208"};
    std::string ports;
    uint64_t buffer{32 * 1024 * 1024};
    uint32_t classes{1};
    uint64_t guaranteed{1518};
    double alpha{0.125};
    std::string csv;
};

/// @param name of an option @param texts its values @param read makes a value of a text and the
/// name
/// @return the values
template <typename Read>
auto
ReadAll(const std::string& name, const std::vector<std::string>& texts, Read&& read)
{
    std::vector<decltype(read(name, name))> values;
    for (const std::string& text : texts)
    {
        values.push_back(read(text, name));
    }
    if (values.empty())
    {
        throw FabricError(name + " is empty", "give a value, or several with commas between");
    }
    return values;
}

/// @param text a whole number @param name of its option @return the number
uint32_t
ToNumber(const std::string& text, const std::string& name)
{
    return static_cast<uint32_t>(
        FabricText::ToUint(text, name, std::numeric_limits<uint32_t>::max()));
}

/// @param text a rate @param name of its option @return the rate
DataRate
ToRate(const std::string& text, const std::string& name)
{
    return FabricText::ToRate(text, name);
}

/// @param text a time @param name of its option @return the time
Time
ToTime(const std::string& text, const std::string& name)
{
    return FabricText::ToTime(text, name);
}

/// @param name of an option @param values its values @return the only one
template <typename Value>
Value
OnlyOne(const std::string& name, const std::vector<Value>& values)
{
    if (values.size() != 1)
    {
        throw FabricError(name + " has " + std::to_string(values.size()) + " values",
                          "a switch has one");
    }
    return values.front();
}

/// The buffer of a switch.
void
PrintBudget(const Options& options)
{
    BudgetCase input;
    input.bufferBytes = options.buffer;
    input.ports = SwitchBudget::ToPorts(options.ports);
    input.losslessClasses = options.classes;
    input.guaranteedBytes = options.guaranteed;
    input.alpha = options.alpha;
    input.link.mtuBytes = OnlyOne("--mtu", ReadAll("--mtu", options.mtus, ToNumber));
    input.link.reaction = OnlyOne("--reaction", ReadAll("--reaction", options.reactions, ToTime));
    input.link.cellBytes = OnlyOne("--cell", ReadAll("--cell", options.cells, ToNumber));
    SwitchBudget(input).Print(std::cout);
}

/// Headroom of links.
void
PrintHeadrooms(const Options& options)
{
    const auto rows = MakeHeadroomTable(ReadAll("--rate", options.rates, ToRate),
                                        ReadAll("--metres", options.metres, ToNumber),
                                        ReadAll("--mtu", options.mtus, ToNumber),
                                        ReadAll("--reaction", options.reactions, ToTime),
                                        ReadAll("--cell", options.cells, ToNumber));
    if (!options.csv.empty())
    {
        WriteHeadroomTable(options.csv, rows);
    }
    PrintHeadroomTable(std::cout, rows);
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program(
        "Sizes the buffers of switches: a table of headroom by several rules; or, "
        "with --ports, the budget of a switch.");
    Options options;
    program.AddOption("rate", "line rates of the table", options.rates);
    program.AddOption("metres", "lengths of cables of the table, 5 ns a metre", options.metres);
    program.AddOption("mtu", "longest IP packets, bytes; frames have 22 more", options.mtus);
    program.AddOption("reaction", "reaction delays of the peer to a pause", options.reactions);
    program.AddOption("cell", "bytes of a cell of the buffer", options.cells);
    program.AddOption("csv", "file for the table; empty: none", options.csv);
    program.AddOption("ports",
                      "budget of a switch with these ports: number, rate, metres of each group, "
                      "such as 32x100Gbps:100,8x400Gbps:300",
                      options.ports);
    program.AddSize("buffer", "packet memory of the switch", options.buffer);
    program.AddOption("classes", "lossless classes of each port", options.classes);
    program.AddSize("guaranteed", "guaranteed to each (port, class)", options.guaranteed);
    program.AddOption("alpha", "alpha of lossless classes", options.alpha);
    const auto isBudget = [&options] { return !options.ports.empty(); };
    program.Needs({"rate", "metres", "csv"}, [&] { return !isBudget(); }, "no --ports");
    program.Needs({"buffer", "classes", "guaranteed", "alpha"}, isBudget, "--ports");
    return program.Run(argc, argv, [&] {
        if (!program.GetOptions().IsEmpty())
        {
            throw FabricError("--settings and --ns3::Type::Attribute have no effect here",
                              "there is no fabric");
        }
        isBudget() ? PrintBudget(options) : PrintHeadrooms(options);
    });
}
