// SPDX-License-Identifier: GPL-2.0-only

// The watchdog of one queue in the dialect of H3C, transition by transition.

#include "storm-queue.h"

#include "ns3/h3c-storm.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::tests;

TEST(H3cStorm, TimerEndsInAStorm)
{
    H3cStormMachine machine(Times());
    Queue queue;
    machine.Reset(queue.sample);
    EXPECT_EQ(machine.NextSample(), NEVER);
    queue.Pass(37);
    queue.Pause();
    machine.PauseChanged(queue.sample);
    EXPECT_EQ(machine.NextSample(), 237) << "no grid: from the XOFF";
    queue.Pass(200);
    machine.Sampled(queue.sample);
    EXPECT_EQ(machine.GetState(), STORMED);
    EXPECT_EQ(machine.GetStormCount(), 1U);
    EXPECT_EQ(machine.NextSample(), 637) << "automatic clearing";
}

TEST(H3cStorm, XonOrExpiryCancels)
{
    H3cStormMachine machine(Times());
    Queue queue;
    machine.Reset(queue.sample);
    queue.Pause();
    machine.PauseChanged(queue.sample);
    queue.Pass(199);
    queue.Open();
    machine.PauseChanged(queue.sample);
    EXPECT_EQ(machine.NextSample(), NEVER);
    queue.Pass(1);
    queue.Pause();
    machine.PauseChanged(queue.sample);
    EXPECT_EQ(machine.NextSample(), 400) << "from the new XOFF";
    EXPECT_EQ(machine.GetState(), OPERATIONAL);
}

TEST(H3cStorm, RefreshesDoNotProlongDetection)
{
    H3cStormMachine machine(Times());
    Queue queue;
    machine.Reset(queue.sample);
    queue.Pause();
    machine.PauseChanged(queue.sample);
    queue.Pass(100);
    queue.Pause();
    machine.PauseChanged(queue.sample);
    EXPECT_EQ(machine.NextSample(), 200);
}

TEST(H3cStorm, ClearingEndsAndDetectionBeginsAnew)
{
    H3cStormMachine machine(Times());
    Queue queue;
    machine.Reset(queue.sample);
    queue.Pause();
    machine.PauseChanged(queue.sample);
    queue.Pass(200);
    machine.Sampled(queue.sample);
    ASSERT_EQ(machine.GetState(), STORMED);
    queue.Open(); // the watchdog ignores PAUSE
    machine.PauseChanged(queue.sample);
    EXPECT_EQ(machine.GetState(), STORMED) << "for the whole time";
    EXPECT_EQ(machine.NextSample(), 600);
    queue.Pass(400);
    machine.Sampled(queue.sample);
    EXPECT_EQ(machine.GetState(), OPERATIONAL);
    EXPECT_EQ(machine.NextSample(), NEVER);
    queue.Pass(10);
    queue.Pause();
    machine.PauseChanged(queue.sample);
    EXPECT_EQ(machine.NextSample(), 810) << "a fresh countdown";
    queue.Pass(200);
    machine.Sampled(queue.sample);
    EXPECT_EQ(machine.GetState(), STORMED);
    EXPECT_EQ(machine.GetStormCount(), 2U) << "the count grows";
}

/// Storm after storm, with a gap. @return the state after the last
PfcQueueState
StormTimes(H3cStormMachine& machine, Queue& queue, uint32_t count, int64_t gap)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        queue.Pass(gap);
        queue.Pause();
        machine.PauseChanged(queue.sample);
        queue.Pass(200);
        machine.Sampled(queue.sample);
        queue.Open();
        machine.PauseChanged(queue.sample);
        if (machine.GetState() == DISABLED || i + 1 == count)
        {
            break;
        }
        queue.Pass(400);
        machine.Sampled(queue.sample);
    }
    return machine.GetState();
}

TEST(H3cStorm, TheLimitDisables)
{
    PfcStormTimes times = Times();
    times.limit = 3;
    H3cStormMachine machine(times);
    Queue queue;
    machine.Reset(queue.sample);
    EXPECT_EQ(StormTimes(machine, queue, 3, 10), DISABLED);
    EXPECT_EQ(machine.NextSample(), NEVER) << "nothing but the administrator ends it";
    queue.Pass(100000);
    queue.Pause();
    machine.PauseChanged(queue.sample);
    EXPECT_EQ(machine.GetState(), DISABLED);
    EXPECT_EQ(machine.NextSample(), NEVER) << "detection is off";
}

TEST(H3cStorm, BelowTheLimitItClears)
{
    PfcStormTimes times = Times();
    times.limit = 3;
    H3cStormMachine machine(times);
    Queue queue;
    machine.Reset(queue.sample);
    EXPECT_EQ(StormTimes(machine, queue, 2, 10), STORMED);
}

TEST(H3cStorm, WithoutLimitItNeverDisables)
{
    H3cStormMachine machine(Times());
    Queue queue;
    machine.Reset(queue.sample);
    EXPECT_EQ(StormTimes(machine, queue, 1000, 10), STORMED);
    EXPECT_EQ(machine.GetStormCount(), 1000U);
}

TEST(H3cStorm, RestoreEnablesWithAFreshCount)
{
    PfcStormTimes times = Times();
    times.limit = 2;
    H3cStormMachine machine(times);
    Queue queue;
    machine.Reset(queue.sample);
    ASSERT_EQ(StormTimes(machine, queue, 2, 10), DISABLED);
    machine.Reset(queue.sample); // PfcWatchdog::Restore()
    EXPECT_EQ(machine.GetState(), OPERATIONAL);
    EXPECT_EQ(machine.GetStormCount(), 0U);
    EXPECT_EQ(StormTimes(machine, queue, 1, 10), STORMED) << "one of two again";
}

TEST(H3cStorm, QuietPeriodForgetsTheCount)
{
    PfcStormTimes times = Times();
    times.limit = 2;
    times.quiet = 1000;
    H3cStormMachine machine(times);
    Queue queue;
    machine.Reset(queue.sample);
    // From the end of clearing to the detection after it: gap + 200.
    EXPECT_EQ(StormTimes(machine, queue, 5, 800), STORMED) << "never two in a row";
    EXPECT_EQ(machine.GetStormCount(), 1U);
    H3cStormMachine busy(times);
    Queue other;
    busy.Reset(other.sample);
    EXPECT_EQ(StormTimes(busy, other, 5, 799), DISABLED) << "one tick less";
}

TEST(H3cStorm, AlertLastsUntilTheQueueOpens)
{
    PfcStormTimes times = Times();
    times.alert = true;
    times.limit = 1;
    H3cStormMachine machine(times);
    Queue queue;
    machine.Reset(queue.sample);
    queue.Pause();
    machine.PauseChanged(queue.sample);
    queue.Pass(200);
    machine.Sampled(queue.sample);
    EXPECT_EQ(machine.GetState(), STORMED) << "an alert disables nothing";
    EXPECT_EQ(machine.NextSample(), NEVER);
    queue.Pass(5000);
    queue.Open();
    machine.PauseChanged(queue.sample);
    EXPECT_EQ(machine.GetState(), OPERATIONAL);
}
