// SPDX-License-Identifier: GPL-2.0-only

// The workloads of RdmaFlowHelper.

#include "rdma-flow-helper.h"

#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace ns3
{
namespace
{

constexpr int64_t STREAMS = 1000; //!< that AssignStreams() sets aside

/// Set aside behind those, for congestion controls that draw: one for each end of a flow.
constexpr int64_t CONGESTION_STREAMS = int64_t{1} << 32;

/// @param sources number of Poisson workloads @return streams of these and of the permutations
int64_t
StreamsOf(std::size_t sources)
{
    return 1 + 4 * static_cast<int64_t>(sources);
}

constexpr double MAX_LOAD = 10; //!< more than this is a mistake, not an overload

/// Refuse a Poisson workload that cannot be. @param load as a share @param duration its length
/// @param start its begin
void
RequireSane(double load, Time duration, Time start)
{
    if (!(load > 0 && load <= MAX_LOAD))
    {
        throw FabricError("load is " + std::to_string(load),
                          "it must be above 0 and at most 10, such as 0.5 for half of the host "
                          "links");
    }
    if (duration.IsStrictlyNegative() || start < Simulator::Now())
    {
        throw FabricError("a workload begins or ends before the time now",
                          "start and duration must be 0 or more");
    }
    if (duration > Time::Max() - start)
    {
        throw FabricError("a workload ends after the last time that there is",
                          "shorten its duration");
    }
}

/// @param topology the graph @return by host: rate of the first links of the hosts up to it, bit/s
std::vector<double>
CumulativeRates(const FabricTopology& topology)
{
    double bits = 0;
    std::vector<double> cumulative;
    for (const uint32_t node : topology.GetHosts())
    {
        const auto& links = topology.GetLinksOf(node);
        if (links.empty())
        {
            throw FabricError("node " + std::to_string(node) + ", a host, has no link",
                              "a workload needs one at every host");
        }
        bits += static_cast<double>(topology.GetLinks()[links[0]].spec.rate.GetBitRate());
        cumulative.push_back(bits);
    }
    return cumulative;
}

} // namespace

void
RdmaFlowHelper::Poisson(const std::string& workload, double load, Time duration, Time start)
{
    Poisson(FlowSizeDistribution::Load(workload), load, duration, start);
}

void
RdmaFlowHelper::Poisson(const FlowSizeDistribution& workload,
                        double load,
                        Time duration,
                        Time start)
{
    RequireSane(load, duration, start);
    if (m_fabric.GetNHosts() < 2)
    {
        throw FabricError("a workload in a fabric of one host", "it needs two hosts or more");
    }
    if (m_streams && StreamsOf(m_sources.size() + 1) > m_streams)
    {
        throw FabricError("no random streams are left for one more workload",
                          "call AssignStreams() after adding the workloads");
    }
    // All hosts in one process: the sum of Poisson processes is one, whose arrivals belong to a
    // host with a probability in proportion to its rate.
    std::vector<double> cumulative = CumulativeRates(m_fabric.GetTopology());
    const double bits = cumulative.back();
    for (double& share : cumulative)
    {
        share /= bits;
    }
    m_sources.push_back({workload,
                         load * bits / (8 * workload.GetMean()),
                         start + duration,
                         start.GetSeconds(),
                         std::move(cumulative),
                         CreateObject<ExponentialRandomVariable>(),
                         CreateObject<UniformRandomVariable>(),
                         CreateObject<UniformRandomVariable>(),
                         CreateObject<UniformRandomVariable>(),
                         m_template,
                         Group(),
                         true,
                         EventId()});
    m_sources.back().gap->SetAttribute("Mean", DoubleValue(1));
    if (m_streams)
    {
        AssignStreamsOf(static_cast<uint32_t>(m_sources.size() - 1));
    }
    m_sources.back().flow.start = start;
    // The first draw waits for the start, so that AssignStreams() may still come.
    m_sources.back().begin = Simulator::Schedule(start - Simulator::Now(),
                                                 &RdmaFlowHelper::Draw,
                                                 this,
                                                 static_cast<uint32_t>(m_sources.size() - 1));
    ++m_notDrawn;
}

void
RdmaFlowHelper::Draw(uint32_t index)
{
    Source& source = m_sources[index];
    m_notDrawn -= source.first ? 1 : 0;
    source.first = false;
    source.nextSeconds += source.gap->GetValue() / source.flowsPerSecond;
    // Compared before it is rounded: at a tiny load it may be beyond all times.
    const double ticks = source.nextSeconds * static_cast<double>(Seconds(1).GetTimeStep());
    const Time start = ticks < 0x1p62 ? TimeStep(std::llround(ticks)) : source.stop;
    if (start >= source.stop)
    {
        return;
    }
    RdmaFlow flow = source.flow;
    flow.start = start;
    flow.bytes = source.sizes.Draw(source.size);
    const auto from = std::upper_bound(source.cumulative.begin(),
                                       source.cumulative.end() - 1,
                                       source.from->GetValue());
    flow.source = static_cast<uint32_t>(from - source.cumulative.begin());
    flow.destination = source.to->GetInteger(0, m_fabric.GetNHosts() - 2);
    flow.destination += flow.destination >= flow.source ? 1 : 0;
    Push(flow, index, source.group);
}

void
RdmaFlowHelper::Incast(uint32_t senders,
                       uint32_t receiver,
                       uint64_t bytes,
                       Time start,
                       uint32_t repeats,
                       Time interval)
{
    RequireHost(receiver);
    const uint32_t others = m_fabric.GetNHosts() - 1;
    if (senders == 0 || senders > others)
    {
        throw FabricError("an incast of " + std::to_string(senders) + " senders",
                          "there can be 1 to " + std::to_string(others));
    }
    RdmaFlow flow = m_template;
    flow.destination = receiver;
    flow.bytes = bytes;
    for (uint32_t repeat = 0; repeat < repeats; ++repeat)
    {
        flow.start = start + repeat * interval;
        for (uint64_t i = 0; i < senders; ++i)
        {
            const auto distance = static_cast<uint32_t>(1 + i * others / senders);
            flow.source = (receiver + distance) % (others + 1);
            Add(flow);
        }
    }
}

void
RdmaFlowHelper::Permutation(uint64_t bytes, Time start)
{
    if (m_fabric.GetNHosts() < 2)
    {
        throw FabricError("a permutation of one host", "it needs two hosts or more");
    }
    const std::vector<uint32_t> order = DrawPermutation();
    m_permutations.push_back(m_added);
    RdmaFlow flow = m_template;
    flow.bytes = bytes;
    flow.start = start;
    for (uint32_t i = 0; i < order.size(); ++i)
    {
        flow.source = i;
        flow.destination = order[i];
        Add(flow);
    }
}

void
RdmaFlowHelper::AllToAll(uint64_t bytes, Time start)
{
    RdmaFlow flow = m_template;
    flow.bytes = bytes;
    flow.start = start;
    const uint32_t hosts = m_fabric.GetNHosts();
    // In rounds: in each, every host has another destination.
    for (uint32_t round = 1; round < hosts; ++round)
    {
        for (uint32_t i = 0; i < hosts; ++i)
        {
            flow.source = i;
            flow.destination = (i + round) % hosts;
            Add(flow);
        }
    }
}

double
RdmaFlowHelper::GetExpectedFlows() const
{
    auto flows = static_cast<double>(m_added);
    for (const Source& source : m_sources)
    {
        flows +=
            std::max(0.0, source.stop.GetSeconds() - source.nextSeconds) * source.flowsPerSecond;
    }
    return flows;
}

int64_t
RdmaFlowHelper::AssignStreams(int64_t stream)
{
    for (const Source& source : m_sources)
    {
        if (!source.first)
        {
            throw FabricError("AssignStreams() comes after the start of a workload",
                              "call it before Simulator::Run()");
        }
    }
    m_stream = stream;
    m_streams = std::max(STREAMS, StreamsOf(m_sources.size()));
    m_permutation->SetStream(stream);
    RedrawPermutations();
    for (uint32_t source = 0; source < m_sources.size(); ++source)
    {
        AssignStreamsOf(source);
    }
    return m_streams + CONGESTION_STREAMS;
}

void
RdmaFlowHelper::AssignStreamsOf(const Fabric::Connection& connection, uint64_t index)
{
    if (m_streams)
    {
        const int64_t stream =
            m_stream + m_streams + static_cast<int64_t>(2 * index) % CONGESTION_STREAMS;
        connection.source->GetCongestionControl()->AssignStreams(stream);
        connection.destination->GetCongestionControl()->AssignStreams(stream + 1);
    }
}

void
RdmaFlowHelper::AssignStreamsOf(uint32_t index)
{
    const Source& source = m_sources[index];
    int64_t stream = m_stream + StreamsOf(index);
    source.gap->SetStream(stream++);
    source.size->SetStream(stream++);
    source.from->SetStream(stream++);
    source.to->SetStream(stream);
}

std::vector<uint32_t>
RdmaFlowHelper::DrawPermutation()
{
    // Sattolo's shuffle gives one cycle through all hosts: nobody sends to itself.
    std::vector<uint32_t> order(m_fabric.GetNHosts());
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t i = static_cast<uint32_t>(order.size()) - 1; i > 0; --i)
    {
        std::swap(order[i], order[m_permutation->GetInteger(0, i - 1)]);
    }
    return order;
}

void
RdmaFlowHelper::RedrawPermutations()
{
    if (m_permutations.empty())
    {
        return;
    }
    std::map<uint64_t, uint32_t> destinations; // by number of the flow
    for (const uint64_t first : m_permutations)
    {
        const std::vector<uint32_t> order = DrawPermutation();
        for (uint32_t i = 0; i < order.size(); ++i)
        {
            m_fabric.GetPortPairs(i, order[i]);
            destinations[first + i] = order[i];
        }
    }
    std::priority_queue<Pending> redrawn;
    for (std::priority_queue<Pending> old = m_pending; !old.empty(); old.pop())
    {
        Pending pending = old.top();
        const auto destination = destinations.find(pending.index);
        if (destination != destinations.end())
        {
            pending.flow.destination = destination->second;
            destinations.erase(destination);
        }
        redrawn.push(pending);
    }
    if (!destinations.empty())
    {
        throw FabricError("AssignStreams() comes after the start of a permutation",
                          "call it before Simulator::Run()");
    }
    m_pending = std::move(redrawn);
}

} // namespace ns3
