// SPDX-License-Identifier: GPL-2.0-only
#include "inof-helper.h"

#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-places.h"
#include "ns3/log.h"
#include "ns3/nic-watchdog.h"
#include "ns3/node.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/simulator.h"
#include "ns3/switch-extensions.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("InofHelper");

namespace
{

/// The address that identifiers count from.
constexpr uint32_t FIRST_ADDRESS = 0x0a000001;

/// Cluster of the reflectors: there is one.
constexpr uint32_t CLUSTER = 1;

/// A port of a switch, with a host, and the watchdogs that look at it from both sides.
struct WatchedPort
{
    // Not Ptr: the watchdogs keep this.
    InofSwitchAgent* agent;
    std::vector<PfcWatchdog*> watchdogs; //!< of the switch
    NicWatchdog* nic;                    //!< of the host, or null
    uint32_t port;                       //!< of the switch
    uint32_t nicPort;                    //!< of the host

    /// @return what is wrong with it
    InofReason GetFault() const
    {
        bool isDisabled = nic && nic->IsStopped(nicPort);
        for (const PfcWatchdog* watchdog : watchdogs)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                const PfcQueueState state = watchdog->GetState(port, cls);
                if (state == PfcQueueState::STORMED)
                {
                    return InofReason::PORT_FAULT;
                }
                isDisabled = isDisabled || state == PfcQueueState::DISABLED;
            }
        }
        return isDisabled ? InofReason::PFC_DISABLED : InofReason::NONE;
    }
};

/// The switch of a port is told what its watchdogs find, from now on. @param watched the port
void
Follow(const std::shared_ptr<WatchedPort>& watched)
{
    const auto tell = [watched] { watched->agent->SetFault(watched->port, watched->GetFault()); };
    for (PfcWatchdog* watchdog : watched->watchdogs)
    {
        watchdog->TraceConnectWithoutContext(
            "State",
            Callback<void, uint32_t, uint32_t, PfcQueueState, PfcQueueState>(
                [watched, tell](uint32_t port, uint32_t, PfcQueueState, PfcQueueState) {
                    if (port == watched->port)
                    {
                        tell();
                    }
                }));
    }
    if (watched->nic)
    {
        watched->nic->TraceConnectWithoutContext(
            "Stopped",
            Callback<void, uint32_t, uint8_t, bool>([watched, tell](uint32_t port, uint8_t, bool) {
                if (port == watched->nicPort)
                {
                    tell();
                }
            }));
    }
}

} // namespace

InofHelper::InofHelper(const Fabric& fabric)
    : m_fabric(fabric),
      m_isDisk(fabric.GetNHosts())
{
    m_switch.SetTypeId(InofSwitchAgent::GetTypeId());
    m_host.SetTypeId(InofHostAgent::GetTypeId());
}

void
InofHelper::SetSwitch(const std::string& name, const AttributeValue& value)
{
    RequireNotInstalled(name);
    FabricAttributes::Set(m_switch, name, value);
}

void
InofHelper::SetHost(const std::string& name, const AttributeValue& value)
{
    RequireNotInstalled(name);
    FabricAttributes::Set(m_host, name, value);
}

void
InofHelper::SetKeepAlive(Time interval, uint32_t misses)
{
    RequireNotInstalled("the keep-alive");
    SetSwitch("HelloInterval", TimeValue(interval));
    SetSwitch("HelloMisses", UintegerValue(misses));
    SetHost("HelloInterval", TimeValue(interval));
    SetHost("HelloMisses", UintegerValue(misses));
}

void
InofHelper::SetReflectors(const std::vector<SwitchId>& switches)
{
    RequireNotInstalled("reflectors");
    for (const SwitchId which : switches)
    {
        m_fabric.GetSwitch(which); // there is one
        if (std::count(switches.begin(), switches.end(), which) > 1)
        {
            throw FabricError(which.Name() + " is given twice as a reflector",
                              "each switch is one reflector at most");
        }
    }
    m_reflectors = switches;
}

void
InofHelper::SetDisk(HostId host)
{
    RequireNotInstalled("a disk");
    m_fabric.GetHost(host); // there is one
    m_isDisk[host.Value()] = true;
}

