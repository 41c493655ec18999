// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pfc-issuer.h"
#include "ns3/pfc-obeyer.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/// A 100 Gb/s line at picoseconds, and frames to feed the machines with.
class PfcMachines : public testing::Test
{
  protected:
    PfcMachines()
    {
        line.SetRate(100000000000, 1000000000000);
    }

    /// @return what the obeyer opened
    uint8_t Receive(int64_t now, std::initializer_list<std::pair<int, uint16_t>> times)
    {
        Frame frame;
        for (auto [cls, quanta] : times)
        {
            frame.pfcEnable |= 1U << cls;
            frame.pfcQuanta[cls] = quanta;
        }
        return obeyer.Apply(now, frame, line, endless);
    }

    static constexpr int64_t QUANTUM = 5120; // ps
    LineClock line;
    PfcObeyer obeyer;
    uint8_t pending{0};
    PfcIssuer issuer{pending};
    bool endless{false};
};

} // namespace

TEST_F(PfcMachines, Pitfall09_PauseExpiresByItsQuanta)
{
    Receive(0, {{3, 977}});
    EXPECT_EQ(obeyer.PausedMask(), 1U << 3);
    EXPECT_EQ(obeyer.NextExpiry(), 5002240);
    EXPECT_EQ(obeyer.Expire(5002239), 0);
    EXPECT_EQ(obeyer.Expire(5002240), 1U << 3);
    EXPECT_EQ(obeyer.PausedMask(), 0);
    EXPECT_EQ(obeyer.Get(3).expired, 1U);
    EXPECT_EQ(obeyer.Get(3).pausedTicks, 5002240);
    EXPECT_EQ(obeyer.NextExpiry(), PfcObeyer::NEVER);
}

TEST_F(PfcMachines, ALaterPauseReplacesTheRest)
{
    Receive(0, {{3, 1000}});
    Receive(100, {{3, 10}});
    EXPECT_EQ(obeyer.NextExpiry(), 100 + 10 * QUANTUM);
    EXPECT_EQ(obeyer.Get(3).pauses, 1U) << "one pause, lengthened or shortened, not two";
    EXPECT_EQ(Receive(200, {{3, 0}}), 1U << 3);
    EXPECT_EQ(obeyer.Get(3).pausedTicks, 200);
    EXPECT_EQ(obeyer.Get(3).expired, 0U);
}

TEST_F(PfcMachines, Pitfall09_ASecondXonIsHarmless)
{
    Receive(0, {{3, 1000}});
    EXPECT_EQ(Receive(10, {{3, 0}}), 1U << 3);
    EXPECT_EQ(Receive(20, {{3, 0}}), 0);
    EXPECT_EQ(obeyer.Get(3).rxXon, 2U);
    EXPECT_EQ(obeyer.Get(3).pausedTicks, 10);
}

TEST_F(PfcMachines, OnlyEnabledClassesChange)
{
    Receive(0, {{1, 100}, {3, 200}, {6, 300}});
    EXPECT_EQ(obeyer.PausedMask(), 1U << 1 | 1U << 3 | 1U << 6);
    Frame frame; // class 3 has a time, but its bit is clear
    frame.pfcEnable = 1U << 1;
    frame.pfcQuanta[3] = 0;
    EXPECT_EQ(obeyer.Apply(10, frame, line, false), 1U << 1);
    EXPECT_EQ(obeyer.PausedMask(), 1U << 3 | 1U << 6);
}

TEST_F(PfcMachines, EndlessXoffNeverExpires)
{
    endless = true;
    Receive(0, {{3, 1}});
    EXPECT_EQ(obeyer.NextExpiry(), PfcObeyer::NEVER);
    EXPECT_EQ(obeyer.Expire(1000000000), 0);
    EXPECT_EQ(Receive(1000000001, {{3, 0}}), 1U << 3);
}

