// SPDX-License-Identifier: GPL-2.0-only

// A port as the rest of ns-3 sees it: the NetDevice interface, captures, and the way of stock IP
// packets in and out. The data path is in qbb-net-device.cc.

#include "frame-codec.h"
#include "ip-frame.h"
#include "qbb-channel.h"
#include "qbb-net-device.h"
#include "qbb-port-owner.h"

#include "ns3/log.h"
#include "ns3/node.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbNetDeviceStack");

namespace
{

/// EtherType of IPv4.
constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;
/// EtherType of IPv6.
constexpr uint16_t ETHERTYPE_IPV6 = 0x86dd;

} // namespace

// ---- stock IP packets

bool
QbbNetDevice::Send(Ptr<Packet> packet, const Address&, uint16_t protocol)
{
    Frame* frame = FrameFromIpPacket(packet, protocol);
    if (!frame)
    {
        NS_LOG_WARN("not an IP packet, protocol " << protocol);
        return false;
    }
    const uint8_t cls = m_classMap->Classify(*frame);
    frame->trafficClass = cls;
    if (!m_linkUp)
    {
        Drop(frame, DropReason::LINK_DOWN);
        return false;
    }
    if (m_queues.Bytes(cls) + frame->bytes > m_ipQueueBytes)
    {
        Drop(frame, DropReason::HOST_QUEUE_FULL);
        return false;
    }
    m_queues.Push(frame);
    Kick();
    return true;
}

bool
QbbNetDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false; // SupportsSendFrom() says so
}

void
QbbNetDevice::DeliverUp(Frame* frame)
{
    Ptr<Packet> packet = TakeIpPacket(*frame);
    const uint16_t protocol = frame->ipVersion == 4 ? ETHERTYPE_IPV4 : ETHERTYPE_IPV6;
    frame->Release();
    auto peer = GetPeer();
    const Address from = peer ? peer->GetAddress() : Address();
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this, packet, protocol, from, m_address, PACKET_HOST);
    }
    if (!m_receive.IsNull())
    {
        m_receive(this, packet, protocol, from);
    }
}

void
QbbNetDevice::Sniff(const Frame& frame, bool sent)
{
    if (m_sniffer.IsEmpty() && m_promiscSniffer.IsEmpty())
    {
        return;
    }
    auto peer = GetPeer();
    const Mac48Address far = peer ? peer->m_address : Mac48Address();
    Ptr<const Packet> packet = FrameCodec::ToPacket(frame,
                                                    sent ? m_address : far,
                                                    sent ? far : m_address,
                                                    {m_computeIcrc, false});
    m_promiscSniffer(packet);
    m_sniffer(packet);
}

// ---- NetDevice

void
QbbNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
QbbNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
QbbNetDevice::GetChannel() const
{
    return m_channel;
}

void
QbbNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
QbbNetDevice::GetAddress() const
{
    return m_address;
}

bool
QbbNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
QbbNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
QbbNetDevice::IsLinkUp() const
{
    return m_linkUp;
}

void
QbbNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChanges.ConnectWithoutContext(callback);
}

bool
QbbNetDevice::IsBroadcast() const
{
    return true;
}

Address
QbbNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
QbbNetDevice::IsMulticast() const
{
    return true;
}

Address
QbbNetDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
QbbNetDevice::GetMulticast(Ipv6Address group) const
{
    return Mac48Address::GetMulticast(group);
}

bool
QbbNetDevice::IsBridge() const
{
    return false;
}

bool
QbbNetDevice::IsPointToPoint() const
{
    return true;
}

Ptr<Node>
QbbNetDevice::GetNode() const
{
    return m_node;
}

void
QbbNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
QbbNetDevice::NeedsArp() const
{
    return false; // a cable has one other end
}

void
QbbNetDevice::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
QbbNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscReceive = callback;
}

bool
QbbNetDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3
