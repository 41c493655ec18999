// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-flow-settings.h"

#include "fabric-partitions.h"
#include "fabric-ports.h"
#include "lossy-class.h"
#include "unconnected-end.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/fabric-warning.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/rdma-hw.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/**
 * Refuse another class for the queue pairs of a host than for its flows: nothing would use it.
 * @param fabric the fabric
 * @param host that sends
 * @param sent classes of its flows, bit i is class i
 */
void
RequireClassOfFlows(const Fabric& fabric, HostId host, uint8_t sent)
{
    const TypeId type = RdmaQueuePair::GetTypeId();
    TypeId::AttributeInformation info;
    type.LookupAttributeByName("TrafficClass", &info);
    const auto usual = DynamicCast<const UintegerValue>(info.originalInitialValue);
    UintegerValue said;
    fabric.GetRdma(host)->GetQueuePairFactory().Create<RdmaQueuePair>()->GetAttribute(info.name,
                                                                                      said);
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES && said.Get() != usual->Get(); ++cls)
    {
        if (sent & (1U << cls) && cls != said.Get())
        {
            throw FabricError("flows of class " + std::to_string(cls) + " leave host " +
                                  std::to_string(host.Value()) +
                                  ", and TrafficClass of its queue pairs is " +
                                  std::to_string(said.Get()),
                              "the class of a flow is traffic_class of the flow; leave "
                              "TrafficClass as it is");
        }
    }
}

/// FabricError if an extension of a switch was changed since the congestion control of flows was
/// chosen, and does not suit it any more. @param fabric the fabric @param options of the flows
void
RequireNeeds(const Fabric& fabric, const Fabric::QueuePairOptions& options)
{
    fabric.RequireExtensions(*CongestionOf(fabric, options).Create<RdmaCongestionOps>());
}

/// FabricError for a congestion control that shares something with other ends, while several
/// threads run the fabric. @param congestion of flows to come
void
RequireOwnEnds(const ObjectFactory& congestion)
{
    const auto control = congestion.Create<RdmaCongestionOps>();
    if (!control->KeepsToItsEnd())
    {
        RequireOneThread("the congestion control " + control->GetName());
    }
}

/// What NoteUntaken() is told of the class and of the verb, which flows may say themselves.
constexpr const char* CLASS = "the class";
constexpr const char* VERB = "the verb";   //!< likewise
constexpr const char* LABEL = "the label"; //!< likewise

/// Take back what was said of an attribute. @param options of flows @param name of the attribute
void
Forget(Fabric::QueuePairOptions& options, const std::string& name)
{
    auto& said = options.attributes;
    said.erase(std::remove_if(said.begin(),
                              said.end(),
                              [&name](const auto& one) { return one.first == name; }),
               said.end());
}

} // namespace

RdmaFlowSettings::RdmaFlowSettings(const Fabric& fabric)
    : m_fabric(fabric)
{
    const std::string option = fabric.GetOptions().Get(RdmaQueuePair::GetTypeId(), "TrafficClass");
    m_said.flow.trafficClass =
        option.empty() ? m_said.flow.trafficClass
                       : static_cast<uint8_t>(FabricText::ToUint(option, "TrafficClass", 7));
}

RdmaFlowSettings::~RdmaFlowSettings() = default;

void
RdmaFlowSettings::NoteChange()
{
    m_optionsChanged = true;
    m_said.changes = ++m_changes;
}

void
RdmaFlowSettings::NoteUntaken(const std::string& what)
{
    m_said.calls = m_untaken[what] = ++m_calls;
}

void
RdmaFlowSettings::Take(const RdmaFlow& flow)
{
    for (auto each = m_untaken.begin(); each != m_untaken.end();)
    {
        const bool isLeft =
            (each->first == CLASS && flow.trafficClass != m_said.flow.trafficClass) ||
            (each->first == VERB && flow.verb != m_said.flow.verb) ||
            (each->first == LABEL && flow.label != m_said.flow.label);
        each = isLeft ? std::next(each) : m_untaken.erase(each);
    }
}

void
RdmaFlowSettings::Restore(const Said& said)
{
    for (auto each = m_untaken.begin(); each != m_untaken.end();) // of a call that has failed
    {
        each = each->second > said.calls ? m_untaken.erase(each) : std::next(each);
    }
    m_optionsChanged |= said.changes != m_said.changes;
    m_said = said;
}

