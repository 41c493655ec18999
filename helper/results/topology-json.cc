// SPDX-License-Identifier: GPL-2.0-only
#include "topology-json.h"

#include "ns3/fabric-places.h"
#include "ns3/qbb-channel.h"

#include <string>
#include <vector>

namespace ns3
{

void
PrintTopologyJson(std::ostream& os, const Fabric& fabric, Time begin, Time end)
{
    const FabricTopology& topology = fabric.GetTopology();
    const std::vector<std::string> names = FabricPlaces::NamesOf(topology);
    const std::vector<uint32_t> tiers = topology.GetTiers();
    os << "{\n  \"begin_ns\": " << begin.GetNanoSeconds()
       << ",\n  \"end_ns\": " << end.GetNanoSeconds() << ",\n  \"nodes\": [";
    const char* separator = "\n";
    for (const NodeId node : topology.Nodes())
    {
        os << separator << "    {\"name\": \"" << names[node.Value()] << "\", \"type\": \""
           << (topology.IsSwitch(node) ? "switch" : "host")
           << "\", \"tier\": " << tiers[node.Value()] << "}";
        separator = ",\n";
    }
    os << "\n  ],\n  \"links\": [";
    separator = "\n";
    for (const LinkId link : topology.Links())
    {
        const auto& ends = topology.GetLink(link);
        const auto a = fabric.GetDevice(ends.a, topology.GetPort(ends.a, link));
        const auto b = fabric.GetDevice(ends.b, topology.GetPort(ends.b, link));
        // A port that Simulator::Destroy() has disposed of has no channel any more.
        const auto channel = DynamicCast<QbbChannel>(a->GetChannel());
        const Time delay = channel ? channel->GetDelay() : ends.spec.delay;
        os << separator << "    {\"a\": " << ends.a.Value()
           << ", \"a_port\": " << topology.GetPort(ends.a, link) << ", \"b\": " << ends.b.Value()
           << ", \"b_port\": " << topology.GetPort(ends.b, link)
           << ", \"a_bps\": " << a->GetDataRate().GetBitRate()
           << ", \"b_bps\": " << b->GetDataRate().GetBitRate()
           << ", \"delay_ns\": " << delay.GetNanoSeconds() << "}";
        separator = ",\n";
    }
    os << "\n  ]\n}\n";
}

} // namespace ns3
