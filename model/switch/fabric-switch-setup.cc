// SPDX-License-Identifier: GPL-2.0-only

// A switch outside of its data path: attributes, assembly, start, checks.

#include "ecmp-load-balancer.h"
#include "fabric-switch.h"
#include "qbb-channel.h"
#include "wred-ecn-marker.h"

#include "ns3/boolean.h"
#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/type-id.h"

#include <stdexcept>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FabricSwitch);

namespace
{

/// @return an object of a policy; throws std::invalid_argument when the type is not one of it
template <typename Policy>
Ptr<Policy>
CreatePolicy(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    auto policy = factory.Create<Policy>();
    if (!policy)
    {
        throw std::invalid_argument("FabricSwitch: " + type.GetName() + " is not an " +
                                    Policy::GetTypeId().GetName());
    }
    return policy;
}

/// @return a time in picoseconds, for headroom
uint64_t
Picoseconds(Time time)
{
    return time.IsNegative() ? 0 : time.GetPicoSeconds();
}

/// @return the longest frame that a port sends, a tag included
uint32_t
LongestFrame(const QbbNetDevice& device)
{
    return device.GetMtu() + ETHERNET_OVERHEAD_BYTES + 4;
}

} // namespace

TypeId
FabricSwitch::GetTypeId()
{
    static TypeId tid = AddPartsAndTraces(
        TypeId("ns3::FabricSwitch")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddConstructor<FabricSwitch>()
            .AddAttribute("EcnEnabled",
                          "Whether the switch marks and, in lossy classes, drops by WRED.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&FabricSwitch::m_ecnEnabled),
                          MakeBooleanChecker())
            .AddAttribute("EcnMarkerType",
                          "Type of the ECN marker that a new switch makes for itself: use it for "
                          "defaults and on the command line. EcnMarker is the object.",
                          TypeIdValue(WredEcnMarker::GetTypeId()),
                          MakeTypeIdAccessor(&FabricSwitch::m_markerType),
                          MakeTypeIdChecker())
            .AddAttribute(
                "LoadBalancerType",
                "Type of the load balancer that a new switch makes for itself: use it for "
                "defaults and on the command line. LoadBalancer is the object.",
                TypeIdValue(EcmpLoadBalancer::GetTypeId()),
                MakeTypeIdAccessor(&FabricSwitch::m_balancerType),
                MakeTypeIdChecker())
            .AddAttribute("MarkAt",
                          "When the ECN decision is taken: on arrival, or on departure, which "
                          "tells the sender one queueing delay earlier.",
                          EnumValue(MARK_DEQUEUE),
                          MakeLosslessEnumAccessor<MarkTime>(&FabricSwitch::m_markTime),
                          MakeEnumChecker(MARK_ENQUEUE, "Enqueue", MARK_DEQUEUE, "Dequeue"))
            .AddAttribute("ReleaseAt",
                          "When the buffer of a frame is free again: when its transmission "
                          "starts, or when its last bit has left.",
                          EnumValue(DEQUEUE_START),
                          MakeLosslessEnumAccessor<ReleaseTime>(&FabricSwitch::m_releaseTime),
                          MakeEnumChecker(DEQUEUE_START, "DequeueStart", LAST_BIT, "LastBit"))
            .AddAttribute("DropNonEct",
                          "In lossy classes, drop data that cannot be marked where it would have "
                          "been marked (WRED). Lossless classes never do.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&FabricSwitch::m_dropNonEct),
                          MakeBooleanChecker()));
    return tid;
}

