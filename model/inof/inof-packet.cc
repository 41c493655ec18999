// SPDX-License-Identifier: GPL-2.0-only
#include "inof-packet.h"

#include "ether-types.h"

#include "ns3/ipv4-header.h"
#include "ns3/udp-header.h"

#include <algorithm>
#include <vector>

namespace ns3
{

Ptr<Packet>
MakeInofPacket(const InofDatagram& datagram,
               Ipv4Address source,
               Ipv4Address destination,
               uint8_t dscp)
{
    const std::vector<uint8_t> bytes = datagram.Serialise();
    auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    UdpHeader udp;
    udp.SetSourcePort(INOF_UDP_PORT);
    udp.SetDestinationPort(INOF_UDP_PORT);
    packet->AddHeader(udp);
    Ipv4Header ip;
    ip.SetSource(source);
    ip.SetDestination(destination);
    ip.SetProtocol(PROTOCOL_UDP);
    ip.SetTtl(destination.Get() == INOF_LINK_GROUP ? 1 : 64);
    ip.SetTos(static_cast<uint8_t>(dscp << 2));
    ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    ip.SetDontFragment();
    packet->AddHeader(ip);
    return packet;
}

std::optional<InofDatagram>
ReadInofPacket(Ptr<const Packet> original)
{
    const Ptr<Packet> packet = original->Copy();
    Ipv4Header ip;
    if (packet->RemoveHeader(ip) == 0 || ip.GetProtocol() != PROTOCOL_UDP || !ip.IsLastFragment() ||
        ip.GetFragmentOffset() != 0 || packet->GetSize() < 8)
    {
        return std::nullopt;
    }
    UdpHeader udp;
    packet->RemoveHeader(udp);
    if (udp.GetDestinationPort() != INOF_UDP_PORT)
    {
        return std::nullopt;
    }
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    return InofDatagram::Parse(bytes.data(), bytes.size());
}

Time
InofDelay(int64_t ps)
{
    const Time time = PicoSeconds(std::max<int64_t>(ps, 0));
    return time.GetPicoSeconds() < ps ? time + TimeStep(1) : time;
}

} // namespace ns3
