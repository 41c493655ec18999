// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEADLOCK_STATS_H
#define LOSSLESS_DEADLOCK_STATS_H

#include "run-totals.h"

#include "ns3/fabric.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the deadlock detector of a fabric has found, for people and as a file. Nothing without a
 * detector. FabricStats uses it.
 */
class DeadlockStats
{
  public:
    /// @param fabric the fabric
    explicit DeadlockStats(const Fabric& fabric);

    /// @param os where one line for each deadlock goes, the first few
    void Print(std::ostream& os) const;

    /**
     * Write deadlock.csv, one line for each deadlock. A vertex is node:port:class, a flow
     * source>destination/queue pair; both are lists with blanks between.
     * @param path the file
     */
    void Write(const std::string& path) const;

    /// @return the sums, up to now; nothing without a detector
    DeadlockTotals GetTotals() const;

    /// @return whether the fabric has a detector
    bool IsInstalled() const;

  private:
    /// @return the deadlocks
    const std::vector<Deadlock>& Get() const;

    Fabric m_fabric;
};

} // namespace ns3

#endif // LOSSLESS_DEADLOCK_STATS_H
