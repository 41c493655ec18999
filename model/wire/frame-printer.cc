// SPDX-License-Identifier: GPL-2.0-only
#include "frame-printer.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"

#include <algorithm>

namespace ns3
{

namespace
{

void
PrintAddress(std::ostream& os,
             const Frame& frame,
             const std::array<uint32_t, 3>& high,
             uint32_t low)
{
    if (frame.ipVersion == 4)
    {
        os << Ipv4Address(low);
        return;
    }
    uint8_t octets[16];
    const uint32_t words[] = {high[0], high[1], high[2], low};
    for (int i = 0; i < 16; ++i)
    {
        octets[i] = static_cast<uint8_t>(words[i / 4] >> (24 - 8 * (i % 4)));
    }
    os << Ipv6Address(octets);
}

/// Addresses and ports, as "source.port > destination.port", and the rest of the IP header.
void
PrintIp(std::ostream& os, const Frame& frame)
{
    static const char* const ECN_NAMES[] = {"not-ect", "ect1", "ect0", "ce"};
    PrintAddress(os, frame, frame.srcHigh, frame.src);
    os << "." << frame.srcPort << " > ";
    PrintAddress(os, frame, frame.dstHigh, frame.dst);
    os << "." << frame.dstPort << " dscp=" << +frame.dscp
       << " ecn=" << ECN_NAMES[static_cast<uint8_t>(frame.ecn) & 3] << " ttl=" << +frame.ttl;
}

/// Records of the hops in the order of the way, as they are on the wire.
void
PrintInt(std::ostream& os, const IntTelemetry& hops)
{
    os << " int hops=" << +hops.hops << " path=" << hops.pathId;
    for (uint32_t i = 0; i < std::min<uint32_t>(hops.hops, IntTelemetry::MAX_HOPS); ++i)
    {
        os << " hop" << i << "=0x" << std::hex << hops.records[i] << std::dec;
    }
}

/// What the headers of MRC of the opcode say.
void
PrintMrc(std::ostream& os, const Frame& frame)
{
    const MrcHeader& mrc = frame.telemetry.mrc;
    os << (mrc.repeated ? " repeated" : "");
    switch (frame.opcode)
    {
    case RoceOpcode::MRC_SACK:
        os << " ev=" << mrc.ev << " mark=" << static_cast<int>(mrc.mark);
        mrc.answersProbe ? os << " probe=" << mrc.probe : os << " acked=" << mrc.acked;
        os << " base=" << mrc.base << " bitmap=0x" << std::hex << mrc.bitmap << std::dec
           << " window=" << +mrc.window << " ooo=" << mrc.outOfOrder << " received=" << mrc.received
           << " penalty=" << +mrc.penalty << (mrc.restore ? " restore" : "");
        break;
    case RoceOpcode::MRC_NACK:
        os << " ev=" << mrc.ev << " reason=" << static_cast<int>(mrc.reason);
        break;
    case RoceOpcode::MRC_PROBE:
        os << " probe=" << mrc.probe;
        break;
    case RoceOpcode::MRC_ENDPOINT_REQUEST:
    case RoceOpcode::MRC_ENDPOINT_RESPONSE:
        os << " operation=" << static_cast<int>(mrc.operation) << " ports=0x" << std::hex
           << mrc.ports << std::dec;
        break;
    case RoceOpcode::MRC_ACKNOWLEDGE:
        return; // no time
    default:
        os << " mrc-msn=" << mrc.msn << " rqmsn=" << mrc.rqMsn;
    }
    os << " time=" << mrc.time;
}

void
PrintTelemetry(std::ostream& os, const Frame& frame)
{
    const FrameTelemetry& telemetry = frame.telemetry;
    switch (frame.telemetryKind)
    {
    case TelemetryKind::NONE:
        break;
    case TelemetryKind::DELAY:
        os << " delay sent=" << telemetry.delay.sentTick
           << " endpoint=" << telemetry.delay.endpointDelayNs << " hops=" << +telemetry.delay.hops;
        break;
    case TelemetryKind::INT:
    case TelemetryKind::INT_GROWING:
        PrintInt(os, telemetry.hops);
        break;
    case TelemetryKind::PINT:
        os << " pint utilisation=" << telemetry.pint.utilisation;
        break;
    case TelemetryKind::ICC:
        os << " icc switch=" << telemetry.icc.switchId << " port=" << telemetry.icc.port
           << " time=" << telemetry.icc.timeNs << " queue=" << telemetry.icc.queueBytes
           << " growth=" << telemetry.icc.queueRateMbps
           << " utilisation=" << telemetry.icc.utilisation << " flows=" << telemetry.icc.flows
           << " capacity=" << telemetry.icc.capacityMbps << " target=" << telemetry.icc.targetBytes;
        break;
    case TelemetryKind::RATE:
        os << " report rate=" << telemetry.rate.rateMbps
           << " congested=" << telemetry.rate.congested;
        break;
    case TelemetryKind::RECEIVER:
        os << " receiver qp=" << telemetry.receiver.queuePair;
        break;
    case TelemetryKind::MRC:
        PrintMrc(os, frame);
        break;
    }
}

void
PrintRoce(std::ostream& os, const Frame& frame)
{
    os << "RoCE " << ToString(frame.opcode) << " ";
    PrintIp(os, frame);
    if (frame.isSrv6)
    {
        os << " inside=";
        PrintAddress(os, frame, frame.innerDstHigh, frame.innerDst);
    }
    os << " qp=" << frame.destQp << " psn=" << frame.psn << " payload=" << frame.payloadBytes;
    if (frame.ackRequest)
    {
        os << " ackreq";
    }
    if (HasReth(frame.opcode))
    {
        os << " dma=" << frame.dmaBytes;
    }
    if (HasAeth(frame.opcode))
    {
        os << " syndrome=" << +frame.syndrome << " msn=" << frame.msn;
    }
    if (HasImmediate(frame.opcode))
    {
        os << " immediate=" << frame.immediate;
    }
    if (frame.sackPackets)
    {
        os << " sack=" << frame.sackFirst << "+" << frame.sackPackets;
    }
    if (frame.trim != Trim::NONE)
    {
        os << (frame.trim == Trim::LAST_HOP ? " trimmed=last-hop" : " trimmed=on-path");
    }
    PrintTelemetry(os, frame);
}

void
PrintPfc(std::ostream& os, const Frame& frame)
{
    os << "PFC";
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (frame.pfcEnable & (1U << cls))
        {
            os << " class" << cls << "=" << frame.pfcQuanta[cls];
        }
    }
}

} // namespace

