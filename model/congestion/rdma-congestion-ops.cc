// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-congestion-ops.h"

namespace ns3
{

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
