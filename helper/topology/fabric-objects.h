// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_OBJECTS_H
#define LOSSLESS_FABRIC_OBJECTS_H

#include "fabric-addresses.h"
#include "fabric-index.h"
#include "fabric-routes.h"
#include "fabric-topology.h"

#include "ns3/fabric-options.h"
#include "ns3/fabric-switch.h"
#include "ns3/finding.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/node-container.h"
#include "ns3/qbb-channel.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rdma-hw.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Finds ns-3's objects of a fabric by their numbers in the topology: what settings and checks of a
 * fabric need of it. The ports of a node are numbered from 0, in the order of its links.
 *
 * Addresses: the first port of host i has 10.0.0.1 + i; further ports of hosts follow after the
 * last host. The IPv6 address of a port is fd00:: with the IPv4 address as its last 32 bits.
 *
 * It is a handle: copies are of the same fabric.
 */
class FabricObjects
{
  public:
    /// @return the graph
    const FabricTopology& GetTopology() const;
    /// @return the paths in use now
    const FabricRoutes& GetRoutes() const;

    /// @return number of hosts
    uint32_t GetNHosts() const;
    /// @return number of switches
    uint32_t GetNSwitches() const;

    /// @return all hosts, for loops
    FabricIndexRange<HostId> Hosts() const
    {
        return FabricIndexRange<HostId>(GetNHosts());
    }

    /// @return all switches, for loops
    FabricIndexRange<SwitchId> Switches() const
    {
        return FabricIndexRange<SwitchId>(GetNSwitches());
    }

    /// @return the nodes of the hosts, in order
    NodeContainer GetHosts() const;
    /// @return the nodes of the switches, in order
    NodeContainer GetSwitches() const;

    /// @param node a node @return the node
    Ptr<Node> GetNode(NodeId node) const;
    /// @param host a host @return its node
    Ptr<Node> GetHost(HostId host) const;
    /// @param host a host @return its RDMA side
    Ptr<RdmaHw> GetRdma(HostId host) const;
    /// @param which a switch @return the switch
    Ptr<FabricSwitch> GetSwitch(SwitchId which) const;

    /// @param node a node @param port one of its ports @return the device
    Ptr<QbbNetDevice> GetDevice(NodeId node, uint32_t port) const;
    /// @param link a link @return the cable
    Ptr<QbbChannel> GetChannel(LinkId link) const;
    /// Take over into the graph what rates and delays its ports and cables have now. Settings of
    /// places, workloads and runs do that; whoever sets an attribute of a port or cable alone may.
    void FollowLinks() const;

    /// @param host a host @param port one of its ports @return the address of that port
    Ipv4Address GetAddress(HostId host, uint32_t port = 0) const;
    /// @param host a host @param port one of its ports @return the IPv6 address of that port
    Ipv6Address GetIpv6Address(HostId host, uint32_t port = 0) const;

    /// @param which a switch @return the address of its control plane: 172.16.0.1 + i
    Ipv4Address GetSwitchAddress(SwitchId which) const;
    /// @param which a switch @return the IPv6 address of its control plane: fd00:: with the IPv4
    /// address as its last 32 bits
    Ipv6Address GetSwitchIpv6Address(SwitchId which) const;

    /// @return what the user of the program says about attributes, as FabricHelper was told
    const FabricOptions& GetOptions() const;

    /// @return whether Simulator::Destroy() has taken the fabric apart: nothing can be done with it
    bool IsDestroyed() const;

    /// @return what was found out about it, and about the run that is under way or was the last
    Findings& GetFindings() const;

    /// What was noted about it, for checks.
    struct Notes
    {
        bool isLossForbidden{false};                //!< lossless classes must not drop
        uint8_t sent{0};                            //!< mask of classes of which a host sends data
        uint8_t lossy{0};                           //!< of these, classes that may lose frames
        bool hasPaths{false};                       //!< a switch has several ports to choose from
        PathUnit pathUnit{PathUnit::FLOW};          //!< what takes one path, in the run
        bool allowsReordering{false};               //!< of it, whatever queue pairs need
        bool hasLooseAcks{false};                   //!< ACKs leave hosts in spite of a pause
        uint32_t longest{0};                        //!< IP packet of queue pairs, bytes
        uint32_t tunnelBytes{0};                    //!< that tunnels add to a frame at most
        std::map<NodeId, uint32_t> longestOfStacks; //!< IP packet to the stack of a host
    };

    /// @return what was noted about it; for checks of the module
    Notes& GetNotes() const;

  protected:
    /// The objects; shared by all handles of a fabric.
    struct Objects
    {
        /// @param graph of the fabric, whose objects come later
        explicit Objects(const FabricTopology& graph);

        FabricTopology topology;                             //!< GetTopology()
        FabricOptions options;                               //!< of the user of the program
        std::shared_ptr<const FabricRoutes> routes;          //!< GetRoutes()
        std::vector<Ptr<Node>> nodes;                        //!< by node
        std::vector<std::vector<Ptr<QbbNetDevice>>> devices; //!< by node, then port
        std::vector<Ptr<QbbChannel>> channels;               //!< by link
        std::vector<Ptr<FabricSwitch>> switches;             //!< in order
        std::vector<Ptr<RdmaHw>> rdma;                       //!< by host
        FabricAddresses addresses;                           //!< of the hosts
        Findings findings;                                   //!< GetFindings()
        Notes notes;                                         //!< GetNotes()
    };

    /// @param objects of the fabric
    explicit FabricObjects(std::shared_ptr<Objects> objects);

    /// @param host a host @return its node; FabricError if there is none
    NodeId HostNode(HostId host) const;

  private:
    std::shared_ptr<Objects> m_objects;
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_OBJECTS_H