TypeId
FabricSwitch::AddPartsAndTraces(TypeId tid)
{
    return tid
        .AddAttribute("Mmu",
                      "The buffer.",
                      TypeId::ATTR_GET,
                      PointerValue(),
                      MakePointerAccessor(&FabricSwitch::GetMmu),
                      MakePointerChecker<SwitchMmu>())
        .AddAttribute(
            "EcnMarker",
            "The ECN marker in use: use it to read or replace that of one switch. New switches "
            "make theirs by EcnMarkerType.",
            TypeId::ATTR_GET | TypeId::ATTR_SET,
            PointerValue(),
            MakePointerAccessor(&FabricSwitch::SetEcnMarker, &FabricSwitch::GetEcnMarker),
            MakePointerChecker<EcnMarker>())
        .AddAttribute(
            "LoadBalancer",
            "The load balancer in use: use it to read or replace that of one switch. New switches "
            "make theirs by LoadBalancerType.",
            TypeId::ATTR_GET | TypeId::ATTR_SET,
            PointerValue(),
            MakePointerAccessor(&FabricSwitch::SetLoadBalancer, &FabricSwitch::GetLoadBalancer),
            MakePointerChecker<LoadBalancer>())
        .AddTraceSource("Enqueue",
                        "A frame entered an egress queue: port, class, bytes in the queue.",
                        MakeTraceSourceAccessor(&FabricSwitch::m_enqueueTrace),
                        "ns3::FabricSwitch::QueueTracedCallback")
        .AddTraceSource("Dequeue",
                        "A frame left an egress queue: port, class, bytes that remain.",
                        MakeTraceSourceAccessor(&FabricSwitch::m_dequeueTrace),
                        "ns3::FabricSwitch::QueueTracedCallback")
        .AddTraceSource("EcnMark",
                        "A frame got a CE mark: port, class, bytes in the queue.",
                        MakeTraceSourceAccessor(&FabricSwitch::m_markTrace),
                        "ns3::FabricSwitch::QueueTracedCallback")
        .AddTraceSource("Drop",
                        "A frame was dropped: ingress port, class, frame bytes, reason.",
                        MakeTraceSourceAccessor(&FabricSwitch::m_dropTrace),
                        "ns3::FabricSwitch::DropTracedCallback");
}

FabricSwitch::FabricSwitch()
    : m_mmu(CreateObject<SwitchMmu>())
{
    m_mmuHot = PeekPointer(m_mmu);
    m_mmu->SetPauseSink(this);
}

FabricSwitch::~FabricSwitch() = default;

void
FabricSwitch::NotifyConstructionCompleted()
{
    Object::NotifyConstructionCompleted();
    // Here, not in Start(), so that a script can configure them.
    if (!m_marker)
    {
        m_marker = CreatePolicy<EcnMarker>(m_markerType);
    }
    if (!m_balancer)
    {
        m_balancer = CreatePolicy<LoadBalancer>(m_balancerType);
    }
}

void
FabricSwitch::DoInitialize()
{
    if (!m_started || !m_mmu->IsFinal()) // set up anew since
    {
        Start();
    }
    Object::DoInitialize();
}

void
FabricSwitch::DoDispose()
{
    for (auto& device : m_devices)
    {
        device->SetOwner(nullptr, 0);
    }
    m_mmu->SetPauseSink(nullptr);
    m_devices.clear();
    m_ports.clear();
    m_markerHot = nullptr;
    m_marker = nullptr;
    m_balancerHot = nullptr;
    m_balancer = nullptr;
    const auto extensions = std::move(m_extensions); // they may ask for the others
    m_extensions.clear();
    ForgetHooks();
    for (const auto& extension : extensions)
    {
        extension->Dispose(); // it knows this switch by a plain pointer
    }
    Object::DoDispose();
}

uint16_t
FabricSwitch::AddPort(Ptr<QbbNetDevice> device)
{
    if (m_devices.size() >= NO_PORT)
    {
        throw std::invalid_argument("FabricSwitch: more than 65535 ports");
    }
    const auto index = static_cast<uint16_t>(m_devices.size());
    m_mmu->SetPortCount(index + 1);
    m_devices.push_back(device);
    m_ports.emplace_back();
    m_ports.back().device = PeekPointer(device);
    m_counters.emplace_back();
    m_chosen.emplace_back();
    device->SetOwner(this, index);
    m_table.SetPortUp(index, device->IsLinkUp());
    m_started = false;
    return index;
}

