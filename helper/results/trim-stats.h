// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRIM_STATS_H
#define LOSSLESS_TRIM_STATS_H

#include "result-report.h"

#include "ns3/fabric.h"
#include "ns3/trim-switch.h"

#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What each port of a switch has trimmed: a table. The totals are those of MakeExtensionStats().
class TrimStats : public TableReport
{
  public:
    /// @param fabric whose switches
    explicit TrimStats(const Fabric& fabric);

    /// @return trims.csv
    static TableSpec GetTable();

    void Begin() override;
    void Close(Time end) override;

  private:
    /// Counters of a port.
    struct Port
    {
        NodeId node;
        uint32_t port;
        TrimSwitch::Counters counters;
    };

    /// @return the ports of switches that trim, as they are now
    std::vector<Port> Read() const;

    Fabric m_fabric;
    std::vector<Port> m_before; //!< when the run began
};

} // namespace ns3

#endif // LOSSLESS_TRIM_STATS_H
