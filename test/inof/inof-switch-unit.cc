// SPDX-License-Identifier: GPL-2.0-only

// iNOF between switches and hosts, as state machines without a simulator.

#include "inof-test-util.h"

#include <gtest/gtest.h>
#include <random>

using namespace ns3;

namespace
{

/// One switch with hosts 1, 2, 3.
class InofDirect : public testing::Test
{
  protected:
    InofDirect()
    {
        net.AddSwitch(0);
        for (uint32_t id = 1; id <= 3; ++id)
        {
            net.AddHost(id, 0, id);
        }
        net.StartSwitches();
    }

    InofNetwork net;
};

/// Reflectors 10, 11 and clients 20, 21, 22, with host 1 at 20, 2 at 21, 3 at 22.
class InofCrossSwitch : public testing::Test
{
  protected:
    void Build()
    {
        net.AddCluster({10, 11}, {20, 21, 22});
        for (uint32_t id = 1; id <= 3; ++id)
        {
            net.AddHost(id, 19 + id, id);
        }
        net.StartSwitches();
        net.Run(50 * INOF_MS);
        for (uint32_t id = 1; id <= 3; ++id)
        {
            net.Plug(id);
        }
        net.Run(50 * INOF_MS);
    }

    /// Cut all sessions of a switch.
    void CutOff(uint32_t number)
    {
        for (const auto& [other, one] : net.switches)
        {
            if (other != number)
            {
                net.cut.insert(std::minmax(number, other));
            }
        }
    }

    void ForgetHeard()
    {
        for (auto& [id, host] : net.hosts)
        {
            host.Heard();
        }
    }

    InofNetwork net;
};

} // namespace

// ---- direct mode

TEST_F(InofDirect, PlugTellsTheOthersWithinTwoHops)
{
    net.Plug(1);
    net.Run(INOF_MS);
    const int64_t plugged = net.now;
    net.Plug(2);
    net.Run(INOF_MS);
    ASSERT_EQ(net.hosts[1].heardAt.size(), 1U);
    EXPECT_EQ(net.hosts[1].heardAt[0] - plugged, 2 * InofNetwork::HOST_DELAY);
    EXPECT_EQ(net.hosts[1].Heard(), "+2");
    EXPECT_EQ(net.hosts[2].Heard(), "+1") << "and nobody is told of itself";
}

TEST_F(InofDirect, HostsOfOtherZonesAreNotTold)
{
    net.At(0).ConfigureZones(
        [](InofZoneTable& zones) {
            zones.AddZone("a");
            zones.AddMember("a", 1);
            zones.AddMember("a", 2);
        },
        net.now);
    for (uint32_t id = 1; id <= 3; ++id)
    {
        net.Plug(id);
    }
    net.Run(INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "+2");
    EXPECT_EQ(net.hosts[2].Heard(), "+1");
    EXPECT_EQ(net.hosts[3].Heard(), "");
    EXPECT_EQ(net.At(0).GetCounters().notifications, 2U);
}

TEST_F(InofDirect, ZoneChangesAreEvents)
{
    for (uint32_t id = 1; id <= 3; ++id)
    {
        net.Plug(id);
    }
    net.Run(INOF_MS);
    for (uint32_t id = 1; id <= 3; ++id)
    {
        net.hosts[id].Heard();
    }
    const auto change = [this](const std::function<void(InofZoneTable&)>& how) {
        net.At(0).ConfigureZones(how, net.now);
        net.Run(INOF_MS);
    };
    change([](InofZoneTable& zones) {
        zones.AddZone("a");
        zones.AddMember("a", 1);
        zones.AddMember("a", 2);
    });
    EXPECT_EQ(net.hosts[3].Heard(), "-1 removed, -2 removed");
    EXPECT_EQ(net.hosts[1].Heard(), "-3 removed") << "2 stays";
    change([](InofZoneTable& zones) { zones.AddMember("a", 3); });
    EXPECT_EQ(net.hosts[3].Heard(), "+1, +2");
    EXPECT_EQ(net.hosts[1].Heard(), "+3");
    change([](InofZoneTable& zones) { zones.DeleteZone("a"); });
    EXPECT_EQ(net.hosts[1].Heard(), "") << "all are in the default zone now";
    change([](InofZoneTable& zones) { zones.SetAutoJoin(false); });
    EXPECT_EQ(net.hosts[1].Heard(), "-2 removed, -3 removed");
    EXPECT_THROW(change([](InofZoneTable& zones) { zones.DeleteZone("default"); }),
                 std::invalid_argument);
}

