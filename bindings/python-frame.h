// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_FRAME_H
#define LOSSLESS_PYTHON_FRAME_H

#include "ns3/fabric-frame.h"
#include "ns3/packet.h"

#include <array>
#include <cstdint>

namespace lossless_python
{

/// What Python sees of a Frame: a copy, as the frame itself goes on.
struct FrameCopy
{
    /// @param frame the frame
    explicit FrameCopy(const ns3::Frame& frame)
        : psn(frame.psn),
          bytes(frame.bytes),
          payloadBytes(frame.payloadBytes),
          src(frame.src),
          dst(frame.dst),
          destQp(frame.destQp),
          pfcQuanta(frame.pfcQuanta),
          srcPort(frame.srcPort),
          dstPort(frame.dstPort),
          kind(frame.kind),
          trafficClass(frame.trafficClass),
          ecn(static_cast<uint8_t>(frame.ecn)),
          dscp(frame.dscp),
          ttl(frame.ttl),
          opcode(static_cast<uint8_t>(frame.opcode)),
          ipVersion(frame.ipVersion),
          pfcEnable(frame.pfcEnable)
    {
    }

    uint64_t psn;                                         //!< 64-bit packet sequence number
    uint32_t bytes;                                       //!< Ethernet frame with FCS
    uint32_t payloadBytes;                                //!< RoCE payload
    uint32_t src;                                         //!< source address
    uint32_t dst;                                         //!< destination address
    uint32_t destQp;                                      //!< destination queue pair
    std::array<uint16_t, ns3::TRAFFIC_CLASSES> pfcQuanta; //!< pause times
    uint16_t srcPort;                                     //!< UDP or TCP
    uint16_t dstPort;                                     //!< UDP or TCP
    ns3::FrameKind kind;                                  //!< what it carries
    uint8_t trafficClass;                                 //!< class at the port
    uint8_t ecn;                                          //!< ECN field
    uint8_t dscp;                                         //!< DSCP
    uint8_t ttl;                                          //!< TTL or hop limit
    uint8_t opcode;                                       //!< BTH opcode
    uint8_t ipVersion;                                    //!< 4 or 6
    uint8_t pfcEnable;                                    //!< mask of the classes of a PFC frame
};

/// What Python has of a packet of the stock IP stack.
struct PacketView
{
    /// @param seen the packet
    explicit PacketView(const ns3::Ptr<const ns3::Packet>& seen)
        : packet(seen)
    {
    }

    ns3::Ptr<const ns3::Packet> packet; //!< never null
};

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_FRAME_H
