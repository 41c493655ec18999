// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_HELPER_H
#define LOSSLESS_INOF_HELPER_H

#include "ns3/fabric.h"
#include "ns3/inof-host-agent.h"
#include "ns3/inof-switch-agent.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * iNOF on a fabric: an InofSwitchAgent in each switch and an InofHostAgent at each port of a host.
 * A port is a host of iNOF: its identifier is the number of its address, that is the number of the
 * host for the first port of each (GetId()).
 *
 * @code
 * InofHelper inof(fabric);
 * inof.SetReflectors({2, 3});
 * inof.Install();
 * inof.AddZone("storage", {0, 1, 4});
 * Simulator::Stop(Seconds(10));
 * @endcode
 *
 * Without reflectors the mode is direct: a switch knows its own hosts. Wrong arguments are a
 * FabricError.
 */
class InofHelper
{
  public:
    /// @param fabric where
    explicit InofHelper(const Fabric& fabric);

    /// @param name attribute of InofSwitchAgent @param value for all switches
    void SetSwitch(const std::string& name, const AttributeValue& value);
    /// @param name attribute of InofHostAgent @param value for all hosts
    void SetHost(const std::string& name, const AttributeValue& value);

    /// How often hosts report, and when they are gone. @param interval between HELLOs
    /// @param misses intervals of silence
    void SetKeepAlive(Time interval, uint32_t misses);

    /**
     * Cross-switch mode: all other switches become clients of these.
     * @param switches numbers of the reflectors, a cluster
     */
    void SetReflectors(const std::vector<SwitchId>& switches);

    /// @param host a host that offers storage
    void SetDisk(HostId host);

    /// Put the agents in place. Once, before the simulation starts.
    void Install();

    /**
     * Hosts whose port a watchdog has given up are gone for their zones, and come back with it: a
     * stormed port is at fault (InofReason::PORT_FAULT), one whose PFC is disabled, or whose NIC
     * was stopped by its watchdog, has no PFC (PFC_DISABLED). After Install(), for the watchdogs
     * that are in place then.
     */
    void FollowWatchdogs();

    // ---- zones: after Install(), before the simulation or within it

    /// @param name of a new zone @param hosts all of whose ports join it
    void AddZone(const std::string& name, const std::vector<HostId>& hosts = {});
    /// @param name of a zone, which goes
    void DeleteZone(const std::string& name);
    /// @param name of a zone @param host whose port joins it @param port which
    void AddMember(const std::string& name, HostId host, uint32_t port = 0);
    /// @param name of a zone @param host whose port leaves it @param port which
    void RemoveMember(const std::string& name, HostId host, uint32_t port = 0);
    /// @param autoJoin whether hosts of no zone are in the default zone
    void SetAutoJoin(bool autoJoin);

    // ---- look-up

    /// @param host a host @param port one of its ports @return its identifier in iNOF
    uint32_t GetId(HostId host, uint32_t port = 0) const;
    /// @param host a host @param port one of its ports @return the agent there
    Ptr<InofHostAgent> GetHostAgent(HostId host, uint32_t port = 0) const;
    /// @param which a switch @return the agent there
    Ptr<InofSwitchAgent> GetSwitchAgent(SwitchId which) const;

    /// @return messages on zones, hosts and sessions of all switches
    InofSwitch::Counters GetTotals() const;

    /// @return the fabric that it belongs to
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

  private:
    /// @param what is done to the zones of each switch that is configured, and tried before
    void Configure(const std::function<void(InofZoneTable&)>& change);
    /// @param which a switch @return whether it is a reflector
    bool IsReflector(SwitchId which) const;
    /// FabricError unless Install() was called.
    void RequireInstalled() const;
    /// FabricError if Install() was called. @param what must come before
    void RequireNotInstalled(const std::string& what) const;
    void InstallSwitch(SwitchId which);
    void InstallHost(HostId host);

    Fabric m_fabric;
    ObjectFactory m_switch;
    ObjectFactory m_host;
    std::vector<SwitchId> m_reflectors;
    std::vector<bool> m_isDisk;                           //!< by host
    std::vector<Ptr<InofSwitchAgent>> m_switches;         //!< by number
    std::vector<std::vector<Ptr<InofHostAgent>>> m_hosts; //!< by host, then port
    InofZoneTable m_planned;                              //!< what was configured so far
};

} // namespace ns3

#endif // LOSSLESS_INOF_HELPER_H
