// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_CONNECTION_H
#define LOSSLESS_RDMA_CONNECTION_H

#include "ns3/fabric-frame.h"
#include "ns3/frame-format.h"
#include "ns3/traffic-class-map.h"

#include <array>
#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// IP address of one end of a connection.
struct RdmaAddress
{
    uint32_t low{0};                //!< IPv4 address, or last 32 bits of the IPv6 address
    std::array<uint32_t, 3> high{}; //!< first 96 bits of the IPv6 address
    uint8_t ipVersion{4};           //!< 4 or 6

    /// @param other another address @return whether they are the same
    bool operator==(const RdmaAddress& other) const
    {
        return low == other.low && high == other.high && ipVersion == other.ipVersion;
    }
};

/// @ingroup lossless
/// The priority fields of frames of a class, by which every port of the path classifies the frames.
struct RdmaMarking
{
    uint8_t trafficClass{0}; //!< egress queue of the class at the sending port
    uint8_t dscp{0};         //!< DSCP of the IP header
    uint8_t pcp{0};          //!< priority of the 802.1Q tag
    bool tagged{false};      //!< whether frames carry an 802.1Q tag
    uint8_t sentClass{0};    //!< the class itself

    /// @param map the map of the port @param cls the class @return the marking of the class
    static RdmaMarking FromMap(const TrafficClassMap& map, uint8_t cls);
};

/**
 * @ingroup lossless
 *
 * The parameters that are fixed while a queue pair is connected; requester and responder read them.
 * Times are ticks.
 */
struct RdmaConnection
{
    // What each frame is made of, in one cache line of an RdmaQueuePair, then what else is read.
    uint32_t localQp{0};  //!< own number, 24 bit
    uint32_t remoteQp{0}; //!< number of the peer, 24 bit
    RdmaAddress local;    //!< own address
    RdmaAddress remote;   //!< address of the peer
    uint16_t udpPort{0};  //!< UDP source port of both directions, by which ECMP tells flows apart
    uint16_t mtu{1024};   //!< path MTU: largest payload of a packet, bytes
    uint16_t ackInterval{1};                          //!< every n-th data packet asks for an ACK
    RdmaMarking data;                                 //!< marking of data and READ requests
    RdmaMarking ack;                                  //!< marking of ACKs and NAKs
    uint8_t initialTtl{Frame::INITIAL_TTL};           //!< TTL or hop limit of frames of this end
    Ecn dataEcn{Ecn::ECT0};                           //!< ECN code point of data and READ requests
    FrameFormat format{FRAMES_STANDARD};              //!< whose headers give frames their length
    TelemetryKind telemetry{TelemetryKind::NONE};     //!< telemetry of WRITE and SEND data packets
    TelemetryKind readTelemetry{TelemetryKind::NONE}; //!< telemetry of READ responses
    bool acknowledgesReads{false}; //!< whether READ responses of this end ask for READ ACKs
    bool refusesReads{false};   //!< whether READs are refused: nothing would control the responses
    bool echoCe{false};         //!< whether BECN of an ACK echoes CE marks since the last ACK
    int64_t retransmitTicks{0}; //!< retransmission timeout; 0: never
    uint8_t retryLimit{7};      //!< timeouts without progress before the queue pair fails
    uint8_t rnrRetryLimit{7};   //!< successive RNR NAKs before the queue pair fails; 7: no limit
    uint8_t rnrTimerCode{0};    //!< timer code in RNR NAKs of this end (InfiniBand table 45)
    RdmaMarking cnp;            //!< marking of CNPs
    uint16_t maxReads{16};      //!< largest number of outstanding READ requests
    int64_t nackTicks{0};       //!< least time between two NAKs for the same gap
    int64_t ticksPerSecond{0};  //!< resolution of all times

    /// @param queuePair number of a queue pair @param frame a frame from its host
    /// @return whether this end sends to that queue pair
    bool IsTo(uint32_t queuePair, const Frame& frame) const
    {
        return remoteQp == queuePair && remote.low == frame.src &&
               remote.ipVersion == frame.ipVersion &&
               (remote.ipVersion == 4 || remote.high == frame.srcHigh);
    }

    /// @param frame a frame to this end @return whether its host is the peer: else the frame is
    /// late, and of an earlier queue pair of this number
    bool IsFromPeer(const Frame& frame) const
    {
        return remote.low == frame.src;
    }

    /// @param bytes length of a message @return number of packets, max(1, ceil(bytes / MTU))
    uint64_t Packets(uint64_t bytes) const
    {
        return bytes <= mtu ? 1 : (bytes - 1) / mtu + 1;
    }

    /**
     * @param opcode opcode of a packet @param payload its payload, bytes
     * @param marking its priority fields @param kind its telemetry @param hops telemetry hops so
     * far
     * @return its frame bytes
     */
    uint32_t FrameBytes(RoceOpcode opcode,
                        uint32_t payload,
                        const RdmaMarking& marking,
                        TelemetryKind kind,
                        uint32_t hops = 0) const
    {
        return format == FRAMES_HPCC ? HpccFrameBytes(opcode, payload, kind, hops)
                                     : RoceFrameBytes(opcode,
                                                      payload,
                                                      local.ipVersion,
                                                      marking.tagged,
                                                      TelemetryBytes(kind, hops));
    }

    /// @param opcode opcode of a data packet that is new @param payload its payload, bytes
    /// @param kind its telemetry @return its wire bytes
    uint32_t WireBytes(RoceOpcode opcode, uint32_t payload, TelemetryKind kind) const
    {
        return FrameBytes(opcode, payload, data, kind) + GapBytes(format);
    }

    /**
     * Turn any frame into a frame to the peer: sets addresses, ports, marking and length.
     * @param frame the frame; payloadBytes and the telemetry are already set
     * @param opcode its opcode
     * @param marking its priority fields
     */
    void Address(Frame& frame, RoceOpcode opcode, const RdmaMarking& marking) const;

    /// Give a new data packet its telemetry, with nothing measured yet. @param frame the packet
    /// @param kind its telemetry @param now tick
    static void StartTelemetry(Frame& frame, TelemetryKind kind, int64_t now);

    /**
     * The UDP source port of a connection (InfiniBand annex A17): 0xC000 | hash14(localQP,
     * remoteQP), the same at both ends.
     * @param oneQp queue pair number of one end @param otherQp that of the other end @return the
     * port
     */
    static uint16_t UdpPort(uint32_t oneQp, uint32_t otherQp);

    /**
     * The time that an RNR NAK asks for (InfiniBand architecture table 45).
     * @param code 0..31 @return nanoseconds
     */
    static int64_t RnrNanoSeconds(uint8_t code);

    /// @param nanoSeconds a time @return the code of the shortest time that is at least as long
    static uint8_t RnrCode(int64_t nanoSeconds);
};

} // namespace ns3

#endif // LOSSLESS_RDMA_CONNECTION_H
