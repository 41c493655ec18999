// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEADLOCK_STATS_H
#define LOSSLESS_DEADLOCK_STATS_H

#include "result-report.h"
#include "run-totals.h"

#include "ns3/fabric.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the deadlock detector of a fabric has found. Nothing without a detector.
 */
class DeadlockStats : public TableReport
{
  public:
    /// @param fabric the fabric
    explicit DeadlockStats(const Fabric& fabric);

    /// @return deadlock.csv; there is no file where there is no detector
    static TableSpec GetTable();

    void Close(Time end) override;
    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

    /// @return the sums since this was made, and how many are open now, whenever they were found;
    /// nothing without a detector
    DeadlockTotals GetTotals() const;

    /// @return whether the fabric has a detector
    bool IsInstalled() const;

  private:
    /// @return the deadlocks since this was made
    std::vector<Deadlock> Get() const;
    /// @return frames that switches have dropped for want of headroom, of all time
    uint64_t ReadHeadroomDrops() const;

    Fabric m_fabric;
    std::size_t m_found;      //!< deadlocks before this was made
    uint64_t m_headroomDrops; //!< before this was made
};

} // namespace ns3

#endif // LOSSLESS_DEADLOCK_STATS_H
