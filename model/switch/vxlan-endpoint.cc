// SPDX-License-Identifier: GPL-2.0-only
#include "vxlan-endpoint.h"

#include "fabric-switch.h"
#include "leads-to-host.h"

#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("VxlanEndpoint");

NS_OBJECT_ENSURE_REGISTERED(VxlanEndpoint);

namespace
{

/// @param address any @return the address as text
template <typename Address>
std::string
Text(const Address& address)
{
    std::ostringstream text;
    text << address;
    return text.str();
}

/// @param host an address @return a frame to it, for a look-up
Frame*
FrameTo(Ipv4Address host)
{
    auto* const frame = new Frame;
    frame->dst = host.Get();
    return frame;
}

/// @param host an address @return a frame to it, for a look-up
Frame*
FrameTo(const Ipv6Address& host)
{
    std::array<uint8_t, 16> bytes{};
    host.GetBytes(bytes.data());
    std::array<uint32_t, 4> words{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        words[i / 4] = words[i / 4] << 8 | bytes[i];
    }
    auto* const frame = new Frame;
    frame->ipVersion = 6;
    frame->dstHigh = {words[0], words[1], words[2]};
    frame->dst = words[3];
    return frame;
}

/// @param port of a switch @return longest IP packet that a host behind it sends; 0: no host is
uint32_t
HostMtu(const QbbNetDevice& port)
{
    return LeadsToHost(port) ? port.GetPeer()->GetMtu() : 0;
}

} // namespace

TypeId
VxlanEndpoint::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::VxlanEndpoint")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<VxlanEndpoint>()
            .AddAttribute(
                "Vni",
                "VXLAN network identifier of the tunnels that begin at the switch, and of "
                "those that may end there",
                UintegerValue(1),
                MakeUintegerAccessor(&VxlanEndpoint::SetVni, &VxlanEndpoint::GetVni),
                MakeUintegerChecker<uint32_t>(0, (1U << 24) - 1))
            .AddAttribute("OuterIp",
                          "IP version of the tunnels that begin at the switch: Ipv4 (50 bytes more "
                          "a frame) or Ipv6 (70 bytes)",
                          EnumValue(IPV4),
                          MakeLive(MakeLosslessEnumAccessor<OuterIp>(&VxlanEndpoint::m_outerIp),
                                   &VxlanEndpoint::SettingChanged),
                          MakeEnumChecker(IPV4, "Ipv4", IPV6, "Ipv6"))
            .AddTraceSource("Encapsulated",
                            "A frame has been put into a tunnel: the outer frame.",
                            MakeTraceSourceAccessor(&VxlanEndpoint::m_encapsulated),
                            "ns3::VxlanEndpoint::FrameTracedCallback")
            .AddTraceSource("Decapsulated",
                            "A frame has left a tunnel: the frame, with the ECN that it has now.",
                            MakeTraceSourceAccessor(&VxlanEndpoint::m_decapsulated),
                            "ns3::VxlanEndpoint::FrameTracedCallback");
    return tid;
}

void
VxlanEndpoint::DoDispose()
{
    m_owner = nullptr;
    SwitchExtension::DoDispose();
}

// ---- who is where

void
VxlanEndpoint::SetVni(uint32_t vni)
{
    if (m_isJoined && vni != m_vni)
    {
        throw std::invalid_argument("VxlanEndpoint: Vni of an end point that is joined to others "
                                    "cannot change, as they would drop what it sends; set it when "
                                    "the fabric is built");
    }
    m_vni = vni;
}

void
VxlanEndpoint::SetAddress(Ipv4Address address)
{
    NS_LOG_FUNCTION(this << address);
    m_address = address.Get();
}

Ipv4Address
VxlanEndpoint::GetAddress() const
{
    return Ipv4Address(m_address);
}

ForwardingTable::GroupId
VxlanEndpoint::TunnelTo(Ipv4Address endpoint)
{
    if (endpoint.Get() == m_address)
    {
        throw std::invalid_argument("VxlanEndpoint: a tunnel from " + Text(endpoint) +
                                    " to itself; name the end point that the host is behind");
    }
    const auto known = std::find(m_remotes.begin(), m_remotes.end(), endpoint.Get());
    const auto tunnel = static_cast<uint16_t>(known - m_remotes.begin());
    const auto group = m_table.AddGroup({tunnel});
    if (known == m_remotes.end())
    {
        m_remotes.push_back(endpoint.Get());
    }
    return group;
}

template <typename Address>
void
VxlanEndpoint::Store(const NextHopGroup* known, const Address& host, Ipv4Address endpoint)
{
    if (known && m_remotes[known->sole] != endpoint.Get())
    {
        throw std::invalid_argument("VxlanEndpoint: host " + Text(host) + " is behind " +
                                    Text(Ipv4Address(m_remotes[known->sole])) +
                                    " already, and cannot be behind " + Text(endpoint) +
                                    " too; name one of them");
    }
    m_table.SetRoute(host, TunnelTo(endpoint));
}

void
VxlanEndpoint::AddHost(Ipv4Address host, Ipv4Address endpoint)
{
    NS_LOG_FUNCTION(this << host << endpoint);
    Frame* const frame = FrameTo(host);
    const NextHopGroup* const known = m_table.Find(*frame);
    frame->Release();
    Store(known, host, endpoint);
}

