// SPDX-License-Identifier: GPL-2.0-only

// PFC from the buffer of a switch: incast, headroom, cuts, pauses.

#include "switch-test-star.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;

namespace
{

/// Incast into one host: lossless with the default headroom, in both release modes.
class IncastTest : public SwitchTestCase
{
  public:
    IncastTest(std::string releaseAt, uint64_t cellBytes, uint32_t frameBytes)
        : SwitchTestCase("Pitfall 1: incast without a drop, release at " + releaseAt +
                         ", cells of " + std::to_string(cellBytes) + ", frames of " +
                         std::to_string(frameBytes)),
          m_releaseAt(releaseAt),
          m_cellBytes(cellBytes),
          m_frameBytes(frameBytes)
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t senders = 16;
        const uint32_t frames = 400;
        Star star(senders + 1);
        star.fabricSwitch->SetAttribute("ReleaseAt", StringValue(m_releaseAt));
        auto mmu = star.fabricSwitch->GetMmu();
        mmu->SetAttribute("CellBytes", UintegerValue(m_cellBytes));
        mmu->SetAttribute("BufferSize", UintegerValue(2 * 1024 * 1024));
        for (uint32_t i = 0; i < senders; ++i)
        {
            Simulator::Schedule(NanoSeconds(i), [&star, i, this] {
                star.Send(i, senders, 3, frames, m_frameBytes);
            });
            // The other way too, so that PFC frames meet data.
            Simulator::Schedule(NanoSeconds(i),
                                [&star, i, this] { star.Send(senders, i, 3, 20, m_frameBytes); });
        }
        Simulator::Run();
        uint64_t xoff = 0;
        for (uint32_t i = 0; i < senders; ++i)
        {
            xoff += mmu->GetIngress(i, 3).xoffCount;
            NS_TEST_EXPECT_MSG_EQ(mmu->GetIngress(i, 3).xoffCount,
                                  mmu->GetIngress(i, 3).xonCount,
                                  "every pause ends");
            NS_TEST_EXPECT_MSG_EQ(star.host[i].arrivals.size(), 20, "reverse traffic");
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(xoff, senders, "PFC works hard");
        NS_TEST_EXPECT_MSG_EQ(star.host[senders].arrivals.size(), senders * frames, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(star.Drops(), 0, "no drop");
        NS_TEST_EXPECT_MSG_GT(mmu->GetHeadroomPeak(), 0, "headroom was needed");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->CheckLossless().size(), 0, "nothing to object to");
        ExpectIdle(star);
    }

    std::string m_releaseAt;
    uint64_t m_cellBytes;
    uint32_t m_frameBytes;
};

class ShortHeadroomTest : public SwitchTestCase
{
  public:
    ShortHeadroomTest()
        : SwitchTestCase("Headroom below the bound is reported, drops, and the drop is named")
    {
    }

  private:
    void DoRun() override
    {
        Star star(3);
        auto mmu = star.fabricSwitch->GetMmu();
        for (uint32_t port = 0; port < 2; ++port)
        {
            mmu->SetLossless(port, 3, 10 * 208);
            mmu->SetStaticThreshold(port, 3, 20000);
        }
        star.fabricSwitch->Start();
        const auto findings = star.fabricSwitch->CheckLossless();
        NS_TEST_ASSERT_MSG_EQ(findings.size(), 2, "one for each port");
        const HeadroomLink link = star.fabricSwitch->GetHeadroomLink(0);
        const std::string missing =
            std::to_string(HeadroomBytes(link, 208) - 2080) + " bytes short";
        NS_TEST_EXPECT_MSG_NE(findings[0].find("port 0 class 3"), std::string::npos, findings[0]);
        NS_TEST_EXPECT_MSG_NE(findings[0].find(missing), std::string::npos, findings[0]);
        for (uint32_t i = 0; i < 2; ++i)
        {
            Simulator::Schedule(Time(0), [&star, i] { star.Send(i, 2, 3, 200, 1500); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(star.fabricSwitch->GetLosslessDrops(), 0, "drops");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetDropCount(DropReason::HEADROOM_FULL),
                              star.fabricSwitch->GetLosslessDrops(),
                              "all for the same reason");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetLossyDrops(), 0, "and in the lossless class");
        ExpectIdle(star);
    }
};

class TightHeadroomTest : public SwitchTestCase
{
  public:
    TightHeadroomTest()
        : SwitchTestCase("Headroom by the rule is enough and not much more than enough")
    {
    }

