// SPDX-License-Identifier: GPL-2.0-only
#include "lost-stats.h"

#include "fabric-ports.h"
#include "loss-check.h"
#include "lossy-class.h"

#include "ns3/arp-cache.h"
#include "ns3/arp-l3-protocol.h"
#include "ns3/fabric-ranks.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/object-vector.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/udp-header.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/vxlan-net-device.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace
{

/// @param reason of a drop @return whether somebody wants such drops: a fault, a guard or a rule
bool
IsMeant(DropReason reason)
{
    return reason == DropReason::LINK_DOWN || reason == DropReason::CORRUPTED ||
           reason == DropReason::INJECTED || reason == DropReason::WATCHDOG ||
           reason == DropReason::DEADLOCK || reason == DropReason::BORDER_POLICY ||
           reason == DropReason::NO_QUEUE_PAIR;
}

/// @param reason of a drop @return whether there is no way to the host, whatever the class is
bool
IsWithoutWay(DropReason reason)
{
    return reason == DropReason::NO_ROUTE || reason == DropReason::TTL_EXPIRED ||
           reason == DropReason::UNKNOWN_MAC || reason == DropReason::HOST_QUEUE_FULL;
}

/// @return what ns-3 calls the reason; empty: nothing is lost, it was a copy of what had come
const char*
NameOf(Ipv4L3Protocol::DropReason reason)
{
    switch (reason)
    {
    case Ipv4L3Protocol::DROP_TTL_EXPIRED:
        return "DROP_TTL_EXPIRED";
    case Ipv4L3Protocol::DROP_NO_ROUTE:
        return "DROP_NO_ROUTE";
    case Ipv4L3Protocol::DROP_BAD_CHECKSUM:
        return "DROP_BAD_CHECKSUM";
    case Ipv4L3Protocol::DROP_INTERFACE_DOWN:
        return "DROP_INTERFACE_DOWN";
    case Ipv4L3Protocol::DROP_FRAGMENT_TIMEOUT:
        return "DROP_FRAGMENT_TIMEOUT";
    case Ipv4L3Protocol::DROP_DUPLICATE:
        return "";
    default:
        return "DROP_ROUTE_ERROR";
    }
}

/// @return what ns-3 calls the reason
const char*
NameOf(Ipv6L3Protocol::DropReason reason)
{
    switch (reason)
    {
    case Ipv6L3Protocol::DROP_TTL_EXPIRED:
        return "DROP_TTL_EXPIRED";
    case Ipv6L3Protocol::DROP_NO_ROUTE:
        return "DROP_NO_ROUTE";
    case Ipv6L3Protocol::DROP_INTERFACE_DOWN:
        return "DROP_INTERFACE_DOWN";
    case Ipv6L3Protocol::DROP_ROUTE_ERROR:
        return "DROP_ROUTE_ERROR";
    case Ipv6L3Protocol::DROP_FRAGMENT_TIMEOUT:
        return "DROP_FRAGMENT_TIMEOUT";
    default:
        return "DROP_MALFORMED_HEADER";
    }
}

/// @param header of IPv4 @return the protocol that it carries
uint8_t
ProtocolOf(const Ipv4Header& header)
{
    return header.GetProtocol();
}

/// @param header of IPv6 @return the protocol that it carries
uint8_t
ProtocolOf(const Ipv6Header& header)
{
    return header.GetNextHeader();
}

} // namespace

LostStats::LostStats(const Fabric& fabric)
    : TableReport("lost", {GetTable()}),
      m_fabric(fabric)
{
}

TableSpec
LostStats::GetTable()
{
    using C = ColumnSpec;
    return {"lost",
            "frames of one sort that one port has dropped, or packets that one IP stack has",
            {{"reason", "", "why, as drops are counted, or as ns-3 calls it", C::TEXT},
             {"place", "", "switch or host, and port", C::TEXT},
             {"class",
              "",
              "priority group of the last at a switch; of a host sent_class",
              C::REAL,
              "%.0f"},
             {"sent_class", "", "class in which the sender has them", C::REAL, "%.0f"},
             {"frames", "frames", "how many"},
             {"bytes", "bytes", "on the wire; of an IP stack their payload"},
             {"content", "", "rdma (data), ip or other", C::TEXT}},
            false};
}

