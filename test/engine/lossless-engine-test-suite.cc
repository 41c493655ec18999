// SPDX-License-Identifier: GPL-2.0-only

// FabricSimulatorImpl against DefaultSimulatorImpl: random programs of events do the same with
// both, also after 2^32 events; and what one simulator alone does. lossless-determinism compares
// the two on random fabrics.

#include "captured-errors.h"
#include "case-budget.h"
#include "fabric-test-case.h"

#include "ns3/event-id.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/realtime-simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace ns3;

namespace
{

/// A simulator in which more than 2^32 events have been posted already, but for a few.
class LateSimulator : public FabricSimulatorImpl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::LateSimulator")
                                .SetParent<FabricSimulatorImpl>()
                                .SetGroupName("Lossless")
                                .AddConstructor<LateSimulator>();
        return tid;
    }

    LateSimulator()
    {
        ContinueAt((uint64_t{1} << 32) - 5000);
    }
};

NS_OBJECT_ENSURE_REGISTERED(LateSimulator);

/**
 * A random program of events. Each event draws from one stream what to do: schedule more, at once
 * or up to far beyond the wheel, in any context or at the end; remove, cancel or ask about an
 * earlier one; stop. Any difference in order or in an answer changes all that follows.
 */
class Script
{
  public:
    /// @param seed of the stream @param events how many it schedules
    Script(uint32_t seed, uint32_t events)
        : m_rng(seed),
          m_events(events)
    {
    }

    /// @return what has happened: a line for every event and answer
    std::vector<uint64_t> Run()
    {
        constexpr int FIRST = 100;
        for (int i = 0; i < FIRST; ++i)
        {
            Post();
        }
        // Each time on from where it was stopped; far more often than the script stops.
        for (int run = 0; run < 1000; ++run)
        {
            Simulator::Run();
            Note(Simulator::Now().GetTimeStep(), Simulator::GetEventCount());
            Ask();
        }
        Simulator::Destroy();
        return m_log;
    }

  private:
    /// Keep what happened. @param a one number @param b another
    void Note(uint64_t a, uint64_t b)
    {
        m_log.push_back(a);
        m_log.push_back(b);
    }

    /// Schedule one more event.
    void Post()
    {
        static constexpr uint64_t SPREAD[] = {1, 100, 10'000, 1'000'000, 100'000'000'000};
        const auto delay = TimeStep(m_rng() % SPREAD[m_rng() % 5]);
        const uint32_t number = m_posted++;
        const auto event = [this, number] { Happen(number); };
        switch (m_rng() % 16)
        {
        case 0:
            m_ids.push_back(Simulator::ScheduleDestroy(event));
            break;
        case 1:
            m_ids.push_back(Simulator::ScheduleNow(event));
            break;
        case 2:
        case 3:
        case 4:
        case 5:
        case 6:
            Simulator::ScheduleWithContext(m_rng() % 16, delay, event);
            break;
        default:
            m_ids.push_back(Simulator::Schedule(delay, event));
        }
    }

    /// An event. @param number of it
    void Happen(uint32_t number)
    {
        Note(Simulator::Now().GetTimeStep(), uint64_t{Simulator::GetContext()} << 32 | number);
        for (auto more = m_rng() % 4; more > 0 && m_posted < m_events; --more)
        {
            Post();
        }
        if (m_rng() % 2 == 0)
        {
            Ask();
        }
        if (m_rng() % 1000 == 0)
        {
            Simulator::Stop();
        }
        if (m_rng() % 1000 == 1)
        {
            Simulator::Stop(TimeStep(m_rng() % 1000));
        }
    }

    /// Ask about an event, and take it back or not.
    void Ask()
    {
        if (m_ids.empty())
        {
            return;
        }
        // Mostly one of the last: an old one is over.
        const std::size_t back =
            m_rng() % 4 == 0 ? m_ids.size() : std::min<size_t>(m_ids.size(), 50);
        const EventId id = m_ids[m_ids.size() - 1 - m_rng() % back];
        Note(Simulator::IsExpired(id) ? 1 : 0, Simulator::GetDelayLeft(id).GetTimeStep());
        switch (m_rng() % 4)
        {
        case 0:
            Simulator::Remove(id);
            break;
        case 1:
            Simulator::Cancel(id);
            break;
        default:
            return;
        }
        Note(id.IsExpired() ? 1 : 0, id.PeekEventImpl()->IsCancelled() ? 1 : 0);
    }

    std::mt19937_64 m_rng;
    uint32_t m_events;
    uint32_t m_posted{0};
    std::vector<EventId> m_ids;
    std::vector<uint64_t> m_log;
};

