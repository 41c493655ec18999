// SPDX-License-Identifier: GPL-2.0-only
#include "let-flow-load-balancer.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LetFlowLoadBalancer);

TypeId
LetFlowLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LetFlowLoadBalancer")
            .SetParent<DataLoadBalancer>()
            .SetGroupName("Lossless")
            .AddConstructor<LetFlowLoadBalancer>()
            .AddAttribute("FlowletTimeout",
                          "Longest gap between two frames of a flowlet. The paper has 500 us, the "
                          "public ConWeave simulator 100 us.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&LetFlowLoadBalancer::m_timeout),
                          MakeTimeChecker(Time(0)));
    return tid;
}

bool
LetFlowLoadBalancer::IsChosenFor(const Frame& frame) const
{
    return frame.kind != FrameKind::ROCE || CarriesData(frame.opcode);
}

uint16_t
LetFlowLoadBalancer::ChooseAnew(const Frame& /* frame */,
                                const NextHopGroup& group,
                                const SwitchPorts& /* view */)
{
    return DrawPort(group.ports);
}

uint16_t
LetFlowLoadBalancer::Choose(const Frame& frame, const NextHopGroup& group, const SwitchPorts& view)
{
    bool isNew = false;
    auto& flow = m_table.Arrived(frame, view.Now(), m_timeout.GetTimeStep(), isNew);
    const auto& ports = group.ports;
    if (isNew || std::find(ports.begin(), ports.end(), flow.port) == ports.end())
    {
        flow.port = ChooseAnew(frame, group, view);
        ++m_flowlets;
    }
    return flow.port;
}

} // namespace ns3
