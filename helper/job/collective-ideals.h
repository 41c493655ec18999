// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COLLECTIVE_IDEALS_H
#define LOSSLESS_COLLECTIVE_IDEALS_H

#include "job.h"
#include "link-loads.h"
#include "timed-rehearsal.h"

#include "ns3/job-graph.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the collectives of a job take at least: no run of the job on its fabric is faster
 * (TimedRehearsal).
 */
class CollectiveIdeals
{
  public:
    /// @param job which has begun; must outlive this
    explicit CollectiveIdeals(const Job& job);

    /// @param operation a collective @return ticks; 0: its group has one rank
    int64_t Get(const JobOperation& operation);

  private:
    /// A collective as it takes the same time.
    using Shape = std::tuple<uint32_t, CollectiveType, uint32_t, uint32_t, uint32_t, uint64_t>;

    /// @param pair of ranks @param bytes of a message @return what is known of it
    TimedRehearsal::Alone AloneOf(const MessageNetwork::Pair& pair, uint64_t bytes) const;
    /// @param operation a collective @return ticks
    int64_t Find(const JobOperation& operation) const;

    const Job& m_job;
    LinkLoads m_loads;
    std::map<Shape, int64_t> m_known;
};

} // namespace ns3

#endif // LOSSLESS_COLLECTIVE_IDEALS_H