void
RdmaFlowSettings::SetClass(uint32_t trafficClass)
{
    RequireSettable();
    if (trafficClass >= TRAFFIC_CLASSES)
    {
        throw FabricError("class " + std::to_string(trafficClass), "classes are 0 to 7");
    }
    if (!m_fabric.GetOptions().Has(RdmaQueuePair::GetTypeId(), "TrafficClass"))
    {
        const auto cls = static_cast<uint8_t>(trafficClass);
        if (std::exchange(m_said.flow.trafficClass, cls) != cls)
        {
            NoteUntaken(CLASS);
        }
    }
}

void
RdmaFlowSettings::SetVerb(RdmaVerb verb)
{
    RequireSettable();
    if (std::exchange(m_said.flow.verb, verb) != verb)
    {
        NoteUntaken(VERB);
    }
}

void
RdmaFlowSettings::RequireLabel(const std::string& label)
{
    const auto isPlain = [](unsigned char letter) {
        return std::isalnum(letter) || letter == '-' || letter == '_' || letter == '.';
    };
    if (!std::all_of(label.begin(), label.end(), isPlain))
    {
        throw FabricError("the label \"" + label + "\" of flows",
                          "a label has letters, digits, '-', '_' and '.'");
    }
}

void
RdmaFlowSettings::SetLabel(const std::string& label)
{
    RequireSettable();
    RequireLabel(label);
    if (std::exchange(m_said.flow.label, label) != label && !label.empty())
    {
        NoteUntaken(LABEL);
    }
}

void
RdmaFlowSettings::SetQueuePair(const std::string& name, const AttributeValue& value)
{
    RequireSettable();
    const auto checked = m_fabric.GetOptions().Check(RdmaQueuePair::GetTypeId(), name, value);
    if (name == "TrafficClass")
    {
        throw FabricError("TrafficClass of the queue pairs of flows",
                          "the class of a flow is traffic_class of the flow; give that");
    }
    if (!m_fabric.GetOptions().Has(RdmaQueuePair::GetTypeId(), name))
    {
        if (name == "CongestionControl")
        {
            const ObjectFactory congestion = DynamicCast<ObjectFactoryValue>(checked)->Get();
            m_fabric.RequireCongestionControl(congestion);
            RequireOwnEnds(congestion);
            m_said.options.congestion = ObjectFactory(); // the last word counts
        }
        Forget(m_said.options, name);
        m_said.options.attributes.emplace_back(name, checked);
        NoteUntaken("attribute " + name);
        NoteChange();
    }
}

void
RdmaFlowSettings::ResetQueuePair()
{
    RequireSettable();
    if (!m_said.options.attributes.empty())
    {
        for (const auto& [name, value] : m_said.options.attributes)
        {
            m_untaken.erase("attribute " + name);
        }
        m_said.options.attributes.clear();
        NoteChange();
    }
}

void
RdmaFlowSettings::SetCongestionControl(const ObjectFactory& congestion)
{
    RequireSettable();
    if (congestion.IsTypeIdSet())
    {
        Fabric::RequireCongestionType(congestion);
        RequireOwnEnds(congestion);
    }
    if (!m_fabric.GetOptions().Has(RdmaQueuePair::GetTypeId(), "CongestionControl"))
    {
        m_fabric.RequireCongestionControl(congestion);
        Forget(m_said.options, "CongestionControl"); // the last word counts
        m_said.options.congestion = congestion;
        NoteUntaken("the congestion control");
        NoteChange();
    }
}

void
RdmaFlowSettings::RequirePorts(const Fabric::QueuePairOptions& options) const
{
    const Fabric::PacketSize size = m_fabric.GetPacketSize(options);
    const uint32_t needed =
        RoceFrameBytes(RoceOpcode::WRITE_ONLY_IMM, size.mtu, 4, false, size.telemetry) -
        ETHERNET_OVERHEAD_BYTES;
    const std::string with =
        size.telemetry ? " with " + std::to_string(size.telemetry) + " bytes of telemetry" : "";
    for (const auto& [node, port, isSwitch, device] : PortsOf(m_fabric))
    {
        const uint32_t has = device->GetMtu();
        if (has < needed)
        {
            throw FabricError("queue pairs of Mtu " + std::to_string(size.mtu) + with +
                                  " need IP packets of " + std::to_string(needed) +
                                  " bytes, and the MTU of port " + std::to_string(port) + " of " +
                                  FabricPlaces::NameOf(m_fabric.GetTopology(), node) + " is " +
                                  std::to_string(has),
                              "set the Mtu of the queue pairs or of the links at FabricHelper");
        }
        if (size.format == FRAMES_HPCC && device->GetFrameFormat() != FRAMES_HPCC &&
            device->GetActivePfcClasses())
        {
            throw FabricError("queue pairs of FrameFormat Hpcc need more headroom than port " +
                                  std::to_string(port) + " of " +
                                  FabricPlaces::NameOf(m_fabric.GetTopology(), node) +
                                  " has with FrameFormat Standard",
                              "set FrameFormat of the links at FabricHelper to Hpcc");
        }
    }
}

