// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STORM_QUEUE_H
#define LOSSLESS_STORM_QUEUE_H

// A queue under PAUSE, moved on by hand, for the tests of watchdogs. Times are in milliseconds: a
// machine only compares them.

#include "ns3/pfc-storm-machine.h"

#include <cstdint>

namespace ns3
{
namespace tests
{

constexpr int64_t NEVER = PfcStormMachine::NEVER;
constexpr auto OPERATIONAL = PfcQueueState::OPERATIONAL;
constexpr auto STORMED = PfcQueueState::STORMED;
constexpr auto DISABLED = PfcQueueState::DISABLED;

/// A queue and its peer: what a watchdog sees of them, moved on by hand.
struct Queue
{
    PfcQueueSample sample; //!< now

    /// Time passes. @param ticks how long
    void Pass(int64_t ticks)
    {
        sample.time += ticks;
        sample.pausedTicks += sample.paused ? ticks : 0;
    }

    /// PAUSE comes, which is obeyed unless `ignored`.
    void Pause()
    {
        ++sample.rxPause;
        ++sample.rxPausePort;
        sample.paused = !ignored;
    }

    /// XON comes, or the pause expires.
    void Open()
    {
        sample.resumptions += sample.paused;
        sample.paused = false;
    }

    /// A frame is sent.
    void Send()
    {
        sample.lastTx = sample.time;
    }

    bool ignored{false}; //!< PAUSE is not obeyed
};

/// A queue that is calm, stormed and anything in between for a while each.
struct RandomQueue : Queue
{
    /// @param seed the same seed gives the same queue
    explicit RandomQueue(uint32_t seed)
        : state(seed * 2654435761U)
    {
    }

    /// @param below more than 0 @return a number less than it
    uint32_t Draw(uint32_t below)
    {
        state = state * 1664525U + 1013904223U;
        return (state >> 8) % below;
    }

    /// Something happens, or nothing. @return whether the queue was paused or opened
    bool Change()
    {
        const bool before = sample.paused;
        mood = Draw(60) == 0 ? Draw(3) : mood;
        if (mood > 0 && Draw(3) == 0)
        {
            Pause();
        }
        else if (mood < 2 && Draw(4) == 0)
        {
            Open();
        }
        sample.queueBytes = Draw(8) || mood == 2 ? 1000 : 0;
        if (!sample.paused && Draw(3) == 0)
        {
            Send();
        }
        return sample.paused != before;
    }

    uint32_t state;
    uint32_t mood{0}; //!< 0: no PAUSE, 1: some, 2: a storm
};

/// 200 to detect, 300 to restore, polls at multiples of 100.
inline PfcStormTimes
Times()
{
    PfcStormTimes times;
    times.detection = 200;
    times.restoration = 300;
    times.poll = 100;
    times.clear = 400;
    return times;
}

/// A queue that is paused for ever at 30, a refresh every 40 ticks, until a time.
inline void
Storm(PfcStormMachine& machine, Queue& queue, int64_t until)
{
    while (queue.sample.time < until)
    {
        queue.Pass(10);
        if (queue.sample.time % 40 == 30)
        {
            const bool before = queue.sample.paused;
            queue.Pause();
            if (queue.sample.paused != before)
            {
                machine.PauseChanged(queue.sample);
            }
        }
        if (machine.NextSample() <= queue.sample.time)
        {
            machine.Sampled(queue.sample);
        }
    }
}

/// Time passes without PAUSE, polls as they are due.
inline void
Silence(PfcStormMachine& machine, Queue& queue, int64_t until)
{
    while (queue.sample.time < until)
    {
        queue.Pass(10);
        if (machine.NextSample() <= queue.sample.time)
        {
            machine.Sampled(queue.sample);
        }
    }
}

/// @return a sample at a time
inline PfcQueueSample
At(int64_t time)
{
    PfcQueueSample sample;
    sample.time = time;
    return sample;
}

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_STORM_QUEUE_H
