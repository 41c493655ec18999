// SPDX-License-Identifier: GPL-2.0-only
#include "unconnected-end.h"

#include "named-once.h"

#include "ns3/exact-text.h"
#include "ns3/rdma-hw.h"
#include "ns3/watched-default.h"

#include <algorithm>

namespace ns3
{

Ptr<RdmaQueuePair>
MakeUnconnected(const Fabric& fabric, const Fabric::QueuePairOptions& options)
{
    const WatchedDefaults::Pause pause;
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

bool
IsSaid(const Fabric::QueuePairOptions& options, const std::string& name)
{
    return std::any_of(options.attributes.begin(),
                       options.attributes.end(),
                       [&name](const auto& attribute) { return attribute.first == name; });
}

bool
DiffersFromUsual(const RdmaQueuePair& end, const std::string& name)
{
    TypeId::AttributeInformation info;
    RdmaQueuePair::GetTypeId().LookupAttributeByName(name, &info);
    const auto value = info.checker->Create();
    end.GetAttribute(name, *value);
    return ExactText(*value, info.checker) != ExactText(*info.originalInitialValue, info.checker);
}

void
WarnOfIdleAttribute(const Fabric& fabric, const std::string& name, const std::string& right)
{
    WarnOnce(fabric, "ns3::RdmaQueuePair::" + name + " has no effect", right);
}

} // namespace ns3