void
RdmaFlowSettings::RequireReads(const RdmaFlow& flow)
{
    if (flow.verb != RdmaVerb::READ || (m_readsChecked && !flow.window))
    {
        return;
    }
    Fabric::QueuePairOptions options = m_said.options;
    SetWindow(options, flow.window);
    m_fabric.RequireReads(options);
    m_readsChecked = true;
}

void
RdmaFlowSettings::SetWindow(Fabric::QueuePairOptions& options, uint64_t window) const
{
    if (window && !m_fabric.GetOptions().Has(RdmaQueuePair::GetTypeId(), "Window"))
    {
        options.attributes.emplace_back("Window", Create<UintegerValue>(window));
    }
}

uint32_t
RdmaFlowSettings::Group(const RdmaFlow& flow)
{
    if (m_optionsChanged)
    {
        if (!m_said.options.attributes.empty() || m_said.options.congestion.IsTypeIdSet())
        {
            RequirePorts(m_said.options); // FabricHelper has checked that of the fabric
        }
        if (m_hasBegun)
        {
            RequireOwnEnds(CongestionOf(m_fabric, m_said.options)); // perhaps that of the fabric
        }
        m_groups.push_back({m_said.options, false});
        m_optionsChanged = false;
        m_readsChecked = false;
    }
    RequireReads(flow);
    Take(flow);
    m_groups.back().hasWindow |= flow.window != 0;
    return static_cast<uint32_t>(m_groups.size() - 1);
}

Fabric::QueuePairOptions
RdmaFlowSettings::OptionsOf(uint32_t group, const RdmaFlow& flow) const
{
    Fabric::QueuePairOptions options = m_groups[group].options;
    options.isNamed = true; // by CheckAtBegin()
    options.attributes.emplace_back("TrafficClass", Create<UintegerValue>(flow.trafficClass));
    SetWindow(options, flow.window);
    if (flow.sourcePort && !m_fabric.GetOptions().Has(RdmaQueuePair::GetTypeId(), "UdpPort"))
    {
        options.attributes.emplace_back("UdpPort", Create<UintegerValue>(flow.sourcePort));
    }
    return options;
}

void
RdmaFlowSettings::NoteSender(HostId sender, uint8_t trafficClass)
{
    m_sent.resize(m_fabric.GetNHosts());
    m_sent[sender.Value()] |= static_cast<uint8_t>(1U << trafficClass);
    AddIfLossy(m_fabric, sender, trafficClass);
}

void
RdmaFlowSettings::ForEachControlOfFlows(
    const std::function<void(const ObjectFactory&)>& visit) const
{
    for (const FlowGroup& group : m_groups)
    {
        visit(CongestionOf(m_fabric, group.options));
    }
}

std::vector<Ptr<RdmaQueuePair>>
RdmaFlowSettings::MakeEnds() const
{
    std::vector<Ptr<RdmaQueuePair>> ends;
    for (const FlowGroup& group : m_groups)
    {
        ends.push_back(MakeUnconnected(m_fabric, group.options));
        if (group.options.congestion.IsTypeIdSet())
        {
            ends.back()->SetAttribute("CongestionControl",
                                      ObjectFactoryValue(group.options.congestion));
        }
    }
    return ends;
}

void
RdmaFlowSettings::CheckAtBegin()
{
    m_hasBegun = true;
    for (const FlowGroup& group : m_groups)
    {
        Fabric::QueuePairOptions options = group.options;
        SetWindow(options, group.hasWindow); // whether there is one is what matters
        RequirePorts(options);
        RequireNeeds(m_fabric, options);
    }
    for (uint32_t host = 0; host < m_sent.size(); ++host)
    {
        if (m_sent[host])
        {
            RequireClassOfFlows(m_fabric, HostId(host), m_sent[host]);
        }
        for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            if (m_sent[host] & (1U << cls))
            {
                AddIfLossy(m_fabric, HostId(host), cls);
            }
        }
    }
}

void
RdmaFlowSettings::CheckAtEnd() const
{
    std::string unused;
    for (const auto& [what, call] : m_untaken)
    {
        unused += (unused.empty() ? "" : ", ") + what;
    }
    if (!unused.empty())
    {
        PrintWarning("what was set for flows has no effect: " + unused,
                     "no flow or workload was added after that");
    }
}

} // namespace ns3
