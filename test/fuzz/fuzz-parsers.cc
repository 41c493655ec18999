// SPDX-License-Identifier: GPL-2.0-only

// Feeds text and bytes to what the module reads, but for the files of jobs.

#include "fuzz-target.h"
#include "parsers.h"

namespace ns3
{
namespace fuzz
{

std::vector<Parser>
AllParsers()
{
    std::vector<Parser> all = FileParsers();
    for (const auto& some : {WordParsers(), FrameParsers()})
    {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

std::vector<std::string>
GetWords()
{
    return WordsOfParsers();
}

} // namespace fuzz
} // namespace ns3