TEST_F(PfcMachines, IssuerTellsChangesOnce)
{
    issuer.Configure(65535, 1000);
    issuer.Request(3, true);
    issuer.Request(4, true);
    EXPECT_EQ(issuer.Pending(), 1U << 3 | 1U << 4);
    Frame frame;
    issuer.Fill(0, frame);
    EXPECT_EQ(frame.pfcEnable, 1U << 3 | 1U << 4) << "several classes share a frame";
    EXPECT_EQ(frame.pfcQuanta[3], 65535);
    EXPECT_EQ(issuer.Pending(), 0);
    issuer.Request(3, true);
    EXPECT_EQ(issuer.Pending(), 0) << "told already";
    issuer.Request(3, false);
    issuer.Fill(10, frame);
    EXPECT_EQ(frame.pfcEnable, 1U << 3);
    EXPECT_EQ(frame.pfcQuanta[3], 0);
    EXPECT_EQ(issuer.Get(3).txXoff, 1U);
    EXPECT_EQ(issuer.Get(3).txXon, 1U);
}

TEST_F(PfcMachines, ATakenBackChangeIsNotTold)
{
    issuer.Configure(65535, 1000);
    issuer.Request(3, true);
    issuer.Request(3, false);
    EXPECT_EQ(issuer.Pending(), 0) << "an XON without an XOFF before it is a defect";
    issuer.Request(3, false);
    EXPECT_EQ(issuer.Pending(), 0);
}

TEST_F(PfcMachines, RefreshWhileInForce)
{
    issuer.Configure(65535, 1000);
    issuer.Request(3, true);
    EXPECT_EQ(issuer.NextRefresh(), PfcIssuer::NEVER) << "not told yet";
    Frame frame;
    issuer.Fill(50, frame);
    EXPECT_EQ(issuer.NextRefresh(), 1050);
    issuer.Refresh(1049);
    EXPECT_EQ(issuer.Pending(), 0);
    issuer.Refresh(1050);
    EXPECT_EQ(issuer.Pending(), 1U << 3);
    EXPECT_EQ(issuer.Get(3).txRefresh, 0U);
    issuer.Fill(1060, frame);
    EXPECT_EQ(issuer.Get(3).txXoff, 2U);
    EXPECT_EQ(issuer.Get(3).txRefresh, 1U);
    EXPECT_EQ(issuer.NextRefresh(), 2060);
    issuer.Request(3, false);
    EXPECT_EQ(issuer.NextRefresh(), PfcIssuer::NEVER);
}

TEST_F(PfcMachines, NoRefreshWhenOff)
{
    issuer.Configure(100, 0);
    issuer.Request(3, true);
    Frame frame;
    issuer.Fill(0, frame);
    EXPECT_EQ(issuer.NextRefresh(), PfcIssuer::NEVER);
    issuer.Refresh(1000000);
    EXPECT_EQ(issuer.Pending(), 0);
}

TEST_F(PfcMachines, LinkDownForgets)
{
    issuer.Configure(65535, 1000);
    issuer.Request(3, true);
    Frame frame;
    issuer.Fill(0, frame);
    issuer.Reset();
    EXPECT_EQ(issuer.Pending(), 0);
    EXPECT_EQ(issuer.NextRefresh(), PfcIssuer::NEVER);
    Receive(0, {{3, 1000}});
    obeyer.Release(0xff, 77);
    EXPECT_EQ(obeyer.PausedMask(), 0);
    EXPECT_EQ(obeyer.Get(3).pausedTicks, 77);
}

TEST_F(PfcMachines, ARefreshTakenBackAndWantedAgainIsDueAtOnce)
{
    issuer.Configure(65535, 1000);
    issuer.Request(3, true);
    Frame frame;
    issuer.Fill(0, frame);
    issuer.Refresh(1000); // due, and the line is busy
    EXPECT_EQ(issuer.Pending(), 1U << 3);
    issuer.Request(3, false);
    issuer.Request(3, true);
    EXPECT_EQ(issuer.Pending(), 0);
    EXPECT_EQ(issuer.NextRefresh(), 1000) << "not forgotten";
    issuer.Refresh(1010);
    EXPECT_EQ(issuer.Pending(), 1U << 3);
}

