// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PING_STATS_H
#define LOSSLESS_PING_STATS_H

#include "log-histogram.h"
#include "result-report.h"

#include "ns3/callback-guard.h"
#include "ns3/rdma-ping-mesh.h"

#include <array>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Round trips of a ping mesh: percentiles, of all probes and of windows of time, and files.
 */
class PingStats : public TableReport
{
  public:
    /// The probes that ended in an interval of time.
    struct Window
    {
        Time begin;                                            //!< of the interval
        std::array<uint64_t, RdmaPingMesh::RESULTS> results{}; //!< how many probes ended how
        double p50Us{0};  //!< round trips: median, us; 0: none answered
        double p99Us{0};  //!< 99th percentile
        double p999Us{0}; //!< 99.9th percentile
        double maxUs{0};  //!< longest
    };

    /// @param mesh the mesh; before its Run(), and it must outlive this
    explicit PingStats(RdmaPingMesh& mesh);

    /// @param window of time over which percentiles are taken, 1 ms by default
    void SetWindow(Time window);

    /// Without a folder of a run.
    /// @param probes CSV file, one line a probe @param windows CSV file, one line a window
    void WriteTo(const std::string& probes, const std::string& windows);

    /// Close the last window, and give the files of WriteTo() their names. After the simulation.
    void Finish();

    /// @return round trips, us, of all probes that were answered
    const LogHistogram& GetRoundTrips() const
    {
        return m_all;
    }

    /// @return the windows that are over, but for those without a probe
    const std::vector<Window>& GetWindows() const
    {
        return m_windows;
    }

    /// @return one line: probes, percentiles, failures
    std::string Summary() const;

    /// @return ping.csv and ping-window.csv
    static std::vector<TableSpec> ListTables();

    void Open(const std::vector<RowSink*>& rows) override;
    void Close(Time end) override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    /// A probe has ended.
    void Ended(const RdmaPingMesh::Outcome& probe);
    /// Close the window, and open the next one. @param begin of the next one
    void NextWindow(Time begin);

    RdmaPingMesh& m_mesh;
    Time m_window;
    LogHistogram m_all;
    LogHistogram m_current; //!< of the window
    Window m_open;          //!< the window
    bool m_isOpen{false};   //!< a probe has ended
    std::vector<Window> m_windows;
    RowSink* m_probeRows{nullptr}; //!< null: none are wanted
    RowSink* m_windowRows{nullptr};
    CallbackGuard m_guard; //!< of the mesh
};

} // namespace ns3

#endif // LOSSLESS_PING_STATS_H
