// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-connection.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// RNR timer codes in units of 10 us (InfiniBand architecture table 45).
constexpr std::array<uint32_t, 32> RNR_TEN_MICROSECONDS{
    65536, 1,    2,    3,    4,    6,     8,     12,    16,    24,   32,
    48,    64,   96,   128,  192,  256,   384,   512,   768,   1024, 1536,
    2048,  3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};

constexpr int64_t NANOSECONDS_PER_UNIT = 10000;

} // namespace

RdmaMarking
RdmaMarking::FromMap(const TrafficClassMap& map, uint8_t cls)
{
    RdmaMarking marking;
    marking.trafficClass = map.QueueOf(cls);
    marking.sentClass = cls;
    marking.dscp = map.DscpOfClass(cls);
    marking.tagged = map.GetTrust() == TrafficClassMap::DOT1P;
    marking.pcp = map.PcpOfClass(cls);
    return marking;
}

void
RdmaConnection::Address(Frame& frame, RoceOpcode opcode, const RdmaMarking& marking) const
{
    frame.kind = FrameKind::ROCE;
    const bool growing = frame.telemetryKind == TelemetryKind::INT_GROWING;
    frame.bytes = FrameBytes(opcode,
                             frame.payloadBytes,
                             marking,
                             frame.telemetryKind,
                             growing ? frame.telemetry.hops.hops : 0);
    frame.gapBytes = GapBytes(format);
    frame.src = local.low;
    frame.dst = remote.low;
    frame.srcPort = udpPort;
    frame.dstPort = ROCE_UDP_PORT;
    frame.trafficClass = marking.trafficClass;
    frame.ecn = format == FRAMES_HPCC ? Ecn::ECT0 : Ecn::NOT_ECT;
    frame.ttl = initialTtl;
    frame.ipVersion = local.ipVersion;
    frame.destQp = remoteQp;
    frame.opcode = opcode;
    frame.ackRequest = false;
    frame.trim = Trim::NONE;
    frame.dscp = marking.dscp;
    frame.tagged = marking.tagged;
    frame.pcp = marking.pcp;
    frame.sentClass = marking.sentClass;
    if (local.ipVersion == 6)
    {
        frame.srcHigh = local.high;
        frame.dstHigh = remote.high;
    }
}

void
RdmaConnection::StartTelemetry(Frame& frame, TelemetryKind kind, int64_t now)
{
    frame.telemetryKind = kind;
    switch (kind)
    {
    case TelemetryKind::DELAY:
        frame.telemetry.delay = {now, 0, 0};
        break;
    case TelemetryKind::INT:
    case TelemetryKind::INT_GROWING:
        frame.telemetry.hops = {};
        break;
    case TelemetryKind::PINT:
        frame.telemetry.pint = {};
        break;
    case TelemetryKind::ICC:
        frame.telemetry.icc = {};
        break;
    case TelemetryKind::NONE:
    case TelemetryKind::RATE:
    case TelemetryKind::RECEIVER:
    case TelemetryKind::MRC:
        break;
    }
}

uint16_t
RdmaConnection::UdpPort(uint32_t oneQp, uint32_t otherQp)
{
    uint32_t low = std::min(oneQp, otherQp);
    uint32_t high = std::max(oneQp, otherQp);
    uint32_t hash = low * 0x9e3779b1U ^ high * 0x85ebca6bU;
    hash ^= hash >> 15;
    hash *= 0xc2b2ae35U;
    hash ^= hash >> 14;
    return 0xc000 | (hash & 0x3fff);
}

int64_t
RdmaConnection::RnrNanoSeconds(uint8_t code)
{
    return RNR_TEN_MICROSECONDS[code & 31] * NANOSECONDS_PER_UNIT;
}

uint8_t
RdmaConnection::RnrCode(int64_t nanoSeconds)
{
    for (uint8_t code = 1; code < 32; code++)
    {
        if (RnrNanoSeconds(code) >= nanoSeconds)
        {
            return code;
        }
    }
    return 0; // the longest
}

} // namespace ns3
