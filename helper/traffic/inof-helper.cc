// SPDX-License-Identifier: GPL-2.0-only
#include "inof-helper.h"

#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
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
    RequireNotInstalled("SetSwitch(\"" + name + "\")");
    FabricAttributes::Set(m_switch, name, value);
}

void
InofHelper::SetHost(const std::string& name, const AttributeValue& value)
{
    RequireNotInstalled("SetHost(\"" + name + "\")");
    FabricAttributes::Set(m_host, name, value);
}

void
InofHelper::SetKeepAlive(Time interval, uint32_t misses)
{
    RequireNotInstalled("SetKeepAlive()");
    SetSwitch("HelloInterval", TimeValue(interval));
    SetSwitch("HelloMisses", UintegerValue(misses));
    SetHost("HelloInterval", TimeValue(interval));
    SetHost("HelloMisses", UintegerValue(misses));
}

void
InofHelper::SetReflectors(const std::vector<uint32_t>& switches)
{
    RequireNotInstalled("SetReflectors()");
    for (const uint32_t i : switches)
    {
        m_fabric.GetSwitch(i); // there is one
        if (std::count(switches.begin(), switches.end(), i) > 1)
        {
            throw FabricError("switch " + std::to_string(i) + " is given twice as a reflector",
                              "each switch is one reflector at most");
        }
    }
    m_reflectors = switches;
}

void
InofHelper::SetDisk(uint32_t host)
{
    RequireNotInstalled("SetDisk()");
    m_fabric.GetHost(host); // there is one
    m_isDisk[host] = true;
}

bool
InofHelper::IsReflector(uint32_t i) const
{
    return std::count(m_reflectors.begin(), m_reflectors.end(), i) > 0;
}

void
InofHelper::RequireInstalled() const
{
    if (m_switches.empty())
    {
        throw FabricError("iNOF is not installed", "call Install() first");
    }
}

void
InofHelper::RequireNotInstalled(const std::string& what) const
{
    if (!m_switches.empty())
    {
        throw FabricError(what + " after Install() would have no effect",
                          "call it before Install()");
    }
}

void
InofHelper::Install()
{
    if (!m_switches.empty())
    {
        throw FabricError("iNOF is installed already", "call Install() once");
    }
    if (m_fabric.GetNSwitches() == 0)
    {
        throw FabricError("the fabric has no switches", "iNOF runs in switches");
    }
    for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
    {
        InstallSwitch(i);
    }
    for (uint32_t host = 0; host < m_fabric.GetNHosts(); ++host)
    {
        InstallHost(host);
    }
    if (!m_reflectors.empty())
    {
        m_fabric.RouteToSwitches();
    }
}

void
InofHelper::InstallSwitch(uint32_t i)
{
    const FabricTopology& topology = m_fabric.GetTopology();
    const auto agent = m_switch.Create<InofSwitchAgent>();
    agent->SetIdentity(i, m_fabric.GetSwitchAddress(i), IsReflector(i) ? CLUSTER : 0);
    for (uint32_t other = 0; other < m_fabric.GetNSwitches(); ++other)
    {
        if (other != i && (IsReflector(i) || IsReflector(other)))
        {
            agent->AddSession(other,
                              m_fabric.GetSwitchAddress(other),
                              IsReflector(other) ? InofSwitch::REFLECTOR : InofSwitch::CLIENT);
        }
    }
    const uint32_t node = topology.GetSwitches()[i];
    const auto& links = topology.GetLinksOf(node);
    for (uint32_t port = 0; port < links.size(); ++port)
    {
        if (!topology.IsSwitch(topology.GetLinks()[links[port]].Peer(node)))
        {
            agent->AddHostPort(port);
        }
    }
    const auto fabricSwitch = m_fabric.GetSwitch(i);
    fabricSwitch->AddExtension(agent);
    try
    {
        fabricSwitch->Start();
    }
    catch (const std::invalid_argument& error)
    {
        throw FabricError("switch " + std::to_string(node) + ": " + error.what());
    }
    m_switches.push_back(agent);
}

void
InofHelper::InstallHost(uint32_t host)
{
    const uint32_t node = m_fabric.GetTopology().GetHosts()[host];
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
            throw FabricError("host " + std::to_string(host) + ": " + error.what());
        }
        agent->SetRole(m_isDisk[host] ? InofRole::DISK : InofRole::SERVER);
        m_fabric.GetHost(host)->AddApplication(agent);
        m_hosts.back().push_back(agent);
    }
}

void
InofHelper::FollowWatchdogs()
{
    RequireInstalled();
    bool isWatched = false;
    for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
    {
        const auto fabricSwitch = m_fabric.GetSwitch(i);
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
            Follow(std::make_shared<WatchedPort>(WatchedPort{PeekPointer(m_switches[i]),
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
        const auto isUsable = [this](uint32_t i) {
            return !m_switches[i]->GetMachine() || m_switches[i]->GetMachine()->IsRunning();
        };
        const auto usable = std::find_if(m_reflectors.begin(), m_reflectors.end(), isUsable);
        m_switches[usable == m_reflectors.end() ? m_reflectors[0] : *usable]->ConfigureZones(
            change);
        return;
    }
    for (const auto& agent : m_switches)
    {
        agent->ConfigureZones(change);
    }
}

void
InofHelper::AddZone(const std::string& name, const std::vector<uint32_t>& hosts)
{
    std::vector<uint32_t> ids;
    for (const uint32_t host : hosts)
    {
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
InofHelper::AddMember(const std::string& name, uint32_t host, uint32_t port)
{
    const uint32_t id = GetId(host, port);
    Configure([name, id](InofZoneTable& zones) { zones.AddMember(name, id); });
}

void
InofHelper::RemoveMember(const std::string& name, uint32_t host, uint32_t port)
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
InofHelper::GetId(uint32_t host, uint32_t port) const
{
    return m_fabric.GetAddress(host, port).Get() - FIRST_ADDRESS;
}

Ptr<InofHostAgent>
InofHelper::GetHostAgent(uint32_t host, uint32_t port) const
{
    RequireInstalled();
    GetId(host, port); // they exist
    return m_hosts[host][port];
}

Ptr<InofSwitchAgent>
InofHelper::GetSwitchAgent(uint32_t i) const
{
    RequireInstalled();
    m_fabric.GetSwitch(i); // there is one
    return m_switches[i];
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