  private:
    /// One sender at line rate, a receiver that is paused, nothing drains: the tight case.
    /// @param cut bytes taken off the headroom @return drops
    uint64_t Run(uint64_t cut)
    {
        Star star(2);
        auto mmu = star.fabricSwitch->GetMmu();
        mmu->SetAttribute("CellBytes", UintegerValue(1));
        const uint64_t headroom = HeadroomBytes(star.fabricSwitch->GetHeadroomLink(0), 1);
        mmu->SetLossless(0, 3, headroom - cut);
        mmu->SetStaticThreshold(0, 3, 20000);
        Simulator::Schedule(Time(0), [&] { star.nic[1]->RequestPause(3, true); });
        // A long frame in the way of the PFC frame now and then.
        Simulator::Schedule(MicroSeconds(2), [&] {
            star.Send(1, 0, 5, 60, 1518);
            star.Send(0, 1, 3, 60, 1518);
        });
        Simulator::Schedule(MicroSeconds(50), [&] { star.nic[1]->RequestPause(3, false); });
        Simulator::Run();
        if (cut == 0)
        {
            const double share = mmu->GetIngress(0, 3).headroomPeak / static_cast<double>(headroom);
            NS_TEST_EXPECT_MSG_GT(share, 0.8, "not oversized");
        }
        NS_TEST_EXPECT_MSG_EQ(star.Drops(),
                              mmu->GetDrops(0, 3, DropReason::HEADROOM_FULL),
                              "no other drops");
        ExpectIdle(star);
        const uint64_t drops = star.Drops();
        Simulator::Destroy();
        return drops;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Run(0), 0, "no drop");
        // Without the bytes on the cable, twice 1 us at 100 Gb/s.
        NS_TEST_EXPECT_MSG_GT(Run(25000), 0, "drops");
    }
};

class CutTest : public SwitchTestCase
{
  public:
    CutTest(std::string releaseAt)
        : SwitchTestCase("Pitfall 15: a cut releases buffer and pauses, release at " + releaseAt),
          m_releaseAt(releaseAt)
    {
    }

