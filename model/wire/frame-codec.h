// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_CODEC_H
#define LOSSLESS_FRAME_CODEC_H

#include "fabric-frame.h"

#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Converts between a Frame and the bytes of an Ethernet frame. Only the edges of the simulation
 * need bytes: captures, MPI ranks, and trace sinks that want a Packet.
 *
 * Layouts: Ethernet II, 802.1Q, IPv4, IPv6, UDP and BTH with its extension headers (InfiniBand
 * annex A17), PFC (IEEE 802.3 annex 31D), VXLAN (RFC 7348), IPv6 in IPv6 (RFC 2473). Fields that a
 * Frame does not hold are constant: MigReq 1, P_Key 0xffff, don't fragment, the upper 4 bits of the
 * flow label 0, class-enable vector high octet 0; of a frame in SRv6 the outer flow label 0 and the
 * inner hop limit 64. Payload is zeros. Of the fields of a Frame, the wire does not carry the MMU
 * booking and the class, and has 24 bits of psn, destQp and msn, 32 bits of dmaBytes and 4 bits of
 * IntTelemetry::hops (15: 15 or more). doc/wire.rst gives the layout of telemetry.
 *
 * Serialise() computes the checksums of the IPv4 header, of UDP over IPv6 (RoCEv2 sends zero over
 * IPv4), and of stock TCP, UDP and ICMP packets that left the checksum to the NIC.
 */
class FrameCodec
{
  public:
    /// Options of Serialise() and Parse().
    struct Options
    {
        bool computeIcrc{false}; //!< compute or check the ICRC; false: four zero bytes
        bool appendFcs{false};   //!< append or check the four bytes of the Ethernet FCS
    };

    /// What Parse() found.
    struct Result
    {
        Frame* frame{nullptr};    //!< the frame, owned by the caller; null on an error
        std::string error;        //!< one line that says why `frame` is null; else empty
        Mac48Address source;      //!< source MAC address
        Mac48Address destination; //!< destination MAC address
    };

    /**
     * @param frame a frame; headers and payload decide the length, Frame::bytes is ignored
     * @param source source MAC address
     * @param destination destination MAC address; a PFC frame goes to PfcDestination() regardless
     * @param options ICRC and FCS
     * @return the Ethernet frame, padded to 60 bytes (64 with FCS)
     */
    static std::vector<uint8_t> Serialise(const Frame& frame,
                                          Mac48Address source,
                                          Mac48Address destination,
                                          Options options);

    /// As Serialise(), as a Packet. @param frame the frame @param source source MAC address
    /// @param destination destination MAC address @param options ICRC and FCS @return the packet
    static Ptr<Packet> ToPacket(const Frame& frame,
                                Mac48Address source,
                                Mac48Address destination,
                                Options options);

    /**
     * Read an Ethernet frame. Any bytes are safe: bytes that are no frame of this module yield an
     * error. A UDP datagram to port 4791 must be RoCEv2. One to port 4789 is a frame of kind VXLAN
     * if it holds a VXLAN header and an untagged IP packet in an Ethernet frame; else it stays a
     * packet of the stock IP stack. IPv6 in IPv6 is a frame in SRv6 if Serialise() would write the
     * same of it; else it is one of the stock IP stack, too. The MAC addresses of an inner frame
     * are not kept: Serialise() makes them of its IP addresses.
     * @param data bytes from the destination address on
     * @param size number of bytes
     * @param options computeIcrc: a wrong ICRC is an error; appendFcs: the last four bytes are the
     *        FCS, and a wrong one is an error
     * @return the frame, or the error
     */
    static Result Parse(const uint8_t* data, std::size_t size, Options options);

    /// @return 01:80:c2:00:00:01, which no bridge forwards
    static Mac48Address PfcDestination();
};

} // namespace ns3

#endif // LOSSLESS_FRAME_CODEC_H
