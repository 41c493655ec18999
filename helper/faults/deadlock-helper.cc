// SPDX-License-Identifier: GPL-2.0-only
#include "deadlock-helper.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-partitions.h"
#include "ns3/fabric-places.h"
#include "ns3/log.h"
#include "ns3/port-group-remap.h"
#include "ns3/string.h"
#include "ns3/ttl-limiter.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DeadlockHelper");

DeadlockHelper::DeadlockHelper(const Fabric& fabric)
    : m_fabric(fabric),
      m_tiers(fabric.GetTopology().GetTiers())
{
}

void
DeadlockHelper::SetOne(Object& object, const std::string& name, const AttributeValue& value)
{
    const TypeId type = object.GetInstanceTypeId();
    const auto checked = m_fabric.GetOptions().Check(type, name, value);
    if (!m_fabric.GetOptions().Has(type, name))
    {
        object.SetAttribute(name, *checked);
    }
}

void
DeadlockHelper::AddDetector(const Ptr<DeadlockDetector>& detector)
{
    if (m_fabric.GetDeadlockDetector())
    {
        throw FabricError("the fabric has a deadlock detector already", "install one");
    }
    RequireOneThread("a deadlock detector");
    for (const SwitchId which : m_fabric.Switches())
    {
        detector->Add(m_fabric.GetSwitch(which));
    }
    m_fabric.SetDeadlockDetector(detector);
}

// ---- checks

SwitchId
DeadlockHelper::SwitchAt(NodeId node) const
{
    const FabricTopology& topology = m_fabric.GetTopology();
    if (node.Value() >= topology.GetNNodes() || !topology.IsSwitch(node))
    {
        throw FabricError(node.Name() + " is no switch", "name a switch of the fabric");
    }
    return topology.SwitchAt(node);
}

uint32_t
DeadlockHelper::DscpOf(uint32_t cls) const
{
    return m_fabric.GetSwitch(0)->GetPort(0)->GetTrafficClassMap()->DscpOfClass(
        static_cast<uint8_t>(cls));
}

std::string
DeadlockHelper::NameOf(NodeId node, uint32_t port) const
{
    return FabricPlaces::NameOf(m_fabric.GetTopology(), node) + " port " + std::to_string(port);
}

void
DeadlockHelper::RequireClass(NodeId node, uint32_t port, uint32_t cls, bool lossless) const
{
    const auto fabricSwitch = m_fabric.GetSwitch(SwitchAt(node));
    const auto device = fabricSwitch->GetPort(port);
    const auto peer = device->GetPeer();
    const std::string which = "class " + std::to_string(cls);
    const uint32_t group = device->GetTrafficClassMap()->GroupOf(static_cast<uint8_t>(cls));
    const auto mmu = fabricSwitch->GetMmu();
    const bool paused = peer && (device->GetPausingClasses() & (1U << cls)) &&
                        (peer->GetPausableClasses() & (1U << cls)) && mmu->IsLossless(port, group);
    if (lossless && !paused)
    {
        throw FabricError(NameOf(node, port) + ": " + which +
                              " is not lossless at both ends of the link",
                          "name it among the lossless classes of the fabric");
    }
    if (!lossless && mmu->IsLossless(port, group))
    {
        throw FabricError(NameOf(node, port) + ": " + which + " is lossless and is to lose frames",
                          "name a lossy class");
    }
    if (lossless && (device->GetCbfcClasses() & (1U << cls)))
    {
        throw FabricError(NameOf(node, port) + ": " + which +
                              " has credits (CBFC), whose memory does not move with a frame that "
                              "gets another class",
                          "use PFC for it");
    }
    const uint32_t cell = mmu->GetCellSize().Bytes();
    const uint64_t headroom = uint64_t{mmu->GetIngress(port, group).headroom} * cell;
    const uint64_t needed = HeadroomBytes(fabricSwitch->GetHeadroomLink(port), cell);
    if (lossless && headroom < needed)
    {
        throw FabricError(NameOf(node, port) + ": the headroom of " + which + " is " +
                              std::to_string(needed - headroom) + " bytes too small",
                          "it must be lossless");
    }
}

void
DeadlockHelper::RequireClasses(const std::vector<uint32_t>& classes, uint32_t lossyClass) const
{
    std::vector<uint32_t> sorted = classes;
    sorted.push_back(lossyClass);
    std::sort(sorted.begin(), sorted.end());
    if (sorted.back() >= TRAFFIC_CLASSES)
    {
        throw FabricError("class " + std::to_string(sorted.back()), "classes are 0 to 7");
    }
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
    {
        throw FabricError("class " + std::to_string(*twice) + " is named twice",
                          "a frame that moves needs another class each time");
    }
    const auto first = m_fabric.GetSwitch(0)->GetPort(0)->GetTrafficClassMap();
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto fabricSwitch = m_fabric.GetSwitch(which);
        const NodeId node = m_fabric.GetTopology().NodeOf(which);
        if (!fabricSwitch->GetMmu()->IsFinal())
        {
            fabricSwitch->Start();
        }
        for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
        {
            const auto device = fabricSwitch->GetPort(port);
            const auto map = device->GetTrafficClassMap();
            const auto peer = device->GetPeer();
            if (map->GetTrust() != TrafficClassMap::DSCP)
            {
                throw FabricError(NameOf(node, port) +
                                      ": it does not classify by DSCP, which is rewritten",
                                  "set Trust of its TrafficClassMap to Dscp");
            }
            if (!map->SameAs(*first) || (peer && !map->SameAs(*peer->GetTrafficClassMap())))
            {
                throw FabricError(NameOf(node, port) +
                                      ": its class map differs from that of other ports",
                                  "a class must mean the same everywhere");
            }
            for (const uint32_t cls : classes)
            {
                RequireClass(node, port, cls, true);
            }
            RequireClass(node, port, lossyClass, false);
        }
    }
    for (const uint32_t cls : sorted)
    {
        if (first->ClassOfDscp(static_cast<uint8_t>(DscpOf(cls))) != cls)
        {
            throw FabricError("no DSCP stands for class " + std::to_string(cls),
                              "give it one in the class map of all ports");
        }
    }
}

