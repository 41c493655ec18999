// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATCHDOG_STATS_H
#define LOSSLESS_WATCHDOG_STATS_H

#include "result-file.h"
#include "run-totals.h"

#include "ns3/callback-guard.h"
#include "ns3/fabric.h"
#include "ns3/nic-watchdog.h"
#include "ns3/pfc-watchdog.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the watchdogs of a fabric did. Totals come from their counters; traces are connected for the
 * file of events alone.
 */
class WatchdogStats
{
  public:
    /// @param fabric whose watchdogs
    explicit WatchdogStats(const Fabric& fabric);

    /// @return whether the fabric has any watchdog
    bool HasAny() const;

    /**
     * Stream events to a file, one line each. No file where there is no watchdog.
     * @param path the file
     */
    void WriteTo(const std::string& path);

    /// The simulation begins: the watchdogs that were installed after WriteTo() are heard, too.
    void Begin();

    /// The file is complete.
    void Commit();

    /// @return the sums, up to now
    WatchdogTotals GetTotals() const;

    /// Print the totals on one line; nothing where there is no watchdog. @param os where
    void Print(std::ostream& os) const;

  private:
    /// Have the events of a watchdog written. @param watchdog of a switch @param node its number
    void Connect(PfcWatchdog& watchdog, uint32_t node);
    /// Have the events of a watchdog written. @param watchdog of a NIC @param node its number
    void Connect(NicWatchdog& watchdog, uint32_t node);

    /// Watchdogs, and the numbers of their nodes in the topology.
    struct Found
    {
        std::vector<std::pair<uint32_t, Ptr<PfcWatchdog>>> switches; //!< in order
        std::vector<std::pair<uint32_t, Ptr<NicWatchdog>>> nics;     //!< in order
    };

    /// @return the watchdogs of the fabric; if there are any, those of WriteTo() and Begin(), as
    /// switches let go of theirs with Simulator::Destroy()
    Found Find() const;
    /// @return the watchdogs that the fabric has now
    Found FindNow() const;

    Fabric m_fabric;
    Found m_found;      //!< by WriteTo() and Begin()
    std::string m_path; //!< of the file; empty: none is wanted
    std::unique_ptr<ResultFile> m_file;
    CallbackGuard m_guard; //!< of traces
};

} // namespace ns3

#endif // LOSSLESS_WATCHDOG_STATS_H
