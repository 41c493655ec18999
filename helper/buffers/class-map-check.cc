// SPDX-License-Identifier: GPL-2.0-only
#include "class-map-check.h"

#include "class-list.h"
#include "fabric-ports.h"
#include "frame-arrivals.h"
#include "loss-check.h"
#include "lossy-class.h"
#include "switch-extensions.h"

#include "ns3/border-policy.h"
#include "ns3/lossless-link.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rdma-connection.h"
#include "ns3/traffic-class-map.h"
#include "ns3/vxlan-endpoint.h"
#include "ns3/vxlan-frame.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

/// A marking, for maps: class, DSCP, whether there is a tag, PCP.
using MarkingKey = std::tuple<uint8_t, uint8_t, bool, uint8_t>;

/// @param map of a port @param marking of frames @param sent their class at hosts
/// @return what of the marking the map looks at, and which setting mends the class
std::pair<std::string, std::string>
FieldOf(const TrafficClassMap& map, const RdmaMarking& marking, uint8_t sent)
{
    const std::string cls = std::to_string(sent);
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

/// The border policies of all switches of a fabric, and what they let in.
class Borders
{
  public:
    /// @param fabric the fabric
    explicit Borders(const Fabric& fabric)
        : m_topology(fabric.GetTopology()),
          m_frame(new Frame)
    {
        for (const SwitchId which : fabric.Switches())
        {
            m_ofSwitches.push_back(ExtensionsOf<BorderPolicy>(*fabric.GetSwitch(which)));
        }
    }

    ~Borders()
    {
        m_frame->Release();
    }

    Borders(const Borders&) = delete;
    Borders& operator=(const Borders&) = delete;

    /// @param port a port @return whether frames meet a policy there
    bool HasPolicy(const FabricPort& port) const
    {
        return port.isSwitch && !PoliciesAt(port).empty();
    }

    /// Rules for addresses are passed over: the frames of a marking have any.
    /// @param port ingress port @param sent marking of frames @param udpPort their destination
    /// @return the marking with which the policies let them in
    RdmaMarking LetIn(const FabricPort& port, RdmaMarking sent, uint16_t udpPort) const
    {
        if (!HasPolicy(port))
        {
            return sent;
        }
        m_frame->dstPort = udpPort;
        m_frame->dscp = sent.dscp;
        m_frame->tagged = sent.tagged;
        m_frame->pcp = sent.pcp;
        for (const auto& policy : PoliciesAt(port))
        {
            policy->Preview(*m_frame, port.port);
        }
        sent.dscp = m_frame->dscp;
        sent.tagged = m_frame->tagged;
        sent.pcp = m_frame->pcp;
        return sent;
    }

  private:
    /// @param port of a switch @return the policies of the switch, in their order
    const std::vector<Ptr<BorderPolicy>>& PoliciesAt(const FabricPort& port) const
    {
        return m_ofSwitches[m_topology.SwitchAt(port.node).Value()];
    }

    const FabricTopology& m_topology;
    std::vector<std::vector<Ptr<BorderPolicy>>> m_ofSwitches; //!< by SwitchId
    Frame* const m_frame;                                     //!< one for all questions
};

/// @param fabric a fabric @return switches at which all frames of hosts are in tunnels: they have
/// no end point of tunnels, and all that hosts are joined to have one
std::set<NodeId>
FindInsideTunnels(const Fabric& fabric)
{
    const FabricTopology& topology = fabric.GetTopology();
    std::set<NodeId> inside;
    for (const NodeId node : topology.GetSwitches())
    {
        const auto fabricSwitch = fabric.GetSwitch(topology.SwitchAt(node));
        const bool hasEnd = !ExtensionsOf<VxlanEndpoint>(*fabricSwitch).empty();
        const auto& links = topology.GetLinksOf(node);
        const bool hasHost = std::any_of(links.begin(), links.end(), [&](LinkId link) {
            return !topology.IsSwitch(topology.GetLink(link).Peer(node));
        });
        if (hasHost && !hasEnd)
        {
            return {};
        }
        if (!hasEnd)
        {
            inside.insert(node);
        }
    }
    return inside;
}

/// @param maps of a link @param cls a class @return the priority group that would be right for it:
/// its own number where that is one of several; none: none
std::optional<uint8_t>
RightGroup(const LinkMaps& maps, uint8_t cls)
{
    std::optional<uint8_t> right;
    for (uint8_t group = 0; group < TRAFFIC_CLASSES; ++group)
    {
        if (maps.Joins(group, cls) && (!right || group == cls))
        {
            right = group;
        }
    }
    return right;
}

/**
 * That frames of a lossless class are booked in a priority group whose pauses work, but stop
 * another queue of the sender than that of the frames.
 * @param maps of the link
 * @param cls the class
 * @param sender name of the sending port
 * @param finding gets what is wrong
 */
void
TellOtherQueue(const LinkMaps& maps, uint8_t cls, const std::string& sender, Finding& finding)
{
    const std::string name = std::to_string(cls);
    const uint8_t group = maps.in->group[cls];
    const uint8_t priority = maps.in->pfcPriority[group];
    const uint8_t queue = maps.out->queue[cls];
    const std::string number = std::to_string(priority);
    finding.rule = "map";
    finding.what = "frames of class " + name + " wait in queue " + std::to_string(queue) + " of " +
                   sender + ", and are booked here in priority group " + std::to_string(group) +
                   ", whose pauses name PFC priority " + number + ": that stops queue " +
                   ClassList(maps.out->pfcQueues[priority], " and ") + " there";
    const auto right = RightGroup(maps, cls);
    const uint8_t priorities = maps.out->PrioritiesOfQueues(1U << queue) & maps.working;
    if (group != cls && right)
    {
        finding.right =
            "map class " + name + " to priority group " + std::to_string(*right) + " here";
    }
    else if (priority != group && priorities)
    {
        finding.right = "map priority group " + std::to_string(group) + " to PFC priority " +
                        std::to_string(__builtin_ctz(priorities)) + " here";
    }
    else
    {
        const uint8_t stopped = maps.out->pfcQueues[priority];
        finding.right = "let PFC priority " + number + " pause queue " + std::to_string(queue) +
                        " at " + sender +
                        (queue == cls ? ""
                                      : ", or map class " + name + " to queue " +
                                            std::to_string(__builtin_ctz(stopped)) + " there");
    }
}

/// @param device a port @param cls class of frames of hosts that arrive, and for which the port
/// takes them @param sender name of the port that sends them @param finding gets what is wrong
/// @return whether something is
bool
IsNotPaused(const QbbNetDevice& device, uint8_t cls, const std::string& sender, Finding& finding)
{
    const auto peer = device.GetPeer();
    if (!peer)
    {
        return false; // nothing arrives
    }
    const LinkMaps maps(device, *peer);
    const uint8_t group = maps.in->group[cls];
    const uint8_t priority = maps.in->pfcPriority[group];
    if (maps.Joins(group, cls))
    {
        return false;
    }
    // PFC at one end only is found link by link.
    if (device.IsPfcEnabled(priority) != peer->IsPfcEnabled(priority))
    {
        return false;
    }
    if (device.IsPfcEnabled(priority))
    {
        TellOtherQueue(maps, cls, sender, finding);
        return true;
    }
    finding.rule = "pfc";
    const std::string name = std::to_string(cls);
    const auto right = RightGroup(maps, cls);
    if (!right && group == cls && priority == cls)
    {
        finding.what = "frames of class " + name +
                       ", lossless at hosts, arrive by a link "
                       "without PFC for the class";
        finding.right = "add the class to PfcClasses at both ends";
        return true;
    }
    finding.what = "frames of class " + name +
                   ", lossless at hosts, are booked in priority group " + std::to_string(group) +
                   ", whose PFC priority " + std::to_string(priority) + " has no PFC on the link";
    finding.right =
        right ? "map class " + name + " to priority group " + std::to_string(*right) + " here"
              : "add PFC priority " + std::to_string(priority) + " to PfcClasses at both ends";
    return true;
}

/// @param device a port @param marking of frames that arrive @param sent their class at hosts
/// @param sender name of the port that sends them @param finding gets what is wrong
/// @return whether something is
bool
IsWrong(const QbbNetDevice& device,
        const RdmaMarking& marking,
        uint8_t sent,
        const std::string& sender,
        Finding& finding)
{
    const std::string cls = std::to_string(sent);
    const uint8_t taken = device.GetTrafficClassMap()->Classify(marking);
    finding.cls = sent;
    if (taken != sent)
    {
        const auto [field, mend] = FieldOf(*device.GetTrafficClassMap(), marking, sent);
        finding.rule = "map";
        finding.what = "frames that hosts send in class " + cls + ", " + field +
                       ", are taken for class " + std::to_string(taken);
        finding.right = mend;
        return true;
    }
    return IsNotPaused(device, sent, sender, finding);
}

/// That a border policy moves frames of a lossless class to a class whose pauses do not stop them.
/// @param device ingress port @param taken the class that they have there @param sent the class
/// that they have at hosts @param sender name of the port that sends them @param finding gets what
/// is wrong @return whether something is
bool
IsMovedAway(const QbbNetDevice& device,
            uint8_t taken,
            uint8_t sent,
            const std::string& sender,
            Finding& finding)
{
    const auto peer = device.GetPeer();
    if (!peer)
    {
        return false;
    }
    const LinkMaps maps(device, *peer);
    const uint8_t group = maps.in->group[taken];
    if (maps.Joins(group, sent))
    {
        return false;
    }
    finding.cls = sent;
    finding.rule = "map";
    finding.what = "a border policy moves frames of class " + std::to_string(sent) + " to class " +
                   std::to_string(taken) + ", that is to priority group " + std::to_string(group) +
                   ", and no pause of it stops queue " + std::to_string(maps.out->queue[sent]) +
                   " of " + sender;
    finding.right = "let the policy permit frames of class " + std::to_string(sent) +
                    ", or set a DSCP of that class";
    return true;
}

/// What frames of a lossy class do in a lossless priority group.
constexpr const char* FILLS = ": no pause of the group stops them, and they fill its headroom";

/// @param maps of the link that frames of a class come by @param sent the class, at the sender
/// @param taken the class that the receiver takes them for @param lossless mask of the classes that
/// are lossless at hosts @return whether they are lossy, are booked in a lossless group, and no
/// pause of the group stops them
bool
FillsHeadroom(const LinkMaps& maps, uint8_t sent, uint8_t taken, uint8_t lossless)
{
    const uint8_t group = maps.in->group[taken];
    return maps.IsPaused(group) && !(lossless & (1U << sent)) && !maps.Joins(group, sent);
}

/// Find lossy classes that a switch books in a lossless priority group. @param maps of the link to
/// the switch @param lossless mask of the classes that are lossless at hosts @param finding gets
/// what is wrong @return whether something is
bool
IsFilledByLossy(const LinkMaps& maps, uint8_t lossless, Finding& finding)
{
    for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const uint8_t group = maps.in->group[cls];
        if (group != cls && FillsHeadroom(maps, cls, cls, lossless))
        {
            const std::string name = std::to_string(cls);
            finding.cls = cls;
            finding.rule = "map";
            finding.what = "frames of class " + name +
                           ", which is lossy, are booked in priority group " +
                           std::to_string(group) + ", which is lossless" + FILLS;
            finding.right = "map class " + name + " to a priority group without PFC here";
            return true;
        }
    }
    return false;
}

