// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-irn.h"

#include "irn-receiver.h"
#include "irn-sender.h"
#include "unit-factors.h"

#include "ns3/boolean.h"
#include "ns3/fixed-accessor.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaIrn");

NS_OBJECT_ENSURE_REGISTERED(RdmaIrn);

namespace
{

/// The receiver has room for IrnSender::SPAN_CAPS times as many.
constexpr uint32_t MAX_CAP = IrnReceiver::MAX_SPAN / IrnSender::SPAN_CAPS;

/// Where reordering is expected, what a receiver keeps: packets, and BDP caps (uet-htsim).
constexpr uint32_t USUAL_KEPT = 16384;
constexpr uint64_t USUAL_CAPS = 4;

} // namespace

TypeId
RdmaIrn::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaIrn")
            .SetParent<RdmaLossRecovery>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaIrn>()
            .AddAttribute("BdpCap",
                          "Largest number of packets in flight (BDP-FC), up to 65536; 0: line rate "
                          "times base RTT of the connection, in packets of the MTU, rounded up",
                          UintegerValue(0),
                          MakeFixed(MakeUintegerAccessor(&RdmaIrn::m_bdpCap)),
                          MakeUintegerChecker<uint32_t>(0, MAX_CAP))
            .AddAttribute(
                "TimeoutLow",
                "Retransmission timeout while fewer than FewPackets packets are in flight; doubles "
                "with each successive timeout, at most six times; 0: no timeout",
                TimeValue(MicroSeconds(100)),
                MakeFixed(MakeTimeAccessor(&RdmaIrn::m_timeoutLow)),
                MakeTimeChecker(Time(0)))
            .AddAttribute("TimeoutHigh",
                          "Retransmission timeout while FewPackets or more packets are in flight; "
                          "doubles with each successive timeout, at most six times; 0: no timeout",
                          TimeValue(MicroSeconds(320)),
                          MakeFixed(MakeTimeAccessor(&RdmaIrn::m_timeoutHigh)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FewPackets",
                          "Number of packets in flight from which on the timeout is TimeoutHigh; N "
                          "of the paper",
                          UintegerValue(3),
                          MakeFixed(MakeUintegerAccessor(&RdmaIrn::m_fewPackets)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "CountSacked",
                "Whether SACKed packets count as in flight, as in the BDP-FC of the paper: a loss "
                "then stops new packets until the lost packet is acknowledged",
                BooleanValue(true),
                UsedWhen(MakeFixed(MakeBooleanAccessor(&RdmaIrn::m_countSacked)),
                         &RdmaIrn::TakesGapsForLosses,
                         "ReorderThreshold 0"),
                MakeBooleanChecker())
            .AddAttribute(
                "ReorderThreshold",
                "Number of later packets whose arrival makes a packet lost, for fabrics in which "
                "packets of a queue pair take many paths. SACKed packets are then not in flight, "
                "and packets that are sent again pass the window. -1: 1.5 times the window or the "
                "bandwidth-delay product, in packets, the smaller one, at least 5. 0: none, a gap "
                "is a loss, as in the paper",
                IntegerValue(0),
                MakeFixed(MakeIntegerAccessor(&RdmaIrn::m_reorder)),
                MakeIntegerChecker<int32_t>(-1, USUAL_KEPT))
            .AddAttribute(
                "MaxKept",
                "Largest distance of a packet that the receiver keeps from the one that it "
                "expects, and of a packet that the sender sends from the first that is not "
                "acknowledged. 0: with ReorderThreshold 4 times BdpCap, at most 16384; else 8 "
                "times BdpCap",
                UintegerValue(0),
                MakeFixed(MakeUintegerAccessor(&RdmaIrn::m_maxKept)),
                MakeUintegerChecker<uint32_t>(0, USUAL_KEPT));
    return tid;
}

PathNeed
RdmaIrn::GetPathNeed() const
{
    return m_reorder != 0 ? PathNeed::ANY : PathNeed::ALIKE; // a gap is a loss
}

uint64_t
RdmaIrn::RestartPoint(uint64_t psn, uint64_t /* messageStart */, uint32_t /* mtuBytes */) const
{
    return psn; // nothing that has arrived is given up
}

uint32_t
RdmaIrn::CapOf(const RdmaFlowState& flow) const
{
    if (m_bdpCap > 0)
    {
        return m_bdpCap;
    }
    return ProductOf(flow, "BdpCap");
}

uint32_t
RdmaIrn::ProductOf(const RdmaFlowState& flow, const char* attribute)
{
    if (flow.baseRttPs <= 0)
    {
        throw std::invalid_argument(std::string("RdmaIrn: ") + attribute +
                                    " by default needs the base round trip of the path; give one "
                                    "to its connection, or set " +
                                    attribute);
    }
    const double bytes = flow.lineRate * static_cast<double>(flow.baseRttPs) / PS_PER_SECOND / BITS;
    const double packets = std::ceil(bytes / flow.mtuBytes);
    return static_cast<uint32_t>(std::clamp(packets, 1.0, static_cast<double>(MAX_CAP)));
}

bool
RdmaIrn::TakesGapsForLosses() const
{
    return m_reorder == 0;
}

std::unique_ptr<RdmaSelectiveSender>
RdmaIrn::MakeSender(const RdmaFlowState& flow) const
{
    IrnParameters parameters;
    parameters.bdpCap = CapOf(flow);
    parameters.fewPackets = m_fewPackets;
    parameters.timeoutLowTicks = m_timeoutLow.GetTimeStep();
    parameters.timeoutHighTicks = m_timeoutHigh.GetTimeStep();
    parameters.countSacked = m_countSacked && TakesGapsForLosses();
    parameters.span = m_maxKept;
    if (!TakesGapsForLosses())
    {
        const uint64_t usual = std::min<uint64_t>(USUAL_KEPT, USUAL_CAPS * parameters.bdpCap);
        parameters.span = m_maxKept ? m_maxKept : static_cast<uint32_t>(usual);
        parameters.reorderThreshold = m_reorder;
        parameters.flow = &flow;
        parameters.bdp = m_reorder < 0 ? ProductOf(flow, "ReorderThreshold") : 0;
    }
    NS_LOG_LOGIC("at most " << parameters.bdpCap << " packets in flight");
    return std::make_unique<IrnSender>(parameters);
}

std::unique_ptr<RdmaSelectiveReceiver>
RdmaIrn::MakeReceiver() const
{
    const uint64_t usual = TakesGapsForLosses() ? IrnReceiver::MAX_SPAN : USUAL_KEPT;
    return std::make_unique<IrnReceiver>(m_maxKept ? m_maxKept : usual);
}

} // namespace ns3
