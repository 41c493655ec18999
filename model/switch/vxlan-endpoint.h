// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_VXLAN_ENDPOINT_H
#define LOSSLESS_VXLAN_ENDPOINT_H

#include "forwarding-table.h"
#include "switch-extension.h"

#include "ns3/counter-fields.h"
#include "ns3/host-sites.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/traced-callback.h"
#include "ns3/vxlan-frame.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * VXLAN tunnel end point of a switch to which hosts are attached (RFC 7348, doc/vxlan.rst). A frame
 * to a host behind another end point goes into a tunnel where it arrives, so that class, buffer and
 * queue are those of the outer frame; a frame that arrives in a tunnel to this end point leaves the
 * tunnel and is forwarded.
 *
 * ECN is that of RFC 6040, for three places of congestion: at this switch, where the outer frame is
 * marked and so is the inner one; in between, where the outer frame is marked, and the mark is
 * copied where the tunnel ends; behind that, where no tunnel is. PFC classes survive, as DSCP and
 * 802.1Q tag are copied.
 *
 * FabricHelper joins the end points of a fabric: it gives them addresses, and tells each which
 * hosts are behind which other. By hand that is SetAddress() and AddHost(). Without an address, as
 * at switches without hosts, the extension has no hooks.
 *
 * The IPv6 address of an end point is fd00:: with its IPv4 address as the last 32 bits.
 */
class VxlanEndpoint : public SwitchExtension
{
  public:
    /// First 96 bits of the IPv6 addresses of end points: fd00::/96.
    static constexpr std::array<uint32_t, 3> PREFIX{0xfd000000, 0, 0};

    /// IP version of the outer headers that an end point makes. It takes tunnels of both.
    enum OuterIp : uint8_t
    {
        IPV4 = 4, //!< 50 bytes more a frame
        IPV6 = 6  //!< 70 bytes more a frame
    };

    /// What an end point has done.
    struct Counters
    {
        uint64_t encapsulated{0}; //!< frames that went into a tunnel
        uint64_t decapsulated{0}; //!< frames that left one
        uint64_t innerMarks{0};   //!< inner frames marked, as the outer one was marked here
        uint64_t copiedMarks{0};  //!< inner frames marked where the tunnel ended
        uint64_t ecnDrops{0};     //!< frames dropped: CE outside, not ECN-capable inside
        uint64_t vniDrops{0};     //!< frames dropped: of another VXLAN network

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::encapsulated, {"vxlan_encapsulated", "frames", "frames put into a tunnel"});
            visit(&C::decapsulated,
                  {"vxlan_decapsulated", "frames", "frames taken out of a tunnel"});
            visit(&C::innerMarks,
                  {"vxlan_inner_marks",
                   "frames",
                   "frames in a tunnel marked CE where the tunnel begins, with the outer one"});
            visit(&C::copiedMarks,
                  {"vxlan_copied_marks",
                   "frames",
                   "frames that got the CE mark of the tunnel where it ended"});
            visit(&C::ecnDrops,
                  {"vxlan_ecn_drops",
                   "frames",
                   "frames dropped where a tunnel ended: marked, and not ECN-capable"});
            visit(&C::vniDrops,
                  {"vxlan_vni_drops",
                   "frames",
                   "frames dropped where a tunnel ended: of another VXLAN network"});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param address of this end point, to which the other switches have routes
    void SetAddress(Ipv4Address address);
    /// @return the address; 0.0.0.0: none
    Ipv4Address GetAddress() const;

    /// @return VXLAN network of the frames that it sends and takes
    uint32_t GetVni() const
    {
        return m_vni;
    }

    /**
     * A host is behind another end point. std::invalid_argument where it is behind a third one
     * already, or the end point is this one. Takes effect with the next start of the switch
     * (FabricSwitch::ConfigChanged()).
     * @param host address of the host @param endpoint address of the other end point
     */
    void AddHost(Ipv4Address host, Ipv4Address endpoint);
    /// As the other one. @param host address of the host @param endpoint address of the other one
    void AddHost(const Ipv6Address& host, Ipv4Address endpoint);

    /**
     * All hosts of a fabric at once, in place of those of an earlier call.
     * @param sites the switch that each host is behind, as a number
     * @param endpoints by number of a site - 1: address of the end point there; 0.0.0.0: none
     */
    void SetHosts(std::shared_ptr<const HostSites> sites,
                  const std::vector<Ipv4Address>& endpoints);

    /// @return what it has done
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// Put a frame into the tunnel that leads to its destination, if there is one; counts nothing.
    /// @param frame neither booked nor queued @return whether it is in a tunnel now
    bool Encapsulate(Frame& frame) const;

    /// @param frame a frame @return whether it is in a tunnel that ends here
    bool IsForUs(const Frame& frame) const
    {
        return frame.kind == FrameKind::VXLAN && frame.dst == m_address &&
               (frame.ipVersion == 4 || frame.dstHigh == PREFIX);
    }

    uint32_t GetAddedBytes() const override;

    bool HasActed() const override
    {
        return HasCounted(m_counters);
    }

    uint32_t GetHooks() const override;
    void Check(FabricSwitch& owner) override;
    void Start(FabricSwitch& owner) override;
    void Arrived(Frame& frame, uint32_t inPort) override;
    bool Unrouted(Frame* frame) override;
    void Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;

    /// A frame went into a tunnel or left one. @param frame the outer frame, or the one that left
    typedef void (*FrameTracedCallback)(const Frame& frame);

  protected:
    void DoDispose() override;

  private:
    /// @param vni attribute Vni; throws std::invalid_argument once SetHosts() has been called
    void SetVni(uint32_t vni);
    /// @param endpoint address of another end point @return group of its tunnel in m_table
    ForwardingTable::GroupId TunnelTo(Ipv4Address endpoint);
    /// Throw if a host is behind another end point already. @param known the tunnel to it, or null
    /// @param group the new one @param host for the message
    template <typename Address>
    void Store(const NextHopGroup* known, const Address& host, Ipv4Address endpoint);
    /// The tunnel of a frame ends here. @param frame the frame
    void Decapsulate(Frame& frame);

    FabricSwitch* m_owner{nullptr};
    uint32_t m_address{0};                        //!< SetAddress()
    uint32_t m_vni{1};                            //!< attribute Vni
    bool m_isJoined{false};                       //!< SetHosts() has been called
    OuterIp m_outerIp{IPV4};                      //!< attribute OuterIp
    DropReason m_refused{DropReason::TUNNEL_ECN}; //!< why the frame on its way in is to be dropped
    /// The tunnel to each host: a "port" of its groups is the number of a tunnel.
    ForwardingTable m_table;
    std::vector<uint32_t> m_remotes; //!< by number of a tunnel: the other end point
    Counters m_counters;
    TracedCallback<const Frame&> m_encapsulated;
    TracedCallback<const Frame&> m_decapsulated;
};

static_assert(AreAllCountersVisited<VxlanEndpoint::Counters>(),
              "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_VXLAN_ENDPOINT_H