/// Find frames of lossy classes that a border policy moves into a lossless priority group.
/// @param maps of the link to the switch @param borders policies of all switches @param port
/// ingress port @param lossless mask of the classes that are lossless at hosts @param finding gets
/// what is wrong @return whether something is
bool
IsFilledByPolicy(const LinkMaps& maps,
                 const Borders& borders,
                 const FabricPort& port,
                 uint8_t lossless,
                 Finding& finding)
{
    for (uint8_t dscp = 0; borders.HasPolicy(port) && dscp < 64; ++dscp)
    {
        RdmaMarking sent;
        sent.dscp = dscp;
        const uint8_t before = maps.in->Classify(sent);
        const uint8_t cls = maps.in->Classify(borders.LetIn(port, sent, 0)); // as TCP and UDP
        if (cls != before && FillsHeadroom(maps, before, cls, lossless))
        {
            finding.cls = before;
            finding.rule = "map";
            finding.what = "a border policy moves frames with DSCP " + std::to_string(dscp) +
                           " from class " + std::to_string(before) + ", which is lossy, to class " +
                           std::to_string(cls) + ", that is to priority group " +
                           std::to_string(maps.in->group[cls]) + FILLS;
            finding.right = "set a DSCP of a lossy class, or match the DSCPs of lossless classes";
            return true;
        }
    }
    return false;
}