TEST_F(InofDirect, EachReasonIsTold)
{
    for (uint32_t id = 1; id <= 2; ++id)
    {
        net.Plug(id);
    }
    net.Run(INOF_MS);
    net.hosts[1].Heard();

    net.Unplug(2);
    net.Run(INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "-2 linkDown");
    EXPECT_EQ(net.hosts[2].Heard(), "+1, -1 linkDown") << "and loses all the others";
    net.Plug(2);
    net.Run(INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "+2");

    net.hosts[2].machine->Stop(InofReason::REMOVED);
    net.Run(INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "-2 removed");
    net.Plug(2);
    net.Run(INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "+2");

    net.At(0).SetFault(2, InofReason::PORT_FAULT, net.now);
    net.Run(2000 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "-2 portFault") << "keep-alives do not bring it back";
    net.At(0).SetFault(2, InofReason::NONE, net.now);
    net.Run(INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "+2");

    net.mute.insert(2);
    net.Run(3001 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "-2 timeout");
}

TEST_F(InofDirect, AHostWithoutPfcIsNotUp)
{
    net.config.requiredPfc = 8;
    net.AddSwitch(5);
    net.At(5).Start(net.now);
    net.AddHost(6, 5, 0);
    net.AddHost(7, 5, 1);
    net.Plug(6);
    net.Plug(7);
    net.Run(INOF_MS);
    EXPECT_EQ(net.hosts[6].Heard(), "+7");
    net.hosts[7].machine->SetPfcClasses(0, net.now);
    net.Run(INOF_MS);
    EXPECT_EQ(net.hosts[6].Heard(), "-7 pfcDisabled");
    net.hosts[7].machine->SetPfcClasses(8, net.now);
    net.Run(INOF_MS);
    EXPECT_EQ(net.hosts[6].Heard(), "+7");
}

TEST_F(InofDirect, ThreeMissedHellosAndNotOneLess)
{
    net.Plug(1);
    net.Plug(2);
    net.Run(2500 * INOF_MS); // the last HELLO is of 2 s
    net.hosts[1].Heard();
    net.mute.insert(2);
    net.Run(2000 * INOF_MS); // until 4.5 s: two and a half intervals of silence
    EXPECT_EQ(net.hosts[1].Heard(), "");
    net.Run(501 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "-2 timeout");
    EXPECT_EQ(net.At(0).GetCounters().hostsTimedOut, 1U);
}

TEST_F(InofDirect, AHostFindsThatItsSwitchIsGoneAndBack)
{
    net.Plug(1);
    net.Plug(2);
    net.Run(100 * INOF_MS);
    net.hosts[1].Heard();
    net.At(0).Stop();
    net.Run(3900 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "-2 timeout");
    net.At(0).Start(net.now);
    net.Run(INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "+2") << "the switch asks who is there";
}

TEST_F(InofDirect, LostNoticesComeAgain)
{
    std::mt19937 random(3);
    net.loses = [&random] { return random() % 2 == 0; };
    for (uint32_t id = 1; id <= 3; ++id)
    {
        net.Plug(id);
    }
    net.Run(900 * INOF_MS);
    EXPECT_EQ(net.hosts[1].machine->GetPeers().size(), 2U);
    EXPECT_EQ(net.hosts[2].machine->GetPeers().size(), 2U);
    EXPECT_EQ(net.hosts[3].machine->GetPeers().size(), 2U);
    EXPECT_GT(net.At(0).GetCounters().retransmitted, 0U);
}

TEST_F(InofDirect, AHostThatMovesToAnotherPortIsOne)
{
    net.Plug(1);
    net.Plug(2);
    net.Run(INOF_MS);
    net.hosts[1].Heard();
    net.hosts[2].port = 7; // the old port does not notice
    net.Plug(2);
    net.Run(INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "-2 removed, +2");
}