TEST_F(PfcMachines, IgnoredClassesAreCountedAndNotObeyed)
{
    Receive(0, {{3, 1000}, {4, 1000}});
    EXPECT_EQ(obeyer.SetIgnored(1U << 3, 50), 1U << 3) << "a pause in force ends";
    EXPECT_EQ(obeyer.Get(3).pausedTicks, 50);
    Receive(60, {{3, 1000}});
    EXPECT_EQ(obeyer.PausedMask(), 1U << 4);
    EXPECT_EQ(obeyer.Get(3).rxXoff, 2U);
    EXPECT_EQ(obeyer.Get(3).pauses, 1U);
    EXPECT_EQ(obeyer.SetIgnored(0, 70), 0);
    EXPECT_EQ(obeyer.PausedMask(), 1U << 4) << "what came while ignored is not obeyed later";
    Receive(80, {{3, 10}});
    EXPECT_EQ(obeyer.NextExpiry(), 80 + 10 * QUANTUM) << "no expiry left over";
}

TEST_F(PfcMachines, AStuckIssuerPausesWhateverIsAsked)
{
    issuer.Configure(65535, 1000);
    issuer.Override(1U << 3, 0);
    EXPECT_EQ(issuer.Pending(), 1U << 3);
    Frame frame;
    issuer.Fill(0, frame);
    EXPECT_EQ(frame.pfcQuanta[3], 65535);
    issuer.Request(3, true);
    issuer.Request(3, false);
    EXPECT_EQ(issuer.Pending(), 0) << "no XON";
    EXPECT_EQ(issuer.NextRefresh(), 1000) << "refreshed";
    issuer.Reset();
    EXPECT_EQ(issuer.Pending(), 1U << 3) << "a new link is paused too";
    issuer.Fill(5, frame);
    issuer.Override(0, 0);
    issuer.Fill(10, frame);
    EXPECT_EQ(frame.pfcEnable, 1U << 3);
    EXPECT_EQ(frame.pfcQuanta[3], 0) << "XON when it ends";
}

TEST_F(PfcMachines, AMutedIssuerResumesAndPausesNoMore)
{
    issuer.Configure(65535, 1000);
    issuer.Request(3, true);
    Frame frame;
    issuer.Fill(0, frame);
    issuer.Override(1U << 3, 1U << 3);
    issuer.Fill(5, frame);
    EXPECT_EQ(frame.pfcQuanta[3], 0) << "muted goes before stuck";
    issuer.Request(3, true);
    EXPECT_EQ(issuer.Pending(), 0);
    EXPECT_EQ(issuer.Wanted(), 0);
    issuer.Override(0, 0);
    EXPECT_EQ(issuer.Pending(), 1U << 3) << "the MMU still wants it";
}

// ---- priority groups and queues of other numbers than the priority

TEST_F(PfcMachines, TwoGroupsOfOnePriorityArePausedWhileEitherIs)
{
    issuer.SetPriorities({0, 1, 2, 3, 3, 5, 6, 7});
    issuer.Request(4, true);
    EXPECT_EQ(issuer.Wanted(), 1U << 3);
    EXPECT_EQ(pending, 1U << 3);
    Frame frame;
    issuer.Fill(0, frame);
    EXPECT_EQ(frame.pfcEnable, 1U << 3);
    EXPECT_EQ(frame.pfcQuanta[3], 65535);
    issuer.Request(3, true);
    EXPECT_EQ(pending, 0) << "the peer is paused already";
    issuer.Request(4, false);
    EXPECT_EQ(pending, 0) << "the other group still is";
    EXPECT_EQ(issuer.Wanted(), 1U << 3);
    issuer.Request(3, false);
    EXPECT_EQ(pending, 1U << 3);
    issuer.Fill(1, frame);
    EXPECT_EQ(frame.pfcQuanta[3], 0) << "XON, and only now";
    EXPECT_EQ(issuer.Get(3).txXoff, 1U);
    EXPECT_EQ(issuer.Get(3).txXon, 1U);
    EXPECT_EQ(issuer.Get(4).txXoff, 0U);
}

