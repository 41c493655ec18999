// SPDX-License-Identifier: GPL-2.0-only
#include "int-stamper.h"

#include "fabric-switch.h"

#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/qbb-net-device.h"
#include "ns3/simulation-clock.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("IntStamper");

NS_OBJECT_ENSURE_REGISTERED(IntStamper);

namespace
{

constexpr uint32_t ID_BITS = 12;
/// SwitchId: take it from the node.
constexpr uint32_t OF_NODE = 1U << ID_BITS;

/// @return 12 bits of a multiplicative hash. Numbers in sequence would do for two tiers, but the
/// XOR along two paths of three would often be the same (4^8 = 5^9).
uint16_t
IdOfNode(uint32_t node)
{
    constexpr uint32_t GOLDEN_RATIO = 2654435769U; // 2^32 / 1.618..., odd
    return static_cast<uint16_t>((node + 1) * GOLDEN_RATIO >> (32 - ID_BITS));
}

} // namespace

TypeId
IntStamper::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::IntStamper")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<IntStamper>()
            .AddAttribute(
                "LinkSpeeds",
                "Up to eight link speeds that an INT record can name, separated by spaces; the "
                "first has code 0. RdmaHpcc::LinkSpeeds must have the same value.",
                StringValue(IntFormat::DEFAULT_SPEEDS),
                MakeLive(MakeStringAccessor(&IntStamper::m_linkSpeeds),
                         &IntStamper::SettingChanged),
                MakeStringChecker())
            .AddAttribute("Multiplier",
                          "Factor of the units of an INT record, 1 to 1000: bytes sent count in "
                          "units of 128 B, queues in units of 80 B, times this factor. "
                          "RdmaHpcc::Multiplier must have the same value.",
                          UintegerValue(1),
                          MakeLive(MakeUintegerAccessor(&IntStamper::m_multiplier),
                                   &IntStamper::SettingChanged),
                          MakeUintegerChecker<uint32_t>(1, 1000))
            .AddAttribute("QueueScope",
                          "Which queue length a record holds: that of the packet's Class, or that "
                          "of all queues of the Port",
                          EnumValue(PORT),
                          MakeLive(MakeLosslessEnumAccessor<QueueScope>(&IntStamper::m_scope),
                                   &IntStamper::SettingChanged),
                          MakeEnumChecker(CLASS, "Class", PORT, "Port"))
            .AddAttribute("SwitchId",
                          "Identifier of the switch in path identifiers, 0 to 4095; 4096: a hash "
                          "of its node id",
                          UintegerValue(OF_NODE),
                          MakeLive(MakeUintegerAccessor(&IntStamper::m_switchId),
                                   &IntStamper::SettingChanged),
                          MakeUintegerChecker<uint32_t>(0, OF_NODE))
            .AddAttribute(
                "MaxRtt",
                "PINT: T, the time over which a port averages its utilisation; set it to "
                "the longest round trip of an empty path",
                TimeValue(MicroSeconds(9)),
                MakeLive(MakeTimeAccessor(&IntStamper::m_maxRtt), &IntStamper::SettingChanged),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "PintBase",
                "PINT: factor between two codes of the logarithmic scale, 1.001 to 2. "
                "RdmaHpcc::PintBase must have the same value.",
                DoubleValue(1.05),
                MakeLive(MakeDoubleAccessor(&IntStamper::m_pintBase), &IntStamper::SettingChanged),
                MakeDoubleChecker<double>(1.001, 2));
    return tid;
}

IntStamper::IntStamper()
    : m_code(2)
{
}

IntStamper::~IntStamper() = default;

uint32_t
IntStamper::GetHooks() const
{
    return ON_DEQUEUE;
}

void
IntStamper::Restarted()
{
    NS_LOG_FUNCTION(this);
    m_ports.clear();
}

