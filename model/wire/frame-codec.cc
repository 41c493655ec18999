// SPDX-License-Identifier: GPL-2.0-only
#include "frame-codec.h"

#include "frame-parser.h"
#include "icrc.h"
#include "ip-checksum.h"
#include "ip-frame.h"
#include "ip-layout.h"
#include "mrc-layout.h"
#include "psn.h"
#include "telemetry-layout.h"
#include "vxlan-frame.h"

#include "ns3/assert.h"
#include "ns3/crc32.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Appends numbers in network order.
class Writer
{
  public:
    explicit Writer(std::size_t expected)
    {
        m_bytes.reserve(expected);
    }

    void U8(uint8_t value)
    {
        m_bytes.push_back(value);
    }

    void U16(uint16_t value)
    {
        U8(static_cast<uint8_t>(value >> 8));
        U8(static_cast<uint8_t>(value));
    }

    void U32(uint32_t value)
    {
        U16(static_cast<uint16_t>(value >> 16));
        U16(static_cast<uint16_t>(value));
    }

    void U64(uint64_t value)
    {
        U32(static_cast<uint32_t>(value >> 32));
        U32(static_cast<uint32_t>(value));
    }

    /// Least significant byte first: how Ethernet sends a CRC.
    void Crc(uint32_t value)
    {
        for (int shift = 0; shift < 32; shift += 8)
        {
            U8(static_cast<uint8_t>(value >> shift));
        }
    }

    void Mac(Mac48Address address)
    {
        uint8_t octets[6];
        address.CopyTo(octets);
        m_bytes.insert(m_bytes.end(), octets, octets + 6);
    }

    void Bytes(const std::vector<uint8_t>& bytes)
    {
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    }

    void Zeros(std::size_t count)
    {
        m_bytes.resize(m_bytes.size() + count);
    }

    void PadTo(std::size_t size)
    {
        m_bytes.resize(std::max(m_bytes.size(), size));
    }

    std::size_t Size() const
    {
        return m_bytes.size();
    }

    /// @return bytes from an offset on, valid until something is appended
    uint8_t* At(std::size_t offset)
    {
        return m_bytes.data() + offset;
    }

    std::vector<uint8_t> Take()
    {
        return std::move(m_bytes);
    }

  private:
    std::vector<uint8_t> m_bytes;
};

/// EtherType and, before it, the tag.
void
WriteType(Writer& out, const Frame& frame, uint16_t type)
{
    if (frame.tagged)
    {
        out.U16(ETHERTYPE_VLAN);
        out.U16(static_cast<uint16_t>((frame.pcp & 7) << 13 | (frame.vlan & 0xfff)));
    }
    out.U16(type);
}

void
WriteIpv4Header(Writer& out, const Frame& frame, std::size_t content)
{
    NS_ASSERT_MSG(content <= 0xffff - IPV4_HEADER, "IPv4 packet too long");
    std::size_t start = out.Size();
    out.U8(0x45);
    out.U8(TrafficClassOctet(frame));
    out.U16(static_cast<uint16_t>(IPV4_HEADER + content));
    out.U16(frame.ipId);
    out.U16(0x4000); // don't fragment
    out.U8(frame.ttl);
    out.U8(PROTOCOL_UDP);
    out.U16(0);
    out.U32(frame.src);
    out.U32(frame.dst);
    SetIpv4Checksum(out.At(start));
}

/// What IPv6 headers of a frame differ in.
struct Ipv6Fields
{
    uint8_t trafficClass;
    uint16_t flowLabel;
    uint8_t protocol;
    uint8_t hopLimit;
    const std::array<uint32_t, 3>& dstHigh;
    uint32_t dst;
};