  private:
    void DoRun() override
    {
        Star star(3);
        star.fabricSwitch->SetAttribute("ReleaseAt", StringValue(m_releaseAt));
        auto mmu = star.fabricSwitch->GetMmu();
        for (uint32_t port = 0; port < 2; ++port)
        {
            mmu->SetStaticThreshold(port, 3, 50000);
            Simulator::Schedule(Time(0), [&star, port] { star.Send(port, 2, 3, 300, 1230); });
        }
        Simulator::Schedule(MicroSeconds(20), [&] {
            NS_TEST_EXPECT_MSG_EQ(+star.nic[0]->PausedMask(), 1 << 3, "host 0 is paused");
            NS_TEST_EXPECT_MSG_GT(mmu->GetTotalUsed(), 200, "a long queue");
            star.channel[2]->SetUp(false);
            NS_TEST_EXPECT_MSG_EQ(mmu->IsIdle(), true, "nothing is left of it");
        });
        Simulator::Schedule(MicroSeconds(40), [&] {
            NS_TEST_EXPECT_MSG_EQ(+star.nic[0]->PausedMask(), 0, "host 0 may send");
            NS_TEST_EXPECT_MSG_EQ(star.nic[0]->Queues().TotalBytes(), 0, "and has sent");
            star.channel[2]->SetUp(true);
            star.Send(0, 2, 3, 1, 1230);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(star.fabricSwitch->GetDropCount(DropReason::LINK_DOWN), 100, "named");
        NS_TEST_EXPECT_MSG_EQ(star.host[2].arrivals.back().at,
                              MicroSeconds(40) + NanoSeconds(2200),
                              "the port is back");
        ExpectIdle(star);
    }

    std::string m_releaseAt;
};

class PausedIngressCutTest : public SwitchTestCase
{
  public:
    PausedIngressCutTest()
        : SwitchTestCase("A pause still due is told again after the link of the sender came back")
    {
    }

  private:
    void DoRun() override
    {
        Star star(3);
        auto mmu = star.fabricSwitch->GetMmu();
        mmu->SetStaticThreshold(0, 3, 20000);
        // The receiver stops, so that the class at port 0 stays paused.
        Simulator::Schedule(Time(0), [&] { star.nic[2]->RequestPause(3, true); });
        Simulator::Schedule(MicroSeconds(2), [&] { star.Send(0, 2, 3, 100, 1230); });
        Simulator::Schedule(MicroSeconds(20), [&] {
            NS_TEST_EXPECT_MSG_EQ(+star.nic[0]->PausedMask(), 1 << 3, "paused");
            star.channel[0]->SetUp(false);
            star.channel[0]->SetUp(true);
            NS_TEST_EXPECT_MSG_EQ(+star.nic[0]->PausedMask(), 0, "forgotten");
        });
        Simulator::Schedule(MicroSeconds(25), [&] {
            NS_TEST_EXPECT_MSG_EQ(+star.nic[0]->PausedMask(), 1 << 3, "told again");
            star.nic[2]->RequestPause(3, false);
        });
        Simulator::Run();
        ExpectIdle(star);
    }
};

class HairpinTest : public SwitchTestCase
{
  public:
    HairpinTest(std::string releaseAt)
        : SwitchTestCase("An XON due at the port that sends never starts a second frame, " +
                         releaseAt),
          m_releaseAt(releaseAt)
    {
    }

  private:
    void DoRun() override
    {
        // Everybody sends to the same host, ten frames long, then to the next: classes pause by a
        // threshold of a few frames, and departures from a port make an XON due at that port.
        const uint32_t frames = 600;
        Star star(3);
        star.fabricSwitch->SetAttribute("ReleaseAt", StringValue(m_releaseAt));
        auto mmu = star.fabricSwitch->GetMmu();
        for (uint32_t port = 0; port < 3; ++port)
        {
            mmu->SetAlpha(port, 3, 1.0 / 128);
            mmu->SetXonOffset(port, 3, 0);
            Simulator::Schedule(Time(0), [&star, port] {
                for (uint32_t i = 0; i < frames; ++i)
                {
                    const uint32_t to = i / 10 % 3;
                    star.Send(port, to == port ? (to + 1) % 3 : to, 3, 1, 1230);
                }
            });
        }
        mmu->SetAttribute("BufferSize", UintegerValue(700 * 1024));
        uint32_t overlaps = 0;
        std::vector<Time> last(3, Seconds(-1));
        for (uint32_t i = 0; i < 3; ++i)
        {
            star.nic[i]->TraceConnectWithoutContext(
                "FrameRx",
                Callback<void, const QbbNetDevice&, const Frame&>(
                    [&overlaps, &last, i](const QbbNetDevice&, const Frame& frame) {
                        // At 100 Gb/s a byte takes 80 ps.
                        const Time start = Simulator::Now() - PicoSeconds(80 * frame.WireBytes());
                        overlaps += start < last[i];
                        last[i] = Simulator::Now();
                    }));
        }
        Simulator::Run();
        size_t arrived = 0;
        for (const auto& host : star.host)
        {
            arrived += host.arrivals.size();
        }
        NS_TEST_EXPECT_MSG_EQ(overlaps, 0, "no frame starts before the last one ended");
        uint32_t xoff = 0;
        for (uint32_t port = 0; port < 3; ++port)
        {
            xoff += mmu->GetIngress(port, 3).xoffCount;
        }
        NS_TEST_EXPECT_MSG_EQ(arrived, 3 * frames, "all arrive");
        NS_TEST_EXPECT_MSG_GT(xoff, 10, "pauses");
        NS_TEST_EXPECT_MSG_EQ(star.Drops(), 0, "no drop");
        ExpectIdle(star);
    }

    std::string m_releaseAt;
};

class BufferTestSuite : public TestSuite
{
  public:
    BufferTestSuite()
        : TestSuite("lossless-buffer", Type::UNIT)
    {
        AddTestCase(new IncastTest("DequeueStart", 208, 1086));
        AddTestCase(new IncastTest("DequeueStart", 208, 64));
        AddTestCase(new IncastTest("LastBit", 208, 1518));
        AddTestCase(new IncastTest("LastBit", 1, 1518));
        AddTestCase(new ShortHeadroomTest);
        AddTestCase(new TightHeadroomTest);
        AddTestCase(new CutTest("DequeueStart"));
        AddTestCase(new CutTest("LastBit"));
        AddTestCase(new PausedIngressCutTest);
        AddTestCase(new HairpinTest("DequeueStart"));
        AddTestCase(new HairpinTest("LastBit"));
    }
};

BufferTestSuite g_bufferTestSuite; //!< registers the suite

} // namespace
