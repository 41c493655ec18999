// SPDX-License-Identifier: GPL-2.0-only
#include "idle-settings.h"

#include "fabric-objects.h"
#include "fabric-places.h"
#include "fabric-ports.h"
#include "flow-path.h"
#include "named-once.h"
#include "switch-extensions.h"
#include "type-relation.h"

#include "ns3/boolean.h"
#include "ns3/border-policy.h"
#include "ns3/class-rewriter.h"
#include "ns3/double.h"
#include "ns3/ecmp-load-balancer.h"
#include "ns3/ecn-tuner.h"
#include "ns3/elephant-separator.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-switch.h"
#include "ns3/inof-switch-agent.h"
#include "ns3/ipv4.h"
#include "ns3/l2-tables.h"
#include "ns3/nic-receive-buffer.h"
#include "ns3/node.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/polled-wred-marker.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rdma-hw.h"
#include "ns3/switch-cnp-sender.h"
#include "ns3/traffic-class-map.h"
#include "ns3/ttl-limiter.h"
#include "ns3/uinteger.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// An object, and where it is.
struct Seat
{
    Ptr<FabricSwitch> fabricSwitch; //!< null: at a host
    Ptr<const Object> object;       //!< it
    bool hasReceiveBuffer{false};   //!< the port of a host has one, or may get one
};

/// @return whether the switch of an object marks
bool
Marks(const Seat& seat)
{
    return seat.fabricSwitch->IsEcnEnabled();
}

/// @return whether the switch of an object may drop what cannot be marked: it marks, and a class of
/// some port is lossy
bool
DropsUnmarked(const Seat& seat)
{
    const SwitchMmu& mmu = *seat.fabricSwitch->GetMmu();
    bool isLossy = false;
    for (uint32_t port = 0; port < mmu.GetPortCount(); ++port)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            isLossy = isLossy || !mmu.IsLossless(port, cls);
        }
    }
    return isLossy || !Marks(seat); // another line names the latter
}

/// @return whether the marker of a switch is asked about queues, unless another line says why not:
/// a SwitchCnpSender may keep it silent. One that polls by itself marks nevertheless.
bool
IsMarkerAsked(const Seat& seat)
{
    if (!Marks(seat) || DynamicCast<const PolledWredMarker>(seat.object))
    {
        return true;
    }
    const auto senders = ExtensionsOf<SwitchCnpSender>(*seat.fabricSwitch);
    return std::all_of(senders.begin(), senders.end(), [](const auto& sender) {
        BooleanValue marks;
        sender->GetAttribute("MarkCe", marks);
        return marks.Get();
    });
}

/// @param seat of an object @param name of an enumeration of it @return its value, as text
std::string
ChoiceOf(const Seat& seat, const char* name)
{
    TypeId::AttributeInformation info;
    seat.object->GetInstanceTypeId().LookupAttributeByName(name, &info);
    const auto value = info.checker->Create();
    seat.object->GetAttribute(name, *value);
    return ExactText(*value, info.checker);
}

/// @return whether the bytes of flows make elephants
bool
CountsBytes(const Seat& seat)
{
    return ChoiceOf(seat, "Condition") != "Rate";
}

/// @return whether the rates of flows make elephants
bool
MeasuresRates(const Seat& seat)
{
    return ChoiceOf(seat, "Condition") != "Bytes";
}

/// @return whether elephants wait for a gap before they change their class
bool
AwaitsGap(const Seat& seat)
{
    return ChoiceOf(seat, "Move") == "AtFlowletGap";
}

/// @return whether a marker polls
bool
Polls(const Seat& seat)
{
    TimeValue interval;
    seat.object->GetAttribute("PollInterval", interval);
    return interval.Get().IsStrictlyPositive();
}

/// @return whether a border policy has rules
bool
HasRules(const Seat& seat)
{
    return !DynamicCast<const BorderPolicy>(seat.object)->GetMatches().empty();
}

/// @return whether a watchdog counts storms
bool
CountsStorms(const Seat& seat)
{
    UintegerValue limit;
    seat.object->GetAttribute("Limit", limit);
    return limit.Get() > 0;
}

