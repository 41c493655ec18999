// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STACK_DROPS_H
#define LOSSLESS_STACK_DROPS_H

#include "ns3/callback-guard.h"
#include "ns3/drop-reason.h"
#include "ns3/fabric.h"
#include "ns3/vxlan-net-device.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

class Ipv4Header;
class Ipv6Header;
class Node;
class Packet;

/**
 * @ingroup lossless
 *
 * Counts what the IP stacks of hosts drop in a run, which no port of the fabric sees, and names it
 * at the end: packets for which ARP has found no MAC address or had no room, packets that IP could
 * not deliver or send, datagrams that came to a port of UDP while nothing listened there, those
 * for which the socket there had no room, and frames that VXLAN devices do not take.
 */
class StackDrops
{
  public:
    /// @param fabric that begins to run, and outlives this object. Stacks that hosts get later do
    /// not count.
    explicit StackDrops(const Fabric& fabric);

    /// The run has ended: name what was dropped.
    void Warn() const;

  private:
    /// What one stack has dropped. Each is written by the thread of its host alone.
    struct Host
    {
        uint64_t unresolved{0};                      //!< packets that waited for ARP
        std::map<std::string, uint64_t> undelivered; //!< packets of TCP and UDP, by reason
        std::map<uint16_t, uint64_t> unheard;        //!< datagrams, by port of UDP
        uint64_t overflown{0};                       //!< datagrams, for want of room in sockets
        std::map<DropReason, uint64_t> untunnelled;  //!< frames of VXLAN devices, by reason
        std::set<uint16_t> met;                      //!< ports of UDP to which datagrams came
        std::set<Ptr<Object>> sockets;               //!< of UDP, whose drops count
    };

    /// Look at a stack. @param host that has it @param drops counts what it drops
    void Watch(HostId host, Host& drops);
    /// Look at ARP. @param node with a stack @param drops counts what it drops
    void WatchArp(const Node& node, Host& drops);
    /// Look at IPv4 or IPv6. @tparam Protocol of ns-3 @tparam Ip its base @tparam Header of its
    /// packets @param node with a stack @param drops counts what it drops
    template <typename Protocol, typename Ip, typename Header>
    void WatchIp(const Node& node, Host& drops);
    /// Look at VXLAN devices. @param node that may have some @param drops counts what they drop
    void WatchTunnels(const Node& node, Host& drops);
    /// A datagram has come: look at the sockets of UDP, if it is the first to its port.
    /// @param protocol in the header of IP @param packet what follows @param node with a stack
    /// @param drops counts what the sockets drop
    void WatchSockets(uint8_t protocol, const Packet& packet, const Node& node, Host& drops);
    /// A stack sends a packet: one that says that nothing listens tells of a datagram.
    /// @param header of the packet @param packet what it carries @param drops of the stack
    static void NoteUnheard(const Ipv4Header& header, const Packet& packet, Host& drops);
    /// @copydoc NoteUnheard(const Ipv4Header&,const Packet&,Host&)
    static void NoteUnheard(const Ipv6Header& header, const Packet& packet, Host& drops);
    /// Name what VXLAN devices have dropped.
    void WarnOfTunnels() const;
    /// @param count of a stack @param what is counted, such as "packets"
    /// @return "3 packets, 2 of them at host 1"; empty: there is none
    std::string Describe(const std::function<uint64_t(const Host&)>& count,
                         const std::string& what) const;

    const Fabric& m_fabric;
    std::vector<Host> m_hosts;
    std::vector<Ptr<VxlanNetDevice>> m_tunnels;
    CallbackGuard m_guard;
};

} // namespace ns3

#endif // LOSSLESS_STACK_DROPS_H