uint32_t
FabricSwitch::GetNPorts() const
{
    return m_devices.size();
}

Ptr<QbbNetDevice>
FabricSwitch::GetPort(uint32_t port) const
{
    return m_devices.at(port);
}

ForwardingTable&
FabricSwitch::GetForwardingTable()
{
    return m_table;
}

ForwardingTable::GroupId
FabricSwitch::AddGroup(const std::vector<uint16_t>& ports)
{
    for (auto port : ports)
    {
        if (port >= m_devices.size())
        {
            throw std::invalid_argument("FabricSwitch: a route over port " + std::to_string(port) +
                                        ": the switch has " + std::to_string(m_devices.size()) +
                                        " ports");
        }
    }
    return m_table.AddGroup(ports);
}

void
FabricSwitch::AddRoute(Ipv4Address destination, const std::vector<uint16_t>& ports)
{
    m_table.SetRoute(destination, AddGroup(ports));
}

void
FabricSwitch::AddRoute(const Ipv6Address& destination, const std::vector<uint16_t>& ports)
{
    m_table.SetRoute(destination, AddGroup(ports));
}

Ptr<SwitchMmu>
FabricSwitch::GetMmu() const
{
    return m_mmu;
}

void
FabricSwitch::SetEcnMarker(Ptr<EcnMarker> marker)
{
    m_marker = marker;
    m_markerHot = nullptr;
    m_started = false; // the marker must be told of the ports
}

Ptr<EcnMarker>
FabricSwitch::GetEcnMarker() const
{
    return m_marker;
}

void
FabricSwitch::SetLoadBalancer(Ptr<LoadBalancer> balancer)
{
    if (!balancer)
    {
        throw std::invalid_argument("FabricSwitch: a switch needs a load balancer");
    }
    m_balancer = balancer;
    m_started = false;
}

Ptr<LoadBalancer>
FabricSwitch::GetLoadBalancer() const
{
    return m_balancer;
}

const TrafficClassMap*
FabricSwitch::SharedMap(uint32_t port) const
{
    // Ports with equal maps, that is nearly always all, share one in the cache of the processor.
    const auto own = m_ports[port].device->GetTrafficClassMap();
    for (uint32_t earlier = 0; earlier < port; ++earlier)
    {
        if (m_ports[earlier].map->SameAs(*own))
        {
            return m_ports[earlier].map;
        }
    }
    return PeekPointer(own);
}

void
FabricSwitch::Start()
{
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        Port& hot = m_ports[port];
        hot.map = SharedMap(port);
        hot.maxFrameBytes = hot.device->GetMtu() + ETHERNET_OVERHEAD_BYTES;
        hot.device->SetNotifyLastBit(m_releaseTime == LAST_BIT);
        if (m_marker)
        {
            m_marker->SetPort(port, hot.device->GetDataRate().GetBitRate());
        }
    }
    m_markerHot = m_ecnEnabled ? PeekPointer(m_marker) : nullptr;
    m_balancerHot = PeekPointer(m_balancer);
    if (auto node = GetObject<Node>())
    {
        m_balancer->SetSwitchId(node->GetId());
    }
    ConfigureMmu();
    StartExtensions();
    m_started = true;
}

void
FabricSwitch::Restart()
{
    for (const auto& extension : m_extensions)
    {
        extension->Restarted();
    }
    Start();
}

