// SPDX-License-Identifier: GPL-2.0-only

// How to choose the event scheduler of a simulation, and what the choice is worth: the hold model,
// in which each event schedules the next one after an exponential delay.
//
//   lossless-scheduler-example --scheduler=ns3::MapScheduler --pending=10000

#include "ns3/command-line.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <ctime>
#include <functional>
#include <iostream>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string scheduler = "ns3::WheelScheduler";
    uint32_t pending = 1000;
    uint32_t events = 100000;
    Time meanDelay = MicroSeconds(1);

    CommandLine cmd(__FILE__);
    cmd.AddValue("scheduler", "TypeId of the scheduler", scheduler);
    cmd.AddValue("pending", "events that wait at any time", pending);
    cmd.AddValue("events", "events to run", events);
    cmd.AddValue("meanDelay", "mean delay of an event", meanDelay);
    cmd.Parse(argc, argv);

    // Both before anything else of the simulation.
    Time::SetResolution(Time::PS);
    Simulator::SetScheduler(ObjectFactory(scheduler));

    auto delay = CreateObject<ExponentialRandomVariable>();
    delay->SetAttribute("Mean", DoubleValue(static_cast<double>(meanDelay.GetPicoSeconds())));
    delay->SetStream(1);

    uint32_t scheduled = 0;
    std::function<void()> hold = [&]() {
        if (scheduled < events)
        {
            ++scheduled;
            Simulator::Schedule(PicoSeconds(static_cast<int64_t>(delay->GetValue())), hold);
        }
    };
    for (uint32_t i = 0; i < pending; ++i)
    {
        Simulator::ScheduleNow(hold);
    }

    const auto start = std::clock();
    Simulator::Run();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::cout << scheduler << ": " << Simulator::GetEventCount() << " events up to "
              << Simulator::Now().As(Time::US) << ", " << seconds << " s of CPU time" << std::endl;
    Simulator::Destroy();
    return 0;
}
