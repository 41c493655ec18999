// SPDX-License-Identifier: GPL-2.0-only
#include "trim-switch.h"

#include "fabric-switch.h"
#include "leads-to-host.h"
#include "unit-factors.h"

#include "ns3/double.h"
#include "ns3/frame-trim.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/traffic-class-map.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TrimSwitch");

NS_OBJECT_ENSURE_REGISTERED(TrimSwitch);

namespace
{

constexpr uint8_t MOST_DSCP = 63;

/// Throw std::invalid_argument. @param what is wrong, and what would be right
[[noreturn]] void
RefuseTrimming(const std::string& what)
{
    throw std::invalid_argument("TrimSwitch: " + what);
}

} // namespace

TypeId
TrimSwitch::GetTypeId()
{
    const auto live = [](auto accessor) { return MakeLive(accessor, &TrimSwitch::SettingChanged); };
    static TypeId tid =
        TypeId("ns3::TrimSwitch")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<TrimSwitch>()
            .AddAttribute("Classes",
                          "Mask of the classes whose RoCE data may be trimmed; they have no PFC. "
                          "Bit c stands for class c.",
                          UintegerValue(1 << 3),
                          live(MakeUintegerAccessor(&TrimSwitch::m_classes)),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("TrimClass",
                          "Class, 0 to 7, of trimmed packets",
                          UintegerValue(5),
                          live(MakeUintegerAccessor(&TrimSwitch::m_trimClass)),
                          MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1))
            .AddAttribute("TrimDscp",
                          "DSCP of packets that are trimmed at a port to another switch",
                          UintegerValue(40),
                          live(MakeUintegerAccessor(&TrimSwitch::m_dscp)),
                          MakeUintegerChecker<uint8_t>(0, MOST_DSCP))
            .AddAttribute("TrimDscpLastHop",
                          "DSCP of packets that are trimmed at a port to a host",
                          UintegerValue(41),
                          live(MakeUintegerAccessor(&TrimSwitch::m_dscpLastHop)),
                          MakeUintegerChecker<uint8_t>(0, MOST_DSCP))
            .AddAttribute("TrimBytes",
                          "Length of a trimmed packet behind its IP header, 24 or more; headers, "
                          "telemetry and ICRC stay in any case, and payload as far as it fits, in "
                          "multiples of 4",
                          UintegerValue(LEAST_TRIM_BYTES),
                          live(MakeUintegerAccessor(&TrimSwitch::m_trimBytes)),
                          MakeUintegerChecker<uint32_t>(LEAST_TRIM_BYTES))
            .AddAttribute("BaseRtt",
                          "Longest round trip of the fabric without queues. Rate of a port times "
                          "BaseRtt is the unit of Threshold, ThresholdLastHop and TrimLimit",
                          TimeValue(MicroSeconds(12)),
                          live(MakeTimeAccessor(&TrimSwitch::m_baseRtt)),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Threshold",
                          "Length of an egress queue to a switch beyond which data is trimmed, in "
                          "rate of the port times BaseRtt; 0: all data",
                          DoubleValue(1.0),
                          live(MakeDoubleAccessor(&TrimSwitch::m_threshold)),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("ThresholdLastHop",
                          "Length of an egress queue to a host beyond which data is trimmed, in "
                          "rate of the port times BaseRtt; 0: all data",
                          DoubleValue(1.5),
                          live(MakeDoubleAccessor(&TrimSwitch::m_thresholdLastHop)),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("TrimLimit",
                          "Largest length of the egress queue of trimmed packets, in rate of the "
                          "port times BaseRtt; what exceeds it is dropped",
                          DoubleValue(1.0),
                          live(MakeDoubleAccessor(&TrimSwitch::m_trimLimit)),
                          MakeDoubleChecker<double>(0));
    return tid;
}

uint32_t
TrimSwitch::GetHooks() const
{
    return ON_ROUTE | ON_FORWARD | ON_REFUSED | ON_DEQUEUE;
}

// ---- configuration

void
TrimSwitch::RequirePort(const FabricSwitch& owner, uint32_t port) const
{
    const QbbNetDevice& device = *owner.GetPort(port);
    const TrafficClassMap& map = *device.GetTrafficClassMap();
    const std::string where = "port " + std::to_string(port);
    if (map.GetTrust() != TrafficClassMap::DSCP)
    {
        RefuseTrimming(where + " does not classify by DSCP, which is what trimming changes");
    }
    for (const uint8_t dscp : {m_dscp, m_dscpLastHop})
    {
        if (map.ClassOfDscp(dscp) != m_trimClass)
        {
            RefuseTrimming(where + " maps DSCP " + std::to_string(dscp) +
                           " of trimmed packets to class " + std::to_string(map.ClassOfDscp(dscp)) +
                           "; map it to TrimClass " + std::to_string(m_trimClass) +
                           " with TrafficClassMap::Dscp");
        }
    }
    for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const std::string name = "class " + std::to_string(cls);
        if (!(m_classes >> cls & 1))
        {
            continue;
        }
        if (device.GetPausingGroups() >> map.GroupOf(cls) & 1)
        {
            RefuseTrimming(
                where + ": " + name +
                " has PFC, and what is lossless is never trimmed; take the class out of the "
                "lossless ones, or out of Classes");
        }
        if (map.QueueOf(cls) == map.QueueOf(m_trimClass))
        {
            RefuseTrimming(where + " has one queue for " + name + " and TrimClass " +
                           std::to_string(m_trimClass) + "; give each its own");
        }
    }
}

void
TrimSwitch::Check(FabricSwitch& owner)
{
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        RequirePort(owner, port);
    }
}