// ---- cross-switch mode

TEST_F(InofCrossSwitch, HostsLearnOfHostsAtOtherSwitches)
{
    Build();
    EXPECT_EQ(net.hosts[1].Heard(), "+2, +3");
    const int64_t unplugged = net.now;
    net.Unplug(3);
    net.Run(10 * INOF_MS);
    ASSERT_EQ(net.hosts[1].heardAt.size(), 1U);
    EXPECT_EQ(net.hosts[1].heardAt[0] - unplugged,
              2 * InofNetwork::PEER_DELAY + InofNetwork::HOST_DELAY)
        << "to a reflector, to the client, to the host";
    EXPECT_EQ(net.hosts[1].Heard(), "-3 linkDown");
}

TEST_F(InofCrossSwitch, TheSecondReflectorsCopyIsSuppressed)
{
    Build();
    EXPECT_EQ(net.At(20).GetCounters().duplicates, 2U) << "hosts 2 and 3, once more each";
    EXPECT_EQ(net.At(20).GetCounters().notifications, 2U);
    EXPECT_EQ(net.hosts[1].Heard(), "+2, +3");
}

TEST_F(InofCrossSwitch, OneReflectorMayDie)
{
    Build();
    ForgetHeard();
    CutOff(10);
    net.Run(500 * INOF_MS);
    EXPECT_FALSE(net.At(20).IsSessionUp(10));
    EXPECT_TRUE(net.At(20).IsSessionUp(11));
    for (uint32_t id = 1; id <= 3; ++id)
    {
        EXPECT_EQ(net.hosts[id].Heard(), "");
    }
    net.Unplug(3);
    net.Run(10 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "-3 linkDown") << "the service goes on";
}

TEST_F(InofCrossSwitch, WithoutReflectorsRemoteHostsAreGone)
{
    Build();
    ForgetHeard();
    const int64_t cutAt = net.now;
    CutOff(10);
    CutOff(11);
    // Three times 10 ms after the last keep-alive, which is up to 10 ms old when the cable is cut.
    net.Run(19 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "") << "not before the detection time";
    net.Run(16 * INOF_MS);
    ASSERT_EQ(net.hosts[1].heardAt.size(), 2U);
    const int64_t took = net.hosts[1].heardAt[0] - cutAt;
    EXPECT_GE(took, 20 * INOF_MS);
    EXPECT_LE(took, 31 * INOF_MS + InofNetwork::HOST_DELAY);
    EXPECT_EQ(net.hosts[1].Heard(), "-2 timeout, -3 timeout");
    net.cut.clear();
    net.Run(50 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "+2, +3");
}

TEST_F(InofCrossSwitch, ALostClientIsWithdrawnByItsReflectors)
{
    Build();
    ForgetHeard();
    CutOff(22);
    net.Run(50 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "-3 timeout");
    EXPECT_EQ(net.hosts[3].Heard(), "-1 timeout, -2 timeout");
    net.cut.clear();
    net.Run(50 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "+3");
    EXPECT_EQ(net.hosts[3].Heard(), "+1, +2");
}

TEST_F(InofCrossSwitch, OnePathFromAClientIsEnough)
{
    Build();
    ForgetHeard();
    net.cut.insert({10, 22});
    net.Run(100 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "") << "reflector 11 still has it";
}

TEST_F(InofCrossSwitch, LossyLinksLoseNothingForGood)
{
    std::mt19937 random(4);
    net.loses = [&random] { return random() % 5 == 0; };
    net.config.session.misses = 30; // silence is not what this is about
    Build();
    net.Run(400 * INOF_MS);
    for (uint32_t id = 1; id <= 3; ++id)
    {
        EXPECT_EQ(net.hosts[id].machine->GetPeers().size(), 2U) << "host " << id;
    }
    net.Unplug(3);
    net.Run(400 * INOF_MS);
    EXPECT_EQ(net.hosts[1].machine->GetPeers().count(3), 0U);
    EXPECT_EQ(net.hosts[2].machine->GetPeers().count(3), 0U);
    EXPECT_GT(net.At(10).GetCounters().retransmitted, 0U);
}

