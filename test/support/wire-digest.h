// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WIRE_DIGEST_H
#define LOSSLESS_WIRE_DIGEST_H

#include "fabric-ports.h"

#include "ns3/fabric.h"
#include "ns3/qbb-net-device.h"
#include "ns3/simulator.h"

#include <cstdint>

namespace ns3
{
namespace tests
{

/// A number that differs when anything that the ports of a fabric send differs: when, where, and
/// what. For tests that compare runs.
class WireDigest
{
  public:
    /// @param fabric whose ports are watched from now on; the digest must outlive its run
    explicit WireDigest(const Fabric& fabric)
    {
        for (const FabricPort& each : PortsOf(fabric))
        {
            each.device->TraceConnectWithoutContext("FrameTx",
                                                    MakeCallback(&WireDigest::Add, this));
        }
    }

    WireDigest(const WireDigest&) = delete;
    WireDigest& operator=(const WireDigest&) = delete;

    /// @return the number
    uint64_t Get() const
    {
        return m_hash;
    }

  private:
    void Mix(uint64_t value)
    {
        constexpr uint64_t FNV_PRIME = 1099511628211ULL;
        m_hash = (m_hash ^ value) * FNV_PRIME;
    }

    void Add(const QbbNetDevice& port, const Frame& frame)
    {
        Mix(Simulator::Now().GetTimeStep());
        Mix(port.GetNode()->GetId() * 65536ULL + port.GetPortIndex());
        Mix(frame.bytes);
        Mix(frame.psn);
        Mix(static_cast<uint64_t>(frame.kind) << 32 | static_cast<uint64_t>(frame.ecn) << 24 |
            uint64_t{frame.dscp} << 16 | uint64_t{frame.trafficClass} << 8 | frame.ttl);
        for (const uint16_t quanta : frame.pfcQuanta)
        {
            Mix(frame.kind == FrameKind::PFC ? quanta : 0);
        }
    }

    uint64_t m_hash{14695981039346656037ULL};
};

/// For runs by several threads, which WireDigest cannot watch.
/// @param fabric a fabric @param hash the number begins with it @return a number that differs when
/// the counts of the ports of its switches do
inline uint64_t
DigestOfCounters(const Fabric& fabric, uint64_t hash = 0)
{
    constexpr uint64_t PRIME = 1099511628211ULL;
    for (const FabricPort& each : PortsOf(fabric))
    {
        if (each.isSwitch)
        {
            const auto counters = each.device->GetCounters();
            hash = (hash * PRIME ^ counters.txWireBytes) * PRIME ^ counters.rxFrames;
        }
    }
    return hash;
}

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_WIRE_DIGEST_H
