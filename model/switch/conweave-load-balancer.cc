// SPDX-License-Identifier: GPL-2.0-only
#include "conweave-load-balancer.h"

#include "conweave-switch.h"

#include <stdexcept>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ConWeaveLoadBalancer);

TypeId
ConWeaveLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ConWeaveLoadBalancer")
                            .SetParent<DataLoadBalancer>()
                            .SetGroupName("Lossless")
                            .AddConstructor<ConWeaveLoadBalancer>();
    return tid;
}

bool
ConWeaveLoadBalancer::IsOfFlow(const Frame& frame)
{
    return frame.kind == FrameKind::ROCE &&
           (CarriesData(frame.opcode) || frame.opcode == RoceOpcode::READ_REQUEST);
}

bool
ConWeaveLoadBalancer::IsChosenFor(const Frame& frame) const
{
    return IsOfFlow(frame);
}

uint16_t
ConWeaveLoadBalancer::Choose(const Frame& frame,
                             const NextHopGroup& group,
                             const SwitchPorts& /* view */)
{
    if (!m_leaf)
    {
        throw std::invalid_argument("ConWeaveLoadBalancer: nobody keeps flows in order; add the "
                                    "extension ns3::ConWeaveSwitch to all switches");
    }
    return m_leaf->Begins(frame) ? m_leaf->DrawPath(frame, group.ports) : PickByHash(frame, group);
}

} // namespace ns3
