// SPDX-License-Identifier: GPL-2.0-only
#include "path-check.h"

#include "fabric-objects.h"
#include "fabric-ports.h"
#include "switch-extensions.h"

#include "ns3/fabric-error.h"
#include "ns3/load-balancer.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/rdma-entropy-none.h"
#include "ns3/rdma-loss-recovery.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-transport.h"
#include "ns3/switch-extension.h"

#include <algorithm>
#include <string>

namespace ns3
{

namespace
{

/// How a need goes with what takes one path.
enum class Fit : uint8_t
{
    FINE,     //!< it works
    DOUBTFUL, //!< its results may not be what it is known for
    WRONG     //!< it cannot work
};

/// @param need what a policy needs @param unit what takes one path @return how they go together
Fit
FitOf(PathNeed need, PathUnit unit)
{
    if (unit == PathUnit::FLOW || need == PathNeed::ANY)
    {
        return Fit::FINE;
    }
    const bool perPacket = unit == PathUnit::PACKET;
    const bool inOrder = unit == PathUnit::REROUTED_FLOW;
    switch (need)
    {
    case PathNeed::ALIKE:
        return perPacket ? Fit::DOUBTFUL : Fit::FINE;
    case PathNeed::IN_ORDER:
        return perPacket ? Fit::WRONG : (inOrder ? Fit::FINE : Fit::DOUBTFUL);
    case PathNeed::STEADY:
        return Fit::DOUBTFUL;
    case PathNeed::ONE_AT_A_TIME:
        return perPacket ? Fit::WRONG : Fit::DOUBTFUL;
    default:
        return Fit::WRONG;
    }
}

/// @param unit what takes one path @return of what there are several in a flow, with the verb
std::string
NameOf(PathUnit unit)
{
    switch (unit)
    {
    case PathUnit::REROUTED_FLOW:
        return "flows take, one after the other,";
    case PathUnit::FLOWLET:
        return "flowlets of a flow take";
    default:
        return "packets of a flow take";
    }
}

/// Look at a policy. @param fabric where @param type of the policy @param need its need
/// @param unit what takes one path @param right what would be right
void
Look(const FabricObjects& fabric, TypeId type, PathNeed need, PathUnit unit, const char* right)
{
    const Fit fit = FitOf(need, unit);
    if (fit == Fit::FINE)
    {
        return;
    }
    const std::string what =
        NameOf(unit) + " several paths, and " + type.GetName() +
        (fit == Fit::WRONG ? " needs one" : " takes their differences for losses or congestion");
    if (fit == Fit::WRONG && !fabric.GetNotes().allowsReordering)
    {
        throw FabricError(what,
                          std::string(right) + ", or allow reordering in the options of the run");
    }
    fabric.GetFindings().Add({Level::LOSS, "paths", "", {}, what, right});
}

/// Note what takes one path. @param fabric that runs
void
NoteUnit(const FabricObjects& fabric)
{
    FabricObjects::Notes& notes = fabric.GetNotes();
    notes.hasPaths = false;
    notes.pathUnit = PathUnit::FLOW;
    for (const SwitchId which : fabric.Switches())
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        if (fabricSwitch->GetForwardingTable().HasChoice())
        {
            notes.hasPaths = true;
            notes.pathUnit = std::max(notes.pathUnit, fabricSwitch->GetLoadBalancer()->GetUnit());
        }
    }
}

/// Look at the extensions of switches. @param fabric that runs @param unit what takes one path
void
LookAtExtensions(const FabricObjects& fabric, PathUnit unit)
{
    for (const SwitchId which : fabric.Switches())
    {
        for (const auto& extension : ExtensionsOf<SwitchExtension>(*fabric.GetSwitch(which)))
        {
            Look(fabric,
                 extension->GetInstanceTypeId(),
                 extension->GetPathNeed(),
                 unit,
                 "take ns3::EcmpLoadBalancer");
        }
    }
}

/// @tparam Policy of a queue pair @param inUse the policy of a connected queue pair; else null
/// @param end the queue pair @param attribute says what would make the policy @return the policy
template <typename Policy>
Ptr<Policy>
PolicyOf(const Ptr<Policy>& inUse, const RdmaQueuePair& end, const char* attribute)
{
    if (inUse)
    {
        return inUse;
    }
    ObjectFactoryValue factory;
    end.GetAttribute(attribute, factory);
    return factory.Get().Create<Policy>();
}

} // namespace

bool
SpreadsPackets(const RdmaQueuePair& end)
{
    Ptr<RdmaEntropyPolicy> policy = end.GetEntropyPolicy();
    if (end.GetState() == RdmaQueuePair::RESET)
    {
        policy = PolicyOf(policy, end, "Entropy");
    }
    return policy && policy->GetInstanceTypeId() != RdmaEntropyNone::GetTypeId() &&
           policy->GetPaths() > 1;
}

void
CheckPaths(const FabricObjects& fabric,
           bool allowsReordering,
           const std::vector<Ptr<RdmaQueuePair>>& planned)
{
    fabric.GetNotes().allowsReordering = allowsReordering;
    NoteUnit(fabric);
    LookAtExtensions(fabric, fabric.GetNotes().pathUnit);
    for (const auto& end : planned)
    {
        CheckPaths(fabric, *end);
    }
    ForEachQueuePair(fabric, [&](HostId, const RdmaQueuePair& end) {
        if (end.GetState() == RdmaQueuePair::READY)
        {
            CheckPaths(fabric, end);
        }
    });
}

void
CheckPaths(const FabricObjects& fabric, const RdmaQueuePair& end)
{
    if (!fabric.GetNotes().hasPaths)
    {
        return;
    }
    const PathUnit unit = SpreadsPackets(end) ? PathUnit::PACKET : fabric.GetNotes().pathUnit;
    if (unit == PathUnit::FLOW)
    {
        return; // whatever is needed: no policy is made to be asked
    }
    if (const TypeId transport = end.GetTransportType(); transport != RdmaRc::GetTypeId())
    {
        // Its packets name their paths: what a value has met is nothing to the next packet.
        Look(fabric, transport, PathNeed::STEADY, unit, "take ns3::EcmpLoadBalancer");
    }
    else
    {
        const auto recovery = PolicyOf(end.GetLossRecovery(), end, "LossRecovery");
        Look(fabric,
             recovery->GetInstanceTypeId(),
             recovery->GetPathNeed(),
             unit,
             "set LossRecovery to ns3::RdmaIrn[ReorderThreshold=-1]");
    }
    const auto control = PolicyOf(end.GetCongestionControl(), end, "CongestionControl");
    Look(fabric,
         control->GetInstanceTypeId(),
         control->GetPathNeed(),
         unit,
         "take another congestion control, or ns3::EcmpLoadBalancer");
}

} // namespace ns3
