// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_PCN_H
#define LOSSLESS_RDMA_PCN_H

#include "rdma-congestion-ops.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * PCN, photonic congestion notification (Cheng et al., "Re-architecting Congestion Management in
 * Lossless Ethernet", NSDI 2020), both parts of a NIC. The receiving end counts arriving data. Once
 * per interval it reports to the sender the rate of arrival, and whether nearly all packets were
 * marked. If they were, the sender takes the reported rate at once; if not, it raises its rate,
 * gently at first. PcnMarker is the part of the switch.
 *
 * An interval begins with a data packet, and the next interval follows at once; after an empty
 * interval, the next data packet begins one. No rate is thus measured over idle time, and an idle
 * queue pair has no events.
 */
class RdmaPcn : public RdmaCongestionOps
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::string GetName() const override;
    PathNeed GetPathNeed() const override;
    uint32_t GetHooks() const override;
    std::vector<std::string> GetSwitchExtensions() const override;
    void Init(RdmaFlowState& state, int64_t nowPs) override;
    void OnRateReport(RdmaFlowState& state, const RdmaRateReport& report, int64_t nowPs) override;
    void OnData(const RdmaDataEvent& data) override;
    int64_t NextNotice() const override;
    bool OnNotice(int64_t nowPs, RdmaRateReport& report) override;

    /// @return w, the share of the gap to the line rate that the next increase closes
    double GetWeight() const
    {
        return m_weight;
    }

    /// Set w, for tests. @param weight w
    void Force(double weight)
    {
        m_weight = weight;
    }

  private:
    Time m_interval;             //!< attribute Interval
    uint32_t m_congestedShare;   //!< attribute CongestedPercent
    double m_minWeight;          //!< attribute MinWeight
    double m_maxWeight;          //!< attribute MaxWeight
    DataRate m_minRateSet;       //!< attribute MinRate
    double m_minRate{0};         //!< lower bound in use, bit/s
    double m_weight{0};          //!< w
    int64_t m_intervalPs{0};     //!< attribute Interval, picoseconds
    int64_t m_noticePs{NEVER};   //!< when the interval ends, picoseconds
    int64_t m_arrivedPs{0};      //!< time of the last data packet, picoseconds
    int64_t m_gapPs{0};          //!< average time between data packets, picoseconds
    uint64_t m_bytes{0};         //!< wire bytes of the data packets of the interval
    uint32_t m_packets{0};       //!< data packets of the interval
    uint32_t m_markedPackets{0}; //!< data packets with CE in the interval
    bool m_anyArrived{false};    //!< m_arrivedPs is valid
};

} // namespace ns3

#endif // LOSSLESS_RDMA_PCN_H
