// SPDX-License-Identifier: GPL-2.0-only
#include "l2-tables.h"

#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/fabric-switch.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/rdma-hw.h"

#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("L2Tables");

NS_OBJECT_ENSURE_REGISTERED(L2Tables);

TypeId
L2Tables::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::L2Tables")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<L2Tables>()
            .AddAttribute(
                "ArpTimeout",
                "Time after which the ARP entry of a silent host expires",
                TimeValue(Hours(4)),
                MakeLive(MakeTimeAccessor(&L2Tables::m_arpTimeout), &L2Tables::SettingChanged),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "MacTimeout",
                "Time after which the MAC entry of a silent host expires; if longer than "
                "ArpTimeout, there is never an ARP entry without a MAC entry",
                TimeValue(Minutes(5)),
                MakeLive(MakeTimeAccessor(&L2Tables::m_macTimeout), &L2Tables::SettingChanged),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "UnknownMac",
                "Treatment of a frame whose destination host has an ARP entry and no MAC entry: "
                "Flood, DropLossless (flood in lossy classes only) or Drop",
                EnumValue(FLOOD),
                MakeLive(MakeLosslessEnumAccessor<UnknownMac>(&L2Tables::m_unknownMac),
                         &L2Tables::SettingChanged),
                MakeEnumChecker(FLOOD, "Flood", DROP_LOSSLESS, "DropLossless", DROP, "Drop"))
            .AddAttribute(
                "Groups",
                "Treatment of a frame to a multicast or broadcast address: Drop, flood in Lossy "
                "classes, or flood in All classes",
                EnumValue(GROUPS_DROPPED),
                MakeLive(MakeLosslessEnumAccessor<Groups>(&L2Tables::m_groups),
                         &L2Tables::SettingChanged),
                MakeEnumChecker(GROUPS_DROPPED, "Drop", GROUPS_LOSSY, "Lossy", GROUPS_ALL, "All"))
            .AddTraceSource("Flood",
                            "A frame is flooded: the frame, the number of copies.",
                            MakeTraceSourceAccessor(&L2Tables::m_floodTrace),
                            "ns3::L2Tables::FloodTracedCallback");
    return tid;
}

void
L2Tables::DoDispose()
{
    m_owner = nullptr;
    m_entries.clear();
    SwitchExtension::DoDispose();
}

uint32_t
L2Tables::GetHooks() const
{
    return ON_ARRIVAL | ON_ROUTE | ON_UNROUTED;
}

void
L2Tables::Start(FabricSwitch& owner)
{
    for (uint32_t i = 0; i < owner.GetNExtensions(); ++i)
    {
        const auto other = DynamicCast<L2Tables>(owner.GetExtension(i));
        if (other && other != this)
        {
            throw std::invalid_argument(
                "L2Tables: the switch has an L2Tables already; add only one");
        }
    }
    m_owner = &owner;
    const uint32_t known = m_entries.size();
    m_entries.resize(owner.GetNPorts());
    for (uint32_t port = known; port < m_entries.size(); ++port)
    {
        const auto peer = owner.GetPort(port)->GetPeer();
        const auto host = peer ? peer->GetNode()->GetObject<RdmaHw>() : nullptr;
        if (host)
        {
            Entry& entry = m_entries[port];
            entry.isHost = true;
            entry.address = host->GetAddress(peer->GetPortIndex()).low;
            entry.heard = owner.Now();
        }
    }
}

void
L2Tables::Arrived(Frame& frame, uint32_t inPort)
{
    Entry& entry = m_entries[inPort];
    if (entry.isHost && frame.src == entry.address)
    {
        entry.heard = m_owner->Now();
        entry.noMac = false;
    }
}

SwitchExtension::Verdict
L2Tables::Routed(Frame& frame, uint32_t outPort)
{
    const Entry& entry = m_entries[outPort];
    if (!entry.isHost || frame.dst != entry.address)
    {
        return {};
    }
    if (!HasArp(entry))
    {
        ++m_counters.unknownArp;
        return {Verdict::DROP, DropReason::UNKNOWN_MAC};
    }
    if (HasMac(entry))
    {
        return {};
    }
    const bool lossless = m_owner->GetMmu()->IsLossless(frame.inPort, frame.inClass);
    frame.trafficClass = m_owner->ClassOf(frame); // Flood(): each port has its own queues
    if (m_unknownMac == DROP || (m_unknownMac == DROP_LOSSLESS && lossless) || !Flood(&frame))
    {
        ++m_counters.unknownMac;
        return {Verdict::DROP, DropReason::UNKNOWN_MAC};
    }
    return {Verdict::TAKEN};
}

bool
L2Tables::Unrouted(Frame* frame)
{
    if (!frame->IsLinkLocal())
    {
        return false; // an IP route is missing: nothing to do with MAC addresses
    }
    const bool lossless = m_owner->GetMmu()->IsLossless(frame->inPort, frame->inClass);
    if (m_groups == GROUPS_DROPPED || (m_groups == GROUPS_LOSSY && lossless) || !Flood(frame))
    {
        ++m_counters.groupsDropped;
        return false;
    }
    return true;
}

bool
L2Tables::Flood(Frame* frame)
{
    NS_LOG_DEBUG("floods a frame from port " << frame->inPort);
    const uint16_t inPort = frame->inPort;
    uint16_t last = inPort;
    uint32_t copies = 0;
    for (uint16_t port = 0; port < m_entries.size(); ++port)
    {
        if (port != inPort && m_owner->GetPort(port)->IsLinkUp())
        {
            last = port;
            ++copies;
        }
    }
    if (copies == 0)
    {
        return false;
    }
    ++m_counters.flooded;
    m_counters.copies += copies;
    m_floodTrace(*frame, copies);
    frame->flooded = true;
    for (uint16_t port = 0; port < last; ++port)
    {
        if (port != inPort && m_owner->GetPort(port)->IsLinkUp())
        {
            m_owner->Forward(frame->Copy(), port);
        }
    }
    m_owner->Forward(frame, last);
    return true;
}

// ---- tables

bool
L2Tables::HasMac(const Entry& entry) const
{
    return !entry.noMac && m_owner->Now() - entry.heard < m_macTimeout.GetTimeStep();
}

bool
L2Tables::HasArp(const Entry& entry) const
{
    return m_owner->Now() - entry.heard < m_arpTimeout.GetTimeStep();
}

uint32_t
L2Tables::FindPort(Ipv4Address host) const
{
    uint32_t port = 0;
    while (port < m_entries.size() &&
           !(m_entries[port].isHost && m_entries[port].address == host.Get()))
    {
        ++port;
    }
    return port;
}

bool
L2Tables::Forget(Ipv4Address host)
{
    NS_LOG_FUNCTION(this << host);
    const uint32_t port = FindPort(host);
    const bool known = port < m_entries.size();
    if (known)
    {
        m_entries[port].noMac = true;
    }
    return known;
}

bool
L2Tables::Age(Ipv4Address host, Time by)
{
    NS_LOG_FUNCTION(this << host << by);
    const uint32_t port = FindPort(host);
    const bool known = port < m_entries.size();
    if (known)
    {
        m_entries[port].heard -= by.GetTimeStep();
    }
    return known;
}

bool
L2Tables::KnowsMac(Ipv4Address host) const
{
    const uint32_t port = FindPort(host);
    return port < m_entries.size() && HasMac(m_entries[port]);
}

bool
L2Tables::KnowsArp(Ipv4Address host) const
{
    const uint32_t port = FindPort(host);
    return port < m_entries.size() && HasArp(m_entries[port]);
}

} // namespace ns3
