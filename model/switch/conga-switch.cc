// SPDX-License-Identifier: GPL-2.0-only
#include "conga-switch.h"

#include "conga-load-balancer.h"
#include "fabric-switch.h"
#include "leads-to-host.h"

#include "ns3/double.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/simulation-clock.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CongaSwitch");

NS_OBJECT_ENSURE_REGISTERED(CongaSwitch);

TypeId
CongaSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CongaSwitch")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<CongaSwitch>()
            .AddAttribute(
                "Period",
                "Time in which the estimate of the rate of a link loses the part Decay.",
                TimeValue(MicroSeconds(50)),
                MakeLive(MakeTimeAccessor(&CongaSwitch::m_period), &CongaSwitch::SettingChanged),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "Decay",
                "Part that the estimate loses in a Period. Period / Decay is the time "
                "over which it averages.",
                DoubleValue(0.2),
                MakeLive(MakeDoubleAccessor(&CongaSwitch::m_decay), &CongaSwitch::SettingChanged),
                MakeDoubleChecker<double>(0.001, 0.999))
            .AddAttribute(
                "Bits",
                "Bits of a level: links have levels 0 to 2^Bits - 1.",
                UintegerValue(3),
                MakeLive(MakeUintegerAccessor(&CongaSwitch::m_bits), &CongaSwitch::SettingChanged),
                MakeUintegerChecker<uint8_t>(1, 8))
            .AddAttribute("AgingTime",
                          "For how long a level counts that another switch has told; then the path "
                          "counts as free.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&CongaSwitch::m_aging),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ShimBytes",
                          "Bytes that frames from leaf to leaf have more.",
                          UintegerValue(0),
                          MakeLive(MakeUintegerAccessor(&CongaSwitch::m_shimBytes),
                                   &CongaSwitch::SettingChanged),
                          MakeUintegerChecker<uint32_t>(0, 64));
    return tid;
}

uint32_t
CongaSwitch::GetHooks() const
{
    return ON_ROUTE | ON_DEQUEUE;
}

uint32_t
CongaSwitch::GetAddedBytes() const
{
    return m_shimBytes;
}

bool
CongaSwitch::HasActed() const
{
    return m_feedbacks > 0;
}

void
CongaSwitch::Check(FabricSwitch& owner)
{
    if (!owner.GetForwardingTable().HasChoice())
    {
        return;
    }
    if (!DynamicCast<CongaLoadBalancer>(owner.GetLoadBalancer()))
    {
        throw std::invalid_argument(
            "CongaSwitch: the switch chooses among ports by " +
            owner.GetLoadBalancer()->GetInstanceTypeId().GetName() +
            ", which does not ask how congested they are; use ns3::CongaLoadBalancer");
    }
    bool isLeaf = false;
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        isLeaf = isLeaf || LeadsToHost(*owner.GetPort(port));
    }
    if (!isLeaf || !owner.GetForwardingTable().GetSites())
    {
        throw std::invalid_argument("CongaSwitch: knows the paths of two tiers of FabricHelper: "
                                    "leaves with hosts, and spines that have no choice");
    }
}

void
CongaSwitch::Start(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this);
    Check(owner);
    m_sites = owner.GetForwardingTable().GetSites();
    m_leaves.resize(m_sites ? m_sites->GetNSites() + 1 : 0);
    m_ports.resize(owner.GetNPorts());
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        const auto device = owner.GetPort(port);
        const double bytesPerSecond = static_cast<double>(device->GetDataRate().GetBitRate()) / 8;
        m_ports[port].leadsToHost = LeadsToHost(*device);
        m_ports[port].terms = {m_period.GetTimeStep(),
                               m_decay,
                               bytesPerSecond * m_period.GetSeconds() / m_decay,
                               1U << m_bits};
    }
    if (const auto balancer = DynamicCast<CongaLoadBalancer>(owner.GetLoadBalancer()))
    {
        balancer->SetPaths(this);
    }
}

void
CongaSwitch::Restarted()
{
    m_ports.clear();
    m_leaves.clear();
}

uint8_t
CongaSwitch::Recent(const std::vector<Heard>& levels, uint16_t port, int64_t now) const
{
    const bool counts = port < levels.size() && levels[port].at >= 0 &&
                        now - levels[port].at <= m_aging.GetTimeStep();
    return counts ? levels[port].level : 0;
}

void
CongaSwitch::Note(std::vector<Heard>& levels, uint16_t port, uint8_t level, int64_t now)
{
    if (port >= levels.size())
    {
        levels.resize(port + std::size_t{1});
    }
    levels[port] = {now, level};
}

uint8_t
CongaSwitch::GetCost(const Frame& frame, uint16_t port, int64_t now)
{
    const uint8_t own = m_ports[port].rate.GetLevel(now, m_ports[port].terms);
    return std::max(own, Recent(m_leaves[m_sites->Find(frame)].to, port, now));
}

SwitchExtension::Verdict
CongaSwitch::Routed(Frame& frame, uint32_t outPort)
{
    const int64_t now = SimulationClock::Now();
    Port& out = m_ports[outPort];
    const bool hasShim = frame.shimKind == ShimKind::PATH;
    if (hasShim && out.leadsToHost)
    {
        End(frame, now);
    }
    else if (hasShim)
    {
        frame.pathShim.congestion =
            std::max(frame.pathShim.congestion, out.rate.GetLevel(now, out.terms));
    }
    else if (!out.leadsToHost && m_ports[frame.inPort].leadsToHost && m_sites &&
             m_sites->Find(frame) != 0)
    {
        Begin(frame, static_cast<uint16_t>(outPort), now);
    }
    return {};
}

void
CongaSwitch::Begin(Frame& frame, uint16_t outPort, int64_t now)
{
    Port& out = m_ports[outPort];
    frame.shimKind = ShimKind::PATH;
    frame.bytes += m_shimBytes;
    frame.pathShim = {outPort, PathShim::NONE, out.rate.GetLevel(now, out.terms), 0};
    Leaf& other = m_leaves[m_sites->Find(frame)];
    for (std::size_t i = 0; i < other.from.size(); ++i)
    {
        const uint16_t path = other.next;
        other.next = static_cast<uint16_t>((other.next + 1) % other.from.size());
        if (other.from[path].at >= 0)
        {
            frame.pathShim.feedbackPath = path;
            frame.pathShim.feedback = Recent(other.from, path, now);
            return;
        }
    }
}

void
CongaSwitch::End(Frame& frame, int64_t now)
{
    const PathShim shim = frame.pathShim;
    frame.shimKind = ShimKind::NONE;
    frame.bytes -= m_shimBytes;
    Leaf& other = m_leaves[m_sites->Find(frame.src)];
    Note(other.from, shim.path, shim.congestion, now);
    if (shim.feedbackPath != PathShim::NONE)
    {
        Note(other.to, shim.feedbackPath, shim.feedback, now);
        ++m_feedbacks;
    }
}

void
CongaSwitch::Dequeued(Frame& frame, uint32_t outPort, uint64_t /* queueBytes */)
{
    Port& out = m_ports[outPort];
    out.rate.Add(frame.WireBytes(), SimulationClock::Now(), out.terms);
}

} // namespace ns3
