// SPDX-License-Identifier: GPL-2.0-only
#include "frame-parser.h"

#include "icrc.h"
#include "ip-checksum.h"
#include "ip-frame.h"
#include "ip-layout.h"
#include "mrc-layout.h"
#include "srv6-frame.h"
#include "telemetry-layout.h"
#include "vxlan-frame.h"

#include "ns3/crc32.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr std::size_t MAC_ADDRESSES = 12;
constexpr std::size_t BTH_BYTES = 12;

/// @return a number as a CRC is sent, least significant byte first
uint32_t
ReadCrc(const uint8_t* data)
{
    return data[0] | static_cast<uint32_t>(data[1]) << 8 | static_cast<uint32_t>(data[2]) << 16 |
           static_cast<uint32_t>(data[3]) << 24;
}

bool
IsKnown(uint8_t opcode)
{
    const auto op = static_cast<RoceOpcode>(opcode);
    return MrcHeaderBytes(op) > 0 || op == RoceOpcode::MRC_ACKNOWLEDGE ||
           opcode <= static_cast<uint8_t>(RoceOpcode::ACKNOWLEDGE) ||
           opcode == static_cast<uint8_t>(RoceOpcode::CNP) ||
           opcode == static_cast<uint8_t>(RoceOpcode::READ_ACKNOWLEDGE) ||
           opcode == static_cast<uint8_t>(RoceOpcode::LEAF_NOTE);
}

/// @return bytes of RETH, AETH and ImmDt
std::size_t
ExtensionBytes(RoceOpcode op)
{
    return (HasReth(op) ? 16 : 0) + (HasAeth(op) ? 4 : 0) + (HasImmediate(op) ? 4 : 0);
}

} // namespace

FrameParser::FrameParser(const uint8_t* data, std::size_t size, FrameCodec::Options options)
    : m_data(data),
      m_size(size),
      m_options(options)
{
}

bool
FrameParser::Fail(std::string reason)
{
    m_result.error = std::move(reason);
    return false;
}

FrameCodec::Result
FrameParser::Run()
{
    std::size_t shortest = ETHERNET_MIN_FRAME_BYTES - (m_options.appendFcs ? 0 : FCS_BYTES);
    if (m_size < shortest)
    {
        Fail("Ethernet: " + std::to_string(m_size) + " bytes, shortest is " +
             std::to_string(shortest));
        return m_result;
    }
    uint32_t frameBytes = static_cast<uint32_t>(m_size + (m_options.appendFcs ? 0 : FCS_BYTES));
    if (m_options.appendFcs)
    {
        m_size -= FCS_BYTES;
        if (ReadCrc(m_data + m_size) != CRC32Calculate(m_data, static_cast<int>(m_size)))
        {
            Fail("Ethernet: wrong FCS");
            return m_result;
        }
    }
    m_result.destination.CopyFrom(m_data);
    m_result.source.CopyFrom(m_data + 6);
    if (ReadEthernet())
    {
        m_result.frame->bytes = frameBytes;
        m_result.frame->tagged = m_tagged;
        m_result.frame->pcp = static_cast<uint8_t>(m_tag >> 13);
        m_result.frame->vlan = m_tag & 0xfff;
    }
    else if (m_result.frame)
    {
        m_result.frame->Release();
        m_result.frame = nullptr;
    }
    return m_result;
}

bool
FrameParser::ReadEthernet()
{
    // The shortest frame holds a tag and a type.
    std::size_t offset = MAC_ADDRESSES;
    uint16_t type = ReadU16(m_data + offset);
    if (type == ETHERTYPE_VLAN)
    {
        m_tagged = true;
        m_tag = ReadU16(m_data + offset + 2);
        offset += 4;
        type = ReadU16(m_data + offset);
    }
    offset += 2;
    switch (type)
    {
    case ETHERTYPE_IPV4:
    case ETHERTYPE_IPV6:
        return ReadIp(offset, type);
    case ETHERTYPE_MAC_CONTROL:
        return ReadPfc(offset);
    default:
        return Fail("Ethernet: unknown type " + std::to_string(type));
    }
}

