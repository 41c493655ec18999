// SPDX-License-Identifier: GPL-2.0-only

// Losslessness is proved before the run: a random configuration passes CheckLossless() if and only
// if the worst traffic loses no frame of a lossless class. What passes and loses is a failure. What
// is found and loses nothing is counted and printed.
//
// A case that fails names its number, and runs alone with
//   NS_GLOBAL_VALUE="ProofCase=17" lossless-test-runner --suite=lossless-proof --fullness=EXTENSIVE

#include "fabric-test-case.h"
#include "property-test-suite.h"
#include "random-fabric.h"
#include "worst-case.h"

#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/headroom.h"
#include "ns3/integer.h"
#include "ns3/lossless-link.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::tests;

namespace
{

constexpr uint32_t CASES = 500;
constexpr uint32_t ENOUGH = 100; //!< cases to judge by
constexpr uint64_t GBPS = 1000000000;

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

/// A configuration drawn from a number.
class RandomScene
{
  public:
    explicit RandomScene(uint32_t index)
        : m_dice(7000 + index)
    {
        using Classes = std::vector<uint32_t>;
        m_classes = m_dice.Pick<Classes>({{3}, {3}, {3, 4}, {0, 3, 5}});
        scene = std::make_unique<WorstCase>(m_classes);
        DrawMmu();
        const uint64_t senders = m_dice.Between(1, 4);
        // In half of the cases nothing is wrong on purpose.
        m_flawed = m_dice.Chance(50) ? static_cast<uint32_t>(m_dice.Below(senders + 1)) : NOBODY;
        for (uint32_t i = 0; i < senders; ++i)
        {
            DrawSender(i == m_flawed);
        }
        DrawBuffer();
        if (m_dice.Chance(30))
        {
            DrawNic(m_flawed == senders);
        }
        if (m_dice.Chance(25))
        {
            text += ", lossy traffic";
            scene->AddLossyTraffic(1000);
        }
        scene->CutBuffer(m_dice.Pick<uint64_t>({0, 1, 1000, 10000, 100000, 1000000}));
    }

    std::unique_ptr<WorstCase> scene; //!< the scene
    std::string text;                 //!< what was drawn

  private:
    static constexpr uint32_t NOBODY = ~0U;

    /// @param low @param high factors in percent @return a factor
    double Factor(uint32_t low, uint32_t high)
    {
        return static_cast<double>(m_dice.Between(low, high)) / 100;
    }

    void DrawMmu()
    {
        const auto mmu = scene->fabricSwitch->GetMmu();
        const uint64_t cell = m_dice.Pick<uint64_t>({1, 80, 144, 208, 208, 256, 1024});
        const double alpha = std::ldexp(8, -static_cast<int>(m_dice.Below(11))); // 8 .. 1/128
        const uint64_t guaranteed = m_dice.Pick<uint64_t>({0, 1518, 1518, 9238});
        mmu->SetAttribute("CellBytes", UintegerValue(cell));
        mmu->SetAttribute("Alpha", DoubleValue(alpha));
        mmu->SetAttribute("GuaranteedBytes", UintegerValue(guaranteed));
        mmu->SetAttribute("XonOffset", UintegerValue(m_dice.Pick<uint64_t>({0, 3072})));
        const bool lastBit = m_dice.Chance(50);
        scene->fabricSwitch->SetAttribute("ReleaseAt",
                                          StringValue(lastBit ? "LastBit" : "DequeueStart"));
        text = std::to_string(m_classes.size()) + " classes, cell " + std::to_string(cell) +
               ", alpha " + std::to_string(alpha) + ", guaranteed " + std::to_string(guaranteed);
    }

    LinkEnd DrawEnd()
    {
        LinkEnd end;
        end.rate =
            DataRate(GBPS * m_dice.Pick<uint64_t>({1, 10, 25, 40, 100, 200, 400, 800, 1600}));
        end.mtu = m_dice.Pick<uint32_t>({576, 1500, 1500, 4200, 9000, 9198});
        end.reaction = m_dice.Chance(50) ? Time(0) : NanoSeconds(m_dice.Between(1, 3000));
        end.pfcClasses = 0;
        for (const uint32_t cls : m_classes)
        {
            end.pfcClasses |= 1U << cls;
        }
        return end;
    }

    /// Draw a link. @param host sender's end @param port end that pauses @return its delay
    Time DrawLink(LinkEnd& host, LinkEnd& port)
    {
        host = DrawEnd();
        port = DrawEnd();
        if (m_dice.Chance(60))
        {
            host.rate = port.rate;
        }
        port.quanta = m_dice.Pick<uint32_t>({65535, 65535, 30000, 5000});
        if (m_dice.Chance(20))
        {
            host.dialect = "EndlessXoff";
            port.dialect = m_dice.Pick<std::string>({"EndlessXoff", "Standard", "ShortQuanta"});
        }
        if (m_dice.Chance(20))
        {
            port.refresh = PauseOf(host, port) * static_cast<int64_t>(m_dice.Between(20, 80)) / 100;
        }
        const Time delay = m_dice.Chance(10)
                               ? Time(0)
                               : NanoSeconds(m_dice.Between(1, m_dice.Chance(70) ? 1500 : 10000));
        text += "; " + Text(host) + " to " + Text(port) + " over " +
                std::to_string(delay.GetNanoSeconds()) + " ns";
        return delay;
    }

