// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_POISSON_ARRIVALS_H
#define LOSSLESS_POISSON_ARRIVALS_H

#include "flow-size-distribution.h"

#include "ns3/fabric-topology.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Poisson arrivals of flows at all hosts, each to another host chosen uniformly, drawn one at a
 * time. All hosts share one process: the sum of Poisson processes is a Poisson process, whose
 * arrivals belong to a host with a probability in proportion to the rate of that host.
 */
class PoissonArrivals
{
  public:
    /// An arrival.
    struct Arrival
    {
        Time start;         //!< when
        uint64_t bytes;     //!< length of the flow
        HostId source;      //!< sends
        HostId destination; //!< another host
    };

    static constexpr int64_t STREAMS = 4; //!< random streams that AssignStreams() uses

    /**
     * FabricError for what cannot be.
     * @param sizes of the flows
     * @param load share of the rate of all links of hosts, above 0
     * @param topology the graph, with two hosts or more
     * @param start time of the simulation when the process begins
     * @param duration how long it lasts
     */
    PoissonArrivals(const FlowSizeDistribution& sizes,
                    double load,
                    const FabricTopology& topology,
                    Time start,
                    Time duration);

    /// @param stream first random stream to use
    void AssignStreams(int64_t stream);

    /// @return the next arrival; none: the process has ended
    std::optional<Arrival> Next();

    /// @return whether Next() was called
    bool HasBegun() const
    {
        return m_hasBegun;
    }

    /// @return arrivals that are still expected
    double GetExpected() const;

  private:
    FlowSizeDistribution m_sizes;
    std::vector<double> m_cumulative; //!< by host: share of the arrivals up to it
    double m_flowsPerSecond;          //!< of all hosts together
    Time m_stop;                      //!< no arrival from then on
    double m_nextSeconds;             //!< time of the next arrival
    bool m_hasBegun{false};           //!< Next() was called
    Ptr<ExponentialRandomVariable> m_gap;
    Ptr<UniformRandomVariable> m_size;
    Ptr<UniformRandomVariable> m_from;
    Ptr<UniformRandomVariable> m_to;
};

} // namespace ns3

#endif // LOSSLESS_POISSON_ARRIVALS_H
