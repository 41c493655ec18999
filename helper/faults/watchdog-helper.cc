// SPDX-License-Identifier: GPL-2.0-only
#include "watchdog-helper.h"

#include "type-relation.h"

#include "ns3/fabric-error.h"
#include "ns3/log.h"
#include "ns3/receive-pipeline.h"
#include "ns3/switch-extensions.h"

#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WatchdogHelper");

namespace
{

/// @return all indices of a range
template <typename Id>
std::vector<Id>
ToVector(const FabricIndexRange<Id>& range)
{
    std::vector<Id> all;
    for (const Id id : range)
    {
        all.push_back(id);
    }
    return all;
}

/// FabricError if an index is too high, or comes twice.
template <typename Id>
void
RequireEachOnce(const std::vector<Id>& ids, uint32_t count)
{
    std::vector<bool> named(count, false);
    for (const Id id : ids)
    {
        if (id.Value() >= count)
        {
            throw FabricError("there is no " + id.Name(),
                              "the fabric has " + std::to_string(count) + ", counted from 0");
        }
        if (named[id.Value()])
        {
            throw FabricError(id.Name() + " is named twice", "name each once");
        }
        named[id.Value()] = true;
    }
}

/// FabricError unless a factory makes watchdogs of a kind.
void
RequireType(const ObjectFactory& factory, TypeId wanted)
{
    const TypeId type = factory.GetTypeId();
    if (!factory.IsTypeIdSet() || !IsA(type, wanted))
    {
        throw FabricError("a watchdog of another type", "name " + wanted.GetName());
    }
}

} // namespace

WatchdogHelper::WatchdogHelper(const Fabric& fabric)
    : m_fabric(fabric)
{
}

void
WatchdogHelper::SetOne(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    m_fabric.GetOptions().Set(factory, name, value);
}

std::vector<SwitchId>
WatchdogHelper::AllSwitches() const
{
    return ToVector(m_fabric.Switches());
}

std::vector<HostId>
WatchdogHelper::AllHosts() const
{
    return ToVector(m_fabric.Hosts());
}

std::vector<SwitchId>
WatchdogHelper::GetTors() const
{
    const FabricTopology& topology = m_fabric.GetTopology();
    std::vector<SwitchId> tors;
    for (const SwitchId which : m_fabric.Switches())
    {
        const NodeId node = topology.NodeOf(which);
        for (const LinkId link : topology.GetLinksOf(node))
        {
            if (!topology.IsSwitch(topology.GetLink(link).Peer(node)))
            {
                tors.push_back(which);
                break;
            }
        }
    }
    return tors;
}

void
WatchdogHelper::AddToSwitches(const std::vector<SwitchId>& switches,
                              const ObjectFactory& factory) const
{
    NS_LOG_FUNCTION(this << switches.size() << factory);
    RequireEachOnce(switches, m_fabric.GetNSwitches());
    RequireType(factory, PfcWatchdog::GetTypeId());
    // All are checked before the first is added, so that an error changes nothing.
    std::vector<Ptr<PfcWatchdog>> watchdogs;
    for (const SwitchId which : switches)
    {
        watchdogs.push_back(factory.Create<PfcWatchdog>());
        try
        {
            m_fabric.GetSwitch(which)->Start();
            watchdogs.back()->Check(*m_fabric.GetSwitch(which));
        }
        catch (const std::invalid_argument& error)
        {
            throw FabricError(error.what(), "");
        }
    }
    for (std::size_t each = 0; each < switches.size(); ++each)
    {
        m_fabric.GetSwitch(switches[each])->AddExtension(watchdogs[each]);
        m_fabric.GetSwitch(switches[each])->Start();
    }
}

void
WatchdogHelper::AddToHosts(const std::vector<HostId>& hosts, const ObjectFactory& factory) const
{
    NS_LOG_FUNCTION(this << hosts.size() << factory);
    RequireEachOnce(hosts, m_fabric.GetNHosts());
    RequireType(factory, NicWatchdog::GetTypeId());
    for (const HostId host : hosts)
    {
        if (m_fabric.GetHost(host)->GetObject<NicWatchdog>())
        {
            throw FabricError(host.Name() + " has a NIC watchdog already", "install one");
        }
    }
    for (const HostId host : hosts)
    {
        const auto node = m_fabric.GetHost(host);
        const auto watchdog = factory.Create<NicWatchdog>();
        const auto rdma = m_fabric.GetRdma(host);
        for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
        {
            const auto device = rdma->GetDevice(port);
            try
            {
                watchdog->AddPort(device, CreateObject<RdmaReceivePipeline>(rdma, device));
            }
            catch (const std::invalid_argument& error)
            {
                throw FabricError(error.what(), "");
            }
        }
        node->AggregateObject(watchdog);
    }
}

std::vector<Ptr<PfcWatchdog>>
WatchdogHelper::GetWatchdogs(const Fabric& fabric, SwitchId which)
{
    return ExtensionsOf<PfcWatchdog>(*fabric.GetSwitch(which));
}

} // namespace ns3
