// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECMP_LOAD_BALANCER_H
#define LOSSLESS_ECMP_LOAD_BALANCER_H

#include "load-balancer.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Equal-cost multi-path (RFC 2991): all frames of a flow take the member `hash(addresses, ports;
 * seed) mod N` of the next-hop group. The hash is murmur3-32 over three words, as in the public
 * HPCC simulator. By default each switch has its own seed: with one seed, all tiers choose alike
 * and leave half of the links idle (polarisation). Over IPv6 the low 16 bits of the flow label
 * of a RoCE frame (RFC 6438) are added to the ports; a label of 0 changes nothing.
 *
 * Symmetric mode sorts the addresses and the ports, so that both directions of a flow hash alike;
 * for RoCE both directions of a queue pair must use the same UDP source port.
 *
 * With Resilient each flow takes the member of the highest random weight (RFC 2991), a hash of the
 * flow and the port: when a link fails only its flows move, and they come back with the link, as
 * with the resilient hashing of switches. Modulo N most flows move.
 */
class EcmpLoadBalancer : public LoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    EcmpLoadBalancer();

    /**
     * The hash: murmur3-32 of three little-endian words, length 12.
     * @param src source, as Frame::SourceKey() gives it
     * @param dst destination, likewise
     * @param ports source port | destination port << 16
     * @param seed the seed
     * @return the hash
     */
    static uint32_t Hash(uint32_t src, uint32_t dst, uint32_t ports, uint32_t seed);

    /// @param frame a frame @return its hash at this switch
    uint32_t HashOf(const Frame& frame) const;

    /// @return the seed in use
    uint32_t GetSeed() const
    {
        return m_seed;
    }

    /// @return whether both directions of a flow take the same path, provided that all switches
    /// have the same attributes: Symmetric is set, Seed is not -1, and a flow has one path
    bool IsSymmetric() const
    {
        return m_symmetric && m_configuredSeed >= 0 && GetUnit() == PathUnit::FLOW;
    }

    /// @return whether neither Symmetric nor Seed was set
    bool HasDefaults() const
    {
        return !m_symmetric && m_configuredSeed < 0;
    }

    /// @param frame a frame @param group the candidates @return the port that the hash gives
    uint16_t PickByHash(const Frame& frame, const NextHopGroup& group) const;

    uint16_t Pick(const Frame& frame,
                  uint16_t inPort,
                  const NextHopGroup& group,
                  const SwitchPorts& view) override;
    void SetSwitchId(uint32_t id) override;

  private:
    /// Setter of attribute Seed. @param seed 32 bits, or -1
    void SetSeed(int64_t seed);
    /// Getter of attribute Seed. @return 32 bits, or -1
    int64_t GetConfiguredSeed() const;
    /// @param hash of a flow @param group the candidates @return the port of the highest weight
    static uint16_t PickByWeight(uint32_t hash, const NextHopGroup& group);

    int64_t m_configuredSeed{-1}; //!< attribute Seed
    uint32_t m_switchId{0};
    bool m_symmetric;   //!< attribute Symmetric
    bool m_resilient;   //!< attribute Resilient
    uint32_t m_seed{0}; //!< the seed in use
};

} // namespace ns3

#endif // LOSSLESS_ECMP_LOAD_BALANCER_H
