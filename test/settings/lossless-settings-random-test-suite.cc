// SPDX-License-Identifier: GPL-2.0-only

// Random fabrics whose settings change at random times: where Fabric::CheckLossless() finds
// nothing, nothing lossless is dropped; no pause stays, and all books are empty at the end.
//
// A case that fails names its number, and runs alone with
//   LOSSLESS_BUDGET=1 NS_GLOBAL_VALUE="SettingsCase=17" lossless-test-runner
//     --suite=lossless-settings-random --fullness=EXTENSIVE

#include "fabric-test-case.h"
#include "property-test-suite.h"
#include "random-settings.h"

#include "ns3/global-value.h"
#include "ns3/integer.h"

#include <iostream>
#include <string>

using namespace ns3;
using namespace ns3::tests;

namespace
{

constexpr uint32_t CASES = 1000;
constexpr uint32_t ENOUGH = 50; //!< cases to tell of what the cases have in them

/// One of the random fabrics alone.
GlobalValue g_case("SettingsCase",
                   "Run only this one of the random fabrics of lossless-settings-random; -1: all",
                   IntegerValue(-1),
                   MakeIntegerChecker<int32_t>(-1));

/// What the cases had in them, together.
struct Coverage
{
    uint32_t cases{0};    //!< that ran
    uint32_t changes{0};  //!< changes that were made
    uint32_t refused{0};  //!< changes that were refused
    uint32_t stored{0};   //!< changes that were made with frames stored
    uint32_t paused{0};   //!< changes that were made while a class was paused
    uint32_t findings{0}; //!< cases in which CheckLossless() found something, or data was remapped
};

Coverage g_coverage;

/// One random fabric.
class RandomSettingsTest : public FabricTestCase
{
  public:
    explicit RandomSettingsTest(uint32_t index)
        : FabricTestCase("Settings that change in random fabric " + std::to_string(index)),
          m_index(index)
    {
    }

  private:
    void DoRun() override
    {
        IntegerValue only;
        g_case.GetValue(only);
        if (only.Get() >= 0 && only.Get() != m_index)
        {
            return;
        }
        RandomSettings settings(Dice(m_index), Dice(1000000 + m_index), RandomFabric::USUAL);
        const std::string wrong = settings.Run();
        NS_TEST_EXPECT_MSG_EQ(wrong, "", "case " << m_index << ": " << settings.Describe());
        const RandomSettings::Changes& changes = settings.GetChanges();
        ++g_coverage.cases;
        g_coverage.changes += changes.made;
        g_coverage.refused += changes.refused;
        g_coverage.stored += changes.stored;
        g_coverage.paused += changes.paused;
        g_coverage.findings += !settings.IsLossless();
    }

    int32_t m_index;
};

/// The random fabrics were hard enough.
class CoverageTest : public FabricTestCase
{
  public:
    CoverageTest()
        : FabricTestCase("The settings changed with frames stored, and under pauses")
    {
    }

  private:
    void DoRun() override
    {
        const Coverage& c = g_coverage;
        std::cout << c.cases << " random fabrics: " << c.changes << " changes, " << c.stored
                  << " with frames stored, " << c.paused << " under a pause, " << c.refused
                  << " refused; " << c.findings << " fabrics not lossless by the check\n";
        if (c.cases >= ENOUGH)
        {
            NS_TEST_EXPECT_MSG_GT(c.changes, c.cases * RandomSettings::CHANGES / 2, "changes");
            NS_TEST_EXPECT_MSG_GT(c.stored, c.changes / 10, "with frames stored");
            NS_TEST_EXPECT_MSG_GT(c.paused, c.changes / 50, "under a pause");
            NS_TEST_EXPECT_MSG_LT(c.findings, c.cases / 2, "lossless by the check");
        }
    }
};

/// The suite.
class SettingsRandomTestSuite : public PropertyTestSuite
{
  public:
    SettingsRandomTestSuite()
        : PropertyTestSuite("lossless-settings-random")
    {
        AddCases(CASES, [](uint32_t index) { return new RandomSettingsTest(index); });
        AddTestCase(new CoverageTest);
    }
};

SettingsRandomTestSuite g_settingsRandomTestSuite;

} // namespace
