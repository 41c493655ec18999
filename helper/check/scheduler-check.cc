// SPDX-License-Identifier: GPL-2.0-only
#include "scheduler-check.h"

#include "fabric-objects.h"
#include "fabric-places.h"
#include "fabric-ports.h"

#include "ns3/class-rates.h"
#include "ns3/fabric-error.h"
#include "ns3/shaped-scheduler.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>

namespace ns3
{

namespace
{

/// @param scheduler what is asked @param name of an attribute @return its text
std::string
TextOf(const ShapedScheduler& scheduler, const std::string& name)
{
    StringValue text;
    scheduler.GetAttribute(name, text);
    return text.Get();
}

/// @param scheduler of a port @param line of the port, bit/s @return rates that contradict each
/// other there; empty: none do
std::string
FindContradiction(const ShapedScheduler& scheduler, uint64_t line)
{
    const ClassRates highest = ReadClassRates(TextOf(scheduler, "MaxRates"), "MaxRates");
    const ClassRates lowest = ReadClassRates(TextOf(scheduler, "MinRates"), "MinRates");
    const uint64_t strictRate =
        LineShare::Read(TextOf(scheduler, "StrictRate"), "StrictRate").Of(line);
    const uint64_t portRate = LineShare::Read(TextOf(scheduler, "PortRate"), "PortRate").Of(line);
    UintegerValue strict;
    scheduler.GetAttribute("StrictClasses", strict);
    const bool joins = TextOf(scheduler, "Exhausted") == "Join";
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const bool isHeld = (strict.Get() & (1U << cls)) && highest[cls].Text().empty() && !joins;
        for (const auto& [name, rate] : {std::pair{"MaxRates", highest[cls].Of(line)},
                                         std::pair{"StrictRate", isHeld ? strictRate : 0},
                                         std::pair{"PortRate", portRate}})
        {
            if (rate && lowest[cls].Of(line) > rate)
            {
                return "MinRates of class " + std::to_string(cls) + " is " +
                       std::to_string(lowest[cls].Of(line)) + " bit/s, and " + name + " allows " +
                       std::to_string(rate) + " bit/s";
            }
        }
    }
    return {};
}

} // namespace

void
CheckSchedulers(const FabricObjects& fabric)
{
    for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
    {
        if (const auto scheduler = DynamicCast<ShapedScheduler>(device->GetScheduler()))
        {
            const std::string wrong =
                FindContradiction(*scheduler, device->GetDataRate().GetBitRate());
            if (!wrong.empty())
            {
                throw FabricError(FabricPlaces::NameOf(fabric.GetTopology(), node) + " port " +
                                      std::to_string(port) + ": " + wrong,
                                  "it must not exceed that");
            }
        }
    }
}

} // namespace ns3
