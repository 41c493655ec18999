// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_STATS_H
#define LOSSLESS_QUEUE_STATS_H

#include "result-report.h"

#include "ns3/fabric.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Egress queues of switches: lengths sampled over time, and the peaks that the buffers record
 * themselves.
 */
class QueueStats : public SampledTable
{
  public:
    /// @param fabric whose switches
    explicit QueueStats(const Fabric& fabric);

    /// @return longest queue of any (port, class), bytes of its cells
    uint64_t GetPeakBytes() const;

    /// @return queue.csv
    static TableSpec GetTable();

    void Sample(Time now) override;
    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    Fabric m_fabric;
    std::vector<uint8_t> m_listed; //!< queues that have rows, in order
};

} // namespace ns3

#endif // LOSSLESS_QUEUE_STATS_H
