// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-tuner.h"

#include "fabric-switch.h"
#include "factory-like.h"
#include "unit-factors.h"

#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("EcnTuner");

NS_OBJECT_ENSURE_REGISTERED(EcnTuner);

TypeId
EcnTuner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::EcnTuner")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<EcnTuner>()
            .AddAttribute(
                "Interval",
                "Least time between two changes of Kmin of a port, at least 1 us",
                TimeValue(MilliSeconds(1)),
                MakeLive(MakeTimeAccessor(&EcnTuner::m_interval), &EcnTuner::SettingChanged),
                MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("ElephantBytes",
                          "Frame bytes from which on a flow counts as a long flow",
                          UintegerValue(1000000),
                          MakeLive(MakeUintegerAccessor(&EcnTuner::m_elephantBytes),
                                   &EcnTuner::SettingChanged),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "FlowTimeout",
                "Time after which a silent flow is forgotten, at least 1 us",
                TimeValue(MilliSeconds(10)),
                MakeLive(MakeTimeAccessor(&EcnTuner::m_flowTimeout), &EcnTuner::SettingChanged),
                MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute(
                "AdvisorType",
                "TypeId of the EcnThresholdAdvisor that computes Kmin, with its attributes: "
                "Type[Name=Value|...]",
                ObjectFactoryValue(ObjectFactory(RuleEcnThresholdAdvisor::GetTypeId().GetName())),
                MakeObjectFactoryAccessor(&EcnTuner::SetAdvisorType, &EcnTuner::GetAdvisorType),
                MakeObjectFactoryChecker())
            .AddAttribute("Advisor",
                          "The advisor in use, as AdvisorType has made it.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&EcnTuner::GetAdvisor),
                          MakePointerChecker<EcnThresholdAdvisor>())
            .AddTraceSource("Kmin",
                            "Kmin of a port was set: port, bytes.",
                            MakeTraceSourceAccessor(&EcnTuner::m_kminTrace),
                            "ns3::EcnTuner::KminTracedCallback")
            .AddTraceSource(
                "Features",
                "An interval of a port has ended: port, byte share of long flows, hosts "
                "that sent to one host, utilisation (both shares 0 to 1), mean queueing "
                "delay in seconds.",
                MakeTraceSourceAccessor(&EcnTuner::m_featuresTrace),
                "ns3::EcnTuner::FeaturesTracedCallback");
    return tid;
}

void
EcnTuner::SetAdvisorType(const ObjectFactory& factory)
{
    m_advisor = EcnThresholdAdvisor::Make(factory);
}

ObjectFactory
EcnTuner::GetAdvisorType() const
{
    return FactoryLike(*m_advisor);
}

Ptr<EcnThresholdAdvisor>
EcnTuner::GetAdvisor() const
{
    return m_advisor;
}

uint32_t
EcnTuner::GetHooks() const
{
    return ON_ENQUEUE;
}

void
EcnTuner::Restarted()
{
    m_ports.clear(); // the curves are configuration, and stay
    m_flows = {};
}

void
EcnTuner::Start(FabricSwitch& owner)
{
    m_owner = &owner;
    m_marker = DynamicCast<WredEcnMarker>(owner.GetEcnMarker());
    if (!m_marker)
    {
        throw std::invalid_argument(
            "EcnTuner: the ECN marker of the switch is no WredEcnMarker; it must be one");
    }
    m_intervalTicks = m_interval.GetTimeStep();
    m_ports.resize(owner.GetNPorts());
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        const auto rate = owner.GetPort(port)->GetDataRate().GetBitRate();
        m_ports[port].bitsPerSecond = static_cast<double>(rate);
    }
}

