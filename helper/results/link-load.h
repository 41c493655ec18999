// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LINK_LOAD_H
#define LOSSLESS_LINK_LOAD_H

#include "result-report.h"

#include "ns3/fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * How much the ports of switches send over time; ThroughputStats has those of hosts. It reads
 * counters at the sample interval of the run.
 */
class LinkLoad : public SampledTable
{
  public:
    /// @param fabric whose ports
    explicit LinkLoad(const Fabric& fabric);

    /// @return link-load.csv
    static TableSpec GetTable();

    bool IsDividable() const override
    {
        return true; // samples are no events of a node
    }

    void Open(const std::vector<RowSink*>& rows) override;
    void SampleFrom(Time time) override;
    void Sample(Time now) override;
    void Close(Time end) override;

  private:
    /// A port of a switch.
    struct Port
    {
        NodeId node;
        uint32_t port;
        Ptr<QbbNetDevice> device;
        uint64_t sent;  //!< wire bytes at the last sample
        uint8_t listed; //!< it has rows
    };

    Fabric m_fabric;
    std::vector<Port> m_ports;
    Time m_last; //!< begin of the interval of the next sample
};

} // namespace ns3

#endif // LOSSLESS_LINK_LOAD_H
