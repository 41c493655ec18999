// SPDX-License-Identifier: GPL-2.0-only

#ifndef CASE_BUDGET_H
#define CASE_BUDGET_H

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>

namespace ns3
{
namespace tests
{

/// The share of their cases that property tests run, if the environment does not say: that of the
/// default tier of utils/test.
constexpr double DEFAULT_BUDGET = 1;

/// The environment variable LOSSLESS_BUDGET: which share of their cases property tests run. What is
/// no share ends the program with one line, because a test that runs no case must not pass.
/// @return the share, above 0 and at most 1
inline double
GetBudget()
{
    const char* text = std::getenv("LOSSLESS_BUDGET");
    if (!text)
    {
        return DEFAULT_BUDGET;
    }
    char* end = nullptr;
    const double share = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(share > 0 && share <= 1))
    {
        std::cerr
            << "LOSSLESS_BUDGET is the share of cases that tests run, above 0 and at most 1; \""
            << text << "\" is not" << std::endl;
        std::exit(2);
    }
    return share;
}

/// @param all number of cases of a property test @return how many of them run now, at least one
inline uint32_t
GetCases(uint32_t all)
{
    return static_cast<uint32_t>(std::ceil(all * GetBudget()));
}

} // namespace tests
} // namespace ns3

#endif // CASE_BUDGET_H