void
EcnTuner::Enqueued(Frame& frame, uint32_t outPort, uint64_t queueBytes)
{
    if (frame.kind != FrameKind::ROCE || !CarriesData(frame.opcode))
    {
        return;
    }
    const int64_t now = m_owner->Now();
    Port& port = m_ports[outPort];
    if (port.begin < 0)
    {
        port.begin = now;
        port.kmin = static_cast<double>(m_marker->GetCurve(outPort, frame.trafficClass).kmin);
    }
    else if (now - port.begin >= m_intervalTicks)
    {
        Judge(outPort, now);
    }
    Flow& flow = m_flows[{frame.SourceKey(), frame.DestinationKey(), frame.destQp}];
    if (!flow.counted)
    {
        flow.counted = true;
        ++port.flows;
    }
    flow.bytes += frame.bytes;
    flow.lastSeen = now;
    flow.port = outPort;
    port.bytes += frame.WireBytes();
    port.elephantBytes += flow.bytes >= m_elephantBytes ? frame.WireBytes() : 0;
    port.queueBytes += queueBytes - frame.bytes;
    ++port.frames;
}

void
EcnTuner::Judge(uint32_t index, int64_t now)
{
    ++m_looks;
    Port& port = m_ports[index];
    EcnFeatures features;
    features.kmin = port.kmin;
    features.bitsPerSecond = port.bitsPerSecond;
    features.flows = port.flows;
    const auto bytes = static_cast<double>(port.bytes);
    features.elephantShare = static_cast<double>(port.elephantBytes) / bytes;
    const double possible = port.bitsPerSecond * m_interval.GetSeconds();
    features.utilisation = std::min(1.0, BITS * bytes / possible);
    features.queueingDelaySeconds =
        BITS * static_cast<double>(port.queueBytes) / port.frames / port.bitsPerSecond;
    features.senders = CountSenders(index);
    m_featuresTrace(index,
                    features.elephantShare,
                    features.senders,
                    features.utilisation,
                    features.queueingDelaySeconds);
    SetKmin(index, m_advisor->Advise(features));

    const double kmin = port.kmin;
    port = Port{port.bitsPerSecond};
    port.kmin = kmin;
    port.begin = now;
    for (auto& entry : m_flows.Entries())
    {
        entry.value.counted = entry.value.counted && entry.value.port != index;
    }
    const int64_t timeout = m_flowTimeout.GetTimeStep();
    if (m_purgedAt < 0 || now - m_purgedAt >= timeout)
    {
        m_purgedAt = now;
        m_flows.Forget([=](const Flow& flow) { return now - flow.lastSeen > timeout; });
    }
}

uint32_t
EcnTuner::CountSenders(uint32_t port)
{
    m_pairs.clear();
    for (const auto& entry : m_flows.Entries())
    {
        if (entry.value.counted && entry.value.port == port)
        {
            m_pairs.emplace_back(entry.key.dst, entry.key.src);
        }
    }
    std::sort(m_pairs.begin(), m_pairs.end());
    m_pairs.erase(std::unique(m_pairs.begin(), m_pairs.end()), m_pairs.end());
    uint32_t most = 0;
    uint32_t senders = 0;
    for (std::size_t i = 0; i < m_pairs.size(); ++i)
    {
        const bool sameReceiver = i > 0 && m_pairs[i].first == m_pairs[i - 1].first;
        senders = sameReceiver ? senders + 1 : 1;
        most = std::max(most, senders);
    }
    return most;
}

void
EcnTuner::SetKmin(uint32_t index, double kmin)
{
    NS_LOG_DEBUG("port " << index << ": Kmin " << kmin << " bytes");
    if (!(kmin >= 0)) // a NaN, too
    {
        throw std::invalid_argument("EcnTuner: the advisor " +
                                    m_advisor->GetInstanceTypeId().GetName() + " advises Kmin " +
                                    std::to_string(kmin) + ": it must be 0 or more bytes");
    }
    m_ports[index].kmin = kmin;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (!m_marker->IsMarked(index, cls))
        {
            continue; // a class that is not marked
        }
        const WredEcnMarker::Curve curve = m_marker->GetCurve(index, cls);
        const uint64_t highest = curve.kmax > 0 ? curve.kmax - 1 : 0;
        const bool fits = kmin < static_cast<double>(highest);
        const uint64_t bytes = fits ? static_cast<uint64_t>(kmin) : highest;
        m_marker->SetThresholds(index, cls, bytes, curve.kmax, curve.pmax);
    }
    m_kminTrace(index, kmin);
}

} // namespace ns3
