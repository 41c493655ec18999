// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DROP_PRECEDENCE_H
#define LOSSLESS_DROP_PRECEDENCE_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Which frames of a queue are dropped first. The DSCP of a frame says so, as Assured Forwarding
 * (RFC 2597) has it; the colours are those of RFC 2697. A switch has no other note of it: a colour
 * is on the wire, and holds at all switches behind.
 */
struct DropPrecedence
{
    /// The drop precedences.
    enum Colour : uint8_t
    {
        GREEN,  //!< low: dropped last
        YELLOW, //!< medium
        RED     //!< high: dropped first
    };

    /// @param dscp a DSCP @return its colour: the drop precedence of AF11 (10) to AF43 (38), and
    /// green for what is not of Assured Forwarding
    static constexpr Colour Of(uint8_t dscp)
    {
        const uint32_t assuredClass = dscp >> 3;
        const uint32_t precedence = (dscp >> 1) & 3;
        const bool isAssured =
            assuredClass >= 1 && assuredClass <= 4 && precedence != 0 && !(dscp & 1);
        return isAssured ? static_cast<Colour>(precedence - 1) : GREEN;
    }

    /// @param assuredClass class of Assured Forwarding, 1 to 4 @param colour a colour
    /// @return the DSCP, such as 28 for class 3 and yellow: AF32
    static constexpr uint8_t ToDscp(uint8_t assuredClass, Colour colour)
    {
        return static_cast<uint8_t>(assuredClass << 3 | (colour + 1) << 1);
    }
};

} // namespace ns3

#endif // LOSSLESS_DROP_PRECEDENCE_H
