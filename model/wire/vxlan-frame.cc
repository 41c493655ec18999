// SPDX-License-Identifier: GPL-2.0-only
#include "vxlan-frame.h"

#include "tunnel-ecn.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{

uint16_t
VxlanSourcePort(const Frame& inner)
{
    constexpr uint64_t ODD = 0x9e3779b97f4a7c15; // 2^64 / 1.618..., as in splitmix64
    constexpr uint16_t FIRST = 0xc000;
    constexpr int HASH_BITS = 14;
    // Sorted: the same in both directions.
    const auto [low, high] = std::minmax({inner.SourceKey(), inner.DestinationKey()});
    const auto [port, otherPort] = std::minmax({inner.srcPort, inner.dstPort});
    uint64_t hash = (uint64_t{low} << 32 | high) * ODD;
    hash ^= hash >> 32;
    const uint64_t label = inner.ipVersion == 6 ? inner.flowLabel : 0;
    hash ^= label << 40 | uint64_t{inner.protocol} << 32 | uint32_t{port} << 16 | otherPort;
    hash *= ODD;
    return static_cast<uint16_t>(FIRST | hash >> (64 - HASH_BITS));
}

void
EnterTunnel(Frame& frame, const VxlanTunnel& tunnel)
{
    const uint16_t port = VxlanSourcePort(frame);
    frame.Wrap();
    Frame& inner = *frame.inner;
    frame.tagged = std::exchange(inner.tagged, false);
    frame.pcp = std::exchange(inner.pcp, uint8_t{0});
    frame.vlan = std::exchange(inner.vlan, uint16_t{0});
    if (frame.tagged)
    {
        inner.bytes = std::max(inner.bytes - VLAN_TAG_BYTES, ETHERNET_MIN_FRAME_BYTES);
    }
    frame.bytes =
        inner.bytes + VxlanAddedBytes(tunnel.ipVersion) + (frame.tagged ? VLAN_TAG_BYTES : 0);
    frame.gapBytes = inner.gapBytes;
    frame.ipVersion = tunnel.ipVersion;
    frame.src = tunnel.source;
    frame.dst = tunnel.destination;
    if (tunnel.ipVersion != 4)
    {
        frame.srcHigh = tunnel.addressHigh;
        frame.dstHigh = tunnel.addressHigh;
    }
    frame.srcPort = port;
    frame.dstPort = VXLAN_UDP_PORT;
    frame.vni = tunnel.vni;
    frame.dscp = inner.dscp;
    frame.ecn = EnterTunnelEcn(inner.ecn);
    // What a fault does to some identifications, it does to theirs in a tunnel.
    frame.ipId = tunnel.ipVersion == 4 ? inner.ipId : uint16_t{0};
}

bool
LeaveTunnel(Frame& frame)
{
    NS_ASSERT_MSG(frame.kind == FrameKind::VXLAN && frame.inner, "only a frame in a tunnel leaves");
    const auto ecn = LeaveTunnelEcn(frame.inner->ecn, frame.ecn);
    if (!ecn)
    {
        return false;
    }
    const bool tagged = frame.tagged;
    const uint8_t pcp = frame.pcp;
    const uint16_t vlan = frame.vlan;
    frame.Unwrap();
    frame.ecn = *ecn;
    if (tagged)
    {
        frame.tagged = true;
        frame.pcp = pcp;
        frame.vlan = vlan;
        frame.bytes += VLAN_TAG_BYTES;
    }
    return true;
}

} // namespace ns3