void
WriteIpv6Header(Writer& out, const Frame& frame, const Ipv6Fields& fields, std::size_t content)
{
    NS_ASSERT_MSG(content <= 0xffff, "IPv6 packet too long");
    out.U32(6U << 28 | uint32_t{fields.trafficClass} << 20 | fields.flowLabel);
    out.U16(static_cast<uint16_t>(content));
    out.U8(fields.protocol);
    out.U8(fields.hopLimit);
    std::for_each(frame.srcHigh.begin(), frame.srcHigh.end(), [&](uint32_t w) { out.U32(w); });
    out.U32(frame.src);
    std::for_each(fields.dstHigh.begin(), fields.dstHigh.end(), [&](uint32_t w) { out.U32(w); });
    out.U32(fields.dst);
}

/// The IPv6 header of a frame that is not in SRv6.
void
WriteIpv6Header(Writer& out, const Frame& frame, std::size_t content)
{
    const uint8_t octet = TrafficClassOctet(frame);
    WriteIpv6Header(out,
                    frame,
                    {octet, frame.flowLabel, PROTOCOL_UDP, frame.ttl, frame.dstHigh, frame.dst},
                    content);
}

/// The outer header of a frame in SRv6. @param content bytes behind the inner header
void
WriteOuterHeader(Writer& out, const Frame& frame, std::size_t content)
{
    const uint8_t octet = TrafficClassOctet(frame);
    WriteIpv6Header(out,
                    frame,
                    {octet, 0, PROTOCOL_IPV6, frame.ttl, frame.dstHigh, frame.dst},
                    IPV6_HEADER + content);
}

/// The inner one, likewise.
void
WriteInnerHeader(Writer& out, const Frame& frame, std::size_t content)
{
    const auto octet = static_cast<uint8_t>(frame.dscp << 2 | static_cast<uint8_t>(frame.innerEcn));
    WriteIpv6Header(out,
                    frame,
                    {octet,
                     frame.flowLabel,
                     PROTOCOL_UDP,
                     Frame::INITIAL_TTL,
                     frame.innerDstHigh,
                     frame.innerDst},
                    content);
}

/// @return first octet of the SACK of a NAK
uint8_t
SackOctet(Trim trim)
{
    return trim == Trim::NONE       ? 0
           : trim == Trim::LAST_HOP ? SACK_TRIMMED | SACK_LAST_HOP
                                    : SACK_TRIMMED;
}

/// @return octet 8 of the BTH
uint8_t
FlagsOctet(const Frame& frame)
{
    const auto kind =
        IsMrc(frame.opcode) ? MrcFlags(frame) : static_cast<uint8_t>(frame.telemetryKind);
    return (frame.ackRequest ? 0x80 : 0) | (frame.sackPackets > 0 ? SACK_FLAG : 0) | kind;
}

/// BTH, extension headers, telemetry, payload and pad.
void
WriteTransport(Writer& out, const Frame& frame)
{
    NS_ASSERT_MSG(TelemetryFits(frame), "telemetry that this opcode cannot carry");
    const bool cnp = frame.opcode == RoceOpcode::CNP;
    uint32_t pad = -frame.payloadBytes & 3U;
    out.U8(static_cast<uint8_t>(frame.opcode));
    out.U8(static_cast<uint8_t>(0x40 | pad << 4)); // MigReq is 1, as NICs send it
    out.U16(0xffff);
    const bool trimmed = CarriesData(frame.opcode) && frame.trim != Trim::NONE;
    out.U8((frame.becn ? 0x40 : 0) | (trimmed ? static_cast<uint8_t>(frame.trim) : 0));
    out.U8(static_cast<uint8_t>(frame.destQp >> 16));
    out.U16(static_cast<uint16_t>(frame.destQp));
    const bool sack = frame.sackPackets > 0;
    NS_ASSERT_MSG(!sack || frame.opcode == RoceOpcode::ACKNOWLEDGE, "a SACK outside of a NAK");
    out.U32(static_cast<uint32_t>(FlagsOctet(frame)) << 24 | Psn::Truncate(frame.psn));
    const bool isMrc = IsMrc(frame.opcode);
    if (isMrc)
    {
        const std::size_t headers = out.Size();
        out.Zeros(MrcBytes(frame));
        WriteMrc(frame, out.At(headers));
    }
    if (IsCutMrc(frame))
    {
        return;
    }
    if (HasReth(frame.opcode))
    {
        out.U64(frame.remoteAddress);
        out.U32(frame.remoteKey);
        out.U32(static_cast<uint32_t>(frame.dmaBytes));
    }
    if (HasAeth(frame.opcode))
    {
        out.U32(static_cast<uint32_t>(frame.syndrome) << 24 | (frame.msn & 0xffffff));
    }
    if (HasImmediate(frame.opcode))
    {
        out.U32(frame.immediate);
    }
    if (sack)
    {
        out.U32(static_cast<uint32_t>(SackOctet(frame.trim)) << 24 | (frame.sackFirst & 0xffffff));
        out.U32(frame.sackPackets);
    }
    const std::size_t telemetry = out.Size();
    out.Zeros((isMrc ? 0 : frame.GetTelemetryBytes()) + frame.payloadBytes + pad +
              (cnp ? CNP_BYTES : 0));
    WriteTelemetry(frame, out.At(telemetry));
}

