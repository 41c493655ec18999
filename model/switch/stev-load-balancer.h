// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STEV_LOAD_BALANCER_H
#define LOSSLESS_STEV_LOAD_BALANCER_H

#include "ecmp-load-balancer.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: structured entropy values of MRC (STEV; sheet 16, section 7). The entropy value of a
 * packet, flow label << 16 | UDP source port, has a field for each tier of switches: the number of
 * the port in the next-hop group, in the order of the group. A number that the group does not have,
 * or whose link is down, is no route. What else passes is hashed, as are packets of MRC at a switch
 * without a field.
 *
 * FabricHelper gives each switch the field of its tier (doc/mrc.rst).
 */
class StevLoadBalancer : public EcmpLoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Set the field of this switch. @param first bits of the entropy value before it, from the
    /// highest on @param bits of it, 32 at most with those; 0: none
    void SetField(uint32_t first, uint32_t bits);

    bool NamesPorts() const override
    {
        return m_bits > 0;
    }

    uint16_t Pick(const Frame& frame,
                  uint16_t inPort,
                  const NextHopGroup& group,
                  const SwitchPorts& view) override;

  private:
    static constexpr uint32_t EV_BITS{32}; //!< of an entropy value

    uint32_t m_first{0}; //!< SetField()
    uint32_t m_bits{0};  //!< SetField()
};

} // namespace ns3

#endif // LOSSLESS_STEV_LOAD_BALANCER_H
