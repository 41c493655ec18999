// SPDX-License-Identifier: GPL-2.0-only
#include "counters-at-rest.h"

#include "fabric-ports.h"

#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/simulator.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ns3
{

namespace
{

/// When a fabric came to rest, and with which counters. On the node of its first host, so that it
/// ends with the fabric.
class RestMark : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RestMark").SetParent<Object>().SetGroupName("Lossless");
        return tid;
    }

    /// The fabric comes to rest now. @param now its counters
    void Set(FabricCounters now)
    {
        counters = std::move(now);
        m_time = Simulator::Now();
        m_events = Simulator::GetEventCount();
    }

    /// @return whether nothing has happened since
    bool Holds() const
    {
        return m_time == Simulator::Now() && m_events == Simulator::GetEventCount();
    }

    FabricCounters counters; //!< when it came to rest; without ports: all are 0

  private:
    Time m_time;          //!< when that was
    uint64_t m_events{0}; //!< that had happened until then
};

/// @param fabric a fabric @return its mark; null: it was not noted
Ptr<RestMark>
RestMarkOf(const Fabric& fabric)
{
    return fabric.GetHosts().Get(0)->GetObject<RestMark>();
}

} // namespace

FabricCounters
FabricCounters::Read(const Fabric& fabric)
{
    FabricCounters counters;
    for (const auto& [node, number, isSwitch, device] : PortsOf(fabric))
    {
        Port port{device->GetCounters(), {}};
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            port.issued[cls] = device->GetIssuer().Get(cls);
        }
        counters.ports.push_back(port);
    }
    for (const HostId host : fabric.Hosts())
    {
        AddCounters(counters.rdma, fabric.GetRdma(host)->GetCounters());
    }
    return counters;
}

FabricCounters
FabricCounters::Since(const FabricCounters& then) const
{
    FabricCounters since;
    since.rdma = CountersSince(rdma, then.rdma);
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        const Port before = i < then.ports.size() ? then.ports[i] : Port(); // of none: all are 0
        Port port{CountersSince(ports[i].device, before.device), {}};
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            port.issued[cls] = CountersSince(ports[i].issued[cls], before.issued[cls]);
        }
        since.ports.push_back(port);
    }
    return since;
}

void
CountersAtRest::Note(const Fabric& fabric)
{
    if (fabric.IsDestroyed())
    {
        return;
    }
    Ptr<RestMark> mark = RestMarkOf(fabric);
    if (mark)
    {
        mark->Set(FabricCounters::Read(fabric));
        return;
    }
    mark = CreateObject<RestMark>();
    mark->Set({}); // just built: all are 0, and need no memory
    fabric.GetHosts().Get(0)->AggregateObject(mark);
}

FabricCounters
CountersAtRest::Get(const Fabric& fabric)
{
    const auto mark = RestMarkOf(fabric);
    FabricCounters counters = mark && mark->Holds() ? mark->counters : FabricCounters::Read(fabric);
    counters.ports.resize(PortsOf(fabric).size()); // where all are 0
    return counters;
}

CountersAtRest::Aside::Aside(const Fabric& fabric)
    : m_fabric(fabric),
      m_before(FabricCounters::Read(fabric))
{
}

CountersAtRest::Aside::~Aside()
{
    const auto mark = RestMarkOf(m_fabric);
    if (mark && mark->Holds())
    {
        const FabricCounters moved = m_before.Since(mark->counters);
        mark->counters = FabricCounters::Read(m_fabric).Since(moved);
    }
}

} // namespace ns3
