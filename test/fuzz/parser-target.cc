// SPDX-License-Identifier: GPL-2.0-only

// The first byte of an input chooses the parser. The parser takes the rest, or refuses it with one
// line that says why, with file and line where there is a file.

#include "fuzz-target.h"
#include "parsers.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace fuzz
{
namespace
{

/// What became of the inputs of a parser.
struct Count
{
    uint64_t taken{0};
    uint64_t refused{0};
};

const std::vector<Parser>&
Parsers()
{
    static const std::vector<Parser> parsers = AllParsers();
    return parsers;
}

std::vector<Count>&
Counts()
{
    static std::vector<Count> counts(Parsers().size());
    return counts;
}

} // namespace

std::vector<std::string>
GetSeeds(const std::string& root)
{
    std::vector<std::vector<std::string>> all;
    std::size_t most = 0;
    for (const Parser& parser : Parsers())
    {
        all.push_back(parser.seeds(root));
        most = std::max(most, all.back().size());
    }
    // As many for each parser, so that each gets as many inputs.
    std::vector<std::string> seeds;
    for (std::size_t i = 0; i < most; ++i)
    {
        for (std::size_t parser = 0; parser < all.size(); ++parser)
        {
            seeds.push_back(static_cast<char>(parser) + all[parser][i % all[parser].size()]);
        }
    }
    return seeds;
}

std::string
GetTally()
{
    std::ostringstream text;
    for (std::size_t i = 0; i < Parsers().size(); ++i)
    {
        text << "  " << Parsers()[i].name << ": " << Counts()[i].taken << " taken, "
             << Counts()[i].refused << " refused\n";
    }
    return text.str();
}

} // namespace fuzz
} // namespace ns3

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    using namespace ns3::fuzz;
    if (size == 0)
    {
        return 0;
    }
    const std::size_t which = data[0] % Parsers().size();
    const std::string input(data + 1, data + size);
    Parsers()[which].parse(input) ? ++Counts()[which].taken : ++Counts()[which].refused;
    return 0;
}
