// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-congestion-ops.h"

#include <stdexcept>

namespace ns3
{

int64_t
RdmaFlowState::LongestRttPs(const char* owner, int64_t given) const
{
    constexpr double EXACT = 0.95; // a hand calculation may leave something small out
    if (given > 0 && static_cast<double>(given) < EXACT * static_cast<double>(baseRttPs))
    {
        const auto ns = [](int64_t ps) { return std::to_string(ps / 1000) + " ns"; };
        throw std::invalid_argument(std::string(owner) + ": BaseRtt is " + ns(given) +
                                    ", and the empty path of a queue pair takes " + ns(baseRttPs) +
                                    "; set the longest round trip of the empty network");
    }
    return given > 0 ? given : baseRttPs;
}

NS_OBJECT_ENSURE_REGISTERED(RdmaCongestionOps);

TypeId
RdmaCongestionOps::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaCongestionOps").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

uint32_t
RdmaCongestionOps::GetHooks() const
{
    return ON_ACK | ON_SENT;
}

TelemetryKind
RdmaCongestionOps::GetTelemetry() const
{
    return TelemetryKind::NONE;
}

bool
RdmaCongestionOps::EchoesMarks() const
{
    return false;
}

bool
RdmaCongestionOps::SetsWindow() const
{
    return false;
}

bool
RdmaCongestionOps::SendsCnps() const
{
    return true;
}

PathNeed
RdmaCongestionOps::GetPathNeed() const
{
    return PathNeed::ANY;
}

std::vector<std::string>
RdmaCongestionOps::GetSwitchExtensions() const
{
    return {};
}

void
RdmaCongestionOps::Init(RdmaFlowState& /* state */, int64_t /* nowPs */)
{
}

bool
RdmaCongestionOps::ShareWith(const RdmaCongestionOps* /* last */)
{
    return false;
}

void
RdmaCongestionOps::OnCnp(RdmaFlowState& /* state */, int64_t /* nowPs */)
{
}

void
RdmaCongestionOps::OnRateReport(RdmaFlowState& /* state */,
                                const RdmaRateReport& /* report */,
                                int64_t /* nowPs */)
{
}

void
RdmaCongestionOps::OnAck(RdmaFlowState& /* state */, const RdmaAckEvent& /* ack */)
{
}

void
RdmaCongestionOps::OnSent(RdmaFlowState& /* state */, uint32_t /* wireBytes */, int64_t /* nowPs */)
{
}

void
RdmaCongestionOps::OnTimeout(RdmaFlowState& /* state */, int64_t /* nowPs */)
{
}

void
RdmaCongestionOps::OnLineRate(RdmaFlowState& /* state */)
{
}

int64_t
RdmaCongestionOps::NextTimer() const
{
    return NEVER;
}

void
RdmaCongestionOps::OnTimer(RdmaFlowState& /* state */, int64_t /* nowPs */)
{
}

bool
RdmaCongestionOps::OnMarkedData(int64_t /* nowPs */)
{
    return false;
}

void
RdmaCongestionOps::OnData(const RdmaDataEvent& /* data */)
{
}

int64_t
RdmaCongestionOps::NextNotice() const
{
    return NEVER;
}

bool
RdmaCongestionOps::OnNotice(int64_t /* nowPs */, RdmaRateReport& /* report */)
{
    return false;
}

int64_t
RdmaCongestionOps::AssignStreams(int64_t /* stream */)
{
    return 0;
}

} // namespace ns3
