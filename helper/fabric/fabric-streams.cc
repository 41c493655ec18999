// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-streams.h"

#include "fabric-ports.h"

#include "ns3/error-model.h"
#include "ns3/pointer.h"

namespace ns3
{

namespace
{

/// @tparam Model a type @param device a port @return its receive error model; null unless it is of
/// that type
template <typename Model>
Ptr<Model>
ErrorsOf(const QbbNetDevice& device)
{
    PointerValue model;
    device.GetAttribute("ReceiveErrorModel", model);
    return model.Get<Model>();
}

} // namespace

int64_t
GiveStreams(const Fabric& fabric, int64_t stream)
{
    int64_t used = 0;
    for (const SwitchId which : fabric.Switches())
    {
        used += fabric.GetSwitch(which)->AssignStreams(stream + used);
    }
    for (const HostId host : fabric.Hosts())
    {
        const auto rdma = fabric.GetRdma(host);
        for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
        {
            const auto buffer = rdma->GetReceiveBuffer(port);
            used += buffer ? buffer->AssignStreams(stream + used) : 0;
        }
    }
    for (const FabricPort& port : PortsOf(fabric))
    {
        if (const auto errors = ErrorsOf<RateErrorModel>(*port.device))
        {
            used += errors->AssignStreams(stream + used);
        }
    }
    return used;
}

int64_t
CountUsualStreams(const Fabric& fabric)
{
    int64_t count = fabric.GetNSwitches();
    for (const HostId host : fabric.Hosts())
    {
        const auto rdma = fabric.GetRdma(host);
        for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
        {
            count += rdma->GetReceiveBuffer(port) ? 1 : 0;
        }
    }
    return count;
}

void
GiveLaterStreams(const Fabric& fabric, const LaterStreams& later)
{
    for (const SwitchId which : fabric.Switches())
    {
        const NodeId node = fabric.GetTopology().NodeOf(which);
        fabric.GetSwitch(which)->SetLaterStreams(later.OfSwitch(node));
    }
    for (const FabricPort& port : PortsOf(fabric))
    {
        int64_t next = later.OfPort(port.node, port.port);
        if (const auto errors = ErrorsOf<BurstErrorModel>(*port.device))
        {
            next += errors->AssignStreams(next);
        }
        port.device->SetLaterStreams(next);
    }
    ForEachQueuePair(fabric, [&later](HostId host, const RdmaQueuePair& end) {
        GiveLaterStreams(later, host, end);
    });
}

void
GiveLaterStreams(const LaterStreams& later, HostId host, const RdmaQueuePair& end)
{
    if (!later.IsSet())
    {
        return;
    }
    int64_t next = later.OfQueuePair(host, end.GetNumber());
    if (const auto control = end.GetCongestionControl())
    {
        next += control->AssignStreams(next);
    }
    if (const auto entropy = end.GetEntropyPolicy())
    {
        next += entropy->AssignStreams(next);
    }
    if (const auto transport = end.GetTransport())
    {
        transport->AssignStreams(next);
    }
}

} // namespace ns3