/// @return bytes from the BTH to the ICRC
std::size_t
TransportBytes(const Frame& frame)
{
    constexpr std::size_t BTH = 12;
    if (IsCutMrc(frame))
    {
        return BTH + MrcBytes(frame);
    }
    return BTH + MrcHeaderBytes(frame.opcode) + (HasReth(frame.opcode) ? 16 : 0) +
           (HasAeth(frame.opcode) ? 4 : 0) + (HasImmediate(frame.opcode) ? 4 : 0) +
           (frame.sackPackets ? SACK_BYTES : 0) + frame.GetTelemetryBytes() +
           (frame.payloadBytes + 3) / 4 * 4 + (frame.opcode == RoceOpcode::CNP ? CNP_BYTES : 0) +
           ICRC_BYTES;
}

void
WriteRoce(Writer& out, const Frame& frame, bool computeIcrc)
{
    bool v6 = frame.ipVersion == 6;
    std::size_t datagram = UDP_HEADER + TransportBytes(frame);
    WriteType(out, frame, v6 ? ETHERTYPE_IPV6 : ETHERTYPE_IPV4);
    if (frame.isSrv6)
    {
        WriteOuterHeader(out, frame, datagram);
    }
    std::size_t ip = out.Size();
    frame.isSrv6 ? WriteInnerHeader(out, frame, datagram)
    : v6         ? WriteIpv6Header(out, frame, datagram)
                 : WriteIpv4Header(out, frame, datagram);
    std::size_t udp = out.Size();
    out.U16(frame.srcPort);
    out.U16(ROCE_UDP_PORT);
    out.U16(static_cast<uint16_t>(datagram));
    out.U16(0);
    WriteTransport(out, frame);
    if (!IsCutMrc(frame))
    {
        out.Crc(computeIcrc ? Icrc(out.At(ip), out.Size() - ip) : 0);
    }
    NS_ASSERT(out.Size() - udp == datagram);
    if (v6)
    {
        // Over IPv6 zero is illegal without a special agreement (RFC 6935), and readers say so.
        FillTransportChecksum(out.At(ip), out.Size() - ip);
    }
}

void
WriteStock(Writer& out, const Frame& frame)
{
    bool v6 = frame.ipVersion == 6;
    NS_ASSERT_MSG(frame.packet && frame.packet->GetSize() >= (v6 ? IPV6_HEADER : IPV4_HEADER),
                  "a frame of kind IP holds a packet with its IP header");
    WriteType(out, frame, v6 ? ETHERTYPE_IPV6 : ETHERTYPE_IPV4);
    std::size_t start = out.Size();
    uint32_t size = frame.packet->GetSize();
    out.Zeros(size);
    uint8_t* ip = out.At(start);
    frame.packet->CopyData(ip, size);
    uint8_t octet = TrafficClassOctet(frame);
    if (v6)
    {
        ip[0] = static_cast<uint8_t>((ip[0] & 0xf0) | octet >> 4);
        ip[1] = static_cast<uint8_t>((ip[1] & 0x0f) | octet << 4);
        ip[7] = frame.ttl;
    }
    else
    {
        ip[1] = octet;
        ip[8] = frame.ttl;
        SetIpv4Checksum(ip);
    }
    FillTransportChecksum(ip, size);
}