/// @return whether a watchdog acts on storms, and does not only report them
bool
Acts(const Seat& seat)
{
    return ChoiceOf(seat, "Action") != "Alert";
}

/// @return whether a watchdog detects storms
bool
Detects(const Seat& seat)
{
    return ChoiceOf(seat, "BigRedSwitch") == "false";
}

/// @return whether queues come back by themselves after their first storm
bool
Clears(const Seat& seat)
{
    return ChoiceOf(seat, "Limit") != "1";
}

/// @return whether it matters what a watchdog does with a queue in a storm
bool
ChoosesAction(const Seat& seat)
{
    return !Acts(seat) || Clears(seat);
}

/// @return whether some lossy class of a switch is limited by LossyShare; a share of 1 asks for no
/// limit
bool
SharesPools(const Seat& seat)
{
    const SwitchMmu& mmu = *seat.fabricSwitch->GetMmu();
    DoubleValue share;
    mmu.GetAttribute("LossyShare", share);
    return mmu.UsesLossyShare() || share.Get() == 1; // as a configuration of SONiC has it
}

/// @return whether something at the switch of a class map reads its DSCPs, whatever is trusted:
/// what it sends itself, or marks anew
bool
MakesMarks(const Seat& seat)
{
    for (uint32_t i = 0; i < seat.fabricSwitch->GetNExtensions(); ++i)
    {
        const auto extension = seat.fabricSwitch->GetExtension(i);
        if (DynamicCast<ClassRewriter>(extension) || DynamicCast<SwitchCnpSender>(extension) ||
            DynamicCast<InofSwitchAgent>(extension))
        {
            return true;
        }
    }
    return false;
}

/// @return what a class map trusts
TrafficClassMap::Trust
TrustOf(const Seat& seat)
{
    return DynamicCast<const TrafficClassMap>(seat.object)->GetTrust();
}

/// @return whether DSCPs are read; hosts mark by them in any case
bool
ReadsDscp(const Seat& seat)
{
    return TrustOf(seat) == TrafficClassMap::DSCP || !seat.fabricSwitch || MakesMarks(seat);
}

/// @return whether PCPs are read
bool
ReadsPcp(const Seat& seat)
{
    return TrustOf(seat) == TrafficClassMap::DOT1P;
}

/// @return whether DefaultClass is read
bool
ReadsDefaultClass(const Seat& seat)
{
    return TrustOf(seat) != TrafficClassMap::DSCP;
}

/// @return whether priority groups are of a buffer there: that of a switch, or that of the NIC
bool
HasGroups(const Seat& seat)
{
    return seat.fabricSwitch || seat.hasReceiveBuffer;
}

/// @return whether PfcDialect is read there: without a receive buffer hosts obey pauses, and that
/// of older simulators is about those that are sent
bool
ReadsDialect(const Seat& seat)
{
    return HasGroups(seat) || ChoiceOf(seat, "PfcDialect") != "ShortQuanta";
}

/// @return whether somebody captures the frames of a port
bool
IsCaptured(const Seat& seat)
{
    return DynamicCast<const QbbNetDevice>(seat.object)->IsCaptured();
}

/// An attribute that some objects do not read.
struct IdleReading
{
    TypeId (*type)();                 //!< that has it
    const char* name;                 //!< of the attribute
    bool (*isRead)(const Seat& seat); //!< whether an object reads it
    const char* right;                //!< why not, for people
};

constexpr const char* NO_ECN = "EcnEnabled is false there";
constexpr const char* NO_MARKS = "MarkCe of ns3::SwitchCnpSender is false there";
constexpr const char* NO_PAUSES = "hosts send no pauses without a receive buffer";
constexpr const char* ONLY_REPORTS = "Action Alert ends with the pauses, and disables nothing";
constexpr const char* FIRST_DISABLES = "with Limit 1 the first storm disables the queue";
constexpr const char* NO_DETECTION = "BigRedSwitch is on there, and detection off";
constexpr const char* NO_BYTES = "it needs another Condition than Rate";
constexpr const char* NO_RATES = "it needs another Condition than Bytes";

