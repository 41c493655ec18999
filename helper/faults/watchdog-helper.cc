// SPDX-License-Identifier: GPL-2.0-only
#include "watchdog-helper.h"

#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/receive-pipeline.h"
#include "ns3/switch-extensions.h"

#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace
{

/// @return 0, 1 and so on
std::vector<uint32_t>
FirstNumbers(uint32_t count)
{
    std::vector<uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

/// FabricError if a number is too high, or comes twice.
void
RequireNumbers(const std::vector<uint32_t>& numbers, uint32_t count, const std::string& what)
{
    std::vector<bool> named(count, false);
    for (const uint32_t number : numbers)
    {
        if (number >= count)
        {
            throw FabricError("there is no " + what + " " + std::to_string(number),
                              "the fabric has " + std::to_string(count) + ", counted from 0");
        }
        if (named[number])
        {
            throw FabricError(what + " " + std::to_string(number) + " is named twice",
                              "name each once");
        }
        named[number] = true;
    }
}

/// FabricError unless a factory makes watchdogs of a kind.
void
RequireType(const ObjectFactory& factory, TypeId wanted)
{
    const TypeId type = factory.GetTypeId();
    if (!factory.IsTypeIdSet() || (type != wanted && !type.IsChildOf(wanted)))
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

std::vector<uint32_t>
WatchdogHelper::AllSwitches() const
{
    return FirstNumbers(m_fabric.GetNSwitches());
}

std::vector<uint32_t>
WatchdogHelper::AllHosts() const
{
    return FirstNumbers(m_fabric.GetNHosts());
}

std::vector<uint32_t>
WatchdogHelper::GetTors() const
{
    const FabricTopology& topology = m_fabric.GetTopology();
    std::vector<uint32_t> tors;
    for (uint32_t i = 0; i < topology.GetSwitches().size(); ++i)
    {
        const uint32_t node = topology.GetSwitches()[i];
        for (const uint32_t link : topology.GetLinksOf(node))
        {
            if (!topology.IsSwitch(topology.GetLinks()[link].Peer(node)))
            {
                tors.push_back(i);
                break;
            }
        }
    }
    return tors;
}

void
WatchdogHelper::AddToSwitches(const std::vector<uint32_t>& switches,
                              const ObjectFactory& factory) const
{
    RequireNumbers(switches, m_fabric.GetNSwitches(), "switch");
    RequireType(factory, PfcWatchdog::GetTypeId());
    // All are checked before the first is added, so that an error changes nothing.
    std::vector<Ptr<PfcWatchdog>> watchdogs;
    for (const uint32_t i : switches)
    {
        watchdogs.push_back(factory.Create<PfcWatchdog>());
        try
        {
            m_fabric.GetSwitch(i)->Start();
            watchdogs.back()->Check(*m_fabric.GetSwitch(i));
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
WatchdogHelper::AddToHosts(const std::vector<uint32_t>& hosts, const ObjectFactory& factory) const
{
    RequireNumbers(hosts, m_fabric.GetNHosts(), "host");
    RequireType(factory, NicWatchdog::GetTypeId());
    for (const uint32_t host : hosts)
    {
        if (m_fabric.GetHost(host)->GetObject<NicWatchdog>())
        {
            throw FabricError("host " + std::to_string(host) + " has a NIC watchdog already",
                              "install one");
        }
    }
    for (const uint32_t host : hosts)
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
WatchdogHelper::GetWatchdogs(const Fabric& fabric, uint32_t i)
{
    return ExtensionsOf<PfcWatchdog>(*fabric.GetSwitch(i));
}

} // namespace ns3