/// @param fabric a fabric @param borders its policies @param names of its nodes @return the ports
/// whose maps are not the usual
/// ones or whose switch has a border policy, and their peers
std::set<std::string>
PortsWithOwnMaps(const Fabric& fabric,
                 const Borders& borders,
                 const std::vector<std::string>& names)
{
    const FabricTopology& topology = fabric.GetTopology();
    const TrafficClassMap::Table usual;
    std::set<std::string> found;
    for (const FabricPort& each : PortsOf(fabric))
    {
        const auto& [node, port, isSwitch, device] = each;
        if (!(*device->GetTrafficClassMap()->GetTable() == usual) || borders.HasPolicy(each))
        {
            const LinkId link = topology.GetLinksOf(node)[port];
            const NodeId peer = topology.GetLink(link).Peer(node);
            found.insert(names[node.Value()] + " port " + std::to_string(port));
            found.insert(names[peer.Value()] + " port " +
                         std::to_string(topology.GetPort(peer, link)));
        }
    }
    return found;
}

/// Data that hosts send in one class with one marking, and the ports that send it.
using SentMarkings = std::map<MarkingKey, std::pair<RdmaMarking, std::vector<NodePort>>>;

/// @param names of nodes @param node a node @param port of it @return its name in a finding
std::string
NameOf(const std::vector<std::string>& names, NodeId node, uint32_t port)
{
    return names[node.Value()] + " port " + std::to_string(port);
}

