// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONWEAVE_LOAD_BALANCER_H
#define LOSSLESS_CONWEAVE_LOAD_BALANCER_H

#include "data-load-balancer.h"

namespace ns3
{

class ConWeaveSwitch;

/**
 * @ingroup lossless
 *
 * ConWeave's choice: a flow keeps its path until ConWeaveSwitch of this leaf finds it congested,
 * and moves to one of two at random then. Requests of READs go with the data of their queue pair.
 */
class ConWeaveLoadBalancer : public DataLoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    PathUnit GetUnit() const override
    {
        return PathUnit::REROUTED_FLOW;
    }

    /// The extension of the switch calls this, once, before the first frame.
    /// @param leaf the extension
    void SetLeaf(ConWeaveSwitch* leaf)
    {
        m_leaf = leaf;
    }

    /// @param frame a frame @return whether it is of a flow that ConWeave reroutes
    static bool IsOfFlow(const Frame& frame);

    using DataLoadBalancer::DrawPort;

  protected:
    bool IsChosenFor(const Frame& frame) const override;
    uint16_t Choose(const Frame& frame,
                    const NextHopGroup& group,
                    const SwitchPorts& view) override;

  private:
    ConWeaveSwitch* m_leaf{nullptr}; //!< the extension of the switch
};

} // namespace ns3

#endif // LOSSLESS_CONWEAVE_LOAD_BALANCER_H
