// SPDX-License-Identifier: GPL-2.0-only

// States and rotation of the entropy values of a plane (sheet 16, sections 3.2 to 3.4).

#include "ns3/mrc-plane-evs.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t SUCCESSES = 3;

/// @param active EVs in the rotation @param backups behind it @param floor of the rotation
/// @param draws order of rounds @return a plane whose EVs have values that are not their indices
MrcPlaneEvs
MakePlane(uint32_t active,
          uint32_t backups,
          uint32_t floor = 1,
          const Ptr<RandomVariableStream>& draws = nullptr)
{
    std::vector<uint32_t> values;
    for (uint32_t i = 0; i < active + backups; ++i)
    {
        values.push_back(0x50000 + (i * 7) % 64);
    }
    return MrcPlaneEvs(values, active, floor, SUCCESSES, draws);
}

/// Play a script of the sheet: n: a packet; mE: a mark of EV E; bE: a loss; pE+, pE-, pEs: a probe
/// is answered, is not, is answered with a mark; sE: the loss was spurious; dE, aE: the controller
/// denies, allows. @param evs the plane @param script words @return the EVs of packets
std::string
Play(MrcPlaneEvs& evs, const std::string& script)
{
    std::istringstream in(script);
    std::string out;
    for (std::string word; in >> word;)
    {
        const uint16_t ev = word.size() > 1 ? word[1] - '0' : 0;
        switch (word[0])
        {
        case 'n': {
            const bool has = evs.HasEv();
            const uint16_t chosen = evs.Choose();
            EXPECT_EQ(has, chosen != MrcPlaneEvs::NONE);
            out += (out.empty() ? "" : " ") + (has ? std::to_string(chosen) : "none");
            break;
        }
        case 'm':
            evs.Mark(ev);
            break;
        case 'b':
            evs.NoteLoss(ev);
            break;
        case 's':
            evs.NoteSpurious(ev);
            break;
        case 'd':
            evs.Deny(ev);
            break;
        case 'a':
            evs.Allow(ev);
            break;
        default:
            evs.Probed(ev, word[2] != '-', word[2] == 's');
            break;
        }
    }
    return out;
}

using Evs = std::vector<uint16_t>;

/// A stream that gives numbers in turn. @param draws the numbers @return the stream
Ptr<RandomVariableStream>
MakeDraws(std::vector<double> draws)
{
    auto stream = CreateObject<DeterministicRandomVariable>();
    stream->SetValueArray(draws.data(), draws.size());
    return stream;
}

/// @param evs a plane @param packets how many @return the EVs of the next packets
Evs
Take(MrcPlaneEvs& evs, uint32_t packets)
{
    Evs taken;
    for (uint32_t i = 0; i < packets; ++i)
    {
        taken.push_back(evs.Choose());
    }
    return taken;
}

} // namespace

TEST(MrcPlaneEvs, AMarkCostsOneTurn)
{
    auto evs = MakePlane(4, 2);
    EXPECT_EQ(Play(evs, "n n n n m1 m2 n n n n n n"), "0 1 2 3 0 3 0 1 3 0");
    auto all = MakePlane(4, 2);
    EXPECT_EQ(Play(all, "m0 m1 m2 m3 n n n n n"), "0 0 1 0 1");
    auto twice = MakePlane(4, 0);
    EXPECT_EQ(Play(twice, "n m1 m1 n n n n n"), "0 2 3 0 1 2");
    EXPECT_EQ(twice.GetState(1), MrcPlaneEvs::GOOD);
}

TEST(MrcPlaneEvs, ABackupMissesNoTurn)
{
    auto evs = MakePlane(2, 1);
    EXPECT_EQ(Play(evs, "m2"), "");
    EXPECT_EQ(evs.GetState(2), MrcPlaneEvs::GOOD);
    EXPECT_EQ(Play(evs, "b0 n n n"), "2 1 2");
}

