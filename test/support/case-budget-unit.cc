// SPDX-License-Identifier: GPL-2.0-only

#include "case-budget.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>
#include <string>

using namespace ns3::tests;

namespace
{

/// Changes LOSSLESS_BUDGET for a test.
class CaseBudget : public testing::Test
{
  protected:
    CaseBudget()
    {
        const char* before = std::getenv("LOSSLESS_BUDGET");
        m_before = before ? std::optional<std::string>(before) : std::nullopt;
    }

    ~CaseBudget() override
    {
        Set(m_before ? m_before->c_str() : nullptr);
    }

    /// @param text of the variable; nullptr: there is none
    static void Set(const char* text)
    {
        text ? setenv("LOSSLESS_BUDGET", text, 1) : unsetenv("LOSSLESS_BUDGET");
    }

  private:
    std::optional<std::string> m_before;
};

using CaseBudgetDeathTest = CaseBudget;

} // namespace

TEST_F(CaseBudget, IsAShareOfTheCasesAndNeverNone)
{
    Set(nullptr);
    EXPECT_EQ(GetCases(200), 200U);
    Set("1");
    EXPECT_EQ(GetCases(200), 200U);
    Set("0.05");
    EXPECT_EQ(GetCases(200), 10U);
    Set("1e-9");
    EXPECT_EQ(GetCases(200), 1U);
}

TEST_F(CaseBudgetDeathTest, RefusesWhatIsNoShare)
{
    for (const char* text : {"0", "-1", "1.5", "nan", "inf", "many", "0.5x", ""})
    {
        Set(text);
        EXPECT_EXIT(GetBudget(), testing::ExitedWithCode(2), "above 0 and at most 1") << text;
    }
}