const IdleReading IDLE_READINGS[] = {
    {WredEcnMarker::GetTypeId, "Kmin", Marks, NO_ECN},
    {WredEcnMarker::GetTypeId, "Kmax", Marks, NO_ECN},
    {WredEcnMarker::GetTypeId, "Pmax", Marks, NO_ECN},
    {WredEcnMarker::GetTypeId, "ReferenceRate", Marks, NO_ECN},
    {WredEcnMarker::GetTypeId, "Classes", Marks, NO_ECN},
    {WredEcnMarker::GetTypeId, "Kmin", IsMarkerAsked, NO_MARKS},
    {WredEcnMarker::GetTypeId, "Kmax", IsMarkerAsked, NO_MARKS},
    {WredEcnMarker::GetTypeId, "Pmax", IsMarkerAsked, NO_MARKS},
    {PolledWredMarker::GetTypeId, "WeightExponent", Polls, "it needs PollInterval"},
    {ElephantSeparator::GetTypeId, "ElephantBytes", CountsBytes, NO_BYTES},
    {ElephantSeparator::GetTypeId, "ElephantRate", MeasuresRates, NO_RATES},
    {ElephantSeparator::GetTypeId, "Window", MeasuresRates, NO_RATES},
    {ElephantSeparator::GetTypeId, "FlowletGap", AwaitsGap, "it needs Move AtFlowletGap"},
    {FabricSwitch::GetTypeId, "MarkAt", Marks, NO_ECN},
    {FabricSwitch::GetTypeId, "DropNonEct", Marks, NO_ECN},
    {FabricSwitch::GetTypeId, "DropNonEct", DropsUnmarked, "all classes there are lossless"},
    {BorderPolicy::GetTypeId, "Ports", HasRules, "it needs Rules"},
    {PfcWatchdog::GetTypeId, "QuietPeriod", CountsStorms, "it needs a Limit"},
    {PfcWatchdog::GetTypeId, "QuietPeriod", Clears, FIRST_DISABLES},
    {PfcWatchdog::GetTypeId, "ClearTime", Clears, FIRST_DISABLES},
    {PfcWatchdog::GetTypeId, "Action", ChoosesAction, FIRST_DISABLES},
    {PfcWatchdog::GetTypeId, "Limit", Acts, ONLY_REPORTS},
    {PfcWatchdog::GetTypeId, "ClearTime", Acts, ONLY_REPORTS},
    {PfcWatchdog::GetTypeId, "RestorationTime", Acts, ONLY_REPORTS},
    {PfcWatchdog::GetTypeId, "Action", Detects, NO_DETECTION},
    {PfcWatchdog::GetTypeId, "DetectionTime", Detects, NO_DETECTION},
    {PfcWatchdog::GetTypeId, "RestorationTime", Detects, NO_DETECTION},
    {PfcWatchdog::GetTypeId, "ClearTime", Detects, NO_DETECTION},
    {PfcWatchdog::GetTypeId, "Limit", Detects, NO_DETECTION},
    {PfcWatchdog::GetTypeId, "QuietPeriod", Detects, NO_DETECTION},
    {PfcWatchdog::GetTypeId, "PollInterval", Detects, NO_DETECTION},
    {PfcWatchdog::GetTypeId, "TimeScale", Detects, NO_DETECTION},
    {SwitchMmu::GetTypeId,
     "LossyShare",
     SharesPools,
     "lossy classes there share no pool with lossless ones, or the pool says what they may hold"},
    {TrafficClassMap::GetTypeId, "Dscp", ReadsDscp, "it needs Trust Dscp"},
    {TrafficClassMap::GetTypeId, "Pcp", ReadsPcp, "it needs Trust Dot1p"},
    {TrafficClassMap::GetTypeId,
     "PriorityGroup",
     HasGroups,
     "hosts have no priority groups without a receive buffer"},
    {TrafficClassMap::GetTypeId,
     "PfcPriority",
     HasGroups,
     "hosts send no pauses of groups without a receive buffer"},
    {QbbNetDevice::GetTypeId, "ComputeIcrc", IsCaptured, "it is for captures of the port"},
    {QbbNetDevice::GetTypeId, "PfcDialect", ReadsDialect, NO_PAUSES},
    {QbbNetDevice::GetTypeId, "PfcQuanta", HasGroups, NO_PAUSES},
    {QbbNetDevice::GetTypeId, "PfcRefreshInterval", HasGroups, NO_PAUSES},
    {TrafficClassMap::GetTypeId,
     "DefaultClass",
     ReadsDefaultClass,
     "it needs Trust Dot1p or Untrusted"},
};

