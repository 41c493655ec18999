// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_TEST_UTIL_H
#define LOSSLESS_HPCC_TEST_UTIL_H

// What the tests of HPCC share: constants of the vectors, and INT as switches would write it.

#include "ns3/frame-telemetry.h"
#include "ns3/int-record.h"

#include <cstdint>
#include <initializer_list>

namespace hpcctest
{

using namespace ns3;

constexpr double G = 1e9;
constexpr double T_NS = 13000;
constexpr int64_t T_PS = 13000000;
constexpr double W_INIT = 162500; // 100 Gb/s times 13 us

/// One hop as a switch would write it.
struct Seen
{
    uint64_t ns;
    uint64_t txBytes;
    uint64_t queueBytes;
    uint32_t code{2}; // 100 Gb/s
};

inline FrameTelemetry
Int(std::initializer_list<Seen> hops, uint16_t pathId = 7)
{
    const IntFormat format;
    FrameTelemetry telemetry;
    telemetry.hops = {static_cast<uint8_t>(hops.size()), pathId, {}};
    uint32_t i = 0;
    for (const Seen& hop : hops)
    {
        telemetry.hops.records[i++] =
            format.Quantise(hop.code, hop.ns, hop.txBytes, hop.queueBytes).Pack();
    }
    return telemetry;
}

} // namespace hpcctest

#endif // LOSSLESS_HPCC_TEST_UTIL_H
