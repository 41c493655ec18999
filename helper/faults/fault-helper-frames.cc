// SPDX-License-Identifier: GPL-2.0-only

// Faults of frames that arrive, and of the receivers behind.

#include "fault-helper.h"

#include "ns3/double.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fault-loss.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

// ---- frames

void
FaultHelper::Claim(const Ptr<FrameLoss>& loss, uint32_t node, uint32_t port)
{
    const auto known = std::find_if(m_losses.begin(), m_losses.end(), [&loss](const Loss& other) {
        return other.loss == loss;
    });
    if (known == m_losses.end())
    {
        m_losses.push_back({loss, node, port});
        if (m_nextStream >= 0)
        {
            m_nextStream += loss->AssignStreams(m_nextStream);
        }
    }
    else if (known->node != node || known->port != port)
    {
        throw FabricError("lost frames at " + NameOf(node, port) + " by the " +
                              loss->GetInstanceTypeId().GetName() + " of " +
                              NameOf(known->node, known->port),
                          "one object serves one port: make another");
    }
}

void
FaultHelper::LoseFrames(uint32_t node,
                        uint32_t port,
                        const std::string& loss,
                        Time at,
                        Time duration)
{
    const ObjectFactory factory = FabricAttributes::ToFactory(loss, FrameLoss::GetTypeId());
    LoseFrames(node, port, factory.Create<FrameLoss>(), at, duration);
}

void
FaultHelper::LoseFrames(uint32_t node, uint32_t port, Ptr<FrameLoss> loss, Time at, Time duration)
{
    const auto device = m_fabric.GetDevice(node, port);
    if (!loss)
    {
        throw FabricError("lost frames at " + NameOf(node, port) + " without a FrameLoss",
                          "name which frames are lost");
    }
    Claim(loss, node, port);
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
    m_fabric.GetDevice(node, port);
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
    m_fabric.GetDevice(node, port);
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

FaultHelper::Receivers::Buffers
FaultHelper::MakeBuffers(uint32_t host, const ObjectFactory& factory)
{
    Receivers::Buffers buffers(m_fabric.GetRdma(host)->GetNPorts());
    for (auto& buffer : buffers)
    {
        buffer = factory.Create<NicReceiveBuffer>();
        if (m_nextStream >= 0)
        {
            m_nextStream += buffer->AssignStreams(m_nextStream);
        }
    }
    return buffers;
}

FaultHelper::Receivers&
FaultHelper::ReceiversOf(uint32_t host)
{
    Receivers& receivers = m_receivers[host];
    if (receivers.slow.empty() && receivers.stops == 0)
    {
        const auto rdma = m_fabric.GetRdma(host);
        receivers.own.resize(rdma->GetNPorts());
        for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
        {
            receivers.own[port] = rdma->GetReceiveBuffer(port);
        }
    }
    return receivers;
}

void
FaultHelper::ApplyReceivers(uint32_t host)
{
    const Receivers& receivers = m_receivers.at(host);
    const auto rdma = m_fabric.GetRdma(host);
    if (receivers.stops > 0)
    {
        for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
        {
            if (!rdma->GetReceiveBuffer(port))
            {
                const ObjectFactory factory("ns3::NicReceiveBuffer");
                rdma->SetReceiveBuffer(port, factory.Create<NicReceiveBuffer>());
            }
            rdma->GetReceiveBuffer(port)->SetDead(true);
        }
        return; // which one it is shows when it goes on
    }
    const auto& wanted = receivers.slow.empty() ? receivers.own : receivers.slow.back().second;
    for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
    {
        if (rdma->GetReceiveBuffer(port) != wanted[port])
        {
            rdma->SetReceiveBuffer(port, wanted[port]);
        }
        if (wanted[port])
        {
            wanted[port]->SetDead(false);
        }
    }
}

void
FaultHelper::SlowReceiver(uint32_t host, const ObjectFactory& factory, Time at, Time duration)
{
    m_fabric.GetRdma(host);
    const auto trial = factory.IsTypeIdSet()
                           ? factory.Create<Object>()->GetObject<NicReceiveBuffer>()
                           : Ptr<NicReceiveBuffer>();
    if (!trial)
    {
        throw FabricError("a slow receiver of another type", "name ns3::NicReceiveBuffer");
    }
    try
    {
        trial->CheckAttributes();
    }
    catch (const std::invalid_argument& error)
    {
        throw FabricError(error.what(), "");
    }
    const uint64_t number = m_slowReceivers++;
    Plan(
        "slow-receiver",
        "host " + std::to_string(m_fabric.GetTopology().GetHosts()[host]),
        at,
        duration,
        [this, host, factory, number] {
            ReceiversOf(host).slow.emplace_back(number, MakeBuffers(host, factory));
            ApplyReceivers(host);
        },
        [this, host, number] {
            auto& slow = m_receivers.at(host).slow;
            slow.erase(std::find_if(slow.begin(), slow.end(), [number](const auto& one) {
                return one.first == number;
            }));
            ApplyReceivers(host);
        });
}

void
FaultHelper::StopReceiver(uint32_t host, Time at, Time duration)
{
    m_fabric.GetRdma(host);
    Plan(
        "receiver-stopped",
        "host " + std::to_string(m_fabric.GetTopology().GetHosts()[host]),
        at,
        duration,
        [this, host] {
            ++ReceiversOf(host).stops;
            ApplyReceivers(host);
        },
        [this, host] {
            --m_receivers.at(host).stops;
            ApplyReceivers(host);
        });
}

} // namespace ns3