/// @param ports of a fabric @return classes in groups whose pauses work, at some switch next to a
/// host; bit i is class i
uint8_t
FindBooked(const std::vector<FabricPort>& ports)
{
    uint8_t booked = 0;
    for (const auto& [node, port, isSwitch, device] : ports)
    {
        const auto peer = device->GetPeer();
        if (!isSwitch && peer)
        {
            const LinkMaps maps(*peer, *device);
            booked |= maps.in->ClassesOfGroups(maps.in->GroupsOfPriorities(maps.working));
        }
    }
    return booked;
}

/// Groups of lossless data that other data may fill. @param ports of a fabric
/// @param borders policies of it @param names of nodes @param lossless classes at hosts
/// @param findings takes what is wrong
void
FindFilled(const std::vector<FabricPort>& ports,
           const Borders& borders,
           const std::vector<std::string>& names,
           uint8_t lossless,
           std::vector<Finding>& findings)
{
    for (const FabricPort& port : ports)
    {
        const auto peer = port.device->GetPeer();
        if (!port.isSwitch || !peer)
        {
            continue;
        }
        const LinkMaps maps(*port.device, *peer);
        Finding finding;
        finding.level = Level::LOSS;
        if (IsFilledByLossy(maps, lossless, finding) ||
            IsFilledByPolicy(maps, borders, port, lossless, finding))
        {
            finding.place = NameOf(names, port.node, port.port);
            findings.push_back(finding);
        }
    }
}

