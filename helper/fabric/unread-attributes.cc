// SPDX-License-Identifier: GPL-2.0-only
#include "unread-attributes.h"

#include "fabric-ports.h"
#include "named-once.h"
#include "switch-extensions.h"
#include "type-relation.h"
#include "unconnected-end.h"
#include "unread-marks.h"
#include "unread-stamps.h"
#include "unused-by-verbs.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-switch.h"
#include "ns3/fabric-warning.h"
#include "ns3/icc-switch.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/rdma-dcqcn.h"
#include "ns3/rdma-dctcp.h"
#include "ns3/rdma-fixed-rate.h"
#include "ns3/rdma-fixed-window.h"
#include "ns3/rdma-hw.h"
#include "ns3/rdma-icc.h"
#include "ns3/rdma-loss-recovery.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-selective-recovery.h"
#include "ns3/switch-cnp-sender.h"
#include "ns3/watched-default.h"

#include <algorithm>
#include <functional>
#include <iterator>

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
    static const Condition balances{"Variant", "Derived", true};
    static const Condition noLoopDelay{"LoopDelay", "0s", true};
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
        {"ns3::RdmaTimely",
         "StartAtLineRate",
         {{"InitialRate", "0bps", true}},
         "InitialRate says at what rate a flow starts"},
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
        {"ns3::RdmaDctcp",
         "BaseRtt",
         {{"Increase", "0bps", true}, controlsWindow, window},
         "with Increase it is for the window; it needs UseWindow"},
        {"ns3::RdmaIcc", "LoopDelay", {balances}, "it needs Variant Derived"},
        {"ns3::RdmaIcc", "SourceDelay", {balances}, "it needs Variant Derived"},
        {"ns3::RdmaIcc", "SourceDelay", {noLoopDelay}, "LoopDelay says the sum"},
        {"ns3::RdmaIcc",
         "SignalDelay",
         {noLoopDelay, {"Variant", "Derived", false}},
         "LoopDelay says the sum"},
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

/// What may read an attribute of a queue pair.
struct Policies
{
    Ptr<const RdmaCongestionOps> congestion;
    Ptr<const RdmaLossRecovery> recovery;
    bool isPaced;         //!< attribute PaceByRate
    uint64_t lineRate{0}; //!< of the port of a queue pair that is connected, bit/s
};

/// An attribute of queue pairs that only some of their policies read.
struct PolicyReading
{
    const char* name;                                     //!< of the attribute
    std::function<bool(const Policies& policies)> isRead; //!< whether it is read
    const char* right;                                    //!< what to do, for people
    bool isReplayed{false};                               //!< replayed configurations set it
};

/// @return whether a congestion control leaves the rate as it is at the begin
bool
KeepsRate(const RdmaCongestionOps& control)
{
    const TypeId type = control.GetInstanceTypeId();
    return type == RdmaFixedRate::GetTypeId() || type == RdmaFixedWindow::GetTypeId() ||
           (type == RdmaDctcp::GetTypeId() && ValueOf(control, "Control") == "Window");
}

/// @return whether a congestion control leaves the rate at that of the line
bool
KeepsLineRate(const Policies& policies)
{
    DataRateValue value;
    const bool hasRate = policies.congestion->GetAttributeFailSafe("Rate", value);
    const uint64_t rate = hasRate ? value.Get().GetBitRate() : 0;
    const bool isLine = rate == 0 || (policies.lineRate > 0 && rate >= policies.lineRate);
    return KeepsRate(*policies.congestion) && isLine;
}

const std::vector<PolicyReading>&
PolicyReadings()
{
    const auto goesBack = [](const Policies& policies) {
        return !policies.recovery->MakeReceiver();
    };
    static const std::vector<PolicyReading> readings{
        {"NackInterval", goesBack, "LossRecovery answers each packet beyond a gap"},
        {"RetransmitTimeout", goesBack, "LossRecovery has timeouts of its own"},
        {"CnpClass",
         // CNPs that switches make have the class that SwitchCnpSender says.
         [](const Policies& policies) { return policies.congestion->SendsCnps(); },
         "the congestion control sends no CNPs"},
        {"PaceByRate",
         [](const Policies& policies) { return !KeepsLineRate(policies); },
         "the congestion control sets no rate",
         true},
        {"Repace",
         [](const Policies& policies) { return !KeepsRate(*policies.congestion); },
         "the congestion control never changes its rate",
         true},
        {"Repace",
         [](const Policies& policies) { return policies.isPaced; },
         "PaceByRate of the queue pairs is false",
         true}};
    return readings;
}

