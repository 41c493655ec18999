// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ICC_FEEDBACK_H
#define LOSSLESS_ICC_FEEDBACK_H

#include "ns3/enum.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// How what an ICC switch has measured comes to the sources. The first is what the ICC paper (Wang
/// et al., CMC 2023, section 4.2) describes; the others are for comparison.
struct IccFeedback
{
    /// The ways.
    enum Mode : uint8_t
    {
        PIGGYBACK,    //!< in the ACKs that pass the switch: no packet is made
        SWITCH_ACK,   //!< in an ACK that the switch makes, and that repeats the last one
        RECEIVER_ECHO //!< in the data packets that pass; the receiver's ACK brings it back
    };

    /// @return the checker of attributes that hold a Mode
    static Ptr<const AttributeChecker> MakeChecker()
    {
        return MakeEnumChecker(PIGGYBACK,
                               "Piggyback",
                               SWITCH_ACK,
                               "SwitchAck",
                               RECEIVER_ECHO,
                               "ReceiverEcho");
    }
};

} // namespace ns3

#endif // LOSSLESS_ICC_FEEDBACK_H
