// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONGA_LOAD_BALANCER_H
#define LOSSLESS_CONGA_LOAD_BALANCER_H

#include "let-flow-load-balancer.h"

namespace ns3
{

class CongaSwitch;

/**
 * @ingroup lossless
 *
 * CONGA's choice: a flowlet takes a path whose most congested link is the least congested, as
 * CongaSwitch of this switch and of the others have measured, any of those that are equal.
 */
class CongaLoadBalancer : public LetFlowLoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// The extension of the switch calls this, once, before the first frame.
    /// @param paths the extension
    void SetPaths(CongaSwitch* paths)
    {
        m_paths = paths;
    }

  protected:
    uint16_t ChooseAnew(const Frame& frame,
                        const NextHopGroup& group,
                        const SwitchPorts& view) override;

  private:
    CongaSwitch* m_paths{nullptr}; //!< the extension of the switch
};

} // namespace ns3

#endif // LOSSLESS_CONGA_LOAD_BALANCER_H
