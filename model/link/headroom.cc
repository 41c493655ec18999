// SPDX-License-Identifier: GPL-2.0-only
#include "headroom.h"

#include "fabric-frame.h"

#include "ns3/cut-time.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

namespace
{

/// Wire bytes of a PFC frame.
constexpr uint32_t PFC_WIRE_BYTES = ETHERNET_MIN_FRAME_BYTES + ETHERNET_GAP_BYTES;

/// Absurd links have sums beyond 64 bits.
__extension__ typedef unsigned __int128 Wide;

/// More than any buffer has, and small enough that the sum over all ports has 64 bits.
constexpr uint64_t MOST_BYTES = uint64_t{1} << 46;

/// @return a number, or MOST_BYTES if it is larger
uint64_t
Saturated(Wide bytes)
{
    return bytes < MOST_BYTES ? static_cast<uint64_t>(bytes) : MOST_BYTES;
}

/// @return bytes that a line carries in a time, rounded up; exact
uint64_t
BytesInTime(uint64_t bitsPerSecond, Wide picoseconds)
{
    constexpr uint64_t BIT_PS_PER_BYTE = 8000000000000;
    if (picoseconds > (~Wide{0} - BIT_PS_PER_BYTE) / bitsPerSecond)
    {
        return MOST_BYTES;
    }
    return Saturated((bitsPerSecond * picoseconds + BIT_PS_PER_BYTE - 1) / BIT_PS_PER_BYTE);
}

/// @return the highest rate at which frames of one length can arrive, bit/s
uint64_t
ArrivalRate(const HeadroomLink& link)
{
    if (link.unitPs == 0)
    {
        return link.bitsPerSecond;
    }
    constexpr int64_t PS_PER_SECOND = 1000000000000;
    const auto unit = static_cast<int64_t>(link.unitPs);
    const uint64_t longest = link.maxFrameBytes + GapBytes(link.format);
    uint64_t fastest = link.bitsPerSecond;
    auto consider = [&](uint64_t bytes) {
        const int64_t time = CutFrameTime(bytes, link.bitsPerSecond, PS_PER_SECOND, unit);
        const Wide bits = Wide{bytes} * 8 * PS_PER_SECOND;
        fastest = std::max(fastest, Saturated((bits + time - 1) / time));
        return time;
    };
    // The fastest of all frames that take equally long is the longest.
    for (uint64_t bytes = ShortestFrameBytes(link.format) + GapBytes(link.format); bytes < longest;)
    {
        const Wide after = Wide(consider(bytes) + unit) * link.bitsPerSecond / 8 / PS_PER_SECOND;
        const uint64_t last = std::min(longest, Saturated(after));
        consider(std::max(last, bytes + 1) - 1); // a whole number of units may lose none
        bytes = std::max(last, bytes + 1);
    }
    consider(longest);
    return fastest;
}

/// A ratio of cells to wire bytes.
struct CellsPerWire
{
    uint64_t cells;
    uint64_t wireBytes;
};

/// @return the worst ratio of cells to wire bytes over all frame lengths
CellsPerWire
WorstRatio(uint32_t cellBytes, uint32_t maxFrameBytes, FrameFormat format, uint32_t addedBytes)
{
    const uint32_t shortest = ShortestFrameBytes(format);
    CellsPerWire worst{0, 1};
    auto consider = [&](uint64_t frame) {
        const CellsPerWire ratio{(frame + addedBytes + cellBytes - 1) / cellBytes,
                                 frame + GapBytes(format)};
        if (ratio.cells * worst.wireBytes > worst.cells * ratio.wireBytes)
        {
            worst = ratio;
        }
    };
    // The worst of all frames with the same number of cells is the shortest: one byte past the
    // cell.
    for (uint64_t frame = shortest; frame <= maxFrameBytes;
         frame = (frame + addedBytes + cellBytes - 1) / cellBytes * cellBytes + 1 - addedBytes)
    {
        consider(frame);
    }
    consider(std::max(maxFrameBytes, shortest));
    return worst;
}

} // namespace

uint64_t
HeadroomWireBytes(const HeadroomLink& link)
{
    if (link.bitsPerSecond == 0)
    {
        throw std::invalid_argument("headroom: the rate of the link is 0; it must be above 0");
    }
    const uint64_t rate = ArrivalRate(link);
    const Wide time = Wide{link.generationPs} + Wide{link.delayPs} * 2 + link.reactionPs;
    // What the peer sends while the frame before the PFC frame, and the PFC frame, leave.
    const uint64_t reverse =
        link.reverseBitsPerSecond ? link.reverseBitsPerSecond : link.bitsPerSecond;
    const uint64_t ahead = link.reverseMaxFrameBytes + ETHERNET_GAP_BYTES + PFC_WIRE_BYTES;
    const uint64_t waiting = Saturated((Wide{ahead} * rate + reverse - 1) / reverse);
    return BytesInTime(rate, time) + waiting + (link.maxFrameBytes + ETHERNET_GAP_BYTES);
}

uint64_t
HeadroomCells(uint64_t wireBytes,
              uint32_t cellBytes,
              uint32_t maxFrameBytes,
              FrameFormat format,
              uint32_t addedBytes)
{
    const CellsPerWire worst = WorstRatio(cellBytes, maxFrameBytes, format, addedBytes);
    return Saturated((Wide{wireBytes} * worst.cells + worst.wireBytes - 1) / worst.wireBytes);
}

uint64_t
HeadroomBytes(const HeadroomLink& link, uint32_t cellBytes)
{
    const uint64_t wire = HeadroomWireBytes(link);
    const auto cells = [&](uint64_t wireBytes) {
        return HeadroomCells(wireBytes,
                             cellBytes,
                             link.maxFrameBytes,
                             link.format,
                             link.addedBytes);
    };
    const uint64_t formula = cells(wire);
    // The last frame counted as the one frame that it is, and the frame that set off the XOFF.
    const uint64_t longest =
        (uint64_t{link.maxFrameBytes} + link.addedBytes + cellBytes - 1) / cellBytes;
    const uint64_t before = wire - (link.maxFrameBytes + ETHERNET_GAP_BYTES);
    const uint64_t block = cells(before) + 2 * longest;
    return Saturated(Wide{std::max(formula, block)} * cellBytes);
}

} // namespace ns3
