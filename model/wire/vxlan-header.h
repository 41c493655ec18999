// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_VXLAN_HEADER_H
#define LOSSLESS_VXLAN_HEADER_H

#include "ns3/header.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * @ingroup lossless
 * The eight bytes between UDP and the inner Ethernet frame (RFC 7348 section 5), for packets of the
 * stock IP stack. FrameCodec writes those of a Frame.
 */
class VxlanHeader : public Header
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param vni VXLAN network identifier, 24 bit
    explicit VxlanHeader(uint32_t vni = 0)
        : m_vni(vni)
    {
    }

    /// @return the VXLAN network identifier
    uint32_t GetVni() const
    {
        return m_vni;
    }

    /// @return whether the flags say that the identifier is valid
    bool IsValid() const
    {
        return m_isValid;
    }

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint32_t m_vni;
    bool m_isValid{true};
};

} // namespace ns3

#endif // LOSSLESS_VXLAN_HEADER_H