void
LostStats::Watch()
{
    m_before = Read();
    m_lossless = LosslessAtHosts(m_fabric);
    m_timeoutsBefore = CountTimeouts();
    m_stacks.resize(m_fabric.GetNHosts());
    for (const HostId host : m_fabric.Hosts())
    {
        WatchStack(*m_fabric.GetHost(host), m_stacks[host.Value()]);
    }
}

// ---- IP stacks

void
LostStats::WatchDrop(const Ptr<Object>& object, Stack& stack, const char* reason)
{
    object->TraceConnectWithoutContext("Drop",
                                       Callback<void, Ptr<const Packet>>(m_guard.Wrap(
                                           [&stack, reason](const Ptr<const Packet>& packet) {
                                               Count& count = stack.drops[reason];
                                               ++count.frames;
                                               count.bytes += packet->GetSize();
                                           })));
}

void
LostStats::WatchStack(const Node& node, Stack& stack)
{
    if (const auto arp = node.GetObject<ArpL3Protocol>())
    {
        WatchDrop(arp, stack, "ArpL3Protocol");
    }
    const auto ipv4 = node.GetObject<Ipv4L3Protocol>();
    for (uint32_t i = 0; ipv4 && i < ipv4->GetNInterfaces(); ++i)
    {
        if (const auto cache = ipv4->GetInterface(i)->GetArpCache())
        {
            WatchDrop(cache, stack, "ArpCache");
        }
    }
    for (uint32_t i = 0; i < node.GetNDevices(); ++i)
    {
        if (const auto device = DynamicCast<VxlanNetDevice>(node.GetDevice(i)))
        {
            device->TraceConnectWithoutContext(
                "Drop",
                Callback<void, Ptr<const Packet>, DropReason>(
                    m_guard.Wrap([&stack](const Ptr<const Packet>& packet, DropReason reason) {
                        Count& count = stack.drops[ToString(reason)];
                        ++count.frames;
                        count.bytes += packet->GetSize();
                    })));
        }
    }
    WatchIp<Ipv4L3Protocol, Ipv4, Ipv4Header>(node, stack);
    WatchIp<Ipv6L3Protocol, Ipv6, Ipv6Header>(node, stack);
}

template <typename Protocol, typename Ip, typename Header>
void
LostStats::WatchIp(const Node& node, Stack& stack)
{
    const auto ip = node.GetObject<Protocol>();
    if (!ip)
    {
        return;
    }
    using Reason = typename Protocol::DropReason;
    ip->TraceConnectWithoutContext(
        "Drop",
        Callback<void, const Header&, Ptr<const Packet>, Reason, Ptr<Ip>, uint32_t>(
            m_guard.Wrap([&stack](const Header& header,
                                  const Ptr<const Packet>& packet,
                                  Reason reason,
                                  const Ptr<Ip>&,
                                  uint32_t) {
                const uint8_t protocol = ProtocolOf(header);
                const std::string name = NameOf(reason);
                if (!name.empty() && (protocol == TcpL4Protocol::PROT_NUMBER ||
                                      protocol == UdpL4Protocol::PROT_NUMBER))
                {
                    Count& count = stack.drops[name];
                    ++count.frames;
                    count.bytes += packet->GetSize();
                }
            })));
    ip->TraceConnectWithoutContext(
        "LocalDeliver",
        Callback<void, const Header&, Ptr<const Packet>, uint32_t>(m_guard.Wrap(
            [this, &node, &stack](const Header& header, const Ptr<const Packet>& packet, uint32_t) {
                if (ProtocolOf(header) == UdpL4Protocol::PROT_NUMBER)
                {
                    WatchSockets(*packet, node, stack);
                }
            })));
}

void
LostStats::WatchSockets(const Packet& packet, const Node& node, Stack& stack)
{
    UdpHeader header;
    if (packet.PeekHeader(header) == 0 || !stack.met.insert(header.GetDestinationPort()).second)
    {
        return;
    }
    ObjectVectorValue sockets;
    node.GetObject<UdpL4Protocol>()->GetAttribute("SocketList", sockets);
    for (std::size_t i = 0; i < sockets.GetN(); ++i)
    {
        if (stack.sockets.insert(sockets.Get(i)).second)
        {
            WatchDrop(sockets.Get(i), stack, "UdpSocket");
        }
    }
}

// ---- what was lost

std::vector<LostStats::Loss>
LostStats::Read() const
{
    std::vector<Loss> losses;
    for (const FabricPort& port : PortsOf(m_fabric))
    {
        for (const LostFrames& frames : port.device->GetLost())
        {
            losses.push_back({port.node, port.port, frames});
        }
    }
    return losses;
}

