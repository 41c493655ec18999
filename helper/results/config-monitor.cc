// SPDX-License-Identifier: GPL-2.0-only
#include "config-monitor.h"

#include "fabric-ports.h"

#include "ns3/exact-text.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-places.h"
#include "ns3/fabric-text.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wred-ecn-marker.h"

#include <cstdio>
#include <cstdlib>
#include <set>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ConfigMonitor");

namespace
{

const std::string ABSENT = "absent";

/// @param value a number @return it as text, the same for the same number
std::string
Text(double value)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.10g", value);
    return text;
}

/// @return whether two values are the same, as numbers if they are numbers
bool
IsSame(const std::string& one, const std::string& other)
{
    if (one == other)
    {
        return true;
    }
    char* oneEnd = nullptr;
    char* otherEnd = nullptr;
    const double oneNumber = std::strtod(one.c_str(), &oneEnd);
    const double otherNumber = std::strtod(other.c_str(), &otherEnd);
    return !one.empty() && !other.empty() && *oneEnd == 0 && *otherEnd == 0 &&
           oneNumber == otherNumber;
}

/// @param text some text @param end what it may end with @return whether it does
bool
EndsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/**
 * @param what name of a value as findings have it
 * @param value as users write it; FabricError if it is none
 * @return the same as Read() has it
 */
std::string
Canonical(const std::string& what, const std::string& value)
{
    const std::size_t colons = what.rfind("::");
    if (colons != std::string::npos)
    {
        const TypeId type = TypeId::LookupByName(what.substr(0, colons));
        const std::string name = what.substr(colons + 2);
        TypeId::AttributeInformation info;
        type.LookupAttributeByName(name, &info);
        return FabricAttributes::Check(type, name, StringValue(value))
            ->SerializeToString(info.checker);
    }
    const bool isAlpha = EndsWith(what, "Alpha");
    if (value == ABSENT || (isAlpha && value == "static"))
    {
        return value;
    }
    if (what == "Kind")
    {
        if (value != "lossless" && value != "lossy")
        {
            throw FabricError("Kind is \"" + value + "\"", "expected lossless or lossy");
        }
        return value;
    }
    if (what == "LoadBalancer" || what == "EcnMarker" || what == "Scheduler" ||
        what.find("Extension ") == 0)
    {
        return FabricAttributes::FindType(value).GetName();
    }
    const bool isSize = EndsWith(what, "Bytes") || what == "Kmin" || what == "Kmax";
    return Text(isSize ? static_cast<double>(FabricText::ToBytes(value, what))
                       : FabricText::ToReal(value, what, 0));
}

} // namespace

ConfigMonitor::ConfigMonitor(const Fabric& fabric)
    : TableReport("drift", {GetTable()}),
      m_fabric(fabric)
{
    Take();
}

ConfigMonitor::~ConfigMonitor()
{
    m_next.Cancel();
}

void
ConfigMonitor::Take()
{
    NS_LOG_FUNCTION(this);
    m_intended = Read();
}

void
ConfigMonitor::Intend(const std::string& what, const std::string& value)
{
    std::set<std::string> known;
    for (const auto& [key, running] : m_intended)
    {
        known.insert(std::get<3>(key));
    }
    std::set<std::string> meant; // "BufferSize" is "ns3::SwitchMmu::BufferSize"
    const std::string end = "::" + what;
    for (const std::string& name : known)
    {
        const bool isEnd = name.size() > end.size() &&
                           name.compare(name.size() - end.size(), end.size(), end) == 0;
        if (name == what || isEnd)
        {
            meant.insert(name);
        }
    }
    if (known.count(what))
    {
        meant = {what};
    }
    if (meant.size() == 1)
    {
        m_overrides[*meant.begin()] = Canonical(*meant.begin(), value);
        return;
    }
    if (!meant.empty())
    {
        std::string names;
        for (const std::string& name : meant)
        {
            names += (names.empty() ? "" : " or ") + name;
        }
        throw FabricError("\"" + what + "\" is the end of several names", "say " + names);
    }
    const std::string near = FabricText::DidYouMean(what, {known.begin(), known.end()});
    throw FabricError("nothing in the fabric has a \"" + what + "\"",
                      near.rfind("did you mean", 0) == 0
                          ? near
                          : "names are those of findings, such as Alpha or "
                            "ns3::SwitchMmu::BufferSize");
}

// ---- what is running