/// @return attribute PaceByRate of a queue pair
bool
IsPaced(const RdmaQueuePair& end)
{
    BooleanValue isPaced;
    end.GetAttribute("PaceByRate", isPaced);
    return isPaced.Get();
}

/// @return whether a congestion control does nothing at the end of a queue pair: the rate that it
/// sets limits neither packets nor a window, and it sets no window. Not known of those of other
/// libraries, such as Python's, which may set a window without saying so.
bool
IsInert(const RdmaCongestionOps& control, const RdmaQueuePair& end)
{
    const TypeId type = control.GetInstanceTypeId();
    BooleanValue followsRate;
    end.GetAttribute("VariableWindow", followsRate);
    return type != RdmaCongestionOps::GetTypeId() && control.KeepsToItsEnd() &&
           !control.SetsWindow() && !IsPaced(end) && !followsRate.Get();
}

/// @return whether all that a congestion control does at the end of a queue pair is a window that
/// stays as it is: the rate that it sets limits neither packets nor a window
bool
HasWindowAlone(const RdmaCongestionOps& control, const RdmaQueuePair& end)
{
    BooleanValue varies(true);
    BooleanValue followsRate;
    end.GetAttribute("VariableWindow", followsRate);
    const bool isOfWindow = control.GetInstanceTypeId() == RdmaDctcp::GetTypeId() &&
                            ValueOf(control, "Control") == "Window"; // which varies in any case
    return control.SetsWindow() && control.GetAttributeFailSafe("VariableWindow", varies) &&
           !varies.Get() && !isOfWindow && !IsPaced(end) && !followsRate.Get();
}

/// @return whether some switch of a fabric has an extension of a type
template <typename Extension>
bool
HasSome(const Fabric& fabric)
{
    for (const SwitchId which : fabric.Switches())
    {
        if (!ExtensionsOf<Extension>(*fabric.GetSwitch(which)).empty())
        {
            return true;
        }
    }
    return false;
}

/// @return whether some queue pair of a fabric has had a congestion control that IccSwitch tells
bool
HasHeardIcc(const Fabric& fabric)
{
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        const bool isIcc = IsA(type, RdmaIcc::GetTypeId());
        if (isIcc && fabric.HasConnected(type))
        {
            return true;
        }
    }
    return false;
}

/// @param options of queue pairs @return the policies that they would have
Policies
PoliciesOf(const Fabric& fabric, const Fabric::QueuePairOptions& options)
{
    const WatchedDefaults::Pause pause;
    const auto end = MakeUnconnected(fabric, options);
    ObjectFactoryValue recovery;
    end->GetAttribute("LossRecovery", recovery);
    return {CongestionOf(fabric, options).Create<RdmaCongestionOps>(),
            recovery.Get().Create<RdmaLossRecovery>(),
            IsPaced(*end)};
}

/// @return whether all queue pairs of a fabric have another value of an attribute than the usual
/// one by what FabricHelper, an option or a user's default says
bool
IsSaidForAll(const Fabric& fabric, const RdmaQueuePair& usual, const char* name)
{
    TypeId::AttributeInformation info;
    RdmaQueuePair::GetTypeId().LookupAttributeByName(name, &info);
    const auto value = info.checker->Create();
    usual.GetAttribute(name, *value);
    return DiffersFromUsual(usual, name) &&
           (ExactText(*value, info.checker) != ExactText(*info.initialValue, info.checker) ||
            fabric.GetOptions().Has(RdmaQueuePair::GetTypeId(), name) ||
            WatchedDefaults::IsWatched(std::string("ns3::RdmaQueuePair::") + name));
}

/// @return the fastest port of a host, bit/s
uint64_t
LinkRateOf(const Fabric& fabric, HostId host)
{
    const auto rdma = fabric.GetRdma(host);
    uint64_t line = 0;
    for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
    {
        line = std::max(line, rdma->GetDevice(port)->GetDataRate().GetBitRate());
    }
    return line;
}

