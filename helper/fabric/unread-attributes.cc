// SPDX-License-Identifier: GPL-2.0-only
#include "unread-attributes.h"

#include "fabric.h"

#include "ns3/data-rate.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-warning.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/watched-default.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

/// What an attribute must be, or must not be.
struct Condition
{
    const char* name;  //!< of an attribute of the same congestion control
    const char* value; //!< as text
    bool isEqual;      //!< else anything but the value
};

/// An attribute that a congestion control reads only while others allow it.
struct Reading
{
    const char* type;                  //!< that has the attribute, or from which a type derives
    const char* name;                  //!< of the attribute
    std::vector<Condition> conditions; //!< one of these must hold
    const char* right;                 //!< what to do, for people
};

const std::vector<Reading>&
Readings()
{
    static const Condition nic{"Dialect", "Nic", true};
    static const Condition noNic{"Dialect", "Nic", false};
    static const Condition pint{"Telemetry", "Pint", true};
    static const Condition noPint{"Telemetry", "Pint", false};
    static const Condition window{"UseWindow", "true", true};
    static const Condition segments{"UpdatePer", "Segment", true};
    static const Condition bursts{"BurstPacing", "true", true};
    static const Condition countsBelow{"CountBelowLow", "true", true};
    static const Condition endpoint{"EndpointControl", "true", true};
    static const Condition controlsWindow{"Control", "Window", true};
    static const std::vector<Reading> readings{
        {"ns3::RdmaDcqcn", "DecreaseTimer", {nic}, "it needs Dialect Nic"},
        {"ns3::RdmaDcqcn", "MinDecreaseFactor", {nic}, "it needs Dialect Nic"},
        {"ns3::RdmaDcqcn", "FirstCnpFactor", {nic}, "it needs Dialect Nic"},
        {"ns3::RdmaDcqcn", "ClampTarget", {nic}, "it needs Dialect Nic"},
        {"ns3::RdmaDcqcn", "ByteCounter", {noNic}, "it needs Dialect Paper or Strawman"},
        {"ns3::RdmaDcqcn",
         "CnpInterval",
         {{"MarksInAcks", "false", true}},
         "with MarksInAcks no CNPs are sent"},
        {"ns3::RdmaHpcc", "PintBase", {pint}, "it needs Telemetry Pint"},
        {"ns3::RdmaHpcc", "PintProbability", {pint}, "it needs Telemetry Pint"},
        {"ns3::RdmaHpcc", "MultiRate", {noPint}, "it needs Telemetry Fixed or Growing"},
        {"ns3::RdmaHpcc", "SampleFeedback", {noPint}, "it needs Telemetry Fixed or Growing"},
        {"ns3::RdmaHpcc", "Multiplier", {noPint}, "it needs Telemetry Fixed or Growing"},
        {"ns3::RdmaHpcc",
         "AdditiveIncrease",
         {{"IncreaseRate", "0bps", true}},
         "IncreaseRate says the same as a rate; set one of them"},
        {"ns3::RdmaHpcc",
         "MinWindow",
         {{"MinRate", "0bps", true}},
         "MinRate says the same as a rate; set one of them"},
        {"ns3::RdmaHpcc", "VariableWindow", {window}, "it needs UseWindow"},
        {"ns3::RdmaHpcc", "PayloadWindow", {window}, "it needs UseWindow"},
        {"ns3::RdmaTimely",
         "Segment",
         {segments, bursts},
         "it needs UpdatePer Segment, or BurstPacing"},
        {"ns3::RdmaPatchedTimely", "HyperIncreaseAfter", {countsBelow}, "it needs CountBelowLow"},
        {"ns3::RdmaPatchedTimely", "HyperIncreaseFactor", {countsBelow}, "it needs CountBelowLow"},
        {"ns3::RdmaSwift", "EndpointTarget", {endpoint}, "it needs EndpointControl"},
        {"ns3::RdmaSwift", "EndpointGain", {endpoint}, "it needs EndpointControl"},
        {"ns3::RdmaSwift",
         "InitialWindow",
         {{"StartAtLineRate", "false", true}},
         "with StartAtLineRate the path says what the first window is"},
        // Two rows: both must hold.
        {"ns3::RdmaDctcp", "VariableWindow", {window}, "it needs UseWindow"},
        {"ns3::RdmaDctcp",
         "VariableWindow",
         {{"Control", "Rate", true}},
         "the window of Control Window always varies"},
        {"ns3::RdmaDctcp", "PayloadWindow", {controlsWindow, window}, "it needs UseWindow"},
        {"ns3::RdmaDctcp",
         "UseWindow",
         {{"Control", "Rate", true}},
         "Control Window always has a window"},
    };
    return readings;
}

/// @return the value of an attribute as text
std::string
ValueOf(const RdmaCongestionOps& control, const std::string& name)
{
    TypeId::AttributeInformation info;
    control.GetInstanceTypeId().LookupAttributeByName(name, &info);
    const Ptr<AttributeValue> value = info.checker->Create();
    control.GetAttribute(name, *value);
    return ExactText(*value, info.checker);
}

/// @return whether a congestion control reads an attribute
bool
IsRead(const RdmaCongestionOps& control, const std::vector<Condition>& conditions)
{
    return std::any_of(conditions.begin(), conditions.end(), [&](const Condition& condition) {
        return (ValueOf(control, condition.name) == condition.value) == condition.isEqual;
    });
}

/// What a fabric has been warned of; at its first host.
class NamedUnread : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::NamedUnread").SetParent<Object>().SetGroupName("Lossless");
        return tid;
    }

    std::set<std::string> lines; //!< of warnings
};

} // namespace

std::vector<std::string>
FindUnread(const ObjectFactory& congestion, const Fabric& fabric)
{
    const WatchedDefaults::Pause pause;
    const auto control = congestion.Create<RdmaCongestionOps>();
    const TypeId type = control->GetInstanceTypeId();
    std::vector<std::string> lines;
    for (const Reading& reading : Readings())
    {
        const TypeId owner = TypeId::LookupByName(reading.type);
        if (type != owner && !type.IsChildOf(owner))
        {
            continue;
        }
        TypeId::AttributeInformation info;
        type.LookupAttributeByName(reading.name, &info);
        const std::string value = ValueOf(*control, reading.name);
        const std::string name = FabricAttributes::FullName(type, reading.name);
        // A replayed configuration is no word of a script: its keys are named by themselves.
        const bool isSaid = value != ExactText(*info.initialValue, info.checker) ||
                            fabric.GetOptions().Has(type, reading.name) ||
                            WatchedDefaults::IsWatched(name);
        if (isSaid && value != ExactText(*info.originalInitialValue, info.checker) &&
            !IsRead(*control, reading.conditions))
        {
            lines.push_back(type.GetName() + "::" + reading.name + " has no effect; " +
                            reading.right);
        }
    }
    return lines;
}

void
WarnOfUnread(const ObjectFactory& congestion, const Fabric& fabric)
{
    const auto host = fabric.GetHosts().Get(0);
    auto named = host->GetObject<NamedUnread>();
    for (const std::string& line : FindUnread(congestion, fabric))
    {
        if (!named)
        {
            named = CreateObject<NamedUnread>();
            host->AggregateObject(named);
        }
        if (named->lines.insert(line).second)
        {
            PrintWarning(line);
        }
    }
}

} // namespace ns3
