// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_THROUGHPUT_STATS_H
#define LOSSLESS_THROUGHPUT_STATS_H

#include "result-report.h"

#include "ns3/fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * How much the links carry: the ports of hosts over time, all links over the whole run.
 */
class ThroughputStats : public SampledTable
{
  public:
    /// @param fabric whose ports
    explicit ThroughputStats(const Fabric& fabric);

    /// @return throughput.csv
    static TableSpec GetTable();

    void Open(const std::vector<RowSink*>& rows) override;
    void SampleFrom(Time time) override;
    void Sample(Time now) override;
    void Close(Time end) override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    /// A port of a host.
    struct Port
    {
        NodeId node;
        uint32_t port;
        uint64_t txBytes; //!< wire bytes at the last sample
        uint64_t rxBytes;
        uint8_t listed; //!< it has rows
    };

    Fabric m_fabric;
    std::vector<Port> m_ports;      //!< of hosts
    std::vector<uint64_t> m_before; //!< wire bytes that all ports had sent at the begin, in order
    Time m_last;                    //!< begin of the interval of the next sample
};

} // namespace ns3

#endif // LOSSLESS_THROUGHPUT_STATS_H
