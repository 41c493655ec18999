// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_VXLAN_HELPER_H
#define LOSSLESS_VXLAN_HELPER_H

#include "ns3/attribute.h"
#include "ns3/fabric.h"
#include "ns3/ipv4-address.h"
#include "ns3/object-factory.h"
#include "ns3/vxlan-net-device.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Joins the IP stacks of hosts of a fabric by an overlay: a VxlanNetDevice in each, with the
 * address 192.168.0.1 + i at host i.
 *
 * @code
 * VxlanHelper overlay(fabric);
 * overlay.SetDevice("Vni", UintegerValue(7));
 * overlay.Install({0, 5, 9});
 * @endcode
 *
 * The tunnels are between hosts, and for the stock stack alone. Tunnels between switches, which
 * carry RDMA, are VxlanEndpoint's.
 */
class VxlanHelper
{
  public:
    /// @param fabric where; gets an IP stack if it has none
    explicit VxlanHelper(const Fabric& fabric);

    /// Set an attribute of the devices to come. FabricError if there is none, for such a value, or
    /// after Install().
    /// @param name of the attribute @param value for it
    void SetDevice(const std::string& name, const AttributeValue& value);

    /**
     * Put a device on each of some hosts. Unless Mtu was set, it is that of the ports of the hosts,
     * less what tunnels add; a larger one is a FabricError, as a host in two overlays is.
     * @param hosts which; empty: all
     * @param ipVersion of the outer headers, 4 or 6
     */
    void Install(const std::vector<HostId>& hosts = {}, uint8_t ipVersion = 4);

    /// @return the fabric
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

    /// @param host a host @return its device; FabricError if there is none
    Ptr<VxlanNetDevice> GetDevice(HostId host) const;

    /// @param host a host @return its address in the overlay; FabricError if there is none
    Ipv4Address GetAddress(HostId host) const;

  private:
    /// FabricError for hosts that are too few, or in another overlay. @param hosts of the overlay
    void RequireFree(const std::vector<HostId>& hosts) const;
    /// @param hosts of the overlay @param ipVersion of the outer headers @return longest packet
    /// that the tunnels hold
    uint32_t FindMtu(const std::vector<HostId>& hosts, uint8_t ipVersion) const;

    Fabric m_fabric;
    ObjectFactory m_device{"ns3::VxlanNetDevice"};
    bool m_mtuIsSet{false};
    std::vector<Ptr<VxlanNetDevice>> m_devices; //!< by host; null: none
};

} // namespace ns3

#endif // LOSSLESS_VXLAN_HELPER_H