/// The attributes of a fabric that somebody has set, with who reads them.
class Readers
{
  public:
    /// @param seat an object @param place its name
    void Add(const Seat& seat, const std::string& place)
    {
        const TypeId type = seat.object->GetInstanceTypeId();
        for (const IdleReading& reading : IDLE_READINGS)
        {
            TypeId::AttributeInformation info;
            if (IsA(type, reading.type()) && type.LookupAttributeByName(reading.name, &info))
            {
                const auto value = info.checker->Create();
                seat.object->GetAttribute(reading.name, *value);
                const std::string text = ExactText(*value, info.checker);
                if (text != ExactText(*info.originalInitialValue, info.checker))
                {
                    Use& use = m_uses.try_emplace({&reading, text}, Use{place}).first->second;
                    use.isRead = use.isRead || reading.isRead(seat);
                }
            }
        }
    }

    /// Name what nobody reads. @param fabric that has the objects
    void Warn(const Fabric& fabric) const
    {
        for (const auto& [key, use] : m_uses)
        {
            const IdleReading& reading = *key.first;
            const std::string read = reading.type().GetName() + "::" + reading.name +
                                     " is read: " + key.second + ", or else: " + reading.right;
            if (use.isRead)
            {
                NoteOnce(fabric, read); // a later change may leave it without an effect
            }
            else if (!IsNoted(fabric, read))
            {
                WarnOnce(fabric,
                         reading.type().GetName() + "::" + reading.name + " of " + use.place +
                             " has no effect",
                         reading.right);
            }
        }
    }

  private:
    /// Who has a value of an attribute.
    struct Use
    {
        std::string place;  //!< the first
        bool isRead{false}; //!< by one of them
    };

    // Pointers into IDLE_READINGS: their order is that of its rows.
    std::map<std::pair<const IdleReading*, std::string>, Use> m_uses; //!< by attribute and value
};

/// Parts of switches that have nothing to do.
class IdleParts
{
  public:
    /// @param fabric that has them
    explicit IdleParts(const Fabric& fabric)
        : m_fabric(fabric)
    {
    }

    /// @param seat of a part @param place its switch
    void Add(const Seat& seat, const std::string& place)
    {
        if (DynamicCast<const BorderPolicy>(seat.object) && !HasRules(seat))
        {
            WarnOnce(m_fabric,
                     "ns3::BorderPolicy of " + place + " has no effect",
                     "it needs Rules");
        }
        if (DynamicCast<const EcnTuner>(seat.object) && !Marks(seat))
        {
            WarnOnce(m_fabric, "ns3::EcnTuner of " + place + " has no effect", NO_ECN);
        }
        if (DynamicCast<const TtlLimiter>(seat.object) && ChoiceOf(seat, "Limits").empty())
        {
            m_limiters.push_back(place);
        }
        if (DynamicCast<const L2Tables>(seat.object))
        {
            const bool isIdle = !HasHost(*seat.fabricSwitch) && ChoiceOf(seat, "Groups") == "Drop";
            m_hasTables = m_hasTables || !isIdle;
            m_tables.push_back(place);
        }
        if (DynamicCast<const PfcWatchdog>(seat.object))
        {
            UintegerValue mask;
            seat.object->GetAttribute("Ports", mask);
            Watched& watched = m_watched.try_emplace(mask.Get(), Watched{place}).first->second;
            watched.ports = std::max(watched.ports, seat.fabricSwitch->GetNPorts());
        }
    }

    /// Name what is idle at several places.
    void Warn() const
    {
        WarnOfAll("ns3::TtlLimiter", m_limiters, "it needs Limits");
        if (!m_hasTables)
        {
            WarnOfAll("ns3::L2Tables", m_tables, "it is for switches with hosts");
        }
        for (const auto& [mask, watched] : m_watched)
        {
            const bool isBeyond = watched.ports < MASK_BITS && mask >> watched.ports;
            if (isBeyond && mask != UINT64_MAX) // all that there are
            {
                WarnOnce(m_fabric,
                         "ns3::PfcWatchdog::Ports of " + watched.place +
                             " has bits of ports that no switch with that mask has",
                         "ports there are 0 to " + std::to_string(watched.ports - 1));
            }
        }
    }

