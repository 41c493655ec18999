// SPDX-License-Identifier: GPL-2.0-only

// Faults of frames that arrive, and of the receivers behind.

#include "fabric-error.h"
#include "fault-helper.h"

#include "ns3/double.h"
#include "ns3/fault-loss.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

namespace ns3
{

// ---- frames

void
FaultHelper::LoseFrames(uint32_t node, uint32_t port, Ptr<FrameLoss> loss, Time at, Time duration)
{
    const auto device = m_fabric.GetDevice(node, port);
    if (!loss)
    {
        throw FabricError("lost frames at " + NameOf(node, port) + " without a FrameLoss",
                          "name which frames are lost");
    }
    m_losses.push_back(loss);
    if (m_nextStream >= 0)
    {
        m_nextStream += loss->AssignStreams(m_nextStream);
    }
    Plan(
        "lost-frames",
        NameOf(node, port) + " " + loss->GetInstanceTypeId().GetName(),
        at,
        duration,
        [device, loss] { SetLoss(device, loss, true); },
        [device, loss] { SetLoss(device, loss, false); });
}

void
FaultHelper::LoseRandomly(uint32_t node, uint32_t port, double rate, Time at, Time duration)
{
    if (!(rate >= 0 && rate <= 1))
    {
        throw FabricError("frames are lost at " + NameOf(node, port) + " with probability " +
                              std::to_string(rate),
                          "it must be 0 to 1");
    }
    LoseFrames(node,
               port,
               CreateObjectWithAttributes<RandomFrameLoss>("Rate", DoubleValue(rate)),
               at,
               duration);
}

void
FaultHelper::LoseIpIds(uint32_t node,
                       uint32_t port,
                       uint16_t mask,
                       uint16_t value,
                       Time at,
                       Time duration)
{
    if (value & ~mask)
    {
        throw FabricError("frames are lost at " + NameOf(node, port) + " by an identification of " +
                              std::to_string(value) + " in the bits of " + std::to_string(mask),
                          "no frame has that: the value must be within the mask");
    }
    LoseFrames(node,
               port,
               CreateObjectWithAttributes<IpIdLoss>("Mask",
                                                    UintegerValue(mask),
                                                    "Value",
                                                    UintegerValue(value)),
               at,
               duration);
}

// ---- receivers

void
FaultHelper::AttachBuffer(uint32_t host, uint32_t port, const ObjectFactory& factory)
{
    const auto buffer = factory.Create<NicReceiveBuffer>();
    if (m_nextStream >= 0)
    {
        m_nextStream += buffer->AssignStreams(m_nextStream);
    }
    m_fabric.GetRdma(host)->SetReceiveBuffer(port, buffer);
}

void
FaultHelper::SlowReceiver(uint32_t host, const ObjectFactory& factory, Time at, Time duration)
{
    const auto rdma = m_fabric.GetRdma(host);
    if (!factory.IsTypeIdSet() || !factory.Create<Object>()->GetObject<NicReceiveBuffer>())
    {
        throw FabricError("a slow receiver of another type", "name ns3::NicReceiveBuffer");
    }
    Plan(
        "slow-receiver",
        "host " + std::to_string(m_fabric.GetTopology().GetHosts()[host]),
        at,
        duration,
        [this, rdma, host, factory] {
            for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
            {
                AttachBuffer(host, port, factory);
            }
        },
        [rdma] {
            for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
            {
                rdma->SetReceiveBuffer(port, nullptr);
            }
        });
}

void
FaultHelper::StopReceiver(uint32_t host, Time at, Time duration)
{
    const auto rdma = m_fabric.GetRdma(host);
    Plan(
        "receiver-stopped",
        "host " + std::to_string(m_fabric.GetTopology().GetHosts()[host]),
        at,
        duration,
        [this, rdma, host] {
            for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
            {
                if (!rdma->GetReceiveBuffer(port))
                {
                    ObjectFactory factory("ns3::NicReceiveBuffer");
                    AttachBuffer(host, port, factory);
                }
                rdma->GetReceiveBuffer(port)->SetDead(true);
            }
        },
        [rdma] {
            for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
            {
                if (const auto buffer = rdma->GetReceiveBuffer(port))
                {
                    buffer->SetDead(false);
                }
            }
        });
}

} // namespace ns3
