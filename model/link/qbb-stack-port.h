// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QBB_STACK_PORT_H
#define LOSSLESS_QBB_STACK_PORT_H

#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{

class Frame;

/**
 * @ingroup lossless
 *
 * The NetDevice interface of a port: its properties, and the path of stock IP packets to and from
 * the IP stack. Only QbbNetDevice derives from this class; QbbNetDevice adds the line and the
 * queues, and registers the attributes.
 */
class QbbStackPort : public NetDevice
{
  public:
    ~QbbStackPort() override;

    /// Deliver a frame to the IP stack of the node. @param frame a frame of kind IP; the port takes
    /// ownership
    void DeliverUp(Frame* frame);

    // ---- NetDevice

    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
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

    QbbStackPort& operator=(const QbbStackPort&) = delete;

  protected:
    QbbStackPort();
    /// @param like the port whose Mtu the new one has
    QbbStackPort(const QbbStackPort& like);
    void DoDispose() override;

    /// @param frame a frame of the IP stack, taken over @return whether the frame has been queued
    virtual bool SendFrame(Frame* frame) = 0;

    /// @return MAC address of the other end of the cable; an empty address if there is none
    virtual Address GetPeerAddress() const = 0;

    Ptr<Node> m_node;               //!< SetNode()
    Mac48Address m_address;         //!< SetAddress()
    TracedCallback<> m_linkChanges; //!< AddLinkChangeCallback()

  private:
    uint32_t m_ifIndex{0};
    uint16_t m_mtu{0}; //!< attribute Mtu
    ReceiveCallback m_receive;
    PromiscReceiveCallback m_promiscReceive;
};

} // namespace ns3

#endif // LOSSLESS_QBB_STACK_PORT_H
