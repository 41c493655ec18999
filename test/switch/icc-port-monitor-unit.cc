// SPDX-License-Identifier: GPL-2.0-only

// How an ICC switch judges a queue: all combinations of growth and utilisation, both timers, and
// what is measured.

#include "ns3/icc-port-monitor.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr int64_t US = 1000000; // picoseconds
constexpr double G = 1e9;
constexpr int64_t BYTES_PER_US = 12500; // 100 Gb/s

/// A monitor of a 100 Gb/s port whose line is used evenly, and whose queue the test makes.
class Scene
{
  public:
    /// @param percent utilisation of the line
    explicit Scene(int64_t percent)
        : m_percent(percent)
    {
        IccMonitorParameters p;
        p.capacity = 100 * G;
        monitor = IccPortMonitor(p);
    }

    /// @return what the queue looks like
    IccQueueView At(int64_t us, uint64_t queueBytes) const
    {
        return {us * US, queueBytes, static_cast<uint64_t>(us * BYTES_PER_US * m_percent / 100)};
    }

    /// An arrival each microsecond, to an empty queue. The timer does not run afterwards.
    void Quiet(int64_t fromUs, int64_t toUs)
    {
        for (int64_t us = fromUs; us < toUs; ++us)
        {
            EXPECT_EQ(monitor.Arrived(At(us, 0)), IccVerdict::NOTHING);
        }
        monitor.StopTimer();
    }

    IccPortMonitor monitor{IccMonitorParameters()};

  private:
    int64_t m_percent;
};

} // namespace

TEST(IccPortMonitor, AllEightCombinations)
{
    const double up = 1 * G;
    const double down = -1 * G;
    const auto decide = &IccPortMonitor::Decide;
    EXPECT_EQ(decide(up, up, true), IccVerdict::CONGESTED);
    EXPECT_EQ(decide(up, up, false), IccVerdict::REPORT) << "grows, link not busy";
    EXPECT_EQ(decide(up, down, true), IccVerdict::REPORT) << "shrinks, link busy";
    EXPECT_EQ(decide(up, down, false), IccVerdict::NOTHING);
    EXPECT_EQ(decide(down, up, true), IccVerdict::REPORT);
    EXPECT_EQ(decide(down, up, false), IccVerdict::REPORT);
    EXPECT_EQ(decide(down, down, true), IccVerdict::REPORT) << "shrinks, link busy";
    EXPECT_EQ(decide(down, down, false), IccVerdict::NOTHING);
    EXPECT_EQ(decide(0, 0, true), IccVerdict::CONGESTED) << "a queue that stands does not shrink";
}

TEST(IccPortMonitor, LooksAgainAfterFiveMicroseconds)
{
    for (const bool busy : {true, false})
    {
        for (const bool grows : {true, false})
        {
            Scene scene(busy ? 70 : 69);
            scene.Quiet(0, 20);
            EXPECT_EQ(scene.monitor.Arrived(scene.At(20, 50000)), IccVerdict::NOTHING);
            EXPECT_EQ(scene.monitor.NextDeadline(), 25 * US);
            // Frames in between change nothing.
            EXPECT_EQ(scene.monitor.Arrived(scene.At(22, 90000)), IccVerdict::NOTHING);
            EXPECT_EQ(scene.monitor.Arrived(scene.At(24, 10000)), IccVerdict::NOTHING);
            EXPECT_EQ(scene.monitor.NextDeadline(), 25 * US);
            const auto verdict = scene.monitor.Wake(scene.At(25, grows ? 60000 : 40000));
            EXPECT_EQ(verdict, IccPortMonitor::Decide(1, grows ? 1 : -1, busy));
            EXPECT_DOUBLE_EQ(scene.monitor.GetGrowth(), (grows ? 32 : 64. / 3) * G)
                << "since 10 us";
            EXPECT_NEAR(scene.monitor.GetUtilisation(), busy ? .7 : .69, 1e-4);
        }
    }
}

TEST(IccPortMonitor, ASpikeThatIsGoneIsNotTold)
{
    Scene scene(90);
    scene.Quiet(0, 20);
    EXPECT_EQ(scene.monitor.Arrived(scene.At(20, 50000)), IccVerdict::NOTHING);
    EXPECT_EQ(scene.monitor.Wake(scene.At(25, 0)), IccVerdict::NOTHING);
}

TEST(IccPortMonitor, AShrinkingQueueIsJudgedAtOnce)
{
    for (const bool busy : {true, false})
    {
        Scene scene(busy ? 90 : 50);
        scene.Quiet(0, 20);
        scene.monitor.Arrived(scene.At(20, 60000));
        scene.monitor.Wake(scene.At(25, 60000));
        scene.monitor.StopTimer();
        const auto verdict = scene.monitor.Arrived(scene.At(46, 50000));
        EXPECT_EQ(verdict, busy ? IccVerdict::REPORT : IccVerdict::NOTHING);
        EXPECT_DOUBLE_EQ(scene.monitor.GetGrowth(), -10000 * 8 / 21e-6) << "since 25 us";
        // And then at most once in 5 us.
        EXPECT_EQ(scene.monitor.Arrived(scene.At(50, 40000)), IccVerdict::NOTHING);
        EXPECT_EQ(scene.monitor.Arrived(scene.At(51, 30000)), verdict);
    }
}

TEST(IccPortMonitor, OnlyCongestionRestartsTheTimer)
{
    for (const bool congested : {true, false})
    {
        Scene scene(90);
        scene.Quiet(0, 20);
        scene.monitor.Arrived(scene.At(20, 50000)); // starts the timer, too
        const auto verdict = scene.monitor.Wake(scene.At(25, congested ? 60000 : 40000));
        EXPECT_EQ(verdict, congested ? IccVerdict::CONGESTED : IccVerdict::REPORT);
        EXPECT_EQ(scene.monitor.NextDeadline(), (congested ? 40 : 35) * US);
    }
}