bool
FrameParser::ReadPfc(std::size_t offset)
{
    if (m_tagged)
    {
        return Fail("MAC control: tagged");
    }
    if (m_result.destination != FrameCodec::PfcDestination())
    {
        return Fail("MAC control: wrong destination address");
    }
    if (ReadU16(m_data + offset) != PFC_OPCODE)
    {
        return Fail("MAC control: not a PFC frame");
    }
    if (m_data[offset + 2] != 0)
    {
        return Fail("PFC: high octet of the class-enable vector is not zero");
    }
    m_result.frame = new Frame;
    m_result.frame->kind = FrameKind::PFC;
    m_result.frame->pfcEnable = m_data[offset + 3];
    for (std::size_t i = 0; i < TRAFFIC_CLASSES; ++i)
    {
        m_result.frame->pfcQuanta[i] = ReadU16(m_data + offset + 4 + 2 * i);
    }
    return true;
}

std::size_t
FrameParser::IpBytes(std::size_t offset)
{
    const uint8_t* ip = m_data + offset;
    std::size_t available = m_size - offset;
    std::size_t header = IPV6_HEADER;
    std::size_t bytes = 0;
    if (IpVersion(ip) == 4)
    {
        header = Ipv4HeaderBytes(ip);
        bytes = ReadU16(ip + 2);
        if (header < IPV4_HEADER || header > available)
        {
            Fail("IPv4: header truncated");
            return 0;
        }
        if (InternetChecksum(ip, header) != 0)
        {
            Fail("IPv4: wrong header checksum");
            return 0;
        }
    }
    else
    {
        // The shortest frame holds 42 bytes behind a tag and a type.
        bytes = IPV6_HEADER + ReadU16(ip + 4);
    }
    if (bytes < header || bytes > available)
    {
        Fail("IP: length " + std::to_string(bytes) + " in " + std::to_string(available) + " bytes");
        return 0;
    }
    return bytes;
}

bool
FrameParser::ReadIp(std::size_t offset, uint16_t type)
{
    const uint8_t* ip = m_data + offset;
    if (IpVersion(ip) != (type == ETHERTYPE_IPV4 ? 4 : 6))
    {
        return Fail("IP: version does not match the Ethernet type");
    }
    std::size_t bytes = IpBytes(offset);
    if (bytes == 0)
    {
        return false;
    }
    auto packet = Create<Packet>(ip, static_cast<uint32_t>(bytes));
    m_result.frame = FrameFromIpPacket(packet, type);
    if (!m_result.frame)
    {
        return Fail("IP: bad header");
    }
    const Frame& frame = *m_result.frame;
    if (frame.protocol == PROTOCOL_UDP && frame.dstPort == ROCE_UDP_PORT)
    {
        return ReadRoce(ip, bytes);
    }
    if (frame.protocol == PROTOCOL_UDP && frame.dstPort == VXLAN_UDP_PORT && !m_isInner)
    {
        ReadVxlan(ip, bytes);
    }
    if (frame.protocol == PROTOCOL_IPV6 && frame.ipVersion == 6 && !m_isInner)
    {
        ReadSrv6(ip, bytes);
    }
    return true;
}

void
FrameParser::ReadSrv6(const uint8_t* ip, std::size_t bytes)
{
    constexpr uint32_t LABEL = 0xfffff;
    if (bytes < 2 * IPV6_HEADER || (ReadU32(ip) & LABEL) != 0)
    {
        return;
    }
    FrameParser parser(ip + IPV6_HEADER, bytes - IPV6_HEADER, {m_options.computeIcrc, false});
    parser.m_isInner = true;
    const bool isValid = parser.ReadIp(0, ETHERTYPE_IPV6);
    Frame*& outer = m_result.frame;
    Frame* inner = parser.m_result.frame;
    if (isValid && inner->kind == FrameKind::ROCE && inner->ttl == Frame::INITIAL_TTL &&
        inner->dscp == outer->dscp && inner->src == outer->src && inner->srcHigh == outer->srcHigh)
    {
        EnterSrv6(*inner, {outer->dstHigh[0], outer->dstHigh[1], outer->dstHigh[2], outer->dst});
        inner->ecn = outer->ecn;
        inner->ttl = outer->ttl;
        std::swap(inner, outer);
    }
    if (inner)
    {
        inner->Release();
    }
}

