// SPDX-License-Identifier: GPL-2.0-only

// The watchdog of one queue in the dialects that poll, condition by condition and transition by
// transition. That of H3C is in h3c-storm-unit.cc.

#include "polled-storm-machine.h"
#include "storm-queue.h"

#include "ns3/guo16-storm.h"
#include "ns3/sonic-storm.h"

#include <gtest/gtest.h>
#include <sstream>
#include <type_traits>

using namespace ns3;
using namespace ns3::tests;

// ---- conditions

TEST(PfcStormCondition, SonicBrcm)
{
    const auto rule = CreateObject<SonicBrcmStorm>();
    PfcQueueSample last = At(100);
    PfcQueueSample now = At(200);
    last.paused = now.paused = true;
    last.rxPause = 3;
    now.rxPause = 4;
    EXPECT_TRUE(rule->IsStorming(last, now));
    now.rxPause = 3;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "no PAUSE came";
    now.rxPause = 4;
    now.resumptions = 1;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "it resumed in between";
    now.resumptions = 0;
    last.paused = false;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "open at the begin";
    last.paused = true;
    now.paused = false;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "open at the end";
    EXPECT_FALSE(rule->NeedsTransmissions());
    EXPECT_FALSE(rule->IsForServerPorts());
    EXPECT_FALSE(rule->ActsOnPort());
}

TEST(PfcStormCondition, SonicMlnxOld)
{
    const auto rule = CreateObject<SonicMlnxOldStorm>();
    PfcQueueSample last = At(100);
    PfcQueueSample now = At(200);
    now.queueBytes = 1000;
    now.rxPause = 1;
    EXPECT_TRUE(rule->IsStorming(last, now)) << "frames wait, PAUSE came";
    now.lastTx = 150;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "a frame was sent";
    now.lastTx = 100;
    EXPECT_TRUE(rule->IsStorming(last, now)) << "sent before the interval";
    now.rxPause = 0;
    now.pausedTicks = 100;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "frames wait, no PAUSE came";
    now.queueBytes = 0;
    EXPECT_TRUE(rule->IsStorming(last, now)) << "none waits, paused all the time";
    now.pausedTicks = 81;
    EXPECT_TRUE(rule->IsStorming(last, now)) << "more than 80 %";
    now.pausedTicks = 80;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "80 % are not more";
    now.pausedTicks = 100;
    now.lastTx = 101;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "a frame was sent";
    EXPECT_TRUE(rule->NeedsTransmissions());
}

TEST(PfcStormCondition, SonicMlnxNew)
{
    const auto rule = CreateObject<SonicMlnxNewStorm>();
    PfcQueueSample last = At(100);
    PfcQueueSample now = At(300);
    now.queueBytes = 1000;
    now.rxPause = 1;
    now.pausedTicks = 199; // of 200: 99.5 %
    EXPECT_TRUE(rule->IsStorming(last, now));
    now.pausedTicks = 198;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "99 % are not more";
    now.pausedTicks = 199;
    now.rxPause = 0;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "no PAUSE came";
    now.rxPause = 1;
    now.lastTx = 300;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "a frame was sent";
    now.lastTx = -1;
    now.queueBytes = 0;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "none waits";
    EXPECT_TRUE(rule->NeedsTransmissions());
}

TEST(PfcStormCondition, Guo16)
{
    const auto rule = CreateObject<Guo16Storm>();
    PfcQueueSample last = At(100);
    PfcQueueSample now = At(200);
    now.queueBytes = 1;
    now.rxPause = 1;
    EXPECT_TRUE(rule->IsStorming(last, now));
    now.lastTx = 101;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "it drains";
    now.lastTx = 100;
    now.rxPause = 0;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "no PAUSE came";
    now.rxPause = 1;
    now.queueBytes = 0;
    EXPECT_FALSE(rule->IsStorming(last, now)) << "none waits";
    EXPECT_TRUE(rule->IsForServerPorts());
    EXPECT_TRUE(rule->ActsOnPort());
    EXPECT_TRUE(rule->NeedsTransmissions());
}