const char*
ToString(RoceOpcode opcode)
{
    static const char* const NAMES[] = {
        "SEND_FIRST",
        "SEND_MIDDLE",
        "SEND_LAST",
        "SEND_LAST_IMM",
        "SEND_ONLY",
        "SEND_ONLY_IMM",
        "WRITE_FIRST",
        "WRITE_MIDDLE",
        "WRITE_LAST",
        "WRITE_LAST_IMM",
        "WRITE_ONLY",
        "WRITE_ONLY_IMM",
        "READ_REQUEST",
        "READ_RESPONSE_FIRST",
        "READ_RESPONSE_MIDDLE",
        "READ_RESPONSE_LAST",
        "READ_RESPONSE_ONLY",
        "ACKNOWLEDGE",
    };
    switch (opcode)
    {
    case RoceOpcode::CNP:
        return "CNP";
    case RoceOpcode::READ_ACKNOWLEDGE:
        return "READ_ACKNOWLEDGE";
    case RoceOpcode::LEAF_NOTE:
        return "LEAF_NOTE";
    case RoceOpcode::MRC_WRITE_FIRST:
        return "MRC_WRITE_FIRST";
    case RoceOpcode::MRC_WRITE_MIDDLE:
        return "MRC_WRITE_MIDDLE";
    case RoceOpcode::MRC_WRITE_LAST:
        return "MRC_WRITE_LAST";
    case RoceOpcode::MRC_WRITE_LAST_IMM:
        return "MRC_WRITE_LAST_IMM";
    case RoceOpcode::MRC_WRITE_ONLY:
        return "MRC_WRITE_ONLY";
    case RoceOpcode::MRC_WRITE_ONLY_IMM:
        return "MRC_WRITE_ONLY_IMM";
    case RoceOpcode::MRC_ACKNOWLEDGE:
        return "MRC_ACKNOWLEDGE";
    case RoceOpcode::MRC_ENDPOINT_REQUEST:
        return "MRC_ENDPOINT_REQUEST";
    case RoceOpcode::MRC_ENDPOINT_RESPONSE:
        return "MRC_ENDPOINT_RESPONSE";
    case RoceOpcode::MRC_SACK:
        return "MRC_SACK";
    case RoceOpcode::MRC_NACK:
        return "MRC_NACK";
    case RoceOpcode::MRC_PROBE:
        return "MRC_PROBE";
    default:
        break;
    }
    const auto index = static_cast<std::size_t>(opcode);
    return index < std::size(NAMES) ? NAMES[index] : "unknown";
}

std::ostream&
operator<<(std::ostream& os, const Frame& frame)
{
    switch (frame.kind)
    {
    case FrameKind::ROCE:
        PrintRoce(os, frame);
        break;
    case FrameKind::IP:
        os << "IP protocol=" << +frame.protocol << " ";
        PrintIp(os, frame);
        break;
    case FrameKind::PFC:
        PrintPfc(os, frame);
        break;
    case FrameKind::VXLAN:
        os << "VXLAN vni=" << frame.vni << " ";
        PrintIp(os, frame);
        os << " [" << *frame.inner << "]";
        break;
    }
    if (frame.tagged)
    {
        os << " pcp=" << +frame.pcp << " vlan=" << frame.vlan;
    }
    return os << " bytes=" << frame.bytes;
}

} // namespace ns3
