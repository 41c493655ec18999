// SPDX-License-Identifier: GPL-2.0-only
#include "run-watch.h"

#include "ns3/fabric-error.h"
#include "ns3/log.h"
#include "ns3/nic-watchdog.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/simulator.h"
#include "ns3/watchdog-helper.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RunWatch");

namespace
{

/// Looks per patience.
constexpr int64_t LOOKS = 4;

/// Patience of a fabric without slower watchdogs.
constexpr uint64_t DEFAULT_PATIENCE_MS = 20;

} // namespace

RunWatch::RunWatch(const Fabric& fabric, RunTraffic& traffic)
    : m_fabric(fabric),
      m_traffic(traffic)
{
    m_traffic.AddListener(*this);
    const TrafficSource::Counts counts = m_traffic.GetCounts();
    if (counts.started > counts.completed + counts.failed)
    {
        Plan();
    }
}

RunWatch::~RunWatch()
{
    m_traffic.RemoveListener(*this);
    m_next.Cancel();
}

void
RunWatch::SetPatience(Time patience)
{
    NS_LOG_FUNCTION(this << patience);
    if (!patience.IsStrictlyPositive())
    {
        throw FabricError("the patience of RunWatch is 0 or negative", "it must be above 0");
    }
    m_patience = patience;
    if (!m_next.IsExpired())
    {
        Plan();
    }
}

Time
RunWatch::Patience() const
{
    if (m_patience.IsStrictlyPositive())
    {
        return m_patience;
    }
    int64_t slowest = 0;
    for (const SwitchId which : m_fabric.Switches())
    {
        for (const auto& watchdog : WatchdogHelper::GetWatchdogs(m_fabric, which))
        {
            slowest = std::max(slowest, watchdog->GetReactionTicks());
        }
    }
    for (const HostId host : m_fabric.Hosts())
    {
        if (const auto watchdog = m_fabric.GetHost(host)->GetObject<NicWatchdog>())
        {
            slowest = std::max(slowest, watchdog->GetReactionTicks());
        }
    }
    return std::max(MilliSeconds(DEFAULT_PATIENCE_MS), TimeStep(static_cast<uint64_t>(slowest)));
}

void
RunWatch::ExpectWhile(std::function<bool()> due)
{
    m_due.push_back(std::move(due));
}

void
RunWatch::Expect(FaultHelper& faults)
{
    ExpectWhile([&faults] { return faults.IsAnyDue(); });
    faults.OnFault(m_guard.Wrap([this](const FaultHelper::Event& event) {
        if (event.begins)
        {
            LookAgain();
        }
    }));
}

bool
RunWatch::IsSomethingDue() const
{
    return std::any_of(m_due.begin(), m_due.end(), [](const auto& due) { return due(); });
}

bool
RunWatch::IsOver() const
{
    return !m_traffic.IsAwaited() && !AnyoneWantsPause();
}

void
RunWatch::LookAgain()
{
    if (!IsOver() && !m_stuck && m_next.IsExpired())
    {
        m_lastProgress = Simulator::Now();
        Plan();
    }
}

void
RunWatch::Started(const TrafficSource&, const TrafficItem&)
{
    LookAgain();
}

void
RunWatch::Ended(const TrafficSource&, const TrafficItem&)
{
    if (IsOver())
    {
        m_next.Remove(); // a cancelled event would still move the clock
    }
}

void
RunWatch::StopWhenStuck(bool stop)
{
    m_stop = stop;
}

void
RunWatch::OnStuck(std::function<void()> listener)
{
    m_listeners.push_back(std::move(listener));
}

void
RunWatch::Resume()
{
    m_stuck = false;
    m_lastProgress = Simulator::Now();
    Plan();
}

void
RunWatch::Plan()
{
    m_next.Cancel();
    // A patience below what any packet takes would look more often than anything can happen.
    const Time wait = std::max(NanoSeconds(100), TimeStep(Patience().GetTimeStep() / LOOKS));
    m_next = Simulator::Schedule(m_traffic.GetNextActivity() - Simulator::Now() + wait,
                                 &RunWatch::Look,
                                 this);
}

uint64_t
RunWatch::Progress() const
{
    const TrafficSource::Counts counts = m_traffic.GetCounts();
    uint64_t sum = counts.started + counts.completed + counts.failed;
    for (const HostId host : m_fabric.Hosts())
    {
        const RdmaCounters& counters = m_fabric.GetRdma(host)->GetCounters();
        sum += counters.payloadDelivered + counters.timeouts;
    }
    return sum;
}

bool
RunWatch::AnyoneWantsPause() const
{
    const FabricTopology& topology = m_fabric.GetTopology();
    for (const NodeId node : topology.Nodes())
    {
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            if (m_fabric.GetDevice(node, port)->GetIssuer().Wanted())
            {
                return true;
            }
        }
    }
    return false;
}

void
RunWatch::Look()
{
    ++m_events;
    if (IsOver())
    {
        return; // keeps no simulation alive
    }
    const uint64_t progress = Progress();
    const TrafficSource::Counts counts = m_traffic.GetCounts();
    const bool running = counts.started > counts.completed + counts.failed;
    if (progress != m_progress || (!running && m_traffic.IsAwaited()))
    {
        m_progress = progress;
        m_lastProgress = Simulator::Now();
    }
    else if (Simulator::Now() - m_lastProgress >= Patience() && !IsSomethingDue() &&
             !m_traffic.MayActByItself())
    {
        m_stuck = true;
        NS_LOG_DEBUG("no progress since " << m_lastProgress.As(Time::US));
        for (const auto& listener : m_listeners)
        {
            listener();
        }
        if (m_stop)
        {
            Simulator::Stop();
        }
        return;
    }
    Plan();
}

} // namespace ns3