TEST(PfcStormCondition, StatesHaveNames)
{
    std::ostringstream text;
    text << OPERATIONAL << ' ' << STORMED << ' ' << DISABLED;
    EXPECT_EQ(text.str(), "operational stormed disabled");
}

// ---- machines that poll: the same transitions for every dialect

template <typename Rule>
class PolledStorm : public ::testing::Test
{
  protected:
    /// @return a queue in which a frame waits
    static Queue Waiting()
    {
        Queue queue;
        queue.sample.queueBytes = 1000;
        return queue;
    }

    /// @return the first poll that agrees to a storm that begins at 30: some dialects want the
    /// queue paused for the whole interval
    static int64_t FirstAgreeingPoll()
    {
        const bool whole =
            std::is_same_v<Rule, SonicBrcmStorm> || std::is_same_v<Rule, SonicMlnxNewStorm>;
        return whole ? 200 : 100;
    }

    Ptr<Rule> m_rule = CreateObject<Rule>();
};

using PolledRules =
    ::testing::Types<SonicBrcmStorm, SonicMlnxOldStorm, SonicMlnxNewStorm, Guo16Storm>;
TYPED_TEST_SUITE(PolledStorm, PolledRules);

TYPED_TEST(PolledStorm, DetectsAfterTheDetectionTime)
{
    PolledStormMachine machine(*this->m_rule, Times());
    Queue queue = this->Waiting();
    machine.Reset(queue.sample);
    EXPECT_EQ(machine.NextSample(), NEVER) << "an open queue is not polled";
    const int64_t detected = this->FirstAgreeingPoll() + 100;
    Storm(machine, queue, detected - 10);
    EXPECT_EQ(machine.GetState(), OPERATIONAL);
    EXPECT_EQ(machine.NextSample(), detected);
    Storm(machine, queue, detected);
    EXPECT_EQ(machine.GetState(), STORMED);
}

TYPED_TEST(PolledStorm, OnePollNeverDetectsAlone)
{
    PfcStormTimes times = Times();
    times.detection = 50; // half a poll
    PolledStormMachine machine(*this->m_rule, times);
    Queue queue = this->Waiting();
    machine.Reset(queue.sample);
    int agreeing = 0;
    int64_t before = machine.GetCountdown();
    while (machine.GetState() == OPERATIONAL && queue.sample.time < 1000)
    {
        Storm(machine, queue, queue.sample.time + 10);
        agreeing += machine.GetCountdown() < before || machine.GetState() == STORMED;
        before = machine.GetCountdown();
    }
    EXPECT_EQ(machine.GetState(), STORMED);
    EXPECT_EQ(agreeing, 2);
}

TYPED_TEST(PolledStorm, OneDisagreeingPollBeginsAnew)
{
    PfcStormTimes times = Times();
    times.detection = 300;
    PolledStormMachine machine(*this->m_rule, times);
    Queue queue = this->Waiting();
    machine.Reset(queue.sample);
    Storm(machine, queue, 250);
    EXPECT_LT(machine.GetCountdown(), 300);
    queue.Open();
    queue.Send(); // progress
    machine.PauseChanged(queue.sample);
    Silence(machine, queue, 300);
    EXPECT_EQ(machine.GetCountdown(), 300);
    EXPECT_EQ(machine.NextSample(), NEVER);
    const int64_t detected = 300 + this->FirstAgreeingPoll() + 200;
    Storm(machine, queue, detected - 10);
    EXPECT_EQ(machine.GetState(), OPERATIONAL);
    Storm(machine, queue, detected);
    EXPECT_EQ(machine.GetState(), STORMED);
}

