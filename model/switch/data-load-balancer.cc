// SPDX-License-Identifier: GPL-2.0-only
#include "data-load-balancer.h"

#include <numeric>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DataLoadBalancer);

TypeId
DataLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DataLoadBalancer").SetParent<EcmpLoadBalancer>().SetGroupName("Lossless");
    return tid;
}

DataLoadBalancer::DataLoadBalancer()
    : m_draws(CreateObject<UniformRandomVariable>())
{
}

uint16_t
DataLoadBalancer::Pick(const Frame& frame,
                       uint16_t /* inPort */,
                       const NextHopGroup& group,
                       const SwitchPorts& view)
{
    return IsChosenFor(frame) ? Choose(frame, group, view) : PickByHash(frame, group);
}

std::vector<uint16_t>
DataLoadBalancer::GetWays(const Frame& frame,
                          uint16_t /* inPort */,
                          const NextHopGroup& group,
                          const SwitchPorts& /* view */)
{
    return IsChosenFor(frame) ? group.ports : std::vector<uint16_t>{PickByHash(frame, group)};
}

int64_t
DataLoadBalancer::AssignStreams(int64_t stream)
{
    m_draws->SetStream(stream);
    return 1;
}

bool
DataLoadBalancer::IsChosenFor(const Frame& frame) const
{
    return frame.kind == FrameKind::ROCE && CarriesData(frame.opcode);
}

uint32_t
DataLoadBalancer::Draw(uint32_t first, uint32_t last)
{
    return m_draws->GetInteger(first, last);
}

uint16_t
DataLoadBalancer::DrawInto(std::vector<uint16_t>& order, std::size_t place)
{
    const auto drawn = Draw(static_cast<uint32_t>(place), static_cast<uint32_t>(order.size()) - 1);
    std::swap(order[place], order[drawn]);
    return order[place];
}

bool
DataLoadBalancer::Fit(std::vector<uint16_t>& order, const NextHopGroup& group)
{
    if (order.size() == group.ports.size())
    {
        return false;
    }
    order.resize(group.ports.size());
    std::iota(order.begin(), order.end(), uint16_t{0});
    return true;
}

} // namespace ns3
