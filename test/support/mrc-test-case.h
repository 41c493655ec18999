// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_TEST_CASE_H
#define LOSSLESS_MRC_TEST_CASE_H

#include "fabric-test-case.h"

#include "ns3/data-rate.h"
#include "ns3/rdma-mrc.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace ns3
{

/// Planes of 100 Gb/s, 4 leaves and 4 spines each, 16 hosts, links of 0.5 us, IPv6, 4 KiB: sheet
/// 16, section 11.
class MrcTestCase : public FabricTestCase
{
  public:
    using FabricTestCase::FabricTestCase;

  protected:
    /// @param helper of a fabric @param planes how many @param delay of a link @return the fabric
    static Fabric Build(FabricHelper& helper, uint32_t planes, Time delay = NanoSeconds(500))
    {
        FabricLinkSpec link;
        link.rate = DataRate("100Gbps");
        link.delay = delay;
        return helper.FromTopology(FabricTopology::MultiPlane(planes, 4, 4, 4, link, link));
    }

    /// @param fabric a fabric @param host of it @return its first queue pair; null: it has none
    static Ptr<RdmaQueuePair> QueuePairOf(const Fabric& fabric, uint32_t host)
    {
        for (uint32_t number = 0; number < 16; ++number)
        {
            if (const auto end = fabric.GetRdma(HostId(host))->GetQueuePair(number))
            {
                return end;
            }
        }
        return nullptr;
    }

    /// @param fabric a fabric @param host of it @return the transport of its first queue pair;
    /// null: the host has none
    static Ptr<RdmaMrc> TransportOf(const Fabric& fabric, uint32_t host)
    {
        const auto end = QueuePairOf(fabric, host);
        return end ? DynamicCast<RdmaMrc>(end->GetTransport()) : nullptr;
    }

    /// @param mrc a transport @param planes of it @return packets by which planes are apart
    static uint64_t Apart(const RdmaMrc& mrc, uint32_t planes)
    {
        std::vector<uint64_t> sent;
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            sent.push_back(mrc.GetTurns()->GetSent(plane));
        }
        const auto [least, most] = std::minmax_element(sent.begin(), sent.end());
        return *most - *least;
    }

    /// @param fabric a fabric of Build() @param host a host @param plane a plane @param spine a
    /// spine of the plane @return the link between the leaf of the host and the spine
    static LinkId LinkToSpine(const Fabric& fabric, uint32_t host, uint32_t plane, uint32_t spine)
    {
        const FabricTopology& topology = fabric.GetTopology();
        const NodeId from = topology.NodeOf(HostId(host));
        const NodeId leaf = topology.GetLink(topology.GetLinksOf(from)[plane]).Peer(from);
        for (const LinkId link : topology.GetLinksOf(leaf))
        {
            if (topology.IsSwitch(topology.GetLink(link).Peer(leaf)) && spine-- == 0)
            {
                return link;
            }
        }
        throw std::logic_error("no such spine");
    }

    /// A flow. @param from its source @param to its destination @param bytes of it @param start
    /// when
    static RdmaFlow Flow(uint32_t from, uint32_t to, uint64_t bytes, Time start = Time(0))
    {
        return {HostId(from), HostId(to), bytes, start};
    }
};

} // namespace ns3

#endif // LOSSLESS_MRC_TEST_CASE_H
