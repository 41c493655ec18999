// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-thresholds.h"

#include "ns3/boolean.h"
#include "ns3/ecn-marker.h"
#include "ns3/fabric-warning.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return whether a switch marks by ECN thresholds, or not by the user's choice
bool
UsesCurve(const FabricRecipe& recipe, const FabricSwitch& fabricSwitch)
{
    const Ptr<EcnMarker> marker = fabricSwitch.GetEcnMarker();
    bool isBrought = false; // by the congestion control: the user has not chosen it
    for (uint32_t i = 0; i < fabricSwitch.GetNExtensions(); ++i)
    {
        isBrought = isBrought || fabricSwitch.GetExtension(i) == marker;
    }
    for (const ObjectFactory& extension : recipe.extensions)
    {
        isBrought = isBrought && extension.GetTypeId() != marker->GetInstanceTypeId();
    }
    return isBrought || (fabricSwitch.IsEcnEnabled() && DynamicCast<WredEcnMarker>(marker));
}

} // namespace

void
SetThresholds(const FabricRecipe& recipe, const std::vector<Ptr<FabricSwitch>>& switches)
{
    uint8_t values = 0; // for which there are options, which win
    for (const std::string name : {"Kmin", "Kmax", "Pmax"})
    {
        const bool isOption = recipe.options.Has(WredEcnMarker::GetTypeId(), name);
        values |= isOption ? WredEcnMarker::CurveValueOf(name) : 0;
    }
    for (const auto& fabricSwitch : switches)
    {
        const auto marker = DynamicCast<WredEcnMarker>(fabricSwitch->GetEcnMarker());
        for (uint32_t port = 0; marker && port < fabricSwitch->GetNPorts(); ++port)
        {
            const uint64_t rate = fabricSwitch->GetPort(port)->GetDataRate().GetBitRate();
            for (const FabricRecipe::EcnThresholds& thresholds : recipe.thresholds)
            {
                if (thresholds.bitsPerSecond != rate)
                {
                    continue;
                }
                marker->SetThresholds(port, thresholds.kmin, thresholds.kmax, thresholds.pmax);
                for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
                {
                    marker->ClearThresholds(port, cls, values);
                }
            }
        }
    }
}

void
WarnOfThresholds(const FabricRecipe& recipe, const std::vector<Ptr<FabricSwitch>>& switches)
{
    const bool isEnabled = std::any_of(switches.begin(), switches.end(), [](const auto& one) {
        return one->IsEcnEnabled();
    });
    if (recipe.ecn.IsTypeIdSet() && !isEnabled)
    {
        PrintWarning("the ECN marker " + recipe.ecn.GetTypeId().GetName() + " has no effect",
                     "no switch has EcnEnabled");
    }
    for (const FabricRecipe::EcnThresholds& thresholds : recipe.thresholds)
    {
        bool isUsed = false;
        for (const auto& fabricSwitch : switches)
        {
            const bool uses = UsesCurve(recipe, *fabricSwitch);
            for (uint32_t port = 0; uses && port < fabricSwitch->GetNPorts(); ++port)
            {
                isUsed = isUsed || fabricSwitch->GetPort(port)->GetDataRate().GetBitRate() ==
                                       thresholds.bitsPerSecond;
            }
        }
        if (!isUsed)
        {
            PrintWarning("the ECN thresholds for " + std::to_string(thresholds.bitsPerSecond) +
                             " bit/s have no effect",
                         "no port of a switch has that speed, a WredEcnMarker and EcnEnabled");
        }
    }
}

} // namespace ns3