bool
InofHelper::IsReflector(SwitchId which) const
{
    return std::count(m_reflectors.begin(), m_reflectors.end(), which) > 0;
}

void
InofHelper::RequireInstalled() const
{
    if (m_switches.empty())
    {
        throw FabricError("iNOF is not installed", "install it first");
    }
}

void
InofHelper::RequireNotInstalled(const std::string& what) const
{
    if (!m_switches.empty())
    {
        throw FabricError(what + " of an iNOF that is installed would have no effect",
                          "set it before");
    }
}

void
InofHelper::Install()
{
    if (!m_switches.empty())
    {
        throw FabricError("iNOF is installed already", "install it once");
    }
    if (m_fabric.GetNSwitches() == 0)
    {
        throw FabricError("the fabric has no switches", "iNOF runs in switches");
    }
    const auto first = m_fabric.GetSwitch(SwitchId(0));
    for (uint32_t i = 0; i < first->GetNExtensions(); ++i)
    {
        if (DynamicCast<InofSwitchAgent>(first->GetExtension(i)))
        {
            throw FabricError("the fabric has iNOF already, of another call", "add zones to that");
        }
    }
    for (const SwitchId which : m_fabric.Switches())
    {
        InstallSwitch(which);
    }
    for (const HostId host : m_fabric.Hosts())
    {
        InstallHost(host);
    }
    if (!m_reflectors.empty())
    {
        m_fabric.RouteToSwitches();
    }
}

void
InofHelper::InstallSwitch(SwitchId which)
{
    NS_LOG_FUNCTION(this << which);
    const FabricTopology& topology = m_fabric.GetTopology();
    const auto agent = m_switch.Create<InofSwitchAgent>();
    agent->SetIdentity(which.Value(),
                       m_fabric.GetSwitchAddress(which),
                       IsReflector(which) ? CLUSTER : 0);
    for (const SwitchId other : m_fabric.Switches())
    {
        if (other != which && (IsReflector(which) || IsReflector(other)))
        {
            agent->AddSession(other.Value(),
                              m_fabric.GetSwitchAddress(other),
                              IsReflector(other) ? InofSwitch::REFLECTOR : InofSwitch::CLIENT);
        }
    }
    const NodeId node = topology.NodeOf(which);
    const auto& links = topology.GetLinksOf(node);
    for (uint32_t port = 0; port < links.size(); ++port)
    {
        if (!topology.IsSwitch(topology.GetLink(links[port]).Peer(node)))
        {
            agent->AddHostPort(port);
        }
    }
    const auto fabricSwitch = m_fabric.GetSwitch(which);
    fabricSwitch->AddExtension(agent);
    try
    {
        fabricSwitch->Start();
    }
    catch (const std::invalid_argument& error)
    {
        throw FabricError(FabricPlaces::NameOf(topology, node) + ": " + error.what());
    }
    m_switches.push_back(agent);
}

void
InofHelper::InstallHost(HostId host)
{
    NS_LOG_FUNCTION(this << host);
    const NodeId node = m_fabric.GetTopology().NodeOf(host);
    m_hosts.emplace_back();
    for (uint32_t port = 0; port < m_fabric.GetTopology().GetLinksOf(node).size(); ++port)
    {
        const auto agent = m_host.Create<InofHostAgent>();
        try
        {
            agent->SetPort(m_fabric.GetDevice(node, port),
                           GetId(host, port),
                           m_fabric.GetAddress(host, port));
        }
        catch (const std::invalid_argument& error)
        {
            throw FabricError(host.Name() + ": " + error.what());
        }
        agent->SetRole(m_isDisk[host.Value()] ? InofRole::DISK : InofRole::SERVER);
        m_fabric.GetHost(host)->AddApplication(agent);
        m_hosts.back().push_back(agent);
    }
}

