// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

/**
 * The same script runs in the same order under ns3::WheelScheduler and ns3::MapScheduler.
 *
 * Each event draws from one stream what to do: schedule more, at once or up to far beyond the
 * wheel, in any context, remove or cancel an earlier one. Any difference in order changes all that
 * follows.
 */
class LosslessSchedulerOrderTest : public TestCase
{
  public:
    LosslessSchedulerOrderTest()
        : TestCase("wheel and map schedulers run a script in the same order")
    {
    }

  private:
    /// What ran: time in ticks, context, number of the event in the script.
    struct Step
    {
        int64_t time;     //!< Time in ticks.
        uint32_t context; //!< Context that it ran in.
        uint32_t number;  //!< When it was scheduled.

        /**
         * @param other another step
         * @return true if they are the same
         */
        bool operator==(const Step& other) const
        {
            return time == other.time && context == other.context && number == other.number;
        }
    };

    static constexpr uint32_t STEPS{30000}; //!< Events of the script.

    /**
     * @param scheduler TypeId of a scheduler
     * @return what ran under it
     */
    std::vector<Step> RunScript(const std::string& scheduler);

    void DoRun() override;
};

std::vector<LosslessSchedulerOrderTest::Step>
LosslessSchedulerOrderTest::RunScript(const std::string& scheduler)
{
    Simulator::SetScheduler(ObjectFactory(scheduler));
    std::mt19937_64 rng(29);
    std::vector<Step> steps;
    std::vector<EventId> ids;
    uint32_t scheduled = 0;

    std::function<void(uint32_t)> run;
    const auto schedule = [&]() {
        static constexpr uint64_t SPREAD[] = {1, 100, 10'000, 1'000'000, 100'000'000'000};
        const auto delay = TimeStep(rng() % SPREAD[rng() % 5]);
        const uint32_t number = scheduled++;
        if (rng() % 2 == 0)
        {
            Simulator::ScheduleWithContext(rng() % 16, delay, [&run, number]() { run(number); });
        }
        else
        {
            ids.push_back(Simulator::Schedule(delay, [&run, number]() { run(number); }));
        }
    };
    run = [&](uint32_t number) {
        steps.push_back({Simulator::Now().GetTimeStep(), Simulator::GetContext(), number});
        for (auto more = rng() % 4; more > 0 && scheduled < STEPS; --more)
        {
            schedule();
        }
        if (!ids.empty() && rng() % 4 == 0)
        {
            auto& id = ids[rng() % ids.size()];
            if (rng() % 2 == 0)
            {
                Simulator::Remove(id);
            }
            else
            {
                Simulator::Cancel(id);
            }
        }
    };

    for (int i = 0; i < 100; ++i)
    {
        schedule();
    }
    Simulator::Run();
    Simulator::Destroy();
    return steps;
}

void
LosslessSchedulerOrderTest::DoRun()
{
    const auto expected = RunScript("ns3::MapScheduler");
    const auto steps = RunScript("ns3::WheelScheduler");
    NS_TEST_ASSERT_MSG_GT(expected.size(), STEPS / 2, "the script ran");
    NS_TEST_ASSERT_MSG_EQ(steps.size(), expected.size(), "number of events");
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        NS_TEST_ASSERT_MSG_EQ((steps[i] == expected[i]), true, "order differs at event " << i);
    }
}

/// A simulation may change to the wheel with events scheduled and time gone by.
class LosslessSchedulerSwitchTest : public TestCase
{
  public:
    LosslessSchedulerSwitchTest()
        : TestCase("a simulation changes to the wheel scheduler on its way")
    {
    }

  private:
    void DoRun() override;
};

void
LosslessSchedulerSwitchTest::DoRun()
{
    std::vector<int> order;
    const auto note = [&order](int i) { return [&order, i]() { order.push_back(i); }; };
    Simulator::SetScheduler(ObjectFactory("ns3::MapScheduler"));
    Simulator::Schedule(Seconds(3), note(3));
    Simulator::Schedule(Seconds(1), note(1));
    Simulator::Schedule(Seconds(2),
                        []() { Simulator::SetScheduler(ObjectFactory("ns3::WheelScheduler")); });
    Simulator::Schedule(Seconds(2), [&note]() {
        note(2)();
        Simulator::Schedule(Seconds(1), note(4));
        Simulator::ScheduleNow(note(20));
    });
    Simulator::Run();
    Simulator::Destroy();
    NS_TEST_ASSERT_MSG_EQ((order == std::vector<int>{1, 2, 20, 3, 4}), true, "wrong order");
}

/// Schedulers of this module.
class LosslessSchedulerTestSuite : public TestSuite
{
  public:
    LosslessSchedulerTestSuite()
        : TestSuite("lossless-scheduler", Type::UNIT)
    {
        AddTestCase(new LosslessSchedulerOrderTest);
        AddTestCase(new LosslessSchedulerSwitchTest);
    }
};

static LosslessSchedulerTestSuite g_losslessSchedulerTestSuite; //!< Registers the suite.
