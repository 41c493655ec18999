// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-thresholds.h"

#include "ns3/wred-ecn-marker.h"

#include <string>

namespace ns3
{

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

} // namespace ns3
