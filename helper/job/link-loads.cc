// SPDX-License-Identifier: GPL-2.0-only
#include "link-loads.h"

#include "ns3/ideal-fct.h"
#include "ns3/rdma-hw.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace
{

/// Bytes by which the last packet of a message may be shorter than a packet that is a message.
constexpr uint64_t RETH_BYTES = 16;

constexpr uint64_t IMMEDIATE_BYTES = 4; //!< likewise, the first packet

/// @param bytes any @param less any @return their difference, at least 0
uint64_t
Without(uint64_t bytes, uint64_t less)
{
    return bytes - std::min(bytes, less);
}

/// @param host of a link @param first of the ports or GPUs of the host that share the load
/// @param count how many these are @param isWithin whether they are GPUs
/// @return a number that no other link has
uint64_t
NumberOf(HostId host, uint32_t first, std::size_t count, bool isWithin)
{
    return uint64_t{host.Value()} << 32 | uint64_t{first & 0x7fff} << 16 |
           uint64_t{count & 0x7fff} << 1 | (isWithin ? 1 : 0);
}

} // namespace

LinkLoads::LinkLoads(const Fabric& fabric, const QueuePairNetwork& network)
    : m_fabric(fabric),
      m_network(network)
{
}

LinkLoads::Loads
LinkLoads::Get(const MessageNetwork::Pair& pair, uint64_t bytes) const
{
    const RankPlace& from = m_network.GetPlaces()[pair.source];
    const RankPlace& to = m_network.GetPlaces()[pair.destination];
    if (from.host != to.host)
    {
        return GetBetweenHosts(pair, bytes);
    }
    const QueuePairNetwork::Ideal ideal = m_network.GetIdeal(pair, bytes);
    const int64_t occupation = ideal.delivery - ideal.propagation;
    Loads loads;
    loads.egress = {NumberOf(from.host, from.gpu, 1, true), occupation, ideal.propagation};
    loads.ingress = {NumberOf(to.host, to.gpu, 1, true), occupation, ideal.propagation};
    return loads;
}

LinkLoads::Loads
LinkLoads::GetBetweenHosts(const MessageNetwork::Pair& pair, uint64_t bytes) const
{
    const HostId from = m_network.GetPlaces()[pair.source].host;
    const HostId to = m_network.GetPlaces()[pair.destination].host;
    std::set<uint32_t> sources;
    std::set<uint32_t> destinations;
    std::size_t lines = 0;
    m_network.ForEachLineOf(pair, [&](const Fabric::Connection& ends) {
        sources.insert(ends.ports.source);
        destinations.insert(ends.ports.destination);
        ++lines;
    });
    const RdmaVerb verb = m_network.GetOptions().verb;
    const IdealFct::Framing framing = m_network.GetFraming(pair);
    const ConnectionIdeal whole = m_network.GetConnectionIdeal(pair);
    // Of ports that differ, the fastest.
    const auto alone = [&](HostId host, const std::set<uint32_t>& ports, bool leaves) {
        IdealHop fastest = GetLink(host, *ports.begin(), leaves);
        for (const uint32_t port : ports)
        {
            const IdealHop hop = GetLink(host, port, leaves);
            fastest = hop.bitsPerSecond > fastest.bitsPerSecond ? hop : fastest;
        }
        return IdealFct({fastest}, framing, Seconds(1).GetTimeStep());
    };
    const IdealFct egress = alone(from, sources, true);
    const IdealFct ingress = alone(to, destinations, false);
    const auto delivery = [&](uint64_t part) {
        return whole.Least([&](const IdealFct& fct) { return fct.Delivery(verb, part); });
    };
    const uint64_t pieces = m_network.CountPieces(pair, bytes);
    const uint64_t mtu = framing.mtu;

    Loads loads;
    loads.pieces = pieces;
    loads.isInOrder = lines == 1;
    loads.egress.link = NumberOf(from, *sources.begin(), sources.size(), false);
    loads.egress.occupation = egress.Occupation(verb, bytes) / static_cast<int64_t>(sources.size());
    loads.ingress.link = NumberOf(to, *destinations.begin(), destinations.size(), false);
    loads.ingress.occupation =
        ingress.Occupation(verb, bytes) / static_cast<int64_t>(destinations.size());

    const uint64_t first = bytes <= mtu && pieces == 1
                               ? bytes
                               : Without(std::min(mtu, bytes / pieces), IMMEDIATE_BYTES);
    loads.ingress.elsewhere = delivery(first) - ingress.Occupation(verb, first);
    const uint64_t last = bytes <= mtu ? bytes : Without((bytes - 1) % mtu + 1, RETH_BYTES);
    const bool isKnown = pieces == 1 && (bytes <= mtu || last > 0);
    loads.egress.elsewhere = isKnown
                                 ? delivery(last) - egress.Occupation(verb, last)
                                 : whole.Least([](const IdealFct& fct) { return fct.GetDelays(); });
    return loads;
}

IdealHop
LinkLoads::GetLink(HostId host, uint32_t port, bool leaves) const
{
    const FabricTopology& topology = m_fabric.GetTopology();
    const NodeId node = topology.NodeOf(host);
    const LinkId link = topology.GetLinksOf(node)[port];
    const NodeId sender = leaves ? node : topology.GetLink(link).Peer(node);
    return {m_fabric.GetDevice(sender, topology.GetPort(sender, link))->GetDataRate().GetBitRate(),
            0,
            m_fabric.GetRdma(host)->GetDevice(port)->SerialisationTicks()};
}

} // namespace ns3
