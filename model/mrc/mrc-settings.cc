// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-settings.h"

#include "ns3/boolean.h"
#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/fabric-frame.h"
#include "ns3/integer.h"
#include "ns3/rdma-hw.h"
#include "ns3/simulation-clock.h"
#include "ns3/srv6-frame.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3
{

TypeId
MrcSettings::AddSettings(TypeId tid)
{
    return AddRecovery(AddPaths(tid));
}

TypeId
MrcSettings::AddPaths(TypeId tid)
{
    return tid
        .AddAttribute(
            "Format",
            "How an entropy value, UDP source port and flow label, says which way a packet "
            "takes: Udp: switches hash it; Stev: it has a field for each tier of switches; "
            "Srv6: it is the number of a spine, which an outer IPv6 header names",
            EnumValue(UDP),
            MakeFixed(MakeLosslessEnumAccessor<Format>(&MrcSettings::m_format)),
            MakeEnumChecker(UDP, "Udp", STEV, "Stev", SRV6, "Srv6"))
        .AddAttribute(
            "Planes",
            "Ports of the host that a queue pair uses, each in a plane of its own: of port "
            "p those from p - p % Planes on; 0: all",
            UintegerValue(0),
            MakeFixed(MakeUintegerAccessor(&MrcSettings::m_planesWanted)),
            MakeUintegerChecker<uint32_t>(0, 32))
        .AddAttribute("Evs",
                      "Entropy values of a queue pair, in equal parts for all planes, backups "
                      "included",
                      UintegerValue(256),
                      MakeFixed(MakeUintegerAccessor(&MrcSettings::m_evsWanted)),
                      MakeUintegerChecker<uint32_t>(1, 16384))
        .AddAttribute("Active",
                      "Entropy values in rotation, likewise; the others are backups",
                      UintegerValue(128),
                      MakeFixed(MakeUintegerAccessor(&MrcSettings::m_active)),
                      MakeUintegerChecker<uint32_t>(1, 16384))
        .AddAttribute(
            "MinActive",
            "Entropy values that stay in rotation whatever is lost, likewise; 0: a quarter "
            "of Active",
            UintegerValue(0),
            MakeFixed(MakeUintegerAccessor(&MrcSettings::m_minActive)),
            MakeUintegerChecker<uint32_t>(0, 16384))
        .AddAttribute("Shuffle",
                      "Whether each round of the rotation has a new order",
                      BooleanValue(true),
                      MakeFixed(MakeBooleanAccessor(&MrcSettings::m_shuffle)),
                      MakeBooleanChecker())
        .AddAttribute("PlaneLead",
                      "Packets by which a plane may be ahead of the plane that has sent least; 1: "
                      "strict turns",
                      UintegerValue(8),
                      MakeFixed(MakeUintegerAccessor(&MrcSettings::m_planeLead)),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("ProbeInterval",
                      "Time between two probes of an entropy value that lost a packet",
                      TimeValue(MilliSeconds(1)),
                      MakeFixed(MakeTimeAccessor(&MrcSettings::m_probeInterval)),
                      MakeTimeChecker(NanoSeconds(1)))
        .AddAttribute("ProbeAfter",
                      "A connection that has packets in flight and hears nothing for so long sends "
                      "a probe; 0: three times BaseRtt",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&MrcSettings::m_probeAfter)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("ProbeSuccesses",
                      "Answered probes in a row that bring an entropy value back",
                      UintegerValue(3),
                      MakeFixed(MakeUintegerAccessor(&MrcSettings::m_probeSuccesses)),
                      MakeUintegerChecker<uint32_t>(1, 255))
        .AddAttribute(
            "RepeatClass",
            "Class, 0 to 7, of packets that are sent again, as the class map of each port "
            "marks it; at the NIC they go before new packets",
            UintegerValue(4),
            MakeFixed(MakeUintegerAccessor(&MrcSettings::m_repeatClass)),
            MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1))
        .AddAttribute("ControlClass",
                      "Class, 0 to 7, of SACKs, NACKs and port status",
                      UintegerValue(6),
                      MakeFixed(MakeUintegerAccessor(&MrcSettings::m_controlClass)),
                      MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1));
}

