// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-marker.h"

#include "fabric-switch.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EcnMarker);

TypeId
EcnMarker::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::EcnMarker").SetParent<SwitchExtension>().SetGroupName("Lossless");
    return tid;
}

EcnMarker::EcnMarker() = default;

void
EcnMarker::SetPort(uint32_t port, uint64_t /* bitsPerSecond */)
{
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        SetQuietBelow(port, cls, NEVER);
    }
}

void
EcnMarker::TakeOver(const EcnMarker& /* before */)
{
}

bool
EcnMarker::ShouldMark(const Frame& /* frame */, uint32_t /* port */, uint64_t /* queueBytes */)
{
    return false;
}

double
EcnMarker::GetBufferShare(uint8_t /* dscp */) const
{
    return 1;
}

uint32_t
EcnMarker::GetHooks() const
{
    return 0;
}

void
EcnMarker::Start(FabricSwitch& /* owner */)
{
}

void
EcnMarker::SetQuietBelow(uint32_t port, uint32_t cls, uint64_t bytes)
{
    if (m_quiet.size() <= port * TRAFFIC_CLASSES + cls)
    {
        m_quiet.resize((port + 1) * TRAFFIC_CLASSES, NEVER);
    }
    m_quiet[port * TRAFFIC_CLASSES + cls] = bytes;
    if (auto* owner = StartedBy())
    {
        owner->QuietChanged(port);
    }
}

uint64_t
EcnMarker::QuietBelow(uint32_t port) const
{
    const auto first = m_quiet.begin() + port * TRAFFIC_CLASSES;
    return *std::min_element(first, first + TRAFFIC_CLASSES);
}

} // namespace ns3
