// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FUZZ_PARSERS_H
#define LOSSLESS_FUZZ_PARSERS_H

#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace fuzz
{

/// One of the parsers that a fuzzer feeds.
struct Parser
{
    const char* name;
    /// Takes an input. @return whether the parser took it; refused it, and said why, otherwise
    std::function<bool(const std::string& input)> parse;
    /// @param root folder of the repository @return inputs to begin with
    std::function<std::vector<std::string>(const std::string& root)> seeds;
};

/// @return the parsers that the fuzzer feeds; each has its own list
std::vector<Parser> AllParsers();

/// @return the parsers of files: of the HPCC simulator, and flow-size distributions
std::vector<Parser> FileParsers();

/// @return the parsers of options, attributes and words of attributes
std::vector<Parser> WordParsers();

/// @return the parsers of frames and datagrams
std::vector<Parser> FrameParsers();

/// @return words of which the inputs of WordParsers() and FileParsers() are made
std::vector<std::string> WordsOfParsers();

} // namespace fuzz
} // namespace ns3

#endif // LOSSLESS_FUZZ_PARSERS_H