void
InofHelper::FollowWatchdogs()
{
    RequireInstalled();
    bool isWatched = false;
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto fabricSwitch = m_fabric.GetSwitch(which);
        std::vector<PfcWatchdog*> watchdogs;
        for (const auto& watchdog : ExtensionsOf<PfcWatchdog>(*fabricSwitch))
        {
            watchdogs.push_back(PeekPointer(watchdog));
        }
        for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
        {
            const auto peer = fabricSwitch->GetPort(port)->GetPeer();
            if (!peer || !peer->GetNode() || peer->GetNode()->GetObject<FabricSwitch>())
            {
                continue;
            }
            const auto nic = peer->GetNode()->GetObject<NicWatchdog>();
            isWatched = isWatched || nic || !watchdogs.empty();
            Follow(std::make_shared<WatchedPort>(WatchedPort{PeekPointer(m_switches[which.Value()]),
                                                             watchdogs,
                                                             PeekPointer(nic),
                                                             port,
                                                             peer->GetPortIndex()}));
        }
    }
    if (!isWatched)
    {
        throw FabricError("there are no watchdogs that iNOF could follow",
                          "install them first, by WatchdogHelper");
    }
}

// ---- zones

void
InofHelper::Configure(const std::function<void(InofZoneTable&)>& change)
{
    RequireInstalled();
    try
    {
        change(m_planned); // what is wrong is wrong here first
    }
    catch (const std::invalid_argument& error)
    {
        throw FabricError(error.what());
    }
    if (!m_reflectors.empty())
    {
        // The first that runs, or will; without any the first keeps it for later.
        const auto isUsable = [this](SwitchId which) {
            const auto machine = m_switches[which.Value()]->GetMachine();
            return !machine || machine->IsRunning();
        };
        const auto usable = std::find_if(m_reflectors.begin(), m_reflectors.end(), isUsable);
        const SwitchId chosen = usable == m_reflectors.end() ? m_reflectors[0] : *usable;
        m_switches[chosen.Value()]->ConfigureZones(change);
        return;
    }
    for (const auto& agent : m_switches)
    {
        agent->ConfigureZones(change);
    }
}

void
InofHelper::AddZone(const std::string& name, const std::vector<HostId>& hosts)
{
    std::vector<uint32_t> ids;
    for (const HostId host : hosts)
    {
        if (std::count(hosts.begin(), hosts.end(), host) > 1)
        {
            throw FabricError(host.Name() + " is given twice for the zone \"" + name + "\"",
                              "each host is a member once");
        }
        const uint32_t ports = m_fabric.GetRdma(host)->GetNPorts();
        for (uint32_t port = 0; port < ports; ++port)
        {
            ids.push_back(GetId(host, port));
        }
    }
    Configure([name, ids](InofZoneTable& zones) {
        zones.AddZone(name);
        for (const uint32_t id : ids)
        {
            zones.AddMember(name, id);
        }
    });
}

void
InofHelper::DeleteZone(const std::string& name)
{
    Configure([name](InofZoneTable& zones) { zones.DeleteZone(name); });
}

void
InofHelper::AddMember(const std::string& name, HostId host, uint32_t port)
{
    const uint32_t id = GetId(host, port);
    Configure([name, id](InofZoneTable& zones) { zones.AddMember(name, id); });
}

void
InofHelper::RemoveMember(const std::string& name, HostId host, uint32_t port)
{
    const uint32_t id = GetId(host, port);
    Configure([name, id](InofZoneTable& zones) { zones.RemoveMember(name, id); });
}

void
InofHelper::SetAutoJoin(bool autoJoin)
{
    Configure([autoJoin](InofZoneTable& zones) { zones.SetAutoJoin(autoJoin); });
}

// ---- look-up

uint32_t
InofHelper::GetId(HostId host, uint32_t port) const
{
    return m_fabric.GetAddress(host, port).Get() - FIRST_ADDRESS;
}

Ptr<InofHostAgent>
InofHelper::GetHostAgent(HostId host, uint32_t port) const
{
    RequireInstalled();
    GetId(host, port); // they exist
    return m_hosts[host.Value()][port];
}

Ptr<InofSwitchAgent>
InofHelper::GetSwitchAgent(SwitchId which) const
{
    RequireInstalled();
    m_fabric.GetSwitch(which); // there is one
    return m_switches[which.Value()];
}

InofSwitch::Counters
InofHelper::GetTotals() const
{
    InofSwitch::Counters totals;
    for (const auto& agent : m_switches)
    {
        if (agent->GetMachine())
        {
            AddCounters(totals, agent->GetMachine()->GetCounters());
        }
    }
    return totals;
}

} // namespace ns3
