// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STEV_LOAD_BALANCER_H
#define LOSSLESS_STEV_LOAD_BALANCER_H

#include "ecmp-load-balancer.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: structured entropy values of MRC (STEV; sheet 16, section 7). The entropy value of a
 * packet, flow label << 16 | UDP source port, has a field for each tier of switches: the number of
 * the port to the next tier. A number that there is not, or whose port is not among the next hops
 * to the destination, as when a link has failed, is no route. Frames on their way down, and all
 * that is not MRC, are hashed.
 *
 * FabricHelper gives each switch the field of its tier (doc/mrc.rst).
 */
class StevLoadBalancer : public EcmpLoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Set the field of this switch. @param first bits of the entropy value before it, from the
    /// highest on @param bits of it, 32 at most with those @param ports to the next tier, by their
    /// numbers in the field; none: nothing is named
    void SetField(uint32_t first, uint32_t bits, const std::vector<uint16_t>& ports);

    bool NamesPorts() const override
    {
        return !m_ports.empty();
    }

    uint16_t Pick(const Frame& frame,
                  uint16_t inPort,
                  const NextHopGroup& group,
                  const SwitchPorts& view) override;

    std::vector<uint16_t> GetWays(const Frame& frame,
                                  uint16_t inPort,
                                  const NextHopGroup& group,
                                  const SwitchPorts& view) override;

  private:
    static constexpr uint32_t EV_BITS{32}; //!< of an entropy value

    /// @param frame a frame @return the port that it names, or NextHopGroup::NONE
    uint16_t PortOf(const Frame& frame) const;

    uint32_t m_first{0};           //!< SetField()
    uint32_t m_bits{0};            //!< SetField()
    std::vector<uint16_t> m_ports; //!< SetField()
    std::vector<bool> m_isNamed;   //!< by port: in m_ports
};

} // namespace ns3

#endif // LOSSLESS_STEV_LOAD_BALANCER_H
