// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_APPLICATION_STATS_H
#define LOSSLESS_APPLICATION_STATS_H

#include "result-report.h"

#include "ns3/run-traffic.h"
#include "ns3/socket-flow-helper.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What became of TCP and UDP flows: application.csv, and lines of the summary. Nothing where there
 * is no such flow.
 */
class ApplicationStats : public TableReport
{
  public:
    /// @param traffic of a run, among it such flows or none; must outlive this
    explicit ApplicationStats(const RunTraffic& traffic);

    /// @return application.csv; there is no file where there is no flow
    static TableSpec GetTable();

    void Close(Time end) override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

    /// @param rows get a row for each flow, as it stands now @param sockets the flows
    static void AddRows(RowSink& rows, const SocketFlowHelper& sockets);

  private:
    /// @return the flows; null: there are none
    const SocketFlowHelper* FindSockets() const;

    const RunTraffic& m_traffic;
};

} // namespace ns3

#endif // LOSSLESS_APPLICATION_STATS_H
