// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_STATS_H
#define LOSSLESS_PFC_STATS_H

#include "result-file.h"
#include "run-totals.h"

#include "ns3/callback-guard.h"
#include "ns3/fabric.h"

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
 * Priority flow control of a fabric: frames, pauses, and why it fired or did not. Totals come from
 * the counters of the ports; traces are connected only for files.
 */
class PfcStats
{
  public:
    /// @param fabric whose ports
    explicit PfcStats(const Fabric& fabric);

    /**
     * Stream what happens to files.
     * @param frames one line each PFC frame that a port sends, for each of its classes
     * @param pauses one line each pause of a port, when it ends
     */
    void WriteTo(const std::string& frames, const std::string& pauses);

    /// The files are complete; pauses that have not ended are written as they stand.
    void Commit();

    /// @return the sums, up to now
    PfcTotals GetTotals() const;

    /// Print totals and why PFC fired or did not. @param os where
    void Print(std::ostream& os) const;

  private:
    /// A port as files name it.
    struct Port
    {
        uint32_t node;
        uint32_t port;
        bool isSwitch;
        int64_t since[TRAFFIC_CLASSES]; //!< begin of the pause in force, ticks; negative: open
    };

    void FrameSent(const Port& port, uint32_t cls, uint16_t quanta);
    void PauseChanged(Port& port, uint32_t cls, bool paused);
    void WritePause(const Port& port, uint32_t cls, int64_t begin, int64_t end);
    /// Print the ports that came nearest to their threshold, or crossed it.
    void PrintReasons(std::ostream& os) const;

    Fabric m_fabric;
    std::vector<std::unique_ptr<Port>> m_ports;
    CallbackGuard m_guard; //!< of traces
    std::unique_ptr<ResultFile> m_frames;
    std::unique_ptr<ResultFile> m_pauses;
};

} // namespace ns3

#endif // LOSSLESS_PFC_STATS_H
