// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANK_MESSAGE_H
#define LOSSLESS_RANK_MESSAGE_H

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// A message from one rank of a job to another.
struct RankMessage
{
    static constexpr uint16_t ANY_NIC = 0xffff; //!< nic: as the network chooses

    uint32_t source{0};      //!< rank that sends
    uint32_t destination{0}; //!< rank that receives
    uint64_t scope{0};       //!< 0: between two ranks; else number of a part of a collective
    uint64_t tag{0};         //!< chosen by the sender; receives name it
    uint64_t bytes{0};       //!< payload
    uint32_t channel{0};     //!< by which the network chooses queue pairs
    uint16_t nic{ANY_NIC};   //!< port of the sending host
    bool isReady{false};     //!< says that a receive is posted, and carries no data
    bool tells{false};       //!< for the sender: its part of a collective waits for the last ACK
    uint32_t cause{0};       //!< for the sender: what made it send
    uint32_t position{0};    //!< for the sender: of the destination, in the collective
    int64_t posted{0};       //!< when the sender posted it, ticks
    int64_t arrived{0};      //!< when its last byte was there, ticks
};

} // namespace ns3

#endif // LOSSLESS_RANK_MESSAGE_H