void
DeadlockHelper::Add(SwitchId which, const Ptr<SwitchExtension>& extension) const
{
    NS_LOG_FUNCTION(this << which << extension);
    const auto fabricSwitch = m_fabric.GetSwitch(which);
    try
    {
        extension->Start(*fabricSwitch); // before anything has changed
    }
    catch (const std::invalid_argument& error)
    {
        const FabricTopology& topology = m_fabric.GetTopology();
        throw FabricError(FabricPlaces::NameOf(topology, topology.NodeOf(which)) + ": " +
                          error.what());
    }
    fabricSwitch->AddExtension(extension);
    fabricSwitch->Start();
}

// ---- prevention

std::vector<Tagger::Direction>
DeadlockHelper::GetDirections(NodeId node) const
{
    const FabricTopology& topology = m_fabric.GetTopology();
    std::vector<Tagger::Direction> directions;
    for (const LinkId link : topology.GetLinksOf(node))
    {
        const NodeId peer = topology.GetLink(link).Peer(node);
        const bool host = !topology.IsSwitch(peer);
        directions.push_back(host || m_tiers[peer.Value()] < m_tiers[node.Value()] ? Tagger::DOWN
                             : m_tiers[peer.Value()] > m_tiers[node.Value()]       ? Tagger::UP
                                                                                   : Tagger::LEVEL);
    }
    return directions;
}

void
DeadlockHelper::InstallPortGroup(NodeId node,
                                 const std::vector<uint32_t>& ports,
                                 const std::vector<uint32_t>& classes,
                                 uint32_t lossyClass)
{
    const SwitchId which = SwitchAt(node);
    if (classes.size() < 2)
    {
        throw FabricError("port groups with " + std::to_string(classes.size()) + " lossless class" +
                              (classes.size() == 1 ? "" : "es"),
                          "frames move from one class to another: name at least 2");
    }
    RequireClasses(classes, lossyClass);
    std::string map;
    for (std::size_t i = 1; i < classes.size(); ++i)
    {
        map += (i > 1 ? "," : "") + std::to_string(DscpOf(classes[i - 1])) + ":" +
               std::to_string(DscpOf(classes[i]));
    }
    std::string groups;
    for (const uint32_t port : ports)
    {
        groups += (groups.empty() ? "" : ",") + std::to_string(port) + ":1";
    }
    const auto remap = CreateObject<PortGroupRemap>();
    SetAttributes(*remap,
                  "Groups",
                  StringValue(groups),
                  "DscpMap",
                  StringValue(map),
                  "LossyDscp",
                  UintegerValue(DscpOf(lossyClass)));
    Add(which, remap);
}

void
DeadlockHelper::InstallUplinkGroups(const std::vector<uint32_t>& classes, uint32_t lossyClass)
{
    for (const NodeId node : m_fabric.GetTopology().GetSwitches())
    {
        const auto directions = GetDirections(node);
        std::vector<uint32_t> ports;
        for (uint32_t port = 0; port < directions.size(); ++port)
        {
            if (directions[port] != Tagger::DOWN)
            {
                ports.push_back(port);
            }
        }
        if (!ports.empty())
        {
            InstallPortGroup(node, ports, classes, lossyClass);
        }
    }
}

void
DeadlockHelper::InstallTagger(const std::vector<uint32_t>& classes, uint32_t lossyClass)
{
    if (classes.empty())
    {
        throw FabricError("a Tagger without classes", "k bounces need k + 1 lossless classes");
    }
    RequireClasses(classes, lossyClass);
    std::string tags;
    for (std::size_t i = 0; i < classes.size(); ++i)
    {
        tags += (i ? "," : "") + std::to_string(i) + ":" + std::to_string(DscpOf(classes[i]));
    }
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto tagger = CreateObjectWithAttributes<Tagger>("TagDscps",
                                                               StringValue(tags),
                                                               "LossyDscp",
                                                               UintegerValue(DscpOf(lossyClass)));
        tagger->SetUpDown(GetDirections(m_fabric.GetTopology().NodeOf(which)));
        Add(which, tagger);
    }
}

void
DeadlockHelper::InstallTtlLimit(uint32_t trafficClass, uint32_t limit)
{
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto limiter = CreateObject<TtlLimiter>();
        const std::string text = std::to_string(trafficClass) + ":" + std::to_string(limit);
        SetAttributes(*limiter, "Limits", StringValue(text));
        Add(which, limiter);
    }
}

} // namespace ns3