TEST(IccPortMonitor, TheTimerTellsAnyQueue)
{
    Scene scene(30);
    scene.Quiet(0, 20);
    EXPECT_EQ(scene.monitor.NextDeadline(), IccPortMonitor::NEVER);
    scene.monitor.Arrived(scene.At(20, 0));
    EXPECT_EQ(scene.monitor.NextDeadline(), 35 * US);
    EXPECT_EQ(scene.monitor.Wake(scene.At(34, 0)), IccVerdict::NOTHING) << "too early";
    EXPECT_EQ(scene.monitor.Wake(scene.At(35, 0)), IccVerdict::TIMER);
    EXPECT_NEAR(scene.monitor.GetUtilisation(), .3, 1e-4);
    EXPECT_EQ(scene.monitor.NextDeadline(), 50 * US);
    scene.monitor.StopTimer();
    EXPECT_EQ(scene.monitor.NextDeadline(), IccPortMonitor::NEVER);
    scene.monitor.Arrived(scene.At(60, 0));
    EXPECT_EQ(scene.monitor.NextDeadline(), 75 * US);
}

TEST(IccPortMonitor, GrowthIsThatOfTheLastWindow)
{
    Scene scene(50);
    scene.Quiet(0, 30);
    IccQueueView view = scene.At(29, 1000);
    view.nowPs += US / 2;
    scene.monitor.Arrived(view); // no sample: the last one is half a microsecond old
    view.nowPs += US / 4;
    view.queueBytes = 15750;
    // Against the sample at 14 us, not that at 15 us or the frame before.
    EXPECT_DOUBLE_EQ(scene.monitor.MeasureGrowth(view), 15750 * 8 / 15.75e-6);
    scene.monitor.Measure(view);
    EXPECT_DOUBLE_EQ(scene.monitor.GetGrowth(), 15750 * 8 / 15.75e-6);
    EXPECT_NEAR(scene.monitor.GetUtilisation(), .5, .05);
}

TEST(IccPortMonitor, UtilisationIsThatOfTheLastWindow)
{
    Scene scene(100);
    scene.Quiet(0, 100);
    EXPECT_NEAR(scene.monitor.MeasureUtilisation(scene.At(100, 0)), 1, 1e-9);
    // Then nothing is sent: half of the window is idle, then all of it.
    IccQueueView view = scene.At(99, 0);
    view.nowPs = 106 * US + US / 2;
    EXPECT_NEAR(scene.monitor.MeasureUtilisation(view), 0.5, 1e-9);
    view.nowPs = 200 * US;
    EXPECT_NEAR(scene.monitor.MeasureUtilisation(view), 0, 1e-9);
}

TEST(IccPortMonitor, UtilisationAtTheStart)
{
    Scene scene(100);
    EXPECT_NEAR(scene.monitor.MeasureUtilisation(scene.At(0, 0)), 0, 1e-9);
    scene.Quiet(0, 3);
    EXPECT_NEAR(scene.monitor.MeasureUtilisation(scene.At(3, 0)), 0.2, 1e-6) << "3 of 15 us";
}

// A window that grows during the run is filled by and by: the monitor measures what there is.
TEST(IccPortMonitor, ALongerWindowMeasuresSinceTheOldestSample)
{
    Scene scene(60);
    scene.Quiet(0, 100);
    IccMonitorParameters p;
    p.capacity = 100 * G;
    p.utilisationPs = 5000 * US;
    scene.monitor.SetParameters(p);
    EXPECT_NEAR(scene.monitor.MeasureUtilisation(scene.At(100, 0)), 0.6, 1e-9);
    // 10 KB in 17 us, as far back as the window before reached.
    EXPECT_NEAR(scene.monitor.MeasureGrowth(scene.At(100, 10000)), 10000 * 8 / 17e-6, 1);
    scene.Quiet(100, 5300);
    EXPECT_NEAR(scene.monitor.MeasureUtilisation(scene.At(5300, 0)), 0.6, 1e-9);
    EXPECT_NEAR(scene.monitor.MeasureGrowth(scene.At(5300, 10000)), 10000 * 8 / 5e-3, 1);
}

// Timers that run take as long as their new times say, from when they began.
TEST(IccPortMonitor, NewTimesMoveTimersThatRun)
{
    Scene scene(90);
    IccMonitorParameters p;
    p.capacity = 100 * G;
    p.recheckPs = 1000 * US;
    p.reportPs = 2000 * US;
    scene.monitor.SetParameters(p);
    scene.Quiet(0, 50);
    scene.monitor.Arrived(scene.At(50, 50000));
    EXPECT_EQ(scene.monitor.NextDeadline(), 1050 * US);
    p.recheckPs = 5 * US;
    scene.monitor.SetParameters(p);
    EXPECT_EQ(scene.monitor.NextDeadline(), 55 * US);
    EXPECT_EQ(scene.monitor.Wake(scene.At(60, 50000)), IccVerdict::CONGESTED) << "late, once told";
    EXPECT_EQ(scene.monitor.NextDeadline(), 2060 * US);
    p.reportPs = 100 * US;
    scene.monitor.SetParameters(p);
    EXPECT_EQ(scene.monitor.NextDeadline(), 160 * US);
    p.reportPs = 300 * US;
    scene.monitor.SetParameters(p);
    EXPECT_EQ(scene.monitor.NextDeadline(), 360 * US);
}
