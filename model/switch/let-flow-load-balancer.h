// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LET_FLOW_LOAD_BALANCER_H
#define LOSSLESS_LET_FLOW_LOAD_BALANCER_H

#include "data-load-balancer.h"
#include "flowlet-table.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * LetFlow (Vanini et al., NSDI 2017): each flowlet takes a port at random. Slow paths make gaps,
 * and gaps make flowlets that leave them. RDMA is paced and has few gaps: a flow stays where it is
 * as long as it sends a packet in each FlowletTimeout.
 */
class LetFlowLoadBalancer : public DataLoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    PathUnit GetUnit() const override
    {
        return PathUnit::FLOWLET;
    }

    /// @return number of flowlets so far
    uint64_t GetNFlowlets() const
    {
        return m_flowlets;
    }

    /// @return number of flows in memory
    std::size_t GetNFlows() const
    {
        return m_table.GetNFlows();
    }

  protected:
    bool IsChosenFor(const Frame& frame) const override;
    uint16_t Choose(const Frame& frame,
                    const NextHopGroup& group,
                    const SwitchPorts& view) override;

    /// @param frame that begins a flowlet @param group the candidates @param view the switch
    /// @return one of NextHopGroup::ports: any
    virtual uint16_t ChooseAnew(const Frame& frame,
                                const NextHopGroup& group,
                                const SwitchPorts& view);

  private:
    Time m_timeout; //!< attribute FlowletTimeout
    FlowletTable m_table;
    uint64_t m_flowlets{0};
};

} // namespace ns3

#endif // LOSSLESS_LET_FLOW_LOAD_BALANCER_H
