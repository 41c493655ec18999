// SPDX-License-Identifier: GPL-2.0-only
#include "headroom-table.h"

#include "text-columns.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/lossless-link.h"

#include <limits>
#include <sstream>
#include <stdexcept>

namespace ns3
{

namespace
{

constexpr uint64_t MOST_RATE = 10000000000000;
constexpr uint32_t LEAST_MTU = 68; // of QbbNetDevice
constexpr uint32_t MOST_MTU = 9216;
constexpr uint32_t MOST_CELL = 65536;
constexpr uint64_t PS_PER_METRE = 5000;

/// FabricError unless a number is in its range. @param what its name @param number the number
/// @param least smallest @param most largest
void
RequireRange(const std::string& what, uint64_t number, uint64_t least, uint64_t most)
{
    if (number < least || number > most)
    {
        throw FabricError(what + " is " + std::to_string(number),
                          "it must be " + std::to_string(least) + " to " + std::to_string(most));
    }
}

/// @param rule computes a headroom @return the headroom; none: the rule has no constants for it
template <typename Rule>
auto
IfKnown(Rule&& rule) -> std::optional<decltype(rule())>
{
    try
    {
        return rule();
    }
    catch (const std::invalid_argument&)
    {
        return std::nullopt;
    }
}

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

/// @param bytes a number, or none @return it for people
std::string
OrDash(const std::optional<uint64_t>& bytes)
{
    return bytes ? WithCommas(*bytes) : "-";
}

} // namespace

std::string
GigabitsOf(const DataRate& rate)
{
    std::ostringstream text;
    text.precision(12);
    text << static_cast<double>(rate.GetBitRate()) / 1e9;
    return text.str();
}

HeadroomLink
LinkOf(const HeadroomCase& input)
{
    RequireRange("the rate in bit/s", input.rate.GetBitRate(), 1, MOST_RATE);
    RequireRange("the length of the cable in metres", input.metres, 0, HeadroomCase::MOST_METRES);
    RequireRange("the MTU", input.mtuBytes, LEAST_MTU, MOST_MTU);
    RequireRange("the size of a cell in bytes", input.cellBytes, 1, MOST_CELL);
    if (input.reaction.IsStrictlyNegative() || input.reaction > Seconds(1))
    {
        throw FabricError("the reaction delay is out of range", "it must be 0 to 1 s");
    }
    HeadroomLink link;
    link.bitsPerSecond = input.rate.GetBitRate();
    link.delayPs = PS_PER_METRE * input.metres;
    link.maxFrameBytes = LongestFrameBytes(input.mtuBytes);
    link.reverseMaxFrameBytes = link.maxFrameBytes;
    link.reactionPs = input.reaction.GetPicoSeconds();
    link.format = input.format;
    return link;
}

HeadroomRow
HeadroomOf(const HeadroomCase& input)
{
    const HeadroomLink link = LinkOf(input);
    HeadroomRow row;
    row.input = input;
    row.wireBytes = HeadroomWireBytes(link);
    row.bytes = HeadroomBytes(link, input.cellBytes);
    row.cells = row.bytes / input.cellBytes;
    const uint32_t frame = link.maxFrameBytes;
    row.standardBytes = IfKnown(
        [&] { return StandardHeadroomBytes(link.bitsPerSecond, input.metres, frame, frame); });
    SonicPort port;
    port.bitsPerSecond = link.bitsPerSecond;
    port.metres = input.metres;
    port.mtuBytes = frame;
    port.losslessMtuBytes = frame;
    port.cellBytes = input.cellBytes;
    row.sonic = IfKnown([&] { return SonicHeadroomBytes(port); });
    row.deploymentCells = DeploymentHeadroomCells(link.bitsPerSecond, input.metres);
    return row;
}

HeadroomCases
HeadroomTexts::Read() const
{
    const auto toNumber = [](const std::string& text, const std::string& name) {
        return static_cast<uint32_t>(
            FabricText::ToUint(text, name, std::numeric_limits<uint32_t>::max()));
    };
    const auto toRate = [](const std::string& text, const std::string& name) {
        return FabricText::ToRate(text, name);
    };
    const auto toTime = [](const std::string& text, const std::string& name) {
        return FabricText::ToTime(text, name);
    };
    return {ReadAll("--rate", rates, toRate),
            ReadAll("--metres", metres, toNumber),
            ReadAll("--mtu", mtus, toNumber),
            ReadAll("--reaction", reactions, toTime),
            ReadAll("--cell", cellBytes, toNumber)};
}

std::vector<HeadroomRow>
MakeHeadroomTable(const HeadroomCases& cases)
{
    std::vector<HeadroomRow> rows;
    HeadroomCase input;
    for (const DataRate& rate : cases.rates)
    {
        input.rate = rate;
        for (const uint32_t metres : cases.metres)
        {
            input.metres = metres;
            for (const uint32_t mtu : cases.mtus)
            {
                input.mtuBytes = mtu;
                for (const Time& reaction : cases.reactions)
                {
                    input.reaction = reaction;
                    for (const uint32_t cell : cases.cellBytes)
                    {
                        input.cellBytes = cell;
                        rows.push_back(HeadroomOf(input));
                    }
                }
            }
        }
    }
    return rows;
}

void
PrintHeadroomTable(std::ostream& stream, const std::vector<HeadroomRow>& rows)
{
    std::vector<std::vector<std::string>> lines{
        {"rate",
         "cable",
         "MTU",
         "reaction",
         "cell",
         "exact: wire",
         "cells",
         "bytes",
         "802.1Qbb",
         "SONiC: xoff",
         "xon",
         "size",
         "deployment"},
        {"Gb/s", "m", "B", "us", "B", "B", "", "B", "B", "B", "B", "B", "208 B cells"}};
    for (const HeadroomRow& row : rows)
    {
        std::ostringstream reaction;
        reaction << row.input.reaction.ToDouble(Time::US);
        std::vector<std::string> line{GigabitsOf(row.input.rate),
                                      std::to_string(row.input.metres),
                                      std::to_string(row.input.mtuBytes),
                                      reaction.str(),
                                      std::to_string(row.input.cellBytes),
                                      WithCommas(row.wireBytes),
                                      WithCommas(row.cells),
                                      WithCommas(row.bytes),
                                      OrDash(row.standardBytes)};
        for (const auto part : {&SonicHeadroom::xoff, &SonicHeadroom::xon, &SonicHeadroom::size})
        {
            line.push_back(row.sonic ? WithCommas((*row.sonic).*part) : "-");
        }
        line.push_back(WithCommas(row.deploymentCells));
        lines.push_back(line);
    }
    PrintColumns(stream, lines);
}

} // namespace ns3