void
FabricSwitch::ConfigureMmu()
{
    if (m_mmu->GetTotalUsed() > 0)
    {
        return; // while frames are stored the buffer stays as it is
    }
    m_mmu->Finalize(); // for the cell size, and to refuse what a script has set already
    const uint32_t cell = m_mmu->GetCellSize().Bytes();
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            // What is not as we left it, a script has set.
            const MmuClassConfig& config = m_mmu->GetConfig(port, cls);
            MmuClassConfig& chosen = m_chosen[port][cls];
            if (config.kind != chosen.kind || config.headroomBytes != chosen.headroomBytes)
            {
                continue;
            }
            if (m_devices[port]->IsPfcEnabled(cls))
            {
                m_mmu->SetLossless(port, cls, HeadroomBytes(GetHeadroomLink(port), cell));
            }
            else
            {
                m_mmu->SetLossy(port, cls);
            }
            chosen = m_mmu->GetConfig(port, cls);
        }
    }
    m_mmu->Finalize();
}

HeadroomLink
FabricSwitch::GetHeadroomLink(uint32_t port) const
{
    const QbbNetDevice& device = *m_devices.at(port);
    HeadroomLink link;
    link.bitsPerSecond = device.GetDataRate().GetBitRate();
    link.maxFrameBytes = LongestFrame(device);
    link.reverseMaxFrameBytes = LongestFrame(device);
    if (auto peer = device.GetPeer())
    {
        link.delayPs = Picoseconds(DynamicCast<QbbChannel>(device.GetChannel())->GetDelay());
        link.maxFrameBytes = LongestFrame(*peer);
        link.reactionPs = Picoseconds(peer->GetPfcReactionDelay());
    }
    return link;
}

std::vector<std::string>
FabricSwitch::CheckLossless() const
{
    std::vector<std::string> findings;
    const auto node = GetObject<Node>();
    const std::string name = node ? "switch " + std::to_string(node->GetId()) : "switch";
    const uint32_t cell = m_mmu->GetCellSize().Bytes();
    for (uint32_t port = 0; port < m_devices.size(); ++port)
    {
        const QbbNetDevice& device = *m_devices[port];
        const auto peer = device.GetPeer();
        if (!peer)
        {
            continue; // nothing can arrive
        }
        const uint64_t needed = HeadroomBytes(GetHeadroomLink(port), cell);
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            const std::string where =
                name + " port " + std::to_string(port) + " class " + std::to_string(cls) + ": ";
            const uint64_t headroom = uint64_t{m_mmu->GetIngress(port, cls).headroom} * cell;
            if (m_mmu->IsLossless(port, cls) && headroom < needed)
            {
                findings.push_back(where + "headroom of " + std::to_string(headroom) +
                                   " bytes is " + std::to_string(needed - headroom) +
                                   " bytes short of what the link needs");
            }
            if (m_mmu->IsLossless(port, cls) && !device.IsPfcEnabled(cls))
            {
                findings.push_back(where + "lossless in the buffer, but PFC is off at the port");
            }
            if (device.IsPfcEnabled(cls) != peer->IsPfcEnabled(cls))
            {
                findings.push_back(where + "PFC is on at one end of the link only");
            }
        }
        if (device.GetPfcClasses() &&
            !device.GetTrafficClassMap()->SameAs(*peer->GetTrafficClassMap()))
        {
            findings.push_back(name + " port " + std::to_string(port) +
                               ": the class maps at the two ends of the link differ");
        }
    }
    return findings;
}

int64_t
FabricSwitch::AssignStreams(int64_t stream)
{
    int64_t used = m_marker ? m_marker->AssignStreams(stream) : 0;
    used += m_balancer->AssignStreams(stream + used);
    for (const auto& extension : m_extensions)
    {
        used += extension->AssignStreams(stream + used);
    }
    return used;
}

const FabricSwitch::Counters&
FabricSwitch::GetCounters(uint32_t port) const
{
    return m_counters.at(port);
}

uint64_t
FabricSwitch::GetDropCount(DropReason reason) const
{
    uint64_t sum = 0;
    for (const auto& counters : m_counters)
    {
        sum += counters.drops[static_cast<size_t>(reason)];
    }
    return sum;
}

} // namespace ns3
