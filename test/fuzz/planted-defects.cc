// SPDX-License-Identifier: GPL-2.0-only

// A target with defects, for the test of the driver: what each word does, the driver must notice.

#include "fuzz-target.h"

#include <stdexcept>

namespace ns3
{
namespace fuzz
{

std::vector<std::string>
GetSeeds(const std::string&)
{
    return {"nothing wrong 1", "nothing wrong 2"};
}

std::vector<std::string>
GetWords()
{
    return {"Q"};
}

std::string
GetTally()
{
    return "";
}

/// A recursion that uses up the stack. @param depth how deep it is @return a number
static int
Recurse(int depth)
{
    volatile char room[1024]{};
    return depth < 0 ? room[0] : Recurse(depth + 1) + room[depth % 1024];
}

} // namespace fuzz
} // namespace ns3

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    using namespace ns3::fuzz;
    const std::string input(data, data + size);
    const auto has = [&input](const char* word) { return input.find(word) != std::string::npos; };
    if (has("Q")) // which only a change of a seed can have
    {
        Defect("there is a Q");
    }
    if (has("throw"))
    {
        throw std::runtime_error("not caught");
    }
    if (has("exit"))
    {
        std::exit(0);
    }
    if (has("hang"))
    {
        for (volatile bool forever = true; forever;)
        {
        }
    }
    if (has("memory"))
    {
        std::vector<std::string> all;
        for (;;)
        {
            all.emplace_back(1 << 20, 'x');
        }
    }
    if (has("recursion"))
    {
        return Recurse(0) == 1;
    }
    return 0;
}
