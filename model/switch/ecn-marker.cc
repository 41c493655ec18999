// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-marker.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EcnMarker);

TypeId
EcnMarker::GetTypeId()
{
    static TypeId tid = TypeId("ns3::EcnMarker").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

EcnMarker::EcnMarker() = default;

int64_t
EcnMarker::AssignStreams(int64_t /* stream */)
{
    return 0;
}

void
EcnMarker::SetQuietBelow(uint32_t port, uint32_t cls, uint64_t bytes)
{
    if (m_quiet.size() <= port * TRAFFIC_CLASSES + cls)
    {
        m_quiet.resize((port + 1) * TRAFFIC_CLASSES, NEVER);
    }
    m_quiet[port * TRAFFIC_CLASSES + cls] = bytes;
}

} // namespace ns3
