// SPDX-License-Identifier: GPL-2.0-only
#include "class-map-check.h"

#include "fabric-ports.h"

#include "ns3/class-rewriter.h"
#include "ns3/rdma-connection.h"
#include "ns3/traffic-class-map.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

/// A node and the number of one of its ports.
using PortKey = std::pair<NodeId, uint32_t>;

/// A marking, for maps: class, DSCP, whether there is a tag, PCP.
using MarkingKey = std::tuple<uint8_t, uint8_t, bool, uint8_t>;

/// Finds out where frames of hosts can arrive.
class Arrivals
{
  public:
    /// @param fabric the fabric
    explicit Arrivals(const Fabric& fabric)
        : m_fabric(fabric),
          m_topology(fabric.GetTopology())
    {
    }

    /// @param senders ports of hosts @return the ports where their frames can arrive unchanged
    std::set<PortKey> Find(const std::vector<PortKey>& senders)
    {
        m_found.clear();
        std::set<NodeId> first; // switches of the senders
        std::set<NodeId> hosts;
        for (const auto& [host, port] : senders)
        {
            hosts.insert(host);
            const LinkId link = m_topology.GetLinksOf(host)[port];
            const NodeId peer = m_topology.GetLink(link).Peer(host);
            if (m_fabric.GetRoutes().IsUp(link))
            {
                Arrive(peer, link);
                if (m_topology.IsSwitch(peer) && !Rewrites(peer))
                {
                    first.insert(peer);
                }
            }
        }
        for (const NodeId last : m_topology.GetSwitches())
        {
            Follow(first, last, hosts);
        }
        return m_found;
    }

  private:
    /// @param node where frames come to @param link by which
    void Arrive(NodeId node, LinkId link)
    {
        m_found.emplace(node, m_topology.GetPort(node, link));
    }

    /// @param node a switch @return whether frames leave it with other marks than they came with
    bool Rewrites(NodeId node) const
    {
        const auto fabricSwitch = m_fabric.GetSwitch(m_topology.SwitchAt(node));
        for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
        {
            if (DynamicCast<ClassRewriter>(fabricSwitch->GetExtension(i)))
            {
                return true;
            }
        }
        return false;
    }

    /// All ways to the hosts of a switch. @param first switches to begin with @param last the
    /// switch @param senders nodes of the hosts that send
    void Follow(const std::set<NodeId>& first, NodeId last, const std::set<NodeId>& senders)
    {
        std::vector<std::pair<NodeId, LinkId>> hosts;
        for (const LinkId link : m_topology.GetLinksOf(last))
        {
            const NodeId host = m_topology.GetLink(link).Peer(last);
            const bool isAlone = senders.size() == 1 && *senders.begin() == host;
            if (!m_topology.IsSwitch(host) && !isAlone && m_fabric.GetRoutes().IsUp(link))
            {
                hosts.emplace_back(host, link);
            }
        }
        std::vector<NodeId> open(first.begin(), first.end());
        std::set<NodeId> seen(first);
        while (!hosts.empty() && !open.empty())
        {
            const NodeId at = open.back();
            open.pop_back();
            for (const auto& [host, link] : hosts)
            {
                if (at == last)
                {
                    Arrive(host, link);
                }
            }
            for (const LinkId link : m_fabric.GetRoutes().GetNextHops(at, last))
            {
                const NodeId next = m_topology.GetLink(link).Peer(at);
                Arrive(next, link);
                if (!Rewrites(next) && seen.insert(next).second)
                {
                    open.push_back(next);
                }
            }
        }
    }

    const Fabric& m_fabric;
    const FabricTopology& m_topology;
    std::set<PortKey> m_found;
};

/// @param map of a port @param marking of frames @return the class that the port takes them for
uint8_t
ClassOf(const TrafficClassMap& map, const RdmaMarking& marking)
{
    Frame* const frame = new Frame;
    frame->dscp = marking.dscp;
    frame->tagged = marking.tagged;
    frame->pcp = marking.pcp;
    const uint8_t cls = map.Classify(*frame);
    frame->Release();
    return cls;
}

