// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FUZZ_TARGET_H
#define LOSSLESS_FUZZ_TARGET_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

/// Takes one input, as libFuzzer wants it. Ends the program if the module has a defect.
/// @param data bytes @param size their number @return 0
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size);

namespace ns3
{
namespace fuzz
{

// ---- what each target has for the driver, besides LLVMFuzzerTestOneInput(); libFuzzer does
// without

/// @param root folder of the repository @return inputs to begin with, made from files in it
std::vector<std::string> GetSeeds(const std::string& root);

/// @return words that a change of an input may put in
std::vector<std::string> GetWords();

/// @return what became of the inputs so far, lines for people
std::string GetTally();

// ---- what each target uses

/// The module has a defect: say which, and end the program so that the driver keeps the input.
/// @param what one line
[[noreturn]] inline void
Defect(const std::string& what)
{
    std::cerr << "defect: " << what << std::endl;
    std::abort();
}

} // namespace fuzz
} // namespace ns3

#endif // LOSSLESS_FUZZ_TARGET_H