ConfigMonitor::Items
ConfigMonitor::Read() const
{
    Items items;
    for (const SwitchId which : m_fabric.Switches())
    {
        ReadSwitch(items, which);
    }
    for (const auto& [node, port, isSwitch, device] : PortsOf(m_fabric))
    {
        ReadPort(items, node, port);
    }
    for (const HostId host : m_fabric.Hosts())
    {
        const auto queuePair =
            m_fabric.GetRdma(host)->GetQueuePairFactory().Create<RdmaQueuePair>();
        ReadAttributes(items, m_fabric.GetTopology().NodeOf(host), NONE, *queuePair, "");
    }
    return items;
}

void
ConfigMonitor::ReadAttributes(Items& items,
                              NodeId node,
                              uint32_t port,
                              const ObjectBase& object,
                              const std::string& prefix)
{
    for (TypeId type = object.GetInstanceTypeId(); type.HasParent(); type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(i);
            const bool isPart = DynamicCast<const PointerChecker>(info.checker) != nullptr;
            if (!(info.flags & TypeId::ATTR_GET) || !info.accessor->HasGetter() || isPart)
            {
                continue; // parts are read on their own
            }
            StringValue value;
            object.GetAttribute(info.name, value);
            items[{node, port, NONE, prefix + type.GetName() + "::" + info.name}] = value.Get();
        }
    }
}

void
ConfigMonitor::ReadSwitch(Items& items, SwitchId which) const
{
    const auto fabricSwitch = m_fabric.GetSwitch(which);
    const NodeId node = m_fabric.GetTopology().NodeOf(which);
    ReadAttributes(items, node, NONE, *fabricSwitch, "");
    ReadAttributes(items, node, NONE, *fabricSwitch->GetMmu(), "");
    ReadAttributes(items, node, NONE, *fabricSwitch->GetLoadBalancer(), "");
    items[{node, NONE, NONE, "LoadBalancer"}] =
        fabricSwitch->GetLoadBalancer()->GetInstanceTypeId().GetName();
    const auto marker = fabricSwitch->GetEcnMarker();
    items[{node, NONE, NONE, "EcnMarker"}] =
        marker ? marker->GetInstanceTypeId().GetName() : ABSENT;
    if (marker)
    {
        ReadAttributes(items, node, NONE, *marker, "");
    }
    for (uint32_t e = 0; e < fabricSwitch->GetNExtensions(); ++e)
    {
        const auto extension = fabricSwitch->GetExtension(e);
        items[{node, NONE, NONE, "Extension " + std::to_string(e)}] =
            extension->GetInstanceTypeId().GetName();
        ReadAttributes(items, node, NONE, *extension, "");
    }
    ReadQueues(items, node, *fabricSwitch);
}

void
ConfigMonitor::ReadQueues(Items& items, NodeId node, const FabricSwitch& fabricSwitch) const
{
    const auto mmu = fabricSwitch.GetMmu();
    const uint32_t cell = mmu->GetCellSize().Bytes();
    const auto wred = DynamicCast<WredEcnMarker>(fabricSwitch.GetEcnMarker());
    constexpr double FIXED = uint64_t{1} << MmuThreshold::ALPHA_SHIFT;
    for (uint32_t port = 0; port < fabricSwitch.GetNPorts(); ++port)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            const auto set = [&, node](const std::string& what, const std::string& value) {
                items[{node, port, cls, what}] = value;
            };
            const MmuIngress& in = mmu->GetIngress(port, cls);
            const MmuEgress& out = mmu->GetEgress(port, cls);
            set("Kind", in.lossless ? "lossless" : "lossy");
            const auto setThreshold = [&](const std::string& prefix, const MmuThreshold& limit) {
                set(prefix + "Alpha", limit.alphaFixed ? Text(limit.alphaFixed / FIXED) : "static");
                set(prefix + "StaticBytes",
                    limit.alphaFixed ? ABSENT : Text(double{1} * limit.staticCells * cell));
            };
            setThreshold(in.lossless ? "" : "Lossy", in.threshold);
            setThreshold("Egress", out.threshold);
            set("HeadroomBytes", Text(double{1} * in.headroom * cell));
            set("GuaranteedBytes", Text(double{1} * in.guaranteed * cell));
            set("XonOffsetBytes", Text(double{1} * in.xonOffset * cell));
            if (wred)
            {
                const WredEcnMarker::Curve& curve = wred->GetCurve(port, cls);
                set("Kmin", Text(static_cast<double>(curve.kmin)));
                set("Kmax", Text(static_cast<double>(curve.kmax)));
                set("Pmax", Text(curve.pmax));
            }
        }
    }
}