void
FrameParser::ReadVxlan(const uint8_t* ip, std::size_t bytes)
{
    Frame& frame = *m_result.frame;
    const std::size_t header = frame.ipVersion == 6 ? IPV6_HEADER : Ipv4HeaderBytes(ip);
    const std::size_t content = bytes - header;
    if (content < UDP_HEADER + VXLAN_HEADER || ReadU16(ip + header + 4) != content ||
        (ReadU16(ip + header + 6) != 0 && TransportChecksum(ip, bytes) != 0))
    {
        return;
    }
    const uint8_t* vxlan = ip + header + UDP_HEADER;
    if (ReadU32(vxlan) != VXLAN_FLAGS << 24 || vxlan[7] != 0)
    {
        return;
    }
    FrameParser parser(vxlan + VXLAN_HEADER,
                       content - UDP_HEADER - VXLAN_HEADER,
                       {m_options.computeIcrc, false});
    parser.m_isInner = true;
    Frame* const inner = parser.Run().frame;
    if (!inner)
    {
        return;
    }
    if (inner->kind == FrameKind::PFC || inner->tagged)
    {
        inner->Release();
        return;
    }
    frame.kind = FrameKind::VXLAN;
    frame.packet = nullptr;
    frame.inner = inner;
    frame.vni = ReadU32(vxlan + 4) >> 8;
}

bool
FrameParser::ReadRoce(const uint8_t* ip, std::size_t bytes)
{
    Frame& frame = *m_result.frame;
    std::size_t header = frame.ipVersion == 6 ? IPV6_HEADER : Ipv4HeaderBytes(ip);
    std::size_t content = bytes - header;
    if (content < UDP_HEADER + BTH_BYTES + ICRC_BYTES)
    {
        return Fail("RoCEv2: truncated");
    }
    if (ReadU16(ip + header + 4) != content)
    {
        return Fail("UDP: length does not match the IP header");
    }
    if (ReadU16(ip + header + 6) != 0 && TransportChecksum(ip, bytes) != 0)
    {
        return Fail("UDP: wrong checksum");
    }
    const uint8_t* const bth = ip + header + UDP_HEADER;
    const bool hasIcrc = !IsMrcWrite(static_cast<RoceOpcode>(bth[0])) || !(bth[4] & TRIM_MASK);
    std::size_t invariant = bytes - ICRC_BYTES;
    if (hasIcrc && m_options.computeIcrc && ReadCrc(ip + invariant) != Icrc(ip, invariant))
    {
        return Fail("RoCEv2: wrong ICRC");
    }
    frame.kind = FrameKind::ROCE;
    frame.packet = nullptr;
    frame.flowLabel = frame.ipVersion == 6 ? ReadU16(ip + 2) : 0;
    return ReadTransport(bth, content - UDP_HEADER - (hasIcrc ? ICRC_BYTES : 0));
}

bool
FrameParser::ReadBth(const uint8_t* bth)
{
    if (!IsKnown(bth[0]))
    {
        return Fail("BTH: unknown opcode " + std::to_string(bth[0]));
    }
    Frame& frame = *m_result.frame;
    frame.opcode = static_cast<RoceOpcode>(bth[0]);
    frame.becn = bth[4] & 0x40;
    frame.trim = static_cast<Trim>(bth[4] & TRIM_MASK);
    if (frame.trim > (CarriesData(frame.opcode) ? Trim::LAST_HOP : Trim::NONE))
    {
        return Fail("BTH: trimmed in a way that is not known, with opcode " +
                    std::to_string(bth[0]));
    }
    frame.destQp = ReadU32(bth + 4) & 0xffffff;
    frame.ackRequest = bth[8] & 0x80;
    frame.psn = ReadU32(bth + 8) & 0xffffff;
    if (IsMrc(frame.opcode))
    {
        const std::string wrong = ReadMrcFlags(frame, bth[8]);
        return wrong.empty() || Fail("MRC: " + wrong);
    }
    const bool sack = bth[8] & SACK_FLAG;
    if (sack && frame.opcode != RoceOpcode::ACKNOWLEDGE)
    {
        return Fail("BTH: a SACK with opcode " + std::to_string(bth[0]));
    }
    const uint8_t kind = bth[8] & 0x7f & ~SACK_FLAG;
    if (kind > static_cast<uint8_t>(TelemetryKind::RECEIVER))
    {
        return Fail("BTH: unknown telemetry kind " + std::to_string(kind));
    }
    frame.telemetryKind = static_cast<TelemetryKind>(kind);
    return true;
}

