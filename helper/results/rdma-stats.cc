// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-stats.h"

#include "counters-at-rest.h"

namespace ns3
{

RdmaStats::RdmaStats(const Fabric& fabric)
    : m_fabric(fabric),
      m_before(CountersAtRest::Get(fabric).rdma)
{
}

std::string
RdmaStats::GetName() const
{
    return "rdma";
}

RdmaCounters
RdmaStats::Read() const
{
    RdmaCounters sum;
    for (const HostId host : m_fabric.Hosts())
    {
        AddCounters(sum, m_fabric.GetRdma(host)->GetCounters());
    }
    return sum;
}

void
RdmaStats::AddTotals(RunTotals& totals) const
{
    totals.rdma = CountersSince(Read(), m_before);
}

void
RdmaStats::Print(std::ostream& os, const RunTotals& totals) const
{
    os << "RDMA: " << totals.rdma.dataPackets << " data packets, " << totals.rdma.retransmitted
       << " of them sent again, " << totals.ecnMarks << " ECN marks, " << totals.rdma.cnpsReceived
       << " CNPs, " << totals.rdma.timeouts << " timeouts\n";
}

} // namespace ns3