void
ConfigMonitor::ReadPort(Items& items, NodeId node, uint32_t port) const
{
    const auto device = m_fabric.GetDevice(node, port);
    ReadAttributes(items, node, port, *device, "");
    items[{node, port, NONE, "PfcClasses in force"}] = Text(device->GetActivePfcClasses());
    items[{node, port, NONE, "Scheduler"}] = device->Scheduler().GetInstanceTypeId().GetName();
    ReadAttributes(items, node, port, device->Scheduler(), "");
    ReadAttributes(items, node, port, *device->GetTrafficClassMap(), "");
}

// ---- comparing

std::string
ConfigMonitor::Where(const Key& key, const std::string& node)
{
    const auto& [number, port, cls, what] = key;
    std::string where = node;
    where += port == NONE ? "" : " port " + std::to_string(port);
    where += cls == NONE ? "" : " class " + std::to_string(cls);
    return where;
}

std::vector<ConfigMonitor::Finding>
ConfigMonitor::Check() const
{
    Items wanted = m_intended;
    for (auto& [key, value] : wanted)
    {
        const auto given = m_overrides.find(std::get<3>(key));
        value = given == m_overrides.end() ? value : given->second;
    }
    Items running = Read();
    for (const auto& [key, value] : wanted)
    {
        running.try_emplace(key, ABSENT);
    }
    const auto names = FabricPlaces::NamesOf(m_fabric.GetTopology());
    std::vector<Finding> findings;
    for (const auto& [key, actual] : running)
    {
        const auto intended = wanted.find(key);
        const std::string& should = intended == wanted.end() ? ABSENT : intended->second;
        if (!IsSame(should, actual))
        {
            const NodeId node = std::get<0>(key);
            const char* kind = m_fabric.GetTopology().IsSwitch(node) ? "switch " : "host ";
            findings.push_back({Simulator::Now(),
                                Where(key, kind + std::to_string(node.Value())),
                                std::get<3>(key),
                                should,
                                actual,
                                Where(key, names[node.Value()])});
        }
    }
    return findings;
}

void
ConfigMonitor::CheckEvery(Time interval, Time end)
{
    if (interval <= Time(0) || end < Simulator::Now())
    {
        throw FabricError("the configuration is to be checked every " + ExactText(interval) +
                              " until " + ExactText(end),
                          "the interval must be more than 0, and the end not past");
    }
    if (!m_next.IsExpired())
    {
        throw FabricError("the configuration is checked at an interval already",
                          "make another monitor");
    }
    Plan(m_fabric);
    m_next = Simulator::Schedule(interval, [this, interval, end] { Poll(interval, end); });
}

void
ConfigMonitor::Poll(Time interval, Time end)
{
    NS_LOG_FUNCTION(this << interval << end);
    std::map<std::string, std::string> now;
    for (const Finding& finding : Check())
    {
        const std::string name = finding.where + ": " + finding.what;
        const auto before = m_seen.find(name);
        if (before == m_seen.end() || before->second != finding.actual)
        {
            m_findings.push_back(finding);
        }
        now[name] = finding.actual;
    }
    m_seen = now; // what is right again is news when it goes wrong again
    if (Simulator::Now() + interval <= end)
    {
        m_next = Simulator::Schedule(interval, [this, interval, end] { Poll(interval, end); });
    }
}

// ---- reports

std::string
ConfigMonitor::ToLine(const Finding& finding)
{
    const auto orEmpty = [](const std::string& text) { return text.empty() ? "empty" : text; };
    return finding.name + ": " + finding.what + " is " + orEmpty(finding.actual) + ", intended " +
           orEmpty(finding.intended);
}

TableSpec
ConfigMonitor::GetTable()
{
    using C = ColumnSpec;
    return {"drift",
            "a value of the running configuration that is not the intended one",
            {{"time_ns", "ns", "when it was seen first"},
             {"where", "", "switch or host, with port and class", C::QUOTED},
             {"what", "", "what has drifted", C::QUOTED},
             {"intended", "", "intended value", C::QUOTED},
             {"actual", "", "running value", C::QUOTED}}};
}

void
ConfigMonitor::Close(Time)
{
    if (m_rows)
    {
        AddRows(*m_rows, m_findings);
    }
}

void
ConfigMonitor::AddRows(RowSink& rows, const std::vector<Finding>& findings)
{
    for (const Finding& finding : findings)
    {
        rows.Add(finding.when.GetNanoSeconds(),
                 finding.where,
                 finding.what,
                 finding.intended,
                 finding.actual);
    }
}

void
ConfigMonitor::Write(const std::string& path, const std::vector<Finding>& findings)
{
    RowSink rows(GetTable(), path);
    AddRows(rows, findings);
    rows.Commit();
}

} // namespace ns3