    static Time PauseOf(const LinkEnd& host, const LinkEnd& port)
    {
        return PicoSeconds(static_cast<int64_t>(512e12 * port.quanta /
                                                static_cast<double>(host.rate.GetBitRate())));
    }

    static std::string Text(const LinkEnd& end)
    {
        return std::to_string(end.rate.GetBitRate() / GBPS) + "G MTU " + std::to_string(end.mtu) +
               " " + end.dialect + " quanta " + std::to_string(end.quanta) + " refresh " +
               std::to_string(end.refresh.GetNanoSeconds()) + " reaction " +
               std::to_string(end.reaction.GetNanoSeconds());
    }

    /// A mistake about pauses. @param host sender's end @param port end that pauses
    void SpoilPauses(LinkEnd& host, LinkEnd& port)
    {
        switch (m_dice.Below(6))
        {
        case 0:
            port.refresh =
                PauseOf(host, port) * static_cast<int64_t>(m_dice.Between(90, 130)) / 100;
            break;
        case 1:
            port.refresh = Time(0);
            break;
        case 2:
            port.dialect = m_dice.Pick<std::string>({"EndlessXoff", "ShortQuanta"});
            break;
        case 3:
            port.quanta = m_dice.Between(1, 400);
            break;
        case 4:
            host.pfcClasses &= ~(1U << m_dice.Pick(m_classes));
            break;
        default:
            port.pfcClasses &= ~(1U << m_dice.Pick(m_classes));
            break;
        }
    }

    void DrawSender(bool flawed)
    {
        LinkEnd host;
        LinkEnd port;
        Time delay = DrawLink(host, port);
        const bool spoilt = flawed && m_dice.Chance(60);
        if (spoilt)
        {
            SpoilPauses(host, port);
            text += " (spoilt: " + Text(host) + " to " + Text(port) + ")";
        }
        const uint32_t index = scene->AddSender(host, port, delay);
        const auto mmu = scene->fabricSwitch->GetMmu();
        mmu->SetAttribute("BufferSize", UintegerValue(uint64_t{1} << 30));
        const uint32_t cls = m_dice.Pick(m_classes);
        if (m_dice.Chance(30))
        {
            const uint64_t bytes = m_dice.Pick<uint64_t>({0, 1, 3000, 30000, 200000, 1 << 29});
            mmu->SetStaticThreshold(index, cls, bytes);
            text += " static " + std::to_string(bytes);
        }
        if (!flawed || spoilt)
        {
            return;
        }
        if (m_dice.Chance(15))
        {
            mmu->SetLossy(index, cls);
            text += " (SetLossy)";
            return;
        }
        UintegerValue cell;
        mmu->GetAttribute("CellBytes", cell);
        const auto link = GetHeadroomLink(*scene->fabricSwitch->GetPort(index));
        const uint64_t headroom = HeadroomBytes(link, cell.Get()) * m_dice.Between(20, 130) / 100;
        mmu->SetLossless(index, cls, headroom);
        text += " (headroom " + std::to_string(headroom) + ")";
    }

    void DrawBuffer()
    {
        if (!m_dice.Chance(25))
        {
            return;
        }
        uint64_t needed = 0;
        const auto mmu = scene->fabricSwitch->GetMmu();
        scene->fabricSwitch->Start();
        for (uint32_t port = 0; port < scene->hosts.size(); ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                const auto link = GetHeadroomLink(*scene->fabricSwitch->GetPort(port));
                needed += mmu->IsLossless(port, cls)
                              ? HeadroomBytes(link, mmu->GetCellSize().Bytes())
                              : 0;
            }
        }
        const double factor = m_flawed == NOBODY ? Factor(100, 130) : Factor(30, 120);
        const auto pool = static_cast<uint64_t>(factor * static_cast<double>(needed));
        mmu->SetAttribute("SharedHeadroomPool", UintegerValue(pool));
        text += ", pool " + std::to_string(pool);
    }

    void DrawNic(bool flawed)
    {
        LinkEnd host;
        LinkEnd port;
        text += ", NIC";
        const Time delay = DrawLink(host, port);
        if (flawed && m_dice.Chance(50))
        {
            SpoilPauses(host, port);
            text += " (spoilt: " + Text(host) + " to " + Text(port) + ")";
        }
        scene->AddNic(host, port, delay, 1000000);
        const uint64_t needed = HeadroomBytes(GetHeadroomLink(*scene->nic), 1);
        const double factor = flawed ? Factor(30, 150) : Factor(100, 300);
        const auto bytes = static_cast<uint64_t>(factor * static_cast<double>(needed)) + 1;
        scene->rdma->GetReceiveBuffer(0)->SetAttribute("BufferBytes", UintegerValue(bytes));
        text += " buffer " + std::to_string(bytes);
    }

    Dice m_dice;
    std::vector<uint32_t> m_classes;
    uint32_t m_flawed{NOBODY};
};

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
        RandomScene random(m_index);
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
