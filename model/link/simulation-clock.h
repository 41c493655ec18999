// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SIMULATION_CLOCK_H
#define LOSSLESS_SIMULATION_CLOCK_H

#include "ns3/assert.h"
#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/event-partition.h"
#include "ns3/look-ahead-event.h"
#include "ns3/nstime.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Fast access of the data path to the simulator: times are integer ticks, and events exist already.
 * With FabricSimulatorImpl no call is virtual.
 */
class SimulationClock
{
  public:
    /// @return now, in ticks of ns3::Time's resolution
    static int64_t Now()
    {
        const auto* partition = EventPartition::Current();
        return partition ? partition->GetTick() : Simulator::Now().GetTimeStep();
    }

    /**
     * Post an event. One reference of the event passes to the simulator.
     * @param context node in whose context it runs
     * @param delay ticks from now
     * @param event the event
     */
    static void Post(uint32_t context, int64_t delay, LookAheadEvent* event)
    {
        NS_ASSERT_MSG(delay >= 0, "an event in the past");
        if (auto* partition = EventPartition::Current())
        {
            partition->Post(context, delay, event);
        }
        else
        {
            Simulator::GetImplementation()->ScheduleWithContext(context, TimeStep(delay), event);
        }
    }

    /**
     * Post an event that may be taken back by Simulator::Remove(). What a node does to itself is
     * posted by this, not by Simulator::Schedule(): also where a flow starts, which is an event of
     * no node, it is then an event of the node, and the thread that runs the node may remove it.
     * @param context node in whose context it runs
     * @param delay ticks from now
     * @param event one reference of it passes to the simulator
     * @return names the event
     */
    static EventId Schedule(uint32_t context, int64_t delay, EventImpl* event)
    {
        NS_ASSERT_MSG(delay >= 0, "an event in the past");
        auto* partition = EventPartition::Current();
        return partition ? partition->Schedule(context, static_cast<uint64_t>(delay), event)
                         : Simulator::GetImplementation()->Schedule(TimeStep(delay), event);
    }

    /// @return ticks in a second at ns3::Time's resolution
    static int64_t TicksPerSecond()
    {
        return Seconds(1).GetTimeStep();
    }
};

} // namespace ns3

#endif // LOSSLESS_SIMULATION_CLOCK_H