void
VxlanEndpoint::AddHost(const Ipv6Address& host, Ipv4Address endpoint)
{
    NS_LOG_FUNCTION(this << host << endpoint);
    Frame* const frame = FrameTo(host);
    const NextHopGroup* const known = m_table.Find(*frame);
    frame->Release();
    Store(known, host, endpoint);
}

void
VxlanEndpoint::SetHosts(std::shared_ptr<const HostSites> sites,
                        const std::vector<Ipv4Address>& endpoints)
{
    NS_LOG_FUNCTION(this << endpoints.size());
    std::vector<ForwardingTable::GroupId> groups{0};
    for (const Ipv4Address endpoint : endpoints)
    {
        const bool isElsewhere = endpoint.Get() != 0 && endpoint.Get() != m_address;
        groups.push_back(isElsewhere ? TunnelTo(endpoint) : 0);
    }
    m_table.SetSiteRoutes(std::move(sites), groups);
    m_isJoined = true;
}

// ---- the extension

uint32_t
VxlanEndpoint::GetAddedBytes() const
{
    return m_address && !m_remotes.empty() ? VxlanAddedBytes(m_outerIp) : 0;
}

uint32_t
VxlanEndpoint::GetHooks() const
{
    return m_address ? ON_ARRIVAL | ON_UNROUTED | ON_DEQUEUE : 0;
}

void
VxlanEndpoint::Check(FabricSwitch& owner)
{
    if (!m_address)
    {
        return;
    }
    uint32_t longest = 0; // that may have to go into a tunnel
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        longest = std::max(longest, HostMtu(*owner.GetPort(port)));
    }
    if (longest == 0)
    {
        return;
    }
    const uint32_t needed = longest + VxlanAddedBytes(m_outerIp);
    for (const uint32_t remote : m_remotes)
    {
        Frame* const frame = FrameTo(Ipv4Address(remote));
        const NextHopGroup* const way = owner.GetForwardingTable().Find(*frame);
        frame->Release();
        for (std::size_t i = 0; way && i < way->all.size(); ++i)
        {
            const uint32_t mtu = owner.GetPort(way->all[i])->GetMtu();
            if (mtu < needed)
            {
                throw std::invalid_argument(
                    "VxlanEndpoint: packets of hosts have up to " + std::to_string(longest) +
                    " bytes, which a tunnel makes " + std::to_string(needed) +
                    ", and Mtu of port " + std::to_string(way->all[i]) + " is " +
                    std::to_string(mtu) + "; set it to " + std::to_string(needed) +
                    " at the links between switches, or a smaller one at hosts");
            }
        }
    }
}

void
VxlanEndpoint::Start(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this << Ipv4Address(m_address) << m_vni);
    Check(owner);
    m_owner = &owner;
}

bool
VxlanEndpoint::Encapsulate(Frame& frame) const
{
    if (frame.kind == FrameKind::VXLAN || frame.flooded)
    {
        return false;
    }
    const NextHopGroup* const tunnel = m_table.Find(frame);
    if (!tunnel)
    {
        return false; // a host of this switch, or of one without an end point
    }
    EnterTunnel(frame, {m_outerIp, m_vni, m_address, m_remotes[tunnel->sole], PREFIX});
    return true;
}

void
VxlanEndpoint::Arrived(Frame& frame, uint32_t /* inPort */)
{
    if (IsForUs(frame))
    {
        Decapsulate(frame);
    }
    else if (Encapsulate(frame))
    {
        ++m_counters.encapsulated;
        m_owner->Reclassify(frame); // a tag that is trusted has moved with the frame
        m_encapsulated(frame);
    }
}

void
VxlanEndpoint::Decapsulate(Frame& frame)
{
    // What does not leave the tunnel has no route, and comes to Unrouted().
    if (frame.vni != m_vni)
    {
        m_refused = DropReason::TUNNEL_VNI;
        ++m_counters.vniDrops;
        return;
    }
    const bool wasMarked = frame.inner->ecn == Ecn::CE;
    if (!LeaveTunnel(frame))
    {
        m_refused = DropReason::TUNNEL_ECN;
        ++m_counters.ecnDrops;
        return;
    }
    ++m_counters.decapsulated;
    m_counters.copiedMarks += !wasMarked && frame.ecn == Ecn::CE;
    m_owner->Reclassify(frame);
    m_decapsulated(frame);
}

bool
VxlanEndpoint::Unrouted(Frame* frame)
{
    if (!IsForUs(*frame))
    {
        return false;
    }
    NS_LOG_LOGIC("a frame of VNI " << frame->vni << " does not leave its tunnel: " << m_refused);
    m_owner->Refuse(frame, m_refused);
    return true;
}

void
VxlanEndpoint::Dequeued(Frame& frame, uint32_t /* outPort */, uint64_t /* queueBytes */)
{
    // The ECN decision is made, at arrival or now: what it says of the outer frame is of the inner
    // one too where the tunnel begins.
    if (frame.kind == FrameKind::VXLAN && frame.ecn == Ecn::CE && frame.src == m_address &&
        frame.inner->ecn != Ecn::CE)
    {
        frame.inner->ecn = Ecn::CE;
        ++m_counters.innerMarks;
    }
}

} // namespace ns3