TEST(MrcPlaneEvs, ALossBringsABackup)
{
    auto evs = MakePlane(4, 2);
    EXPECT_EQ(Play(evs, "n b2 n n n p2+ p2- p2+ p2+"), "0 1 4 3");
    EXPECT_EQ(evs.GetState(2), MrcPlaneEvs::ASSUMED_BAD);
    EXPECT_EQ(evs.GetBad(), 1U);
    EXPECT_EQ(Play(evs, "p2+ n n n n"), "0 1 4 3");
    EXPECT_EQ(evs.GetSlots(), (Evs{0, 1, 4, 3}));
    EXPECT_EQ(evs.GetBackups(), (Evs{5, 2}));
    EXPECT_EQ(evs.GetState(2), MrcPlaneEvs::GOOD);
    EXPECT_EQ(evs.GetBad(), 0U);
    EXPECT_EQ(Play(evs, "b5"), ""); // a backup
    EXPECT_EQ(evs.GetBackups(), (Evs{2}));
}

TEST(MrcPlaneEvs, WithoutBackupsTheSlotGoes)
{
    auto evs = MakePlane(4, 0);
    EXPECT_EQ(Play(evs, "n b0 b1 n n n p1+ p1+ p1s n n n"), "0 2 3 2 3 2 3");
    EXPECT_EQ(evs.GetSlots(), (Evs{2, 3, 1}));
    EXPECT_EQ(evs.GetState(0), MrcPlaneEvs::ASSUMED_BAD);
    EXPECT_EQ(evs.GetState(1), MrcPlaneEvs::GOOD); // it was SKIP, and has missed its turn
}

TEST(MrcPlaneEvs, TheFloorRefusesALoss)
{
    auto evs = MakePlane(4, 0, 2);
    EXPECT_TRUE(evs.NoteLoss(3));
    EXPECT_FALSE(evs.NoteLoss(3)); // has left already
    EXPECT_TRUE(evs.NoteLoss(2));
    EXPECT_FALSE(evs.NoteLoss(1));
    EXPECT_EQ(evs.GetRefused(), 1U);
    EXPECT_EQ(evs.GetSlots(), (Evs{0, 1}));
    EXPECT_EQ(Play(evs, "n n n"), "0 1 0");
    auto backed = MakePlane(2, 1, 2); // with a backup the rotation keeps its length
    EXPECT_TRUE(backed.NoteLoss(0));
    EXPECT_FALSE(backed.NoteLoss(1));
}

TEST(MrcPlaneEvs, ASpuriousLossIsUndoneAtOnce)
{
    auto evs = MakePlane(2, 0, 0);
    EXPECT_EQ(Play(evs, "b0 b1 n s1 n p0+ p0+ s0 n n"), "none 1 1 0");
    EXPECT_EQ(evs.GetBad(), 0U);
    // Probes before the EV came back count no more.
    EXPECT_EQ(Play(evs, "b0 p0+ p0+ n"), "1");
    EXPECT_EQ(evs.GetState(0), MrcPlaneEvs::ASSUMED_BAD);
    EXPECT_EQ(Play(evs, "s1 s1"), "");
    EXPECT_EQ(evs.GetSlots(), (Evs{1}));
}

TEST(MrcPlaneEvs, TheControllerDeniesAndAllows)
{
    auto evs = MakePlane(3, 1);
    EXPECT_EQ(Play(evs, "d1 n n n"), "0 3 2");
    EXPECT_EQ(Play(evs, "d3 d2 d0 n"), "none"); // no floor
    EXPECT_EQ(Play(evs, "b0 m0 s0 p0+ p0+ p0+ n"), "none");
    EXPECT_EQ(evs.GetState(0), MrcPlaneEvs::DENIED);
    EXPECT_EQ(evs.GetRefused(), 0U);
    EXPECT_EQ(Play(evs, "a2 a2 n a0 a3 a1 n n n"), "2 2 0 3");
    EXPECT_EQ(evs.GetSlots(), (Evs{2, 0, 3}));
    EXPECT_EQ(evs.GetBackups(), (Evs{1}));
    EXPECT_EQ(Play(evs, "b2"), "");
    EXPECT_EQ(evs.GetBad(), 1U);
    EXPECT_EQ(Play(evs, "d2"), "");
    EXPECT_EQ(evs.GetBad(), 0U);
    EXPECT_EQ(evs.GetSlots(), (Evs{1, 0, 3}));
}

TEST(MrcPlaneEvs, FindsAnEvByItsValue)
{
    const auto evs = MakePlane(20, 20);
    EXPECT_EQ(evs.GetN(), 40U);
    for (uint16_t ev = 0; ev < 40; ++ev)
    {
        EXPECT_EQ(evs.Find(evs.GetValue(ev)), ev);
    }
    EXPECT_EQ(evs.Find(0), MrcPlaneEvs::NONE);
    EXPECT_EQ(evs.Find(0x50000 + 40 * 7 % 64), MrcPlaneEvs::NONE);
    EXPECT_EQ(evs.Find(0xffffffff), MrcPlaneEvs::NONE);
}

