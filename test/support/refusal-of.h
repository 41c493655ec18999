// SPDX-License-Identifier: GPL-2.0-only

#ifndef REFUSAL_OF_H
#define REFUSAL_OF_H

#include <stdexcept>
#include <string>

namespace ns3
{
namespace tests
{

/// @tparam Error what a call may throw; all else goes through @param call something
/// @return the message of what it throws; empty: nothing
template <typename Error = std::invalid_argument, typename Call>
std::string
RefusalOf(Call call)
{
    try
    {
        call();
    }
    catch (const Error& error)
    {
        return error.what();
    }
    return "";
}

} // namespace tests
} // namespace ns3

#endif // REFUSAL_OF_H
