// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-pcn.h"

#include "unit-factors.h"

#include "ns3/double.h"
#include "ns3/exact-text.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaPcn");

NS_OBJECT_ENSURE_REGISTERED(RdmaPcn);

namespace
{

/// A longer pause between two data packets does not count as a gap: the average begins anew.
constexpr int64_t LONGEST_GAP_PS = 10000000000;

} // namespace

TypeId
RdmaPcn::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaPcn")
            .SetParent<RdmaCongestionOps>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaPcn>()
            .AddAttribute("Interval",
                          "T, time between two CNPs of a receiving queue pair, at least 100 ns",
                          TimeValue(MicroSeconds(50)),
                          MakeFixed(MakeTimeAccessor(&RdmaPcn::m_interval)),
                          MakeTimeChecker(NanoSeconds(100)))
            .AddAttribute("CongestedPercent",
                          "Share of marked packets, 1 to 100 percent, from which on a flow counts "
                          "as congested",
                          UintegerValue(95),
                          MakeFixed(MakeUintegerAccessor(&RdmaPcn::m_congestedShare)),
                          MakeUintegerChecker<uint32_t>(1, 100))
            .AddAttribute("MinWeight",
                          "w_min, 0 to 1: weight of the line rate in the first increase; a "
                          "decrease sets (1 - w_min) times the reported rate",
                          DoubleValue(1.0 / 128),
                          MakeFixed(MakeDoubleAccessor(&RdmaPcn::m_minWeight)),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MaxWeight",
                          "w_max, 0 to 1: limit of the weight of the line rate in successive "
                          "increases; the public code of the paper has 0.25",
                          DoubleValue(0.5),
                          MakeFixed(MakeDoubleAccessor(&RdmaPcn::m_maxWeight)),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MinRate",
                          "Lower bound of the rate",
                          DataRateValue(DataRate("20Mbps")),
                          MakeFixed(MakeDataRateAccessor(&RdmaPcn::m_minRateSet)),
                          MakeDataRateChecker());
    return tid;
}

std::string
RdmaPcn::GetName() const
{
    return "PCN";
}

PathNeed
RdmaPcn::GetPathNeed() const
{
    return PathNeed::ALIKE; // marks of a bad path among good ones never reach 95 %
}

uint32_t
RdmaPcn::GetHooks() const
{
    return ON_DATA;
}

std::vector<std::string>
RdmaPcn::GetSwitchExtensions() const
{
    return {"ns3::PcnMarker"};
}

void
RdmaPcn::Init(RdmaFlowState& state, int64_t /* nowPs */)
{
    if (m_minWeight > m_maxWeight)
    {
        throw std::invalid_argument("RdmaPcn: MinWeight is " + ExactText(m_minWeight) +
                                    "; it must not exceed MaxWeight, " + ExactText(m_maxWeight));
    }
    m_intervalPs = m_interval.GetPicoSeconds();
    m_gapPs = m_intervalPs;
    m_minRate = std::min(static_cast<double>(m_minRateSet.GetBitRate()), state.lineRate);
    m_weight = m_minWeight;
    state.rate = state.lineRate;
}

// ---- reaction point

void
RdmaPcn::OnRateReport(RdmaFlowState& state, const RdmaRateReport& report, int64_t /* nowPs */)
{
    if (report.congested)
    {
        state.rate = std::min(state.rate, report.rate * (1 - m_minWeight));
        m_weight = m_minWeight;
    }
    else
    {
        state.rate = state.rate * (1 - m_weight) + state.lineRate * m_weight;
        m_weight = m_weight * (1 - m_weight) + m_maxWeight * m_weight;
    }
    state.rate = std::clamp(state.rate, m_minRate, state.lineRate);
    NS_LOG_DEBUG((report.congested ? "congested" : "free") << ": rate " << state.rate << " bit/s");
}

// ---- notification point

void
RdmaPcn::OnData(const RdmaDataEvent& data)
{
    const int64_t gapPs = m_anyArrived ? data.nowPs - m_arrivedPs : LONGEST_GAP_PS;
    m_gapPs = gapPs < LONGEST_GAP_PS ? (m_gapPs + gapPs) / 2 : m_intervalPs;
    m_arrivedPs = data.nowPs;
    m_anyArrived = true;
    m_bytes += data.wireBytes;
    ++m_packets;
    m_markedPackets += data.marked ? 1 : 0;
    if (m_noticePs == NEVER)
    {
        m_noticePs = data.nowPs + m_intervalPs;
    }
}

int64_t
RdmaPcn::NextNotice() const
{
    return m_noticePs;
}

bool
RdmaPcn::OnNotice(int64_t nowPs, RdmaRateReport& report)
{
    if (m_packets == 0)
    {
        m_noticePs = NEVER;
        return false;
    }
    constexpr uint64_t PERCENT = 100;
    // One packet an interval tells a rate only by its distance from the one before.
    const int64_t overPs = m_packets >= 2 ? m_intervalPs : std::max<int64_t>(m_gapPs, 1);
    report.rate = static_cast<double>(m_bytes) * BITS * PS_PER_SECOND / static_cast<double>(overPs);
    report.congested = m_markedPackets * PERCENT >= m_packets * uint64_t{m_congestedShare};
    m_bytes = 0;
    m_packets = 0;
    m_markedPackets = 0;
    m_noticePs = nowPs + m_intervalPs;
    return true;
}

} // namespace ns3