  private:
    /// @return whether a host is at a port of a switch
    static bool HasHost(const FabricSwitch& fabricSwitch)
    {
        for (uint32_t port = 0; port < fabricSwitch.GetNPorts(); ++port)
        {
            const auto peer = fabricSwitch.GetPort(port)->GetPeer();
            if (peer && peer->GetNode()->GetObject<RdmaHw>())
            {
                return true;
            }
        }
        return false;
    }

    /// Name a part that is idle. @param part its type @param places its switches; none: it is not
    /// @param right what it needs
    void WarnOfAll(const std::string& part,
                   const std::vector<std::string>& places,
                   const std::string& right) const
    {
        if (!places.empty())
        {
            const std::size_t more = places.size() - 1;
            WarnOnce(m_fabric,
                     part + " of " + places[0] +
                         (more ? " and of " + std::to_string(more) + " more" : "") +
                         " has no effect",
                     right);
        }
    }

    /// Bits of the mask of a watchdog.
    static constexpr uint32_t MASK_BITS = 64;

    /// Watchdogs with one mask.
    struct Watched
    {
        std::string place; //!< the first
        uint32_t ports{0}; //!< the most that a switch of them has
    };

    const Fabric& m_fabric;
    std::vector<std::string> m_limiters;   //!< switches of TtlLimiters without limits
    std::vector<std::string> m_tables;     //!< switches of L2Tables
    bool m_hasTables{false};               //!< some L2Tables have something to do
    std::map<uint64_t, Watched> m_watched; //!< by mask of ports
};

/// Add what of a port may go unread. @param readers get it @param seat of the port @param name of
/// its node
void
AddPort(Readers& readers, const Seat& seat, const std::string& name)
{
    static const TrafficClassMap::Table usual;
    constexpr uint16_t usualQuanta = 65535;
    const auto device = DynamicCast<const QbbNetDevice>(seat.object);
    const auto map = device->GetTrafficClassMap();
    BooleanValue icrc;
    device->GetAttribute("ComputeIcrc", icrc);
    const std::string place = name + " port " + std::to_string(device->GetPortIndex());
    if (!(*map->GetTable() == usual)) // reading its text takes time
    {
        readers.Add({seat.fabricSwitch, map, seat.hasReceiveBuffer}, place);
    }
    if (device->GetPfcQuanta() != usualQuanta ||
        device->GetPfcDialect() != QbbNetDevice::STANDARD || icrc.Get() ||
        !device->GetPfcRefreshInterval().IsStrictlyNegative())
    {
        readers.Add(seat, place);
    }
}

/// @return whether a load balancer is another than the usual one
bool
IsChosen(const FabricSwitch& fabricSwitch)
{
    const auto balancer = fabricSwitch.GetLoadBalancer();
    const auto ecmp = DynamicCast<EcmpLoadBalancer>(balancer);
    for (uint32_t i = 0; i < fabricSwitch.GetNExtensions(); ++i)
    {
        if (fabricSwitch.GetExtension(i)->NeedsSymmetricPaths())
        {
            return false; // the fabric has chosen
        }
    }
    return balancer->GetInstanceTypeId() != EcmpLoadBalancer::GetTypeId() || !ecmp->HasDefaults();
}

} // namespace

void
WarnOfIdleAttributes(const Fabric& fabric, bool hasFaults)
{
    const FabricTopology& topology = fabric.GetTopology();
    const auto names = FabricPlaces::NamesOf(topology);
    Readers readers;
    IdleParts parts(fabric);
    for (const NodeId node : topology.Nodes())
    {
        const SwitchId which = topology.SwitchAt(node);
        const auto fabricSwitch = which.IsNone() ? nullptr : fabric.GetSwitch(which);
        const std::string& name = names[node.Value()];
        for (const Ptr<Object>& object : ObjectsOfNode(fabric, node))
        {
            readers.Add({fabricSwitch, object}, name);
            parts.Add({fabricSwitch, object}, name);
        }
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            // A fault may give a host a receive buffer, for as long as it lasts.
            const bool isBuffered =
                !fabricSwitch &&
                (hasFaults || fabric.GetRdma(topology.HostAt(node))->GetReceiveBuffer(port));
            AddPort(readers, {fabricSwitch, fabric.GetDevice(node, port), isBuffered}, name);
        }
    }
    readers.Warn(fabric);
    parts.Warn();
}

