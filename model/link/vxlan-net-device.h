// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_VXLAN_NET_DEVICE_H
#define LOSSLESS_VXLAN_NET_DEVICE_H

#include "ns3/address.h"
#include "ns3/counter-fields.h"
#include "ns3/drop-reason.h"
#include "ns3/ethernet-header.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A VXLAN tunnel end point in a host (RFC 7348, doc/vxlan.rst): a net device of the stock IP stack
 * whose Ethernet frames travel in UDP to port 4789 of other hosts, by the same stack. It is to this
 * stack what an Ethernet port is: interfaces, ARP and neighbour discovery work on it.
 *
 * Where a frame goes is learned from the frames that arrive (attribute Learning), or told
 * (AddEntry()); what nobody knows, and broadcast and multicast, goes to all remotes (AddRemote()),
 * a copy each. DSCP and ECN are those of EnterTunnelEcn() and LeaveTunnelEcn(), the outer source
 * port that of VxlanSourcePort().
 *
 * Such a device and VxlanEndpoint, the end point in a switch, do not talk to each other.
 */
class VxlanNetDevice : public NetDevice
{
  public:
    /// What the device has done.
    struct Counters
    {
        uint64_t sent{0};        //!< packets of the stack that it took
        uint64_t copies{0};      //!< frames that it sent, copies included
        uint64_t received{0};    //!< frames that it delivered
        uint64_t copiedMarks{0}; //!< of these: got the CE mark of the tunnel
        uint64_t drops{0};       //!< frames that it dropped

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::sent, {"sent", "packets", "packets that the IP stack gave to the device"});
            visit(&C::copies, {"copies", "frames", "frames sent in tunnels, copies included"});
            visit(&C::received, {"received", "packets", "packets given to the IP stack"});
            visit(&C::copiedMarks,
                  {"copied_marks", "packets", "packets that got the CE mark of their tunnel"});
            visit(&C::drops, {"drops", "frames", "frames that the device dropped"});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    VxlanNetDevice();
    ~VxlanNetDevice() override;

    /// @param address own address of the tunnels: an Ipv4Address or Ipv6Address of the node
    void SetLocal(const Address& address);

    /// @param address of another end point, an Ipv4Address or Ipv6Address as the own one is
    void AddRemote(const Address& address);

    /// @param host MAC address of a device @param endpoint behind which it is, a remote
    void AddEntry(Mac48Address host, const Address& endpoint);

    /// @return what it has done
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    // ---- NetDevice

    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address group) const override;
    Address GetMulticast(Ipv6Address group) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& destination, uint16_t protocol) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& destination,
                  uint16_t protocol) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback callback) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override;

    /// A frame was dropped. @param frame the Ethernet frame, or what arrived in its place
    /// @param reason why
    typedef void (*DropTracedCallback)(Ptr<const Packet> frame, DropReason reason);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// Bind UDP port 4789 of the own address; std::invalid_argument if that cannot be.
    void Open();
    /// Send an Ethernet frame to another end point. @param frame with its header @param octet DSCP
    /// and ECN of the outer header @param port its UDP source port @param endpoint where to
    void SendTo(const Ptr<Packet>& frame, uint8_t octet, uint16_t port, const Address& endpoint);
    /// Datagrams are there. @param socket it
    void Receive(Ptr<Socket> socket);
    /// @param datagram with VXLAN header @param octet DSCP and ECN of its IP header @param from the
    /// other end point
    void ReceiveFrame(const Ptr<Packet>& datagram, uint8_t octet, const Address& from);
    /// Give the ECN of a tunnel to the packet in it. @param packet with its IP header @param type
    /// EtherType @param octet of the outer header @return whether it may be delivered
    bool LeaveTunnel(const Ptr<Packet>& packet, uint16_t type, uint8_t octet);
    /// Count and trace a drop. @param frame it @param reason why
    void Drop(const Ptr<const Packet>& frame, DropReason reason);

    Ptr<Node> m_node;
    Ptr<Socket> m_socket; //!< takes datagrams
    Address m_local;      //!< SetLocal()
    std::vector<Address> m_remotes;
    std::map<Mac48Address, Address> m_entries; //!< other end point by MAC address
    Mac48Address m_address;                    //!< attribute Address
    uint32_t m_vni{1};                         //!< attribute Vni
    uint16_t m_mtu{0};                         //!< attribute Mtu
    bool m_learns{true};                       //!< attribute Learning
    uint32_t m_ifIndex{0};
    Counters m_counters;
    ReceiveCallback m_receive;
    PromiscReceiveCallback m_promiscReceive;
    TracedCallback<> m_linkChanges;
    TracedCallback<Ptr<const Packet>> m_txTrace;
    TracedCallback<Ptr<const Packet>> m_rxTrace;
    TracedCallback<Ptr<const Packet>, DropReason> m_dropTrace;
};

static_assert(AreAllCountersVisited<VxlanNetDevice::Counters>(),
              "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_VXLAN_NET_DEVICE_H
