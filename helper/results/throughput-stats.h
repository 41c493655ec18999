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

/// @ingroup lossless
/// How much some ports carry over time, from their counters at the samples of the run.
class PortRates : public SampledTable
{
  public:
    void Open(const std::vector<RowSink*>& rows) override;
    void SampleFrom(Time time) override;
    void Sample(Time now) override;
    void Close(Time end) override;

  protected:
    using SampledTable::SampledTable;

    /// A port.
    struct Port
    {
        NodeId node;              //!< node that has it
        uint32_t port;            //!< number at the node
        Ptr<QbbNetDevice> device; //!< the port itself
        uint64_t txBytes;         //!< wire bytes at the last sample
        uint64_t rxBytes;         //!< likewise; of ports with tx alone 0
        uint8_t listed;           //!< it has rows
    };

    std::vector<Port> m_ports; //!< those that are sampled, in order
    bool m_hasReceived{true};  //!< rows have what a port has received, too

  private:
    Time m_last; //!< begin of the interval of the next sample
};

/// @ingroup lossless
/// How much the links carry: the ports of hosts over time, all links over the whole run.
class ThroughputStats : public PortRates
{
  public:
    /// @param fabric whose ports
    explicit ThroughputStats(const Fabric& fabric);

    /// @return throughput.csv
    static TableSpec GetTable();

    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    Fabric m_fabric;
    std::vector<uint64_t> m_before; //!< wire bytes that all ports had sent at the begin, in order
};

/// @ingroup lossless
/// How much the ports of switches send: over time, and how evenly over the whole run, where a
/// switch has several ports that lead to the same hosts.
class LinkLoad : public PortRates
{
  public:
    /// @param fabric whose ports
    explicit LinkLoad(const Fabric& fabric);

    /// @return link-load.csv and balance.csv
    static std::vector<TableSpec> ListTables();

    bool IsDividable() const override
    {
        return true; // samples are no events of a node
    }

    void Open(const std::vector<RowSink*>& rows) override;
    void Close(Time end) override;

  private:
    /// Rows of the next-hop groups of a switch that have several ports. @param which the switch
    void WriteGroups(SwitchId which);

    Fabric m_fabric;
    std::vector<std::vector<uint64_t>> m_before; //!< wire bytes sent at the begin, by switch, port
    RowSink* m_balance{nullptr};                 //!< of balance.csv; null: not wanted
};

} // namespace ns3

#endif // LOSSLESS_THROUGHPUT_STATS_H
