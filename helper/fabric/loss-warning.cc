// SPDX-License-Identifier: GPL-2.0-only
#include "loss-warning.h"

#include "fabric-places.h"
#include "fabric.h"

#include "ns3/fabric-warning.h"

#include <algorithm>
#include <exception>
#include <set>

namespace ns3
{
namespace
{

/// Says, at the first host of a fabric, that loss is not allowed there.
class ForbiddenLoss : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ForbiddenLoss").SetParent<Object>().SetGroupName("Lossless");
        return tid;
    }

    std::set<std::string> named; //!< findings of earlier warnings
};

/// @param fabric a fabric @return its mark; null: loss is allowed, or the fabric is destroyed
Ptr<ForbiddenLoss>
MarkOf(const Fabric& fabric)
{
    return fabric.IsDestroyed() ? nullptr : fabric.GetHosts().Get(0)->GetObject<ForbiddenLoss>();
}

} // namespace

std::string
FirstOf(const std::vector<std::string>& findings)
{
    const std::size_t more = findings.size() - 1;
    return findings[0] +
           (more ? " (and " + std::to_string(more) + " more finding" + (more > 1 ? "s)" : ")")
                 : "");
}

std::vector<std::string>
FindUnstartable(const Fabric& fabric)
{
    std::vector<std::string> findings;
    const FabricTopology& topology = fabric.GetTopology();
    for (const SwitchId which : fabric.Switches())
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        try
        {
            if (!fabricSwitch->IsInitialized())
            {
                fabricSwitch->Start();
            }
        }
        catch (const std::exception& error)
        {
            const NodeId node = topology.NodeOf(which);
            findings.push_back(FabricPlaces::NameOf(topology, node) + " (" + node.Name() +
                               "): " + error.what());
        }
    }
    return findings;
}

bool
IsLossForbidden(const Fabric& fabric)
{
    return MarkOf(fabric) != nullptr;
}

void
ForbidLoss(const Fabric& fabric)
{
    fabric.GetHosts().Get(0)->AggregateObject(CreateObject<ForbiddenLoss>());
}

std::vector<std::string>
FindLoss(const Fabric& fabric)
{
    return MarkOf(fabric) ? fabric.CheckLossless() : std::vector<std::string>();
}

void
WarnOfLoss(const Fabric& fabric, const std::vector<std::string>& before)
{
    const auto mark = MarkOf(fabric);
    if (!mark)
    {
        return;
    }
    std::vector<std::string> findings;
    for (const std::string& finding : fabric.CheckLossless())
    {
        const bool isOld = std::find(before.begin(), before.end(), finding) != before.end();
        if (!isOld && mark->named.insert(finding).second)
        {
            findings.push_back(finding);
        }
    }
    if (!findings.empty())
    {
        PrintWarning(FirstOf(findings));
    }
}

} // namespace ns3
