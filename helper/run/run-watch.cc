// SPDX-License-Identifier: GPL-2.0-only
#include "run-watch.h"

#include "ns3/fabric-error.h"
#include "ns3/nic-watchdog.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/simulator.h"
#include "ns3/watchdog-helper.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace
{

/// Looks per patience.
constexpr int64_t LOOKS = 4;

/// Patience of a fabric without slower watchdogs.
constexpr uint64_t DEFAULT_PATIENCE_MS = 20;

} // namespace

RunWatch::RunWatch(RdmaFlowHelper& flows)
    : m_flows(flows),
      m_self(std::make_shared<RunWatch*>(this))
{
    const std::weak_ptr<RunWatch*> self = m_self;
    flows.OnStart([self] {
        if (const auto watch = self.lock())
        {
            (*watch)->LookAgain();
        }
    });
    flows.OnEnd([self](const RdmaFlowResult&) {
        if (const auto watch = self.lock())
        {
            (*watch)->FlowEnded();
        }
    });
    if (flows.GetNStarted() > flows.GetNCompleted() + flows.GetNFailed())
    {
        Plan();
    }
}

RunWatch::~RunWatch()
{
    m_next.Cancel();
}

void
RunWatch::SetPatience(Time patience)
{
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
    const Fabric& fabric = m_flows.GetFabric();
    int64_t slowest = 0;
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        for (const auto& watchdog : WatchdogHelper::GetWatchdogs(fabric, i))
        {
            slowest = std::max(slowest, watchdog->GetReactionTicks());
        }
    }
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        if (const auto watchdog = fabric.GetHost(host)->GetObject<NicWatchdog>())
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

bool
RunWatch::IsSomethingDue() const
{
    return std::any_of(m_due.begin(), m_due.end(), [](const auto& due) { return due(); });
}

void
RunWatch::LookAgain()
{
    const bool over = m_flows.IsDone() && !AnyoneWantsPause();
    if (!over && !m_stuck && m_next.IsExpired())
    {
        m_lastProgress = Simulator::Now();
        Plan();
    }
}

void
RunWatch::FlowEnded()
{
    if (m_flows.IsDone() && !AnyoneWantsPause())
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
    const Time wait = TimeStep(std::max<int64_t>(1, Patience().GetTimeStep() / LOOKS));
    m_next = Simulator::Schedule(m_flows.GetNextActivity() - Simulator::Now() + wait,
                                 &RunWatch::Look,
                                 this);
}

uint64_t
RunWatch::Progress() const
{
    const Fabric& fabric = m_flows.GetFabric();
    uint64_t sum = m_flows.GetNStarted() + m_flows.GetNCompleted() + m_flows.GetNFailed();
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        const RdmaCounters& counters = fabric.GetRdma(host)->GetCounters();
        sum += counters.payloadDelivered + counters.timeouts;
    }
    return sum;
}

bool
RunWatch::MayActByItself() const
{
    bool may = false;
    m_flows.ForEachOpen([&may](const RdmaFlowResult&, const Fabric::Connection* connection) {
        if (!connection)
        {
            return;
        }
        const RdmaQueuePair& source = *connection->source;
        const RdmaConnection& fixed = source.GetConnection();
        const bool paused = source.GetDevice()->PausedMask() & (1U << fixed.data.trafficClass);
        may = may || (!paused && source.GetRequester().Deadline() != RDMA_NEVER);
    });
    return may;
}

bool
RunWatch::AnyoneWantsPause() const
{
    const Fabric& fabric = m_flows.GetFabric();
    const FabricTopology& topology = fabric.GetTopology();
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            if (fabric.GetDevice(node, port)->GetIssuer().Wanted())
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
    if (m_flows.IsDone() && !AnyoneWantsPause())
    {
        return; // keeps no simulation alive
    }
    const uint64_t progress = Progress();
    const bool running = m_flows.GetNStarted() > m_flows.GetNCompleted() + m_flows.GetNFailed();
    if (progress != m_progress || (!running && !m_flows.IsDone()))
    {
        m_progress = progress;
        m_lastProgress = Simulator::Now();
    }
    else if (Simulator::Now() - m_lastProgress >= Patience() && !IsSomethingDue() &&
             m_flows.AreOthersDone() && !MayActByItself())
    {
        m_stuck = true;
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
