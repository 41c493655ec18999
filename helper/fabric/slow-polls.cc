// SPDX-License-Identifier: GPL-2.0-only
#include "slow-polls.h"

#include "fabric-places.h"
#include "named-once.h"

#include "ns3/ecn-marker.h"
#include "ns3/fabric-switch.h"
#include "ns3/switch-extension.h"

#include <algorithm>
#include <string>

namespace ns3
{

namespace
{

/// A type of parts that look at intervals.
struct Poll
{
    const char* type;      //!< of the part
    const char* attribute; //!< its interval
    const char* lacks;     //!< what came of it where the interval is too long
    bool byDefault;        //!< named where the interval is the usual one, too
};

const Poll POLLS[] = {
    {"ns3::EcnTuner", "Interval", " has changed nothing", true},
    {"ns3::SwitchCnpSender", "Interval", " has sent no CNP", false},
    {"ns3::PolledWredMarker", "PollInterval", " has marked nothing", false},
};

/// @return whether an attribute of a part has another value than parts have by default
bool
IsUnusual(const Object& part, const std::string& attribute, Time value)
{
    TypeId::AttributeInformation info;
    return part.GetInstanceTypeId().LookupAttributeByName(attribute, &info) &&
           DynamicCast<const TimeValue>(info.originalInitialValue)->Get() != value;
}

/// @return the longest interval of the parts of a type at a switch; 0: there is none
Time
IntervalOf(const FabricSwitch& fabricSwitch, const Poll& poll)
{
    Time longest(0);
    const auto look = [&](const Ptr<const Object>& part) {
        TimeValue interval;
        if (part && part->GetInstanceTypeId().GetName() == poll.type)
        {
            part->GetAttribute(poll.attribute, interval);
            const bool isNamed = poll.byDefault || IsUnusual(*part, poll.attribute, interval.Get());
            longest = std::max(longest, isNamed ? interval.Get() : Time(0));
        }
    };
    look(fabricSwitch.GetEcnMarker());
    for (uint32_t i = 0; i < fabricSwitch.GetNExtensions(); ++i)
    {
        look(fabricSwitch.GetExtension(i));
    }
    return longest;
}

} // namespace

SlowPolls::SlowPolls(const Fabric& fabric)
    : m_fabric(fabric)
{
    for (const Poll& poll : POLLS)
    {
        for (const SwitchId which : fabric.Switches())
        {
            m_intervals.push_back(IntervalOf(*fabric.GetSwitch(which), poll));
        }
    }
}

void
SlowPolls::Warn(Time length) const
{
    std::size_t place = 0;
    for (const Poll& poll : POLLS)
    {
        bool isNamed = false; // one line says it of all
        for (const SwitchId which : m_fabric.Switches())
        {
            const Time before = m_intervals[place++];
            if (!isNamed && (before.IsZero() || before > length) &&
                IntervalOf(*m_fabric.GetSwitch(which), poll) > length)
            {
                const FabricTopology& topology = m_fabric.GetTopology();
                WarnOnce(m_fabric,
                         std::string(poll.type) + " of " +
                             FabricPlaces::NameOf(topology, topology.NodeOf(which)) + poll.lacks,
                         "its " + std::string(poll.attribute) + " is longer than the run");
                isNamed = true;
            }
        }
    }
}

} // namespace ns3
