// SPDX-License-Identifier: GPL-2.0-only
#include "vxlan-header.h"

#include "ip-layout.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(VxlanHeader);

TypeId
VxlanHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::VxlanHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<VxlanHeader>();
    return tid;
}

TypeId
VxlanHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
VxlanHeader::GetSerializedSize() const
{
    return VXLAN_HEADER;
}

void
VxlanHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(m_isValid ? VXLAN_FLAGS << 24 : 0);
    start.WriteHtonU32(m_vni << 8);
}

uint32_t
VxlanHeader::Deserialize(Buffer::Iterator start)
{
    // What is reserved is ignored on receipt (RFC 7348).
    m_isValid = (start.ReadNtohU32() >> 24 & VXLAN_FLAGS) != 0;
    m_vni = start.ReadNtohU32() >> 8;
    return VXLAN_HEADER;
}

void
VxlanHeader::Print(std::ostream& os) const
{
    os << "vni=" << m_vni;
}

} // namespace ns3
