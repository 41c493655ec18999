// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WIRE_TEST_UTIL_H
#define LOSSLESS_WIRE_TEST_UTIL_H

// What the tests of model/wire share: frames of all kinds, drawn at random, and their comparison.

#include "ns3/frame-codec.h"

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace wiretest
{

/// Releases a frame.
struct Releaser
{
    void operator()(ns3::Frame* frame) const
    {
        frame->Release();
    }
};

using FramePtr = std::unique_ptr<ns3::Frame, Releaser>;

/// All opcodes that the module knows.
const std::vector<ns3::RoceOpcode>& AllOpcodes();

/// @return a RoCEv2 frame with every field that its opcode carries drawn at random
FramePtr RandomRoce(std::mt19937_64& random, ns3::RoceOpcode opcode);

/// Give a RoCEv2 frame telemetry, drawn at random, and the length that goes with it.
void DrawTelemetry(std::mt19937_64& random, ns3::Frame& frame, ns3::TelemetryKind kind);

/// @return a PFC frame
FramePtr RandomPfc(std::mt19937_64& random);

/// @return a TCP, UDP, ICMP or other packet of the stock stack, over IPv4 or IPv6, some fragments,
/// with TTL and ECN that have changed since the packet was made
FramePtr RandomIp(std::mt19937_64& random);

/// @return a RoCEv2 or stock frame in a VXLAN tunnel over IPv4 or IPv6, marked on its way or not
FramePtr RandomVxlan(std::mt19937_64& random);

/// @return one of the four
FramePtr RandomFrame(std::mt19937_64& random);

/// @return names and values of all fields that the wire carries, truncated as on the wire
std::string WireFields(const ns3::Frame& frame);

} // namespace wiretest

#endif // LOSSLESS_WIRE_TEST_UTIL_H