IdleXonOffsets::IdleXonOffsets(const Fabric& fabric)
    : m_fabric(fabric)
{
}

void
IdleXonOffsets::Warn()
{
    const FabricTopology& topology = m_fabric.GetTopology();
    std::string first;
    uint64_t count = 0;
    std::size_t place = 0; // of a port in m_known
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto fabricSwitch = m_fabric.GetSwitch(which);
        const SwitchMmu& mmu = *fabricSwitch->GetMmu();
        for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port, ++place)
        {
            m_known.resize(std::max(m_known.size(), place + 1));
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                const bool isLossless = mmu.IsLossless(port, cls);
                const bool hasOffset = mmu.GetConfig(port, cls).xonOffsetBytes.has_value();
                const auto bit = static_cast<uint8_t>(1U << cls);
                if (hasOffset && !isLossless && !(m_known[place] & bit) && count++ == 0)
                {
                    first = FabricPlaces::NameOf(topology, topology.NodeOf(which)) + " port " +
                            std::to_string(port) + " class " + std::to_string(cls);
                }
                m_known[place] |= hasOffset || isLossless ? bit : uint8_t{0};
            }
        }
    }
    if (count > 0)
    {
        const std::string more =
            count > 1 ? " and of " + std::to_string(count - 1) + " more classes" : "";
        WarnOnce(m_fabric,
                 "the XON offset of " + first + more + " has no effect",
                 "it is for lossless classes");
    }
}

void
WarnOfIdleIpQueues(const Fabric& fabric)
{
    /// Ports with one limit.
    struct Alike
    {
        std::string place;  //!< the first
        bool isRead{false}; //!< one of their nodes has an IP stack
    };

    const uint64_t usual = [] {
        TypeId::AttributeInformation info;
        QbbNetDevice::GetTypeId().LookupAttributeByName("IpQueueBytes", &info);
        return DynamicCast<const UintegerValue>(info.originalInitialValue)->Get();
    }();
    std::map<uint64_t, Alike> limits;
    for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
    {
        UintegerValue limit;
        device->GetAttribute("IpQueueBytes", limit);
        if (limit.Get() != usual)
        {
            Alike& some = limits[limit.Get()];
            some.place = some.place.empty() ? FabricPlaces::NameOf(fabric.GetTopology(), node) +
                                                  " port " + std::to_string(port)
                                            : some.place;
            some.isRead = some.isRead || device->GetNode()->GetObject<Ipv4>();
        }
    }
    for (const auto& [bytes, some] : limits)
    {
        if (!some.isRead)
        {
            WarnOnce(fabric,
                     "ns3::QbbNetDevice::IpQueueBytes of " + some.place + " has no effect",
                     "no socket sends there; RDMA has no such limit");
        }
    }
}

void
WarnOfIdleBalancers(const Fabric& fabric)
{
    std::string idle; // type of the first that is chosen
    const std::string choice = "a switch with a chosen load balancer has a choice of ways";
    for (const SwitchId which : fabric.Switches())
    {
        const FabricSwitch& fabricSwitch = *fabric.GetSwitch(which);
        if (!IsChosen(fabricSwitch))
        {
            continue;
        }
        if (FlowPath::HasChoice(fabric, which))
        {
            NoteOnce(fabric, choice); // links that fail may leave none
            return;
        }
        idle = idle.empty() ? fabricSwitch.GetLoadBalancer()->GetInstanceTypeId().GetName() : idle;
    }
    if (!idle.empty() && !IsNoted(fabric, choice))
    {
        WarnOnce(fabric,
                 "the load balancer " + idle + " has no effect",
                 FlowPath::HasChoice(fabric) ? "none of its switches has a choice of ways"
                                             : "no switch has a choice of ways");
    }
}

} // namespace ns3