TrimSwitch::Port
TrimSwitch::MakePort(const FabricSwitch& owner, uint32_t port) const
{
    const QbbNetDevice& device = *owner.GetPort(port);
    const double bdp =
        static_cast<double>(device.GetDataRate().GetBitRate()) / BITS * m_baseRtt.GetSeconds();
    const bool isLastHop = LeadsToHost(device);
    const auto bytes = [bdp](double factor) {
        return static_cast<uint64_t>(std::llround(bdp * factor));
    };
    return {bytes(isLastHop ? m_thresholdLastHop : m_threshold),
            bytes(m_trimLimit),
            device.GetTrafficClassMap()->QueueOf(m_trimClass),
            isLastHop};
}

void
TrimSwitch::Start(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this);
    Check(owner);
    m_owner = &owner;
    m_counters.resize(owner.GetNPorts());
    m_ports.clear();
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        m_ports.push_back(MakePort(owner, port));
    }
}

// ---- frames

SwitchExtension::Verdict
TrimSwitch::Routed(Frame& frame, uint32_t outPort)
{
    const Port& port = m_ports[outPort];
    constexpr Verdict FULL{Verdict::DROP, DropReason::TRIMMED_FULL};
    if (frame.trafficClass == port.queue)
    {
        return !IsTrimmed(frame) || HasRoom(frame, outPort) ? Verdict() : FULL;
    }
    if (m_owner->GetQueueBytes(outPort, frame.trafficClass) + frame.bytes <= port.threshold ||
        !MayTrim(frame) || !Cut(frame, outPort))
    {
        return {};
    }
    return HasRoom(frame, outPort) ? Verdict() : FULL;
}

bool
TrimSwitch::Refused(Frame& frame, uint32_t outPort)
{
    if (IsTrimmed(frame))
    {
        ++m_counters[outPort].dropped;
        return false;
    }
    return MayTrim(frame) && Cut(frame, outPort) && HasRoom(frame, outPort);
}

void
TrimSwitch::Dequeued(Frame& frame, uint32_t outPort, uint64_t /* queueBytes */)
{
    m_counters[outPort].sent += frame.trafficClass == m_ports[outPort].queue && IsTrimmed(frame);
}

bool
TrimSwitch::MayTrim(const Frame& frame) const
{
    return IsTrimmable(frame) && (m_classes >> m_owner->ClassOf(frame) & 1);
}

bool
TrimSwitch::Cut(Frame& frame, uint32_t outPort)
{
    const Port& port = m_ports[outPort];
    const uint32_t before = frame.bytes;
    if (!TrimFrame(frame, m_trimBytes, port.isLastHop ? Trim::LAST_HOP : Trim::ON_PATH))
    {
        return false;
    }
    frame.dscp = port.isLastHop ? m_dscpLastHop : m_dscp;
    m_owner->Reclassify(frame); // booked as what it is now
    frame.trafficClass = port.queue;
    ++m_counters[outPort].trims;
    m_counters[outPort].trimmedBytes += before - frame.bytes;
    NS_LOG_LOGIC("PSN " << frame.psn << " trimmed at port " << outPort);
    return true;
}

bool
TrimSwitch::HasRoom(const Frame& frame, uint32_t outPort)
{
    const Port& port = m_ports[outPort];
    const bool fits = m_owner->GetQueueBytes(outPort, port.queue) + frame.bytes <= port.limit;
    m_counters[outPort].dropped += !fits;
    return fits;
}

TrimSwitch::Counters
TrimSwitch::GetCounters() const
{
    Counters sum;
    for (const Counters& counters : m_counters)
    {
        AddCounters(sum, counters);
    }
    return sum;
}

} // namespace ns3
