// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_HEADER_H
#define LOSSLESS_MRC_HEADER_H

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// What a SACK says of the entropy value (EV) of the packet that it answers (field M).
enum class MrcMark : uint8_t
{
    NONE = 0,       //!< the packet came without CE
    SKIP_ONCE = 1,  //!< with CE: leave the EV out once
    ALWAYS_SKIP = 2 //!< leave the EV out until a probe is answered
};

/// @ingroup lossless
/// Why a NACK is sent.
enum class MrcReason : uint8_t
{
    TRIMMED = 1,          //!< a switch on the path has cut the payload
    TRIMMED_LAST_HOP = 2, //!< the switch before the host has
    NO_BITMAP = 6,        //!< no memory for the state of the packet
    NO_PACKET_BUFFER = 7, //!< the receive buffer of the NIC is full
    NO_RESOURCE = 10,     //!< no receive is posted for the immediate data
    OUT_OF_WINDOW = 11,   //!< the PSN is beyond the window of the responder
    UNEXPECTED = 25       //!< anything else
};

/// @ingroup lossless
/// What an endpoint request asks for.
enum class MrcOperation : uint8_t
{
    PORT_STATUS = 0, //!< it tells which ports of its sender are up
    EV_PROBE = 1     //!< it asks for an answer alone
};

/**
 * @ingroup lossless
 *
 * The headers of a packet of MRC (OCP Multipath Reliable Connection 1.0) beside those that a Frame
 * has for all: METH and TSETH of data, SETH and CC_STATE of a SACK, NETH of a NACK, PETH of a
 * probe, ERTH and EETH of endpoint operations. Frame::psn is the PSN of the BTH: of data that of
 * the packet, of a SACK the highest PSN up to which all have arrived (cack), of a NACK that of the
 * packet in question, of an endpoint operation its number.
 */
struct MrcHeader
{
    bool stamped{false};       //!< data: a TSETH follows the METH
    bool coarse{false};        //!< TSETH: `time` counts microseconds, not units of 128 ns
    bool repeated{false};      //!< data: sent again; SACK, NACK: the packet that it answers was
    uint16_t time{0};          //!< time stamp; of an answer that of the packet that it answers
    uint16_t msn{0};           //!< METH: number of the message
    uint16_t rqMsn{0};         //!< METH: number of the WRITE_IMM
    uint16_t sourceContext{0}; //!< low 16 bits of the sender's queue pair number
    uint16_t destinationContext{0}; //!< likewise the receiver's
    uint32_t ev{0};                 //!< SACK, NACK: entropy value of the packet that it answers

    MrcMark mark{MrcMark::NONE}; //!< SACK
    bool answersProbe{false};    //!< SACK: it answers the probe `probe`; `acked` is not there
    bool restore{false};         //!< SACK: the penalty is over
    uint8_t penalty{0};          //!< SACK: receiver's penalty for the window, 0 to 127
    uint8_t window{0};           //!< SACK: receive window, in 128 PSNs (MPR); 0: as agreed
    uint16_t probe{0};           //!< probe, SACK: number of the probe
    int16_t acked{0};            //!< SACK: PSN of the packet that it answers - cack
    int16_t base{0};             //!< SACK: PSN of bit 0 of `bitmap` - cack
    uint16_t outOfOrder{0};      //!< SACK: packets beyond cack that have arrived, at most 32767
    uint32_t received{0};        //!< SACK: nominal bytes received, units of 256, mod 2^24
    uint64_t bitmap{0};          //!< SACK: bit i: the packet of PSN cack + base + i has arrived

    MrcReason reason{MrcReason::TRIMMED};              //!< NACK
    MrcOperation operation{MrcOperation::PORT_STATUS}; //!< endpoint request and response
    uint32_t ports{0}; //!< port status: bit i: port i + 1 can be reached
};

} // namespace ns3

#endif // LOSSLESS_MRC_HEADER_H
