// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_PARSER_H
#define LOSSLESS_FRAME_PARSER_H

#include "frame-codec.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

/// Opcode of a PFC frame among MAC control frames.
constexpr uint16_t PFC_OPCODE = 0x0101;

/**
 * @ingroup lossless
 *
 * The parser behind FrameCodec::Parse(): bytes to Frame, layer by layer. Each layer checks the
 * length before it reads, so that any bytes are safe.
 */
class FrameParser
{
  public:
    /// @param data bytes of an Ethernet frame @param size number of bytes @param options what to
    /// check
    FrameParser(const uint8_t* data, std::size_t size, FrameCodec::Options options);

    /// @return the frame, or why there is none
    FrameCodec::Result Run();

  private:
    /// @return whether the frame is valid; reads the Ethernet header and calls the parser of the
    /// next layer
    bool ReadEthernet();
    /// @param offset where MAC control begins @return whether it is a PFC frame
    bool ReadPfc(std::size_t offset);
    /// @param offset where the IP header begins @param type EtherType @return whether the packet is
    /// valid
    bool ReadIp(std::size_t offset, uint16_t type);
    /// @param offset where the IP packet begins @return its length; 0 when the header is invalid
    std::size_t IpBytes(std::size_t offset);
    /// @param ip where the IP packet begins @param bytes its length @return whether the RoCEv2
    /// packet is valid
    bool ReadRoce(const uint8_t* ip, std::size_t bytes);
    /// Make the frame one of kind VXLAN if it holds what a tunnel carries.
    /// @param ip where the IP packet begins @param bytes its length
    void ReadVxlan(const uint8_t* ip, std::size_t bytes);
    /// Make the frame one in SRv6 if it holds what such a frame holds.
    /// @param ip where the outer IPv6 packet begins @param bytes its length
    void ReadSrv6(const uint8_t* ip, std::size_t bytes);
    /// @param bth the 12 bytes of the BTH @return whether the BTH is valid
    bool ReadBth(const uint8_t* bth);
    /// @param bth where the BTH begins @param bytes from there to the ICRC @return whether the
    /// headers are valid
    bool ReadTransport(const uint8_t* bth, std::size_t bytes);
    /// Read what follows the BTH of a packet of MRC. @param bth where the BTH begins @param bytes
    /// from there to the ICRC, or to the end of a packet that was cut @return whether the headers
    /// are valid
    bool ReadMrcTransport(const uint8_t* bth, std::size_t bytes);
    /// @param next where the extension headers begin: RETH, AETH, ImmDt and SACK, as far as present
    /// @param sack whether there is a SACK @return whether the extension headers are valid
    bool ReadExtensions(const uint8_t* next, bool sack);

    /// @param octet first octet of a SACK @return whether it is valid; sets Frame::trim
    bool ReadSackOctet(uint8_t octet);

    /// @param reason what is wrong @return false
    bool Fail(std::string reason);

    const uint8_t* m_data;
    std::size_t m_size;
    FrameCodec::Options m_options;
    FrameCodec::Result m_result;
    bool m_isInner{false}; //!< the frame is in a tunnel: it is not one itself
    bool m_tagged{false};
    uint16_t m_tag{0};
};

} // namespace ns3

#endif // LOSSLESS_FRAME_PARSER_H
