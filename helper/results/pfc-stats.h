// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_STATS_H
#define LOSSLESS_PFC_STATS_H

#include "result-report.h"
#include "run-totals.h"

#include "ns3/callback-guard.h"
#include "ns3/fabric.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Priority flow control of a fabric: frames, pauses, and why it fired or did not. Totals come from
 * the counters of the ports; traces are connected only for files.
 */
class PfcStats : public TableReport
{
  public:
    /// @param fabric whose ports
    explicit PfcStats(const Fabric& fabric);

    /// @return pfc.csv and pause.csv
    static std::vector<TableSpec> ListTables();

    void Open(const std::vector<RowSink*>& rows) override;
    void Close(Time end) override;
    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

    /// @return the sums since this was made
    PfcTotals GetTotals() const;

  private:
    /// A port as files name it.
    struct Port
    {
        NodeId node;
        uint32_t port;
        bool isSwitch;
        int64_t since[TRAFFIC_CLASSES]; //!< begin of the pause in force, ticks; negative: open
    };

    /// What a class of a port had counted when this was made.
    struct Before
    {
        PfcIssuer::Counters issued;
        PfcObeyer::Counters obeyed;
        int64_t pausedTicks{0};
    };

    /// Connect the traces. @param port a port
    void Connect(Port& port);
    void FrameSent(const Port& port, uint32_t cls, uint16_t quanta);
    void PauseChanged(Port& port, uint32_t cls, bool paused);
    void WritePause(const Port& port, uint32_t cls, int64_t begin, int64_t end);
    /// A lossless class of a port of a switch, in order of how near it came to its threshold:
    /// pauses begun, negative; smallest margin, cells; where; and its place in m_mmuBefore.
    using Nearest = std::tuple<int64_t, int64_t, SwitchId, uint32_t, uint32_t, std::size_t>;

    /// Print the ports that came nearest to their threshold, or crossed it.
    void PrintReasons(std::ostream& os) const;
    /// Print a table. @param entries a row for each
    void PrintNearest(std::ostream& os, const std::vector<Nearest>& entries) const;

    Fabric m_fabric;
    std::vector<std::unique_ptr<Port>> m_ports;
    CallbackGuard m_guard;      //!< of traces
    RowSink* m_frames{nullptr}; //!< null: none are wanted
    RowSink* m_pauses{nullptr};
    std::vector<Before> m_before;               //!< by port and class; empty: nothing
    std::vector<SwitchMmu::Counts> m_mmuBefore; //!< by switch, port and class
};

} // namespace ns3

#endif // LOSSLESS_PFC_STATS_H
