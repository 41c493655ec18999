// SPDX-License-Identifier: GPL-2.0-only
#include "receive-pipeline.h"

#include "ns3/nic-receive-buffer.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ReceivePipeline);
NS_OBJECT_ENSURE_REGISTERED(RdmaReceivePipeline);

TypeId
ReceivePipeline::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ReceivePipeline").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

TypeId
RdmaReceivePipeline::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaReceivePipeline").SetParent<ReceivePipeline>().SetGroupName("Lossless");
    return tid;
}

RdmaReceivePipeline::RdmaReceivePipeline(Ptr<RdmaHw> hw, Ptr<QbbNetDevice> port)
    : m_hw(hw),
      m_port(port)
{
}

void
RdmaReceivePipeline::DoDispose()
{
    m_hw = nullptr;
    m_port = nullptr;
    ReceivePipeline::DoDispose();
}

uint64_t
RdmaReceivePipeline::GetProgress() const
{
    if (const auto buffer = m_hw->GetReceiveBuffer(m_port->GetPortIndex()))
    {
        return buffer->GetCounters().processed;
    }
    return m_hw->GetDataReceived(m_port->GetPortIndex());
}

uint8_t
RdmaReceivePipeline::GetPausedClasses() const
{
    return m_port->GetIssuer().Wanted();
}

} // namespace ns3