/// The MAC address of an inner frame, which a Frame does not hold: locally administered, made of
/// the IP address. @param address IPv4 address or last 32 bits of the IPv6 address @return the MAC
/// address
Mac48Address
InnerMac(uint32_t address)
{
    const uint8_t octets[] = {0x02,
                              0x00,
                              static_cast<uint8_t>(address >> 24),
                              static_cast<uint8_t>(address >> 16),
                              static_cast<uint8_t>(address >> 8),
                              static_cast<uint8_t>(address)};
    Mac48Address mac;
    mac.CopyFrom(octets);
    return mac;
}

/// RFC 7348: outer IP and UDP, VXLAN header, inner Ethernet frame without FCS.
void
WriteVxlan(Writer& out, const Frame& frame, bool computeIcrc)
{
    NS_ASSERT_MSG(frame.inner, "a frame of kind VXLAN holds the frame in the tunnel");
    const Frame& inner = *frame.inner;
    const std::vector<uint8_t> content = FrameCodec::Serialise(inner,
                                                               InnerMac(inner.src),
                                                               InnerMac(inner.dst),
                                                               {computeIcrc, false});
    const bool v6 = frame.ipVersion == 6;
    const std::size_t datagram = UDP_HEADER + VXLAN_HEADER + content.size();
    WriteType(out, frame, v6 ? ETHERTYPE_IPV6 : ETHERTYPE_IPV4);
    const std::size_t ip = out.Size();
    v6 ? WriteIpv6Header(out, frame, datagram) : WriteIpv4Header(out, frame, datagram);
    out.U16(frame.srcPort);
    out.U16(VXLAN_UDP_PORT);
    out.U16(static_cast<uint16_t>(datagram));
    out.U16(0);
    out.U32(VXLAN_FLAGS << 24);
    out.U32(frame.vni << 8);
    out.Bytes(content);
    if (v6)
    {
        FillTransportChecksum(out.At(ip), out.Size() - ip);
    }
}

void
WritePfc(Writer& out, const Frame& frame)
{
    out.U16(ETHERTYPE_MAC_CONTROL); // never tagged
    out.U16(PFC_OPCODE);
    out.U16(frame.pfcEnable);
    std::for_each(frame.pfcQuanta.begin(), frame.pfcQuanta.end(), [&](uint16_t q) { out.U16(q); });
}

} // namespace

std::vector<uint8_t>
FrameCodec::Serialise(const Frame& frame,
                      Mac48Address source,
                      Mac48Address destination,
                      Options options)
{
    Writer out(frame.bytes);
    out.Mac(frame.kind == FrameKind::PFC ? PfcDestination() : destination);
    out.Mac(source);
    switch (frame.kind)
    {
    case FrameKind::ROCE:
        WriteRoce(out, frame, options.computeIcrc);
        break;
    case FrameKind::IP:
        WriteStock(out, frame);
        break;
    case FrameKind::PFC:
        WritePfc(out, frame);
        break;
    case FrameKind::VXLAN:
        WriteVxlan(out, frame, options.computeIcrc);
        break;
    }
    out.PadTo(ETHERNET_MIN_FRAME_BYTES - FCS_BYTES);
    if (options.appendFcs)
    {
        out.Crc(CRC32Calculate(out.At(0), static_cast<int>(out.Size())));
    }
    return out.Take();
}

Ptr<Packet>
FrameCodec::ToPacket(const Frame& frame,
                     Mac48Address source,
                     Mac48Address destination,
                     Options options)
{
    std::vector<uint8_t> bytes = Serialise(frame, source, destination, options);
    return Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

FrameCodec::Result
FrameCodec::Parse(const uint8_t* data, std::size_t size, Options options)
{
    return FrameParser(data, size, options).Run();
}

Mac48Address
FrameCodec::PfcDestination()
{
    return Mac48Address("01:80:c2:00:00:01");
}

} // namespace ns3