/// A million events, with both simulators.
class EngineOracleTest : public FabricTestCase
{
  public:
    EngineOracleTest()
        : FabricTestCase("random programs of events do the same with two simulators")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t SCRIPTS = 20;
        constexpr uint32_t EVENTS = 50000;
        for (uint32_t seed = 1; seed <= tests::GetCases(SCRIPTS); ++seed)
        {
            const auto expected = Run(seed, EVENTS, DefaultSimulatorImpl::GetTypeId());
            NS_TEST_ASSERT_MSG_GT(expected.size(), 2 * EVENTS * 9 / 10, "the script ran");
            Compare(Run(seed, EVENTS, FabricSimulatorImpl::GetTypeId()), expected, seed);
            Compare(Run(seed, EVENTS, LateSimulator::GetTypeId()), expected, seed);
        }
    }

    /// @param seed of a script @param events of it @param simulator that runs it @return its log
    static std::vector<uint64_t> Run(uint32_t seed, uint32_t events, TypeId simulator)
    {
        Simulator::Destroy();
        SetSimulator(simulator);
        return Script(seed, events).Run();
    }

    /// @param log of a script @param expected its log with ns-3's simulator @param seed of it
    void Compare(const std::vector<uint64_t>& log,
                 const std::vector<uint64_t>& expected,
                 uint32_t seed)
    {
        NS_TEST_ASSERT_MSG_EQ(log.size(), expected.size(), "script " << seed);
        for (std::size_t i = 0; i < log.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(log[i], expected[i], "script " << seed << ", entry " << i);
        }
    }
};

/// Many events at one time, each of which is asked about after 2^32 events: no EventId is mistaken.
class EngineLateIdsTest : public FabricTestCase
{
  public:
    EngineLateIdsTest()
        : FabricTestCase("an EventId is pending or not, also around the event 2^32")
    {
    }

  private:
    void DoRun() override
    {
        SetSimulator(LateSimulator::GetTypeId());
        constexpr uint32_t EVENTS = 10000; // the event 2^32 is among them
        uint32_t executed = 0;
        uint32_t wrong = 0;
        std::vector<EventId> ids;
        for (uint32_t i = 0; i < EVENTS; ++i)
        {
            ids.push_back(Simulator::Schedule(MicroSeconds(1), [&, i] {
                wrong += executed != i ? 1 : 0;
                ++executed;
                wrong += ids[i].IsExpired() ? 0 : 1;
                wrong += i > 0 && !ids[i - 1].IsExpired() ? 1 : 0;
                wrong += i + 1 < EVENTS && ids[i + 1].IsExpired() ? 1 : 0;
            }));
            wrong += ids.back().GetUid() < EventId::UID::VALID ? 1 : 0;
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(executed, EVENTS, "all ran");
        NS_TEST_EXPECT_MSG_EQ(wrong, 0, "in order, and pending until they ran");
    }
};

/// Events of other threads are executed, and end no run early.
class EngineThreadsTest : public FabricTestCase
{
  public:
    EngineThreadsTest()
        : FabricTestCase("events from other threads")
    {
    }

  private:
    void DoRun() override
    {
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        Simulator::Now(); // this thread makes the simulator
        constexpr uint32_t THREADS = 4;
        constexpr uint32_t EVENTS = 1000;
        uint32_t executed = 0; // by the simulator's thread alone
        uint32_t wrong = 0;
        std::atomic<uint32_t> ended{0};
        std::vector<std::thread> threads;
        for (uint32_t thread = 0; thread < THREADS; ++thread)
        {
            threads.emplace_back([&, thread] {
                for (uint32_t i = 0; i < EVENTS; ++i)
                {
                    Simulator::ScheduleWithContext(thread, NanoSeconds(i), [&, thread] {
                        ++executed;
                        wrong += Simulator::GetContext() == thread ? 0 : 1;
                    });
                }
                ++ended;
            });
        }
        std::function<void()> wait = [&] {
            if (ended < THREADS)
            {
                Simulator::Schedule(NanoSeconds(1), wait);
            }
        };
        Simulator::ScheduleNow(wait);
        Simulator::Run();
        for (std::thread& thread : threads)
        {
            thread.join();
        }
        Simulator::Run(); // what came after the last event
        NS_TEST_EXPECT_MSG_EQ(executed, THREADS * EVENTS, "all ran");
        NS_TEST_EXPECT_MSG_EQ(wrong, 0, "in their context");
    }
};

/// A scheduler has no effect, and one line says so.
class EngineSchedulerTest : public FabricTestCase
{
  public:
    EngineSchedulerTest()
        : FabricTestCase("a scheduler that is set without effect is named")
    {
    }