bool
FrameParser::ReadTransport(const uint8_t* bth, std::size_t bytes)
{
    if (!ReadBth(bth))
    {
        return false;
    }
    Frame& frame = *m_result.frame;
    if (IsMrc(frame.opcode))
    {
        return ReadMrcTransport(bth, bytes);
    }
    const bool sack = bth[8] & SACK_FLAG;
    std::size_t pad = bth[1] >> 4 & 3;
    std::size_t extension = ExtensionBytes(frame.opcode) + (sack ? SACK_BYTES : 0) +
                            (frame.opcode == RoceOpcode::CNP ? CNP_BYTES : 0);
    if (bytes < BTH_BYTES + extension + pad)
    {
        return Fail("BTH: extension headers truncated");
    }
    const std::size_t cnp = frame.opcode == RoceOpcode::CNP ? CNP_BYTES : 0;
    const std::size_t headers = BTH_BYTES + extension - cnp;
    const std::string wrong = ReadTelemetry(frame, bth + headers, bytes - headers - pad);
    if (!wrong.empty())
    {
        return Fail("telemetry: " + wrong);
    }
    extension += frame.GetTelemetryBytes();
    frame.payloadBytes = static_cast<uint32_t>(bytes - BTH_BYTES - extension - pad);
    if ((frame.payloadBytes + pad) % 4 != 0)
    {
        return Fail("BTH: pad count does not match the length");
    }
    return ReadExtensions(bth + BTH_BYTES, sack);
}

bool
FrameParser::ReadMrcTransport(const uint8_t* bth, std::size_t bytes)
{
    Frame& frame = *m_result.frame;
    const bool isCut = IsCutMrc(frame);
    const std::size_t pad = bth[1] >> 4 & 3;
    const std::size_t headers = BTH_BYTES + MrcBytes(frame);
    const std::size_t before = headers + (isCut ? 0 : ExtensionBytes(frame.opcode)) + pad;
    if (bytes < before)
    {
        return Fail("MRC: headers truncated");
    }
    frame.payloadBytes = static_cast<uint32_t>(bytes - before);
    if (frame.payloadBytes > 0 && (isCut || !CarriesData(frame.opcode)))
    {
        return Fail("MRC: payload where none may be");
    }
    if ((frame.payloadBytes + pad) % 4 != 0)
    {
        return Fail("MRC: pad count does not match the length");
    }
    const std::string wrong = ReadMrc(frame, bth + BTH_BYTES);
    if (!wrong.empty())
    {
        return Fail("MRC: " + wrong);
    }
    return isCut || ReadExtensions(bth + headers, false);
}

bool
FrameParser::ReadSackOctet(uint8_t octet)
{
    Trim& trim = m_result.frame->trim;
    if (octet & SACK_TRIMMED)
    {
        trim = octet & SACK_LAST_HOP ? Trim::LAST_HOP : Trim::ON_PATH;
    }
    const uint8_t known = SACK_TRIMMED | (octet & SACK_TRIMMED ? SACK_LAST_HOP : 0);
    return (octet & ~known) == 0 || Fail("BTH: unknown kind of SACK " + std::to_string(octet));
}

bool
FrameParser::ReadExtensions(const uint8_t* next, bool sack)
{
    Frame& frame = *m_result.frame;
    if (HasReth(frame.opcode))
    {
        frame.remoteAddress = static_cast<uint64_t>(ReadU32(next)) << 32 | ReadU32(next + 4);
        frame.remoteKey = ReadU32(next + 8);
        frame.dmaBytes = ReadU32(next + 12);
        next += 16;
    }
    if (HasAeth(frame.opcode))
    {
        frame.syndrome = next[0];
        frame.msn = ReadU32(next) & 0xffffff;
        next += 4;
    }
    if (HasImmediate(frame.opcode))
    {
        frame.immediate = ReadU32(next);
        next += 4;
    }
    if (sack)
    {
        frame.sackFirst = ReadU32(next) & 0xffffff;
        frame.sackPackets = ReadU32(next + 4);
        return ReadSackOctet(next[0]) && (frame.sackPackets > 0 || Fail("BTH: a SACK of nothing"));
    }
    return true;
}

} // namespace ns3
