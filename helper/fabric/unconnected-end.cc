// SPDX-License-Identifier: GPL-2.0-only
#include "unconnected-end.h"

#include "ns3/rdma-hw.h"

namespace ns3
{

Ptr<RdmaQueuePair>
MakeUnconnected(const Fabric& fabric, const Fabric::QueuePairOptions& options)
{
    const auto end = fabric.GetRdma(HostId(0))->GetQueuePairFactory().Create<RdmaQueuePair>();
    for (const auto& [name, value] : options.attributes)
    {
        end->SetAttribute(name, *value);
    }
    return end;
}

ObjectFactory
CongestionOf(const RdmaQueuePair& end)
{
    ObjectFactoryValue factory;
    end.GetAttribute("CongestionControl", factory);
    return factory.Get();
}

ObjectFactory
CongestionOf(const Fabric& fabric, const Fabric::QueuePairOptions& options)
{
    return options.congestion.IsTypeIdSet() ? options.congestion
                                            : CongestionOf(*MakeUnconnected(fabric, options));
}

} // namespace ns3
