// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STORM_SCENE_H
#define LOSSLESS_STORM_SCENE_H

// A fabric with a pause storm and a watchdog, for the suites of watchdogs.

#include "fabric-test-case.h"

#include "ns3/double.h"
#include "ns3/watchdog-helper.h"

#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// Class of the storm.
constexpr uint32_t CLASS = 3;
constexpr uint8_t BIT = 1U << CLASS;

/// A pause of 65535 quanta at 100 Gb/s lasts 335539 ns, and is sent again after half of it.
constexpr int64_t REFRESH_NS = 335539 / 2;

/**
 * Three hosts at a switch, 100 Gb/s, 1 us. Host 1 sends to host 0, host 0 to host 2, host 2 to host
 * 1; from 1 ms to 5 ms host 0 pauses its peer for ever. Watchdogs detect after 400 us and restore
 * after 400 us, polls every 200 us.
 */
struct StormScene
{
    /// @param type of the rule @param action what is done @param limit of H3C
    StormScene(const std::string& type, const std::string& action, uint32_t limit = 0)
        : fabric(Build()),
          flows(fabric)
    {
        WatchdogHelper watchdogs(fabric);
        const bool polls = type != "ns3::H3cStorm";
        watchdogs.InstallSwitches("Dialect",
                                  StringValue(type),
                                  "Action",
                                  StringValue(action),
                                  "DetectionTime",
                                  TimeValue(MilliSeconds(40)),
                                  "RestorationTime",
                                  StringValue(polls ? "40ms" : "0ms"),
                                  "PollInterval",
                                  StringValue(polls ? "20ms" : "0ms"),
                                  "ClearTime",
                                  StringValue(polls ? "0ms" : "40ms"),
                                  "TimeScale",
                                  DoubleValue(0.01),
                                  "Limit",
                                  UintegerValue(limit));
        watchdog = WatchdogHelper::GetWatchdogs(fabric, 0).at(0);
        watchdog->TraceConnectWithoutContext("State", MakeCallback(&StormScene::Note, this));
        nic = fabric.GetRdma(0)->GetDevice(0);
        port = fabric.GetSwitch(0)->GetPort(0);
        for (const auto& [source, destination] : {std::pair{1, 0}, {0, 2}, {2, 1}})
        {
            flows.Add({source, destination, 20000000});
        }
        At(MilliSeconds(1), [this] { nic->OverridePause(BIT, 0); });
        At(MilliSeconds(5), [this] { nic->OverridePause(0, 0); });
        Simulator::Stop(MilliSeconds(200)); // a storm that does not end: fail, and do not hang
    }

    /// @return the fabric
    static Fabric Build()
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("4MiB"));
        return helper.Star(3);
    }

    /// @param when absolute @param what is done then
    static void At(Time when, std::function<void()> what)
    {
        Simulator::Schedule(when - Simulator::Now(), std::move(what));
    }

    /// Trace sink.
    void Note(uint32_t at, uint32_t cls, PfcQueueState from, PfcQueueState to)
    {
        events.push_back({Simulator::Now(), at, cls, from, to});
        log << Simulator::Now().GetPicoSeconds() << ' ' << at << ' ' << cls << ' ' << from << ' '
            << to << '\n';
    }

    /// A change of state.
    struct Event
    {
        Time at;
        uint32_t port;
        uint32_t cls;
        PfcQueueState from;
        PfcQueueState to;
    };

    Fabric fabric;
    RdmaFlowHelper flows;
    Ptr<PfcWatchdog> watchdog;
    Ptr<QbbNetDevice> nic;  //!< of host 0
    Ptr<QbbNetDevice> port; //!< of the switch, to host 0
    std::vector<Event> events;
    std::ostringstream log;
};

/// Base of the cases.
class WatchdogTestCase : public FabricTestCase
{
  public:
    using FabricTestCase::FabricTestCase;

  protected:
    /// A change of state is as expected.
    void ExpectEvent(const StormScene& scene,
                     std::size_t index,
                     Time at,
                     PfcQueueState from,
                     PfcQueueState to)
    {
        NS_TEST_ASSERT_MSG_GT(scene.events.size(), index, "event " << index);
        const auto& event = scene.events[index];
        // A PFC frame may wait for a data frame, 87 ns, each time that it is sent again.
        NS_TEST_EXPECT_MSG_EQ_TOL(event.at, at, NanoSeconds(500), "event " << index);
        NS_TEST_EXPECT_MSG_EQ(event.port, 0, "port of event " << index);
        NS_TEST_EXPECT_MSG_EQ(event.cls, CLASS, "class of event " << index);
        NS_TEST_EXPECT_MSG_EQ(event.from, from, "event " << index);
        NS_TEST_EXPECT_MSG_EQ(event.to, to, "event " << index);
    }
};

constexpr auto OPERATIONAL = PfcQueueState::OPERATIONAL;
constexpr auto STORMED = PfcQueueState::STORMED;
constexpr auto DISABLED = PfcQueueState::DISABLED;

} // namespace ns3

#endif // LOSSLESS_STORM_SCENE_H
