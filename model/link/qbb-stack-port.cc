// SPDX-License-Identifier: GPL-2.0-only
#include "qbb-stack-port.h"

#include "ether-types.h"
#include "ip-frame.h"

#include "ns3/fabric-frame.h"
#include "ns3/log.h"
#include "ns3/node.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbStackPort");

QbbStackPort::QbbStackPort() = default;

QbbStackPort::QbbStackPort(const QbbStackPort& like)
    : NetDevice(like),
      m_mtu(like.m_mtu)
{
}

QbbStackPort::~QbbStackPort() = default;

void
QbbStackPort::DoDispose()
{
    m_node = nullptr;
    m_receive.Nullify();
    m_promiscReceive.Nullify();
    NetDevice::DoDispose();
}

// ---- stock IP packets

bool
QbbStackPort::Send(Ptr<Packet> packet, const Address&, uint16_t protocol)
{
    Frame* frame = FrameFromIpPacket(packet, protocol);
    if (!frame)
    {
        NS_LOG_WARN("not an IP packet, protocol " << protocol);
        return false;
    }
    return SendFrame(frame);
}

bool
QbbStackPort::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false; // SupportsSendFrom() says so
}

void
QbbStackPort::DeliverUp(Frame* frame)
{
    Ptr<Packet> packet = TakeIpPacket(*frame);
    const uint16_t protocol = frame->ipVersion == 4 ? ETHERTYPE_IPV4 : ETHERTYPE_IPV6;
    frame->Release();
    const Address from = GetPeerAddress();
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this, packet, protocol, from, m_address, PACKET_HOST);
    }
    if (!m_receive.IsNull())
    {
        m_receive(this, packet, protocol, from);
    }
}

// ---- NetDevice

void
QbbStackPort::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
QbbStackPort::GetIfIndex() const
{
    return m_ifIndex;
}

void
QbbStackPort::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
QbbStackPort::GetAddress() const
{
    return m_address;
}

bool
QbbStackPort::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
QbbStackPort::GetMtu() const
{
    return m_mtu;
}

void
QbbStackPort::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChanges.ConnectWithoutContext(callback);
}

bool
QbbStackPort::IsBroadcast() const
{
    return true;
}

Address
QbbStackPort::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
QbbStackPort::IsMulticast() const
{
    return true;
}

Address
QbbStackPort::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
QbbStackPort::GetMulticast(Ipv6Address group) const
{
    return Mac48Address::GetMulticast(group);
}

bool
QbbStackPort::IsBridge() const
{
    return false;
}

bool
QbbStackPort::IsPointToPoint() const
{
    return true;
}

Ptr<Node>
QbbStackPort::GetNode() const
{
    return m_node;
}

void
QbbStackPort::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
QbbStackPort::NeedsArp() const
{
    return false; // a cable has one other end
}

void
QbbStackPort::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
QbbStackPort::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscReceive = callback;
}

bool
QbbStackPort::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3