  private:
    void DoRun() override
    {
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        CapturedErrors errors;
        Simulator::Now();
        NS_TEST_EXPECT_MSG_EQ(errors.Take(), "", "ns-3's default scheduler");
        Simulator::SetScheduler(ObjectFactory("ns3::HeapScheduler"));
        NS_TEST_EXPECT_MSG_EQ(errors.Take(),
                              "lossless: warning: FabricSimulatorImpl has a set of events of its "
                              "own, and ns3::HeapScheduler has no effect; a scheduler needs "
                              "SimulatorImplementationType ns3::DefaultSimulatorImpl\n",
                              "another scheduler");
    }
};

/// A program's default gives way to what the user names.
class EngineDefaultTest : public FabricTestCase
{
  public:
    EngineDefaultTest()
        : FabricTestCase("the simulator that nobody has named")
    {
    }

  private:
    void DoRun() override
    {
        const char* given = std::getenv("NS_GLOBAL_VALUE");
        const std::string before = given ? given : "";
        Take("");
        NS_TEST_EXPECT_MSG_EQ(Used(), "ns3::FabricSimulatorImpl", "nothing named");
        NS_TEST_EXPECT_MSG_EQ(Used(), "ns3::FabricSimulatorImpl", "named before");
        NS_TEST_EXPECT_MSG_EQ(Scheduler(), "ns3::MapScheduler", "which it does not use");
        SetSimulator(RealtimeSimulatorImpl::GetTypeId());
        NS_TEST_EXPECT_MSG_EQ(Used(), "ns3::RealtimeSimulatorImpl", "another, by Bind()");
        NS_TEST_EXPECT_MSG_EQ(Scheduler(), "ns3::WheelScheduler", "its events");
        SetSimulator(DefaultSimulatorImpl::GetTypeId());
        SetScheduler(MapScheduler::GetTypeId());
        Take("RngRun=3;SimulatorImplementationType=ns3::DefaultSimulatorImpl");
        NS_TEST_EXPECT_MSG_EQ(Used(), "ns3::DefaultSimulatorImpl", "ns-3's, by NS_GLOBAL_VALUE");
        NS_TEST_EXPECT_MSG_EQ(Scheduler(), "ns3::WheelScheduler", "its events");
        SetScheduler(MapScheduler::GetTypeId());
        Take("SchedulerType=ns3::MapScheduler;SimulatorImplementationType=ns3::"
             "DefaultSimulatorImpl");
        NS_TEST_EXPECT_MSG_EQ(Used(), "ns3::DefaultSimulatorImpl", "both named");
        NS_TEST_EXPECT_MSG_EQ(Scheduler(), "ns3::MapScheduler", "both named");
        Take(before);
    }

    /// @param values of the environment variable NS_GLOBAL_VALUE
    void Take(const std::string& values)
    {
        setenv("NS_GLOBAL_VALUE", values.c_str(), 1);
    }

    /// @param name of a global value @return its value
    static std::string Get(const std::string& name)
    {
        StringValue value;
        GlobalValue::GetValueByName(name, value);
        return value.Get();
    }

    /// @return the simulator after UseByDefault()
    static std::string Used()
    {
        FabricSimulatorImpl::UseByDefault();
        return Get("SimulatorImplementationType");
    }

    /// @return the scheduler
    static std::string Scheduler()
    {
        return Get("SchedulerType");
    }
};

/// What is pending at the end is released, and what ScheduleDestroy() posted is executed.
class EngineDestroyTest : public FabricTestCase
{
  public:
    EngineDestroyTest()
        : FabricTestCase("the end of a simulation")
    {
    }

  private:
    void DoRun() override
    {
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        const auto kept = std::make_shared<int>(0);
        std::vector<int> order;
        Simulator::Schedule(Seconds(1), [kept] {});
        Simulator::Schedule(Seconds(1000), [kept] {});
        Simulator::ScheduleDestroy([&order] { order.push_back(1); });
        const EventId removed = Simulator::ScheduleDestroy([&order] { order.push_back(2); });
        Simulator::ScheduleDestroy([&order] {
            order.push_back(3);
            Simulator::ScheduleDestroy([&order] { order.push_back(4); });
        });
        Simulator::Remove(removed);
        Simulator::Stop(MicroSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(kept.use_count(), 3, "two events hold it");
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(kept.use_count(), 1, "no event holds it");
        NS_TEST_EXPECT_MSG_EQ((order == std::vector<int>{1, 3, 4}), true, "events at the end");
    }
};

class EngineTestSuite : public TestSuite
{
  public:
    EngineTestSuite()
        : TestSuite("lossless-engine", Type::SYSTEM)
    {
        AddTestCase(new EngineOracleTest);
        AddTestCase(new EngineLateIdsTest);
        AddTestCase(new EngineThreadsTest);
        AddTestCase(new EngineSchedulerTest);
        AddTestCase(new EngineDefaultTest);
        AddTestCase(new EngineDestroyTest);
    }
};

EngineTestSuite g_engineTestSuite; //!< registers the suite

} // namespace
