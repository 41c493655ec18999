// SPDX-License-Identifier: GPL-2.0-only
#include "srv6-switch.h"

#include "fabric-switch.h"

#include "ns3/srv6-frame.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Srv6Switch);

TypeId
Srv6Switch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Srv6Switch")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<Srv6Switch>()
            .AddAttribute(
                "Locator",
                "Prefix of 32 bits of the addresses that are forwarded by micro-segments "
                "of 16 bits behind it",
                Ipv6AddressValue("fcbb:bb00::"),
                MakeIpv6AddressAccessor(&Srv6Switch::SetLocator, &Srv6Switch::GetLocatorPrefix),
                MakeIpv6AddressChecker());
    return tid;
}

void
Srv6Switch::SetLocator(Ipv6Address locator)
{
    std::array<uint8_t, 16> octets;
    locator.GetBytes(octets.data());
    const bool isPrefix =
        std::all_of(octets.begin() + 4, octets.end(), [](uint8_t octet) { return octet == 0; });
    if (m_owner || !isPrefix || octets[0] == 0 || octets[0] == 0xff)
    {
        throw std::invalid_argument(
            m_owner ? "Srv6Switch: Locator is fixed once the switch has started; set it before"
                    : "Srv6Switch: Locator must be a unicast prefix of 32 bits, such as "
                      "fcbb:bb00::");
    }
    m_locator = uint32_t{octets[0]} << 24 | uint32_t{octets[1]} << 16 | uint32_t{octets[2]} << 8 |
                octets[3];
}

Ipv6Address
Srv6Switch::GetLocatorPrefix() const
{
    std::array<uint8_t, 16> octets{};
    for (uint32_t i = 0; i < 4; ++i)
    {
        octets[i] = static_cast<uint8_t>(m_locator >> (24 - 8 * i));
    }
    return Ipv6Address(octets.data());
}

void
Srv6Switch::SetRoute(uint16_t sid, uint16_t port)
{
    if (m_ports.empty() || sid < m_first)
    {
        m_ports.insert(m_ports.begin(), m_ports.empty() ? 1 : m_first - sid, NO_PORT);
        m_first = sid;
    }
    m_ports.resize(std::max<std::size_t>(m_ports.size(), sid - m_first + 1), NO_PORT);
    m_ports[sid - m_first] = port;
}

uint32_t
Srv6Switch::GetHooks() const
{
    return ON_UNROUTED;
}

void
Srv6Switch::Start(FabricSwitch& owner)
{
    m_owner = &owner;
    m_devices.clear();
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        m_devices.push_back(PeekPointer(owner.GetPort(port)));
    }
}

std::optional<uint16_t>
Srv6Switch::Step(Frame& frame) const
{
    if (frame.kind != FrameKind::ROCE || frame.dstHigh[0] != m_locator || frame.ipVersion != 6)
    {
        return std::nullopt;
    }
    if (NextMicroSid(frame) == m_sid)
    {
        ShiftMicroSids(frame);
    }
    const uint16_t port = Find(NextMicroSid(frame));
    return port == NO_PORT ? std::nullopt : std::optional(port);
}

bool
Srv6Switch::Unrouted(Frame* frame)
{
    const auto found = Step(*frame);
    if (!found || *found >= m_devices.size())
    {
        return false; // the switch drops it: no route
    }
    const uint16_t port = *found;
    if (frame->ttl <= 1 || !m_devices[port]->IsLinkUp())
    {
        m_owner->Refuse(frame, frame->ttl <= 1 ? DropReason::TTL_EXPIRED : DropReason::LINK_DOWN);
        return true;
    }
    --frame->ttl;
    m_owner->Forward(frame, port);
    return true;
}

} // namespace ns3