/// @param map of a port @param marking of frames @return what of the marking the map looks at, and
/// which setting mends the class
std::pair<std::string, std::string>
FieldOf(const TrafficClassMap& map, const RdmaMarking& marking)
{
    const std::string cls = std::to_string(marking.trafficClass);
    if (map.GetTrust() == TrafficClassMap::DSCP)
    {
        const std::string field = "DSCP " + std::to_string(marking.dscp);
        return {"with " + field, "map " + field + " to class " + cls + " there"};
    }
    if (map.GetTrust() == TrafficClassMap::DOT1P && marking.tagged)
    {
        const std::string field = "PCP " + std::to_string(marking.pcp);
        return {"with " + field, "map " + field + " to class " + cls + " there"};
    }
    return {map.GetTrust() == TrafficClassMap::DOT1P ? "without a tag" : "as all others",
            "set DefaultClass of the map there to " + cls + ", or Trust to the field that " +
                "hosts mark"};
}

/// @param device a port @param marking of frames that arrive @param finding gets what is wrong
/// @return whether something is
bool
IsWrong(const QbbNetDevice& device, const RdmaMarking& marking, BufferFinding& finding)
{
    const uint8_t sent = marking.trafficClass;
    const std::string cls = std::to_string(sent);
    const uint8_t taken = ClassOf(*device.GetTrafficClassMap(), marking);
    finding.trafficClass = sent;
    if (taken != sent)
    {
        const auto [field, mend] = FieldOf(*device.GetTrafficClassMap(), marking);
        finding.rule = "map";
        finding.what = "frames that hosts send in class " + cls + ", " + field +
                       ", are taken for class " + std::to_string(taken);
        finding.right = mend;
        return true;
    }
    // PFC at one end only is found link by link.
    if (!device.IsPfcEnabled(sent) && device.GetPeer() && !device.GetPeer()->IsPfcEnabled(sent))
    {
        finding.rule = "pfc";
        finding.what = "frames of class " + cls +
                       ", lossless at hosts, arrive by a link "
                       "without PFC for the class";
        finding.right = "add the class to PfcClasses at both ends";
        return true;
    }
    return false;
}

} // namespace

void
FindOtherClasses(const Fabric& fabric,
                 const std::vector<std::string>& names,
                 std::vector<BufferFinding>& findings)
{
    const std::vector<FabricPort> ports = PortsOf(fabric);
    std::map<MarkingKey, std::pair<RdmaMarking, std::vector<PortKey>>> sent;
    for (const auto& [node, port, isSwitch, device] : ports)
    {
        for (uint8_t cls = 0; !isSwitch && cls < TRAFFIC_CLASSES; ++cls)
        {
            if (device->IsPfcEnabled(cls))
            {
                const auto marking = RdmaMarking::FromMap(*device->GetTrafficClassMap(), cls);
                auto& group = sent[{cls, marking.dscp, marking.tagged, marking.pcp}];
                group.first = marking;
                group.second.emplace_back(node, port);
            }
        }
    }
    std::set<std::pair<PortKey, uint8_t>> named;
    for (const auto& [key, group] : sent)
    {
        const auto& [marking, senders] = group;
        std::vector<std::pair<PortKey, BufferFinding>> wrong;
        for (const auto& [node, port, isSwitch, device] : ports)
        {
            BufferFinding finding;
            if (IsWrong(*device, marking, finding))
            {
                finding.place = names[node.Value()] + " port " + std::to_string(port);
                wrong.emplace_back(PortKey(node, port), finding);
            }
        }
        const std::set<PortKey> reached =
            wrong.empty() ? std::set<PortKey>() : Arrivals(fabric).Find(senders);
        for (const auto& [place, finding] : wrong)
        {
            if (reached.count(place) && named.emplace(place, marking.trafficClass).second)
            {
                findings.push_back(finding);
            }
        }
    }
}

} // namespace ns3