/// Name a rate that links of hosts bound. @param what the attribute @param rate its value, bit/s
/// @param senders hosts that send by it
void
WarnOfRate(const Fabric& fabric,
           const std::string& what,
           uint64_t rate,
           const std::vector<HostId>& senders)
{
    uint64_t line = 0;
    for (const HostId host : fabric.Hosts())
    {
        line = std::max(line, LinkRateOf(fabric, host));
    }
    const std::string is = what + " is " + std::to_string(rate) + " bit/s, above the links of ";
    if (rate > line)
    {
        WarnOnce(fabric,
                 is + "all hosts",
                 "the rate is that of the link, at most " + std::to_string(line) + " bit/s");
        return;
    }
    std::vector<HostId> slow;
    std::copy_if(senders.begin(), senders.end(), std::back_inserter(slow), [&](HostId host) {
        return rate > LinkRateOf(fabric, host);
    });
    if (!slow.empty() && NoteOnce(fabric, is + "some hosts"))
    {
        const std::size_t more = slow.size() - 1;
        PrintWarning(is + slow[0].Name() +
                         (more ? " and of " + std::to_string(more) + " more that send" : ""),
                     "the rate is that of the link, there " +
                         std::to_string(LinkRateOf(fabric, slow[0])) + " bit/s");
    }
}

/// @return whether somebody has given an attribute of a congestion control another value than the
/// usual one. A replayed configuration is no word of a script: its keys are named by themselves.
bool
IsSet(const RdmaCongestionOps& control, const std::string& attribute, const Fabric& fabric)
{
    const TypeId type = control.GetInstanceTypeId();
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(attribute, &info);
    const std::string value = ValueOf(control, attribute);
    const bool isSaid = value != ExactText(*info.initialValue, info.checker) ||
                        fabric.GetOptions().Has(type, attribute) ||
                        WatchedDefaults::IsWatched(FabricAttributes::FullName(type, attribute));
    return isSaid && value != ExactText(*info.originalInitialValue, info.checker);
}

/// What is kept of an attribute of a fabric's queue pairs that one of them has had.
std::string
TakenNote(const std::string& name)
{
    return "the fabric's " + name + " is taken";
}

/// Attributes of a fabric's queue pairs that each of them may replace.
constexpr const char* REPLACEABLE[] = {"AckInterval", "Mtu", "UdpPort", "Window"};

/// Name what a fabric says of queue pairs, and each queue pair replaces. @param usual one that has
/// no values of its own
void
WarnOfReplaced(const Fabric& fabric, const RdmaQueuePair& usual)
{
    for (const char* name : REPLACEABLE)
    {
        if (!IsNoted(fabric, TakenNote(name)) && IsSaidForAll(fabric, usual, name))
        {
            WarnOnce(fabric,
                     std::string("ns3::RdmaQueuePair::") + name + " of the fabric has no effect",
                     "each queue pair has a value of its own");
        }
    }
}

} // namespace

void
NoteTaken(const Fabric& fabric, const Fabric::QueuePairOptions& options)
{
    for (const char* name : REPLACEABLE)
    {
        if (!IsSaid(options, name))
        {
            NoteOnce(fabric, TakenNote(name));
        }
    }
}

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
        if (!IsA(type, owner))
        {
            continue;
        }
        if (IsSet(*control, reading.name, fabric) && !IsRead(*control, reading.conditions))
        {
            lines.push_back(type.GetName() + "::" + reading.name + " has no effect; " +
                            reading.right);
        }
    }
    const TypeId dcqcn = RdmaDcqcn::GetTypeId();
    const bool isReacting = IsA(type, dcqcn);
    for (std::size_t i = 0; isReacting && !MayMark(fabric) && i < dcqcn.GetAttributeN(); ++i)
    {
        const std::string name = dcqcn.GetAttribute(i).name;
        if (IsSet(*control, name, fabric))
        {
            lines.push_back(type.GetName() + "::" + name +
                            " has no effect; no switch has EcnEnabled, so no CNPs come");
        }
    }
    return lines;
}

void
WarnOfUnread(const ObjectFactory& congestion, const Fabric& fabric)
{
    for (const std::string& line : FindUnread(congestion, fabric))
    {
        WarnOnce(fabric, line);
    }
}

