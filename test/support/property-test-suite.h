// SPDX-License-Identifier: GPL-2.0-only

#ifndef PROPERTY_TEST_SUITE_H
#define PROPERTY_TEST_SUITE_H

#include "case-budget.h"

#include "ns3/test.h"

#include <string>

namespace ns3
{
namespace tests
{

/// A suite of many cases that are alike, of which it has as many as the budget allows. The first
/// twentieth is quick in ns-3's sense; the others run with --fullness=EXTENSIVE alone.
class PropertyTestSuite : public TestSuite
{
  public:
    /// @param name of the suite
    explicit PropertyTestSuite(const std::string& name)
        : TestSuite(name, Type::SYSTEM)
    {
    }

  protected:
    /// Add cases. @param all their number, without a budget @param make a new case from its number
    template <typename Make>
    void AddCases(uint32_t all, Make make)
    {
        const uint32_t cases = GetCases(all);
        for (uint32_t index = 0; index < cases; ++index)
        {
            if (index < (all + 19) / 20)
            {
                AddTestCase(make(index));
            }
            else
            {
                AddTestCase(make(index), GetLong(&PropertyTestSuite::AddTestCase));
            }
        }
    }

  private:
    /// The type of durations has another name in each of two halves of ns-3's releases.
    template <typename Duration>
    static Duration GetLong(void (TestCase::* /* add */)(TestCase*, Duration))
    {
        return Duration::EXTENSIVE;
    }
};

} // namespace tests
} // namespace ns3

#endif // PROPERTY_TEST_SUITE_H