TEST_F(PfcMachines, AGroupThatGetsAnotherPriorityPausesThat)
{
    Frame frame;
    issuer.Request(4, true);
    issuer.Request(3, true);
    issuer.Fill(0, frame);
    issuer.SetPriorities({0, 1, 2, 3, 5, 5, 6, 7});
    EXPECT_EQ(pending, 1U << 4 | 1U << 5);
    issuer.Fill(1, frame);
    EXPECT_EQ(frame.pfcQuanta[4], 0);
    EXPECT_EQ(frame.pfcQuanta[5], 65535);
    EXPECT_EQ(issuer.Wanted(), 1U << 3 | 1U << 5);
    issuer.Reset();
    EXPECT_EQ(issuer.Wanted(), 0);
    issuer.Request(5, true);
    issuer.Request(5, false);
    EXPECT_EQ(issuer.Wanted(), 0) << "group 4 is forgotten";
}

TEST_F(PfcMachines, OnePriorityPausesSeveralQueues)
{
    EXPECT_EQ(obeyer.SetQueues({1, 2, 4, 1U << 3 | 1U << 5, 16, 32, 64, 128}, 0), 0);
    Receive(0, {{3, 1000}});
    EXPECT_EQ(obeyer.PausedMask(), 1U << 3 | 1U << 5);
    EXPECT_EQ(obeyer.Get(5).pauses, 1U);
    EXPECT_EQ(obeyer.Get(5).rxXoff, 0U) << "frames count by priority";
    EXPECT_EQ(Receive(30, {{3, 0}}), 1U << 3 | 1U << 5);
    EXPECT_EQ(obeyer.Get(5).pausedTicks, 30);
}

TEST_F(PfcMachines, AQueueOfTwoPrioritiesWaitsForBoth)
{
    obeyer.SetQueues({1, 2, 4, 8, 1U << 3, 32, 64, 128}, 0);
    Receive(0, {{3, 1000}});
    Receive(10, {{4, 10}});
    EXPECT_EQ(obeyer.Get(3).pauses, 1U);
    EXPECT_EQ(Receive(20, {{3, 0}}), 0);
    EXPECT_EQ(obeyer.PausedMask(), 1U << 3);
    EXPECT_EQ(obeyer.NextExpiry(), 10 + 10 * QUANTUM);
    EXPECT_EQ(obeyer.Expire(10 + 10 * QUANTUM), 1U << 3);
    EXPECT_EQ(obeyer.Get(3).expired, 1U);
    // One frame that resumes one of them and pauses the other opens nothing, in either order.
    Receive(100000, {{4, 1000}});
    EXPECT_EQ(Receive(100010, {{3, 1000}, {4, 0}}), 0);
    EXPECT_EQ(Receive(100020, {{3, 0}, {4, 1000}}), 0);
    EXPECT_EQ(obeyer.Get(3).pauses, 2U);
    EXPECT_EQ(obeyer.PausedMask(), 1U << 3);
    EXPECT_EQ(obeyer.Release(1U << 4, 100030), 1U << 3);
}

TEST_F(PfcMachines, APauseInForceGoesOverToTheNewQueues)
{
    Receive(0, {{3, 1000}, {4, 1000}});
    EXPECT_EQ(obeyer.SetQueues({1, 2, 4, 1U << 5, 16, 32, 64, 128}, 10), 1U << 3);
    EXPECT_EQ(obeyer.PausedMask(), 1U << 4 | 1U << 5);
    EXPECT_EQ(obeyer.Get(3).pausedTicks, 10);
    EXPECT_EQ(Receive(20, {{3, 0}}), 1U << 5);
}

TEST_F(PfcMachines, AnIgnoredQueueLeavesTheOthersOfItsPriorityPaused)
{
    obeyer.SetQueues({1, 2, 4, 1U << 3 | 1U << 5, 16, 32, 64, 128}, 0);
    Receive(0, {{3, 1000}});
    EXPECT_EQ(obeyer.SetIgnored(1U << 5, 5), 1U << 5);
    EXPECT_EQ(obeyer.PausedMask(), 1U << 3);
    Receive(10, {{3, 1000}});
    EXPECT_EQ(obeyer.PausedMask(), 1U << 3);
    EXPECT_EQ(obeyer.Get(3).rxXoff, 2U);
}