TypeId
MrcSettings::AddRecovery(TypeId tid)
{
    return tid
        .AddAttribute("BaseRtt",
                      "Longest round trip of the empty network, from which Mpr, Timeout and "
                      "ReorderThreshold follow; 0: that of the connection",
                      TimeValue(Time(0)),
                      MakeFixed(MakeTimeAccessor(&MrcSettings::m_baseRtt)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("SackBytes",
                      "Payload, bytes, after which the receiver sends a SACK; a packet counts 1024 "
                      "at least",
                      UintegerValue(16384),
                      MakeFixed(MakeUintegerAccessor(&MrcSettings::m_sackBytes)),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("Mpr",
                      "Receive window in units of 128 PSNs; 0: two largest windows of 1.5 "
                      "bandwidth-delay products, 8 at least",
                      UintegerValue(0),
                      MakeFixed(MakeUintegerAccessor(&MrcSettings::m_window)),
                      MakeUintegerChecker<uint32_t>(0, 255))
        .AddAttribute("MaxWimm",
                      "WRITE_IMMs of a queue pair that are not complete, at most",
                      UintegerValue(128),
                      MakeFixed(MakeUintegerAccessor(&MrcSettings::m_maxImmediates)),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute(
            "Timeout",
            "A packet waits 1.024 us x 2^Timeout for its SACK; -1: 5 round trips, rounded "
            "up to such a time",
            IntegerValue(-1),
            MakeFixed(MakeIntegerAccessor(&MrcSettings::m_timeout)),
            MakeIntegerChecker<int32_t>(-1, 24))
        .AddAttribute("LinearRetries",
                      "Timeouts in a row after so long",
                      UintegerValue(7),
                      MakeFixed(MakeUintegerAccessor(&MrcSettings::m_linearRetries)),
                      MakeUintegerChecker<uint32_t>(0, 7))
        .AddAttribute("ExpRetries",
                      "Further timeouts in a row, each after twice the time, before the queue pair "
                      "fails; 25: for ever",
                      UintegerValue(25),
                      MakeFixed(MakeUintegerAccessor(&MrcSettings::m_expRetries)),
                      MakeUintegerChecker<uint32_t>(0, 25))
        .AddAttribute(
            "LossRule",
            "Arrivals that show a loss before it: Threshold: ReorderThreshold packets of "
            "higher PSN; PerEv: a packet that was sent later with the same entropy value; "
            "Both: either",
            EnumValue(MrcTerms::BOTH),
            MakeFixed(MakeLosslessEnumAccessor<MrcTerms::LossRule>(&MrcSettings::m_lossRule)),
            MakeEnumChecker(MrcTerms::THRESHOLD,
                            "Threshold",
                            MrcTerms::PER_EV,
                            "PerEv",
                            MrcTerms::BOTH,
                            "Both"))
        .AddAttribute("ReorderThreshold",
                      "Packets of LossRule Threshold; -1: 1.5 windows or bandwidth-delay products, "
                      "whichever is less, 5 at least",
                      IntegerValue(-1),
                      MakeFixed(MakeIntegerAccessor(&MrcSettings::m_reorderThreshold)),
                      MakeIntegerChecker<int32_t>(-1))
        .AddAttribute("TimeStamp",
                      "Whether data packets carry a time stamp, which SACKs bring back",
                      BooleanValue(true),
                      MakeFixed(MakeBooleanAccessor(&MrcSettings::m_timeStamp)),
                      MakeBooleanChecker())
        .AddAttribute("TransportAcks",
                      "Whether the end of a message is acknowledged at once",
                      BooleanValue(true),
                      MakeFixed(MakeBooleanAccessor(&MrcSettings::m_transportAcks)),
                      MakeBooleanChecker())
        .AddAttribute(
            "TrimNack",
            "Whether trimmed packets are answered by a NACK. If not, losses are no sign of "
            "a bad path, and cost an entropy value one turn",
            BooleanValue(true),
            MakeFixed(MakeBooleanAccessor(&MrcSettings::m_trimNack)),
            MakeBooleanChecker());
}

uint32_t
MrcSettings::CountPlanes(uint32_t ports) const
{
    return m_planesWanted ? m_planesWanted : ports;
}

uint32_t
MrcSettings::GetHeaderBytes() const
{
    return MrcHeaderBytes(RoceOpcode::MRC_WRITE_ONLY_IMM) +
           TelemetryBytes(TelemetryKind::MRC, m_timeStamp) + GetOuterBytes();
}

uint32_t
MrcSettings::GetOuterBytes() const
{
    return m_format == SRV6 ? SRV6_ADDED_BYTES : 0;
}

std::vector<uint32_t>
MrcSettings::GetPorts(const RdmaHw& hw, uint32_t port) const
{
    const uint32_t all = hw.GetNPorts();
    const uint32_t planes = CountPlanes(all);
    const uint32_t first = port - port % planes;
    if (first + planes > all || planes > 32)
    {
        throw std::invalid_argument("RdmaMrc: Planes is " + std::to_string(planes) +
                                    ", and the NIC has " + std::to_string(all) +
                                    " ports; set Planes to a number that divides them, 32 at most");
    }
    std::vector<uint32_t> ports(planes);
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        ports[plane] = first + plane;
    }
    return ports;
}

void
MrcSettings::RequireControl(const RdmaCongestionOps& ops)
{
    const TelemetryKind telemetry = ops.GetTelemetry();
    if (!ops.SetsWindow() ||
        (telemetry != TelemetryKind::NONE && telemetry != TelemetryKind::DELAY) ||
        !ops.GetSwitchExtensions().empty())
    {
        throw std::invalid_argument("RdmaMrc: " + ops.GetInstanceTypeId().GetName() +
                                    " cannot control MRC, which has a window and neither CNPs nor "
                                    "telemetry of switches; set CongestionControl to RdmaNscc");
    }
}

uint32_t
MrcSettings::GetLongestPacket(const RdmaConnection& connection) const
{
    return RoceFrameBytes(RoceOpcode::MRC_WRITE_ONLY_IMM,
                          connection.mtu,
                          connection.local.ipVersion,
                          false,
                          TelemetryBytes(TelemetryKind::MRC, m_timeStamp)) +
           GetOuterBytes() - ETHERNET_OVERHEAD_BYTES;
}

double
MrcSettings::GetMostPackets(const RdmaFlowState& flow) const
{
    constexpr double BITS_PER_PS = 8e12; // of a byte in a second
    const double product = flow.lineRate * static_cast<double>(GetLongestRtt(flow)) / BITS_PER_PS;
    return 1.5 * std::floor(product / flow.mtuBytes);
}

int64_t
MrcSettings::GetLongestRtt(const RdmaFlowState& flow) const
{
    return flow.LongestRttPs("RdmaMrc", m_baseRtt.GetPicoSeconds());
}

int64_t
MrcSettings::GetProbeAfterTicks(const RdmaFlowState& flow) const
{
    return m_probeAfter.IsZero() ? PicoSeconds(3 * GetLongestRtt(flow)).GetTimeStep()
                                 : m_probeAfter.GetTimeStep();
}

MrcTerms
MrcSettings::MakeTerms(const RdmaFlowState& flow) const
{
    MrcTerms terms;
    terms.sackBytes = m_sackBytes;
    terms.maxImmediates = m_maxImmediates;
    terms.linearRetries = m_linearRetries;
    terms.expRetries = m_expRetries;
    terms.lossRule = m_lossRule;
    terms.evs = m_evsWanted;
    terms.activeEvs = m_active;
    terms.leastEvs = m_minActive ? m_minActive : m_active / 4;
    terms.probeSuccesses = m_probeSuccesses;
    terms.shuffle = m_shuffle;
    terms.timeStamp = m_timeStamp;
    terms.transportAcks = m_transportAcks;
    terms.trimNack = m_trimNack;
    terms.ticksPerSecond = SimulationClock::TicksPerSecond();
    const double most = GetMostPackets(flow);
    const auto units = static_cast<uint32_t>(std::ceil(2 * most / MrcTerms::WINDOW_UNIT));
    terms.window = m_window ? m_window : std::clamp<uint32_t>(units, 8, 255);
    terms.reorderThreshold = m_reorderThreshold >= 0
                                 ? m_reorderThreshold
                                 : static_cast<uint32_t>(std::max(5.0, std::floor(most)));
    constexpr int64_t UNIT_PS = 1024000;
    int32_t exponent = std::max(m_timeout, 0);
    while (m_timeout < 0 && exponent < 24 && UNIT_PS << exponent < 5 * GetLongestRtt(flow))
    {
        ++exponent;
    }
    constexpr __int128 PS_PER_SECOND = 1000000000000;
    const __int128 ticks = static_cast<__int128>(UNIT_PS << exponent) * terms.ticksPerSecond;
    terms.timeoutTicks = static_cast<int64_t>((ticks + PS_PER_SECOND - 1) / PS_PER_SECOND);
    return terms;
}

} // namespace ns3