TEST_F(InofCrossSwitch, ZonesComeFromAReflector)
{
    Build();
    ForgetHeard();
    EXPECT_THROW(net.At(20).ConfigureZones([](InofZoneTable&) {}, net.now), std::invalid_argument);
    net.At(10).ConfigureZones(
        [](InofZoneTable& zones) {
            zones.AddZone("wide");
            for (uint32_t id = 1; id <= 250; id += id == 1 ? 2 : 1)
            {
                zones.AddMember("wide", id); // all but host 2, in three messages
            }
        },
        net.now);
    net.Run(50 * INOF_MS);
    for (const uint32_t number : {11, 20, 21, 22})
    {
        const InofZoneTable& zones = net.At(number).GetZones();
        EXPECT_EQ(zones.GetVersion(), net.At(10).GetZones().GetVersion()) << number;
        ASSERT_EQ(zones.GetZones().size(), 2U) << number;
        EXPECT_EQ(zones.GetZones().at(1).members.size(), 249U) << number;
        EXPECT_EQ(net.At(number).GetCounters().zoneUpdates, 1U) << number;
    }
    EXPECT_EQ(net.hosts[1].Heard(), "-2 removed");
    EXPECT_EQ(net.hosts[2].Heard(), "-1 removed, -3 removed");
}

TEST_F(InofCrossSwitch, AClientThatWasAwayGetsTheZonesOfToday)
{
    Build();
    CutOff(20);
    net.Run(100 * INOF_MS);
    net.At(11).ConfigureZones([](InofZoneTable& zones) { zones.AddZone("late"); }, net.now);
    net.Run(100 * INOF_MS);
    EXPECT_EQ(net.At(20).GetZones().GetZones().size(), 1U);
    net.cut.clear();
    net.Run(100 * INOF_MS);
    EXPECT_EQ(net.At(20).GetZones().GetZones().size(), 2U);
    EXPECT_EQ(net.At(20).GetZones().GetVersion(), net.At(11).GetZones().GetVersion());
}

TEST_F(InofCrossSwitch, GracefulRestartKeepsHosts)
{
    net.config.gracefulPs = 1000 * INOF_MS;
    net.config.deferralPs = 100 * INOF_MS;
    Build();
    ForgetHeard();
    net.At(22).Stop();
    net.Run(500 * INOF_MS);
    EXPECT_FALSE(net.At(10).IsSessionUp(22));
    net.At(22).Start(net.now);
    net.Run(300 * INOF_MS);
    EXPECT_TRUE(net.At(10).IsSessionUp(22));
    for (uint32_t id = 1; id <= 3; ++id)
    {
        EXPECT_EQ(net.hosts[id].Heard(), "") << "nobody noticed, host " << id;
    }
    EXPECT_GT(net.At(10).GetCounters().kept, 0U);
    net.Unplug(3);
    net.Run(10 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "-3 linkDown");
}

TEST_F(InofCrossSwitch, GracefulRestartEnds)
{
    net.config.gracefulPs = 200 * INOF_MS;
    Build();
    ForgetHeard();
    net.At(22).Stop();
    net.Run(225 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "");
    net.Run(15 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "-3 timeout");
}

TEST_F(InofCrossSwitch, AHostThatLeftDuringTheRestartIsDropped)
{
    net.config.gracefulPs = 2000 * INOF_MS;
    net.config.deferralPs = 100 * INOF_MS;
    Build();
    ForgetHeard();
    net.At(22).Stop();
    net.hosts[3].linkUp = false;
    net.hosts[3].machine->Stop(InofReason::LINK_DOWN);
    net.Run(200 * INOF_MS);
    net.At(22).Start(net.now);
    net.Run(300 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "-3 timeout") << "its switch did not confirm it";
}

TEST_F(InofCrossSwitch, WithoutGracefulRestartTheHostsFlap)
{
    Build();
    ForgetHeard();
    net.At(22).Stop();
    net.Run(500 * INOF_MS);
    net.At(22).Start(net.now);
    net.Run(300 * INOF_MS);
    EXPECT_EQ(net.hosts[1].Heard(), "-3 timeout, +3");
}
