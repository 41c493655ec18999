// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ADAPTIVE_LOAD_BALANCER_H
#define LOSSLESS_ADAPTIVE_LOAD_BALANCER_H

#include "data-load-balancer.h"
#include "flowlet-table.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What vendors call adaptive routing, with the levels of uet-htsim: the ports of a group are told
 * apart by how full their queues are, roughly, and one of the best is drawn, for each packet or for
 * each flowlet. A flowlet looks for a better port every second time only, and moves only to one
 * that is better.
 */
class AdaptiveLoadBalancer : public DataLoadBalancer
{
  public:
    /// What makes a port better than another.
    enum Compare : uint8_t
    {
        QUEUE,      //!< the level of its queues
        PAUSE_QUEUE //!< whether it may send the class of the packet, then the level
    };

    /// What takes one path.
    enum Granularity : uint8_t
    {
        PACKET, //!< each packet
        FLOWLET //!< each flowlet
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param bytes queued @param fullBytes attribute FullBytes @return the level: 0 below 5 % of
    /// fullBytes, 1 below 10 %, 2 below 20 %, else 3
    static uint8_t LevelOf(uint64_t bytes, uint64_t fullBytes);

    PathUnit GetUnit() const override
    {
        return HasFlowlets() ? PathUnit::FLOWLET : PathUnit::PACKET;
    }

  protected:
    uint16_t Choose(const Frame& frame,
                    const NextHopGroup& group,
                    const SwitchPorts& view) override;

  private:
    /// What the switch knows of a port.
    struct Reading
    {
        int64_t until{0}; //!< first tick at which it no longer counts
        uint8_t level{0};
    };

    /// @return whether Granularity is Flowlet
    bool HasFlowlets() const
    {
        return m_granularity == FLOWLET;
    }

    /// @param port a port @param cls class of the packet @param view the switch
    /// @return a number that is less for a better port
    uint64_t CostOf(uint16_t port, uint8_t cls, const SwitchPorts& view);

    uint64_t m_fullBytes;      //!< attribute FullBytes
    Time m_interval;           //!< attribute UpdateInterval
    Compare m_compare;         //!< attribute Compare
    Granularity m_granularity; //!< attribute Granularity
    Time m_timeout;            //!< attribute FlowletTimeout
    FlowletTable m_table;
    std::vector<Reading> m_readings; //!< by port
};

} // namespace ns3

#endif // LOSSLESS_ADAPTIVE_LOAD_BALANCER_H