void
IntStamper::Check(FabricSwitch& owner)
{
    m_format = IntFormat(m_linkSpeeds, m_multiplier);
    if (m_maxRtt.GetTimeStep() == 0)
    {
        throw std::invalid_argument("IntStamper: MaxRtt is shorter than the time resolution: use a "
                                    "longer one, or a finer resolution");
    }
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        const uint64_t speed = owner.GetPort(port)->GetDataRate().GetBitRate();
        if (m_format.CodeOf(static_cast<double>(speed)) == IntFormat::UNKNOWN)
        {
            const auto node = owner.GetObject<Node>();
            throw std::invalid_argument("IntStamper: port " + std::to_string(port) + " of node " +
                                        std::to_string(node ? node->GetId() : 0) + " has " +
                                        std::to_string(speed) +
                                        " bit/s, which is not among LinkSpeeds \"" + m_linkSpeeds +
                                        "\": name it there, and in RdmaHpcc");
        }
    }
}

void
IntStamper::Start(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this << m_linkSpeeds << m_multiplier);
    Check(owner);
    m_code = PintCode(m_pintBase);
    m_wholePort = m_scope == PORT;
    const auto node = owner.GetObject<Node>();
    m_id = m_switchId < OF_NODE ? static_cast<uint16_t>(m_switchId)
                                : IdOfNode(node ? node->GetId() : 0);

    constexpr int64_t NS_PER_SECOND = 1000000000;
    constexpr double BITS = 8;
    const int64_t ticks = SimulationClock::TicksPerSecond();
    m_ticksPerNs = std::max<int64_t>(ticks / NS_PER_SECOND, 1);
    m_nsPerTick = std::max<int64_t>(NS_PER_SECOND / ticks, 1);
    m_maxRttTicks = static_cast<double>(m_maxRtt.GetTimeStep());
    m_ports.resize(owner.GetNPorts());
    for (uint32_t i = 0; i < owner.GetNPorts(); ++i)
    {
        Port& port = m_ports[i];
        port.device = PeekPointer(owner.GetPort(i));
        const auto speed = static_cast<double>(port.device->GetDataRate().GetBitRate());
        port.speedCode = m_format.CodeOf(speed);
        port.bytesPerTick = speed / BITS / static_cast<double>(ticks);
    }
}

void
IntStamper::Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes)
{
    const TelemetryKind kind = frame.telemetryKind;
    const bool hops = kind == TelemetryKind::INT || kind == TelemetryKind::INT_GROWING;
    if ((!hops && kind != TelemetryKind::PINT) || !CarriesData(frame.opcode))
    {
        return;
    }
    Port& port = m_ports[outPort];
    const uint64_t queue = m_wholePort ? port.device->Queues().TotalBytes() : queueBytes;
    if (hops)
    {
        Stamp(frame, port, queue);
        return;
    }
    Average(port, queue);
    uint16_t& largest = frame.telemetry.pint.utilisation;
    largest = std::max(largest, m_code.Encode(port.utilisation));
}

void
IntStamper::Stamp(Frame& frame, const Port& port, uint64_t queueBytes) const
{
    IntTelemetry& telemetry = frame.telemetry.hops;
    telemetry.pathId ^= m_id;
    const uint32_t hop = telemetry.hops;
    if (hop < IntTelemetry::MOST_HOPS)
    {
        ++telemetry.hops;
    }
    if (hop >= IntTelemetry::MAX_HOPS)
    {
        return;
    }
    const int64_t nowNs = port.device->Now() * m_nsPerTick / m_ticksPerNs;
    telemetry.records[hop] =
        m_format.Quantise(port.speedCode, nowNs, port.device->GetCounters().txWireBytes, queueBytes)
            .Pack();
    if (frame.telemetryKind == TelemetryKind::INT_GROWING)
    {
        frame.bytes += sizeof(telemetry.records[hop]);
    }
}

void
IntStamper::Average(Port& port, uint64_t queueBytes) const
{
    const int64_t now = port.device->Now();
    const uint64_t txBytes = port.device->GetCounters().txWireBytes;
    const auto elapsed = static_cast<double>(now - port.lastTick);
    if (elapsed <= 0)
    {
        return;
    }
    // The average that an HPCC sender takes of its ACKs, over the packets of the port.
    const double sent = static_cast<double>(txBytes - port.lastTxBytes) / elapsed;
    const double held = static_cast<double>(queueBytes) / m_maxRttTicks;
    const double weight = std::min(elapsed / m_maxRttTicks, 1.0);
    port.utilisation += weight * ((sent + held) / port.bytesPerTick - port.utilisation);
    port.lastTick = now;
    port.lastTxBytes = txBytes;
}

} // namespace ns3
