// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ICC_FABRIC_H
#define LOSSLESS_ICC_FABRIC_H

#include "named-topology.h"

#include <string>

/**
 * The topology of figure 3 of ICC (Wang et al., CMC 2023), which the text does not give in full.
 * Senders H0..Hn are at S0. With "2sw" the receivers R0..R2 and Hb are at S1; with "3sw" Hb is at
 * S1 and the receivers at S2. S0->S1 is the paper's port P0.
 * @param kind 2sw or 3sw
 * @param hosts n: H0..Hn
 * @param link all links
 * @return the topology
 */
inline NamedTopology
MakeIccTopology(const std::string& kind, uint32_t hosts, const ns3::FabricLinkSpec& link)
{
    if (kind != "2sw" && kind != "3sw")
    {
        throw ns3::FabricError("--topology is \"" + kind + "\"", "it must be 2sw or 3sw");
    }
    if (hosts < 2)
    {
        throw ns3::FabricError("--hosts is " + std::to_string(hosts), "it must be 2 or more");
    }
    NamedTopology topology;
    topology.AddSwitch("S0");
    topology.AddSwitch("S1");
    topology.AddLink("S0", "S1", link);
    std::string last = "S1";
    if (kind == "3sw")
    {
        last = "S2";
        topology.AddSwitch(last);
        topology.AddLink("S1", last, link);
    }
    for (uint32_t i = 0; i <= hosts; ++i)
    {
        topology.AddHostAt("H" + std::to_string(i), "S0", link);
    }
    topology.AddHostAt("Hb", "S1", link);
    for (const std::string name : {"R0", "R1", "R2"})
    {
        topology.AddHostAt(name, last, link);
    }
    return topology;
}

#endif // LOSSLESS_ICC_FABRIC_H
