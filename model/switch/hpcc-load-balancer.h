// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_LOAD_BALANCER_H
#define LOSSLESS_HPCC_LOAD_BALANCER_H

#include "load-balancer.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The choice of the public HPCC simulator (commit 9f4be2a), for replays: EcmpLoadBalancer::Hash()
 * with the number of the switch as seed, over the addresses and ports that hosts and flows have
 * there; the hash modulo N counts the next hops from the last to the first, as that simulator has
 * its switches by descending place in memory, hence by descending number. An acknowledgement goes
 * by its own ports, those of the flow exchanged.
 *
 * Without names a frame is hashed by its own addresses and ports.
 */
class HpccLoadBalancer : public LoadBalancer
{
  public:
    /// What the HPCC simulator calls hosts and flows. All switches of a fabric share one.
    struct Names
    {
        uint32_t first{0};                            //!< lowest IPv4 address of a host here
        std::vector<uint32_t> addresses;              //!< those there, by address here - first
        std::unordered_map<uint64_t, uint16_t> ports; //!< destination ports there, by KeyOf()

        /// @param src source of a flow @param dst its destination, addresses here @param srcPort
        /// its UDP source port, here and there @return by which `ports` has the flow
        static uint64_t KeyOf(uint32_t src, uint32_t dst, uint16_t srcPort);
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param names of the hosts and flows whose frames pass
    void SetNames(std::shared_ptr<const Names> names);

    /// @param frame a frame @return its hash at this switch
    uint32_t HashOf(const Frame& frame) const;

    uint16_t Pick(const Frame& frame,
                  uint16_t inPort,
                  const NextHopGroup& group,
                  const SwitchPorts& view) override;
    void SetSwitchId(uint32_t id) override;

  private:
    uint32_t m_seed{0};
    std::shared_ptr<const Names> m_names;
};

} // namespace ns3

#endif // LOSSLESS_HPCC_LOAD_BALANCER_H
