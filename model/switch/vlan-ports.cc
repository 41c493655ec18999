// SPDX-License-Identifier: GPL-2.0-only
#include "vlan-ports.h"

#include "fabric-switch.h"

#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("VlanPorts");

NS_OBJECT_ENSURE_REGISTERED(VlanPorts);

TypeId
VlanPorts::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::VlanPorts")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<VlanPorts>()
            .AddAttribute("Vlan",
                          "Identifier of the VLAN of access ports, and of frames without one",
                          UintegerValue(1),
                          UsedWhen(MakeUintegerAccessor(&VlanPorts::m_vlan),
                                   &VlanPorts::HasPorts,
                                   "Trunk or Access"),
                          MakeUintegerChecker<uint16_t>(1, 4094))
            .AddAttribute("Trunk",
                          "Trunk ports of the switch, such as \"0-3,7\": untagged frames are "
                          "dropped where they arrive, and frames leave with a tag",
                          StringValue(""),
                          MakeLive(MakeStringAccessor(&VlanPorts::SetTrunk, &VlanPorts::GetTrunk),
                                   &VlanPorts::SettingChanged),
                          MakeStringChecker())
            .AddAttribute("Access",
                          "Access ports of the switch, as Trunk: tagged frames are dropped where "
                          "they arrive, and frames of Vlan leave without a tag",
                          StringValue(""),
                          MakeLive(MakeStringAccessor(&VlanPorts::SetAccess, &VlanPorts::GetAccess),
                                   &VlanPorts::SettingChanged),
                          MakeStringChecker());
    return tid;
}

void
VlanPorts::SetTrunk(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    m_trunk.SetText(text);
}

std::string
VlanPorts::GetTrunk() const
{
    return m_trunk.GetText();
}

void
VlanPorts::SetAccess(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    m_access.SetText(text);
}

std::string
VlanPorts::GetAccess() const
{
    return m_access.GetText();
}

uint32_t
VlanPorts::GetHooks() const
{
    return HasPorts() ? uint32_t{ON_ROUTE} : 0;
}

uint32_t
VlanPorts::GetAddedBytes() const
{
    return m_trunk.GetText().empty() ? 0 : VLAN_TAG_BYTES;
}

void
VlanPorts::Check(FabricSwitch& owner)
{
    m_trunk.Require(owner.GetNPorts());
    m_access.Require(owner.GetNPorts());
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        if (m_trunk.Has(port) && m_access.Has(port))
        {
            throw std::invalid_argument("VlanPorts: port " + std::to_string(port) +
                                        " is in Trunk and in Access; name it once");
        }
    }
}

void
VlanPorts::Start(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this << m_trunk.GetText() << m_access.GetText());
    Check(owner);
    m_kinds.clear();
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        m_kinds.push_back(m_trunk.Has(port) ? TRUNK : m_access.Has(port) ? ACCESS : ANY);
    }
}

SwitchExtension::Verdict
VlanPorts::Routed(Frame& frame, uint32_t outPort)
{
    const Kind in = m_kinds[frame.inPort];
    const Kind out = m_kinds[outPort];
    const uint16_t vlan = frame.tagged && frame.vlan ? frame.vlan : m_vlan;
    if (in == (frame.tagged ? ACCESS : TRUNK) || (out == ACCESS && vlan != m_vlan))
    {
        ++m_counters.dropped;
        return {Verdict::DROP, DropReason::VLAN};
    }
    if (out == TRUNK && !frame.tagged)
    {
        ++m_counters.tagged;
        frame.AddTag(0, vlan);
    }
    else if (out == TRUNK)
    {
        frame.vlan = vlan;
    }
    else if (out == ACCESS && frame.tagged)
    {
        ++m_counters.untagged;
        frame.RemoveTag();
    }
    return {};
}

} // namespace ns3