TYPED_TEST(PolledStorm, LongPausesWithProgressAreNone)
{
    PolledStormMachine machine(*this->m_rule, Times());
    Queue queue = this->Waiting();
    machine.Reset(queue.sample);
    for (int64_t begin = 0; begin < 10000; begin += 100)
    {
        // Paused for 95 of 100; opens for a moment, and sends.
        queue.Pause();
        machine.PauseChanged(queue.sample);
        queue.Pass(50);
        queue.Pause();
        queue.Pass(45);
        queue.Open();
        machine.PauseChanged(queue.sample);
        queue.Send();
        queue.Pass(5);
        if (machine.NextSample() <= queue.sample.time)
        {
            machine.Sampled(queue.sample);
        }
        ASSERT_EQ(machine.GetState(), OPERATIONAL) << begin;
    }
}

TYPED_TEST(PolledStorm, RestoresWhenPauseIsAbsent)
{
    PolledStormMachine machine(*this->m_rule, Times());
    Queue queue = this->Waiting();
    machine.Reset(queue.sample);
    Storm(machine, queue, 300);
    ASSERT_EQ(machine.GetState(), STORMED);
    queue.Open();
    queue.ignored = true;
    machine.PauseChanged(queue.sample); // as when the watchdog begins to ignore PAUSE
    EXPECT_EQ(machine.GetState(), STORMED);
    Storm(machine, queue, 2000);
    EXPECT_EQ(machine.GetState(), STORMED) << "PAUSE keeps coming";
    // The last one came at 1990, so that 2100 is the first poll that saw none.
    Silence(machine, queue, 2200);
    EXPECT_EQ(machine.GetState(), STORMED);
    Silence(machine, queue, 2290);
    EXPECT_EQ(machine.GetState(), STORMED);
    Silence(machine, queue, 2300);
    EXPECT_EQ(machine.GetState(), OPERATIONAL);
    EXPECT_EQ(machine.NextSample(), NEVER) << "idle again";
}

TYPED_TEST(PolledStorm, OnePauseBeginsTheRestorationAnew)
{
    PolledStormMachine machine(*this->m_rule, Times());
    Queue queue = this->Waiting();
    machine.Reset(queue.sample);
    Storm(machine, queue, 300);
    ASSERT_EQ(machine.GetState(), STORMED);
    queue.Open();
    queue.ignored = true;
    Silence(machine, queue, 500); // 200 of 300
    queue.Pause();
    Silence(machine, queue, 800);
    EXPECT_EQ(machine.GetState(), STORMED);
    Silence(machine, queue, 900);
    EXPECT_EQ(machine.GetState(), OPERATIONAL);
}

TYPED_TEST(PolledStorm, DetectsAgainAfterRestoration)
{
    PolledStormMachine machine(*this->m_rule, Times());
    Queue queue = this->Waiting();
    machine.Reset(queue.sample);
    Storm(machine, queue, 300);
    queue.Open();
    queue.ignored = true;
    Silence(machine, queue, 600);
    ASSERT_EQ(machine.GetState(), OPERATIONAL);
    queue.ignored = false;
    const int64_t detected = 600 + this->FirstAgreeingPoll() + 100;
    Storm(machine, queue, detected - 10);
    EXPECT_EQ(machine.GetState(), OPERATIONAL) << "a fresh countdown";
    Storm(machine, queue, detected);
    EXPECT_EQ(machine.GetState(), STORMED);
}

TYPED_TEST(PolledStorm, AlertEndsWithItsCondition)
{
    PfcStormTimes times = Times();
    times.alert = true;
    PolledStormMachine machine(*this->m_rule, times);
    Queue queue = this->Waiting();
    machine.Reset(queue.sample);
    Storm(machine, queue, 300);
    ASSERT_EQ(machine.GetState(), STORMED);
    Storm(machine, queue, 900);
    EXPECT_EQ(machine.GetState(), STORMED) << "it lasts as long as the storm";
    queue.Open();
    machine.PauseChanged(queue.sample);
    queue.Pass(1);
    queue.Send();
    queue.Pass(9);
    Silence(machine, queue, 990);
    EXPECT_EQ(machine.GetState(), STORMED);
    Silence(machine, queue, 1000); // not after 300, as an action would
    EXPECT_EQ(machine.GetState(), OPERATIONAL);
    EXPECT_EQ(machine.NextSample(), NEVER);
}

