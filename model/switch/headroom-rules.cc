// SPDX-License-Identifier: GPL-2.0-only
#include "headroom-rules.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3
{

namespace
{

constexpr uint64_t MEGABIT = 1000000;
constexpr uint32_t GAP_BYTES = 20;           // preamble, start delimiter, inter-frame gap
constexpr uint32_t RULE_PFC_WIRE_BYTES = 84; // a frame of 64 bytes
constexpr uint32_t RULE_QUANTUM_BITS = 512;
constexpr double SECONDS_PER_METRE = 5e-9;
constexpr double METRES_PER_SECOND = 1.98e8; // SONiC's speed of light in fibre
constexpr uint32_t KIB = 1024;

/// Delays of one speed.
struct SpeedDelays
{
    uint64_t bitsPerSecond; //!< rate
    uint32_t interfaceBits; //!< IEEE 802.3: MAC, PHY and transceiver of an end; 0: not given
    uint32_t quanta;        //!< IEEE 802.3 annex 31B: reaction of the peer
    uint32_t sonicQuanta;   //!< the same, as SONiC reckons
};

constexpr SpeedDelays DELAYS[] = {
    {MEGABIT * 100, 0, 1, 1},
    {MEGABIT * 1000, 0, 2, 2},
    {MEGABIT * 10000, 8192, 60, 67},
    {MEGABIT * 25000, 6144, 80, 80},
    {MEGABIT * 40000, 24576, 118, 118},
    {MEGABIT * 50000, 0, 147, 147},
    {MEGABIT * 100000, 122880, 394, 394},
    {MEGABIT * 200000, 0, 453, 453},
    {MEGABIT * 400000, 0, 905, 905},
    {MEGABIT * 800000, 0, 905, 905},
};

/// @param bitsPerSecond a rate @param rule who asks @return its delays
const SpeedDelays&
DelaysOf(uint64_t bitsPerSecond, const char* rule)
{
    for (const auto& delays : DELAYS)
    {
        if (delays.bitsPerSecond == bitsPerSecond)
        {
            return delays;
        }
    }
    throw std::invalid_argument(std::string(rule) + ": there are no constants for " +
                                std::to_string(bitsPerSecond) + " bit/s");
}

/// @param bytes any number @return the next multiple of 1 KiB
uint64_t
RoundToKib(double bytes)
{
    return static_cast<uint64_t>(std::ceil(bytes / KIB)) * KIB;
}

} // namespace

uint64_t
StandardHeadroomBytes(uint64_t bitsPerSecond,
                      uint32_t metres,
                      uint32_t sentFrameBytes,
                      uint32_t receivedFrameBytes)
{
    const SpeedDelays& delays = DelaysOf(bitsPerSecond, "802.1Qbb headroom");
    if (delays.interfaceBits == 0)
    {
        throw std::invalid_argument("802.1Qbb headroom: there are no constants for " +
                                    std::to_string(bitsPerSecond) +
                                    " bit/s; the rule is for 10, 25, 40 and 100 Gb/s");
    }
    const double frames =
        8.0 * (sentFrameBytes + receivedFrameBytes + 2 * GAP_BYTES + RULE_PFC_WIRE_BYTES);
    const double cable = 2 * SECONDS_PER_METRE * metres * bitsPerSecond;
    const double reaction = static_cast<double>(delays.quanta) * RULE_QUANTUM_BITS;
    const double bits = frames + 2.0 * delays.interfaceBits + cable + reaction;
    return static_cast<uint64_t>(std::ceil(bits / 8));
}

SonicHeadroom
SonicHeadroomBytes(const SonicPort& port)
{
    const SpeedDelays& delays = DelaysOf(port.bitsPerSecond, "SONiC headroom");
    const double cell = port.cellBytes;
    // A small packet takes a cell, or two where a cell hardly holds one.
    const double worst = cell > 128 ? cell / 64 : 2 * cell / (1 + cell);
    const double occupancy = 1 - port.smallShare + port.smallShare * worst;
    // SONiC has Mb/s, and takes 1024 bits for 1000.
    const double cable =
        2 * port.metres * (port.bitsPerSecond / METRES_PER_SECOND) / 8 * 1000 / KIB;
    const double inFlight =
        port.mtuBytes + cable + port.macPhyBytes + delays.sonicQuanta * (RULE_QUANTUM_BITS / 8.0);
    const bool hasEightLanes =
        port.lanes == 8 || (port.lanes == 0 && port.bitsPerSecond >= MEGABIT * 400000);
    SonicHeadroom profile{};
    profile.xoff = RoundToKib(port.losslessMtuBytes + inFlight * occupancy);
    profile.xon = RoundToKib(hasEightLanes ? 2 * port.pipelineBytes - KIB : port.pipelineBytes);
    profile.size = RoundToKib(profile.xoff + profile.xon + (hasEightLanes ? port.mtuBytes : 0));
    return profile;
}

uint64_t
DeploymentHeadroomCells(uint64_t bitsPerSecond, uint32_t metres)
{
    // Everything in bits: C * (1.5 us + 10 ns a metre of cable, there and back) + two frames.
    const uint64_t nanoseconds = 1500 + uint64_t{10} * metres;
    const uint64_t bits = bitsPerSecond * nanoseconds / 1000000000 + 2 * 1538 * 8;
    return bits / (RULE_PFC_WIRE_BYTES * 8);
}

} // namespace ns3
