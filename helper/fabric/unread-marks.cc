// SPDX-License-Identifier: GPL-2.0-only
#include "unread-marks.h"

#include "fabric-places.h"
#include "fabric-ports.h"
#include "named-once.h"
#include "switch-extensions.h"
#include "unconnected-end.h"

#include "ns3/exact-text.h"
#include "ns3/ipv4.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/switch-cnp-sender.h"
#include "ns3/watched-default.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <string>

namespace ns3
{

namespace
{

/// What NoteOnce() keeps of a fabric of AllowUnreadMarks().
constexpr const char* MARKS_ALLOWED = "ECN marks may stay unread";

/// @return whether a congestion control reads ECN marks; what shares an object with others, as
/// those of Python do, may read them in each call
bool
ReadsMarks(const RdmaCongestionOps& control)
{
    return !control.KeepsToItsEnd() || control.SendsCnps() || control.EchoesMarks();
}

/// @return whether the ECN marks of a switch are for congestion controls of hosts alone
bool
MarksForHosts(const FabricSwitch& fabricSwitch)
{
    return fabricSwitch.IsEcnEnabled() && ExtensionsOf<SwitchCnpSender>(fabricSwitch).empty();
}

/// @param marker of a switch @param ports how many it has @return whether somebody has set one of
/// its ECN thresholds
bool
HasSetThresholds(const WredEcnMarker& marker, uint32_t ports)
{
    for (const char* name : {"Kmin", "Kmax", "Pmax"})
    {
        TypeId::AttributeInformation info;
        marker.GetInstanceTypeId().LookupAttributeByName(name, &info);
        const auto value = info.checker->Create();
        marker.GetAttribute(name, *value);
        if (ExactText(*value, info.checker) != ExactText(*info.originalInitialValue, info.checker))
        {
            return true;
        }
    }
    for (uint32_t port = 0; port < ports; ++port)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            if (marker.HasOwnCurve(port, cls))
            {
                return true;
            }
        }
    }
    return false;
}

/// @return whether some node of a fabric has an IP stack: its sockets may read ECN marks
bool
HasSockets(const Fabric& fabric)
{
    for (const NodeId node : fabric.GetTopology().Nodes())
    {
        if (fabric.GetNode(node)->GetObject<Ipv4>())
        {
            return true;
        }
    }
    return false;
}

/// Name what marks in vain. @param fabric where nobody reads ECN marks
void
Warn(const Fabric& fabric)
{
    if (IsNoted(fabric, MARKS_ALLOWED) || HasSockets(fabric))
    {
        return;
    }
    const FabricTopology& topology = fabric.GetTopology();
    for (const SwitchId which : fabric.Switches())
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        const auto marker = fabricSwitch->GetEcnMarker();
        if (!marker || !MarksForHosts(*fabricSwitch))
        {
            continue;
        }
        const TypeId type = marker->GetInstanceTypeId();
        const auto wred = DynamicCast<WredEcnMarker>(marker);
        const bool isChosen = type != WredEcnMarker::GetTypeId();
        const std::string place = FabricPlaces::NameOf(topology, topology.NodeOf(which));
        if (isChosen || HasSetThresholds(*wred, fabricSwitch->GetNPorts()))
        {
            WarnOnce(fabric,
                     (isChosen ? "the ECN marker " + type.GetName() + " of " + place + " has"
                               : "the ECN thresholds of " + place + " have") +
                         " no effect on flows",
                     "no congestion control of the fabric reads ECN marks; ns3::RdmaDcqcn does");
            return; // one line says it of all
        }
    }
}

/// @param options of queue pairs @return whether their congestion control reads ECN marks
bool
ReadsMarks(const Fabric& fabric, const Fabric::QueuePairOptions& options)
{
    const WatchedDefaults::Pause pause;
    return ReadsMarks(*CongestionOf(fabric, options).Create<RdmaCongestionOps>());
}

} // namespace

void
WarnOfUnreadMarks(const Fabric& fabric, const std::vector<Fabric::QueuePairOptions>& flows)
{
    bool isSending = !flows.empty();
    bool isRead = ReadsMarks(fabric, {}); // that of flows to come
    isRead = isRead || std::any_of(flows.begin(), flows.end(), [&fabric](const auto& options) {
                 return ReadsMarks(fabric, options);
             });
    ForEachQueuePair(fabric, [&](HostId, const RdmaQueuePair& end) {
        const bool isReady = end.GetState() == RdmaQueuePair::READY;
        isSending = isSending || isReady;
        isRead = isRead || (isReady && ReadsMarks(*end.GetCongestionControl()));
    });
    if (isSending && !isRead)
    {
        Warn(fabric);
    }
}

void
WarnOfUnreadMarksAtEnd(const Fabric& fabric)
{
    const WatchedDefaults::Pause pause;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(RdmaCongestionOps::GetTypeId()) && fabric.HasConnected(type))
        {
            ObjectFactory factory;
            factory.SetTypeId(type);
            if (ReadsMarks(*factory.Create<RdmaCongestionOps>()))
            {
                return;
            }
        }
    }
    Warn(fabric);
}

bool
MayMark(const Fabric& fabric)
{
    for (const SwitchId which : fabric.Switches())
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        if (fabricSwitch->IsEcnEnabled() || !ExtensionsOf<SwitchCnpSender>(*fabricSwitch).empty())
        {
            return true;
        }
    }
    return false;
}

void
AllowUnreadMarks(const Fabric& fabric)
{
    NoteOnce(fabric, MARKS_ALLOWED);
}

} // namespace ns3
