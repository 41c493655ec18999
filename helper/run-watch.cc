// SPDX-License-Identifier: GPL-2.0-only
#include "run-watch.h"

#include "fabric-error.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace
{

/// Looks per patience.
constexpr int64_t LOOKS = 4;

} // namespace

RunWatch::RunWatch(RdmaFlowHelper& flows)
    : m_flows(flows),
      m_patience(MilliSeconds(20))
{
    Plan();
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
    Plan();
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
    const Time wait = TimeStep(std::max<int64_t>(1, m_patience.GetTimeStep() / LOOKS));
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
        may = may || (!paused && fixed.retransmitTicks > 0 &&
                      source.GetRequester().Deadline() != RDMA_NEVER);
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
    else if (Simulator::Now() - m_lastProgress >= m_patience && !MayActByItself())
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
