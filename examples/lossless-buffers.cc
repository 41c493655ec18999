// SPDX-License-Identifier: GPL-2.0-only

// Sizes the buffers of switches, without a run.
//
//   lossless-buffers                                      headroom of usual links, by several rules
//   lossless-buffers --rate=100Gbps,400Gbps --metres=40 --mtu=4200 --csv=headroom.csv

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
    FabricProgram program("Sizes the buffers of switches: headroom of links by several rules.");
    Options options;
    program.AddOption("rate", "line rates", options.rates);
    program.AddOption("metres", "lengths of cables, 5 ns a metre", options.metres);
    program.AddOption("mtu", "longest IP packets, bytes; frames have 22 more", options.mtus);
    program.AddOption("reaction", "reaction delays of the peer to a pause", options.reactions);
    program.AddOption("cell", "bytes of a cell of the buffer", options.cells);
    program.AddOption("csv", "file for the table; empty: none", options.csv);
    return program.Run(argc, argv, [&] {
        if (!program.GetOptions().IsEmpty())
        {
            throw FabricError("--settings and --ns3::Type::Attribute have no effect here",
                              "a table of headroom has no fabric");
        }
        PrintHeadrooms(options);
    });
}
