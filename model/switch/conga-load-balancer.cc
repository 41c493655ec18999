// SPDX-License-Identifier: GPL-2.0-only
#include "conga-load-balancer.h"

#include "conga-switch.h"

#include <stdexcept>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CongaLoadBalancer);

TypeId
CongaLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CongaLoadBalancer")
                            .SetParent<LetFlowLoadBalancer>()
                            .SetGroupName("Lossless")
                            .AddConstructor<CongaLoadBalancer>();
    return tid;
}

uint16_t
CongaLoadBalancer::ChooseAnew(const Frame& frame,
                              const NextHopGroup& group,
                              const SwitchPorts& view)
{
    if (!m_paths)
    {
        throw std::invalid_argument("CongaLoadBalancer: nobody measures the links; add the "
                                    "extension ns3::CongaSwitch to all switches");
    }
    const int64_t now = view.Now();
    return DrawCheapest(group.ports,
                        [&](uint16_t port) { return m_paths->GetCost(frame, port, now); });
}

} // namespace ns3
