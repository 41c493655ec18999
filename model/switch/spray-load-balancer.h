// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SPRAY_LOAD_BALANCER_H
#define LOSSLESS_SPRAY_LOAD_BALANCER_H

#include "data-load-balancer.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Per-packet spraying: each data packet takes a port for itself, whatever its flow. Round robin
 * goes through the ports of a group in an order that is drawn anew for each round, as uet-htsim
 * does: in a fixed order a switch falls into step with an equal number of flows.
 */
class SprayLoadBalancer : public DataLoadBalancer
{
  public:
    /// How the port of a packet is chosen.
    enum Mode : uint8_t
    {
        RANDOM,        //!< any, uniformly
        ROUND_ROBIN,   //!< each once, then all again
        SHORTEST_QUEUE //!< one with the fewest bytes in its egress queues, uniformly
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    PathUnit GetUnit() const override
    {
        return PathUnit::PACKET;
    }

  protected:
    uint16_t Choose(const Frame& frame,
                    const NextHopGroup& group,
                    const SwitchPorts& view) override;

  private:
    /// A round through the members of a group.
    struct Round
    {
        std::vector<uint16_t> order; //!< numbers of the members: those of this round, then the rest
        std::size_t next{0};         //!< how many of them are of this round
    };

    /// @param group a group @return the next port of its round
    uint16_t NextOfRound(const NextHopGroup& group);

    Mode m_mode;         //!< attribute Mode
    uint32_t m_minBytes; //!< attribute MinBytes
    PerGroup<Round> m_rounds;
};

} // namespace ns3

#endif // LOSSLESS_SPRAY_LOAD_BALANCER_H
