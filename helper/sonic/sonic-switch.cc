// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-switch.h"

#include "sonic-buffers.h"
#include "sonic-classes.h"
#include "sonic-place.h"

#include "ns3/fabric-error.h"
#include "ns3/log.h"
#include "ns3/qbb-channel.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("SonicSwitch");

namespace
{

/// Compare the lengths of cables with the delays of the links: 5 ns a metre.
void
CheckCables(SonicPlace& place)
{
    for (uint32_t port = 0; port < place.ports.size(); ++port)
    {
        const auto metres = place.config.GetMetres(place.ports[port].name);
        const auto channel = DynamicCast<QbbChannel>(place.GetDevice(port)->GetChannel());
        const uint64_t nanoseconds = 5 * uint64_t{metres.value_or(0)};
        if (metres && channel && channel->GetDelay() != NanoSeconds(nanoseconds))
        {
            place.Find("sonic-cable",
                       "CABLE_LENGTH of " + place.ports[port].name + " has " +
                           std::to_string(*metres) + " m, and the link a delay of " +
                           std::to_string(channel->GetDelay().GetNanoSeconds()) + " ns",
                       "at 5 ns a metre its Delay is " + std::to_string(nanoseconds) + "ns",
                       port);
        }
    }
}

} // namespace

void
SonicPlace::Set(const Ptr<Object>& object,
                const std::string& attribute,
                const AttributeValue& value)
{
    const TypeId type = object->GetInstanceTypeId();
    if (Has(type, attribute))
    {
        return;
    }
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(attribute, &info);
    const Ptr<AttributeValue> before = info.checker->Create();
    object->GetAttribute(attribute, *before);
    if (!object->SetAttributeFailSafe(attribute, value))
    {
        throw FabricError(type.GetName() + "::" + attribute + " cannot be set");
    }
    undos.emplace_back([=] { object->SetAttributeFailSafe(attribute, *before); });
}

void
SonicPlace::Find(const std::string& rule,
                 const std::string& what,
                 const std::string& right,
                 std::optional<uint32_t> port,
                 Level level)
{
    const std::string where = port ? name + " port " + std::to_string(*port) : "";
    findings.push_back({level, rule, where, {}, what, right});
}

bool
SonicPlace::SaysPfcClasses() const
{
    return config.HasTable("PORT_QOS_MAP") && !Has(QbbNetDevice::GetTypeId(), "PfcClasses");
}

uint8_t
SonicPlace::GetPfcClasses(uint32_t port) const
{
    if (!SaysPfcClasses())
    {
        return GetDevice(port)->GetPfcClasses();
    }
    return config.GetPriorities(ports[port].name, "pfc_enable").value_or(0);
}

uint8_t
SonicPlace::GetPausedGroups(uint32_t port) const
{
    return GetDevice(port)->GetPausingGroups(); // its map and its PFC are set
}

uint8_t
SonicPlace::GetLosslessQueues(uint32_t port) const
{
    return LosslessQueues(*fabricSwitch, port);
}

uint8_t
SonicPlace::LosslessQueues(const FabricSwitch& fabricSwitch, uint32_t port)
{
    uint8_t classes = 0;
    for (uint32_t from = 0; from < fabricSwitch.GetNPorts(); ++from)
    {
        const auto device = fabricSwitch.GetPort(from);
        classes |=
            device->GetTrafficClassMap()->GetTable()->ClassesOfGroups(device->GetPausingGroups());
    }
    const auto map = fabricSwitch.GetPort(port)->GetTrafficClassMap();
    uint8_t queues = 0;
    for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        queues |= classes & (1U << cls) ? 1U << map->QueueOf(cls) : 0;
    }
    return queues;
}

SonicSwitch::SonicSwitch(const Ptr<FabricSwitch>& fabricSwitch,
                         const std::string& name,
                         const FabricOptions& options)
    : m_switch(fabricSwitch),
      m_name(name),
      m_options(options)
{
}

void
SonicSwitch::RequirePorts(const SonicConfig& config,
                          const std::vector<SonicConfig::Port>& ports) const
{
    if (m_switch->IsInitialized())
    {
        throw FabricError(config.GetName() + ": " + m_name + " is running",
                          "a configuration of SONiC is set before the run");
    }
    if (ports.size() != m_switch->GetNPorts())
    {
        throw FabricError(config.GetName() + ": PORT has " + std::to_string(ports.size()) +
                              " ports that are not down, and " + m_name + " has " +
                              std::to_string(m_switch->GetNPorts()),
                          "give as many, and admin_status \"down\" to those that the fabric does "
                          "not have");
    }
    for (uint32_t port = 0; port < ports.size(); ++port)
    {
        const uint64_t rate = m_switch->GetPort(port)->GetDataRate().GetBitRate();
        const auto megabits = ports[port].megabits;
        if (megabits && *megabits * 1000000 != rate)
        {
            config.Fail("PORT",
                        ports[port].name,
                        "speed is " + std::to_string(*megabits) + ", and port " +
                            std::to_string(port) + " of " + m_name + " has " +
                            std::to_string(rate) + " bit/s",
                        "set the rate of the link, or speed");
        }
    }
}

void
SonicSwitch::Apply(const SonicConfig& config, Part part)
{
    NS_LOG_FUNCTION(this << m_name << config.GetName() << +part);
    SonicPlace place{config, m_switch, m_name, m_options, config.GetPorts(), {}, {}};
    RequirePorts(config, place.ports);
    try
    {
        SonicClasses classes(place);
        if (part & PORTS)
        {
            classes.ApplyPorts();
        }
        if (part & BUFFERS)
        {
            SonicBuffers(place).Apply();
            classes.ApplyMarks();
        }
        if (part & WATCHDOGS)
        {
            classes.ApplyWatchdogs();
        }
        if (part & CABLES)
        {
            CheckCables(place);
        }
    }
    catch (const std::exception& error)
    {
        m_undos.insert(m_undos.end(), place.undos.begin(), place.undos.end());
        Undo();
        if (dynamic_cast<const FabricError*>(&error))
        {
            throw;
        }
        throw FabricError(config.GetName() + ": " + m_name + ": " + error.what());
    }
    m_undos.insert(m_undos.end(), place.undos.begin(), place.undos.end());
    m_findings.insert(m_findings.end(), place.findings.begin(), place.findings.end());
}

void
SonicSwitch::Undo()
{
    std::for_each(m_undos.rbegin(), m_undos.rend(), [](const auto& undo) { undo(); });
    m_undos.clear();
}

} // namespace ns3
