// SPDX-License-Identifier: GPL-2.0-only
#include "ip-frame.h"

#include "ip-layout.h"

#include "ns3/assert.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/node.h"

#include <algorithm>
#include <array>

namespace ns3
{

namespace
{

/// The longest IP header, and the ports behind it.
using HeaderBytes = std::array<uint8_t, IPV4_HEADER_MAX + 4>;

void
SetTrafficClassOctet(Frame& frame, uint8_t octet)
{
    frame.dscp = octet >> 2;
    frame.ecn = static_cast<Ecn>(octet & 3);
}

/// @param transport the transport header, of which `available` bytes are there
void
ReadPorts(Frame& frame, const uint8_t* transport, std::size_t available)
{
    bool hasPorts = frame.protocol == PROTOCOL_TCP || frame.protocol == PROTOCOL_UDP;
    if (hasPorts && available >= 4)
    {
        frame.srcPort = ReadU16(transport);
        frame.dstPort = ReadU16(transport + 2);
    }
}

/// @return whether the header is a whole IPv4 header
bool
ReadIpv4(Frame& frame, const uint8_t* header, std::size_t size)
{
    if (size < IPV4_HEADER || IpVersion(header) != 4 || Ipv4HeaderBytes(header) < IPV4_HEADER ||
        Ipv4HeaderBytes(header) > size)
    {
        return false;
    }
    frame.ipVersion = 4;
    SetTrafficClassOctet(frame, header[1]);
    frame.ipId = ReadU16(header + 4);
    frame.ttl = header[8];
    frame.protocol = header[9];
    frame.src = ReadU32(header + 12);
    frame.dst = ReadU32(header + 16);
    if (!Ipv4IsFragment(header))
    {
        ReadPorts(frame, header + Ipv4HeaderBytes(header), size - Ipv4HeaderBytes(header));
    }
    return true;
}

/// @return whether the header is a whole IPv6 header
bool
ReadIpv6(Frame& frame, const uint8_t* header, std::size_t size)
{
    if (size < IPV6_HEADER || IpVersion(header) != 6)
    {
        return false;
    }
    frame.ipVersion = 6;
    SetTrafficClassOctet(frame, static_cast<uint8_t>(header[0] << 4 | header[1] >> 4));
    frame.protocol = header[6];
    frame.ttl = header[7];
    for (std::size_t i = 0; i < 3; ++i)
    {
        frame.srcHigh[i] = ReadU32(header + 8 + 4 * i);
        frame.dstHigh[i] = ReadU32(header + 24 + 4 * i);
    }
    frame.src = ReadU32(header + 20);
    frame.dst = ReadU32(header + 36);
    ReadPorts(frame, header + IPV6_HEADER, size - IPV6_HEADER);
    return true;
}

void
RewriteIpv4(Packet& packet, const Frame& frame, bool hadChecksum)
{
    Ipv4Header header;
    packet.RemoveHeader(header);
    header.SetTos(TrafficClassOctet(frame));
    header.SetTtl(frame.ttl);
    if (hadChecksum || Node::ChecksumEnabled())
    {
        header.EnableChecksum();
    }
    packet.AddHeader(header);
}

void
RewriteIpv6(Packet& packet, const Frame& frame)
{
    Ipv6Header header;
    packet.RemoveHeader(header);
    header.SetTrafficClass(TrafficClassOctet(frame));
    header.SetHopLimit(frame.ttl);
    packet.AddHeader(header);
}

} // namespace

Frame*
FrameFromIpPacket(Ptr<Packet> packet, uint16_t protocolNumber)
{
    // Plain bytes: peeking at typed headers costs several times as much, and this is once a packet.
    HeaderBytes header;
    std::size_t size = packet->CopyData(header.data(), header.size());

    auto frame = new Frame;
    frame->kind = FrameKind::IP;
    bool good = (protocolNumber == ETHERTYPE_IPV4 && ReadIpv4(*frame, header.data(), size)) ||
                (protocolNumber == ETHERTYPE_IPV6 && ReadIpv6(*frame, header.data(), size));
    if (!good)
    {
        frame->Release();
        return nullptr;
    }
    frame->bytes = std::max(ETHERNET_MIN_FRAME_BYTES, ETHERNET_OVERHEAD_BYTES + packet->GetSize());
    frame->packet = packet;
    return frame;
}

Ptr<Packet>
TakeIpPacket(Frame& frame)
{
    NS_ASSERT_MSG(frame.packet, "only a frame of kind IP holds a packet");
    Ptr<Packet> packet = frame.packet;
    frame.packet = nullptr;
    if (packet->GetReferenceCount() > 1)
    {
        // The sender or a trace sink kept it: what is done to it here must not be seen there.
        packet = packet->Copy();
    }

    std::array<uint8_t, 12> header;
    packet->CopyData(header.data(), header.size());
    uint8_t octet = TrafficClassOctet(frame);
    if (frame.ipVersion == 4)
    {
        if (header[1] != octet || header[8] != frame.ttl)
        {
            RewriteIpv4(*packet, frame, ReadU16(header.data() + 10) != 0);
        }
    }
    else if (static_cast<uint8_t>(header[0] << 4 | header[1] >> 4) != octet ||
             header[7] != frame.ttl)
    {
        RewriteIpv6(*packet, frame);
    }
    return packet;
}

} // namespace ns3
