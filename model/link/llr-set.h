// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LLR_SET_H
#define LOSSLESS_LLR_SET_H

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @file
 * @ingroup lossless
 *
 * Sequence numbers and ordered sets of link-level retry (Ultra Ethernet 1.0, section 5.1;
 * doc/link.rst).
 */

/// Bits of a sequence number.
constexpr uint32_t LLR_BITS = 20;

/// Bytes of an ordered set on the line.
constexpr uint32_t LLR_SET_BYTES = 8;

/// @param a a sequence number @param b another @return how far a is ahead of b: negative, behind
constexpr int32_t
LlrDifference(uint32_t a, uint32_t b)
{
    constexpr int32_t HALF = 1 << (LLR_BITS - 1);
    constexpr uint32_t MASK = (1U << LLR_BITS) - 1;
    return static_cast<int32_t>((a - b + HALF) & MASK) - HALF;
}

/// What an ordered set says.
enum class LlrSetType : uint8_t
{
    ACK = 1,      //!< all frames up to the number have arrived
    NACK = 2,     //!< the same, and the next one has not: send it and all behind it again
    INIT = 3,     //!< the next frame has the number
    INIT_ECHO = 4 //!< the answer
};

/// @param type of an ordered set @param number that it carries @return its bytes on the line
constexpr std::array<uint8_t, LLR_SET_BYTES>
LlrSetBytes(LlrSetType type, uint32_t number)
{
    constexpr uint8_t BEGIN = 0x4b; // of a control ordered set
    constexpr uint8_t OF_LLR = 0x6; // low half of the byte with the last bits of the number
    return {BEGIN,
            static_cast<uint8_t>(type),
            static_cast<uint8_t>(number >> 12),
            static_cast<uint8_t>(number >> 4),
            static_cast<uint8_t>((number & 0xf) << 4 | OF_LLR),
            0,
            0,
            0};
}

} // namespace ns3

#endif // LOSSLESS_LLR_SET_H