/// @param ports of a fabric @param elsewhere classes that are lossless at some other port
/// @return the lossless data of hosts
SentMarkings
FindSent(const std::vector<FabricPort>& ports, uint8_t elsewhere)
{
    SentMarkings sent;
    for (const auto& [node, port, isSwitch, device] : ports)
    {
        for (uint8_t cls = 0; !isSwitch && cls < TRAFFIC_CLASSES; ++cls)
        {
            // Another queue than elsewhere, which nothing pauses, may be the mistake.
            const auto map = device->GetTrafficClassMap();
            const bool isMoved = device->GetActivePfcClasses() && map->QueueOf(cls) != cls;
            const uint8_t classes = device->GetPausableClasses() | (isMoved ? elsewhere : 0);
            if (classes & (1U << cls))
            {
                const auto marking = RdmaMarking::FromMap(*map, cls);
                auto& group = sent[{cls, marking.dscp, marking.tagged, marking.pcp}];
                group.first = marking;
                group.second.emplace_back(node, port);
            }
        }
    }
    return sent;
}

/// FindOtherClasses(). @param borders policies of the fabric
void
FindBehind(const Fabric& fabric,
           const Borders& borders,
           const std::vector<std::string>& names,
           std::vector<Finding>& findings)
{
    const std::vector<FabricPort> ports = PortsOf(fabric);
    const FabricTopology& topology = fabric.GetTopology();
    const uint8_t lossless = LosslessAtHosts(fabric);
    FindFilled(ports, borders, names, lossless, findings);
    const std::set<NodeId> inside = FindInsideTunnels(fabric);
    std::set<std::pair<NodePort, uint8_t>> named;
    for (const auto& [key, group] : FindSent(ports, lossless | FindBooked(ports)))
    {
        const auto& [marking, senders] = group;
        const uint8_t cls = std::get<0>(key);
        std::vector<std::pair<NodePort, Finding>> wrong;
        for (const FabricPort& each : ports)
        {
            const auto& [node, port, isSwitch, device] = each;
            const LinkId link = topology.GetLinksOf(node)[port];
            const NodeId peer = topology.GetLink(link).Peer(node);
            const std::string sender = NameOf(names, peer, topology.GetPort(peer, link));
            Finding finding;
            finding.level = Level::LOSS;
            const auto map = device->GetTrafficClassMap();
            const uint16_t udpPort = inside.count(node) ? VXLAN_UDP_PORT : ROCE_UDP_PORT;
            const RdmaMarking here = borders.LetIn(each, marking, udpPort);
            const uint8_t taken = map->Classify(here);
            const bool isMoved = taken != cls && map->Classify(marking) != taken;
            if (isMoved ? IsMovedAway(*device, taken, cls, sender, finding)
                        : IsWrong(*device, here, cls, sender, finding))
            {
                finding.place = NameOf(names, node, port);
                wrong.emplace_back(NodePort(node, port), finding);
            }
        }
        const std::set<NodePort> reached =
            wrong.empty() ? std::set<NodePort>() : FrameArrivals(fabric).Find(senders);
        for (const auto& [place, finding] : wrong)
        {
            if (reached.count(place) && named.emplace(place, cls).second)
            {
                findings.push_back(finding);
            }
        }
    }
}

} // namespace

void
FindOtherClasses(const Fabric& fabric,
                 const std::vector<std::string>& names,
                 std::vector<Finding>& findings)
{
    FindBehind(fabric, Borders(fabric), names, findings);
}

void
AddOtherClasses(const Fabric& fabric)
{
    if (!IsLossForbidden(fabric))
    {
        return;
    }
    const auto names = FabricPlaces::NamesOf(fabric.GetTopology());
    const Borders borders(fabric);
    const auto places = PortsWithOwnMaps(fabric, borders, names);
    if (places.empty())
    {
        return; // there is no need to follow frames through the fabric
    }
    std::vector<Finding> findings;
    FindBehind(fabric, borders, names, findings);
    const uint8_t lossless = LosslessAtHosts(fabric);
    Fabric::Notes& notes = fabric.GetNotes();
    uint8_t found = 0;
    for (const Finding& finding : findings)
    {
        const uint8_t cls = 1U << *finding.cls;
        // Nobody notes who sends frames of lossy classes.
        const bool isSent = (notes.sent & cls) || !(lossless & cls);
        if (places.count(finding.place) && isSent && !(notes.lossy & cls))
        {
            fabric.GetFindings().Add(finding);
            found |= cls;
        }
    }
    notes.lossy |= found;
}

} // namespace ns3
