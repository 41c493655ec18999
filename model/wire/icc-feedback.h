// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ICC_FEEDBACK_H
#define LOSSLESS_ICC_FEEDBACK_H

#include "ns3/enum.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// How the reports of an ICC switch reach the sources. PIGGYBACK is the way of the ICC paper (Wang
/// et al., CMC 2023, section 4.2); the other two are for comparison.
struct IccFeedback
{
    /// The three ways.
    enum Mode : uint8_t
    {
        PIGGYBACK,    //!< the switch puts a report into a passing ACK of the flow
        SWITCH_ACK,   //!< the switch sends an ACK of its own, which repeats the last ACK
        RECEIVER_ECHO //!< the switch puts a report into a data packet; the ACK brings it back
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
