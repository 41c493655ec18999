// SPDX-License-Identifier: GPL-2.0-only

// iNOF under random faults: whatever has happened, once it is over every host knows just the hosts
// of its zones that are there.

#include "case-budget.h"
#include "inof-test-util.h"

#include <gtest/gtest.h>
#include <iostream>
#include <random>
#include <set>

using namespace ns3;

namespace
{

constexpr uint32_t REFLECTORS[] = {10, 11};
constexpr uint32_t CLIENTS[] = {20, 21, 22, 23};
constexpr uint32_t HOSTS = 8; // two at each client

/// One run: faults for a second, then peace.
class InofChaos
{
  public:
    explicit InofChaos(uint32_t seed)
        : m_random(seed)
    {
        m_net.config.gracefulPs = Draw(2) ? 300 * INOF_MS : 0;
        m_net.config.deferralPs = 50 * INOF_MS;
        m_net.AddCluster({std::begin(REFLECTORS), std::end(REFLECTORS)},
                         {std::begin(CLIENTS), std::end(CLIENTS)});
        for (uint32_t id = 0; id < HOSTS; ++id)
        {
            m_net.AddHost(id, CLIENTS[id / 2], id % 2);
        }
        m_net.StartSwitches();
        const uint32_t loss = Draw(3) * 10; // percent
        m_net.loses = [this, loss] { return Draw(100) < loss; };
        for (int step = 0; step < 60; ++step)
        {
            Disturb();
            m_net.Run(Draw(30) * INOF_MS);
        }
        m_net.loses = nullptr;
        m_net.cut.clear();
        m_net.mute.clear();
        for (auto& [number, one] : m_net.switches)
        {
            if (!one.machine->IsRunning())
            {
                one.machine->Start(m_net.now);
            }
        }
        // Three missed HELLOs, one that is sent again after long silence, and some more.
        m_net.Run(4500 * INOF_MS);
    }

    /// Compare what each host believes with what is.
    void Check(uint32_t seed)
    {
        const InofZoneTable& zones = m_net.At(REFLECTORS[0]).GetZones();
        for (uint32_t id = 0; id < HOSTS; ++id)
        {
            std::set<uint32_t> expected;
            for (uint32_t other = 0; other < HOSTS; ++other)
            {
                if (other != id && m_plugged.count(id) && m_plugged.count(other) &&
                    zones.Share(id, other))
                {
                    expected.insert(other);
                }
            }
            std::set<uint32_t> believed;
            for (const auto& [peer, info] : m_net.hosts[id].machine->GetPeers())
            {
                believed.insert(peer);
            }
            EXPECT_EQ(believed, expected) << "host " << id << ", seed " << seed;
            CheckHistory(id, seed);
        }
        for (const auto& [number, one] : m_net.switches)
        {
            EXPECT_EQ(one.machine->GetZones().GetVersion(), zones.GetVersion())
                << "switch " << number << ", seed " << seed;
        }
    }

  private:
    uint32_t Draw(uint32_t below)
    {
        return m_random() % below;
    }

    /// A host is told that another comes and goes in turn, never twice the same, never of itself.
    void CheckHistory(uint32_t id, uint32_t seed)
    {
        std::set<std::string> up;
        for (const std::string& event : m_net.hosts[id].heard)
        {
            const std::string other = event.substr(1, event.find(' ') - 1);
            EXPECT_NE(other, std::to_string(id)) << "seed " << seed;
            const bool changes = event[0] == '+' ? up.insert(other).second : up.erase(other) == 1;
            EXPECT_TRUE(changes) << event << " at host " << id << ", seed " << seed;
        }
    }

    void Disturb()
    {
        const uint32_t host = Draw(HOSTS);
        const uint32_t client = CLIENTS[Draw(4)];
        const std::pair<uint32_t, uint32_t> link = std::minmax(REFLECTORS[Draw(2)], client);
        const uint32_t number = Draw(4) ? client : REFLECTORS[Draw(2)];
        switch (Draw(8))
        {
        case 0:
        case 1:
            if (m_plugged.insert(host).second)
            {
                m_net.Plug(host);
            }
            break;
        case 2:
            if (m_plugged.erase(host))
            {
                m_net.Unplug(host);
            }
            break;
        case 3:
            m_net.cut.insert(link);
            break;
        case 4:
            m_net.cut.erase(link);
            break;
        case 5:
            if (m_net.At(number).IsRunning())
            {
                m_net.At(number).Stop();
            }
            else
            {
                m_net.At(number).Start(m_net.now);
            }
            break;
        case 6:
            ChangeZones(host);
            break;
        default:
            m_net.mute.count(host) ? (void)m_net.mute.erase(host) : (void)m_net.mute.insert(host);
        }
    }

    void ChangeZones(uint32_t host)
    {
        const std::string name(1, static_cast<char>('a' + Draw(2)));
        m_net.At(REFLECTORS[0])
            .ConfigureZones(
                [&](InofZoneTable& zones) {
                    const bool isThere = m_zones.count(name);
                    if (!isThere)
                    {
                        m_zones.insert(name);
                        zones.AddZone(name);
                    }
                    else if (Draw(5) == 0)
                    {
                        m_zones.erase(name);
                        zones.DeleteZone(name);
                        return;
                    }
                    zones.AddMember(name, host);
                },
                m_net.now);
    }

    std::mt19937 m_random;
    InofNetwork m_net;
    std::set<uint32_t> m_plugged;
    std::set<std::string> m_zones;
};

} // namespace

TEST(InofRandom, RunsOfFaultsEndInTheTruth)
{
    const uint32_t seeds = tests::GetCases(100);
    std::cout << seeds << " cases of 100\n";
    for (uint32_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed)
    {
        InofChaos(seed).Check(seed);
    }
}
