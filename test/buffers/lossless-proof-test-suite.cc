// SPDX-License-Identifier: GPL-2.0-only

// Losslessness is proved before the run: a random configuration passes CheckLossless() if and only
// if the worst traffic loses no frame of a lossless class. What passes and loses is a failure. What
// is found and loses nothing is counted and printed.
//
// A case that fails names its number, and runs alone with
//   NS_GLOBAL_VALUE="ProofCase=17" lossless-test-runner --suite=lossless-proof --fullness=EXTENSIVE

#include "fabric-test-case.h"
#include "property-test-suite.h"
#include "random-scene.h"

#include "ns3/global-value.h"
#include "ns3/integer.h"

#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::tests;

namespace
{

constexpr uint32_t CASES = 500;
constexpr uint32_t ENOUGH = 100; //!< cases to judge by

/// One of the random cases alone.
GlobalValue g_case("ProofCase",
                   "Run only this one of the random cases of lossless-proof; -1: all",
                   IntegerValue(-1),
                   MakeIntegerChecker<int32_t>(-1));

/// What the cases came to.
struct Tally
{
    uint32_t cases{0};              //!< that ran
    uint32_t found{0};              //!< cases with findings
    uint32_t falseAlarms{0};        //!< found, and nothing was lost
    uint32_t missed{0};             //!< not found, and something was lost
    std::vector<std::string> lines; //!< findings of the false alarms
};

Tally g_tally;

class ProofTest : public FabricTestCase
{
  public:
    explicit ProofTest(uint32_t index)
        : FabricTestCase("Random configuration " + std::to_string(index)),
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
        RandomScene random(Dice(7000 + m_index));
        WorstCase& scene = *random.scene;
        const auto findings = scene.Check();
        scene.Run();
        const std::string text = "case " + std::to_string(m_index) + ": " + random.text;
        const bool lost = scene.GetDrops() > 0;
        ++g_tally.cases;
        g_tally.found += !findings.empty();
        g_tally.missed += findings.empty() && lost;
        NS_TEST_EXPECT_MSG_EQ((findings.empty() && lost), false, "passes, and drops: " << text);
        if (!findings.empty() && !lost)
        {
            ++g_tally.falseAlarms;
            g_tally.lines.push_back("case " + std::to_string(m_index) + ": " + findings[0]);
        }
        if (only.Get() >= 0)
        {
            std::cout << text << "\n" << scene.GetDrops() << " drops\n";
            for (const auto& finding : findings)
            {
                std::cout << finding << "\n";
            }
        }
        NS_TEST_EXPECT_MSG_EQ(scene.fabricSwitch->GetMmu()->CheckInvariants(), "", text);
    }

    uint32_t m_index;
};

/// The sum of all cases.
class TallyTest : public FabricTestCase
{
  public:
    TallyTest()
        : FabricTestCase("Few findings are false alarms")
    {
    }

  private:
    void DoRun() override
    {
        const Tally& t = g_tally;
        std::cout << "random configurations: " << t.cases << " of " << CASES << ", with findings "
                  << t.found << ", of which nothing was lost in " << t.falseAlarms
                  << "; without findings " << t.cases - t.found << ", of which lost " << t.missed
                  << "\n";
        for (const auto& line : t.lines)
        {
            std::cout << "  nothing lost, " << line << "\n";
        }
        NS_TEST_EXPECT_MSG_GT(t.cases, 0, "no case has run");
        NS_TEST_EXPECT_MSG_EQ(t.missed, 0, "what passes loses nothing");
        if (t.cases >= ENOUGH)
        {
            NS_TEST_EXPECT_MSG_GT(t.found, t.cases / 4, "findings");
            NS_TEST_EXPECT_MSG_LT(t.found, 3 * t.cases / 4, "cases without");
            NS_TEST_EXPECT_MSG_LT(20 * t.falseAlarms, t.found, "false alarms, at most 5 %");
        }
    }
};

class ProofTestSuite : public PropertyTestSuite
{
  public:
    ProofTestSuite()
        : PropertyTestSuite("lossless-proof")
    {
        AddCases(CASES, [](uint32_t index) { return new ProofTest(index); });
        AddTestCase(new TallyTest);
    }
};

ProofTestSuite g_proofTestSuite; //!< registers the suite

} // namespace
