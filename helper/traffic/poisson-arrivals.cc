// SPDX-License-Identifier: GPL-2.0-only
#include "poisson-arrivals.h"

#include "ns3/double.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3
{
namespace
{

constexpr double MAX_LOAD = 10; //!< more than this is a mistake, not an overload

/// Refuse a Poisson workload that cannot be. @param load as a share @param duration its length
/// @param start its begin
void
RequireSane(double load, Time duration, Time start)
{
    if (!(load > 0 && load <= MAX_LOAD))
    {
        throw FabricError("load is " + ExactText(load),
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

/// @param topology the graph @return by host: rate of the links of the hosts up to it, bit/s
std::vector<double>
CumulativeRates(const FabricTopology& topology)
{
    double bits = 0;
    std::vector<double> cumulative;
    for (const NodeId node : topology.GetHosts())
    {
        const auto& links = topology.GetLinksOf(node);
        if (links.empty())
        {
            throw FabricError(node.Name() + ", a host, has no link",
                              "a workload needs one at every host");
        }
        for (const LinkId link : links)
        {
            bits += static_cast<double>(topology.GetLink(link).spec.rate.GetBitRate());
        }
        cumulative.push_back(bits);
    }
    return cumulative;
}

} // namespace

PoissonArrivals::PoissonArrivals(const FlowSizeDistribution& sizes,
                                 double load,
                                 const FabricTopology& topology,
                                 Time start,
                                 Time duration)
    : m_sizes(sizes),
      m_gap(CreateObject<ExponentialRandomVariable>()),
      m_size(CreateObject<UniformRandomVariable>()),
      m_from(CreateObject<UniformRandomVariable>()),
      m_to(CreateObject<UniformRandomVariable>())
{
    RequireSane(load, duration, start);
    if (topology.GetHosts().size() < 2)
    {
        throw FabricError("a workload in a fabric of one host", "it needs two hosts or more");
    }
    m_cumulative = CumulativeRates(topology);
    const double bits = m_cumulative.back();
    for (double& share : m_cumulative)
    {
        share /= bits;
    }
    m_flowsPerSecond = load * bits / (8 * sizes.GetMean());
    m_stop = start + duration;
    m_nextSeconds = start.GetSeconds();
    m_gap->SetAttribute("Mean", DoubleValue(1));
}

void
PoissonArrivals::AssignStreams(int64_t stream)
{
    m_gap->SetStream(stream++);
    m_size->SetStream(stream++);
    m_from->SetStream(stream++);
    m_to->SetStream(stream);
}

std::optional<PoissonArrivals::Arrival>
PoissonArrivals::Next()
{
    m_hasBegun = true;
    m_nextSeconds += m_gap->GetValue() / m_flowsPerSecond;
    // Compared before it is rounded: at a tiny load it may be beyond all times.
    const double ticks = m_nextSeconds * static_cast<double>(Seconds(1).GetTimeStep());
    const Time start = ticks < 0x1p62 ? TimeStep(std::llround(ticks)) : m_stop;
    if (start >= m_stop)
    {
        return std::nullopt;
    }
    Arrival arrival{start, m_sizes.Draw(m_size), 0, 0};
    const auto from =
        std::upper_bound(m_cumulative.begin(), m_cumulative.end() - 1, m_from->GetValue());
    arrival.source = from - m_cumulative.begin();
    const uint32_t other = m_to->GetInteger(0, static_cast<uint32_t>(m_cumulative.size()) - 2);
    arrival.destination = other < arrival.source ? other : other + 1;
    return arrival;
}

double
PoissonArrivals::GetExpected() const
{
    return std::max(0.0, m_stop.GetSeconds() - m_nextSeconds) * m_flowsPerSecond;
}

} // namespace ns3
