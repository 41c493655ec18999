// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SRV6_SWITCH_H
#define LOSSLESS_SRV6_SWITCH_H

#include "switch-extension.h"

#include "ns3/ipv6-address.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

class QbbNetDevice;

/**
 * @ingroup lossless
 *
 * Policy: SRv6 by micro-segments (uSIDs; RFC 9800, sheet 16, section 7), which MRC uses. A RoCE
 * packet to an address of the locator has up to six uSIDs of 16 bits in its destination. If the
 * next one is that of this switch, the others move up; then the packet takes the port that a static
 * table gives for the next one. Without such a port, or while its link is down, the packet is
 * dropped: no routing changes the way. All else is forwarded as without the extension.
 *
 * FabricHelper fills the tables (doc/mrc.rst). The locator is to have no route of another kind.
 */
class Srv6Switch : public SwitchExtension
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return first 32 bits of the addresses that it forwards by uSIDs
    uint32_t GetLocator() const
    {
        return m_locator;
    }

    /// @param sid uSID of this switch
    void SetSid(uint16_t sid)
    {
        m_sid = sid;
    }

    /// Set or replace a route. @param sid next uSID of a packet @param port egress port
    void SetRoute(uint16_t sid, uint16_t port);

    /// Take the uSID of this switch off a packet, if it is the next one. @param frame a frame
    /// @return the port for the next uSID; nothing: the frame is no packet of SRv6, or has no route
    std::optional<uint16_t> Step(Frame& frame) const;

    bool ReadsRoce() const override
    {
        return true;
    }

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    bool Unrouted(Frame* frame) override;

  private:
    static constexpr uint16_t NO_PORT{0xffff}; //!< of uSIDs without a route
    static constexpr uint32_t NO_SID{0x10000}; //!< no uSID is this

    /// @param locator attribute Locator
    void SetLocator(Ipv6Address locator);
    /// @return attribute Locator
    Ipv6Address GetLocatorPrefix() const;

    /// @param sid a uSID @return its port, or NO_PORT
    uint16_t Find(uint16_t sid) const
    {
        const uint32_t offset = sid - m_first; // wraps below the first one
        return offset < m_ports.size() ? m_ports[offset] : NO_PORT;
    }

    uint32_t m_locator{0};
    uint32_t m_sid{NO_SID};               //!< SetSid()
    uint32_t m_first{0};                  //!< uSID of m_ports[0]
    std::vector<uint16_t> m_ports;        //!< egress port by uSID - m_first
    std::vector<QbbNetDevice*> m_devices; //!< by port
    FabricSwitch* m_owner{nullptr};
};

} // namespace ns3

#endif // LOSSLESS_SRV6_SWITCH_H
