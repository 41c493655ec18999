// SPDX-License-Identifier: GPL-2.0-only
#include "load-balancer.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LoadBalancer);

TypeId
LoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::LoadBalancer").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

std::vector<uint16_t>
LoadBalancer::GetWays(const Frame& frame,
                      uint16_t inPort,
                      const NextHopGroup& group,
                      const SwitchPorts& view)
{
    return GetUnit() == PathUnit::FLOW ? std::vector<uint16_t>{Pick(frame, inPort, group, view)}
                                       : group.ports;
}

PathUnit
LoadBalancer::GetUnit() const
{
    return PathUnit::FLOW;
}

bool
LoadBalancer::NamesPorts() const
{
    return false;
}

void
LoadBalancer::SetSwitchId(uint32_t /* id */)
{
}

int64_t
LoadBalancer::AssignStreams(int64_t /* stream */)
{
    return 0;
}

} // namespace ns3
