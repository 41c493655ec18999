// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TUNNEL_ECN_H
#define LOSSLESS_TUNNEL_ECN_H

#include "ns3/fabric-frame.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * ECN across an IP tunnel such as VXLAN, as RFC 6040 rules it (normal mode), for tunnels that a
 * script builds. A tunnel end that is congested marks the inner header before it encapsulates; a
 * switch on the way marks the outer header.
 */
namespace tunnel_ecn
{

/// UDP destination port of VXLAN (RFC 7348).
constexpr uint16_t VXLAN_UDP_PORT = 4789;

/// What VXLAN over IPv4 adds to a frame: Ethernet 14, IP 20, UDP 8, VXLAN 8.
constexpr uint32_t VXLAN_OVERHEAD_BYTES = 50;

/**
 * The outer header at the entry (RFC 6040, section 4.1).
 * @param inner ECN field of what is encapsulated
 * @return ECN field of the outer header
 */
constexpr Ecn
Encapsulate(Ecn inner)
{
    return inner;
}

/// What leaves a tunnel.
struct Decapsulated
{
    Ecn ecn;   //!< new ECN field of the inner header
    bool drop; //!< the packet must be dropped: a mark that its ends would not understand
};

/**
 * The inner header at the exit (RFC 6040, section 4.2, figure 4). A mark is never lost, neither
 * one of the inner header nor one that a switch on the way set on the outer one.
 * @param inner ECN field of the inner header
 * @param outer ECN field of the outer header
 * @return what becomes of the packet
 */
constexpr Decapsulated
Decapsulate(Ecn inner, Ecn outer)
{
    if (inner == Ecn::NOT_ECT)
    {
        return {Ecn::NOT_ECT, outer == Ecn::CE};
    }
    if (inner == Ecn::CE || outer == Ecn::CE)
    {
        return {Ecn::CE, false};
    }
    const bool raised = inner == Ecn::ECT0 && outer == Ecn::ECT1;
    return {raised ? Ecn::ECT1 : inner, false};
}

/**
 * UDP source port of the outer header: from the dynamic range (RFC 7348, section 5), with a hash of
 * the inner addresses and ports, so that load balancers spread the flows of a tunnel.
 * @param innerHash hash of the inner flow; its low 14 bits count
 * @return the port, 0xc000 or more
 */
constexpr uint16_t
SourcePort(uint32_t innerHash)
{
    return static_cast<uint16_t>(0xc000 | (innerHash & 0x3fff));
}

} // namespace tunnel_ecn

} // namespace ns3

#endif // LOSSLESS_TUNNEL_ECN_H