TYPED_TEST(PolledStorm, ResetEndsAStorm)
{
    PolledStormMachine machine(*this->m_rule, Times());
    Queue queue = this->Waiting();
    machine.Reset(queue.sample);
    Storm(machine, queue, 300);
    ASSERT_EQ(machine.GetState(), STORMED);
    queue.Open();
    machine.Reset(queue.sample);
    EXPECT_EQ(machine.GetState(), OPERATIONAL);
    EXPECT_EQ(machine.GetCountdown(), 200);
    EXPECT_EQ(machine.NextSample(), NEVER);
}

TYPED_TEST(PolledStorm, SamplesOnDemandAreThoseOfAPermanentPoll)
{
    // Two machines see the same random queue; one is sampled at each poll and told nothing else,
    // the other when it asks.
    uint32_t storms = 0;
    uint32_t restored = 0;
    uint32_t polls = 0;
    uint32_t samples = 0;
    for (uint32_t seed = 1; seed <= 300; ++seed)
    {
        PolledStormMachine lazy(*this->m_rule, Times());
        PolledStormMachine eager(*this->m_rule, Times());
        RandomQueue queue(seed);
        lazy.Reset(queue.sample);
        eager.Reset(queue.sample);
        for (int64_t step = 0; step < 1000; ++step)
        {
            queue.Pass(10);
            if (queue.sample.time % 100 != 0)
            {
                if (queue.Change())
                {
                    lazy.PauseChanged(queue.sample);
                }
                ASSERT_TRUE(lazy.NextSample() == NEVER || lazy.NextSample() % 100 == 0);
                continue;
            }
            const auto before = eager.GetState();
            eager.Sampled(queue.sample);
            ++polls;
            if (lazy.NextSample() <= queue.sample.time)
            {
                lazy.Sampled(queue.sample);
                ++samples;
            }
            ASSERT_EQ(lazy.GetState(), eager.GetState()) << seed << " at " << step;
            storms += before == OPERATIONAL && eager.GetState() == STORMED;
            restored += before == STORMED && eager.GetState() == OPERATIONAL;
            queue.ignored = eager.GetState() == STORMED;
            if (queue.ignored && queue.sample.paused)
            {
                queue.Open();
                lazy.PauseChanged(queue.sample);
            }
        }
    }
    EXPECT_GT(storms, 100U) << "the random queues have storms";
    EXPECT_GT(restored, 100U);
    EXPECT_LT(samples, polls * 9 / 10) << "and need fewer samples";
}

TEST(PolledStormRestoration, Guo16LooksAtTheWholePort)
{
    const auto rule = CreateObject<Guo16Storm>();
    PolledStormMachine machine(*rule, Times());
    Queue queue;
    queue.sample.queueBytes = 1;
    machine.Reset(queue.sample);
    Storm(machine, queue, 300);
    ASSERT_EQ(machine.GetState(), STORMED);
    queue.Open();
    for (int64_t time = 400; time <= 2000; time += 100)
    {
        ++queue.sample.rxPausePort; // of another class
        Silence(machine, queue, time);
        EXPECT_EQ(machine.GetState(), STORMED) << time;
    }
    Silence(machine, queue, 2300);
    EXPECT_EQ(machine.GetState(), OPERATIONAL);
}

TEST(PolledStormDialects, TheyDiffer)
{
    // An empty queue under PAUSE: Broadcom and the older Mellanox alarm, the others do not.
    const auto alarms = [](const PolledStormRule& rule) {
        PolledStormMachine machine(rule, Times());
        Queue queue;
        machine.Reset(queue.sample);
        Storm(machine, queue, 1000);
        return machine.GetState() == STORMED;
    };
    EXPECT_TRUE(alarms(*CreateObject<SonicBrcmStorm>()));
    EXPECT_TRUE(alarms(*CreateObject<SonicMlnxOldStorm>()));
    EXPECT_FALSE(alarms(*CreateObject<SonicMlnxNewStorm>()));
    EXPECT_FALSE(alarms(*CreateObject<Guo16Storm>()));
}
