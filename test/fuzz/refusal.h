// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FUZZ_REFUSAL_H
#define LOSSLESS_FUZZ_REFUSAL_H

#include <string>

namespace ns3
{
namespace fuzz
{

/// A refusal must be a line that a user can read. Ends the program otherwise.
/// @param said what a parser says @param file whose text was refused; empty: none
void CheckRefusal(const std::string& said, const std::string& file = "");

} // namespace fuzz
} // namespace ns3

#endif // LOSSLESS_FUZZ_REFUSAL_H
