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
 * Between a Frame and the bytes of an Ethernet frame: the one place that knows both. Used at the
 * edges only: captures, MPI ranks, trace sinks that want a Packet.
 *
 * Layouts: Ethernet II, 802.1Q, IPv4, IPv6, UDP and BTH with its extension headers (InfiniBand
 * annex A17), PFC (IEEE 802.3 annex 31D). What a Frame does not hold is constant:
 * MigReq 1, P_Key 0xffff, don't fragment, flow label 0, class-enable vector high octet 0. Payload
 * is zeros. Of the fields of a Frame, the wire does not carry the MMU booking and the class, and
 * has 24 bits of psn, destQp and msn, 32 of dmaBytes and 4 of IntTelemetry::hops (15: that many or
 * more). Where telemetry stands says doc/wire.rst.
 *
 * Checksums are right: IPv4 header; UDP over IPv6 (RoCEv2 sends zero over IPv4); stock TCP, UDP and
 * ICMP that left theirs to the NIC.
 */
class FrameCodec
{
  public:
    /// How the bytes are made or read.
    struct Options
    {
        bool computeIcrc{false}; //!< fill in or check the ICRC; else it is four zero bytes
        bool appendFcs{false};   //!< the four bytes of the Ethernet FCS follow, right or checked
    };

    /// What Parse() found.
    struct Result
    {
        Frame* frame{nullptr};    //!< the frame, owned by the caller; null when it is not one
        std::string error;        //!< why not, in one line
        Mac48Address source;      //!< source MAC address
        Mac48Address destination; //!< destination MAC address
    };

    /**
     * @param frame a frame; its `bytes` is not looked at: headers and payload decide the length
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
     * Read an Ethernet frame. Any bytes may be given: what is not a frame of this module yields an
     * error. A UDP datagram to port 4791 must be RoCEv2.
     * @param data bytes from the destination address on
     * @param size how many
     * @param options computeIcrc: a wrong ICRC is an error; appendFcs: the last four bytes are the
     *        FCS, and a wrong one is an error
     * @return the frame, or why there is none
     */
    static Result Parse(const uint8_t* data, std::size_t size, Options options);

    /// @return 01:80:c2:00:00:01, which no bridge forwards
    static Mac48Address PfcDestination();
};

} // namespace ns3

#endif // LOSSLESS_FRAME_CODEC_H
