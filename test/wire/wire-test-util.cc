// SPDX-License-Identifier: GPL-2.0-only
#include "wire-test-util.h"

#include "psn.h"

#include "ns3/frame-trim.h"
#include "ns3/ip-frame.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/srv6-frame.h"
#include "ns3/tcp-header.h"
#include "ns3/udp-header.h"
#include "ns3/vxlan-frame.h"

#include <algorithm>
#include <sstream>

using namespace ns3;

namespace wiretest
{

namespace
{

uint32_t
Draw(std::mt19937_64& random, uint32_t below)
{
    return static_cast<uint32_t>(random() % below);
}

/// Fields that stand in any IP header.
void
DrawIpFields(std::mt19937_64& random, Frame& frame)
{
    frame.ipVersion = Draw(random, 2) ? 6 : 4;
    frame.src = static_cast<uint32_t>(random());
    frame.dst = static_cast<uint32_t>(random());
    if (frame.ipVersion == 6)
    {
        frame.flowLabel = static_cast<uint16_t>(random());
        for (std::size_t i = 0; i < 3; ++i)
        {
            frame.srcHigh[i] = static_cast<uint32_t>(random());
            frame.dstHigh[i] = static_cast<uint32_t>(random());
        }
    }
    else
    {
        frame.ipId = static_cast<uint16_t>(random());
    }
    frame.dscp = static_cast<uint8_t>(Draw(random, 64));
    frame.ecn = static_cast<Ecn>(Draw(random, 4));
    frame.ttl = static_cast<uint8_t>(random());
}

void
DrawTag(std::mt19937_64& random, Frame& frame)
{
    frame.tagged = Draw(random, 2);
    if (frame.tagged)
    {
        frame.pcp = static_cast<uint8_t>(Draw(random, 8));
        frame.vlan = static_cast<uint16_t>(Draw(random, 4096));
    }
}

/// @return a packet with a transport header of the protocol, checksums off as is ns-3's default
Ptr<Packet>
MakeTransport(std::mt19937_64& random, uint8_t protocol)
{
    auto packet = Create<Packet>(Draw(random, 1400));
    if (protocol == 6)
    {
        TcpHeader header;
        header.SetSourcePort(static_cast<uint16_t>(random()));
        header.SetDestinationPort(static_cast<uint16_t>(random()));
        packet->AddHeader(header);
    }
    else if (protocol == 17)
    {
        UdpHeader header;
        header.SetSourcePort(static_cast<uint16_t>(random()));
        header.SetDestinationPort(static_cast<uint16_t>(Draw(random, ROCE_UDP_PORT)));
        packet->AddHeader(header);
    }
    return packet;
}

Ptr<Packet>
MakeIpv4(std::mt19937_64& random, uint8_t protocol)
{
    auto packet = MakeTransport(random, protocol);
    Ipv4Header header;
    header.SetSource(Ipv4Address(static_cast<uint32_t>(random())));
    header.SetDestination(Ipv4Address(static_cast<uint32_t>(random())));
    header.SetProtocol(protocol);
    header.SetTtl(static_cast<uint8_t>(random()));
    header.SetTos(static_cast<uint8_t>(random()));
    header.SetIdentification(static_cast<uint16_t>(random()));
    header.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    if (Draw(random, 4) == 0)
    {
        header.SetMoreFragments();
    }
    if (Draw(random, 4) == 0)
    {
        header.SetFragmentOffset(static_cast<uint16_t>(Draw(random, 100) * 8));
    }
    packet->AddHeader(header);
    return packet;
}

Ptr<Packet>
MakeIpv6(std::mt19937_64& random, uint8_t protocol)
{
    auto packet = MakeTransport(random, protocol);
    uint8_t octets[16];
    auto address = [&] {
        for (auto& octet : octets)
        {
            octet = static_cast<uint8_t>(random());
        }
        return Ipv6Address(octets);
    };
    Ipv6Header header;
    header.SetSource(address());
    header.SetDestination(address());
    header.SetNextHeader(protocol);
    header.SetHopLimit(static_cast<uint8_t>(random()));
    header.SetTrafficClass(static_cast<uint8_t>(random()));
    header.SetPayloadLength(static_cast<uint16_t>(packet->GetSize()));
    packet->AddHeader(header);
    return packet;
}

/// The packet of a frame of kind IP as hex, without the TTL and ECN of its header (the frame's own
/// count) and without the checksums, which the codec fills in.
std::string
PacketBytes(const Frame& frame)
{
    std::vector<uint8_t> bytes(frame.packet->GetSize());
    frame.packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    const bool v6 = frame.ipVersion == 6;
    const std::size_t transport = v6 ? 40 : (bytes[0] & 15) * 4;
    if (v6)
    {
        bytes[0] = bytes[7] = 0; // version, traffic class, hop limit: among the fields
        bytes[1] &= 0x0f;
    }
    else
    {
        bytes[1] = bytes[8] = bytes[10] = bytes[11] = 0;
    }
    const std::size_t checksum = transport + (frame.protocol == 6    ? 16
                                              : frame.protocol == 17 ? 6
                                                                     : 2);
    for (std::size_t i = checksum; i < checksum + 2 && i < bytes.size(); ++i)
    {
        bytes[i] = 0;
    }
    std::ostringstream os;
    for (uint8_t byte : bytes)
    {
        os << std::hex << +byte << ".";
    }
    return os.str();
}

/// Telemetry that a round trip must keep.
std::string
TelemetryFields(const Frame& frame)
{
    const FrameTelemetry& telemetry = frame.telemetry;
    std::ostringstream os;
    os << " telemetry " << static_cast<int>(frame.telemetryKind);
    switch (frame.telemetryKind)
    {
    case TelemetryKind::NONE:
        break;
    case TelemetryKind::DELAY:
        os << " " << telemetry.delay.sentTick << " " << telemetry.delay.endpointDelayNs << " "
           << +telemetry.delay.hops;
        break;
    case TelemetryKind::INT:
    case TelemetryKind::INT_GROWING: {
        const bool growing = frame.telemetryKind == TelemetryKind::INT_GROWING;
        os << " " << +telemetry.hops.hops << " " << telemetry.hops.pathId;
        for (uint32_t i = 0; i < IntTelemetry::MAX_HOPS && (!growing || i < telemetry.hops.hops);
             ++i)
        {
            os << " " << telemetry.hops.records[i];
        }
        break;
    }
    case TelemetryKind::PINT:
        os << " " << telemetry.pint.utilisation;
        break;
    case TelemetryKind::ICC: {
        const IccTelemetry& icc = telemetry.icc;
        os << " " << icc.timeNs << " " << icc.queueBytes << " " << icc.queueRateMbps << " "
           << icc.utilisation << " " << icc.flows << " " << icc.capacityMbps << " "
           << icc.targetBytes << " " << icc.switchId << " " << icc.port;
        break;
    }
    case TelemetryKind::RATE:
        os << " " << telemetry.rate.rateMbps << " " << telemetry.rate.congested;
        break;
    case TelemetryKind::RECEIVER:
        os << " " << telemetry.receiver.queuePair;
        break;
    case TelemetryKind::MRC: {
        const MrcHeader& mrc = telemetry.mrc;
        os << " stamped " << mrc.stamped << " coarse " << mrc.coarse << " repeated " << mrc.repeated
           << " time " << mrc.time << " msn " << mrc.msn << " rqmsn " << mrc.rqMsn << " contexts "
           << mrc.sourceContext << " " << mrc.destinationContext << " ev " << mrc.ev << " mark "
           << static_cast<int>(mrc.mark) << " pr " << mrc.answersProbe << " restore " << mrc.restore
           << " penalty " << +mrc.penalty << " window " << +mrc.window << " probe " << mrc.probe
           << " acked " << mrc.acked << " base " << mrc.base << " ooo " << mrc.outOfOrder
           << " received " << mrc.received << " bitmap " << mrc.bitmap << " reason "
           << static_cast<int>(mrc.reason) << " operation " << static_cast<int>(mrc.operation)
           << " ports " << mrc.ports;
        break;
    }
    }
    return os.str();
}

/// @return the headers of MRC that the opcode has, all their fields drawn; the others blank
MrcHeader
DrawMrc(std::mt19937_64& random, RoceOpcode opcode)
{
    const auto u16 = [&] { return static_cast<uint16_t>(random()); };
    const auto bit = [&] { return Draw(random, 2) != 0; };
    MrcHeader mrc;
    mrc.repeated = bit();
    if (IsMrcWrite(opcode))
    {
        mrc.stamped = bit();
        mrc.msn = u16();
        mrc.rqMsn = u16();
    }
    const bool isProbe = opcode == RoceOpcode::MRC_PROBE;
    const bool isSack = opcode == RoceOpcode::MRC_SACK;
    const bool isNack = opcode == RoceOpcode::MRC_NACK;
    if (mrc.stamped || isProbe || opcode == RoceOpcode::MRC_ENDPOINT_REQUEST)
    {
        mrc.coarse = bit();
    }
    if ((!IsMrcWrite(opcode) || mrc.stamped) && opcode != RoceOpcode::MRC_ACKNOWLEDGE)
    {
        mrc.time = u16();
    }
    if (isProbe || isSack || isNack)
    {
        mrc.sourceContext = u16();
        mrc.destinationContext = u16();
    }
    mrc.answersProbe = isSack && bit();
    mrc.probe = isProbe || mrc.answersProbe ? u16() : 0;
    mrc.ev = isSack || isNack ? static_cast<uint32_t>(random()) : 0;
    if (isSack)
    {
        mrc.mark = static_cast<MrcMark>(Draw(random, 3));
        mrc.restore = bit();
        mrc.penalty = static_cast<uint8_t>(Draw(random, 128));
        mrc.window = static_cast<uint8_t>(random());
        mrc.acked = static_cast<int16_t>(mrc.answersProbe ? 0 : u16());
        mrc.base = static_cast<int16_t>(u16());
        mrc.outOfOrder = static_cast<uint16_t>(Draw(random, 1 << 15));
        mrc.received = Draw(random, 1 << 24);
        mrc.bitmap = random();
    }
    if (isNack)
    {
        mrc.reason = static_cast<MrcReason>(random());
    }
    if (IsMrcEndpoint(opcode))
    {
        mrc.operation = bit() ? MrcOperation::EV_PROBE : MrcOperation::PORT_STATUS;
        mrc.ports =
            opcode == RoceOpcode::MRC_ENDPOINT_REQUEST ? static_cast<uint32_t>(random()) : 0;
    }
    return mrc;
}

} // namespace

void
DrawTelemetry(std::mt19937_64& random, Frame& frame, TelemetryKind kind)
{
    frame.telemetryKind = kind;
    FrameTelemetry& telemetry = frame.telemetry;
    const auto u32 = [&] { return static_cast<uint32_t>(random()); };
    const auto u16 = [&] { return static_cast<uint16_t>(random()); };
    switch (kind)
    {
    case TelemetryKind::NONE:
        break;
    case TelemetryKind::DELAY:
        telemetry.delay = {static_cast<int64_t>(random()), u32(), static_cast<uint8_t>(random())};
        break;
    case TelemetryKind::INT:
    case TelemetryKind::INT_GROWING:
        telemetry.hops = {static_cast<uint8_t>(Draw(random, 16)),
                          static_cast<uint16_t>(Draw(random, 4096)),
                          {}};
        for (auto& record : telemetry.hops.records)
        {
            record = random();
        }
        break;
    case TelemetryKind::PINT:
        telemetry.pint = {u16()};
        break;
    case TelemetryKind::ICC:
        telemetry.icc =
            {u32(), u32(), static_cast<int32_t>(u32()), u16(), u16(), u32(), u32(), u16(), u16()};
        break;
    case TelemetryKind::RATE:
        telemetry.rate = {u32(), Draw(random, 2) != 0};
        break;
    case TelemetryKind::RECEIVER:
        telemetry.receiver = {static_cast<uint32_t>(Draw(random, 1 << 24))};
        break;
    case TelemetryKind::MRC:
        telemetry.mrc = DrawMrc(random, frame.opcode);
        break;
    }
    frame.bytes = RoceFrameBytes(frame.opcode,
                                 frame.payloadBytes,
                                 frame.ipVersion,
                                 frame.tagged,
                                 frame.GetTelemetryBytes()) +
                  (frame.sackPackets ? SACK_BYTES : 0);
}

const std::vector<RoceOpcode>&
AllOpcodes()
{
    static const std::vector<RoceOpcode> opcodes = [] {
        std::vector<RoceOpcode> all;
        for (int op = 0; op <= static_cast<int>(RoceOpcode::ACKNOWLEDGE); ++op)
        {
            all.push_back(static_cast<RoceOpcode>(op));
        }
        all.push_back(RoceOpcode::CNP);
        all.push_back(RoceOpcode::READ_ACKNOWLEDGE);
        for (int op = static_cast<int>(RoceOpcode::MRC_WRITE_FIRST);
             op <= static_cast<int>(RoceOpcode::MRC_WRITE_ONLY_IMM);
             ++op)
        {
            all.push_back(static_cast<RoceOpcode>(op));
        }
        all.insert(all.end(),
                   {RoceOpcode::MRC_ACKNOWLEDGE,
                    RoceOpcode::MRC_ENDPOINT_REQUEST,
                    RoceOpcode::MRC_ENDPOINT_RESPONSE,
                    RoceOpcode::MRC_SACK,
                    RoceOpcode::MRC_NACK,
                    RoceOpcode::MRC_PROBE});
        return all;
    }();
    return opcodes;
}

FramePtr
RandomRoce(std::mt19937_64& random, RoceOpcode opcode)
{
    FramePtr frame(new Frame);
    DrawIpFields(random, *frame);
    DrawTag(random, *frame);
    frame->srcPort = static_cast<uint16_t>(random());
    frame->dstPort = ROCE_UDP_PORT;
    frame->opcode = opcode;
    frame->psn = random();
    frame->destQp = Draw(random, 1 << 24);
    frame->becn = Draw(random, 2);
    frame->ackRequest = Draw(random, 2);
    if (CarriesData(opcode))
    {
        const uint32_t sizes[] = {0, 1, 2, 3, 4, 255, 1000, 1024, 4096};
        frame->payloadBytes = Draw(random, 2) ? sizes[Draw(random, 9)] : Draw(random, 4097);
    }
    if (CarriesData(opcode) && !IsMrc(opcode) && Draw(random, 4) == 0)
    {
        frame->trim = static_cast<Trim>(1 + Draw(random, 2));
    }
    if (HasReth(opcode))
    {
        frame->remoteAddress = random();
        frame->remoteKey = static_cast<uint32_t>(random());
        frame->dmaBytes = random();
    }
    if (HasAeth(opcode))
    {
        frame->syndrome = static_cast<uint8_t>(random());
        frame->msn = Draw(random, 1 << 24);
    }
    if (HasImmediate(opcode))
    {
        frame->immediate = static_cast<uint32_t>(random());
    }
    if (opcode == RoceOpcode::ACKNOWLEDGE && Draw(random, 2))
    {
        frame->sackFirst = Draw(random, 1 << 24);
        frame->sackPackets = 1 + Draw(random, 1 << 20);
        frame->trim = static_cast<Trim>(Draw(random, 3));
    }
    const auto kind = static_cast<TelemetryKind>(Draw(random, 6)); // all but those of CNPs
    const bool report = opcode == RoceOpcode::CNP && Draw(random, 2);
    DrawTelemetry(random,
                  *frame,
                  IsMrc(opcode)               ? TelemetryKind::MRC
                  : report                    ? TelemetryKind::RATE
                  : opcode == RoceOpcode::CNP ? TelemetryKind::NONE
                                              : kind);
    if (IsMrc(opcode) && IsTrimmable(*frame) && Draw(random, 4) == 0)
    {
        TrimFrame(*frame, LEAST_TRIM_BYTES, static_cast<Trim>(1 + Draw(random, 2)));
        frame->remoteAddress = frame->remoteKey = frame->immediate = 0; // cut, too
        frame->dmaBytes = 0;
    }
    return frame;
}

FramePtr
RandomPfc(std::mt19937_64& random)
{
    FramePtr frame(new Frame);
    frame->kind = FrameKind::PFC;
    frame->bytes = ETHERNET_MIN_FRAME_BYTES;
    frame->pfcEnable = static_cast<uint8_t>(random());
    for (auto& quanta : frame->pfcQuanta)
    {
        quanta = static_cast<uint16_t>(random());
    }
    return frame;
}

FramePtr
RandomIp(std::mt19937_64& random)
{
    const uint8_t protocols[] = {6, 17, 1, 58, 89};
    const uint8_t protocol = protocols[Draw(random, 5)];
    FramePtr frame(Draw(random, 2) ? FrameFromIpPacket(MakeIpv4(random, protocol), 0x0800)
                                   : FrameFromIpPacket(MakeIpv6(random, protocol), 0x86dd));
    DrawTag(random, *frame);
    const uint32_t size =
        ETHERNET_OVERHEAD_BYTES + (frame->tagged ? 4 : 0) + frame->packet->GetSize();
    frame->bytes = std::max(ETHERNET_MIN_FRAME_BYTES, size);
    // What switches on the way did.
    frame->ttl = static_cast<uint8_t>(random());
    frame->ecn = static_cast<Ecn>(Draw(random, 4));
    return frame;
}

FramePtr
RandomVxlan(std::mt19937_64& random)
{
    const auto opcode = AllOpcodes()[Draw(random, AllOpcodes().size())];
    FramePtr frame = Draw(random, 2) ? RandomIp(random) : RandomRoce(random, opcode);
    VxlanTunnel tunnel;
    tunnel.vni = Draw(random, 1 << 24);
    tunnel.source = static_cast<uint32_t>(random());
    tunnel.destination = static_cast<uint32_t>(random());
    if (Draw(random, 2))
    {
        tunnel.ipVersion = 6;
        tunnel.addressHigh = {Draw(random, 1 << 30), 0, Draw(random, 1 << 30)};
    }
    EnterTunnel(*frame, tunnel);
    // What switches on the way did.
    frame->ttl = static_cast<uint8_t>(random());
    frame->ecn = static_cast<Ecn>(Draw(random, 4));
    frame->dscp = static_cast<uint8_t>(Draw(random, 64));
    return frame;
}

/// @return the packet, half of the time in SRv6 if it is over IPv6, somewhere on its way
FramePtr
RandomSrv6(std::mt19937_64& random, FramePtr frame)
{
    if (frame->ipVersion == 6 && Draw(random, 2))
    {
        const auto word = [&random] { return static_cast<uint32_t>(random()); };
        EnterSrv6(*frame, {word(), word(), word(), word()});
        frame->ecn = static_cast<Ecn>(Draw(random, 4));
    }
    return frame;
}

FramePtr
RandomFrame(std::mt19937_64& random)
{
    switch (Draw(random, 9))
    {
    case 8:
        return RandomVxlan(random);
    case 0:
        return RandomPfc(random);
    case 1:
    case 2:
        return RandomIp(random);
    default:
        return RandomSrv6(random,
                          RandomRoce(random, AllOpcodes()[Draw(random, AllOpcodes().size())]));
    }
}

std::string
WireFields(const Frame& frame)
{
    std::ostringstream os;
    os << "kind " << +static_cast<uint8_t>(frame.kind) << " bytes " << frame.bytes << " tagged "
       << frame.tagged << " pcp " << +frame.pcp << " vlan " << frame.vlan;
    if (frame.kind == FrameKind::PFC)
    {
        os << " enable " << +frame.pfcEnable << " quanta";
        for (uint16_t quanta : frame.pfcQuanta)
        {
            os << " " << quanta;
        }
        return os.str();
    }
    os << std::hex << " ip " << +frame.ipVersion << " src " << frame.src << " dst " << frame.dst;
    for (std::size_t i = 0; i < 3; ++i)
    {
        os << " " << frame.srcHigh[i] << ":" << frame.dstHigh[i];
    }
    os << std::dec << " ports " << frame.srcPort << " " << frame.dstPort << " ecn "
       << +static_cast<uint8_t>(frame.ecn) << " dscp " << +frame.dscp << " ttl " << +frame.ttl
       << " protocol " << +frame.protocol << " id " << frame.ipId << " label " << frame.flowLabel;
    if (frame.isSrv6)
    {
        os << " inside " << frame.innerDstHigh[0] << ":" << frame.innerDstHigh[1] << ":"
           << frame.innerDstHigh[2] << ":" << frame.innerDst << " ecn "
           << +static_cast<uint8_t>(frame.innerEcn);
    }
    if (frame.kind == FrameKind::VXLAN)
    {
        os << " vni " << frame.vni << " inner [" << WireFields(*frame.inner) << "]";
        return os.str();
    }
    if (frame.kind == FrameKind::IP)
    {
        os << " packet " << PacketBytes(frame);
        return os.str();
    }
    os << " opcode " << +static_cast<uint8_t>(frame.opcode) << " psn " << Psn::Truncate(frame.psn)
       << " qp " << frame.destQp << " payload " << frame.payloadBytes << " ackreq "
       << frame.ackRequest << " becn " << frame.becn << " syndrome " << +frame.syndrome << " msn "
       << frame.msn << " imm " << frame.immediate << " va " << frame.remoteAddress << " dma "
       << static_cast<uint32_t>(frame.dmaBytes) << " rkey " << frame.remoteKey << " sack "
       << frame.sackFirst << "+" << frame.sackPackets << " trim "
       << +static_cast<uint8_t>(frame.trim) << TelemetryFields(frame);
    return os.str();
}

} // namespace wiretest