std::vector<LostStats::Loss>
LostStats::ReadRun() const
{
    std::vector<Loss> ofRun;
    auto before = m_before.begin();
    for (Loss& loss : Read())
    {
        if (before != m_before.end() && before->node == loss.node && before->port == loss.port &&
            before->frame.IsLike(loss.frame))
        {
            loss.frame.frames -= before->frame.frames;
            loss.frame.bytes -= before->frame.bytes;
            ++before;
        }
        if (loss.frame.frames)
        {
            ofRun.push_back(loss);
        }
    }
    return ofRun;
}

bool
LostStats::IsWrong(const LostFrames& frame) const
{
    if (IsMeant(frame.reason))
    {
        return false;
    }
    const uint8_t lossless = m_lossless | LosslessAtHosts(m_fabric);
    return (frame.content == LostFrames::RDMA_DATA && IsWithoutWay(frame.reason)) ||
           (IsLossForbidden(m_fabric) && (lossless >> frame.sentClass & 1) != 0);
}

uint64_t
LostStats::CountTimeouts() const
{
    uint64_t timeouts = 0;
    for (const HostId host : m_fabric.Hosts())
    {
        timeouts += m_fabric.GetRdma(host)->GetCounters().timeouts;
    }
    return timeouts;
}

void
LostStats::Find() const
{
    if (FabricRanks::IsOn() || m_fabric.IsDestroyed())
    {
        return;
    }
    uint64_t all = 0;
    std::map<std::string, uint64_t> wrong; // by reason
    bool isAnyLost = false;
    for (const Loss& loss : ReadRun())
    {
        // What comes to a queue pair that is gone was not lost on its way.
        isAnyLost = isAnyLost || loss.frame.reason != DropReason::NO_QUEUE_PAIR;
        if (IsWrong(loss.frame))
        {
            wrong[ToString(loss.frame.reason)] += loss.frame.frames;
            all += loss.frame.frames;
        }
    }
    for (const Stack& stack : m_stacks)
    {
        for (const auto& [reason, count] : stack.drops)
        {
            wrong[reason] += count.frames;
            all += count.frames;
        }
    }
    Findings& findings = m_fabric.GetFindings();
    if (all)
    {
        std::string what = std::to_string(all) + (all == 1 ? " frame" : " frames") + " lost:";
        for (const auto& [reason, frames] : wrong)
        {
            what += " " + reason + " " + std::to_string(frames) + ",";
        }
        what.pop_back();
        findings.Add({Level::LOSS, "lost", "", {}, what, "lost.csv says where"});
    }
    const uint64_t timeouts = CountTimeouts() - m_timeoutsBefore;
    if (timeouts && !isAnyLost)
    {
        findings.Add(
            {Level::INFO,
             "timeout",
             "",
             {},
             std::to_string(timeouts) +
                 " retransmission timeouts of queue pairs, though no frame was lost",
             "raise the timeout (RetransmitTimeout, of RdmaIrn TimeoutLow and TimeoutHigh, of "
             "RdmaMrc Timeout), or see what keeps answers from them"});
    }
}

void
LostStats::Close(Time)
{
    if (!m_rows || FabricRanks::IsOn())
    {
        return;
    }
    constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
    const FabricTopology& topology = m_fabric.GetTopology();
    const auto names = FabricPlaces::NamesOf(topology);
    static const char* const contents[] = {"rdma", "ip", "other"};
    for (const Loss& loss : ReadRun())
    {
        m_rows->Add(ToString(loss.frame.reason),
                    names[loss.node.Value()] + " port " + std::to_string(loss.port),
                    static_cast<double>(topology.IsSwitch(loss.node) ? loss.frame.group
                                                                     : loss.frame.sentClass),
                    static_cast<double>(loss.frame.sentClass),
                    loss.frame.frames,
                    loss.frame.bytes,
                    contents[loss.frame.content]);
    }
    for (std::size_t host = 0; host < m_stacks.size(); ++host)
    {
        for (const auto& [reason, count] : m_stacks[host].drops)
        {
            m_rows->Add(reason,
                        HostId(static_cast<uint32_t>(host)).Name(),
                        NONE,
                        NONE,
                        count.frames,
                        count.bytes,
                        contents[LostFrames::IP]);
        }
    }
}

} // namespace ns3
