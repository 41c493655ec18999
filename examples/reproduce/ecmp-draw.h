// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECMP_DRAW_H
#define LOSSLESS_ECMP_DRAW_H

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

/// Another draw of ECMP's hash: the samples of a claim differ in the links that flows share.
struct EcmpDraw
{
    uint32_t draw = 0; //!< 0: the seeds that the switches have

    /// @param program gets the option
    explicit EcmpDraw(ns3::FabricProgram& program)
    {
        program.AddOption("ecmpDraw",
                          "which draw of ECMP's hash; 0: the seeds that the switches have",
                          draw);
    }

    /// Switches of equal seeds, as symmetric paths need them, keep equal seeds. @param fabric built
    void Install(const ns3::Fabric& fabric) const
    {
        bool isEcmp = draw == 0;
        for (uint32_t i = 0; draw > 0 && i < fabric.GetNSwitches(); ++i)
        {
            const auto ecmp =
                ns3::DynamicCast<ns3::EcmpLoadBalancer>(fabric.GetSwitch(i)->GetLoadBalancer());
            if (ecmp)
            {
                ns3::IntegerValue own; // below 0: none
                ecmp->GetAttribute("Seed", own);
                const int64_t seed =
                    int64_t{draw} * 65536 + (own.Get() < 0 ? 32768 + i : own.Get());
                if (!ecmp->SetAttributeFailSafe("Seed", ns3::IntegerValue(seed)))
                {
                    throw ns3::FabricError("--ecmpDraw is " + std::to_string(draw),
                                           "a seed is below 2^32, of which 2^16 are of a draw");
                }
                isEcmp = true;
            }
        }
        if (!isEcmp)
        {
            throw ns3::FabricError("--ecmpDraw has no effect", "it needs ns3::EcmpLoadBalancer");
        }
    }
};

#endif // LOSSLESS_ECMP_DRAW_H
