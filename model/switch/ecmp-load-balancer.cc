// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp-load-balancer.h"

#include "ns3/boolean.h"
#include "ns3/integer.h"
#include "ns3/log.h"

#include <limits>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("EcmpLoadBalancer");

NS_OBJECT_ENSURE_REGISTERED(EcmpLoadBalancer);

namespace
{

/// @return x rotated left by n bits
uint32_t
Rotate(uint32_t x, uint32_t n)
{
    return (x << n) | (x >> (32 - n));
}

/// One word of murmur3-32.
uint32_t
Mix(uint32_t hash, uint32_t word)
{
    word *= 0xcc9e2d51;
    word = Rotate(word, 15);
    word *= 0x1b873593;
    hash ^= word;
    return Rotate(hash, 13) * 5 + 0xe6546b64;
}

/// The final mix of murmur3-32.
uint32_t
Finish(uint32_t hash)
{
    hash ^= hash >> 16;
    hash *= 0x85ebca6b;
    hash ^= hash >> 13;
    hash *= 0xc2b2ae35;
    return hash ^ (hash >> 16);
}

} // namespace

TypeId
EcmpLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::EcmpLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Lossless")
            .AddConstructor<EcmpLoadBalancer>()
            .AddAttribute("Seed",
                          "Seed of the hash, 0 to 2^32 - 1. -1: the number of the switch among the "
                          "nodes of its fabric, or that of its node in ns-3. "
                          "The same seed in all tiers leaves links unused (polarisation).",
                          IntegerValue(-1),
                          MakeIntegerAccessor(&EcmpLoadBalancer::SetSeed,
                                              &EcmpLoadBalancer::GetConfiguredSeed),
                          MakeIntegerChecker<int64_t>(-1, std::numeric_limits<uint32_t>::max()))
            .AddAttribute("Symmetric",
                          "Whether both directions of a flow have the same hash: addresses and "
                          "ports are sorted first. Symmetric paths also need the same seed and the "
                          "same order of next hops in all switches.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&EcmpLoadBalancer::m_symmetric),
                          MakeBooleanChecker())
            .AddAttribute("Resilient",
                          "Whether flows stay where they are when another link of their group "
                          "fails or comes back. Otherwise most of the flows of a group move.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&EcmpLoadBalancer::m_resilient),
                          MakeBooleanChecker());
    return tid;
}

EcmpLoadBalancer::EcmpLoadBalancer() = default;

void
EcmpLoadBalancer::SetSeed(int64_t seed)
{
    NS_LOG_FUNCTION(this << seed);
    m_configuredSeed = seed;
    m_seed = seed < 0 ? m_switchId : static_cast<uint32_t>(seed);
}

int64_t
EcmpLoadBalancer::GetConfiguredSeed() const
{
    return m_configuredSeed;
}

void
EcmpLoadBalancer::SetSwitchId(uint32_t id)
{
    NS_LOG_FUNCTION(this << id);
    m_switchId = id;
    SetSeed(m_configuredSeed);
}

uint32_t
EcmpLoadBalancer::Hash(uint32_t src, uint32_t dst, uint32_t ports, uint32_t seed)
{
    const uint32_t hash = Mix(Mix(Mix(seed, src), dst), ports);
    return Finish(hash ^ 12); // length in bytes
}

uint32_t
EcmpLoadBalancer::HashOf(const Frame& frame) const
{
    uint32_t src = frame.SourceKey();
    uint32_t dst = frame.DestinationKey();
    uint32_t low = frame.srcPort;
    uint32_t high = frame.dstPort;
    if (m_symmetric)
    {
        if (src > dst)
        {
            std::swap(src, dst);
        }
        if (low > high)
        {
            std::swap(low, high);
        }
    }
    if (frame.ipVersion == 6)
    {
        // Onto the port that all packets share. Without a label: the hash of addresses and ports.
        (high == frame.dstPort ? high : low) ^= frame.flowLabel;
    }
    return Hash(src, dst, low | high << 16, m_seed);
}

uint16_t
EcmpLoadBalancer::PickByWeight(uint32_t hash, const NextHopGroup& group)
{
    uint16_t best = group.ports.front();
    uint32_t most = 0;
    for (const uint16_t port : group.ports)
    {
        const uint32_t weight = Finish(Mix(hash, port));
        if (weight > most)
        {
            most = weight;
            best = port;
        }
    }
    return best;
}

uint16_t
EcmpLoadBalancer::Pick(const Frame& frame,
                       uint16_t /* inPort */,
                       const NextHopGroup& group,
                       const SwitchPorts& /* view */)
{
    return PickByHash(frame, group);
}

uint16_t
EcmpLoadBalancer::PickByHash(const Frame& frame, const NextHopGroup& group) const
{
    const uint32_t hash = HashOf(frame);
    if (m_resilient)
    {
        return PickByWeight(hash, group);
    }
    return group.ports[hash % static_cast<uint32_t>(group.ports.size())];
}

} // namespace ns3
