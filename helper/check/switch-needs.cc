// SPDX-License-Identifier: GPL-2.0-only
#include "switch-needs.h"

#include "fabric-objects.h"
#include "fabric-places.h"
#include "switch-extensions.h"
#include "type-relation.h"

#include "ns3/exact-text.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/rdma-hw.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/string.h"
#include "ns3/switch-extension.h"
#include "ns3/vxlan-endpoint.h"

#include <set>
#include <sstream>

namespace ns3
{
namespace
{

/// @return whether an attribute of an object has the value that a text means
bool
Has(const Ptr<const Object>& object, const std::string& name, const std::string& text)
{
    const TypeId type = object->GetInstanceTypeId();
    const auto needed = FabricAttributes::Check(type, name, StringValue(text));
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(name, &info);
    const Ptr<AttributeValue> value = info.checker->Create();
    object->GetAttribute(name, *value);
    return ExactText(*value, info.checker) == ExactText(*needed, info.checker);
}

/// @return whether a factory, an option or a changed default says what an attribute is
bool
IsSet(const ObjectFactory& factory, const std::string& name, const FabricOptions& options)
{
    std::ostringstream given;
    given << factory;
    const std::string text = given.str();
    return text.find('[' + name + '=') != std::string::npos ||
           text.find('|' + name + '=') != std::string::npos ||
           options.Has(factory.GetTypeId(), name) ||
           FabricAttributes::DefaultChanged(factory.GetTypeId(), name);
}

} // namespace

SwitchNeed::SwitchNeed(TypeId congestion, const std::string& text)
    : m_congestion(congestion)
{
    const std::size_t open = text.find('[');
    m_type = FabricAttributes::FindType(text.substr(0, open));
    const auto bad = [&] {
        return FabricError(congestion.GetName() + " needs \"" + text + "\" in switches",
                           "expected ns3::Type[Attribute=value|Attribute=value]");
    };
    if (open == std::string::npos)
    {
        return;
    }
    if (text.back() != ']')
    {
        throw bad();
    }
    std::istringstream settings(text.substr(open + 1, text.size() - open - 2));
    for (std::string setting; std::getline(settings, setting, '|');)
    {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos)
        {
            throw bad();
        }
        m_values.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
        FabricAttributes::Check(m_type, m_values.back().first, StringValue(m_values.back().second));
    }
}

bool
SwitchNeed::IsMetBy(TypeId type) const
{
    return IsA(type, m_type);
}

ObjectFactory
SwitchNeed::GetFactory() const
{
    return ObjectFactory(m_type.GetName());
}

void
SwitchNeed::Complete(ObjectFactory& factory, const FabricOptions& options) const
{
    const auto made = factory.Create<Object>();
    for (const auto& [name, value] : m_values)
    {
        if (IsSet(factory, name, options))
        {
            RequireValue(made, name, value);
        }
        else
        {
            FabricAttributes::Set(factory, name, StringValue(value));
        }
    }
}

void
SwitchNeed::Require(const Ptr<FabricSwitch>& fabricSwitch, const std::string& name) const
{
    for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
    {
        const auto extension = fabricSwitch->GetExtension(i);
        if (!IsMetBy(extension->GetInstanceTypeId()))
        {
            continue;
        }
        for (const auto& [attribute, value] : m_values)
        {
            RequireValue(extension, attribute, value);
        }
        return;
    }
    const bool hasTunnels = !ExtensionsOf<VxlanEndpoint>(*fabricSwitch).empty();
    throw FabricError(m_congestion.GetName() + " needs " + m_type.GetName() +
                          " in all switches, and " + name + " has none",
                      hasTunnels ? "VXLAN tunnels hide what it reads: take a congestion control "
                                   "that ECN or delay drives, such as ns3::RdmaDcqcn"
                                 : "give all switches " + GetText() + " when the fabric is built");
}

void
SwitchNeed::RequireValue(const Ptr<const Object>& extension,
                         const std::string& name,
                         const std::string& value) const
{
    if (Has(extension, name, value))
    {
        return;
    }
    StringValue has;
    extension->GetAttribute(name, has);
    TypeId::AttributeInformation ignored;
    const bool sameName = m_congestion.LookupAttributeByName(name, &ignored);
    throw FabricError(m_type.GetName() + "::" + name + " is \"" + has.Get() + "\" and " +
                          m_congestion.GetName() + (sameName ? "::" + name + " is" : " needs") +
                          " \"" + value + "\"",
                      "they must be the same");
}

std::string
SwitchNeed::GetText() const
{
    const auto made = GetFactory().Create<Object>();
    std::string values;
    for (const auto& [name, value] : m_values)
    {
        if (!Has(made, name, value))
        {
            values += (values.empty() ? "" : "|") + name + "=" + value;
        }
    }
    return m_type.GetName() + (values.empty() ? "" : "[" + values + "]");
}

void
RequireAgreement(const FabricObjects& fabric, SwitchId which)
{
    const FabricTopology& topology = fabric.GetTopology();
    const std::string name = FabricPlaces::NameOf(topology, topology.NodeOf(which));
    std::set<std::string> looked;
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        const auto rdma = fabric.GetRdma(host);
        // Numbers have gaps, of queue pairs that are gone.
        uint32_t left = rdma->GetNQueuePairs();
        for (uint32_t number = 0; left > 0; ++number)
        {
            const auto end = rdma->GetQueuePair(number);
            left -= end ? 1 : 0;
            if (!end || end->GetState() != RdmaQueuePair::READY)
            {
                continue;
            }
            const auto control = end->GetCongestionControl();
            for (const std::string& text : control->GetSwitchExtensions())
            {
                if (looked.insert(text).second)
                {
                    SwitchNeed(control->GetInstanceTypeId(), text)
                        .Require(fabric.GetSwitch(which), name);
                }
            }
        }
    }
}

} // namespace ns3