TEST(MrcPlaneEvs, EachRoundIsShuffled)
{
    // Slots 0 1 2 3: 3 and 0, 2 and 0, 1 and 0 change places: 1 2 3 0; again: 2 3 0 1. With draws
    // next to 1 none does.
    auto evs = MakePlane(4, 0, 1, MakeDraws({0, 0, 0, 0, 0, 0, 0.999, 0.999, 0.999}));
    EXPECT_EQ(Take(evs, 4), (Evs{1, 2, 3, 0}));
    EXPECT_EQ(Take(evs, 4), (Evs{2, 3, 0, 1}));
    EXPECT_EQ(Take(evs, 4), (Evs{2, 3, 0, 1}));
}

TEST(MrcPlaneEvs, TheStreamDecidesTheOrder)
{
    const auto order = [](int64_t number) {
        auto stream = CreateObject<UniformRandomVariable>();
        stream->SetStream(number);
        auto evs = MakePlane(16, 16, 1, stream);
        evs.Mark(5);
        Evs all = Take(evs, 15); // each once, but for the one that misses a turn
        Evs sorted = all;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(sorted, (Evs{0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
        const bool isLast = evs.GetState(5) == MrcPlaneEvs::SKIP; // its turn is yet to come
        all.push_back(isLast);
        const Evs more = Take(evs, 64);
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    EXPECT_EQ(order(7), order(7));
    EXPECT_NE(order(7), order(8));
}

TEST(MrcPlaneEvs, WhateverHappensEachEvHasOnePlace)
{
    constexpr uint32_t FLOOR = 3;
    constexpr uint32_t ACTIVE = 8;
    constexpr uint16_t ALL = 12;
    std::mt19937 random(1);
    auto stream = CreateObject<UniformRandomVariable>();
    stream->SetStream(1);
    auto evs = MakePlane(ACTIVE, ALL - ACTIVE, FLOOR, stream);
    uint32_t none = 0;
    for (int i = 0; i < 20000; ++i)
    {
        const uint16_t ev = random() % ALL;
        const std::size_t before = evs.GetSlots().size();
        const uint32_t action = random() % 16;
        switch (action)
        {
        case 0:
        case 1:
            evs.Mark(ev);
            break;
        case 2:
            evs.NoteLoss(ev);
            ASSERT_GE(evs.GetSlots().size(), std::min<std::size_t>(before, FLOOR));
            break;
        case 3:
            evs.NoteSpurious(ev);
            break;
        case 4:
            evs.Deny(ev);
            break;
        case 5:
            if (i / 1000 % 2) // else all are denied, sooner or later
            {
                evs.Allow(ev);
            }
            break;
        case 6:
        case 7:
        case 8:
            evs.Probed(ev, random() % 4 > 0, random() % 2);
            break;
        default: {
            const bool has = evs.HasEv();
            const uint16_t chosen = evs.Choose();
            ASSERT_EQ(has, chosen != MrcPlaneEvs::NONE);
            ASSERT_TRUE(!has || evs.GetState(chosen) == MrcPlaneEvs::GOOD);
            none += !has;
            break;
        }
        }
        uint16_t bad = 0;
        for (uint16_t any = 0; any < ALL; ++any)
        {
            const Evs& slots = evs.GetSlots();
            const Evs& backups = evs.GetBackups();
            const auto slot = std::count(slots.begin(), slots.end(), any);
            const auto backup = std::count(backups.begin(), backups.end(), any);
            const auto state = evs.GetState(any);
            const bool isOut = state == MrcPlaneEvs::ASSUMED_BAD || state == MrcPlaneEvs::DENIED;
            ASSERT_EQ(slot + backup, isOut ? 0 : 1) << any;
            ASSERT_TRUE(state != MrcPlaneEvs::SKIP || slot == 1) << any;
            bad += state == MrcPlaneEvs::ASSUMED_BAD;
        }
        ASSERT_EQ(evs.GetBad(), bad);
        ASSERT_TRUE(evs.GetBackups().empty() || evs.GetSlots().size() == ACTIVE);
    }
    EXPECT_GT(none, 0U);
}
