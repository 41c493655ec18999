// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATCHDOG_STATS_H
#define LOSSLESS_WATCHDOG_STATS_H

#include "result-report.h"
#include "run-totals.h"

#include "ns3/callback-guard.h"
#include "ns3/fabric.h"
#include "ns3/nic-watchdog.h"
#include "ns3/pfc-watchdog.h"

#include <cstdint>
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
class WatchdogStats : public TableReport
{
  public:
    /// @param fabric whose watchdogs
    explicit WatchdogStats(const Fabric& fabric);

    /// @return watchdog.csv; there is no file where there is no watchdog
    static TableSpec GetTable();

    void Open(const std::vector<RowSink*>& rows) override;
    /// The watchdogs that were installed after Open() are heard, too.
    void Begin() override;
    /// The rows of watchdogs that were added during the run come last. @param end of the run
    void Close(Time end) override;
    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    /// Have the events of a watchdog written. @param watchdog of a switch @param node its number
    void Connect(PfcWatchdog& watchdog, NodeId node);
    /// Have the events of a watchdog written. @param watchdog of a NIC @param node its number
    void Connect(NicWatchdog& watchdog, NodeId node);

    /// Watchdogs, and the numbers of their nodes in the topology.
    struct Found
    {
        std::vector<std::pair<NodeId, Ptr<PfcWatchdog>>> switches; //!< in order
        std::vector<std::pair<NodeId, Ptr<NicWatchdog>>> nics;     //!< in order
    };

    /// @return the watchdogs of the fabric; after Simulator::Destroy(), when switches have let go
    /// of theirs, those that it had before
    Found Find() const;
    /// @param found watchdogs @param visit called with the node and each that was not there at the
    /// last look
    template <typename Visit>
    void ForEachNew(const Found& found, const Visit& visit) const;
    /// Write a row. @param change of a queue @param node of its watchdog
    void Write(const PfcWatchdog::Change& change, NodeId node);
    /// Write a row for each class. @param change of a port @param node of its watchdog
    void Write(const NicWatchdog::Change& change, NodeId node);

    /// Sums over the watchdogs.
    struct Counts
    {
        PfcWatchdog::Counters switches;
        NicWatchdogTotals nics;
    };

    /// @return the sums of all time
    Counts Read() const;
    /// @return the watchdogs that the fabric has now
    Found FindNow() const;

    Fabric m_fabric;
    Found m_found;         //!< at the last look
    Counts m_before;       //!< when this was made
    CallbackGuard m_guard; //!< of traces
};

} // namespace ns3

#endif // LOSSLESS_WATCHDOG_STATS_H
