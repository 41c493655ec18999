// SPDX-License-Identifier: GPL-2.0-only

// How to choose the event scheduler of a simulation, and what the choice is worth: the hold model,
// in which each event schedules the next one after an exponential delay.
//
//   lossless-scheduler-example --scheduler=ns3::MapScheduler --pending=10000

#include "ns3/double.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-program.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/random-variable-stream.h"
#include "ns3/scheduler.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <ctime>
#include <functional>
#include <iostream>
#include <string>

using namespace ns3;

namespace
{

/// @param events to run, so many of which wait at any time @param pending how many
/// @param meanDelay of an event
void
Hold(uint32_t events, uint32_t pending, Time meanDelay)
{
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

    Simulator::Run();
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("Events that each schedule the next one: what an event scheduler costs.");
    std::string scheduler = "ns3::WheelScheduler";
    uint32_t pending = 1000;
    uint32_t events = 100000;
    Time meanDelay = MicroSeconds(1);
    program.AddOption("scheduler", "TypeId of the scheduler", scheduler);
    program.AddOption("pending", "events that wait at any time", pending);
    program.AddOption("events", "events to run", events);
    program.AddOption("meanDelay", "mean delay of an event", meanDelay);
    return program.Run(argc, argv, [&] {
        if (meanDelay.GetSeconds() * events > Time::Max().GetSeconds() / 2)
        {
            throw FabricError("--events of --meanDelay last longer than the clock",
                              "take fewer, or a shorter delay");
        }
        // Both before anything else of the simulation; FabricSimulatorImpl has its own scheduler.
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DefaultSimulatorImpl"));
        Simulator::SetScheduler(FabricAttributes::ToFactory(scheduler, Scheduler::GetTypeId()));
        const auto start = std::clock();
        Hold(events, pending, meanDelay);
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        std::cout << scheduler << ": " << Simulator::GetEventCount() << " events up to "
                  << Simulator::Now().As(Time::US) << ", " << seconds << " s of CPU time"
                  << std::endl;
    });
}