void
WarnOfRates(const Fabric& fabric,
            const Fabric::QueuePairOptions& options,
            const std::vector<HostId>& senders)
{
    const WatchedDefaults::Pause pause;
    const auto control = CongestionOf(fabric, options).Create<RdmaCongestionOps>();
    const TypeId type = control->GetInstanceTypeId();
    const char* const notPaced = "PaceByRate of the queue pairs is false";
    const bool isInert = IsInert(*control, *MakeUnconnected(fabric, options));
    if (isInert && type != RdmaFixedRate::GetTypeId())
    {
        WarnOnce(fabric, type.GetName() + " has no effect on flows that it may not pace", notPaced);
        return;
    }
    if (HasWindowAlone(*control, *MakeUnconnected(fabric, options)))
    {
        WarnOnce(fabric,
                 type.GetName() + " has no effect but for a window that stays as it is, on flows "
                                  "that it may not pace",
                 "PaceByRate of the queue pairs is false, and so is VariableWindow");
        return;
    }
    for (const char* name : {"Rate", "MinRate", "InitialRate"})
    {
        TypeId::AttributeInformation info;
        DataRateValue rate;
        if (!type.LookupAttributeByName(name, &info) ||
            !control->GetAttributeFailSafe(name, rate) ||
            ExactText(rate, info.checker) == ExactText(*info.originalInitialValue, info.checker))
        {
            continue;
        }
        const std::string what = type.GetName() + "::" + name;
        if (isInert)
        {
            WarnOnce(fabric, what + " has no effect", notPaced);
            continue;
        }
        WarnOfRate(fabric, what, rate.Get().GetBitRate(), senders);
    }
}

bool
HasOwnControl(const Fabric::QueuePairOptions& options)
{
    return options.congestion.IsTypeIdSet() || IsSaid(options, "CongestionControl");
}

void
WarnOfQueuePairs(const Fabric& fabric, const Fabric::QueuePairOptions& options)
{
    if (HasOwnControl(options))
    {
        WarnOfUnread(CongestionOf(fabric, options), fabric);
    }
    for (const PolicyReading& reading : PolicyReadings())
    {
        if (IsSaid(options, reading.name))
        {
            const auto end = MakeUnconnected(fabric, options);
            if (DiffersFromUsual(*end, reading.name) &&
                !reading.isRead(PoliciesOf(fabric, options)))
            {
                WarnOfIdleAttribute(fabric, reading.name, reading.right);
            }
        }
    }
    NoteSetForVerbs(fabric, options);
}

void
WarnOfUnreadByAll(const Fabric& fabric, const std::vector<Fabric::QueuePairOptions>& flows)
{
    const auto usual = MakeUnconnected(fabric, {});
    for (const PolicyReading& reading : PolicyReadings())
    {
        if (reading.isReplayed ? !IsSaidForAll(fabric, *usual, reading.name)
                               : !DiffersFromUsual(*usual, reading.name))
        {
            continue;
        }
        bool isRead = reading.isRead(PoliciesOf(fabric, {}));
        for (const auto& options : flows)
        {
            isRead = isRead || reading.isRead(PoliciesOf(fabric, options));
        }
        ForEachQueuePair(fabric, [&](HostId, const RdmaQueuePair& end) {
            isRead = isRead || (end.GetState() == RdmaQueuePair::READY &&
                                reading.isRead({end.GetCongestionControl(),
                                                end.GetLossRecovery(),
                                                IsPaced(end),
                                                end.GetDevice()->GetDataRate().GetBitRate()}));
        });
        if (!isRead)
        {
            WarnOfIdleAttribute(fabric, reading.name, reading.right);
        }
    }
    WarnOfUnreadMarks(fabric, flows);
}

void
WarnOfUnreadAtEnd(const Fabric& fabric, bool isControlRead)
{
    if (!HasPosted(fabric))
    {
        return; // whoever sends nothing has asked for nothing
    }
    WarnOfUnusedByVerbs(fabric);
    WarnOfUnreadStampsAtEnd(fabric);
    if (HasSome<IccSwitch>(fabric) && !HasHeardIcc(fabric))
    {
        WarnOnce(fabric,
                 "ns3::IccSwitch of switches has no effect but on paths, which it makes symmetric",
                 "no congestion control reads what it says; ns3::RdmaIcc does");
    }
    if (HasSome<SwitchCnpSender>(fabric) && !fabric.HearsCnps())
    {
        WarnOnce(fabric,
                 "the CNPs of ns3::SwitchCnpSender of switches have no effect",
                 "no congestion control reacts to CNPs of switches; ns3::RdmaDcqcn does");
    }
    WarnOfUnreadMarksAtEnd(fabric);
    const auto usual = MakeUnconnected(fabric, {});
    WarnOfReplaced(fabric, *usual);
    const TypeId control = CongestionOf(*usual).GetTypeId();
    if (!isControlRead && DiffersFromUsual(*usual, "CongestionControl") &&
        !fabric.HasConnected(control))
    {
        WarnOnce(fabric,
                 "the congestion control " + control.GetName() + " of the fabric has no effect",
                 "each queue pair has another one");
    }
}

} // namespace ns3
