// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OPTION_USE_H
#define LOSSLESS_OPTION_USE_H

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Whether an option of something, such as a job or the reader of a file, has an effect.
struct OptionUse
{
    std::string name;  //!< as the field of its options is called, such as "channels"
    bool isSet{false}; //!< it has another value than without being set
    bool isUsed{true}; //!< it has an effect
    std::string need;  //!< when it has, such as "a collective that names no channels"
};

/// @ingroup lossless
/// Name in one line each, on standard error, options that are set and have no effect.
/// @param who has the options, such as "job a" @param uses all of them
void WarnOfUnused(const std::string& who, const std::vector<OptionUse>& uses);

} // namespace ns3

#endif // LOSSLESS_OPTION_USE_H
